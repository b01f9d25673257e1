//! The module of a directory: `cue.mod/module.cue`.

use crate::disk::{Disk, Kind};
use crate::file;
use crate::form::{self, Form};
use crate::path;
use crate::problem::{Problem, Problems, fail};
use pravo_cue::eval::Evaluator;
use pravo_cue::syntax::literal::unquote_string;
use pravo_cue::syntax::names::Names;
use pravo_cue::syntax::parser::Options;
use pravo_cue::syntax::tree::{Decl, Decls, Expr, LitKind, Tree};

/// The language version that files outside modules have, and the newest there is.
const NEWEST: &str = "v0.17.1";

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its directory, absolute.
    pub root: String,
    /// Its path with major version, as `example.com/m@v0`; empty if it has none.
    pub path: String,
    /// Its language version, as `v0.17.0`.
    pub language: String,
    /// The modules it depends on, with major version, and the version of each.
    pub deps: Vec<(String, String)>,
    /// There is a file that describes it, not only a folder.
    pub described: bool,
}

impl Module {
    /// The path without major version.
    pub fn base(&self) -> &str {
        self.path.split('@').next().unwrap_or("")
    }

    /// The major version, as `v0`.
    pub fn major(&self) -> &str {
        self.path.split_once('@').map_or("v0", |(_, v)| v)
    }

    /// How its files are read.
    pub(crate) fn options(&self) -> Options {
        options(&self.language)
    }
}

/// How files of a language version are read.
pub(crate) fn options(version: &str) -> Options {
    Options {
        version: version.to_owned(),
        minor: minor(version).unwrap_or(17),
    }
}

/// How files outside modules are read.
pub(crate) fn newest() -> Options {
    options(NEWEST)
}

fn minor(version: &str) -> Option<u16> {
    version.strip_prefix("v0.")?.split('.').next()?.parse().ok()
}

/// Looks for a module in a directory and its parents.
pub(crate) fn find(ev: &mut Evaluator, disk: &Disk, dir: &str) -> Result<Option<Module>, Problems> {
    let mut at = dir;
    loop {
        let marker = path::join(at, "cue.mod");
        if disk.kind(&marker).is_some() {
            return read(ev, disk, at).map(Some);
        }
        match path::parent(at) {
            Some(up) => at = up,
            None => return Ok(None),
        }
    }
}

fn read(ev: &mut Evaluator, disk: &Disk, root: &str) -> Result<Module, Problems> {
    let marker = path::join(root, "cue.mod");
    if disk.kind(&marker) == Some(Kind::File) {
        return fail("cue.mod files are no longer supported; use cue.mod/module.cue");
    }
    let name = path::join(&marker, "module.cue");
    let mut module = Module {
        root: root.to_owned(),
        path: String::new(),
        language: NEWEST.to_owned(),
        deps: Vec::new(),
        described: false,
    };
    let Ok(bytes) = disk.bytes(&name) else {
        return Ok(module);
    };
    let source = file::parse(ev, &name, file::decode_text(&bytes), &newest())?;
    let mut problems = source.errors;
    if problems.is_empty() {
        problems = form::check(&source.tree, &ev.names, Form::Data);
    }
    if !problems.is_empty() {
        for p in &mut problems {
            p.text = format!("invalid module file syntax: {}", p.text);
        }
        return Err(problems);
    }
    let fields = fields(&source.tree);
    let name_of = |n| ev.names.get(n).to_owned();
    let text = |path: &[&str]| find_string(&source.tree, &name_of, fields, path);
    module.described = true;
    module.deps = dependencies(&source.tree, fields, &name_of);
    module.path = text(&["module"]).unwrap_or_default();
    let Some(language) = text(&["language", "version"]) else {
        return fail("no language version declared in module.cue; run 'cue mod fix'");
    };
    check_language(&name, &language)?;
    known_fields(&source.tree, &ev.names)?;
    module.language = language;
    check_path(&name, &mut module)?;
    Ok(module)
}

/// The fields a module file can have.
const FIELDS: &[&str] = &[
    "custom",
    "deps",
    "description",
    "language",
    "module",
    "source",
];

/// The fields of a file, which may stand in braces.
fn fields(tree: &Tree) -> Decls {
    let [only] = tree.decl_list(tree.decls) else {
        return tree.decls;
    };
    let Decl::Embed(x) = tree.decl(*only) else {
        return tree.decls;
    };
    match tree.expr(x) {
        Expr::Struct { decls, .. } => decls,
        _ => tree.decls,
    }
}

