//! The values of a record, as text until somebody asks for them.

use crate::json::{self, MAX_DEPTH};
use crate::{Data, Type};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;
use std::sync::Arc;

/// The attributes of an object: a JSON object, held as text. A state of 100,000 records is opened
/// without taking all their values apart.
///
/// Two are equal when their canonical forms are. What it holds is never shown in a debug text.
#[derive(Clone)]
pub struct Attributes(Arc<str>);

impl Attributes {
    /// The attributes of a provider's answer, under the implied type of its schema.
    ///
    /// # Errors
    /// A part that is unknown, does not fit the type, or lies more than 100 levels deep.
    pub fn from_data(data: &Data, kind: &Type) -> Result<Self, json::Error> {
        match json::to_json(data, kind)? {
            value @ Value::Object(_) => Ok(Self(json::canonical(value).to_string().into())),
            _ => Err(json::Error::new("is not an object")),
        }
    }

    /// The attributes of a JSON text, as another tool or an old record holds them.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|e| format!("is no JSON: {e}"))?;
        Self::check(raw.get())
    }

    fn check(text: &str) -> Result<Self, String> {
        if !text.starts_with('{') {
            return Err("is not an object".to_owned());
        }
        if json::depth(text) > MAX_DEPTH {
            return Err(format!("is nested more than {MAX_DEPTH} levels deep"));
        }
        Ok(Self(text.into()))
    }

    /// The attributes as a JSON object in canonical form.
    pub fn value(&self) -> Value {
        let value = serde_json::from_str(&self.0).expect("the text was checked when it was taken");
        json::canonical(value)
    }

    /// The attributes as plain data, under the implied type of the schema they were written with.
    ///
    /// # Errors
    /// A part that does not fit the type: another schema version has to be upgraded first.
    pub fn data(&self, kind: &Type) -> Result<Data, json::Error> {
        let value: Value =
            serde_json::from_str(&self.0).expect("the text was checked when it was taken");
        json::from_json(&value, kind)
    }

    /// The JSON text, as a provider's upgrade call takes it.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The text of the attribute `id`, if there is one and it is a text.
    pub fn id(&self) -> Option<String> {
        Some(self.value().get("id")?.as_str()?.to_owned())
    }
}

impl Default for Attributes {
    fn default() -> Self {
        Self("{}".into())
    }
}

impl PartialEq for Attributes {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.value() == other.value()
    }
}

impl fmt::Debug for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attributes({} bytes)", self.0.len())
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Self::check(raw.get()).map_err(serde::de::Error::custom)
    }
}

/// Bytes of a provider that mean nothing to others; base64 as text. Never shown in a debug text.
#[derive(Clone, PartialEq, Eq)]
pub struct Opaque(Vec<u8>);

impl Opaque {
    /// The bytes a provider gave; nothing when there are none.
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        (!bytes.is_empty()).then_some(Self(bytes))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(&self.0))
    }
}

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opaque({} bytes)", self.0.len())
    }
}

impl<'de> Deserialize<'de> for Opaque {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD
            .decode(text)
            .map_err(|_| serde::de::Error::custom("is not base64"))?;
        Ok(Self(bytes))
    }
}
