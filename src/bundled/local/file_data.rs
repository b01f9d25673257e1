//! The data sources `local_file` and `local_sensitive_file`: the bytes of an existing file.

use super::digest;
use super::file::unreadable;
use crate::encoding::base64;
use crate::kit::{DataSource, Faults, Field, Object, Presence, Shape};
use std::fs;

/// The behaviour of both types.
pub(super) struct FileData;

/// The attributes of `local_file`.
pub(super) fn shape() -> Shape {
    let [content, encoded] = content_fields();
    Shape::new("A file on this machine, read.", fields(content, encoded))
}

/// The attributes of `local_sensitive_file`.
pub(super) fn sensitive_shape() -> Shape {
    let [content, encoded] = content_fields();
    Shape::new(
        "A file on this machine whose content is a secret, read.",
        fields(content.sensitive(), encoded.sensitive()),
    )
}

fn content_fields() -> [Field; 2] {
    [
        Field::text("content", Presence::Computed)
            .about("The text of the file; bytes that are no UTF-8 are replaced by U+FFFD."),
        Field::text("content_base64", Presence::Computed)
            .about("The bytes of the file in standard base64."),
    ]
}

fn fields(content: Field, encoded: Field) -> Vec<Field> {
    let mut fields = digest::fields();
    fields.extend([
        content,
        encoded,
        Field::text("filename", Presence::Required).about("The path of the file."),
    ]);
    fields
}

impl DataSource for FileData {
    fn read(&self, config: Object) -> Result<Object, Faults> {
        let filename = config.text("filename").unwrap_or_default();
        let bytes = fs::read(filename).map_err(|error| unreadable(filename, &error))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(digest::with_hashes(config, &bytes)
            .with("content", text)
            .with("content_base64", base64(&bytes)))
    }
}
