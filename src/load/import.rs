//! Import paths and package patterns to packages.

use crate::args::is_name;
use crate::file::Source;
use crate::instance::{Instance, Set};
use crate::module::Module;
use crate::path;
use crate::pattern::NO_MODULE;
use crate::problem::{Problem, Problems, fail};
use crate::standard::is_standard;
use pravo_cue::builtin::quote_go;
use pravo_cue::eval::Evaluator;
use pravo_cue::syntax::literal::unquote_string;
use pravo_cue::syntax::source::Pos;
use std::rc::Rc;

/// What is known of an import path.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// Its files are being read: meeting it again is a cycle.
    Open,
    /// It is the package of that number.
    Done(usize),
    /// It cannot be imported.
    Failed(Problems),
}

/// An import path in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Without version and qualifier.
    pub(crate) path: String,
    /// Behind `@`.
    pub(crate) version: Option<String>,
    /// Behind `:`.
    pub(crate) qualifier: Option<String>,
}

impl Parts {
    pub(crate) fn of(text: &str) -> Parts {
        let (rest, qualifier) = match text.rsplit_once(':') {
            Some((rest, q)) if !q.contains('/') => (rest, Some(q.to_owned())),
            _ => (text, None),
        };
        let (path, version) = match rest.rsplit_once('@') {
            Some((path, v)) if !v.contains('/') => (path, Some(v.to_owned())),
            _ => (rest, None),
        };
        Parts {
            path: path.to_owned(),
            version,
            qualifier,
        }
    }

    /// The package name the path implies.
    pub(crate) fn name(&self) -> Option<String> {
        match &self.qualifier {
            Some(q) => Some(q.clone()),
            None => {
                let last = path::base(&self.path);
                is_name(last).then(|| last.to_owned())
            }
        }
    }
}

impl Set {
    /// Finds the packages that the files of an instance import.
    pub(crate) fn resolve_imports(
        &mut self,
        ev: &mut Evaluator,
        instance: &mut Instance,
    ) -> Result<(), Problems> {
        let mut wanted: Vec<(String, Pos)> = Vec::new();
        for file in &instance.files {
            for (_, spec) in file.tree.imports() {
                let literal = file.tree.text(spec.path);
                if !literal.starts_with('"') || literal.starts_with("\"\"\"") {
                    let literal = quote_go(literal);
                    return fail(format!("invalid import path {literal} in {}", file.path));
                }
                let Ok(text) = unquote_string(file.tree.text(spec.path)) else {
                    continue;
                };
                let external = text
                    .split('/')
                    .next()
                    .is_some_and(|first| first.contains('.'));
                let absolute = text.starts_with('/');
                if (external || absolute) && !wanted.iter().any(|(t, _)| *t == text) {
                    wanted.push((text, spec.path_pos));
                }
            }
        }
        wanted.sort();
        for (text, pos) in wanted {
            match self.import(ev, &text) {
                Ok(package) => instance.imports.push((text, package)),
                Err(mut list) => {
                    for p in &mut list {
                        p.text = import_failed(&instance.import_path, &p.text);
                        let inner = std::mem::replace(&mut p.pos, pos);
                        p.more.insert(0, inner);
                    }
                    return Err(list);
                }
            }
        }
        Ok(())
    }

    /// The package of an import path.
    pub(crate) fn import(&mut self, ev: &mut Evaluator, text: &str) -> Result<usize, Problems> {
        match self.known.get(text) {
            Some(State::Done(package)) => return Ok(*package),
            Some(State::Failed(problems)) => return Err(problems.clone()),
            Some(State::Open) => return fail("package import cycle not allowed"),
            None => {}
        }
        self.known.insert(text.to_owned(), State::Open);
        let result = self.import_new(ev, text);
        let state = match &result {
            Ok(package) => State::Done(*package),
            Err(problems) => State::Failed(problems.clone()),
        };
        self.known.insert(text.to_owned(), state);
        result
    }

