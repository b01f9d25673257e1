//! One form for equal objects, so that plain equality compares what providers and people mean.

use pravo_state::Data;
use pravo_state::schema::{Attribute, AttributeKind, Block, Nesting, Type};
use std::collections::BTreeMap;

/// Puts the elements of every set in the order of their values, each once.
pub fn canonical(block: &Block, data: Data) -> Data {
    let Data::Map(mut entries) = data else {
        return data;
    };
    for attribute in &block.attributes {
        change(&mut entries, &attribute.name, |value| {
            canonical_attribute(attribute, value)
        });
    }
    for nested in &block.blocks {
        change(&mut entries, &nested.name, |value| {
            many(nested.nesting, value, &|object| {
                canonical(&nested.block, object)
            })
        });
    }
    Data::Map(entries)
}

fn canonical_attribute(attribute: &Attribute, value: Data) -> Data {
    match &attribute.kind {
        AttributeKind::Value(kind) if has_set(kind) => canonical_type(kind, value),
        AttributeKind::Value(_) => value,
        AttributeKind::Nested(nesting, inner) => many(*nesting, value, &|object| {
            let Data::Map(mut entries) = object else {
                return object;
            };
            for deeper in inner {
                change(&mut entries, &deeper.name, |v| {
                    canonical_attribute(deeper, v)
                });
            }
            Data::Map(entries)
        }),
    }
}

fn has_set(kind: &Type) -> bool {
    match kind {
        Type::Set(_) => true,
        Type::List(inner) | Type::Map(inner) => has_set(inner),
        Type::Object(attributes, _) => attributes.values().any(has_set),
        Type::Tuple(items) => items.iter().any(has_set),
        Type::Bool | Type::Number | Type::String | Type::Dynamic => false,
    }
}

fn canonical_type(kind: &Type, value: Data) -> Data {
    match (kind, value) {
        (Type::Set(inner), Data::List(items)) => sorted(
            items
                .into_iter()
                .map(|i| canonical_type(inner, i))
                .collect(),
        ),
        (Type::List(inner), Data::List(items)) => Data::List(
            items
                .into_iter()
                .map(|i| canonical_type(inner, i))
                .collect(),
        ),
        (Type::Map(inner), Data::Map(entries)) => Data::Map(
            entries
                .into_iter()
                .map(|(k, v)| (k, canonical_type(inner, v)))
                .collect(),
        ),
        (Type::Object(attributes, _), Data::Map(mut entries)) => {
            for (name, inner) in attributes {
                change(&mut entries, name, |v| canonical_type(inner, v));
            }
            Data::Map(entries)
        }
        (Type::Tuple(kinds), Data::List(items)) => Data::List(
            items
                .into_iter()
                .enumerate()
                .map(|(at, item)| match kinds.get(at) {
                    Some(inner) => canonical_type(inner, item),
                    None => item,
                })
                .collect(),
        ),
        (_, value) => value,
    }
}

fn many(nesting: Nesting, value: Data, object: &dyn Fn(Data) -> Data) -> Data {
    match (nesting, value) {
        (Nesting::Single | Nesting::Group, value) => object(value),
        (Nesting::List, Data::List(items)) => Data::List(items.into_iter().map(object).collect()),
        (Nesting::Set, Data::List(items)) => sorted(items.into_iter().map(object).collect()),
        (Nesting::Map, Data::Map(entries)) => {
            Data::Map(entries.into_iter().map(|(k, v)| (k, object(v))).collect())
        }
        (_, value) => value,
    }
}

/// A set of these elements. Two unknown ones may turn out different, so both stay.
fn sorted(mut items: Vec<Data>) -> Data {
    items.sort();
    items.dedup_by(|a, b| a == b && a.is_wholly_known());
    Data::List(items)
}

fn change(entries: &mut BTreeMap<String, Data>, name: &str, with: impl FnOnce(Data) -> Data) {
    if let Some(value) = entries.get_mut(name) {
        *value = with(std::mem::take(value));
    }
}

/// The object with every write-only value null; and the paths at which there was one.
pub fn without_write_only(block: &Block, data: Data) -> (Data, Vec<crate::Path>) {
    let mut found = Vec::new();
    let data = strip_block(block, data, &crate::Path::default(), &mut found);
    (data, found)
}

fn strip_block(
    block: &Block,
    data: Data,
    path: &crate::Path,
    found: &mut Vec<crate::Path>,
) -> Data {
    let data = strip_attributes(&block.attributes, data, path, found);
    let Data::Map(mut entries) = data else {
        return data;
    };
    for nested in &block.blocks {
        change(&mut entries, &nested.name, |value| {
            let path = path.then(crate::PathStep::Attribute(nested.name.clone()));
            strip_many(value, nested.nesting, &path, &mut |object, at| {
                strip_block(&nested.block, object, at, found)
            })
        });
    }
    Data::Map(entries)
}

fn strip_attributes(
    attributes: &[Attribute],
    data: Data,
    path: &crate::Path,
    found: &mut Vec<crate::Path>,
) -> Data {
    let Data::Map(mut entries) = data else {
        return data;
    };
    for attribute in attributes {
        let path = path.then(crate::PathStep::Attribute(attribute.name.clone()));
        change(&mut entries, &attribute.name, |value| {
            if attribute.write_only {
                if !value.is_null() {
                    found.push(path);
                }
                return Data::Null;
            }
            match &attribute.kind {
                AttributeKind::Nested(nesting, inner) => {
                    strip_many(value, *nesting, &path, &mut |object, at| {
                        strip_attributes(inner, object, at, found)
                    })
                }
                AttributeKind::Value(_) => value,
            }
        });
    }
    Data::Map(entries)
}

fn strip_many(
    value: Data,
    nesting: Nesting,
    path: &crate::Path,
    object: &mut dyn FnMut(Data, &crate::Path) -> Data,
) -> Data {
    match (nesting, value) {
        (Nesting::Single | Nesting::Group, value) => object(value, path),
        (Nesting::List, Data::List(items)) => Data::List(
            items
                .into_iter()
                .enumerate()
                .map(|(at, item)| object(item, &path.then(crate::PathStep::Index(at))))
                .collect(),
        ),
        (Nesting::Set, Data::List(items)) => {
            Data::List(items.into_iter().map(|item| object(item, path)).collect())
        }
        (Nesting::Map, Data::Map(entries)) => Data::Map(
            entries
                .into_iter()
                .map(|(key, item)| {
                    let at = path.then(crate::PathStep::Key(key.clone()));
                    (key, object(item, &at))
                })
                .collect(),
        ),
        (_, value) => value,
    }
}

#[cfg(test)]
mod tests;
