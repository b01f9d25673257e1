//! What a person is told: an error or a warning, its details and its place.

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The command fails.
    Error,
    /// The command goes on.
    Warning,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence that names the thing and says what was expected.
    pub summary: String,
    /// Further lines, shown below the summary as they stand; may be empty.
    pub detail: String,
    /// The path of the attribute that a provider complains about, in CUE's form.
    pub attribute: Option<String>,
}

impl Diagnostic {
    /// An error of one sentence.
    pub fn error(summary: impl Into<String>) -> Self {
        Self::new(Severity::Error, summary)
    }

    /// A warning of one sentence.
    pub fn warning(summary: impl Into<String>) -> Self {
        Self::new(Severity::Warning, summary)
    }

    fn new(severity: Severity, summary: impl Into<String>) -> Self {
        Self {
            severity,
            summary: summary.into(),
            detail: String::new(),
            attribute: None,
        }
    }
}
