//! Objects that are kept: known fields one by one, unknown ones held for the next write.

use super::{MAX_DEPTH, canonical, depth, pretty};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// The fields of a JSON object that is being read. Take the known ones, then keep the
/// [`Fields::rest`]: what a newer pravo wrote there must survive a rewrite.
pub struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// Reads the text of one object.
    ///
    /// # Errors
    /// What is wrong with the text: no UTF-8, no JSON, no object, or nested too deep.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())?;
        if text.trim().is_empty() {
            return Err("is empty".to_owned());
        }
        let fields: Self =
            serde_json::from_str(text).map_err(|error| format!("is not a JSON object: {error}"))?;
        if depth(text) > MAX_DEPTH + 10 {
            return Err(format!("is nested more than {MAX_DEPTH} levels deep"));
        }
        Ok(fields)
    }

    /// Takes a field that must be there.
    ///
    /// # Errors
    /// That it is missing, or what is wrong with its value.
    pub fn take<T: Deserialize<'a>>(&mut self, name: &str) -> Result<T, String> {
        self.optional(name)?
            .ok_or_else(|| format!("has no field {name:?}"))
    }

    /// Takes a field that may be absent or null.
    ///
    /// # Errors
    /// What is wrong with its value.
    pub fn optional<T: Deserialize<'a>>(&mut self, name: &str) -> Result<Option<T>, String> {
        let Some(raw) = self.raw(name) else {
            return Ok(None);
        };
        serde_json::from_str(raw).map_err(|error| format!("has a wrong field {name:?}: {error}"))
    }

    /// Takes the JSON text of a field that may be absent.
    pub fn raw(&mut self, name: &str) -> Option<&'a str> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(at).1.get())
    }

    /// The fields nobody took.
    pub fn rest(self) -> Map<String, Value> {
        let fields = self.0.into_iter();
        fields
            .filter_map(|(key, raw)| {
                Some((key.into_owned(), serde_json::from_str(raw.get()).ok()?))
            })
            .collect()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::with_capacity(24);
                while let Some((Key(key), value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
                    fields.retain(|(known, _)| *known != key);
                    fields.push((key, value));
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Reader).map(Fields)
    }
}

/// A key that borrows from the text where it holds no escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// The fields of a JSON object that is being written, in the order in which they are put.
#[derive(Default)]
pub struct Writer(Map<String, Value>);

impl Writer {
    /// An object without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a field.
    pub fn put(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Puts a field whose value has a text form.
    pub fn put_text(&mut self, name: &str, value: &impl fmt::Display) -> &mut Self {
        self.put(name, value.to_string())
    }

    /// Puts a field by its text form, if there is a value.
    pub fn put_some(&mut self, name: &str, value: Option<&impl fmt::Display>) -> &mut Self {
        if let Some(value) = value {
            self.put_text(name, value);
        }
        self
    }

    /// Puts the field as `true`, if it is.
    pub fn put_if(&mut self, name: &str, value: bool) -> &mut Self {
        if value {
            self.put(name, true);
        }
        self
    }

    /// Puts fields that were unknown when the object was read; none of them replaces a known one.
    pub fn put_rest(&mut self, rest: &Map<String, Value>) -> &mut Self {
        for (name, value) in rest {
            if !self.0.contains_key(name) {
                self.put(name, canonical(value.clone()));
            }
        }
        self
    }

    /// The object.
    pub fn value(self) -> Value {
        Value::Object(self.0)
    }

    /// The canonical text of the object.
    pub fn text(self) -> String {
        pretty(&self.value())
    }
}
