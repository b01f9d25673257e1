//! The canonical form of a JSON text.

use crate::Number;
use serde::Serialize;
use serde_json::{Map, Value};

/// The value with the keys of all its objects sorted by bytes and all numbers in canonical digits
/// (no exponent).
pub fn canonical(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(canonical_number(number)),
        Value::Array(items) => Value::Array(items.into_iter().map(canonical).collect()),
        Value::Object(entries) => {
            let mut entries: Vec<(String, Value)> = entries.into_iter().collect();
            entries.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
            let sorted: Map<String, Value> = entries
                .into_iter()
                .map(|(key, inner)| (key, canonical(inner)))
                .collect();
            Value::Object(sorted)
        }
        other => other,
    }
}

/// A number whose exponent is too large to write out keeps its text.
fn canonical_number(number: serde_json::Number) -> serde_json::Number {
    match Number::parse(number.as_str()) {
        Some(exact) => super::typed::json_number(&exact),
        None => number,
    }
}

/// The text of an object that is kept or printed: keys as they stand, two spaces a level, a final
/// line end, nothing escaped that need not be.
pub fn pretty(value: &impl Serialize) -> String {
    let mut text =
        serde_json::to_string_pretty(value).expect("JSON values with text keys have a text");
    text.push('\n');
    text
}

/// How many objects and lists of a JSON text lie inside each other at most. The text must be
/// well-formed.
pub fn depth(text: &str) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in text.bytes() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => {
                now += 1;
                most = most.max(now);
            }
            b'}' | b']' => now = now.saturating_sub(1),
            _ => {}
        }
    }
    most
}
