//! Import paths and package patterns to packages.

use crate::args::is_name;
use crate::file::Source;
use crate::instance::{Instance, Set};
use crate::path;
use crate::problem::{Problem, Problems, fail};
use crate::standard::is_standard;
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
    /// The instances a package argument stands for.
    pub(crate) fn pattern(
        &mut self,
        ev: &mut Evaluator,
        arg: &str,
    ) -> Result<Vec<Instance>, Problems> {
        let parts = Parts::of(arg);
        if let Some(canonical) = canonical(&parts) {
            return fail(format!(
                "non-canonical import path: {:?} should be {canonical:?}",
                parts.path
            ));
        }
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
        let first = parts.path.split('/').next().unwrap_or("");
        if !first.contains('.') {
            return fail(format!(
                "standard library import path \"{}\" cannot be imported as a CUE package",
                parts.path
            ));
        }
        let Some(module) = self.module.clone() else {
            if let Some(v) = &parts.version {
                return fail(format!(
                    "package {arg}: {v} is not a valid version to use as an argument; use a fully \
                     qualified version like v0.0.0, v0.latest, or @latest"
                ));
            }
            return fail(
                "imports are unavailable because there is no cue.mod/module.cue file".to_owned(),
            );
        };
        let fits = parts.version.as_deref().is_none_or(|v| v == module.major());
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
            if std::fs::metadata(dir).is_ok() {
                return fail(format!("{given} is a file and not a package directory"));
            }
            return fail(format!("cannot find package \"{given}\""));
        }
        Set::file_errors(&listing.files)?;
        let module = self
            .module
            .clone()
            .filter(|m| path::below(&m.root, dir).is_some());
        if let Some(m) = &module
            && let Some(rest) = path::below(&m.root, dir)
            && (rest == "cue.mod" || rest.starts_with("cue.mod/"))
            && !["gen", "usr", "pkg"]
                .iter()
                .any(|d| rest.starts_with(&format!("cue.mod/{d}")))
        {
            return fail("cannot load packages inside the cue.mod directory");
        }
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
    fn all_excluded(
        &self,
        listing: &crate::directory::Listing,
        name: Option<&str>,
        given: &str,
    ) -> Problem {
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
            own: true,
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
        if !local {
            return fail(format!("cue: \"{arg}\" matched no packages"));
        }
        let top = path::join(&self.dir, prefix);
        if std::fs::metadata(&top).is_err() {
            return fail(format!("cue: \"{arg}\" matched no packages"));
        }
        let mut dirs = Vec::new();
        walk(&top, true, &mut dirs);
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

    /// Finds the packages that the files of an instance import.
    pub(crate) fn resolve_imports(
        &mut self,
        ev: &mut Evaluator,
        instance: &mut Instance,
    ) -> Result<(), Problems> {
        let mut wanted: Vec<(String, Pos)> = Vec::new();
        for file in &instance.files {
            for (_, spec) in file.tree.imports() {
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
    fn import(&mut self, ev: &mut Evaluator, text: &str) -> Result<usize, Problems> {
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
        if let Some(reason) = malformed(text) {
            return fail(format!(
                "cannot find package \"{text}\": malformed import path \"{text}\": {reason}"
            ));
        }
        let parts = Parts::of(text);
        let Some(name) = parts.name() else {
            return fail(format!(
                "cannot determine package name for \"{text}\"; set it explicitly with ':'"
            ));
        };
        if let Some((_, given)) = self.given.iter().find(|(path, _)| *path == parts.path) {
            return self.import_given(ev, &parts, name, given);
        }
        let Some(module) = self.module.clone() else {
            return fail("imports are unavailable because there is no cue.mod/module.cue file");
        };
        let path = parts.path.clone();
        let version = parts.version.clone();
        let fits = version.as_deref().is_none_or(|v| v == module.major());
        let (mut files, mut found, mut excluded) = (Vec::new(), false, 0);
        let mut own = false;
        if let Some(rest) = path::below(module.base(), &path)
            && fits
            && !module.path.is_empty()
        {
            let dir = path::join(&module.root, rest);
            let listing = self.listing(ev, &dir, true)?;
            found |= !listing.files.is_empty() || !listing.excluded.is_empty();
            excluded += listing.excluded.len();
            if listing
                .files
                .iter()
                .any(|f| f.package.as_deref() == Some(&name))
            {
                files = self.package_files(ev, &dir, &name, Some(&module), true)?;
                own = true;
            }
        }
        if files.is_empty() {
            for sub in ["gen", "usr", "pkg"] {
                let dir = path::join(&module.root, &format!("cue.mod/{sub}/{path}"));
                let listing = self.listing(ev, &dir, false)?;
                found |= !listing.files.is_empty();
                excluded += listing.excluded.len();
                files.extend(self.package_files(ev, &dir, &name, None, false)?);
            }
        }
        let shown = text.split(':').next().unwrap_or(text);
        if files.is_empty() {
            if found {
                return fail(no_files(shown, &name, excluded));
            }
            return fail(format!(
                "cannot find package \"{text}\": cannot find module providing package {shown}"
            ));
        }
        Set::file_errors(&files)?;
        let id = match (&parts.version, own) {
            (None, true) => format!("{path}@{}", module.major()),
            (Some(v), _) => format!("{path}@{v}"),
            (None, false) => path.clone(),
        };
        let qualifier = if path::base(&path) == name {
            String::new()
        } else {
            format!(":{name}")
        };
        let id = format!("{id}{qualifier}");
        let mut instance = Instance {
            import_path: id.clone(),
            id,
            name,
            is_files: false,
            files,
            imports: Vec::new(),
            own,
        };
        self.resolve_imports(ev, &mut instance)?;
        self.packages.push(instance);
        Ok(self.packages.len() - 1)
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
            is_files: false,
            files: vec![Rc::new(source)],
            imports: Vec::new(),
            own: false,
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

fn no_files(path: &str, name: &str, excluded: usize) -> String {
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

/// The argument as messages show it.
fn shown_arg(arg: &str) -> &str {
    let trimmed = arg.trim_end_matches('/');
    if trimmed.is_empty() { arg } else { trimmed }
}

/// Directories below one that can hold packages, itself first.
fn walk(dir: &str, top: bool, out: &mut Vec<String>) {
    let nested = !top && std::fs::metadata(path::join(dir, "cue.mod")).is_ok();
    if nested {
        return;
    }
    out.push(dir.to_owned());
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|e| e.path().is_dir())
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|n| !n.starts_with(['.', '_']) && n != "cue.mod" && n != "testdata")
        .collect();
    names.sort();
    for name in names {
        walk(&path::join(dir, &name), false, out);
    }
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

/// The path of a local argument with qualifier as it should have been written, if it was not.
fn canonical(parts: &Parts) -> Option<String> {
    parts.qualifier.as_ref()?;
    let path = &parts.path;
    if !path.starts_with("./") && !path.starts_with("../") || path.ends_with("...") {
        return None;
    }
    let clean = path::clean(path);
    let clean = if clean.starts_with('.') {
        clean
    } else {
        format!("./{clean}")
    };
    (clean != *path).then_some(clean)
}
