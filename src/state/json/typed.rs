//! Provider values as JSON under their type: the form of records, raw states and plans.
//!
//! Numbers have all their digits; lists, sets and tuples are arrays; maps and objects are objects
//! with all attributes; a value under a dynamic type is `{"value": …, "type": …}`. Unknown values
//! have no JSON form.

use super::{Error, MAX_DEPTH, canonical, infer_type, type_from_json, type_to_json};
use crate::{Data, Number, Type};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The JSON form of a value of a type. Sets are sorted, so that equal sets have equal texts.
///
/// # Errors
/// A part that is unknown, does not fit its type, or lies more than 100 levels deep.
pub fn to_json(data: &Data, kind: &Type) -> Result<Value, Error> {
    encode(data, kind, MAX_DEPTH)
}

fn encode(data: &Data, kind: &Type, levels: usize) -> Result<Value, Error> {
    let levels = deeper(levels)?;
    match (data, kind) {
        (Data::Unknown, _) => Err(Error::new("is not known")),
        (Data::Null, _) => Ok(Value::Null),
        (data, Type::Dynamic) => encode_dynamic(data, levels),
        (Data::Dynamic(_, value), kind) => encode(value, kind, levels),
        (Data::Bool(value), Type::Bool) => Ok(Value::Bool(*value)),
        (Data::Number(number), Type::Number) => Ok(Value::Number(json_number(number))),
        (Data::String(text), Type::String) => Ok(Value::String(text.clone())),
        (Data::List(items), Type::List(inner)) => {
            let kinds = std::iter::repeat(inner.as_ref());
            Ok(Value::Array(encode_items(items, kinds, levels)?))
        }
        (Data::List(items), Type::Set(inner)) => {
            let kinds = std::iter::repeat(inner.as_ref());
            let mut sorted: Vec<&Data> = items.iter().collect();
            sorted.sort();
            sorted.dedup();
            Ok(Value::Array(encode_items(sorted, kinds, levels)?))
        }
        (Data::List(items), Type::Tuple(kinds)) if items.len() == kinds.len() => {
            Ok(Value::Array(encode_items(items, kinds, levels)?))
        }
        (Data::Map(entries), Type::Map(inner)) => {
            let entries = entries
                .iter()
                .map(|(key, value)| (key, value, inner.as_ref()));
            encode_entries(entries, levels)
        }
        (Data::Map(entries), Type::Object(kinds, _)) => {
            if let Some(name) = entries.keys().find(|name| !kinds.contains_key(*name)) {
                return Err(Error::new("is not in the schema").below(name));
            }
            let entries = kinds.iter().map(|(name, kind)| {
                let value = entries.get(name).unwrap_or(&Data::Null);
                (name, value, kind)
            });
            encode_entries(entries, levels)
        }
        (_, kind) => Err(unfit(kind)),
    }
}

fn encode_dynamic(data: &Data, levels: usize) -> Result<Value, Error> {
    let (kind, value) = match data {
        Data::Dynamic(kind, value) => (kind.as_ref().clone(), value.as_ref()),
        bare => (infer_type(bare)?, bare),
    };
    if value.is_null() {
        return Ok(Value::Null);
    }
    let value = encode(value, &kind, levels)?;
    Ok(json!({"value": value, "type": canonical(type_to_json(&kind))}))
}

fn encode_items<'a>(
    items: impl IntoIterator<Item = &'a Data>,
    kinds: impl IntoIterator<Item = &'a Type>,
    levels: usize,
) -> Result<Vec<Value>, Error> {
    let items = items.into_iter().zip(kinds).enumerate();
    items
        .map(|(at, (item, kind))| {
            encode(item, kind, levels).map_err(|error| error.below(&at.to_string()))
        })
        .collect()
}

fn encode_entries<'a>(
    entries: impl Iterator<Item = (&'a String, &'a Data, &'a Type)>,
    levels: usize,
) -> Result<Value, Error> {
    let entries: Result<Map<String, Value>, Error> = entries
        .map(|(name, value, kind)| {
            let value = encode(value, kind, levels).map_err(|error| error.below(name))?;
            Ok((name.clone(), value))
        })
        .collect();
    Ok(Value::Object(entries?))
}

/// Reads the JSON form of a value of a type. As lenient as providers expect: a text for a number
/// or bool, a number or bool for a text, and a missing attribute for null.
///
/// # Errors
/// A part that does not fit its type, or an attribute the type does not have.
pub fn from_json(value: &Value, kind: &Type) -> Result<Data, Error> {
    decode(value, kind, MAX_DEPTH + 10)
}

