//! What a plugin complains about: an error or a warning, and the place in the configuration.

pub use pravo_state::Severity;
use std::fmt;

/// One step of a path into a value of a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathStep {
    /// An attribute or a block, by name.
    Attribute(String),
    /// A map's entry, by key.
    Key(String),
    /// A list's element, counted from 0.
    Index(i64),
}

/// The place of an attribute, from the root of the configuration; empty for the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(pub Vec<PathStep>);

impl Path {
    /// The path of a top-level attribute.
    pub fn attribute(name: &str) -> Self {
        Self(vec![PathStep::Attribute(name.to_owned())])
    }

    /// Whether it names the whole configuration.
    pub fn is_whole(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                PathStep::Attribute(name) if position == 0 => f.write_str(name)?,
                PathStep::Attribute(name) => write!(f, ".{name}")?,
                PathStep::Key(key) => write!(f, "[{key:?}]")?,
                PathStep::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// One error or warning of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence that names the thing.
    pub summary: String,
    /// What was expected and what to do; may be empty.
    pub detail: String,
    /// The attribute it is about.
    pub path: Path,
}

impl Fault {
    /// An error about the whole.
    pub fn error(summary: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            summary: summary.into(),
            detail: detail.into(),
            path: Path::default(),
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
            path: Path::attribute(attribute),
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
