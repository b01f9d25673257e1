//! The JSON form of values: what records hold and `UpgradeResourceState` carries. Numbers keep all
//! their digits; a value of any type is `{"value": …, "type": …}`.

use crate::error::check_depth;
use crate::{ValueError, normal, types};
use pravo_state::{Data, Number, PathStep, Type};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A value as JSON. Attributes that an object lacks are written as null.
///
/// # Errors
/// When the value does not fit the type or holds an unknown value, which has no JSON form.
pub fn to_json(value: &Data, kind: &Type) -> Result<Value, ValueError> {
    write(value, kind, 0)
}

fn write(value: &Data, kind: &Type, depth: usize) -> Result<Value, ValueError> {
    check_depth(depth)?;
    let depth = depth + 1;
    match (value, kind) {
        (Data::Null, _) => Ok(Value::Null),
        (Data::Unknown, _) => Err(ValueError::new("an unknown value can't be written as JSON")),
        (Data::Dynamic(own, inner), Type::Dynamic) => write_any(inner, own, depth),
        (Data::Dynamic(_, inner), kind) => write(inner, kind, depth),
        (_, Type::Dynamic) => write_any(value, &types::of_value(value)?, depth),
        (Data::Bool(inner), Type::Bool) => Ok(Value::Bool(*inner)),
        (Data::String(inner), Type::String) => Ok(normal::text(inner).into()),
        (Data::Number(inner), Type::Number) => inner
            .as_str()
            .parse()
            .map(Value::Number)
            .map_err(|_| ValueError::new("the number has no JSON form")),
        (Data::List(items), Type::List(inner)) => write_items(items, |_| inner, depth),
        (Data::List(items), Type::Set(inner)) => {
            let mut items = items.clone();
            normal::sort_set(&mut items);
            write_items(&items, |_| inner, depth)
        }
        (Data::List(items), Type::Tuple(kinds)) if items.len() == kinds.len() => {
            write_items(items, |index| &kinds[index], depth)
        }
        (Data::Map(entries), Type::Map(inner)) => {
            let mut out = Map::new();
            for (key, value) in entries {
                let step = || PathStep::Key(key.clone());
                let value = write(value, inner, depth).map_err(|e| e.inside(step()))?;
                out.insert(normal::text(key).into_owned(), value);
            }
            Ok(Value::Object(out))
        }
        (Data::Map(entries), Type::Object(attributes, _)) => {
            write_object(entries, attributes, depth)
        }
        _ => Err(mismatch(value, kind)),
    }
}

fn write_any(value: &Data, own: &Type, depth: usize) -> Result<Value, ValueError> {
    if value.is_null() {
        return Ok(Value::Null);
    }
    if *own == Type::Dynamic {
        return write(value, own, depth);
    }
    let own = types::without_optional(own);
    let mut out = Map::new();
    out.insert("value".into(), write(value, &own, depth)?);
    out.insert("type".into(), types::to_json(&own));
    Ok(Value::Object(out))
}

fn write_items<'a>(
    items: &[Data],
    kind: impl Fn(usize) -> &'a Type,
    depth: usize,
) -> Result<Value, ValueError> {
    let item = |(index, item): (usize, &Data)| {
        write(item, kind(index), depth).map_err(|e| e.inside(PathStep::Index(index)))
    };
    items.iter().enumerate().map(item).collect()
}

fn write_object(
    entries: &BTreeMap<String, Data>,
    attributes: &BTreeMap<String, Type>,
    depth: usize,
) -> Result<Value, ValueError> {
    if let Some(name) = entries.keys().find(|name| !attributes.contains_key(*name)) {
        return Err(no_attribute(name));
    }
    let mut out = Map::new();
    for (name, kind) in attributes {
        let value = entries.get(name).unwrap_or(&Data::Null);
        let step = || PathStep::Attribute(name.clone());
        let value = write(value, kind, depth).map_err(|e| e.inside(step()))?;
        out.insert(name.clone(), value);
    }
    Ok(Value::Object(out))
}

/// Reads the JSON text of a value.
///
/// # Errors
/// When the text is no JSON, or no value of the type.
pub fn from_bytes(bytes: &[u8], kind: &Type) -> Result<Data, ValueError> {
    let json = serde_json::from_slice(bytes)
        .map_err(|error| ValueError::new(format!("the value is no JSON: {error}")))?;
    from_json(&json, kind)
}

/// Reads a value from JSON. It is lenient as plugins are: a number in quotes is a number, a number
/// or bool may stand for text, and an attribute that an object lacks is null.
///
/// # Errors
/// When the JSON is no value of the type.
pub fn from_json(json: &Value, kind: &Type) -> Result<Data, ValueError> {
    read(json, kind, 0)
}

