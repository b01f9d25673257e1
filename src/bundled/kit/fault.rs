//! What a plugin complains about: an error or a warning, and the place in the configuration.

use pravo_state::AttributePath;
pub use pravo_state::Severity;

/// One error or warning of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence that names the thing.
    pub summary: String,
    /// What was expected and what to do; may be empty.
    pub detail: String,
    /// The attribute it is about; empty for the whole.
    pub path: AttributePath,
}

impl Fault {
    /// An error about the whole.
    pub fn error(summary: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            summary: summary.into(),
            detail: detail.into(),
            path: AttributePath::default(),
        }
    }

    /// A warning about the whole.
    pub fn warning(summary: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(summary, detail)
        }
    }

    /// The same about one top-level attribute.
    pub fn on(self, attribute: &str) -> Self {
        Self {
            path: AttributePath::attribute(attribute),
            ..self
        }
    }
}

/// Errors and warnings, each kept once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Adds one, unless the same is there.
    pub fn push(&mut self, fault: Fault) {
        if !self.0.contains(&fault) {
            self.0.push(fault);
        }
    }

    /// Adds all of another.
    pub fn extend(&mut self, other: Faults) {
        for fault in other.0 {
            self.push(fault);
        }
    }

    /// Whether one of them is an error.
    pub fn has_error(&self) -> bool {
        self.0.iter().any(|f| f.severity == Severity::Error)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, sorted by path, errors first.
    pub fn into_sorted(mut self) -> Vec<Fault> {
        self.0
            .sort_by(|a, b| (&a.path, a.severity).cmp(&(&b.path, b.severity)));
        self.0
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self(vec![fault])
    }
}
