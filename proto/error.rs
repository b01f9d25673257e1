//! What is wrong with a value, and where in it.

use pravo_state::{AttributePath, PathStep};
use std::fmt;

/// The deepest nesting of a value that is read or written. Real values stay below 50.
pub(crate) const MAX_DEPTH: usize = 200;

/// A value that does not fit its type, or bytes that are no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The steps to the place, the innermost first.
    reversed: Vec<PathStep>,
    /// What was found and what was expected. It never holds the value itself, which may be secret.
    pub problem: String,
}

impl ValueError {
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self {
            reversed: Vec::new(),
            problem: problem.into(),
        }
    }

    /// The same error, seen from one level further out.
    pub(crate) fn inside(mut self, step: PathStep) -> Self {
        self.reversed.push(step);
        self
    }

    /// The place inside the value.
    pub fn path(&self) -> AttributePath {
        AttributePath(self.reversed.iter().rev().cloned().collect())
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reversed.is_empty() {
            f.write_str(&self.problem)
        } else {
            write!(f, "{}: {}", self.path(), self.problem)
        }
    }
}

impl std::error::Error for ValueError {}

/// Refuses a depth beyond [`MAX_DEPTH`].
pub(crate) fn check_depth(depth: usize) -> Result<(), ValueError> {
    if depth > MAX_DEPTH {
        return Err(ValueError::new(format!(
            "the value is nested more than {MAX_DEPTH} levels deep"
        )));
    }
    Ok(())
}
