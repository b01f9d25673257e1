//! The name of a node: its path in the specification, and the text form of that path.

use std::fmt;
use std::sync::Arc;

/// One step of a path: a field's label or a list index.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A field, by its label without quotes.
    Field(String),
    /// A list element, counted from 0.
    Index(usize),
}

/// The path of a node in the specification, such as `ports.a` or `servers[0]`.
///
/// Its text form is CUE's: labels that are not identifiers are quoted (`hosts."a-b"`), list
/// elements stand in brackets. Equality, order and hash are those of the text form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(Arc<str>);

impl Address {
    /// Makes an address of its steps.
    pub fn from_steps(steps: &[Step]) -> Self {
        let mut text = String::new();
        for step in steps {
            push_step(&mut text, step);
        }
        Self(text.into())
    }

    /// Takes a text that is an address already, as a record or a command line holds it.
    ///
    /// # Errors
    /// The text, when it is not a path in CUE's form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let steps = parse_steps(text).ok_or_else(|| format!("{text:?} is not an address"))?;
        Ok(Self::from_steps(&steps))
    }

    /// The text form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The steps of the path.
    pub fn steps(&self) -> Vec<Step> {
        parse_steps(&self.0).expect("an address is made of steps or parsed")
    }

    /// The last step as a record's `name` has it: a label, or an index as digits.
    pub fn name(&self) -> String {
        match self.steps().pop() {
            Some(Step::Field(label)) => label,
            Some(Step::Index(index)) => index.to_string(),
            None => String::new(),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for Address {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl serde::Serialize for Address {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for Address {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// Appends one step to the text form of a path: `.label`, `."quoted"` or `[0]`.
pub fn push_step(text: &mut String, step: &Step) {
    match step {
        Step::Index(index) => text.push_str(&format!("[{index}]")),
        Step::Field(label) => {
            if !text.is_empty() {
                text.push('.');
            }
            push_label(text, label);
        }
    }
}

/// Appends a label as CUE writes it: bare where it is an identifier, quoted where not.
pub fn push_label(text: &mut String, label: &str) {
    if is_identifier(label) {
        text.push_str(label);
        return;
    }
    text.push('"');
    for character in label.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            other if other.is_control() => text.push_str(&format!("\\u{:04x}", other as u32)),
            other => text.push(other),
        }
    }
    text.push('"');
}

/// Whether a regular field's label needs no quotes: a letter or `$`, then letters, digits, `_`
/// and `$`. A bare `_x` would be hidden and a bare `#x` a definition, so those are quoted.
pub fn is_identifier(label: &str) -> bool {
    let mut characters = label.chars();
    let letter = |c: char| c.is_alphabetic() || c == '$';
    characters.next().is_some_and(letter)
        && characters.all(|c| letter(c) || c.is_numeric() || c == '_')
}

fn parse_steps(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (step, tail) = if let Some(inner) = rest.strip_prefix('[') {
            let (digits, tail) = inner.split_once(']')?;
            (Step::Index(digits.parse().ok()?), tail)
        } else {
            let label = if steps.is_empty() {
                rest
            } else {
                rest.strip_prefix('.')?
            };
            let (label, tail) = parse_label(label)?;
            (Step::Field(label), tail)
        };
        steps.push(step);
        rest = tail;
    }
    (!steps.is_empty()).then_some(steps)
}

pub(crate) fn parse_label(text: &str) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        return parse_quoted(quoted);
    }
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (label, tail) = text.split_at(end);
    is_identifier(label).then(|| (label.to_owned(), tail))
}

pub(crate) fn parse_quoted(text: &str) -> Option<(String, &str)> {
    let mut label = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((label, &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => label.push('\n'),
                'r' => label.push('\r'),
                't' => label.push('\t'),
                'u' => {
                    let mut code = 0;
                    for _ in 0..4 {
                        code = code * 16 + characters.next()?.1.to_digit(16)?;
                    }
                    label.push(char::from_u32(code)?);
                }
                other @ ('"' | '\\' | '/') => label.push(other),
                _ => return None,
            },
            other => label.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests;
