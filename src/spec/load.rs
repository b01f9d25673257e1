//! Reads the root of a specification from disk and hands it to the evaluator.

use crate::error::SpecErrors;
use crate::generate::{PRAVO_IMPORT, PRAVO_TEXT, source_of_import};
use crate::specification::{LoadOptions, Specification};
use crate::view::{View, evaluating};
use pravo_cue::builtin::StandardLibrary;
use pravo_cue::eval::Evaluator;
use pravo_cue::print::{Report, ReportStyle, write_reports};
use pravo_load::{Disk, Head, Request, Set};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

impl Specification {
    /// Loads and evaluates the package in the root, finds its nodes and their edges.
    ///
    /// # Errors
    /// Everything that is wrong with the specification, ready to print (exit code 6).
    pub fn load(options: &LoadOptions) -> Result<Self, SpecErrors> {
        Self::load_from(&Disk::default(), options)
    }

    /// As [`Specification::load`], and the disk remembers what was asked of it.
    pub(crate) fn load_from(disk: &Disk, options: &LoadOptions) -> Result<Self, SpecErrors> {
        let heads = pravo_load::heads(disk, &options.root);
        one_package(&heads)?;
        only_text(&heads)?;
        let directory = options.root.to_string_lossy().into_owned();
        let mut ev = Evaluator::new(Arc::new(StandardLibrary));
        let request = Request {
            dir: options.root.clone(),
            tags: options.tags.clone(),
            variables: options.variables.clone(),
            modules: options.modules.clone(),
            ..Request::default()
        };
        let given = [(PRAVO_IMPORT, PRAVO_TEXT)];
        let mut set = pravo_load::load_with(&mut ev, &request, &given, disk)
            .map_err(|reports| loading(&ev, &reports, &directory))?;
        if set.instances.is_empty() {
            return Err(SpecErrors::with_detail("loading .:", "no CUE files in ."));
        }
        let package = match set.build(&mut ev, 0) {
            Ok(package) => package,
            Err(error) => return Err(built(&ev, error.0, &directory)),
        };
        let fingerprint = fingerprint(disk, &options.root, &heads, &set);
        Self::of_package(View::new(ev, package, directory), fingerprint)
    }
}

/// The sources of the providers that the files of a root import, sorted, each with the import path
/// it was found by. Works when the specification does not load: of a file with errors, what can be
/// read counts.
pub fn provider_imports(root: &Path) -> BTreeMap<String, String> {
    let heads = pravo_load::heads(&Disk::default(), root).into_iter();
    let imports = heads.flat_map(|head| head.imports);
    imports
        .filter_map(|path| Some((source_of_import(&path)?, path)))
        .collect()
}

/// The name of the package in a root, from the first file that has one.
pub fn root_package(root: &Path) -> Option<String> {
    let heads = pravo_load::heads(&Disk::default(), root).into_iter();
    heads.filter(Head::takes_part).find_map(|head| head.package)
}

/// Bytes that are no UTF-8 would silently become other characters, so they are refused. A file that
/// begins with a byte order mark of UTF-16 is text of its own kind.
fn only_text(heads: &[Head]) -> Result<(), SpecErrors> {
    for head in heads.iter().filter(|h| h.takes_part()) {
        let bytes = &head.bytes;
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            continue;
        }
        if let Err(bad) = std::str::from_utf8(bytes) {
            let before = &bytes[..bad.valid_up_to()];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            let column = before
                .iter()
                .rev()
                .take_while(|byte| **byte != b'\n')
                .count()
                + 1;
            let name = &head.name;
            return Err(SpecErrors::with_detail(
                "loading .:",
                format!("illegal UTF-8 encoding:\n    ./{name}:{line}:{column}"),
            ));
        }
    }
    Ok(())
}

/// Every file of a root is of one package. The one most files have counts, the first among equals.
fn one_package(heads: &[Head]) -> Result<(), SpecErrors> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    let files = || heads.iter().filter(|h| h.takes_part());
    for name in files().filter_map(|h| h.package.as_deref()) {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let main = counts
        .iter()
        .find(|(_, count)| *count == most)
        .map(|(name, _)| *name);
    let mut lines = Vec::new();
    for head in files() {
        let name = &head.name;
        let rest = main.map(|main| format!("; the other files are package {main}"));
        match (&head.package, main) {
            (Some(package), Some(main)) if package != main => {
                lines.push(format!(
                    "{name} is package {package}{}",
                    rest.unwrap_or_default()
                ));
            }
            (None, _) if !head.broken => {
                lines.push(format!(
                    "{name} has no package clause{}",
                    rest.unwrap_or_default()
                ));
            }
            _ => {}
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    Err(SpecErrors::with_detail("loading .:", lines.join("\n")))
}

/// Errors of a load, as they are printed.
fn loading(ev: &Evaluator, reports: &[Report], directory: &str) -> SpecErrors {
    let style = ReportStyle {
        directory: Some(directory),
        ..ReportStyle::default()
    };
    let mut text = write_reports(reports, &ev.sources, style);
    let unknown = |report: &Report| {
        let message = &report.message;
        message.contains("cannot find package \"pravo.dev/")
            || message.contains("no dependency found for package \"pravo.dev/")
    };
    if reports.iter().any(unknown) {
        text.push_str("  run \"pravo init\" to generate it\n");
    }
    SpecErrors::with_detail("loading .:", text.trim_end_matches('\n'))
}

/// Errors of names and literals: the `cue` command finds them while it loads.
fn built(ev: &Evaluator, reports: Vec<Report>, directory: &str) -> SpecErrors {
    let mut errors = evaluating(ev, reports, directory);
    for error in &mut errors.0 {
        error.summary = "loading .:".into();
    }
    errors
}

/// The fingerprint of a root: all its files, those that these tags leave out as well, whatever else
/// the load read below it, and the module file; not what is generated.
fn fingerprint(disk: &Disk, root: &Path, heads: &[Head], set: &Set) -> String {
    let mut files: BTreeMap<String, Vec<u8>> = heads
        .iter()
        .map(|head| (head.name.clone(), head.bytes.clone()))
        .collect();
    let read = set.files().iter().map(Path::new);
    let read = read.filter_map(|file| file.strip_prefix(root).ok());
    let mut others: Vec<String> = read.map(|p| p.to_string_lossy().into_owned()).collect();
    others.push("cue.mod/module.cue".into());
    for path in others {
        if path.starts_with("cue.mod/gen/") || files.contains_key(&path) {
            continue;
        }
        if let Ok(bytes) = disk.bytes(root.join(&path)) {
            files.insert(path, bytes);
        }
    }
    let files = files.iter();
    crate::fingerprint::fingerprint(files.map(|(path, bytes)| (path.as_str(), bytes.as_slice())))
}
