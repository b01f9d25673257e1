//! A place inside a value, such as `triggers["stage"]`, and its text form.

use crate::address::push_label;
use std::fmt;

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathStep {
    /// An attribute of an object, or a block, by name.
    Attribute(String),
    /// An entry of a map, by key.
    Key(String),
    /// An element of a list or tuple, counted from 0.
    Index(usize),
}

/// A place inside the value of a node, from its root; without steps it is the whole value.
///
/// Its text form is CUE's, as far as CUE tells attributes from keys: `subject[0].common_name`,
/// `triggers["stage"]`, `"odd-name"`. An element of a set has no path: a path ends at the set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttributePath(pub Vec<PathStep>);

impl AttributePath {
    /// The path of one attribute of the root.
    pub fn attribute(name: impl Into<String>) -> Self {
        Self(vec![PathStep::Attribute(name.into())])
    }

    /// The path, one step deeper.
    pub fn then(&self, step: PathStep) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    /// Reads the text form; nothing when the text is none.
    pub fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (step, tail) = parse_step(rest, steps.is_empty())?;
            steps.push(step);
            rest = tail;
        }
        Some(Self(steps))
    }
}

impl fmt::Display for AttributePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for step in &self.0 {
            match step {
                PathStep::Index(index) => text.push_str(&format!("[{index}]")),
                PathStep::Key(key) => {
                    text.push('[');
                    push_quoted(&mut text, key);
                    text.push(']');
                }
                PathStep::Attribute(name) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    push_label(&mut text, name);
                }
            }
        }
        f.write_str(&text)
    }
}

fn parse_step(text: &str, first: bool) -> Option<(PathStep, &str)> {
    if let Some(inner) = text.strip_prefix('[') {
        if let Some(quoted) = inner.strip_prefix('"') {
            let (key, tail) = crate::address::parse_quoted(quoted)?;
            return Some((PathStep::Key(key), tail.strip_prefix(']')?));
        }
        let (digits, tail) = inner.split_once(']')?;
        return Some((PathStep::Index(digits.parse().ok()?), tail));
    }
    let label = if first { text } else { text.strip_prefix('.')? };
    let (name, tail) = crate::address::parse_label(label)?;
    Some((PathStep::Attribute(name), tail))
}

/// Appends a text in quotes, with CUE's escapes.
fn push_quoted(text: &mut String, inner: &str) {
    if crate::address::is_identifier(inner) {
        text.push('"');
        text.push_str(inner);
        text.push('"');
    } else {
        push_label(text, inner);
    }
}

#[cfg(test)]
mod tests;
