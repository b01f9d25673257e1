//! Digests: of bytes, and of what a provider was last told.

use crate::json::{self, Error};
use crate::{Attribute, AttributeKind, Block, Data, NestedBlock, Nesting, Step};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, as 64 lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|nibble| char::from(DIGITS[usize::from(nibble)]))
        .collect()
}

/// The digest of a wholly known configuration: SHA-256 of its compact JSON with sorted keys, under
/// the schema of its type. Nulls and empty blocks count, numbers are canonical, sets are sorted,
/// dynamic values stand with their type, write-only attributes are null. `ignored` paths are left
/// out (`$lifecycle.ignore_changes`).
///
/// # Errors
/// A part that is unknown or does not fit the schema.
pub fn config_hash(config: &Data, block: &Block, ignored: &[Vec<Step>]) -> Result<String, Error> {
    let mut value = block_value(config, block)?;
    for path in ignored {
        remove(&mut value, path);
    }
    Ok(digest(value))
}

/// The digest of where a provider instance points: as [`config_hash`], over its known, non-null
/// attributes, without sensitive ones and without empty blocks. Values that come from secrets or
/// ephemeral resources must be null in `config`. Nothing when nothing is left.
///
/// # Errors
/// A part that does not fit the schema.
pub fn provider_config(config: &Data, block: &Block) -> Result<Option<String>, Error> {
    let left = visible_block(config, block)?;
    Ok((!left.is_empty()).then(|| digest(Value::Object(left))))
}

fn digest(value: Value) -> String {
    sha256_hex(json::canonical(value).to_string().as_bytes())
}

fn block_value(data: &Data, block: &Block) -> Result<Value, Error> {
    let mut object = Map::new();
    for attribute in &block.attributes {
        let value = data.get(&attribute.name).unwrap_or(&Data::Null);
        let value = attribute_value(value, attribute).map_err(|e| e.below(&attribute.name))?;
        object.insert(attribute.name.clone(), value);
    }
    for nested in &block.blocks {
        let value = data.get(&nested.name).unwrap_or(&Data::Null);
        let value = nested_value(value, nested).map_err(|e| e.below(&nested.name))?;
        object.insert(nested.name.clone(), value);
    }
    Ok(Value::Object(object))
}

fn attribute_value(data: &Data, attribute: &Attribute) -> Result<Value, Error> {
    if attribute.write_only {
        return Ok(Value::Null);
    }
    match &attribute.kind {
        AttributeKind::Value(kind) => json::to_json(data, kind),
        AttributeKind::Nested(_, _) if data.is_null() => Ok(Value::Null),
        AttributeKind::Nested(nesting, attributes) => each(data, *nesting, &|element| {
            let mut object = Map::new();
            for inner in attributes {
                let value = element.get(&inner.name).unwrap_or(&Data::Null);
                let value = attribute_value(value, inner).map_err(|e| e.below(&inner.name))?;
                object.insert(inner.name.clone(), value);
            }
            Ok(Value::Object(object))
        }),
    }
}

fn nested_value(data: &Data, nested: &NestedBlock) -> Result<Value, Error> {
    match (nested.nesting, data) {
        (Nesting::Single, Data::Null) => Ok(Value::Null),
        (Nesting::Map, Data::Null) => Ok(Value::Object(Map::new())),
        (Nesting::List | Nesting::Set, Data::Null) => Ok(Value::Array(Vec::new())),
        (nesting, _) => each(data, nesting, &|element| {
            block_value(element, &nested.block)
        }),
    }
}

/// The JSON of one object or of each of them, as the nesting says.
fn each(
    data: &Data,
    nesting: Nesting,
    object: &dyn Fn(&Data) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let data = match data {
        Data::Dynamic(_, value) => value,
        other => other,
    };
    match (nesting, data) {
        (_, Data::Unknown) => Err(Error::new("is not known")),
        (Nesting::Single | Nesting::Group, _) => object(data),
        (Nesting::List, Data::List(items)) => {
            let items: Result<Vec<_>, _> = items.iter().map(object).collect();
            Ok(Value::Array(items?))
        }
        (Nesting::Set, Data::List(items)) => {
            let items: Result<Vec<_>, _> = items.iter().map(object).collect();
            let mut items: Vec<Value> = items?.into_iter().map(json::canonical).collect();
            items.sort_by_cached_key(Value::to_string);
            items.dedup();
            Ok(Value::Array(items))
        }
        (Nesting::Map, Data::Map(entries)) => {
            let entries = entries.iter();
            let entries: Result<Map<_, _>, Error> = entries
                .map(|(key, item)| Ok((key.clone(), object(item).map_err(|e| e.below(key))?)))
                .collect();
            Ok(Value::Object(entries?))
        }
        _ => Err(Error::new("does not fit the nesting of its schema")),
    }
}

fn visible_block(data: &Data, block: &Block) -> Result<Map<String, Value>, Error> {
    let mut object = visible(data, &block.attributes)?;
    for nested in &block.blocks {
        let Some(value) = data.get(&nested.name).filter(|v| v.is_wholly_known()) else {
            continue;
        };
        if value.is_null() {
            continue;
        }
        let value = each(value, nested.nesting, &|element| {
            Ok(Value::Object(visible_block(element, &nested.block)?))
        });
        let value = value.map_err(|e| e.below(&nested.name))?;
        if !is_hollow(&value) {
            object.insert(nested.name.clone(), value);
        }
    }
    Ok(object)
}

fn visible(data: &Data, attributes: &[Attribute]) -> Result<Map<String, Value>, Error> {
    let mut object = Map::new();
    for attribute in attributes {
        let hidden = attribute.sensitive || attribute.write_only;
        let value = data.get(&attribute.name).filter(|v| v.is_wholly_known());
        let Some(value) = value.filter(|v| !hidden && !v.is_null()) else {
            continue;
        };
        let value = match &attribute.kind {
            AttributeKind::Value(kind) => json::to_json(value, kind),
            AttributeKind::Nested(nesting, inner) => each(value, *nesting, &|element| {
                Ok(Value::Object(visible(element, inner)?))
            }),
        };
        let value = value.map_err(|e| e.below(&attribute.name))?;
        object.insert(attribute.name.clone(), value);
    }
    Ok(object)
}

/// Whether a block has nothing in it, or only blocks that have not.
fn is_hollow(value: &Value) -> bool {
    match value {
        Value::Object(entries) => entries.values().all(is_hollow),
        Value::Array(items) => items.iter().all(is_hollow),
        _ => false,
    }
}

fn remove(value: &mut Value, path: &[Step]) {
    match (path, value) {
        ([Step::Field(name)], Value::Object(entries)) => {
            entries.shift_remove(name);
        }
        ([Step::Index(index)], Value::Array(items)) => {
            if let Some(item) = items.get_mut(*index) {
                *item = Value::Null;
            }
        }
        ([Step::Field(name), rest @ ..], Value::Object(entries)) => {
            if let Some(inner) = entries.get_mut(name) {
                remove(inner, rest);
            }
        }
        ([Step::Index(index), rest @ ..], Value::Array(items)) => {
            if let Some(inner) = items.get_mut(*index) {
                remove(inner, rest);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
