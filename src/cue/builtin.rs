//! The standard packages: pure functions with checked signatures and the error texts of the
//! reference.

mod adapter;

pub mod base64_text;
mod call;
pub(crate) mod float_format;
mod host;
mod json_reader;
mod json_writer;
mod library;
mod packages;
mod quote;
mod registry;
#[cfg(test)]
mod tests;
pub mod unicode;

use crate::eval::kind;
pub use crate::eval::kind::Kind;
pub use call::Call;
pub use host::{
    Check, Data, Elements, Equality, ErrorHandle, Failure, Format, Handle, Host, Outcome, Place,
    Purpose, Scalar, StructShape,
};
pub use json_reader::{JsonError, is_json, read_json, read_json_stream};
pub use json_writer::{JsonStyle, compact_json, indent_json, write_json};
pub use library::StandardLibrary;

/// Whether a shell pattern matches a whole name: `*`, `?`, `[a-z]`, and a backslash before a
/// character that means itself.
///
/// # Errors
/// What is wrong with the pattern.
pub fn path_matches(pattern: &str, name: &str) -> Result<bool, &'static str> {
    packages::unix_matches(pattern, name)
}
pub use quote::{Keep, quote_bytes_go, quote_go, quote_with, rune_with_number};
pub use registry::{Constraint, Function, Member, Package, Parameter, by_short_name, package};
