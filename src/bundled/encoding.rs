//! Texts that stand for bytes: hexadecimal, and base64 as Go's standard library reads it.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose};
use std::fmt::Write;

/// Padded; set bits after the last byte are ignored.
const STANDARD: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Without padding; set bits after the last byte are ignored.
const URL: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Padded base64 of the standard alphabet.
pub(crate) fn base64(bytes: &[u8]) -> String {
    general_purpose::STANDARD.encode(bytes)
}

/// Base64 of the URL alphabet without padding.
pub(crate) fn base64_url(bytes: &[u8]) -> String {
    URL.encode(bytes)
}

/// Reads padded base64 of the standard alphabet; line breaks are skipped.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn from_base64(text: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(joined(text)).map_err(|e| e.to_string())
}

/// Reads base64 of the URL alphabet without padding; line breaks are skipped.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn from_base64_url(text: &str) -> Result<Vec<u8>, String> {
    URL.decode(joined(text)).map_err(|e| e.to_string())
}

fn joined(text: &str) -> String {
    text.replace(['\r', '\n'], "")
}

#[cfg(test)]
mod tests;
