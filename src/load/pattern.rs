//! Package arguments to instances: directories, patterns, import paths.

use crate::directory::Listing;
use crate::disk::Disk;
use crate::file::Source;
use crate::import::{Parts, no_files};
use crate::instance::{Instance, Set};
use crate::module::Module;
use crate::path;
use crate::problem::{Problem, Problems, fail};
use pravo_cue::eval::Evaluator;
use std::rc::Rc;

impl Set {
    /// The instances a package argument stands for.
    pub(crate) fn pattern(
        &mut self,
        ev: &mut Evaluator,
        arg: &str,
    ) -> Result<Vec<Instance>, Problems> {
        let parts = Parts::of(arg);
        if parts.qualifier.as_deref() == Some("_") {
            return fail(format!("invalid import path qualifier _ in \"{arg}\""));
        }
        refuse_uncanonical(&parts)?;
        let local = parts.path.is_empty()
            || matches!(parts.path.as_str(), "." | "..")
            || parts.path.starts_with("./")
            || parts.path.starts_with("../")
            || parts.path.starts_with('/');
        if let Some(prefix) = parts.path.strip_suffix("...") {
            return self.below(ev, prefix, &parts, local);
        }
        if local {
            let rel = if parts.path.is_empty() {
                "."
            } else {
                &parts.path
            };
            let dir = path::join(&self.dir, rel);
            let qualifier = parts.qualifier.clone();
            return self
                .local(ev, &dir, qualifier.as_deref(), rel)
                .map(|i| vec![i]);
        }
        self.by_import_path(ev, &parts, arg).map(|i| vec![i])
    }

    /// A package named by its import path on the command line.
    fn by_import_path(
        &mut self,
        ev: &mut Evaluator,
        parts: &Parts,
        arg: &str,
    ) -> Result<Instance, Problems> {
        if parts.path == "all" {
            return fail("cue: \"all\" matched no packages");
        }
        let first = parts.path.split('/').next().unwrap_or("");
        if !first.contains('.') {
            return standard_library(&parts.path);
        }
        let Some(module) = self.module.clone() else {
            if let Some(v) = &parts.version {
                return fail(format!(
                    "package {arg}: {v} is not a valid version to use as an argument; use a fully \
                     qualified version like v0.0.0, v0.latest, or @latest"
                ));
            }
            return fail(NO_MODULE);
        };
        let fits = parts.version.as_deref().is_none_or(|v| v == module.major());
        if parts.qualifier.as_ref().is_some_and(|q| q.contains('@')) {
            let path = &parts.path;
            return fail(format!(
                "cannot find package \"{path}\": malformed import path \"{arg}\": package qualifier \
                 must not contain a version; use path@version:qualifier syntax"
            ));
        }
        let rest =
            path::below(module.base(), &parts.path).filter(|_| fits && !module.path.is_empty());
        let Some(rest) = rest else {
            let package = self.import(ev, arg)?;
            return Ok(self.packages[package].clone());
        };
        let dir = path::join(&module.root, rest);
        let Some(name) = parts.name() else {
            return fail(format!(
                "cannot determine package name for \"{arg}\"; set it explicitly with ':'"
            ));
        };
        let listing = self.listing(ev, &dir, true)?;
        let path = &parts.path;
        if listing.files.is_empty() {
            return fail(format!(
                "cannot find package \"{path}\": cannot find module providing package {path}"
            ));
        }
        let files = self.package_files(ev, &dir, &name, Some(&module), true)?;
        if !listing
            .files
            .iter()
            .any(|f| f.package.as_deref() == Some(&name))
        {
            return fail(no_files(path, &name, listing.left_out_of(&name)));
        }
        let instance = Instance {
            id: parts.canonical(),
            import_path: parts.canonical(),
            name,
            files,
            ..Instance::default()
        };
        self.complete(ev, instance, arg)
    }

    /// The package of a directory.
    fn local(
        &mut self,
        ev: &mut Evaluator,
        dir: &str,
        qualifier: Option<&str>,
        arg: &str,
    ) -> Result<Instance, Problems> {
        let listing = self.listing(ev, dir, true)?;
        let given = shown_arg(arg);
        if !listing.exists {
            if self.disk.kind(dir).is_some() {
                return fail(format!("{given} is a file and not a package directory"));
            }
            return fail(format!("cannot find package \"{given}\""));
        }
        let module = self.module.clone();
        let module = module.filter(|m| path::below(&m.root, dir).is_some());
        self.refuse_module_folder(dir)?;
        let packages = listing.packages();
        let implied = Parts::of(arg).name();
        let guessed = self.module.is_some() || !arg.starts_with("..");
        if qualifier.is_none()
            && guessed
            && !packages.iter().any(|(n, _)| implied.as_ref() == Some(n))
        {
            // Which package is meant is found out before files are read as a whole.
            self.refuse_several(dir, &packages)?;
        }
        if !listing.errors.is_empty() {
            return Err(listing.errors.clone());
        }
        let name = match qualifier {
            Some(q) if q != "*" => q.to_owned(),
            _ => match packages.as_slice() {
                [] if listing.files.is_empty() && listing.left_out() == 0 => {
                    return fail(if listing.any_file {
                        format!("no CUE files in {given}")
                    } else {
                        format!("cue: \"{given}\" matched no packages")
                    });
                }
                [] => return Err(vec![self.all_excluded(&listing, None, given)]),
                [(only, _)] => only.clone(),
                [a, b, ..] => return several(a, b, &path::shown(&self.dir, dir)),
            },
        };
        if !packages.iter().any(|(n, _)| *n == name) {
            return Err(vec![self.all_excluded(&listing, Some(&name), given)]);
        }
        let files = self.package_files(ev, dir, &name, module.as_ref(), true)?;
        if files.is_empty() {
            return Err(vec![self.all_excluded(&listing, Some(&name), given)]);
        }
        self.package_instance(ev, dir, &name, files)
    }

