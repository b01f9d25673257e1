//! What a root publishes, `outputs.json`.

use crate::json::{self, Fields, pretty};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// The key that marks a recorded output as sensitive.
const SENSITIVE: &str = "$sensitive";

/// One recorded output.
#[derive(Clone, PartialEq)]
pub struct Output {
    /// Its value, as JSON in canonical form.
    pub value: Value,
    /// Hidden where outputs are listed, and not given to other roots.
    pub sensitive: bool,
}

impl Output {
    /// An output of a value.
    ///
    /// # Errors
    /// That the value looks like a sensitive output: a struct whose one key is `$sensitive`.
    pub fn new(value: Value, sensitive: bool) -> Result<Self, String> {
        if hidden(&value).is_some() {
            return Err(format!(
                "an output can't be a struct whose one key is {SENSITIVE}"
            ));
        }
        let value = json::canonical(value);
        Ok(Self { value, sensitive })
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sensitive {
            return f.write_str("Output(sensitive)");
        }
        write!(f, "Output({})", self.value)
    }
}

/// All recorded outputs, by the address of the output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs(pub BTreeMap<String, Output>);

/// What one run does to the recorded outputs; the others stay as they are at that moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputChanges {
    /// New or changed outputs.
    pub set: BTreeMap<String, Output>,
    /// Outputs that are gone.
    pub removed: Vec<String>,
}

impl Outputs {
    /// Merges what a run changed.
    pub fn merge(&mut self, changes: &OutputChanges) {
        for name in &changes.removed {
            self.0.remove(name);
        }
        self.0.extend(changes.set.clone());
    }

    /// The outputs as one JSON object of names and bare values, sensitive ones included.
    pub fn bare(&self) -> Value {
        let entries = self.0.iter();
        entries
            .map(|(name, output)| (name.clone(), output.value.clone()))
            .collect()
    }

    /// The canonical text.
    pub fn to_text(&self) -> String {
        let entries: Map<String, Value> = self
            .0
            .iter()
            .map(|(name, output)| match output.sensitive {
                true => (name.clone(), json!({SENSITIVE: output.value.clone()})),
                false => (name.clone(), output.value.clone()),
            })
            .collect();
        pretty(&Value::Object(entries))
    }

    /// Reads the text.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let entries = Fields::parse(bytes)?.rest();
        let outputs = entries.into_iter().map(|(name, value)| {
            let value = json::canonical(value);
            let output = match hidden(&value) {
                Some(inner) => Output {
                    value: inner.clone(),
                    sensitive: true,
                },
                None => Output {
                    value,
                    sensitive: false,
                },
            };
            (name, output)
        });
        Ok(Self(outputs.collect()))
    }
}

/// The value of a sensitive output in its recorded form.
fn hidden(value: &Value) -> Option<&Value> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    object.get(SENSITIVE)
}

#[cfg(test)]
mod tests;
