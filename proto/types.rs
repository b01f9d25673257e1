//! Type constraints as the JSON that schemas and dynamic values hold: `"string"`,
//! `["list","number"]`, `["object",{"a":"bool"}]`.

use crate::ValueError;
use pravo_state::{Data, Type};
use serde_json::{Map, Value};

/// A type as JSON. Attribute names are sorted; optional attributes are named in a third element.
pub fn to_json(kind: &Type) -> Value {
    let pair = |name: &str, inner: Value| Value::Array(vec![name.into(), inner]);
    match kind {
        Type::Bool => "bool".into(),
        Type::Number => "number".into(),
        Type::String => "string".into(),
        Type::Dynamic => "dynamic".into(),
        Type::List(inner) => pair("list", to_json(inner)),
        Type::Set(inner) => pair("set", to_json(inner)),
        Type::Map(inner) => pair("map", to_json(inner)),
        Type::Tuple(items) => pair("tuple", items.iter().map(to_json).collect()),
        Type::Object(attributes, optional) => {
            let entries = attributes.iter().map(|(k, v)| (k.clone(), to_json(v)));
            let mut parts = vec!["object".into(), Value::Object(entries.collect())];
            if !optional.is_empty() {
                parts.push(optional.iter().map(String::as_str).collect());
            }
            Value::Array(parts)
        }
    }
}

/// The compact JSON text of a type.
pub fn to_bytes(kind: &Type) -> Vec<u8> {
    to_json(kind).to_string().into_bytes()
}

/// Reads the JSON text of a type.
///
/// # Errors
/// When the text is no JSON, or names a kind of type that does not exist.
pub fn from_bytes(bytes: &[u8]) -> Result<Type, ValueError> {
    let json: Value = serde_json::from_slice(bytes)
        .map_err(|error| ValueError::new(format!("its type is no JSON: {error}")))?;
    from_json(&json)
}

/// Reads a type from its JSON.
///
/// # Errors
/// When the JSON names a kind of type that does not exist.
pub fn from_json(json: &Value) -> Result<Type, ValueError> {
    let unknown = || ValueError::new(format!("{json} is no type"));
    if let Value::String(name) = json {
        return match name.as_str() {
            "bool" => Ok(Type::Bool),
            "number" => Ok(Type::Number),
            "string" => Ok(Type::String),
            "dynamic" => Ok(Type::Dynamic),
            _ => Err(unknown()),
        };
    }
    let parts = json.as_array().ok_or_else(unknown)?;
    let name = parts.first().and_then(Value::as_str).ok_or_else(unknown)?;
    let argument = parts.get(1).ok_or_else(unknown)?;
    if parts.len() > 2 && !(name == "object" && parts.len() == 3) {
        return Err(unknown());
    }
    match name {
        "list" => Ok(Type::List(Box::new(from_json(argument)?))),
        "set" => Ok(Type::Set(Box::new(from_json(argument)?))),
        "map" => Ok(Type::Map(Box::new(from_json(argument)?))),
        "tuple" => {
            let items = argument.as_array().ok_or_else(unknown)?;
            Ok(Type::Tuple(
                items.iter().map(from_json).collect::<Result<_, _>>()?,
            ))
        }
        "object" => object(argument.as_object().ok_or_else(unknown)?, parts.get(2)),
        _ => Err(unknown()),
    }
}

fn object(attributes: &Map<String, Value>, optional: Option<&Value>) -> Result<Type, ValueError> {
    let attributes = attributes
        .iter()
        .map(|(name, kind)| Ok((crate::normal::text(name).into_owned(), from_json(kind)?)))
        .collect::<Result<_, ValueError>>()?;
    let optional = match optional {
        None => Vec::new(),
        Some(names) => names
            .as_array()
            .and_then(|names| {
                names
                    .iter()
                    .map(|n| n.as_str().map(str::to_owned))
                    .collect()
            })
            .ok_or_else(|| ValueError::new(format!("{names} names no optional attributes")))?,
    };
    Ok(Type::Object(attributes, optional))
}

/// The type that a value has by itself: a list is a tuple, a map an object; null, and an unknown
/// value, may be of any type.
///
/// # Errors
/// When the value is nested too deep.
pub fn of_value(value: &Data) -> Result<Type, ValueError> {
    infer(value, 0)
}

fn infer(value: &Data, depth: usize) -> Result<Type, ValueError> {
    crate::error::check_depth(depth)?;
    Ok(match value {
        Data::Null | Data::Unknown => Type::Dynamic,
        Data::Bool(_) => Type::Bool,
        Data::Number(_) => Type::Number,
        Data::String(_) => Type::String,
        Data::Dynamic(kind, _) => without_optional(kind),
        Data::List(items) => Type::Tuple(
            items
                .iter()
                .map(|item| infer(item, depth + 1))
                .collect::<Result<_, _>>()?,
        ),
        Data::Map(entries) => {
            let attributes = entries
                .iter()
                .map(|(name, value)| Ok((name.clone(), infer(value, depth + 1)?)))
                .collect::<Result<_, ValueError>>()?;
            Type::Object(attributes, Vec::new())
        }
    })
}

/// The type of a value: objects in it have no optional attributes.
pub(crate) fn without_optional(kind: &Type) -> Type {
    let strip = |inner: &Type| Box::new(without_optional(inner));
    match kind {
        Type::List(inner) => Type::List(strip(inner)),
        Type::Set(inner) => Type::Set(strip(inner)),
        Type::Map(inner) => Type::Map(strip(inner)),
        Type::Tuple(items) => Type::Tuple(items.iter().map(without_optional).collect()),
        Type::Object(attributes, _) => Type::Object(
            attributes
                .iter()
                .map(|(name, kind)| (name.clone(), without_optional(kind)))
                .collect(),
            Vec::new(),
        ),
        Type::Bool | Type::Number | Type::String | Type::Dynamic => kind.clone(),
    }
}

/// A word for a type, for errors.
pub(crate) fn name(kind: &Type) -> &'static str {
    match kind {
        Type::Bool => "a bool",
        Type::Number => "a number",
        Type::String => "a string",
        Type::Dynamic => "a value of any type",
        Type::List(_) => "a list",
        Type::Set(_) => "a set",
        Type::Map(_) => "a map",
        Type::Object(..) => "an object",
        Type::Tuple(_) => "a tuple",
    }
}

/// A word for a value, for errors; it does not show the value.
pub(crate) fn word(value: &Data) -> &'static str {
    match value {
        Data::Null => "null",
        Data::Bool(_) => "a bool",
        Data::Number(_) => "a number",
        Data::String(_) => "a string",
        Data::List(_) => "a list",
        Data::Map(_) => "a struct",
        Data::Dynamic(_, inner) => word(inner),
        Data::Unknown => "an unknown value",
    }
}
