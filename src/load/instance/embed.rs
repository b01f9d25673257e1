//! `@embed`: files of the module whose contents become values of fields.

use crate::data::{self, Encoding};
use crate::disk::Kind;
use crate::file::Source;
use crate::instance::Set;
use crate::path;
use crate::problem::{Problem, Problems};
use pravo_cue::builtin::path_matches;
use pravo_cue::eval::Evaluator;
use pravo_cue::syntax::literal::unquote_string;
use pravo_cue::syntax::source::Pos;
use pravo_cue::syntax::tree::{AttrId, Decl, DeclId, Tree};
use std::sync::Arc;

/// What an attribute brings into the value of a declaration.
#[derive(Clone, Debug)]
pub(crate) enum Embedded {
    /// The document of one file.
    File(Arc<Tree>),
    /// The documents of all files a pattern matches, by name.
    Files(Vec<(String, Arc<Tree>)>),
}

/// The embedded files of one source file, and what is wrong with its attributes.
#[derive(Debug, Default)]
pub(crate) struct Embeds {
    pub(crate) found: Vec<(DeclId, Embedded)>,
    pub(crate) problems: Problems,
}

/// The arguments of an `@embed`.
#[derive(Debug, Default)]
struct Wish {
    file: String,
    glob: String,
    kind: String,
    allow_empty: bool,
}

impl Set {
    /// Reads what the attributes of all files ask for.
    pub(crate) fn find_embeds(&mut self, ev: &mut Evaluator) {
        let sources: Vec<_> = (self.instances.iter().chain(&self.packages))
            .flat_map(|i| i.files.iter().cloned())
            .filter(|s| !s.externs.is_empty() || !s.late_externs.is_empty())
            .collect();
        for source in sources {
            if !self.embeds.contains_key(&source.path) {
                let embeds = self.embeds_of(ev, &source);
                self.embeds.insert(source.path.clone(), embeds);
            }
        }
    }

    fn embeds_of(&mut self, ev: &mut Evaluator, source: &Source) -> Embeds {
        let mut out = Embeds::default();
        if source.externs.is_empty() {
            let text = "extern attribute must appear before package clause";
            out.problems = (source.late_externs.iter())
                .map(|pos| Problem::at(*pos, text))
                .collect();
            return out;
        }
        for (i, (pos, kind)) in source.externs.iter().enumerate() {
            let text = if !source.has_clause {
                "extern attribute without package clause".to_owned()
            } else if kind.is_empty() {
                "injection name must be non-empty".to_owned()
            } else if source.externs[..i].iter().any(|(_, k)| k == kind) {
                format!("duplicate @extern attribute for kind \"{kind}\"")
            } else if kind != "embed" {
                format!("no injection defined for \"{kind}\"")
            } else if self.module.is_none() || self.named.contains(&source.path) {
                out.problems
                    .push(Problem::new("cannot embed files when not in a module"));
                continue;
            } else {
                continue;
            };
            out.problems.push(Problem::at(*pos, text));
        }
        if !out.problems.is_empty() || !source.tree.source.contains("@embed(") {
            return out;
        }
        let dir = path::parent(&source.path).unwrap_or("/").to_owned();
        for (decl, attr) in attributes(&source.tree) {
            let attr = source.tree.attr(attr);
            let text = source.tree.text(attr.text);
            let Some(body) = text
                .strip_prefix("@embed(")
                .and_then(|t| t.strip_suffix(')'))
            else {
                continue;
            };
            match self.embedded(ev, &dir, attr.pos, body) {
                Ok(found) => out.found.push((decl, found)),
                Err(mut p) => {
                    p.text = format!("@embed: {}", p.text);
                    if p.pos != attr.pos {
                        p.more.insert(0, p.pos);
                        p.pos = attr.pos;
                    }
                    out.problems.push(p);
                }
            }
        }
        out
    }

