//! What a plugin must not do. The checks are pure; they say where and what, never with a value,
//! which may be secret.
//!
//! Plugins made with the older kit break the rules of plans and of results by design. They say so
//! in their answers (`legacy`): what they break there is logged, not refused.

mod applied;
mod equal;
mod plan;
mod values;

pub use applied::{Settled, settle};
pub use plan::check_plan;
pub use values::{check_result, clear_write_only, unknowns, write_only};

use pravo_state::AttributePath;
use std::fmt;

/// A rule that a plugin broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where in the object; without steps it is the object itself.
    pub path: AttributePath,
    /// What is wrong there.
    pub problem: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.0.is_empty() {
            f.write_str(&self.problem)
        } else {
            write!(f, "{}: {}", self.path, self.problem)
        }
    }
}

/// Collects what is wrong.
#[derive(Default)]
struct Report(Vec<Violation>);

impl Report {
    fn add(&mut self, path: &AttributePath, problem: impl Into<String>) {
        self.0.push(Violation {
            path: path.clone(),
            problem: problem.into(),
        });
    }
}

#[cfg(test)]
mod tests;
