//! JSON: the canonical text that everything kept is written in, and provider values as JSON.

mod canonical;
mod fields;
mod plain;
mod typed;
mod types;

pub use canonical::{canonical, depth, pretty};
pub use fields::{Fields, Writer};
pub use plain::{from_plain, infer_type, to_document, to_plain};
pub use typed::{from_json, to_json};
pub use types::{type_from_json, type_to_json};

use std::fmt;

/// How deep a kept value may be nested. Readers of JSON stop at 128, and a record holds its values
/// some levels down.
pub const MAX_DEPTH: usize = 100;

/// A value that has no place in JSON or does not fit its type: where, and why. It never shows
/// the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    path: Vec<String>,
    problem: String,
}

impl Error {
    /// A problem with the value itself, such as "is not known".
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            problem: problem.into(),
        }
    }

    /// The same problem, seen from the object or list that holds the value at `name`.
    #[must_use]
    pub fn below(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return write!(f, "the value {}", self.problem);
        }
        let path: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
        write!(f, "{} {}", path.join("."), self.problem)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests;