    fn embedded(
        &mut self,
        ev: &mut Evaluator,
        dir: &str,
        pos: Pos,
        body: &str,
    ) -> Result<Embedded, Problem> {
        let wish = read_wish(body).map_err(|text| Problem::at(pos, text))?;
        if !wish.file.is_empty() {
            self.same_module(dir, &wish.file, pos)?;
            return Ok(Embedded::File(
                self.document(ev, dir, &wish.file, &wish.kind, pos)?,
            ));
        }
        let names = self.matching(dir, &wish.glob);
        if names.is_empty() && !wish.allow_empty {
            let text = format!("no matches for glob pattern \"{}\"", wish.glob);
            return Err(Problem::at(pos, text));
        }
        let mut files = Vec::new();
        for name in names {
            if self.disk.kind(path::join(dir, &name)) == Some(Kind::Folder) {
                continue;
            }
            let tree = self.document(ev, dir, &name, &wish.kind, pos)?;
            files.push((name, tree));
        }
        for (name, _) in &files {
            self.same_module(dir, name, pos)?;
        }
        Ok(Embedded::Files(files))
    }

    /// A file in a directory that is a module of its own belongs to that one.
    fn same_module(&self, dir: &str, name: &str, pos: Pos) -> Result<(), Problem> {
        let mut at = path::parent(name);
        while let Some(folder) = at.filter(|f| !f.is_empty() && *f != "." && *f != "/") {
            let marker = path::join(dir, &format!("{folder}/cue.mod"));
            if self.disk.kind(&marker).is_some() {
                let text = format!("cannot embed file \"{name}\": in different module");
                return Err(Problem::at(pos, text));
            }
            at = path::parent(folder);
        }
        Ok(())
    }

    /// What a pattern matches below a directory, sorted. Names that begin with a dot are matched
    /// by patterns that do.
    fn matching(&self, dir: &str, pattern: &str) -> Vec<String> {
        let mut found = vec![String::new()];
        for part in pattern.split('/') {
            let mut next = Vec::new();
            for above in &found {
                let folder = path::join(dir, above);
                let mut names = self.disk.files(&folder).unwrap_or_default();
                names.extend(self.disk.folders(&folder).unwrap_or_default());
                names.sort();
                for name in names {
                    let hidden = name.starts_with('.') && !part.starts_with('.');
                    if !hidden && path_matches(part, &name) == Ok(true) {
                        let name = if above.is_empty() {
                            name
                        } else {
                            format!("{above}/{name}")
                        };
                        next.push(name);
                    }
                }
            }
            found = next;
        }
        found
    }

    /// The only document of a file.
    fn document(
        &mut self,
        ev: &mut Evaluator,
        dir: &str,
        name: &str,
        kind: &str,
        pos: Pos,
    ) -> Result<Arc<Tree>, Problem> {
        let fail = |text: String| Err(Problem::at(pos, text));
        let encoding = encoding_of(name, kind).map_err(|text| Problem::at(pos, text))?;
        let full = path::join(dir, name);
        match self.disk.kind(&full) {
            None => return fail(format!("open {name}: no such file or directory")),
            Some(Kind::Folder) => return fail("cannot embed directories".to_owned()),
            Some(Kind::File) => {}
        }
        let first = |problems: Problems| problems.into_iter().next();
        let bytes = (self.read_bytes(&full)).map_err(|p| {
            first(p).unwrap_or_else(|| Problem::at(pos, format!("open {name}: cannot be read")))
        })?;
        let missing = match encoding {
            Encoding::Cue => Some(""),
            Encoding::JsonLines => Some(": requires support for streaming"),
            Encoding::Other => Some(": requires support for schema-guided decoding"),
            _ => None,
        };
        let read = match encoding {
            Encoding::Cue | Encoding::Other => None,
            _ => Some(data::read(ev, name, encoding, &bytes).map_err(|p| {
                let decode = "failed to decode file";
                let mut p = first(p).unwrap_or_else(|| Problem::at(pos, decode));
                if encoding == Encoding::Yaml {
                    p.text = format!("{decode}: {}", p.text);
                }
                p
            })?),
        };
        let documents = read.map_or(Vec::new(), |r| r.documents);
        if documents.len() > 1 {
            return fail("streaming not implemented: found more than one value in file".to_owned());
        }
        if let Some(missing) = missing {
            let name = if encoding == Encoding::Other {
                path::extension(name).trim_start_matches('.')
            } else {
                encoding.name()
            };
            return fail(format!("encoding \"{name}\" not (yet) supported{missing}"));
        }
        (documents.into_iter().next()).map_or_else(|| fail("no value in file".to_owned()), Ok)
    }
}