fn read(json: &Value, kind: &Type, depth: usize) -> Result<Data, ValueError> {
    check_depth(depth)?;
    let depth = depth + 1;
    match (json, kind) {
        (Value::Null, _) => Ok(Data::Null),
        (_, Type::Dynamic) => read_any(json, depth),
        (Value::Bool(inner), Type::Bool) => Ok(Data::Bool(*inner)),
        (Value::String(inner), Type::Bool) => match inner.as_str() {
            "true" | "1" => Ok(Data::Bool(true)),
            "false" | "0" => Ok(Data::Bool(false)),
            _ => Err(expected(kind)),
        },
        (Value::Number(inner), Type::Number) => read_number(&inner.to_string()),
        (Value::String(inner), Type::Number) => read_number(inner),
        (Value::String(inner), Type::String) => Ok(Data::String(normal::text(inner).into())),
        (Value::Number(inner), Type::String) => Ok(Data::String(inner.to_string())),
        (Value::Bool(inner), Type::String) => Ok(Data::String(inner.to_string())),
        (Value::Array(items), Type::List(inner)) => read_items(items, |_| inner, depth),
        (Value::Array(items), Type::Set(inner)) => {
            let Data::List(mut items) = read_items(items, |_| inner, depth)? else {
                return Err(expected(kind));
            };
            normal::sort_set(&mut items);
            Ok(Data::List(items))
        }
        (Value::Array(items), Type::Tuple(kinds)) if items.len() == kinds.len() => {
            read_items(items, |index| &kinds[index], depth)
        }
        (Value::Object(entries), Type::Map(inner)) => {
            let entry = |(key, value): (&String, &Value)| {
                let value =
                    read(value, inner, depth).map_err(|e| e.inside(PathStep::Key(key.clone())))?;
                Ok((normal::text(key).into_owned(), value))
            };
            let entries: Result<_, ValueError> = entries.iter().map(entry).collect();
            Ok(Data::Map(entries?))
        }
        (Value::Object(entries), Type::Object(attributes, _)) => {
            read_object(entries, attributes, depth)
        }
        _ => Err(expected(kind)),
    }
}

fn read_any(json: &Value, depth: usize) -> Result<Data, ValueError> {
    let wrapped = || ValueError::new("a value of any type must be an object of value and type");
    let entries = json.as_object().filter(|entries| entries.len() == 2);
    let entries = entries.ok_or_else(wrapped)?;
    let value = entries.get("value").ok_or_else(wrapped)?;
    let own = types::from_json(entries.get("type").ok_or_else(wrapped)?)?;
    let value = read(value, &own, depth)?;
    Ok(match own {
        Type::Dynamic => value,
        own => Data::Dynamic(Box::new(types::without_optional(&own)), Box::new(value)),
    })
}

fn read_number(text: &str) -> Result<Data, ValueError> {
    Number::parse(text)
        .map(Data::Number)
        .ok_or_else(|| ValueError::new("expected a decimal number of at most 5000 digits"))
}

fn read_items<'a>(
    items: &[Value],
    kind: impl Fn(usize) -> &'a Type,
    depth: usize,
) -> Result<Data, ValueError> {
    let item = |(index, item): (usize, &Value)| {
        read(item, kind(index), depth).map_err(|e| e.inside(PathStep::Index(index)))
    };
    let items: Result<_, ValueError> = items.iter().enumerate().map(item).collect();
    Ok(Data::List(items?))
}

fn read_object(
    entries: &Map<String, Value>,
    attributes: &BTreeMap<String, Type>,
    depth: usize,
) -> Result<Data, ValueError> {
    let mut out: BTreeMap<String, Data> = attributes
        .keys()
        .map(|name| (name.clone(), Data::Null))
        .collect();
    for (name, value) in entries {
        let name = normal::text(name).into_owned();
        let kind = attributes.get(&name).ok_or_else(|| no_attribute(&name))?;
        let step = || PathStep::Attribute(name.clone());
        let value = read(value, kind, depth).map_err(|e| e.inside(step()))?;
        out.insert(name, value);
    }
    Ok(Data::Map(out))
}

/// Removes what a type does not have from the JSON of a value: attributes of objects, in lists,
/// sets and maps too, but not inside values of any type.
pub fn strip(json: &mut Value, kind: &Type) {
    match (json, kind) {
        (Value::Array(items), Type::List(inner) | Type::Set(inner)) => {
            items.iter_mut().for_each(|item| strip(item, inner));
        }
        (Value::Array(items), Type::Tuple(kinds)) => {
            let pairs = items.iter_mut().zip(kinds);
            pairs.for_each(|(item, kind)| strip(item, kind));
        }
        (Value::Object(entries), Type::Map(inner)) => {
            entries.values_mut().for_each(|value| strip(value, inner));
        }
        (Value::Object(entries), Type::Object(attributes, _)) => {
            entries.retain(|name, _| attributes.contains_key(normal::text(name).as_ref()));
            for (name, value) in entries {
                strip(value, &attributes[normal::text(name).as_ref()]);
            }
        }
        _ => {}
    }
}

fn mismatch(value: &Data, kind: &Type) -> ValueError {
    let (found, wanted) = (types::word(value), types::name(kind));
    ValueError::new(format!("found {found}, expected {wanted}"))
}

fn expected(kind: &Type) -> ValueError {
    ValueError::new(format!("expected {}", types::name(kind)))
}

fn no_attribute(name: &str) -> ValueError {
    ValueError::new(format!("the type has no attribute {name:?}"))
}