    fn import_new(&mut self, ev: &mut Evaluator, text: &str) -> Result<usize, Problems> {
        if text.starts_with("./") || text.starts_with("../") {
            return fail(format!("relative import paths not allowed (\"{text}\")"));
        }
        if text.starts_with('/') {
            return fail(format!("no location found for package \"{text}\""));
        }
        let parts = Parts::of(text);
        let name = parts.name();
        let mut problems = Vec::new();
        if name.is_none() {
            problems.push(Problem::new(format!(
                "cannot determine package name for \"{text}\"; set it explicitly with ':'"
            )));
        }
        if let Some(reason) = malformed(text) {
            problems.push(Problem::new(format!(
                "cannot find package \"{text}\": malformed import path \"{text}\": {reason}"
            )));
        }
        let Some(name) = name.filter(|_| problems.is_empty()) else {
            return Err(problems);
        };
        if let Some((_, given)) = self.given.iter().find(|(path, _)| *path == parts.path) {
            return self.import_given(ev, &parts, name, given);
        }
        let Some(module) = self.module.clone().filter(|m| m.described) else {
            return fail(NO_MODULE);
        };
        let found = self.find_files(ev, &module, &parts, &name)?;
        let shown = text.split(':').next().unwrap_or(text);
        if found.files.is_empty() {
            if found.any {
                return fail(no_files(shown, &name, found.excluded));
            }
            return fail(format!(
                "cannot find package \"{text}\": cannot find module providing package {shown}"
            ));
        }
        Set::file_errors(&found.files)?;
        let path = &parts.path;
        let id = match (&parts.version, found.own) {
            (None, true) => format!("{path}@{}", module.major()),
            (Some(v), _) => format!("{path}@{v}"),
            (None, false) => path.clone(),
        };
        let named = path::base(path) == name;
        let id = if named { id } else { format!("{id}:{name}") };
        let mut instance = Instance {
            import_path: id.clone(),
            id,
            name,
            is_files: false,
            files: found.files,
            imports: Vec::new(),
        };
        self.resolve_imports(ev, &mut instance)?;
        self.packages.push(instance);
        Ok(self.packages.len() - 1)
    }

    /// The files of a package: in the module itself, or below `cue.mod`.
    fn find_files(
        &mut self,
        ev: &mut Evaluator,
        module: &Module,
        parts: &Parts,
        name: &str,
    ) -> Result<Found, Problems> {
        let mut found = Found::default();
        let path = &parts.path;
        let fits = parts.version.as_deref().is_none_or(|v| v == module.major());
        if let Some(rest) = path::below(module.base(), path)
            && fits
            && !module.path.is_empty()
        {
            let dir = path::join(&module.root, rest);
            let listing = self.listing(ev, &dir, true)?;
            found.any |= !listing.files.is_empty() || !listing.excluded.is_empty();
            found.excluded += listing.excluded.len();
            if listing
                .files
                .iter()
                .any(|f| f.package.as_deref() == Some(name))
            {
                found.files = self.package_files(ev, &dir, name, Some(module), true)?;
                found.own = true;
                return Ok(found);
            }
        }
        for sub in ["gen", "usr", "pkg"] {
            let dir = path::join(&module.root, &format!("cue.mod/{sub}/{path}"));
            let listing = self.listing(ev, &dir, false)?;
            found.any |= !listing.files.is_empty();
            found.excluded += listing.excluded.len();
            found
                .files
                .extend(self.package_files(ev, &dir, name, None, false)?);
        }
        if !found.any {
            self.find_dependency(ev, module, parts, name, &mut found)?;
        }
        Ok(found)
    }

