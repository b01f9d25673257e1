//! Import paths and package patterns to packages.

use crate::args::is_name;
use crate::directory::Listing;
use crate::file::Source;
use crate::instance::{Instance, Set};
use crate::module::{Dependency, Module};
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

    /// Without the qualifier.
    pub(crate) fn unqualified(&self) -> String {
        match &self.version {
            Some(v) => format!("{}@{v}", self.path),
            None => self.path.clone(),
        }
    }

    /// Without a qualifier that the path implies anyway.
    pub(crate) fn canonical(&self) -> String {
        match &self.qualifier {
            Some(q) if q != path::base(&self.path) => format!("{}:{q}", self.unqualified()),
            _ => self.unqualified(),
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
                    let pos = spec.name.map_or(spec.path_pos, |n| n.pos);
                    wanted.push((text, pos));
                }
            }
        }
        wanted.sort();
        for (text, pos) in wanted {
            match self.import(ev, &text) {
                Ok(package) => instance.imports.push((text, package)),
                Err(mut list) => {
                    for p in &mut list {
                        p.text = format!("import failed: {}", p.text);
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
            Some(State::Open) => return fail("package import cycle not allowed"),
            None => {}
        }
        self.known.insert(text.to_owned(), State::Open);
        let result = self.import_new(ev, text);
        match &result {
            Ok(package) => self.known.insert(text.to_owned(), State::Done(*package)),
            Err(_) => self.known.remove(text),
        };
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
        let package = parts.name().filter(|n| n != "_");
        let Some(name) = package else {
            let mut problems = vec![Problem::new(match parts.name() {
                None => format!(
                    "cannot determine package name for \"{text}\"; set it explicitly with ':'"
                ),
                Some(_) => format!("_ is not a valid import path qualifier in \"{text}\""),
            })];
            // A folder is enough here, whatever its packages are called.
            if let Err(more) = self.find_package(ev, &parts, "_")
                && !more
                    .iter()
                    .any(|p| p.text.contains("no files in package directory"))
            {
                problems.extend(more);
            }
            return Err(self.by_importers(problems));
        };
        if let Some((_, given)) = self.given.iter().find(|(path, _)| *path == parts.path) {
            return self.import_given(ev, &parts, name, given);
        }
        let found = self.find_package(ev, &parts, &name);
        let found = found.map_err(|problems| self.by_importers(problems))?;
        Set::file_errors(&found.files)?;
        let id = match (&parts.version, found.major) {
            (None, Some(major)) => Parts {
                version: Some(major),
                ..parts
            },
            _ => parts,
        };
        let mut instance = Instance {
            import_path: id.canonical(),
            id: id.canonical(),
            name,
            files: found.files,
            ..Instance::default()
        };
        self.importers.push(text.to_owned());
        let result = self.resolve_imports(ev, &mut instance);
        self.importers.pop();
        result?;
        self.packages.push(instance);
        Ok(self.packages.len() - 1)
    }

    /// Problems that name the packages which led to them.
    fn by_importers(&self, mut problems: Problems) -> Problems {
        for p in &mut problems {
            p.importers.clone_from(&self.importers);
        }
        problems
    }

    /// The files of an imported package: one at least.
    fn find_package(
        &mut self,
        ev: &mut Evaluator,
        parts: &Parts,
        name: &str,
    ) -> Result<Found, Problems> {
        let shown = parts.unqualified();
        let canonical = parts.canonical();
        let module = self.module.clone().filter(|m| m.described);
        let wrong = malformed(parts)
            .map(|reason| format!("malformed import path \"{canonical}\": {reason}"));
        let Some(module) = module else {
            return fail(wrong.unwrap_or_else(|| NO_MODULE.to_owned()));
        };
        if let Some(wrong) = wrong {
            return fail(format!("cannot find package \"{shown}\": {wrong}"));
        }
        if self.lies_in_missing(&module) {
            return fail(format!("no dependency found for package \"{shown}\""));
        }
        let found = self.find_files(ev, &module, parts, name)?;
        if !found.files.is_empty() {
            return Ok(found);
        }
        if found.any {
            return fail(no_files(&shown, name, found.excluded));
        }
        fail(format!(
            "cannot find package \"{shown}\": cannot find module providing package {canonical}"
        ))
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
            found.add(&listing, name);
            if listing
                .files
                .iter()
                .any(|f| f.package.as_deref() == Some(name))
            {
                found.files = self.package_files(ev, &dir, name, Some(module), true)?;
                return Ok(found);
            }
        }
        for sub in ["gen", "usr", "pkg"] {
            let dir = path::join(&module.root, &format!("cue.mod/{sub}/{path}"));
            let listing = self.listing(ev, &dir, false)?;
            found.add(&listing, name);
            found
                .files
                .extend(self.package_files(ev, &dir, name, None, false)?);
        }
        if !found.any {
            self.find_dependency(ev, module, parts, name, &mut found)?;
        }
        Ok(found)
    }

    /// The folder of a module that the main one depends on.
    fn root_of(&self, main: &Module, dep: &Dependency, parts: &Parts) -> Result<String, Problems> {
        if let Some(folder) = dep.folder() {
            return Ok(path::join(&main.root, folder));
        }
        let (base, version) = (dep.path.split('@').next().unwrap_or(""), &dep.version);
        let root = self.modules.as_ref().map(|cache| {
            let folder = format!("mod/extract/{}@{version}", escaped(base));
            path::join(cache, &folder)
        });
        match root.filter(|r| self.disk.kind(r).is_some()) {
            Some(root) => Ok(root),
            None if self.no_registry => fail(format!(
                "cannot find package \"{}\": cannot fetch {base}@{version}: module not found",
                parts.unqualified()
            )),
            None => fail(format!(
                "cannot find package \"{}\": module {base}@{version} is not in the module cache, \
                 and nothing is downloaded",
                parts.unqualified()
            )),
        }
    }

    /// Whether a module lies inside of one that it depends on and that is not there. What its own
    /// packages import is not looked up then: they might be those of the other one.
    fn lies_in_missing(&self, main: &Module) -> bool {
        let own = Parts::of(&main.path);
        let holds = |dep: &&Dependency| {
            let (base, major) = dep.path.split_once('@').unwrap_or((&dep.path, "v0"));
            major == main.major() && base != main.base() && path::below(base, main.base()).is_some()
        };
        let mut deps = main.deps.iter().filter(holds);
        deps.any(|dep| self.root_of(main, dep, &own).is_err())
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
        let fits = |dep: &&Dependency| {
            let (base, major) = dep.path.split_once('@').unwrap_or((&dep.path, "v0"));
            let fits = match parts.version.as_deref() {
                Some(v) => v == major,
                None => !dep.version.is_empty(),
            };
            fits && path::below(base, &parts.path).is_some()
        };
        let found_dep = main.deps.iter().filter(fits).max_by_key(|d| d.path.len());
        let Some(dep) = found_dep else {
            return Ok(());
        };
        let (base, major) = dep.path.split_once('@').unwrap_or((&dep.path, "v0"));
        let root = self.root_of(main, dep, parts)?;
        let rest = path::below(base, &parts.path).unwrap_or("");
        let dir = path::join(&root, rest);
        let listing = self.listing(ev, &dir, false)?;
        found.add(&listing, name);
        let module = Module {
            root,
            path: dep.path.clone(),
            ..main.clone()
        };
        found.major = Some(major.to_owned());
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
    /// The major version of the module they are of, if it is not the main one.
    major: Option<String>,
}

impl Found {
    /// Counts the files of a directory that is looked through for a package.
    fn add(&mut self, listing: &Listing, package: &str) {
        self.any |= !listing.files.is_empty() || listing.left_out() > 0;
        self.excluded += listing.left_out_of(package);
    }
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
            files: vec![Rc::new(source)],
            ..Instance::default()
        });
        Ok(self.packages.len() - 1)
    }
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

