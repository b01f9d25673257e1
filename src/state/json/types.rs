//! Types as JSON: `"string"`, `["list","string"]`, `["object",{"a":"bool"}]`.

use super::Error;
use crate::Type;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The JSON form of a type, as schemas and dynamic values hold it.
pub fn type_to_json(kind: &Type) -> Value {
    match kind {
        Type::Bool => json!("bool"),
        Type::Number => json!("number"),
        Type::String => json!("string"),
        Type::Dynamic => json!("dynamic"),
        Type::List(inner) => json!(["list", type_to_json(inner)]),
        Type::Set(inner) => json!(["set", type_to_json(inner)]),
        Type::Map(inner) => json!(["map", type_to_json(inner)]),
        Type::Tuple(items) => {
            let items: Vec<Value> = items.iter().map(type_to_json).collect();
            json!(["tuple", items])
        }
        Type::Object(attributes, optional) => {
            let attributes: serde_json::Map<String, Value> = attributes
                .iter()
                .map(|(name, inner)| (name.clone(), type_to_json(inner)))
                .collect();
            if optional.is_empty() {
                json!(["object", attributes])
            } else {
                json!(["object", attributes, optional])
            }
        }
    }
}

/// Reads the JSON form of a type.
///
/// # Errors
/// That it is no type.
pub fn type_from_json(value: &Value) -> Result<Type, Error> {
    from_json_within(value, super::MAX_DEPTH)
}

fn from_json_within(value: &Value, levels: usize) -> Result<Type, Error> {
    let wrong = || Error::new("is not a type");
    let levels = levels.checked_sub(1).ok_or_else(wrong)?;
    let boxed = |inner: &Value| from_json_within(inner, levels).map(Box::new);
    match value {
        Value::String(word) => match word.as_str() {
            "bool" => Ok(Type::Bool),
            "number" => Ok(Type::Number),
            "string" => Ok(Type::String),
            "dynamic" => Ok(Type::Dynamic),
            _ => Err(wrong()),
        },
        Value::Array(parts) => match parts.as_slice() {
            [Value::String(word), inner] if word == "list" => Ok(Type::List(boxed(inner)?)),
            [Value::String(word), inner] if word == "set" => Ok(Type::Set(boxed(inner)?)),
            [Value::String(word), inner] if word == "map" => Ok(Type::Map(boxed(inner)?)),
            [Value::String(word), Value::Array(items)] if word == "tuple" => {
                let items: Result<Vec<Type>, Error> = items
                    .iter()
                    .map(|item| from_json_within(item, levels))
                    .collect();
                Ok(Type::Tuple(items?))
            }
            [Value::String(word), Value::Object(attributes), rest @ ..] if word == "object" => {
                let attributes: Result<BTreeMap<String, Type>, Error> = attributes
                    .iter()
                    .map(|(name, inner)| Ok((name.clone(), from_json_within(inner, levels)?)))
                    .collect();
                Ok(Type::Object(
                    attributes?,
                    optional_names(rest).ok_or_else(wrong)?,
                ))
            }
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}

fn optional_names(rest: &[Value]) -> Option<Vec<String>> {
    match rest {
        [] => Some(Vec::new()),
        [Value::Array(names)] => names
            .iter()
            .map(|name| name.as_str().map(str::to_owned))
            .collect(),
        _ => None,
    }
}
