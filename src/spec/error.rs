//! What is wrong with a specification: the errors of a load, an evaluation or a conversion.

use pravo_state::Diagnostic;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in a file of the specification.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The file as errors name it, relative to the root: `./web.cue`.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in bytes, as the `cue` command counts.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One error or several, of one stage. A command that meets them ends with exit code 6.
///
/// Printed, each is `Error: ` and its summary, then its detail lines as they stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecErrors(pub Vec<Diagnostic>);

impl SpecErrors {
    /// One error of one sentence.
    pub fn one(summary: impl Into<String>) -> Self {
        Self(vec![Diagnostic::error(summary)])
    }

    /// One error of one sentence, with lines below it.
    pub fn with_detail(summary: impl Into<String>, detail: impl Into<String>) -> Self {
        let mut error = Diagnostic::error(summary);
        error.detail = detail.into();
        Self(vec![error])
    }

    /// One error of one sentence, and below it the place it is about, where there is one.
    pub fn at(summary: impl Into<String>, position: Option<&Position>) -> Self {
        match position {
            Some(position) => Self::with_detail(summary, format!("    {position}")),
            None => Self::one(summary),
        }
    }

    /// Adds the errors of another.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Nothing when there is no error, else the errors.
    ///
    /// # Errors
    /// The errors themselves.
    pub fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(self)
    }
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "Error: {}", error.summary)?;
            if !error.detail.is_empty() {
                write!(f, "\n{}", error.detail)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for SpecErrors {}