    /// The files of a package of a module that the main one depends on.
    fn find_dependency(
        &mut self,
        ev: &mut Evaluator,
        main: &Module,
        parts: &Parts,
        name: &str,
        found: &mut Found,
    ) -> Result<(), Problems> {
        let fits = |dep: &&(String, String)| {
            let (base, major) = dep.0.split_once('@').unwrap_or((&dep.0, "v0"));
            path::below(base, &parts.path).is_some()
                && parts.version.as_deref().is_none_or(|v| v == major)
        };
        let Some((dep, version)) = main.deps.iter().filter(fits).max_by_key(|d| d.0.len()) else {
            return Ok(());
        };
        let base = dep.split('@').next().unwrap_or(dep);
        let missing = || {
            format!(
                "cannot find package \"{}\": module {base}@{version} is not in the module cache, \
                 and nothing is downloaded",
                parts.path
            )
        };
        let Some(cache) = &self.modules else {
            return fail(missing());
        };
        let folder = format!("mod/extract/{}@{version}", escaped(base));
        let root = path::join(cache, &folder);
        if self.disk.kind(&root).is_none() {
            return fail(missing());
        }
        let rest = path::below(base, &parts.path).unwrap_or("");
        let dir = path::join(&root, rest);
        let listing = self.listing(ev, &dir, false)?;
        found.any |= !listing.files.is_empty() || !listing.excluded.is_empty();
        found.excluded += listing.excluded.len();
        let module = Module {
            root,
            path: dep.clone(),
            ..main.clone()
        };
        found.files = self.package_files(ev, &dir, name, Some(&module), false)?;
        Ok(())
    }
}

/// A module path as the name of a folder: capital letters are marked.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_ascii_uppercase() {
            out.push('!');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// What was found for an import path.
#[derive(Default)]
struct Found {
    files: Vec<Rc<Source>>,
    /// There are files, if of other packages.
    any: bool,
    excluded: usize,
    /// They are of the main module.
    own: bool,
}

impl Set {
    /// A package whose text was given; it has the place it would have on disk.
    fn import_given(
        &mut self,
        ev: &mut Evaluator,
        parts: &Parts,
        name: String,
        text: &str,
    ) -> Result<usize, Problems> {
        let root = self.module.as_ref().map_or(&self.dir, |m| &m.root);
        let file = format!("cue.mod/gen/{}/{}.cue", parts.path, path::base(&parts.path));
        let file = path::join(root, &file);
        let source = crate::file::parse(ev, &file, text.to_owned(), &crate::module::newest())?;
        if source.package.as_deref() != Some(&name) {
            return fail(no_files(&parts.path, &name, 0));
        }
        self.packages.push(Instance {
            id: parts.path.clone(),
            import_path: parts.path.clone(),
            name,
            is_files: false,
            files: vec![Rc::new(source)],
            imports: Vec::new(),
        });
        Ok(self.packages.len() - 1)
    }
}

/// The text of a failed import. Packages that are not found name who imports them.
fn import_failed(importer: &str, cause: &str) -> String {
    let importer = importer.split(':').next().unwrap_or("");
    if cause.starts_with("cannot find package") && !importer.is_empty() {
        return format!("{importer}: import failed: {cause}");
    }
    format!("import failed: {cause}")
}

pub(crate) fn no_files(path: &str, name: &str, excluded: usize) -> String {
    let more = if excluded > 0 {
        format!(" ({excluded} files were excluded)")
    } else {
        String::new()
    };
    format!(
        "cannot find package \"{path}\": no files in package directory with package name \
         \"{name}\"{more}"
    )
}

/// Why an import path cannot be one.
fn malformed(text: &str) -> Option<String> {
    let path = Parts::of(text).path;
    if path.is_empty() {
        return Some("empty string".to_owned());
    }
    if path.starts_with('-') {
        return Some("leading dash".to_owned());
    }
    if path.contains("//") {
        return Some("double slash".to_owned());
    }
    if path.ends_with('/') {
        return Some("trailing slash".to_owned());
    }
    for element in path.split('/') {
        if element.starts_with('.') {
            return Some("leading '.' in path element".to_owned());
        }
        if element.ends_with('.') {
            return Some("trailing '.' in path element".to_owned());
        }
    }
    let bad = path
        .chars()
        .find(|c| !(c.is_ascii_alphanumeric() || "-._~/+".contains(*c)));
    bad.map(|c| format!("invalid char '{c}'"))
}

/// Whether an import is of a standard package that exists.
pub(crate) fn standard_exists(text: &str) -> bool {
    is_standard(text)
}
