//! Values to texts: the value printer, JSON, YAML, and the texts of errors.

mod build;
mod data;
mod definition;
mod imports;
mod merge;
mod names;
mod order;
mod order_of_conjuncts;
mod origin;
mod pivot;
mod printer;
mod ranges;
mod report;
mod selected;
mod source;
mod toml;
mod value;
mod yaml;
mod yaml_scalar;

#[cfg(test)]
mod tests;

pub use crate::builtin::{JsonStyle, write_json};
pub use data::{DataError, DataStyle, NotData, to_data};
pub use order::Around;
pub use printer::{Profile, print_value, value_tree};
pub use report::{Report, ReportStyle, position_text, sort_reports, write_reports};
pub use toml::write_toml;
pub use yaml::write_yaml;

/// Runs `f` with enough stack for one more level of nesting.
pub(crate) fn deeper<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 4 << 20, f)
}
