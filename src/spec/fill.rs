//! Known values of a node, as far as the specification leaves them open: what its readers see.

use crate::body::{Body, Entry, Item};
use pravo_state::{Attribute, AttributeKind, Block, Data, NestedBlock, Nesting, Number, Type};
use std::collections::BTreeMap;

/// A value to put into the specification.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filling {
    /// Nothing known: the place stays as it is.
    Open,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    String(String),
    /// A list.
    List(Vec<Filling>),
    /// A struct.
    Struct(Vec<(String, Filling)>),
}

/// What of a node's values has to stand at its address: those that the specification does not say
/// itself and that are known. Null is filled for scalars only, as the package of the provider
/// lets no collection be null.
pub(crate) fn overlay(block: &Block, body: &Body, data: &Data) -> Filling {
    block_fields(block, Some(body), data)
}

fn block_fields(block: &Block, body: Option<&Body>, data: &Data) -> Filling {
    let Data::Map(values) = data else {
        return Filling::Open;
    };
    let mut fields = attribute_fields(&block.attributes, body, values);
    for nested in &block.blocks {
        if let Some(value) = values.get(&nested.name) {
            let body = field(body, &nested.name);
            push(&mut fields, &nested.name, block_value(nested, body, value));
        }
    }
    of_fields(fields)
}

fn attribute_fields(
    attributes: &[Attribute],
    body: Option<&Body>,
    values: &BTreeMap<String, Data>,
) -> Vec<(String, Filling)> {
    let mut fields = Vec::new();
    for attribute in attributes.iter().filter(|a| !a.write_only) {
        if let Some(data) = values.get(&attribute.name) {
            let body = field(body, &attribute.name);
            let filling = match &attribute.kind {
                AttributeKind::Value(kind) => value(kind, body, data),
                AttributeKind::Nested(nesting, inner) => {
                    let object = |body: Option<&Body>, data: &Data| match data {
                        Data::Map(values) => of_fields(attribute_fields(inner, body, values)),
                        _ => Filling::Open,
                    };
                    repeated(*nesting, body, data, &object)
                }
            };
            push(&mut fields, &attribute.name, filling);
        }
    }
    fields
}

fn block_value(nested: &NestedBlock, body: Option<&Body>, data: &Data) -> Filling {
    let element = |body: Option<&Body>, data: &Data| block_fields(&nested.block, body, data);
    repeated(nested.nesting, body, data, &element)
}

fn repeated(
    nesting: Nesting,
    body: Option<&Body>,
    data: &Data,
    element: &dyn Fn(Option<&Body>, &Data) -> Filling,
) -> Filling {
    match nesting {
        Nesting::Single | Nesting::Group => element(body, data),
        Nesting::List | Nesting::Set => list(nesting == Nesting::Set, body, data, element),
        Nesting::Map => map(body, data, element),
    }
}

fn value(kind: &Type, body: Option<&Body>, data: &Data) -> Filling {
    let data = match data {
        Data::Dynamic(_, inner) => inner,
        other => other,
    };
    match kind {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => match body {
            None | Some(Body::Open(_)) => known(data),
            Some(_) => Filling::Open,
        },
        Type::List(inner) => list(false, body, data, &|b, d| value(inner, b, d)),
        Type::Set(inner) => list(true, body, data, &|b, d| value(inner, b, d)),
        Type::Map(inner) => map(body, data, &|b, d| value(inner, b, d)),
        Type::Tuple(kinds) => match data {
            Data::List(items) => {
                let items = kinds.iter().zip(items).enumerate();
                of_items(items.map(|(i, (kind, data))| value(kind, item(body, i), data)))
            }
            _ => Filling::Open,
        },
        Type::Object(kinds, _) => match data {
            Data::Map(values) => {
                let mut fields = Vec::new();
                for (name, data) in values {
                    if let Some(kind) = kinds.get(name) {
                        push(&mut fields, name, value(kind, field(body, name), data));
                    }
                }
                of_fields(fields)
            }
            _ => Filling::Open,
        },
    }
}

/// Elements are matched by their place. A set has no places, so one that the specification writes
/// down stays as it is written.
fn list(
    set: bool,
    body: Option<&Body>,
    data: &Data,
    element: &dyn Fn(Option<&Body>, &Data) -> Filling,
) -> Filling {
    let Data::List(items) = data else {
        return Filling::Open;
    };
    match body {
        Some(Body::List(written)) => {
            if set || written.len() != items.len() {
                return Filling::Open;
            }
            let items = written.iter().zip(items);
            of_items(items.map(|(w, data)| element(Some(&w.body), data)))
        }
        _ => Filling::List(items.iter().map(|data| element(None, data)).collect()),
    }
}

/// Entries that the specification writes down are the only ones where it writes some.
fn map(
    body: Option<&Body>,
    data: &Data,
    element: &dyn Fn(Option<&Body>, &Data) -> Filling,
) -> Filling {
    let Data::Map(values) = data else {
        return Filling::Open;
    };
    let mut fields = Vec::new();
    match body {
        Some(Body::Struct(entries)) => {
            for entry in entries {
                if let Some(data) = values.get(&entry.label) {
                    push(
                        &mut fields,
                        &entry.label,
                        element(entry.body.as_ref(), data),
                    );
                }
            }
            of_fields(fields)
        }
        _ => {
            for (name, data) in values {
                fields.push((name.clone(), element(None, data)));
            }
            Filling::Struct(fields)
        }
    }
}

/// A value with nothing of the specification beside it.
fn known(data: &Data) -> Filling {
    match data {
        Data::Unknown => Filling::Open,
        Data::Null => Filling::Null,
        Data::Bool(value) => Filling::Bool(*value),
        Data::Number(value) => Filling::Number(value.clone()),
        Data::String(value) => Filling::String(value.clone()),
        Data::List(items) => Filling::List(items.iter().map(known).collect()),
        Data::Map(entries) => {
            let entries = entries.iter();
            Filling::Struct(entries.map(|(n, d)| (n.clone(), known(d))).collect())
        }
        Data::Dynamic(_, inner) => known(inner),
    }
}

fn field<'a>(body: Option<&'a Body>, name: &str) -> Option<&'a Body> {
    let entry: &Entry = body?.entries().iter().find(|e| e.label == name)?;
    entry.body.as_ref()
}

fn item(body: Option<&Body>, index: usize) -> Option<&Body> {
    match body? {
        Body::List(items) => items.get(index).map(|item: &Item| &item.body),
        _ => None,
    }
}

fn push(fields: &mut Vec<(String, Filling)>, name: &str, filling: Filling) {
    if filling != Filling::Open {
        fields.push((name.to_owned(), filling));
    }
}

fn of_fields(fields: Vec<(String, Filling)>) -> Filling {
    if fields.is_empty() {
        return Filling::Open;
    }
    Filling::Struct(fields)
}

fn of_items(items: impl Iterator<Item = Filling>) -> Filling {
    let items: Vec<Filling> = items.collect();
    if items.iter().all(|i| *i == Filling::Open) {
        return Filling::Open;
    }
    Filling::List(items)
}

#[cfg(test)]
mod tests;
