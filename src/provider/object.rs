//! Values that blocks have where nobody wrote any.

use pravo_state::{Block, Data, NestedBlock, Nesting};
use std::collections::BTreeMap;

/// The value of a block that nobody wrote: attributes null, blocks that occur often empty.
pub fn empty(block: &Block) -> Data {
    complete(block, Data::Map(BTreeMap::new()))
}

/// A configuration with everything that nobody wrote: null attributes, empty blocks. What is null
/// or unknown as a whole stays so.
pub fn complete(block: &Block, config: Data) -> Data {
    let Data::Map(mut entries) = config else {
        return config;
    };
    for attribute in &block.attributes {
        entries.entry(attribute.name.clone()).or_default();
    }
    for nested in &block.blocks {
        let value = entries.remove(&nested.name).unwrap_or_default();
        entries.insert(nested.name.clone(), fill(nested, value, &complete));
    }
    Data::Map(entries)
}

/// The value of a nested block, filled where it is absent, and its blocks by `inner`.
fn fill(nested: &NestedBlock, value: Data, inner: &dyn Fn(&Block, Data) -> Data) -> Data {
    let block = &nested.block;
    match (nested.nesting, value) {
        (Nesting::Group, Data::Null) => inner(block, Data::Map(BTreeMap::new())),
        (Nesting::List | Nesting::Set, Data::Null) => Data::List(Vec::new()),
        (Nesting::Map, Data::Null) => Data::Map(BTreeMap::new()),
        (Nesting::Single | Nesting::Group, value) => inner(block, value),
        (Nesting::List | Nesting::Set, Data::List(items)) => {
            Data::List(items.into_iter().map(|item| inner(block, item)).collect())
        }
        (Nesting::Map, Data::Map(entries)) => {
            let entries = entries.into_iter();
            Data::Map(
                entries
                    .map(|(key, item)| (key, inner(block, item)))
                    .collect(),
            )
        }
        (_, value) => value,
    }
}

/// An object as plugins of the older kit read it, in the form that the schema means: blocks that
/// are null become empty, blocks that are unknown as a whole become one block of unknown values.
/// Objects of other plugins stay as they are.
pub fn normalise(block: &Block, value: Data) -> Data {
    let Data::Map(mut entries) = value else {
        return value;
    };
    for nested in &block.blocks {
        if nested.block.implied_type().has_dynamic() {
            continue;
        }
        let value = entries.remove(&nested.name).unwrap_or_default();
        let value = match (nested.nesting, value) {
            (Nesting::Single | Nesting::Group, Data::Unknown) => unknown(&nested.block),
            (Nesting::List | Nesting::Set, Data::Unknown) => {
                Data::List(vec![unknown(&nested.block)])
            }
            (Nesting::Group, Data::Null) => empty(&nested.block),
            (Nesting::Map, value) => value,
            (_, value) => fill(nested, value, &normalise),
        };
        entries.insert(nested.name.clone(), value);
    }
    Data::Map(entries)
}

/// A block whose attributes are unknown.
fn unknown(block: &Block) -> Data {
    let Data::Map(mut entries) = empty(block) else {
        return Data::Unknown;
    };
    for attribute in &block.attributes {
        entries.insert(attribute.name.clone(), Data::Unknown);
    }
    Data::Map(entries)
}

#[cfg(test)]
mod tests;
