//! Diagnostics and attribute paths, both ways.

use crate::tfplugin6 as wire;
use pravo_state::{AttributePath, Diagnostic, PathStep, Severity};
use wire::attribute_path::step::Selector;

/// Reads the diagnostics of an answer. One without a summary is shown by its detail; one of no
/// known severity is an error.
pub fn from_wire(diagnostics: Vec<wire::Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.into_iter().map(one_from_wire).collect()
}

fn one_from_wire(diagnostic: wire::Diagnostic) -> Diagnostic {
    let severity = match diagnostic.severity() {
        wire::diagnostic::Severity::Warning => Severity::Warning,
        _ => Severity::Error,
    };
    let (summary, detail) = match diagnostic.summary.is_empty() {
        true => (diagnostic.detail, String::new()),
        false => (diagnostic.summary, diagnostic.detail),
    };
    let path = diagnostic.attribute.as_ref().map(path_from_wire);
    Diagnostic {
        severity,
        summary,
        detail,
        attribute: path
            .filter(|path| !path.0.is_empty())
            .map(|path| path.to_string()),
    }
}

/// Writes diagnostics for an answer. An attribute that is no path is left out.
pub fn to_wire(diagnostics: &[Diagnostic]) -> Vec<wire::Diagnostic> {
    let one = |diagnostic: &Diagnostic| wire::Diagnostic {
        severity: match diagnostic.severity {
            Severity::Error => wire::diagnostic::Severity::Error,
            Severity::Warning => wire::diagnostic::Severity::Warning,
        }
        .into(),
        summary: diagnostic.summary.clone(),
        detail: diagnostic.detail.clone(),
        attribute: diagnostic
            .attribute
            .as_deref()
            .and_then(AttributePath::parse)
            .map(|path| path_to_wire(&path)),
    };
    diagnostics.iter().map(one).collect()
}

/// Reads a path. Steps of no known kind are skipped; a negative index ends the path at the list.
pub fn path_from_wire(path: &wire::AttributePath) -> AttributePath {
    let mut steps = Vec::new();
    for step in &path.steps {
        steps.push(match &step.selector {
            Some(Selector::AttributeName(name)) => PathStep::Attribute(name.clone()),
            Some(Selector::ElementKeyString(key)) => PathStep::Key(key.clone()),
            Some(Selector::ElementKeyInt(index)) => match usize::try_from(*index) {
                Ok(index) => PathStep::Index(index),
                Err(_) => break,
            },
            None => continue,
        });
    }
    AttributePath(steps)
}

/// Writes a path.
pub fn path_to_wire(path: &AttributePath) -> wire::AttributePath {
    let step = |step: &PathStep| wire::attribute_path::Step {
        selector: Some(match step {
            PathStep::Attribute(name) => Selector::AttributeName(name.clone()),
            PathStep::Key(key) => Selector::ElementKeyString(key.clone()),
            PathStep::Index(index) => {
                Selector::ElementKeyInt(i64::try_from(*index).unwrap_or(i64::MAX))
            }
        }),
    };
    wire::AttributePath {
        steps: path.0.iter().map(step).collect(),
    }
}

#[cfg(test)]
mod tests;
