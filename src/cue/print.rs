//! Values to texts: the value printer, JSON, YAML, and the texts of errors.

mod yaml;
mod yaml_scalar;

#[cfg(test)]
mod tests;

pub use crate::builtin::{JsonStyle, write_json};
pub use yaml::write_yaml;

/// Runs `f` with enough stack for one more level of nesting.
pub(crate) fn deeper<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 4 << 20, f)
}
