//! Values as JSON without a type: outputs, and the values a plan document shows.

use super::typed::json_number;
use super::{Error, MAX_DEPTH};
use crate::{Data, Number, Type};
use serde_json::{Value, json};

/// The JSON form of a value as it stands, for outputs.
///
/// # Errors
/// A part that is unknown, or lies more than 100 levels deep.
pub fn to_plain(data: &Data) -> Result<Value, Error> {
    write(data, false, MAX_DEPTH)
}

/// The JSON form of a value in a plan document: an unknown part is `{"$unknown": true}`.
///
/// # Errors
/// A part that lies more than 100 levels deep.
pub fn to_document(data: &Data) -> Result<Value, Error> {
    write(data, true, MAX_DEPTH)
}

fn write(data: &Data, unknowns: bool, levels: usize) -> Result<Value, Error> {
    let levels = deeper(levels)?;
    match data {
        Data::Null => Ok(Value::Null),
        Data::Bool(value) => Ok(Value::Bool(*value)),
        Data::Number(number) => Ok(Value::Number(json_number(number))),
        Data::String(text) => Ok(Value::String(text.clone())),
        Data::Dynamic(_, value) => write(value, unknowns, levels),
        Data::Unknown if unknowns => Ok(json!({"$unknown": true})),
        Data::Unknown => Err(Error::new("is not known")),
        Data::List(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| write(item, unknowns, levels).map_err(|e| e.below(&at.to_string())))
            .collect(),
        Data::Map(entries) => entries
            .iter()
            .map(|(key, item)| {
                let item = write(item, unknowns, levels).map_err(|e| e.below(key))?;
                Ok((key.clone(), item))
            })
            .collect(),
    }
}

/// The value of a JSON text as it stands: arrays are lists, objects are maps.
///
/// # Errors
/// A number whose exponent is beyond 5000 digits, or a part more than 100 levels deep.
pub fn from_plain(value: &Value) -> Result<Data, Error> {
    read(value, MAX_DEPTH + 10)
}

fn read(value: &Value, levels: usize) -> Result<Data, Error> {
    let levels = deeper(levels)?;
    match value {
        Value::Null => Ok(Data::Null),
        Value::Bool(value) => Ok(Data::Bool(*value)),
        Value::String(text) => Ok(Data::String(text.clone())),
        Value::Number(number) => Number::parse(number.as_str())
            .map(Data::Number)
            .ok_or_else(|| Error::new("is a number beyond 5000 digits")),
        Value::Array(items) => {
            let items: Result<Vec<Data>, Error> =
                items.iter().map(|item| read(item, levels)).collect();
            Ok(Data::List(items?))
        }
        Value::Object(entries) => {
            let entries: Result<_, Error> = entries
                .iter()
                .map(|(key, item)| {
                    let item = read(item, levels).map_err(|e| e.below(key))?;
                    Ok((key.clone(), item))
                })
                .collect();
            Ok(Data::Map(entries?))
        }
    }
}

/// The type a value has by itself: a list is a tuple, a map is an object, null is dynamic.
///
/// # Errors
/// A part that is unknown, or lies more than 100 levels deep.
pub fn infer_type(data: &Data) -> Result<Type, Error> {
    infer(data, MAX_DEPTH)
}

fn infer(data: &Data, levels: usize) -> Result<Type, Error> {
    let levels = deeper(levels)?;
    match data {
        Data::Null => Ok(Type::Dynamic),
        Data::Bool(_) => Ok(Type::Bool),
        Data::Number(_) => Ok(Type::Number),
        Data::String(_) => Ok(Type::String),
        Data::Dynamic(kind, _) => Ok(kind.as_ref().clone()),
        Data::Unknown => Err(Error::new("is not known")),
        Data::List(items) => {
            let kinds: Result<Vec<Type>, Error> =
                items.iter().map(|item| infer(item, levels)).collect();
            Ok(Type::Tuple(kinds?))
        }
        Data::Map(entries) => {
            let kinds: Result<_, Error> = entries
                .iter()
                .map(|(key, item)| Ok((key.clone(), infer(item, levels)?)))
                .collect();
            Ok(Type::Object(kinds?, Vec::new()))
        }
    }
}

fn deeper(levels: usize) -> Result<usize, Error> {
    let deep = || Error::new(format!("is nested more than {MAX_DEPTH} levels deep"));
    levels.checked_sub(1).ok_or_else(deep)
}
