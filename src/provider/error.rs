//! Why a call brought no answer.

use crate::launch::Ended;
use pravo_proto::ValueError;
use pravo_proto::schema::SchemaError;
use pravo_state::{Diagnostic, Severity};
use std::fmt;

/// Why a call of a plugin brought no answer that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The plugin answered with errors, perhaps with warnings among them.
    Diagnostics(Vec<Diagnostic>),
    /// The plugin's process or its connection ended before the answer came.
    Lost {
        /// The provider.
        plugin: String,
        /// How it ended; nothing when the process was still alive and only the connection broke.
        end: Option<Ended>,
    },
    /// The plugin refused the call with a text, without diagnostics.
    Refused {
        /// The provider.
        plugin: String,
        /// Its text.
        text: String,
    },
    /// The plugin does not know the call.
    Unknown {
        /// The provider.
        plugin: String,
        /// The name of the call.
        call: String,
    },
    /// The plugin broke the protocol: a bug of the plugin.
    Breach {
        /// The provider.
        plugin: String,
        /// What it did, without any value.
        problem: String,
    },
    /// The plugin's schema breaks the protocol's rules: a bug of the plugin.
    Schema {
        /// The provider.
        plugin: String,
        /// What is wrong.
        error: SchemaError,
    },
    /// The plugin has no type or function of that name. No call was made.
    NoType {
        /// The provider.
        plugin: String,
        /// `resource`, `data source`, `ephemeral resource` or `function`.
        word: &'static str,
        /// The name.
        name: String,
    },
    /// A value of ours does not fit the plugin's schema. No call was made.
    Value {
        /// What the value is, such as `the configuration`.
        what: &'static str,
        /// Where and why it does not fit.
        error: ValueError,
    },
    /// A recorded object was written by a newer version of the provider. No call was made.
    Newer {
        /// The type of the resource.
        kind: String,
        /// The version of its record.
        recorded: i64,
        /// The version that the plugin knows.
        known: i64,
    },
    /// A function failed.
    Function {
        /// The text of the failure.
        text: String,
        /// The argument that it is about, counted from 0.
        argument: Option<usize>,
    },
}

impl CallError {
    /// Whether something may have happened although no answer came: after such an error of an
    /// apply nobody knows what exists.
    pub fn is_outcome_unknown(&self) -> bool {
        matches!(
            self,
            Self::Lost { .. } | Self::Refused { .. } | Self::Breach { .. }
        )
    }

    /// What a person is told: the plugin's own diagnostics, or one error, whose details are what
    /// the plugin wrote at its end.
    pub fn diagnostics(self) -> Vec<Diagnostic> {
        if let Self::Diagnostics(all) = self {
            return all;
        }
        let text = self.to_string();
        let (summary, detail) = text.split_once('\n').unwrap_or((&text, ""));
        let mut error = Diagnostic::error(summary);
        error.detail = detail.to_owned();
        vec![error]
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Diagnostics(all) => {
                let errors = all.iter().filter(|d| d.severity == Severity::Error);
                let lines: Vec<String> = errors.map(line).collect();
                f.write_str(&lines.join("\n"))
            }
            Self::Lost { plugin, end: None } => {
                write!(
                    f,
                    "the plugin {plugin} closed its connection during the call"
                )
            }
            Self::Lost {
                plugin,
                end: Some(end),
            } => write!(f, "the plugin {plugin} {end}"),
            Self::Refused { plugin, text } => write!(f, "the plugin {plugin} failed: {text}"),
            Self::Unknown { plugin, call } => {
                write!(f, "the plugin {plugin} does not know the call {call}")
            }
            Self::Breach { plugin, problem } => {
                write!(
                    f,
                    "the plugin {plugin} {problem}; this is a bug of the plugin"
                )
            }
            Self::Schema { plugin, error } => write!(f, "the plugin {plugin}: {error}"),
            Self::NoType { plugin, word, name } => {
                write!(f, "the plugin {plugin} has no {word} {name}")
            }
            Self::Value { what, error } => write!(f, "{what} does not fit the schema: {error}"),
            Self::Newer {
                kind,
                recorded,
                known,
            } => write!(
                f,
                "the record of a {kind} has schema version {recorded}, but the plugin knows only \
                 {known}; use a newer version of the provider"
            ),
            Self::Function { text, .. } => f.write_str(text),
        }
    }
}

impl std::error::Error for CallError {}

/// A diagnostic in one line.
fn line(diagnostic: &Diagnostic) -> String {
    let mut text = match &diagnostic.attribute {
        Some(path) => format!("{path}: {}", diagnostic.summary),
        None => diagnostic.summary.clone(),
    };
    if !diagnostic.detail.is_empty() {
        text.push_str(": ");
        text.push_str(&diagnostic.detail);
    }
    text
}
