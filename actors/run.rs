//! What a run is asked and what it answers.

use pravo_state::{Diagnostic, Outputs, Severity, TransactionId};
use std::fmt;

/// Why a run failed, as the class of its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Provider, store or anything else: exit code 1.
    Failed,
    /// The plan no longer holds: exit code 3.
    Stale,
    /// Locked or reserved by another, or a lock was lost: exit code 4.
    Locked,
    /// The specification is wrong: exit code 6.
    Specification,
}

impl Class {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Failed => 1,
            Self::Stale => 3,
            Self::Locked => 4,
            Self::Specification => 6,
        }
    }
}

/// A run that failed: what a person is told, and the class of the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The class.
    pub class: Class,
    /// What happened, errors and the warnings that belong to them; not empty.
    pub diagnostics: Vec<Diagnostic>,
}

impl RunError {
    /// A failure of one sentence.
    pub fn failed(summary: impl Into<String>) -> Self {
        Self::of(Class::Failed, Diagnostic::error(summary))
    }

    /// A wrong specification, in one sentence.
    pub fn specification(summary: impl Into<String>) -> Self {
        Self::of(Class::Specification, Diagnostic::error(summary))
    }

    /// A failure of one diagnostic.
    pub fn of(class: Class, diagnostic: Diagnostic) -> Self {
        Self {
            class,
            diagnostics: vec![diagnostic],
        }
    }

    /// Adds another one; the class of the first stays.
    pub(crate) fn join(&mut self, other: Self) {
        for diagnostic in other.diagnostics {
            if !self.diagnostics.contains(&diagnostic) {
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

impl From<pravo_spec::SpecErrors> for RunError {
    fn from(errors: pravo_spec::SpecErrors) -> Self {
        Self {
            class: Class::Specification,
            diagnostics: errors.0,
        }
    }
}

impl From<pravo_store::Error> for RunError {
    fn from(error: pravo_store::Error) -> Self {
        Self::failed(error.to_string())
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.diagnostics.iter().enumerate() {
            let word = match diagnostic.severity {
                Severity::Error => "Error",
                Severity::Warning => "Warning",
            };
            let start = if at > 0 { "\n" } else { "" };
            write!(f, "{start}{word}: {}", diagnostic.summary)?;
            if !diagnostic.detail.is_empty() {
                write!(f, "\n{}", diagnostic.detail)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for RunError {}

/// What an apply did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// Objects made, also in place of others.
    pub added: usize,
    /// Objects changed in place.
    pub changed: usize,
    /// Objects destroyed, also replaced ones.
    pub destroyed: usize,
    /// Records dropped without touching their objects.
    pub forgotten: usize,
    /// Nodes that failed.
    pub failed: usize,
    /// Nodes whose turn did not come.
    pub not_started: usize,
    /// The transaction; nothing when there was nothing to write.
    pub txn: Option<TransactionId>,
    /// The outputs as they are recorded now.
    pub outputs: Outputs,
    /// What went wrong, in the order of the plan; nothing after a success.
    pub error: Option<RunError>,
}

impl Applied {
    /// `N added, N changed, N destroyed`, and what was forgotten: the summary a transaction
    /// records.
    pub fn summary(&self) -> String {
        let mut text = format!(
            "{} added, {} changed, {} destroyed",
            self.added, self.changed, self.destroyed
        );
        if self.forgotten > 0 {
            text.push_str(&format!(", {} forgotten", self.forgotten));
        }
        text
    }
}
