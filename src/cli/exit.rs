//! Every exit code, and which failure leads to it.

use crate::render::paint::Paint;
use pravo_spec::SpecErrors;
use pravo_state::Diagnostic;

/// What a process ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Code {
    /// Done.
    Done = 0,
    /// An error without a code of its own.
    Error = 1,
    /// A plan with changes, where that was asked for.
    Changes = 2,
    /// The plan is no longer true.
    Stale = 3,
    /// Locked or reserved by another.
    Locked = 4,
    /// The specification is wrong.
    Specification = 6,
}

/// Why a command failed, ready to print, and the code it ends with.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) code: Code,
    /// The errors, in order.
    pub(crate) errors: Vec<Diagnostic>,
}

impl Failure {
    /// One error of one sentence, of code 1.
    pub(crate) fn new(summary: impl Into<String>) -> Self {
        Self {
            code: Code::Error,
            errors: vec![Diagnostic::error(summary)],
        }
    }
}

impl From<SpecErrors> for Failure {
    fn from(errors: SpecErrors) -> Self {
        Self {
            code: Code::Specification,
            errors: errors.0,
        }
    }
}

impl From<String> for Failure {
    fn from(summary: String) -> Self {
        Self::new(summary)
    }
}

/// One error or warning as it is printed.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, paint: Paint) -> String {
    let word = match diagnostic.severity {
        pravo_state::Severity::Error => paint.red("Error:"),
        pravo_state::Severity::Warning => paint.yellow("Warning:"),
    };
    let mut out = format!("{word} {}\n", diagnostic.summary);
    if !diagnostic.detail.is_empty() {
        out.push_str(diagnostic.detail.trim_end_matches('\n'));
        out.push('\n');
    }
    out
}
