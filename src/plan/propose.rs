//! The proposed new object: what a provider plans from. Prior values under the configuration,
//! computed ones kept. Source: plugin protocol, as the reference client merges.

use pravo_state::Data;
use pravo_state::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};
use std::collections::BTreeMap;

static NULL: Data = Data::Null;
static UNKNOWN: Data = Data::Unknown;

/// The object of a block that nobody wrote: attributes null, blocks absent.
pub fn empty_value(block: &Block) -> Data {
    let attributes = block
        .attributes
        .iter()
        .map(|a| (a.name.clone(), Data::Null));
    let blocks = block.blocks.iter().map(|b| {
        let value = match b.nesting {
            Nesting::Single => Data::Null,
            Nesting::Group => empty_value(&b.block),
            Nesting::List | Nesting::Set => Data::List(Vec::new()),
            Nesting::Map => Data::Map(BTreeMap::new()),
        };
        (b.name.clone(), value)
    });
    Data::Map(attributes.chain(blocks).collect())
}

/// Lays a configuration over a prior object.
///
/// A computed attribute that the configuration leaves null keeps its prior value; everything else
/// is as configured. With an unknown prior, as for a data source that is not read yet, such an
/// attribute is unknown.
pub fn proposed_new(block: &Block, prior: &Data, config: &Data) -> Data {
    if prior.is_null() && config.is_null() {
        return Data::Null;
    }
    if prior.is_null() {
        return merge(block, &empty_value(block), config);
    }
    merge(block, prior, config)
}

fn merge(block: &Block, prior: &Data, config: &Data) -> Data {
    if matches!(config, Data::Null | Data::Unknown) {
        return prior.clone();
    }
    let mut merged = BTreeMap::new();
    for attribute in &block.attributes {
        let (p, c) = (
            inside(prior, &attribute.name),
            inside(config, &attribute.name),
        );
        merged.insert(attribute.name.clone(), merge_attribute(attribute, p, c));
    }
    for nested in &block.blocks {
        let (p, c) = (inside(prior, &nested.name), inside(config, &nested.name));
        merged.insert(nested.name.clone(), merge_block(nested, p, c));
    }
    Data::Map(merged)
}

/// The value of that name; null where there is none, unknown inside something unknown.
pub(crate) fn inside<'a>(object: &'a Data, name: &str) -> &'a Data {
    match object {
        Data::Unknown => &UNKNOWN,
        other => other.get(name).unwrap_or(&NULL),
    }
}

fn merge_attribute(attribute: &Attribute, prior: &Data, config: &Data) -> Data {
    if attribute.computed && config.is_null() {
        if let AttributeKind::Nested(nesting, inner) = &attribute.kind
            && attribute.optional
            && holds_configured(*nesting, inner, prior)
        {
            return Data::Null;
        }
        return prior.clone();
    }
    match &attribute.kind {
        AttributeKind::Nested(nesting, inner) => merge_nested(*nesting, inner, prior, config),
        AttributeKind::Value(_) => config.clone(),
    }
}

/// Whether a nested value holds a non-null part that only a configuration can have set.
fn holds_configured(nesting: Nesting, attributes: &[Attribute], value: &Data) -> bool {
    let object_holds = |object: &Data| {
        attributes.iter().any(|a| {
            let inner = inside(object, &a.name);
            match (&a.kind, inner) {
                (_, Data::Null | Data::Unknown) => false,
                (_, _) if !a.computed => true,
                (AttributeKind::Nested(n, deeper), inner) => holds_configured(*n, deeper, inner),
                _ => false,
            }
        })
    };
    match (nesting, value) {
        (Nesting::Single | Nesting::Group, object @ Data::Map(_)) => object_holds(object),
        (Nesting::Map, Data::Map(entries)) => entries.values().any(object_holds),
        (Nesting::List | Nesting::Set, Data::List(items)) => items.iter().any(object_holds),
        _ => false,
    }
}

fn merge_nested(nesting: Nesting, inner: &[Attribute], prior: &Data, config: &Data) -> Data {
    if matches!(config, Data::Null | Data::Unknown) {
        return config.clone();
    }
    let object = |p: &Data, c: &Data| merge_object(inner, p, c);
    let derived = |p: &Data, c: &Data| derived_attributes(inner, p, c);
    merge_many(nesting, prior, config, &object, &derived)
}

/// The object of nested attributes; a null prior counts as one of nulls.
fn merge_object(attributes: &[Attribute], prior: &Data, config: &Data) -> Data {
    if matches!(config, Data::Null | Data::Unknown) {
        return config.clone();
    }
    let merged = attributes.iter().map(|a| {
        let value = merge_attribute(a, inside(prior, &a.name), inside(config, &a.name));
        (a.name.clone(), value)
    });
    Data::Map(merged.collect())
}