fn encoding_of(name: &str, kind: &str) -> Result<Encoding, String> {
    if kind.is_empty() {
        return Encoding::of_name(name);
    }
    let mut found = None;
    for part in kind.split('+') {
        match (Encoding::of_scope(part), part) {
            (Some(encoding), _) => found = Some(encoding),
            (None, "data" | "schema" | "graph" | "dag") => {}
            (None, "jsonschema" | "openapi" | "pb") => {
                return Err(format!("the interpretation {part} is not built in"));
            }
            (None, _) => return Err(format!("unknown filetype {part}")),
        }
    }
    found.map_or_else(|| Encoding::of_name(name), Ok)
}

/// The attributes of a file with the declaration they stand at: a field, or they themselves.
fn attributes(tree: &Tree) -> Vec<(DeclId, AttrId)> {
    let mut out = Vec::new();
    for (id, decl) in tree.all_decls() {
        match decl {
            Decl::Attribute(a) => out.push((id, a)),
            Decl::Field(f) => {
                let attrs = tree.attr_list(tree.extra(&f).attrs);
                out.extend(attrs.map(|(a, _)| (id, a)));
            }
            _ => {}
        }
    }
    out.sort_by_key(|(_, a)| *a);
    out
}

fn read_wish(body: &str) -> Result<Wish, String> {
    let mut wish = Wish::default();
    for part in split(body) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let value = match value.trim() {
            quoted if quoted.starts_with(['"', '#']) => {
                unquote_string(quoted).map_err(|e| e.to_string())?
            }
            plain => plain.to_owned(),
        };
        match key.trim() {
            "file" if wish.file.is_empty() => wish.file = value,
            "glob" if wish.glob.is_empty() => wish.glob = value,
            "type" if wish.kind.is_empty() => wish.kind = value,
            "allowEmptyGlob" => wish.allow_empty = true,
            _ => {}
        }
    }
    check(&wish)?;
    Ok(wish)
}

/// Parts between commas that stand in no string.
fn split(body: &str) -> Vec<&str> {
    let (mut out, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (i, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                out.push(&body[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    out.push(&body[start..]);
    out
}

fn check(wish: &Wish) -> Result<(), String> {
    let name = match (wish.file.as_str(), wish.glob.as_str()) {
        ("", "") => return Err("attribute must have file or glob field".to_owned()),
        (_, "") if wish.allow_empty => {
            return Err("allowEmptyGlob must be specified with a glob field".to_owned());
        }
        (file, "") => file,
        ("", glob) => glob,
        _ => return Err("attribute cannot have both file and glob field".to_owned()),
    };
    let clean = path::clean(name);
    if clean != name {
        return Err(format!("path not normalized, use \"{clean}\" instead"));
    }
    if name.starts_with('/') {
        return Err("only relative files are allowed".to_owned());
    }
    if name == ".." || name.starts_with("../") {
        return Err("cannot refer to parent directory".to_owned());
    }
    if !wish.glob.is_empty() {
        path_matches(name, "").map_err(|e| format!("invalid glob pattern \"{name}\": {e}"))?;
        let extension = path::extension(path::base(name));
        if wish.kind.is_empty()
            && (extension.is_empty() || extension.contains(['*', '?', '[', '\\']))
        {
            return Err("extension not fully specified; type argument required".to_owned());
        }
    }
    Ok(())
}