    /// Refuses a directory with several packages, named as its module does.
    fn refuse_several(&self, dir: &str, packages: &[(String, String)]) -> Result<(), Problems> {
        let [a, b, ..] = packages else {
            return Ok(());
        };
        let root = self.module.as_ref().map_or(&self.dir, |m| &m.root);
        match path::below(root, dir) {
            Some("") => several(a, b, "."),
            Some(below) => several(a, b, below),
            None => several(a, b, &path::shown(&self.dir, dir)),
        }
    }

    /// No file of a directory takes part: each with its reason.
    fn all_excluded(&self, listing: &Listing, name: Option<&str>, given: &str) -> Problem {
        let mut lines: Vec<(String, String)> = listing.excluded.clone();
        let files = listing.files.iter().map(|f| (f, None));
        let aside = listing.aside.iter().map(|(f, why)| (f, Some(*why)));
        for (f, by_name) in files.chain(aside) {
            let why = match (&f.package, name) {
                (None, _) => "no package name".to_owned(),
                (Some(is), Some(want)) if is != want => format!("package is {is}, want {want}"),
                _ => match by_name {
                    Some(why) => why.to_owned(),
                    None => continue,
                },
            };
            lines.push((f.path.clone(), why));
        }
        self.excluded_text(lines, given)
    }

    /// Files that do not take part, one a line.
    pub(crate) fn excluded_text(&self, mut lines: Vec<(String, String)>, given: &str) -> Problem {
        lines.sort();
        let mut text = format!("build constraints exclude all CUE files in {given}:");
        for (file, why) in lines {
            text.push_str(&format!("\n    {}: {why}", path::shown(&self.dir, &file)));
        }
        Problem::new(text)
    }

    /// An instance of the main module, or of a directory outside of modules.
    fn package_instance(
        &mut self,
        ev: &mut Evaluator,
        dir: &str,
        name: &str,
        files: Vec<Rc<Source>>,
    ) -> Result<Instance, Problems> {
        Set::file_errors(&files)?;
        let module = self.module.clone();
        let module = module.filter(|m| path::below(&m.root, dir).is_some());
        let import_path = match &module {
            Some(m) if !m.path.is_empty() => {
                let rest = path::below(&m.root, dir).unwrap_or("");
                let base = if rest.is_empty() {
                    m.base().to_owned()
                } else {
                    format!("{}/{rest}", m.base())
                };
                let qualifier = if path::base(&base) == name {
                    String::new()
                } else {
                    format!(":{name}")
                };
                format!("{base}@{}{qualifier}", m.major())
            }
            _ => String::new(),
        };
        let id = if import_path.is_empty() {
            format!(":{name}")
        } else {
            import_path.clone()
        };
        let unqualified = Parts::of(&import_path).unqualified();
        let instance = Instance {
            id,
            import_path,
            name: name.to_owned(),
            files,
            ..Instance::default()
        };
        self.complete(ev, instance, &unqualified)
    }

    /// Adds what an instance imports; `shown` names it where that fails.
    fn complete(
        &mut self,
        ev: &mut Evaluator,
        mut instance: Instance,
        shown: &str,
    ) -> Result<Instance, Problems> {
        self.importers.push(shown.to_owned());
        let result = self.resolve_imports(ev, &mut instance);
        self.importers.pop();
        result.map(|()| instance)
    }

    /// The files of the only package of a directory, which may all lie above it.
    fn only_from_above(
        &mut self,
        ev: &mut Evaluator,
        dir: &str,
        packages: &[(String, String)],
    ) -> Result<Vec<Rc<Source>>, Problems> {
        let [(name, _)] = packages else {
            return Ok(Vec::new());
        };
        let module = self.module.clone();
        let module = module.filter(|m| path::below(&m.root, dir).is_some());
        self.package_files(ev, dir, name, module.as_ref(), true)
    }

    /// Whether files with errors of syntax lie in a directory or, inside a module, above it.
    fn holds_broken(&mut self, ev: &mut Evaluator, dir: &str) -> Result<bool, Problems> {
        let root = self.module.as_ref().map(|m| m.root.clone());
        let mut at = dir.to_owned();
        loop {
            if !self.listing(ev, &at, true)?.errors.is_empty() {
                return Ok(true);
            }
            let inside = root.as_ref().is_some_and(|r| *r != at);
            match path::parent(&at).filter(|_| inside) {
                Some(up) => at = up.to_owned(),
                None => return Ok(false),
            }
        }
    }

