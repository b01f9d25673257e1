//! What templates work on.

use crate::builtin::host::Data;
use std::rc::Rc;

/// What an integer is in the reference, as messages name its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// An element of bytes.
    Byte,
    /// A literal or a length.
    Word,
    /// An integer of the data.
    Long,
}

/// A value of a running template.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing, as a field that is not there.
    Missing,
    Nil,
    Bool(bool),
    Int(i64, Width),
    /// An integer of more than 64 bits, in digits.
    Big(Rc<str>),
    Float(f64),
    Str(Rc<str>),
    Bytes(Rc<[u8]>),
    List(Rc<Vec<Value>>),
    /// Sorted by key.
    Map(Rc<Vec<(Rc<str>, Value)>>),
}

impl Value {
    pub(super) fn of(data: &Data) -> Value {
        match data {
            Data::Null | Data::Value(_) => Value::Nil,
            Data::Tagged(_, inner) => Value::of(inner),
            Data::Bool(b) => Value::Bool(*b),
            Data::Number(n) | Data::Literal(n, _) if n.is_int() => match n.value.to_bigint() {
                Some(value) => match i64::try_from(&value) {
                    Ok(small) => Value::Int(small, Width::Long),
                    Err(_) => Value::Big(value.to_string().into()),
                },
                None => Value::Big(n.text().into()),
            },
            Data::Number(n) | Data::Literal(n, _) => Value::Float(n.value.to_f64()),
            Data::String(text) => Value::Str(text.as_str().into()),
            Data::Bytes(bytes) => Value::Bytes(bytes.as_slice().into()),
            Data::List(items) => {
                crate::print::deeper(|| Value::List(Rc::new(items.iter().map(Value::of).collect())))
            }
            Data::Struct(fields) => crate::print::deeper(|| {
                let mut out: Vec<(Rc<str>, Value)> = fields
                    .iter()
                    .map(|(k, v)| (k.as_str().into(), Value::of(v)))
                    .collect();
                out.sort_by(|a, b| a.0.cmp(&b.0));
                Value::Map(Rc::new(out))
            }),
        }
    }

    /// What the reference calls its type.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Value::Missing | Value::Nil => "<nil>",
            Value::Bool(_) => "bool",
            Value::Int(_, Width::Byte) => "uint8",
            Value::Int(_, Width::Word) => "int",
            Value::Int(_, Width::Long) => "int64",
            Value::Big(_) => "*big.Int",
            Value::Float(_) => "float64",
            Value::Str(_) => "string",
            Value::Bytes(_) => "[]uint8",
            Value::List(_) => "[]interface {}",
            Value::Map(_) => "map[string]interface {}",
        }
    }

    pub(super) fn is_true(&self) -> bool {
        match self {
            Value::Missing | Value::Nil => false,
            Value::Bool(b) => *b,
            Value::Int(n, _) => *n != 0,
            Value::Big(_) => true,
            Value::Float(x) => *x != 0.0,
            Value::Str(s) => !s.is_empty(),
            Value::Bytes(b) => !b.is_empty(),
            Value::List(l) => !l.is_empty(),
            Value::Map(m) => !m.is_empty(),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(m) => m
                .binary_search_by(|(k, _)| (**k).cmp(key))
                .ok()
                .map(|i| &m[i].1),
            _ => None,
        }
    }
}