fn merge_block(nested: &NestedBlock, prior: &Data, config: &Data) -> Data {
    if matches!(config, Data::Unknown | Data::Dynamic(..)) {
        return config.clone();
    }
    if config.is_null() && nested.nesting == Nesting::Single {
        return Data::Null;
    }
    let object = |p: &Data, c: &Data| proposed_new(&nested.block, p, c);
    let derived = |p: &Data, c: &Data| derived_block(&nested.block, p, c);
    merge_many(nested.nesting, prior, config, &object, &derived)
}

type Merge<'a> = &'a dyn Fn(&Data, &Data) -> Data;
type Derived<'a> = &'a dyn Fn(&Data, &Data) -> bool;

fn merge_many(
    nesting: Nesting,
    prior: &Data,
    config: &Data,
    object: Merge<'_>,
    derived: Derived<'_>,
) -> Data {
    match (nesting, config) {
        (Nesting::Single | Nesting::Group, _) => object(prior, config),
        (Nesting::List, Data::List(items)) => {
            let merged = items.iter().enumerate().map(|(at, item)| match prior {
                Data::Unknown => object(prior, item),
                Data::List(priors) => match priors.get(at) {
                    Some(p) => object(p, item),
                    None => item.clone(),
                },
                _ => item.clone(),
            });
            Data::List(merged.collect())
        }
        (Nesting::Map, Data::Map(entries)) => {
            let merged = entries.iter().map(|(key, item)| {
                let value = match prior {
                    Data::Unknown => object(prior, item),
                    Data::Map(priors) => match priors.get(key) {
                        Some(p) => object(p, item),
                        None => item.clone(),
                    },
                    _ => item.clone(),
                };
                (key.clone(), value)
            });
            Data::Map(merged.collect())
        }
        (Nesting::Set, Data::List(items)) => merge_set(prior, items, object, derived),
        _ => config.clone(),
    }
}

fn merge_set(prior: &Data, items: &[Data], object: Merge<'_>, derived: Derived<'_>) -> Data {
    let priors: &[Data] = match prior {
        Data::List(priors) => priors,
        _ => &[],
    };
    let mut used = vec![false; priors.len()];
    let mut merged: Vec<Data> = Vec::with_capacity(items.len());
    for item in items {
        let found = (0..priors.len()).find(|at| !used[*at] && derived(&priors[*at], item));
        let value = match found {
            Some(at) => {
                used[at] = true;
                object(&priors[at], item)
            }
            None if matches!(prior, Data::Unknown) => object(prior, item),
            None => object(&Data::Null, item),
        };
        merged.push(value);
    }
    merged.sort();
    Data::List(merged)
}

/// Whether a prior element can come from a configured one by filling computed attributes.
fn derived_block(block: &Block, prior: &Data, config: &Data) -> bool {
    if prior == config {
        return true;
    }
    if !matches!((prior, config), (Data::Map(_), Data::Map(_))) {
        return false;
    }
    derived_attributes(&block.attributes, prior, config)
        && block.blocks.iter().all(|nested| {
            let (p, c) = (inside(prior, &nested.name), inside(config, &nested.name));
            let object = |p: &Data, c: &Data| derived_block(&nested.block, p, c);
            derived_many(nested.nesting, p, c, &object)
        })
}

fn derived_attributes(attributes: &[Attribute], prior: &Data, config: &Data) -> bool {
    if prior == config {
        return true;
    }
    if !matches!((prior, config), (Data::Map(_), Data::Map(_))) {
        return false;
    }
    attributes.iter().all(|a| {
        let (p, c) = (inside(prior, &a.name), inside(config, &a.name));
        if p == c {
            return true;
        }
        match &a.kind {
            AttributeKind::Value(Type::Set(_)) if !c.is_null() => false,
            AttributeKind::Nested(nesting, inner) if !c.is_null() => {
                let object = |p: &Data, c: &Data| derived_attributes(inner, p, c);
                derived_many(*nesting, p, c, &object)
            }
            _ => a.computed && c.is_null(),
        }
    })
}

fn derived_many(nesting: Nesting, prior: &Data, config: &Data, object: Derived<'_>) -> bool {
    if prior == config {
        return true;
    }
    match (nesting, prior, config) {
        (Nesting::Set, _, _) => false,
        (Nesting::Single | Nesting::Group, _, _) => object(prior, config),
        (Nesting::List, Data::List(ps), Data::List(cs)) => {
            ps.len() == cs.len() && ps.iter().zip(cs).all(|(p, c)| object(p, c))
        }
        (Nesting::Map, Data::Map(ps), Data::Map(cs)) => {
            ps.len() == cs.len()
                && ps
                    .iter()
                    .all(|(key, p)| cs.get(key).is_some_and(|c| object(p, c)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