fn known_fields(tree: &Tree, names: &Names) -> Result<(), Problems> {
    let mut problems = Vec::new();
    for id in tree.decl_list(fields(tree)) {
        let Decl::Field(f) = tree.decl(*id) else {
            continue;
        };
        let label = match tree.expr(f.label) {
            Expr::Ident(n) => names.get(n).to_owned(),
            Expr::Literal(LitKind::String, text) => {
                unquote_string(tree.text(text)).unwrap_or_default()
            }
            _ => continue,
        };
        if !FIELDS.contains(&label.as_str()) {
            let text = format!("{label}: field not allowed");
            problems.push(Problem::at(tree.pos(f.label), text));
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

fn check_language(name: &str, version: &str) -> Result<(), Problems> {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let Some(numbers) = version.strip_prefix('v') else {
        return fail(format!(
            "language version \"{version}\" in module.cue is not valid semantic version"
        ));
    };
    let main = numbers.split(['-', '+']).next().unwrap_or("");
    let parts: Vec<&str> = main.split('.').collect();
    if !parts.iter().all(|p| digits(p)) || parts.len() > 3 {
        return fail(format!(
            "language version \"{version}\" in module.cue is not valid semantic version"
        ));
    }
    if parts.len() < 3 {
        return fail(format!(
            "invalid module file {name}: language version {version} is not canonical"
        ));
    }
    let number = |i: usize| parts[i].parse::<u64>().unwrap_or(u64::MAX);
    if (number(0), number(1)) < (0, 8) {
        return fail(format!(
            "cannot find schema suitable for reading module file with language version \
             \"{version}\""
        ));
    }
    if (number(0), number(1), number(2)) > (0, 17, 1) {
        return fail(format!(
            "language version \"{version}\" declared in module.cue is too new for current language \
             version \"{NEWEST}\""
        ));
    }
    Ok(())
}

fn check_path(name: &str, module: &mut Module) -> Result<(), Problems> {
    if module.path.is_empty() {
        return fail(format!("invalid module file {name}: empty module path"));
    }
    let (base, version) = match module.path.split_once('@') {
        Some((base, version)) => (base.to_owned(), version.to_owned()),
        None => (module.path.clone(), "v0".to_owned()),
    };
    let first = base.split('/').next().unwrap_or("");
    if !first.contains('.') {
        return fail(format!(
            "invalid module file {name}: malformed module path {:?}: missing dot in first path \
             element",
            module.path
        ));
    }
    let (head, tail) = base.split_at(first.len());
    let wrong = |text: &str, more: &str| {
        text.chars()
            .find(|c| !(c.is_ascii_lowercase() || c.is_ascii_digit() || more.contains(*c)))
    };
    if let Some(c) = wrong(head, "-.").or_else(|| wrong(tail, "-._~/")) {
        return fail(format!(
            "invalid module file {name}: malformed module path {:?}: invalid char '{c}'",
            module.path
        ));
    }
    let major = version
        .strip_prefix('v')
        .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    if !major {
        return fail(format!(
            "invalid module file {name}: module path {} should contain the major version only",
            module.path
        ));
    }
    module.path = format!("{base}@{version}");
    Ok(())
}

/// The modules under `deps`, with their versions.
fn dependencies(
    tree: &Tree,
    top: Decls,
    name: &dyn Fn(pravo_cue::syntax::names::Name) -> String,
) -> Vec<(String, String)> {
    let fields = |decls: Decls| {
        tree.decl_list(decls).iter().filter_map(|id| {
            let Decl::Field(f) = tree.decl(*id) else {
                return None;
            };
            let label = match tree.expr(f.label) {
                Expr::Ident(n) => name(n),
                Expr::Literal(LitKind::String, text) => unquote_string(tree.text(text)).ok()?,
                _ => return None,
            };
            match tree.expr(f.value) {
                Expr::Struct { decls, .. } => Some((label, decls)),
                _ => None,
            }
        })
    };
    fields(top)
        .filter(|(label, _)| label == "deps")
        .flat_map(|(_, decls)| fields(decls))
        .filter_map(|(module, decls)| Some((module, find_string(tree, name, decls, &["v"])?)))
        .collect()
}

/// The string at a path of plain fields.
fn find_string(
    tree: &Tree,
    name: &dyn Fn(pravo_cue::syntax::names::Name) -> String,
    decls: Decls,
    path: &[&str],
) -> Option<String> {
    let (first, rest) = path.split_first()?;
    for id in tree.decl_list(decls) {
        let Decl::Field(f) = tree.decl(*id) else {
            continue;
        };
        let label = match tree.expr(f.label) {
            Expr::Ident(n) => name(n),
            Expr::Literal(LitKind::String, text) => unquote_string(tree.text(text)).ok()?,
            _ => continue,
        };
        if label != *first {
            continue;
        }
        let found = match tree.expr(f.value) {
            Expr::Struct { decls, .. } => find_string(tree, name, decls, rest),
            Expr::Literal(LitKind::String, text) if rest.is_empty() => {
                unquote_string(tree.text(text)).ok()
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