    /// All packages below a directory.
    fn below(
        &mut self,
        ev: &mut Evaluator,
        prefix: &str,
        parts: &Parts,
        local: bool,
    ) -> Result<Vec<Instance>, Problems> {
        let arg = format!("{prefix}...");
        let external = |m: &Module| {
            let path = prefix.trim_end_matches('/');
            m.path.is_empty() || path::below(m.base(), path).is_none()
        };
        if !local && self.module.as_ref().is_some_and(external) {
            return fail(format!(
                "pattern not allowed in external package path \"{arg}\""
            ));
        }
        if !local {
            return fail(format!("cue: \"{arg}\" matched no packages"));
        }
        let top = path::join(&self.dir, prefix);
        if self.disk.kind(&top).is_none() {
            return fail(format!("cue: \"{arg}\" matched no packages"));
        }
        let mut dirs = Vec::new();
        walk(&self.disk, &top, true, &mut dirs);
        if parts.qualifier.is_none() {
            for dir in &dirs {
                let packages = self.listing(ev, dir, true)?.packages();
                self.refuse_several(dir, &packages)?;
            }
        }
        let (mut out, mut problems) = (Vec::new(), Vec::new());
        let mut broken = None;
        for dir in dirs {
            let listing = self.listing(ev, &dir, true)?;
            let packages = listing.packages();
            let qualifier = parts.qualifier.as_deref().filter(|q| *q != "*");
            let holds_some = match qualifier {
                Some(q) => packages.iter().any(|(n, _)| n == q),
                None if listing.files.is_empty() => {
                    !self.only_from_above(ev, &dir, &packages)?.is_empty()
                }
                None => !packages.is_empty(),
            };
            if !holds_some && listing.errors.is_empty() {
                continue;
            }
            let rel = path::shown(&self.dir, &dir);
            match self.local(ev, &dir, parts.qualifier.as_deref(), &rel) {
                Ok(instance) => out.push(instance),
                // Of packages with errors of syntax only the first is told.
                Err(more) if self.holds_broken(ev, &dir)? => {
                    broken.get_or_insert(more);
                }
                Err(more) => problems.extend(more),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        if let Some(problems) = broken {
            return Err(problems);
        }
        if out.is_empty() {
            return fail(format!("cue: \"{arg}\" matched no packages"));
        }
        Ok(out)
    }
}

/// A directory holds several packages, each given with its first file.
fn several<T>(a: &(String, String), b: &(String, String), dir: &str) -> Result<T, Problems> {
    let ((a, a_file), (b, b_file)) = (a, b);
    fail(format!(
        "found packages \"{a}\" ({a_file}) and \"{b}\" ({b_file}) in \"{dir}\""
    ))
}

/// The argument as messages show it.
fn shown_arg(arg: &str) -> &str {
    let trimmed = arg.trim_end_matches('/');
    if trimmed.is_empty() { arg } else { trimmed }
}

/// Directories below one that can hold packages, itself first.
pub(crate) fn walk(disk: &Disk, dir: &str, top: bool, out: &mut Vec<String>) {
    let nested = !top && disk.kind(path::join(dir, "cue.mod")).is_some();
    if nested {
        return;
    }
    out.push(dir.to_owned());
    let Ok(mut names) = disk.folders(dir) else {
        return;
    };
    names.retain(|n| !n.starts_with(['.', '_']) && n != "cue.mod" && n != "testdata");
    for name in names {
        walk(disk, &path::join(dir, &name), false, out);
    }
}

/// Why nothing is imported outside of modules.
pub(crate) const NO_MODULE: &str =
    "imports are unavailable because there is no cue.mod/module.cue file";

/// Refuses the path of a standard package as an argument.
pub(crate) fn standard_library<T>(path: &str) -> Result<T, Problems> {
    fail(format!(
        "standard library import path \"{path}\" cannot be imported as a CUE package"
    ))
}

/// Refuses a local argument with qualifier that should have been written otherwise.
pub(crate) fn refuse_uncanonical(parts: &Parts) -> Result<(), Problems> {
    match canonical(parts) {
        None => Ok(()),
        Some(canonical) => fail(format!(
            "non-canonical import path: {:?} should be {canonical:?}",
            parts.path
        )),
    }
}

/// The path of a local argument with qualifier as it should have been written, if it was not.
fn canonical(parts: &Parts) -> Option<String> {
    parts.qualifier.as_ref()?;
    let path = &parts.path;
    if !path.starts_with("./") && !path.starts_with("../") || path.ends_with("...") {
        return None;
    }
    let clean = path::clean(path);
    let fits = clean == *path || path.strip_prefix("./") == Some(&clean);
    let here = clean == "." && path.ends_with("/.");
    (!fits && !here).then_some(clean)
}
