//! From a value to bytes.

use crate::error::check_depth;
use crate::number::{Form, form};
use crate::{ValueError, normal, types};
use pravo_state::{Data, Number, PathStep, Type};
use std::collections::BTreeMap;

/// A value as msgpack. Text is written composed, sets sorted and without equal elements,
/// attributes that an object lacks as null.
///
/// # Errors
/// When the value does not fit the type.
pub fn encode(value: &Data, kind: &Type) -> Result<Vec<u8>, ValueError> {
    let mut out = Vec::new();
    write(&mut out, value, kind, 0)?;
    Ok(out)
}

fn write(out: &mut Vec<u8>, value: &Data, kind: &Type, depth: usize) -> Result<(), ValueError> {
    check_depth(depth)?;
    let depth = depth + 1;
    match (value, kind) {
        (Data::Null, _) => out.push(0xc0),
        (Data::Unknown, _) => out.extend([0xd4, 0, 0]),
        (Data::Dynamic(own, inner), Type::Dynamic) => write_any(out, inner, own, depth)?,
        (Data::Dynamic(_, inner), kind) => write(out, inner, kind, depth)?,
        (_, Type::Dynamic) => write_any(out, value, &types::of_value(value)?, depth)?,
        (Data::Bool(inner), Type::Bool) => out.push(if *inner { 0xc3 } else { 0xc2 }),
        (Data::String(inner), Type::String) => write_text(out, &normal::text(inner)),
        (Data::Number(inner), Type::Number) => write_number(out, inner),
        (Data::List(items), Type::List(inner)) => write_items(out, items, |_| inner, depth)?,
        (Data::List(items), Type::Set(inner)) => write_set(out, items, inner, depth)?,
        (Data::List(items), Type::Tuple(kinds)) if items.len() == kinds.len() => {
            write_items(out, items, |index| &kinds[index], depth)?;
        }
        (Data::Map(entries), Type::Map(inner)) => {
            infallible(rmp::encode::write_map_len(out, count(entries.len())?));
            for (key, value) in entries {
                write_text(out, &normal::text(key));
                let step = || PathStep::Key(key.clone());
                write(out, value, inner, depth).map_err(|e| e.inside(step()))?;
            }
        }
        (Data::Map(entries), Type::Object(attributes, _)) => {
            write_object(out, entries, attributes, depth)?;
        }
        _ => {
            let (found, wanted) = (types::word(value), types::name(kind));
            return Err(ValueError::new(format!("found {found}, expected {wanted}")));
        }
    }
    Ok(())
}

/// A value of any type: its type and itself.
fn write_any(out: &mut Vec<u8>, value: &Data, own: &Type, depth: usize) -> Result<(), ValueError> {
    if *own == Type::Dynamic {
        return write(out, value, own, depth);
    }
    let own = types::without_optional(own);
    out.push(0x92);
    infallible(rmp::encode::write_bin(out, &types::to_bytes(&own)));
    write(out, value, &own, depth)
}

fn write_number(out: &mut Vec<u8>, number: &Number) {
    match form(number) {
        Form::Integer(integer) => {
            infallible(rmp::encode::write_sint(out, integer));
        }
        Form::Double(double) => infallible(rmp::encode::write_f64(out, double)),
        Form::Text(text) => write_text(out, text),
    }
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    infallible(rmp::encode::write_str(out, text));
}

fn write_items<'a>(
    out: &mut Vec<u8>,
    items: &[Data],
    kind: impl Fn(usize) -> &'a Type,
    depth: usize,
) -> Result<(), ValueError> {
    infallible(rmp::encode::write_array_len(out, count(items.len())?));
    for (index, item) in items.iter().enumerate() {
        write(out, item, kind(index), depth).map_err(|e| e.inside(PathStep::Index(index)))?;
    }
    Ok(())
}

fn write_set(
    out: &mut Vec<u8>,
    items: &[Data],
    kind: &Type,
    depth: usize,
) -> Result<(), ValueError> {
    let mut encoded = Vec::with_capacity(items.len());
    for item in items {
        let mut bytes = Vec::new();
        write(&mut bytes, item, kind, depth)?;
        encoded.push((item, bytes));
    }
    encoded.sort_by(|(a, _), (b, _)| normal::set_order(a, b));
    encoded.dedup_by(|(a, a_bytes), (_, b_bytes)| a_bytes == b_bytes && a.is_wholly_known());
    infallible(rmp::encode::write_array_len(out, count(encoded.len())?));
    encoded.iter().for_each(|(_, bytes)| out.extend(bytes));
    Ok(())
}

fn write_object(
    out: &mut Vec<u8>,
    entries: &BTreeMap<String, Data>,
    attributes: &BTreeMap<String, Type>,
    depth: usize,
) -> Result<(), ValueError> {
    if let Some(name) = entries.keys().find(|name| !attributes.contains_key(*name)) {
        return Err(ValueError::new(format!(
            "the type has no attribute {name:?}"
        )));
    }
    infallible(rmp::encode::write_map_len(out, count(attributes.len())?));
    for (name, kind) in attributes {
        write_text(out, name);
        let value = entries.get(name).unwrap_or(&Data::Null);
        let step = || PathStep::Attribute(name.clone());
        write(out, value, kind, depth).map_err(|e| e.inside(step()))?;
    }
    Ok(())
}

fn count(length: usize) -> Result<u32, ValueError> {
    u32::try_from(length).map_err(|_| ValueError::new("the value has too many elements"))
}

/// Takes the result of a write into memory, which does not fail.
fn infallible<T, E: std::fmt::Debug>(result: Result<T, E>) {
    result.expect("a write into memory does not fail");
}
