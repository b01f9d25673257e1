//! Recorded objects: JSON of any version, read against the current shape.

use super::{Fault, Faults, Object, Shape};
use pravo_state::{Data, Number, Type};
use serde_json::Value;

/// Reads a recorded object. Attributes that the shape does not have are dropped, missing ones
/// are null, and simple values are converted where their text allows it.
///
/// # Errors
/// That the JSON is no object, or which attribute does not fit its type.
pub fn read(shape: &Shape, json: &[u8]) -> Result<Object, Faults> {
    let value: Value = serde_json::from_slice(json).map_err(|error| {
        Fault::error(
            "The recorded state is not JSON",
            format!("Reading it failed: {error}."),
        )
    })?;
    let Value::Object(entries) = value else {
        return Err(Fault::error(
            "The recorded state is not an object",
            "It must be a JSON object with the attributes of the resource.",
        )
        .into());
    };
    let mut object = Object::default();
    for field in &shape.fields {
        let value =
            match entries.get(field.name) {
                Some(value) => data(value, &field.kind).ok_or_else(|| {
                    Fault::error(
                    format!("The recorded value of `{}` does not fit its type", field.name),
                    "The record was changed by hand, or another version of the provider wrote it.",
                )
                .on(field.name)
                })?,
                None => Data::Null,
            };
        object.set(field.name, value);
    }
    Ok(object)
}

/// A JSON value as a value of a type; nothing when it does not fit.
pub fn data(value: &Value, kind: &Type) -> Option<Data> {
    Some(match (value, kind) {
        (Value::Null, _) => Data::Null,
        (Value::Bool(value), Type::Bool) => Data::Bool(*value),
        (Value::String(text), Type::Bool) => Data::Bool(match text.as_str() {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => return None,
        }),
        (Value::Number(number), Type::Number) => Data::Number(Number::parse(&number.to_string())?),
        (Value::String(text), Type::Number) => Data::Number(Number::parse(text)?),
        (Value::String(text), Type::String) => Data::String(text.clone()),
        (Value::Number(number), Type::String) => Data::String(number.to_string()),
        (Value::Bool(value), Type::String) => Data::String(value.to_string()),
        (Value::Array(items), Type::List(element) | Type::Set(element)) => Data::List(
            items
                .iter()
                .map(|item| data(item, element))
                .collect::<Option<_>>()?,
        ),
        (Value::Object(entries), Type::Map(element)) => Data::Map(
            entries
                .iter()
                .map(|(key, entry)| Some((key.clone(), data(entry, element)?)))
                .collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
