//! Which arguments are packages and which are files.

use crate::data::Encoding;
use crate::form::Form;
use crate::import::Parts;
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
        /// What it is restricted to.
        form: Option<Form>,
    },
}

/// What a scope such as `json+data:` says of the files after it.
#[derive(Clone, Copy, Default)]
struct Scope {
    encoding: Option<Encoding>,
    form: Option<Form>,
}

/// Sorts arguments: packages first, then files in order.
pub(crate) fn classify(args: &[String], stdin: Encoding) -> Result<Vec<Argument>, Problems> {
    let mut packages = Vec::new();
    let mut files = Vec::new();
    let mut scope: Option<Scope> = None;
    let mut pending: Option<&str> = None;
    for arg in args {
        if scope.is_none() && is_package(arg) {
            packages.push(Argument::Package(arg.clone()));
            continue;
        }
        match arg.split_once(':') {
            None if arg.is_empty() => return fail("empty file name"),
            None => {
                pending = None;
                files.push(file(arg, scope.unwrap_or_default(), stdin)?);
            }
            Some(("", _)) => return fail(format!("empty filetype prefix in \"{arg}\"")),
            Some((prefix, "")) => {
                without_file(pending)?;
                pending = Some(arg);
                // The last one has no file, whatever it says.
                if !std::ptr::eq(arg, &raw const args[args.len() - 1]) {
                    scope = Some(scope_of(prefix)?);
                }
            }
            Some((prefix, name)) => {
                return fail(format!(
                    "cannot combine file type and file name; did you mean \"{prefix}: {name}\"?"
                ));
            }
        }
    }
    without_file(pending)?;
    packages.extend(files);
    Ok(packages)
}

fn without_file(scope: Option<&str>) -> Result<(), Problems> {
    match scope {
        Some(scope) => fail(format!("scoped qualifier \"{scope}\" without file")),
        None => Ok(()),
    }
}

fn file(name: &str, scope: Scope, stdin: Encoding) -> Result<Argument, Problems> {
    let encoding = match scope.encoding {
        Some(encoding) => encoding,
        None if name == "-" => stdin,
        None => Encoding::of_name(name).or_else(fail)?,
    };
    Ok(Argument::File {
        name: name.to_owned(),
        encoding,
        form: scope.form,
    })
}

/// The encoding and form of a scope such as `json` or `yaml+data`.
fn scope_of(text: &str) -> Result<Scope, Problems> {
    let mut scope = Scope::default();
    for part in text.split('+') {
        let name = part.split('=').next().unwrap_or(part);
        let fits = match (Encoding::of_scope(name), Form::of_scope(name)) {
            (Some(e), _) => *scope.encoding.get_or_insert(e) == e,
            (_, Some(form)) => *scope.form.get_or_insert(form) == form,
            _ if name == "schema" => true,
            _ if matches!(name, "auto" | "jsonschema" | "openapi" | "pb") => {
                return fail(format!("the interpretation {name} is not built in"));
            }
            _ => return fail(format!("unknown filetype {name}")),
        };
        if !fits {
            return fail("invalid tag combination");
        }
    }
    Ok(scope)
}

fn is_package(arg: &str) -> bool {
    if matches!(arg, "" | "-") {
        return false;
    }
    if matches!(arg, "." | "..") {
        return true;
    }
    let parts = Parts::of(arg);
    if let Some(qualifier) = &parts.qualifier {
        let file = parts.path.contains(':') || parts.path == "-";
        return !file && (is_name(qualifier) || parts.path.contains('/'));
    }
    parts.version.is_some_and(|v| !v.is_empty()) || path::extension(arg).is_empty()
}

/// Whether a text can name a package.
pub(crate) fn is_name(text: &str) -> bool {
    pravo_cue::syntax::literal::is_identifier(text)
}