/// Names that stand for devices somewhere, and so for no folder.
const DEVICES: &[&str] = &[
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8",
    "COM9", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
];

/// Why an import path cannot be one.
fn malformed(parts: &Parts) -> Option<String> {
    let path = &parts.path;
    let known = |why: &str| Some(why.to_owned());
    if parts.qualifier.as_ref().is_some_and(|q| q.contains('@')) {
        return known(
            "package qualifier must not contain a version; use path@version:qualifier syntax",
        );
    }
    if parts.version.as_ref().is_some_and(|v| v.contains('.')) {
        return known("import paths can only contain a major version specifier");
    }
    if path.is_empty() {
        return known("empty string");
    }
    if path.starts_with('-') {
        return known("leading dash");
    }
    if path.contains("//") {
        return known("double slash");
    }
    if path.ends_with('/') {
        return known("trailing slash");
    }
    path.split('/').find_map(malformed_element)
}

fn malformed_element(element: &str) -> Option<String> {
    if element.chars().all(|c| c == '.') {
        return Some(format!("invalid path element \"{element}\""));
    }
    if element.ends_with('.') {
        return Some("trailing dot in path element".to_owned());
    }
    let fits = |c: &char| c.is_ascii_alphanumeric() || "-._~+".contains(*c);
    if let Some(bad) = element.chars().find(|c| !fits(c)) {
        return Some(format!("invalid char '{bad}'"));
    }
    let short = element.split('.').next().unwrap_or("");
    if DEVICES.iter().any(|d| d.eq_ignore_ascii_case(short)) {
        return Some(format!(
            "\"{short}\" disallowed as path element component on Windows"
        ));
    }
    let digits = short.rsplit_once('~').map(|(_, digits)| digits);
    let abbreviated = |d: &str| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit());
    digits
        .is_some_and(abbreviated)
        .then(|| "trailing tilde and digits in path element".to_owned())
}

/// Whether an import is of a standard package that exists.
pub(crate) fn standard_exists(text: &str) -> bool {
    is_standard(text)
}
