//! Schemas and values for the tests of this room.

use pravo_state::Data;
use pravo_state::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};

/// An attribute; `flags` holds `r`, `o`, `c`, `w` for required, optional, computed, write-only.
pub(crate) fn attribute(name: &str, flags: &str, kind: AttributeKind) -> Attribute {
    Attribute {
        name: name.into(),
        kind,
        required: flags.contains('r'),
        optional: flags.contains('o'),
        computed: flags.contains('c'),
        sensitive: flags.contains('s'),
        write_only: flags.contains('w'),
        deprecated: false,
        description: String::new(),
    }
}

pub(crate) fn text(name: &str, flags: &str) -> Attribute {
    attribute(name, flags, AttributeKind::Value(Type::String))
}

pub(crate) fn nested(name: &str, nesting: Nesting, attributes: Vec<Attribute>) -> NestedBlock {
    NestedBlock {
        name: name.into(),
        nesting,
        block: block(attributes, vec![]),
        min_items: 0,
        max_items: 0,
    }
}

pub(crate) fn block(attributes: Vec<Attribute>, blocks: Vec<NestedBlock>) -> Block {
    Block {
        attributes,
        blocks,
        description: String::new(),
        deprecated: false,
    }
}

/// An object of these entries.
pub(crate) fn object(entries: &[(&str, Data)]) -> Data {
    Data::Map(
        entries
            .iter()
            .map(|(k, v)| ((*k).to_owned(), v.clone()))
            .collect(),
    )
}

pub(crate) fn list(items: &[Data]) -> Data {
    Data::List(items.to_vec())
}
