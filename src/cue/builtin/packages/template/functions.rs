//! The functions of templates.

use super::format;
use super::value::{Value, Width};
use crate::builtin::packages::html::escape;
use std::cmp::Ordering;
use std::fmt::Write;
use std::rc::Rc;

/// Functions with how few and how many arguments they take.
const FUNCTIONS: &[(&str, usize, usize)] = &[
    ("and", 1, usize::MAX),
    ("call", 1, usize::MAX),
    ("eq", 1, usize::MAX),
    ("ge", 2, 2),
    ("gt", 2, 2),
    ("html", 0, usize::MAX),
    ("index", 1, usize::MAX),
    ("js", 0, usize::MAX),
    ("le", 2, 2),
    ("len", 1, 1),
    ("lt", 2, 2),
    ("ne", 2, 2),
    ("not", 1, 1),
    ("or", 1, usize::MAX),
    ("print", 0, usize::MAX),
    ("printf", 1, usize::MAX),
    ("println", 0, usize::MAX),
    ("slice", 1, usize::MAX),
    ("urlquery", 0, usize::MAX),
];

pub(super) fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|f| f.0 == name)
}

/// What is wrong with a number of arguments.
pub(super) fn wrong_count(name: &str, count: usize) -> Option<String> {
    let (_, least, most) = FUNCTIONS.iter().find(|f| f.0 == name)?;
    if count < *least && *most == usize::MAX {
        Some(format!(
            "wrong number of args for {name}: want at least {least} got {count}"
        ))
    } else if count < *least || count > *most {
        Some(format!(
            "wrong number of args for {name}: want {least} got {count}"
        ))
    } else {
        None
    }
}

/// Why a function has no result.
pub(super) enum Fault {
    Calling(String),
    /// An argument of the wrong type.
    Argument(usize, String),
}

fn calling<T>(text: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Calling(text.into()))
}

/// A value as an action prints it.
pub(super) fn printed(value: &Value) -> String {
    match value {
        Value::Missing => "<no value>".to_owned(),
        other => format::plain(other),
    }
}

pub(super) fn call(name: &str, args: &[Value]) -> Result<Value, Fault> {
    let text = |text: String| Ok(Value::Str(text.into()));
    match name {
        "not" => Ok(Value::Bool(!args[0].is_true())),
        "len" => length(&args[0]),
        "index" => index(args),
        "slice" => slice(args),
        "print" => text(format::print(args)),
        "println" => text(format::println(args)),
        "printf" => match &args[0] {
            Value::Str(pattern) => text(format::printf(pattern, &args[1..])),
            other => {
                let name = other.type_name();
                let text = format!("wrong type for value; expected string; got {name}");
                Err(Fault::Argument(0, text))
            }
        },
        "html" => text(escape(&joined(args), true)),
        "js" => text(js(&joined(args))),
        "urlquery" => text(crate::builtin::packages::net::query_escape(&joined(args))),
        "call" => {
            let name = args[0].type_name();
            calling(format!("non-function of type {name}"))
        }
        "eq" => equal(args),
        "ne" => match equal(args)? {
            Value::Bool(b) => Ok(Value::Bool(!b)),
            other => Ok(other),
        },
        _ => compared(name, &args[0], &args[1]),
    }
}

fn joined(args: &[Value]) -> String {
    match args {
        [Value::Str(text)] => text.to_string(),
        _ => format::print(args),
    }
}

fn length(value: &Value) -> Result<Value, Fault> {
    let n = match value {
        Value::Str(s) => s.len(),
        Value::Bytes(b) => b.len(),
        Value::List(l) => l.len(),
        Value::Map(m) => m.len(),
        Value::Missing | Value::Nil => return calling("len of nil pointer"),
        other => return calling(format!("len of type {}", other.type_name())),
    };
    Ok(Value::Int(n as i64, Width::Word))
}

fn position(value: &Value, length: usize, past: bool) -> Result<usize, Fault> {
    let n = match value {
        Value::Int(n, _) => *n,
        Value::Missing | Value::Nil => return calling("cannot index slice/array with nil"),
        other => {
            let name = other.type_name();
            return calling(format!("cannot index slice/array with type {name}"));
        }
    };
    match usize::try_from(n) {
        Ok(i) if i < length || past && i == length => Ok(i),
        _ => calling(format!("index out of range: {n}")),
    }
}

