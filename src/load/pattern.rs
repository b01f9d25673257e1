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
        refuse_uncanonical(&parts)?;
        if parts.qualifier.as_deref() == Some("_") {
            return fail(format!("invalid import path qualifier _ in \"{arg}\""));
        }
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
            return fail(no_files(path, &name, listing.excluded.len()));
        }
        self.package_instance(ev, &dir, &name, files)
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
        if !listing.errors.is_empty() {
            return Err(listing.errors.clone());
        }
        let module = self
            .module
            .clone()
            .filter(|m| path::below(&m.root, dir).is_some());
        self.refuse_module_folder(dir)?;
        let packages = listing.packages();
        let name = match qualifier {
            Some(q) => q.to_owned(),
            None => match packages.as_slice() {
                [] if listing.files.is_empty() && listing.excluded.is_empty() => {
                    return fail(if listing.any_file {
                        format!("no CUE files in {given}")
                    } else {
                        format!("cue: \"{given}\" matched no packages")
                    });
                }
                [] => return Err(vec![self.all_excluded(&listing, None, given)]),
                [(only, _)] => only.clone(),
                [(a, af), (b, bf), ..] => {
                    return fail(format!(
                        "found packages \"{a}\" ({af}) and \"{b}\" ({bf}) in \"{given}\""
                    ));
                }
            },
        };
        if !packages.iter().any(|(n, _)| *n == name) {
            return Err(vec![self.all_excluded(&listing, Some(&name), given)]);
        }
        let files = self.package_files(ev, dir, &name, module.as_ref(), true)?;
        self.package_instance(ev, dir, &name, files)
    }

    /// No file of a directory takes part: each with its reason.
    fn all_excluded(&self, listing: &Listing, name: Option<&str>, given: &str) -> Problem {
        let mut lines: Vec<(String, String)> = listing.excluded.clone();
        for f in &listing.files {
            let why = match (&f.package, name) {
                (None, _) => "no package name".to_owned(),
                (Some(is), Some(want)) => format!("package is {is}, want {want}"),
                (Some(_), None) => continue,
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
        let module = self
            .module
            .clone()
            .filter(|m| path::below(&m.root, dir).is_some());
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
        let mut instance = Instance {
            id,
            import_path,
            name: name.to_owned(),
            is_files: false,
            files,
            imports: Vec::new(),
        };
        self.resolve_imports(ev, &mut instance)?;
        Ok(instance)
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
        let mut out = Vec::new();
        for dir in dirs {
            let listing = self.listing(ev, &dir, true)?;
            let packages = listing.packages();
            let rel = path::shown(&self.dir, &dir);
            match &parts.qualifier {
                Some(q) if q != "*" => {
                    if packages.iter().any(|(n, _)| n == q) {
                        out.push(self.local(ev, &dir, Some(q), &rel)?);
                    }
                }
                _ if packages.is_empty() => {}
                _ => out.push(self.local(ev, &dir, None, &rel)?),
            }
        }
        if out.is_empty() {
            return fail(format!("cue: \"{arg}\" matched no packages"));
        }
        Ok(out)
    }
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