fn decode(value: &Value, kind: &Type, levels: usize) -> Result<Data, Error> {
    let levels = deeper(levels)?;
    match (value, kind) {
        (Value::Null, _) => Ok(Data::Null),
        (value, Type::Dynamic) => decode_dynamic(value, levels),
        (value, Type::Bool | Type::Number | Type::String) => {
            decode_scalar(value, kind).ok_or_else(|| unfit(kind))
        }
        (Value::Array(items), Type::List(inner) | Type::Set(inner)) => {
            decode_items(items, std::iter::repeat(inner.as_ref()), levels)
        }
        (Value::Array(items), Type::Tuple(kinds)) if items.len() == kinds.len() => {
            decode_items(items, kinds, levels)
        }
        (Value::Object(entries), Type::Map(inner)) => {
            let entries = entries.iter();
            decode_entries(
                entries.map(|(name, value)| (name, value, inner.as_ref())),
                levels,
            )
        }
        (Value::Object(entries), Type::Object(kinds, _)) => {
            if let Some(name) = entries.keys().find(|name| !kinds.contains_key(*name)) {
                return Err(Error::new("is not in the schema").below(name));
            }
            let entries = kinds.iter().map(|(name, kind)| {
                let value = entries.get(name).unwrap_or(&Value::Null);
                (name, value, kind)
            });
            decode_entries(entries, levels)
        }
        (_, kind) => Err(unfit(kind)),
    }
}

fn decode_scalar(value: &Value, kind: &Type) -> Option<Data> {
    match (value, kind) {
        (Value::Bool(value), Type::Bool) => Some(Data::Bool(*value)),
        (Value::String(text), Type::Bool) => match text.as_str() {
            "true" | "1" => Some(Data::Bool(true)),
            "false" | "0" => Some(Data::Bool(false)),
            _ => None,
        },
        (Value::Number(number), Type::Number) => Number::parse(number.as_str()).map(Data::Number),
        (Value::String(text), Type::Number) => Number::parse(text).map(Data::Number),
        (Value::String(text), Type::String) => Some(Data::String(text.clone())),
        (Value::Number(number), Type::String) => Some(Data::String(number.as_str().to_owned())),
        (Value::Bool(value), Type::String) => Some(Data::String(value.to_string())),
        _ => None,
    }
}

fn decode_dynamic(value: &Value, levels: usize) -> Result<Data, Error> {
    let parts = (value.get("type"), value.get("value"));
    let (Some(kind), Some(value)) = parts else {
        return Err(Error::new("is not a value with its type"));
    };
    let kind = type_from_json(kind)?;
    let value = decode(value, &kind, levels)?;
    if value.is_null() {
        return Ok(Data::Null);
    }
    Ok(Data::Dynamic(Box::new(kind), Box::new(value)))
}

fn decode_items<'a>(
    items: &[Value],
    kinds: impl IntoIterator<Item = &'a Type>,
    levels: usize,
) -> Result<Data, Error> {
    let items = items.iter().zip(kinds).enumerate();
    let items: Result<Vec<Data>, Error> = items
        .map(|(at, (item, kind))| {
            decode(item, kind, levels).map_err(|error| error.below(&at.to_string()))
        })
        .collect();
    Ok(Data::List(items?))
}

fn decode_entries<'a>(
    entries: impl Iterator<Item = (&'a String, &'a Value, &'a Type)>,
    levels: usize,
) -> Result<Data, Error> {
    let entries: Result<BTreeMap<String, Data>, Error> = entries
        .map(|(name, value, kind)| {
            let value = decode(value, kind, levels).map_err(|error| error.below(name))?;
            Ok((name.clone(), value))
        })
        .collect();
    Ok(Data::Map(entries?))
}

fn deeper(levels: usize) -> Result<usize, Error> {
    let deep = || Error::new(format!("is nested more than {MAX_DEPTH} levels deep"));
    levels.checked_sub(1).ok_or_else(deep)
}

fn unfit(kind: &Type) -> Error {
    let wanted = match kind {
        Type::Bool => "a bool",
        Type::Number => "a number",
        Type::String => "a string",
        Type::Dynamic => "a value with its type",
        Type::List(_) => "a list",
        Type::Set(_) => "a set",
        Type::Map(_) => "a map",
        Type::Object(..) => "an object",
        Type::Tuple(_) => "a tuple of the right length",
    };
    Error::new(format!("is not {wanted}"))
}

/// A number with exactly its digits.
pub(crate) fn json_number(number: &Number) -> serde_json::Number {
    serde_json::Number::from_string_unchecked(number.as_str().to_owned())
}
