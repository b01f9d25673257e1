//! One file of the language: its text, its tree, and what its head says.

use crate::problem::{Problem, Problems};
use pravo_cue::eval::Evaluator;
use pravo_cue::syntax::parser::{Options, parse_file};
use pravo_cue::syntax::source::{FileId, Pos};
use pravo_cue::syntax::tree::{Decl, SpecId, Tree};
use std::borrow::Cow;
use std::sync::Arc;

/// A file that was read and parsed.
#[derive(Debug)]
pub(crate) struct Source {
    /// Absolute name, or `-`.
    pub(crate) path: String,
    pub(crate) tree: Arc<Tree>,
    /// Imports that nothing refers to.
    pub(crate) unused: Vec<SpecId>,
    pub(crate) errors: Problems,
    /// The package clause; none also for `_`.
    pub(crate) package: Option<String>,
    /// The conditions of `@if` attributes before the package clause.
    pub(crate) conditions: Vec<(Pos, String)>,
    /// `@ignore()` stands before the package clause.
    pub(crate) ignored: bool,
    /// There is a package clause, `_` too.
    pub(crate) has_clause: bool,
    /// The kinds of `@extern` attributes before the package clause.
    pub(crate) externs: Vec<(Pos, String)>,
    /// Where `@extern` stands after it.
    pub(crate) late_externs: Vec<Pos>,
}

/// Hands a text to the evaluator under a name; one that is too large is refused.
pub(crate) fn source(ev: &mut Evaluator, path: &str, text: String) -> Result<FileId, Problems> {
    let added = ev.sources.add(path, text);
    added.map_err(|e| vec![Problem::new(e.to_string())])
}

/// Parses a text under a name.
pub(crate) fn parse(
    ev: &mut Evaluator,
    path: &str,
    text: String,
    options: &Options,
) -> Result<Source, Problems> {
    let id = source(ev, path, text)?;
    let parsed = parse_file(&ev.sources, id, &mut ev.names, options);
    let tree = parsed.tree;
    let name = tree.package().map(|p| ev.names.get(p.name).to_owned());
    let mut source = Source {
        path: path.to_owned(),
        unused: parsed.unused,
        errors: parsed.errors.into_iter().map(Problem::from).collect(),
        package: name.filter(|n| n != "_"),
        conditions: Vec::new(),
        ignored: false,
        has_clause: tree.package().is_some(),
        externs: Vec::new(),
        late_externs: Vec::new(),
        tree: Arc::new(tree),
    };
    read_head(&mut source);
    Ok(source)
}

/// Looks at the attributes before the package clause.
fn read_head(source: &mut Source) {
    let tree = source.tree.clone();
    for id in tree.decl_list(tree.decls) {
        let Decl::Attribute(a) = tree.decl(*id) else {
            break;
        };
        let attr = tree.attr(a);
        let text = tree.text(attr.text);
        if let Some(body) = text.strip_prefix("@if(").and_then(|t| t.strip_suffix(')')) {
            source.conditions.push((attr.pos, body.to_owned()));
        }
        source.ignored |= text.starts_with("@ignore(");
        if let Some(kind) = extern_kind(text) {
            source.externs.push((attr.pos, kind.to_owned()));
        }
    }
    let after = tree
        .decl_list(tree.decls)
        .iter()
        .skip_while(|id| !matches!(tree.decl(**id), Decl::Package { .. }));
    for id in after {
        if let Decl::Attribute(a) = tree.decl(*id)
            && extern_kind(tree.text(tree.attr(a).text)).is_some()
        {
            source.late_externs.push(tree.attr(a).pos);
        }
    }
}

fn extern_kind(attribute: &str) -> Option<&str> {
    let body = attribute.strip_prefix("@extern(")?.strip_suffix(')')?;
    Some(body.split(',').next()?.trim().trim_matches('"'))
}

/// Bytes as text: a byte order mark at the start is dropped, UTF-16 with one is decoded, and bytes
/// that are no UTF-8 become U+FFFD each.
pub fn decode_text<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> String {
    let bytes = bytes.into();
    match &*bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => lossy(rest.into()),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => lossy(bytes),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|c| unit([c[0], c[1]]));
    char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

fn lossy(bytes: Cow<'_, [u8]>) -> String {
    let bytes = match String::from_utf8(bytes.into_owned()) {
        Ok(text) => return text,
        Err(e) => e.into_bytes(),
    };
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for _ in chunk.invalid() {
            out.push(char::REPLACEMENT_CHARACTER);
        }
    }
    out
}
