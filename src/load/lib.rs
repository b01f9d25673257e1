//! FILES: packages, modules, imports and tags from disk, handed to the language as texts.
//!
//! - [`load`] reads what arguments name and what that imports into a [`Set`]; nothing is evaluated.
//! - [`Set::build`] hands an instance, and what it imports, to an evaluator.
//! - [`Set::files`] lists every file that was read, for whoever needs to know what a load depends
//!   on.
//!
//! All input from disk happens here. Problems come as [`Report`](pravo_cue::print::Report)s.

mod args;
mod assemble;
mod contradiction;
mod data;
mod directory;
mod disk;
mod file;
mod form;
mod heads;
mod import;
mod instance;
mod module;
pub mod path;
mod pattern;
mod problem;
mod rewrite;
mod standard;
mod tag;

pub use args::Argument;
pub use assemble::BuildError;
pub use data::{DataFile, Encoding};
pub use disk::{Answer, Disk, Question, Seen};
pub use file::decode_text;
pub use form::Form;
pub use heads::{Head, heads};
pub use instance::{Instance, Set};
pub use module::Module;
pub use problem::Problem;
pub use rewrite::{Sources, sources};
pub use standard::{is_standard, short_name};

use pravo_cue::eval::Evaluator;
use pravo_cue::print::Report;
use std::path::PathBuf;

/// What to load, and with which values from outside.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The working directory, absolute. File names in messages are relative to it.
    pub dir: PathBuf,
    /// Packages and files, as on the command line; none means the package in `dir`.
    pub args: Vec<String>,
    /// Values of `@tag` fields and names of `@if`, each `NAME=VALUE` or `NAME`.
    pub tags: Vec<String>,
    /// System variables by name; `None` if they are not to be injected.
    pub variables: Option<Vec<(String, String)>>,
    /// The standard input, for the argument `-`.
    pub stdin: Vec<u8>,
    /// What `-` is read as.
    pub stdin_encoding: Option<Encoding>,
    /// Whether data files make no sense without a package or file of the language.
    pub data_needs_schema: bool,
    /// The package that data files belong to.
    pub package: Option<String>,
    /// Where modules lie that others depend on: the cache folder of the real `cue`.
    pub modules: Option<PathBuf>,
    /// Whether modules that do not lie there are not to be fetched either: that there is no
    /// registry. Nothing is ever fetched; errors say why.
    pub no_registry: bool,
}

/// Reads everything that the arguments name, with imports.
///
/// # Errors
/// The problems of the first instance that cannot be read, in the order in which they print.
pub fn load(ev: &mut Evaluator, request: &Request) -> Result<Set, Vec<Report>> {
    load_with(ev, request, &[], &Disk::default())
}

/// As [`load`], with packages that are not taken from disk: import path and text of each, whatever
/// lies in `cue.mod/gen`; the disk is this one.
///
/// # Errors
/// As for [`load`].
pub fn load_with(
    ev: &mut Evaluator,
    request: &Request,
    given: &[(&'static str, &'static str)],
    disk: &Disk,
) -> Result<Set, Vec<Report>> {
    let mut set = Set::new(request);
    set.given = given.to_vec();
    set.disk = disk.clone();
    match set.fill(ev, request) {
        Ok(()) => Ok(set),
        Err(problems) => {
            let mut reports: Vec<Report> = problems.into_iter().map(Problem::into_report).collect();
            pravo_cue::print::sort_reports(&mut reports, &ev.sources);
            Err(reports)
        }
    }
}

#[cfg(test)]
mod tests;
