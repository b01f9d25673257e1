//! `local_file` and `local_sensitive_file`: a file with given bytes.

use super::digest;
use crate::encoding::from_base64;
use crate::kit::{Check, Fault, Faults, Field, Object, Presence, Resource, Shape};
use pravo_state::Data;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// The behaviour of both types.
pub(super) struct File;

/// The attributes of which `local_file` wants exactly one.
const SOURCES: &[&str] = &["content", "content_base64", "sensitive_content", "source"];

/// The attributes of which `local_sensitive_file` wants exactly one.
const SENSITIVE_SOURCES: &[&str] = &["content", "content_base64", "source"];

/// The attributes of `local_file`.
pub(super) fn shape() -> Shape {
    let source = |name| Field::text(name, Presence::Optional).replace();
    let mut fields = common_fields("0777");
    fields.extend([
        source("content").about("The text of the file."),
        source("content_base64").about("The bytes of the file in standard base64."),
        source("sensitive_content")
            .sensitive()
            .deprecated("Use `local_sensitive_file` in its place.")
            .about("The text of the file, never shown."),
    ]);
    Shape::new("A file on this machine.", one_of(SOURCES, fields))
}

/// The attributes of `local_sensitive_file`.
pub(super) fn sensitive_shape() -> Shape {
    let source = |name| Field::text(name, Presence::Optional).replace().sensitive();
    let mut fields = common_fields("0700");
    fields.extend([
        source("content").about("The text of the file."),
        source("content_base64").about("The bytes of the file in standard base64."),
    ]);
    Shape::new(
        "A file on this machine whose content is a secret.",
        one_of(SENSITIVE_SOURCES, fields),
    )
}

fn one_of(group: &'static [&'static str], fields: Vec<Field>) -> Vec<Field> {
    fields
        .into_iter()
        .map(|field| {
            if group.contains(&field.name) {
                field.check(Check::ExactlyOneOf(group))
            } else {
                field
            }
        })
        .collect()
}

fn common_fields(permission: &'static str) -> Vec<Field> {
    let permission = |name| {
        Field::text(name, Presence::OptionalComputed)
            .default(permission)
            .replace()
            .check(Check::Rule(permission_fault))
    };
    let mut fields = digest::fields();
    fields.extend([
        Field::text("filename", Presence::Required)
            .replace()
            .about("The path of the file. Directories that are missing are made."),
        Field::text("source", Presence::Optional)
            .replace()
            .about("The path of a file to copy."),
        permission("file_permission").about("The mode of a new file, in octal, before the umask."),
        permission("directory_permission")
            .about("The mode of new directories, in octal, before the umask."),
    ]);
    fields
}

/// A mode in octal: three or four characters, from 0 to 0777; a plus sign is allowed.
fn mode(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let octal = !digits.is_empty() && digits.bytes().all(|b| (b'0'..=b'7').contains(&b));
    if !octal || !(3..=4).contains(&text.len()) {
        return None;
    }
    u32::from_str_radix(digits, 8)
        .ok()
        .filter(|mode| *mode <= 0o777)
}

fn permission_fault(value: &Data, _config: &Object) -> Option<Fault> {
    let text = value.as_str()?;
    mode(text).is_none().then(|| {
        Fault::error(
            format!("{text:?} is not a file mode"),
            "It must be three or four characters in octal, from \"000\" to \"0777\".",
        )
    })
}

impl Resource for File {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        let bytes = content(&planned)?;
        let filename = planned.text("filename").unwrap_or_default();
        write(&planned, filename, &bytes).map_err(|error| {
            Fault::error(
                format!("{filename:?} cannot be written"),
                format!("The system says: {error}."),
            )
        })?;
        Ok(digest::with_hashes(planned, &bytes))
    }

    fn read(&self, state: Object) -> Result<Option<Object>, Faults> {
        let filename = state.text("filename").unwrap_or_default();
        match fs::read(filename) {
            Ok(bytes) if Some(digest::sha1(&bytes).as_str()) == state.text("id") => Ok(Some(state)),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(filename, &error).into()),
        }
    }

    fn delete(&self, prior: &Object) -> Result<(), Faults> {
        // A file that is gone or cannot be removed is no failure of the released plugin either.
        let _ = fs::remove_file(prior.text("filename").unwrap_or_default());
        Ok(())
    }
}

/// That a file cannot be read.
pub(super) fn unreadable(filename: &str, error: &std::io::Error) -> Fault {
    Fault::error(
        format!("{filename:?} cannot be read"),
        format!("The system says: {error}."),
    )
}

fn content(planned: &Object) -> Result<Vec<u8>, Fault> {
    if let Some(text) = planned.text("sensitive_content") {
        return Ok(text.as_bytes().to_vec());
    }
    if let Some(text) = planned.text("content_base64") {
        return from_base64(text).map_err(|error| {
            Fault::error(
                "`content_base64` is not base64",
                format!("It must be standard base64 with padding: {error}."),
            )
        });
    }
    if let Some(path) = planned.text("source") {
        return fs::read(path).map_err(|error| unreadable(path, &error));
    }
    let text = planned.text("content").unwrap_or_default();
    Ok(text.as_bytes().to_vec())
}

fn write(planned: &Object, filename: &str, bytes: &[u8]) -> std::io::Result<()> {
    let permission = |name| planned.text(name).and_then(mode).unwrap_or(0o777);
    let directory = match Path::new(filename).parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("/"),
    };
    if fs::metadata(directory).is_err() {
        DirBuilder::new()
            .recursive(true)
            .mode(permission("directory_permission"))
            .create(directory)?;
    }
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(permission("file_permission"))
        .open(filename)?
        .write_all(bytes)
}

#[cfg(test)]
mod tests;