fn index(args: &[Value]) -> Result<Value, Fault> {
    let mut value = args[0].clone();
    if matches!(value, Value::Missing | Value::Nil) {
        return calling("index of untyped nil");
    }
    for key in &args[1..] {
        value = match &value {
            Value::List(items) => items[position(key, items.len(), false)?].clone(),
            Value::Str(s) => Value::Int(
                i64::from(s.as_bytes()[position(key, s.len(), false)?]),
                Width::Byte,
            ),
            Value::Bytes(b) => {
                Value::Int(i64::from(b[position(key, b.len(), false)?]), Width::Byte)
            }
            Value::Map(_) => match key {
                Value::Str(name) => value.get(name).cloned().unwrap_or(Value::Missing),
                Value::Missing | Value::Nil => {
                    return calling("value is nil; should be of type string");
                }
                other => {
                    let name = other.type_name();
                    return calling(format!("value has type {name}; should be string"));
                }
            },
            Value::Missing | Value::Nil => return calling("index of nil pointer"),
            other => return calling(format!("can't index item of type {}", other.type_name())),
        };
    }
    Ok(value)
}

fn slice(args: &[Value]) -> Result<Value, Fault> {
    let length = match &args[0] {
        Value::Str(s) => s.len(),
        Value::Bytes(b) => b.len(),
        Value::List(l) => l.len(),
        Value::Missing | Value::Nil => return calling("slice of untyped nil"),
        other => {
            let name = other.type_name();
            return calling(format!("can't slice item of type {name}"));
        }
    };
    if args.len() > 4 {
        return calling(format!("too many slice indexes: {}", args.len() - 1));
    }
    let mut ends = [0, length, length];
    for (i, arg) in args[1..].iter().enumerate() {
        ends[i] = position(arg, length, true)?;
    }
    let [from, to, _] = ends;
    if from > to {
        return calling(format!("invalid slice index: {from} > {to}"));
    }
    Ok(match &args[0] {
        Value::Str(s) => Value::Str(
            String::from_utf8_lossy(&s.as_bytes()[from..to])
                .into_owned()
                .into(),
        ),
        Value::Bytes(b) => Value::Bytes(b[from..to].into()),
        Value::List(l) => Value::List(Rc::new(l[from..to].to_vec())),
        other => other.clone(),
    })
}

/// Kinds that compare with each other.
fn basic(value: &Value) -> Option<u8> {
    Some(match value {
        Value::Bool(_) => 0,
        Value::Int(..) => 1,
        Value::Float(_) => 2,
        Value::Str(_) => 3,
        _ => return None,
    })
}

fn incompatible(a: &Value, b: &Value) -> String {
    let (a, b) = (a.type_name(), b.type_name());
    format!("incompatible types for comparison: {a} and {b}")
}

fn equal(args: &[Value]) -> Result<Value, Fault> {
    if args.len() < 2 {
        return calling("missing argument for comparison");
    }
    let first = &args[0];
    for other in &args[1..] {
        let nil = |v: &Value| matches!(v, Value::Missing | Value::Nil);
        let same = match (basic(first), basic(other)) {
            (Some(a), Some(b)) if a == b => match (first, other) {
                (Value::Int(a, _), Value::Int(b, _)) => a == b,
                _ => first == other,
            },
            _ if nil(first) || nil(other) => nil(first) && nil(other),
            (a, b) if a != b => return calling(incompatible(first, other)),
            _ => {
                let name = |v: &Value| match v {
                    Value::List(_) => Some("[]interface {}"),
                    Value::Map(_) => Some("map[string]interface {}"),
                    _ => None,
                };
                if name(first).is_some() || name(other).is_some() {
                    let shown = if name(first).is_some() { first } else { other };
                    let shown = format::printf("%s", std::slice::from_ref(shown));
                    let kind = name(first).or(name(other)).unwrap_or("");
                    return calling(format!("non-comparable type {shown}: {kind}"));
                }
                first == other
            }
        };
        if same {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn compared(name: &str, a: &Value, b: &Value) -> Result<Value, Fault> {
    let order = match (a, b) {
        (Value::Int(a, _), Value::Int(b, _)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
        _ => {
            return match (basic(a), basic(b)) {
                (Some(x), Some(y)) if x != y => calling(incompatible(a, b)),
                _ => calling("invalid type for comparison"),
            };
        }
    };
    Ok(Value::Bool(match name {
        "lt" => order == Some(Ordering::Less),
        "le" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        "gt" => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }))
}

/// Escapes a text for a string of JavaScript.
pub(super) fn js(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\'' => out.push_str("\\'"),
            '"' => out.push_str("\\\""),
            '<' | '>' | '&' | '=' => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c if c < ' ' || !c.is_ascii() && !crate::builtin::unicode::is_print(c) => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
