//! Which arguments are packages and which are files.

use crate::data::Encoding;
use crate::path;
use crate::problem::{Problems, fail};

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A package, by path and maybe pattern.
    Package(String),
    /// A file.
    File {
        /// Its name as given, or `-`.
        name: String,
        /// How it is to be read.
        encoding: Encoding,
    },
}

/// Sorts arguments: packages first, then files in order.
pub(crate) fn classify(args: &[String], stdin: Encoding) -> Result<Vec<Argument>, Problems> {
    let mut packages = Vec::new();
    let mut files = Vec::new();
    let mut scope: Option<Encoding> = None;
    let mut pending: Option<&str> = None;
    for arg in args {
        if arg.is_empty() {
            return fail("empty file name");
        }
        if let Some(prefix) = arg.strip_suffix(':')
            && !prefix.contains('/')
            && prefix != "."
        {
            if prefix.is_empty() {
                return fail(format!("empty filetype prefix in \"{arg}\""));
            }
            scope = Some(scope_of(prefix)?);
            pending = Some(arg);
            continue;
        }
        if scope.is_none() && is_package(arg) {
            packages.push(Argument::Package(arg.clone()));
            continue;
        }
        pending = None;
        let encoding = match scope {
            Some(e) => e,
            None if arg == "-" => stdin,
            None => Encoding::of_name(arg).or_else(fail)?,
        };
        files.push(Argument::File {
            name: arg.clone(),
            encoding,
        });
    }
    if let Some(scope) = pending {
        return fail(format!("scoped qualifier \"{scope}\" without file"));
    }
    packages.extend(files);
    Ok(packages)
}

/// The encoding of a scope such as `json` or `yaml+data`.
fn scope_of(scope: &str) -> Result<Encoding, Problems> {
    let mut found = None;
    for part in scope.split('+') {
        let name = part.split('=').next().unwrap_or(part);
        match Encoding::of_scope(name) {
            Some(e) => found = Some(e),
            None if matches!(name, "schema" | "graph" | "dag" | "data") => {}
            None if matches!(name, "auto" | "jsonschema" | "openapi" | "pb") => {
                return fail(format!("the interpretation {name} is not built in"));
            }
            None => return fail(format!("unknown filetype {name}")),
        }
    }
    found.map_or_else(
        || fail(format!("no encoding specified for file \"{scope}\"")),
        Ok,
    )
}

fn is_package(arg: &str) -> bool {
    if arg == "-" {
        return false;
    }
    if matches!(arg, "." | "..") {
        return true;
    }
    if let Some((before, qualifier)) = arg.rsplit_once(':') {
        let named = !qualifier.is_empty() && is_name(qualifier);
        if named || qualifier.contains('/') || before.contains('/') {
            return true;
        }
    }
    if let Some((_, version)) = arg.rsplit_once('@')
        && !version.contains('/')
    {
        return true;
    }
    path::extension(arg).is_empty()
}

/// Whether a text can name a package.
pub(crate) fn is_name(text: &str) -> bool {
    pravo_cue::syntax::literal::is_identifier(text)
}
