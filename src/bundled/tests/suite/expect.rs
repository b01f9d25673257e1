//! Comparison of an answer with the one that is written down. `{"$unknown": true}` stands for an
//! unknown value, `{"$any": true}` for one that differs from run to run.

use pravo_state::{Data, Number, Type};
use serde_json::Value;

/// Whether a value is the one that is written down.
pub(crate) fn matches(expected: &Value, actual: &Data) -> bool {
    match (expected, actual) {
        (Value::Object(entries), Data::Unknown) => entries.contains_key("$unknown"),
        (Value::Object(entries), Data::Map(values)) => {
            entries.len() == values.len()
                && entries
                    .iter()
                    .all(|(key, entry)| values.get(key).is_some_and(|value| matches(entry, value)))
        }
        (Value::Object(entries), value) => entries.contains_key("$any") && !value.is_null(),
        (Value::Array(items), Data::List(values)) => {
            items.len() == values.len()
                && items
                    .iter()
                    .zip(values)
                    .all(|(item, value)| matches(item, value))
        }
        (Value::String(text), Data::String(value)) => text == value,
        (Value::Number(number), Data::Number(value)) => {
            Number::parse(&number.to_string()).as_ref() == Some(value)
        }
        (Value::Bool(flag), Data::Bool(value)) => flag == value,
        (Value::Null, Data::Null) => true,
        _ => false,
    }
}

/// A written value of a type; attributes that are left out are null.
pub(crate) fn value(written: &Value, kind: &Type) -> Data {
    match (written, kind) {
        (Value::Object(entries), _) if entries.contains_key("$unknown") => Data::Unknown,
        (Value::Object(entries), Type::Object(attributes, _)) => Data::Map(
            attributes
                .iter()
                .map(|(name, kind)| {
                    let entry = entries.get(name).unwrap_or(&Value::Null);
                    (name.clone(), value(entry, kind))
                })
                .collect(),
        ),
        (Value::Object(entries), Type::Map(element)) => Data::Map(
            entries
                .iter()
                .map(|(key, entry)| (key.clone(), value(entry, element)))
                .collect(),
        ),
        (Value::Array(items), Type::List(element)) => {
            Data::List(items.iter().map(|item| value(item, element)).collect())
        }
        (Value::String(text), Type::String) => text.as_str().into(),
        (Value::Bool(flag), Type::Bool) => (*flag).into(),
        (Value::Number(number), Type::Number) => {
            Data::Number(Number::parse(&number.to_string()).expect("a JSON number"))
        }
        (Value::Null, _) => Data::Null,
        _ => panic!("{written} is no {kind:?}"),
    }
}
