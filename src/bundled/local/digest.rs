//! The hashes of a file's bytes, as attributes.

use crate::encoding::{base64, hex};
use crate::kit::{Field, Object, Presence};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

/// The attributes that hold the hashes, and `id`.
pub(super) fn fields() -> Vec<Field> {
    let hash = |name, about| Field::text(name, Presence::Computed).about(about);
    vec![
        hash("content_md5", "The MD5 of the bytes in hexadecimal."),
        hash("content_sha1", "The SHA-1 of the bytes in hexadecimal."),
        hash("content_sha256", "The SHA-256 of the bytes in hexadecimal."),
        hash("content_sha512", "The SHA-512 of the bytes in hexadecimal."),
        hash(
            "content_base64sha256",
            "The SHA-256 of the bytes in base64.",
        ),
        hash(
            "content_base64sha512",
            "The SHA-512 of the bytes in base64.",
        ),
        hash("id", "The SHA-1 of the bytes in hexadecimal."),
    ]
}

/// The SHA-1 of the bytes in hexadecimal.
pub(super) fn sha1(bytes: &[u8]) -> String {
    hex(&Sha1::digest(bytes))
}

/// The object with the hashes of the bytes, and `id`.
pub(super) fn with_hashes(object: Object, bytes: &[u8]) -> Object {
    let sha256 = Sha256::digest(bytes);
    let sha512 = Sha512::digest(bytes);
    object
        .with("content_md5", hex(&Md5::digest(bytes)))
        .with("content_sha1", sha1(bytes))
        .with("content_sha256", hex(&sha256))
        .with("content_sha512", hex(&sha512))
        .with("content_base64sha256", base64(&sha256))
        .with("content_base64sha512", base64(&sha512))
        .with("id", sha1(bytes))
}

#[cfg(test)]
mod tests;
