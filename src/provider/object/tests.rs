//! What absent blocks are, and what plugins of the older kit leave out.

use super::*;
use pravo_state::{Attribute, AttributeKind, Type};

fn block(depth: usize) -> Block {
    let attribute = Attribute {
        name: "a".into(),
        kind: AttributeKind::Value(Type::List(Box::new(Type::String))),
        required: false,
        optional: true,
        computed: false,
        sensitive: false,
        write_only: false,
        deprecated: false,
        description: String::new(),
    };
    let nestings = [
        ("group", Nesting::Group),
        ("list", Nesting::List),
        ("map", Nesting::Map),
        ("set", Nesting::Set),
        ("single", Nesting::Single),
    ];
    let nested = |(name, nesting): (&str, Nesting)| NestedBlock {
        name: name.into(),
        nesting,
        block: block(depth - 1),
        min_items: 0,
        max_items: 0,
    };
    let blocks = match depth {
        0 => Vec::new(),
        _ => nestings.map(nested).into(),
    };
    Block {
        attributes: vec![attribute],
        blocks,
        ..Block::default()
    }
}

fn map(entries: &[(&str, Data)]) -> Data {
    let entries = entries.iter().map(|(k, v)| ((*k).to_owned(), v.clone()));
    Data::Map(entries.collect())
}

fn none() -> Data {
    Data::List(vec![])
}

#[test]
fn absent_blocks_are_empty_and_absent_attributes_null() {
    let inner = map(&[("a", Data::Null)]);
    let expected = map(&[
        ("a", Data::Null),
        ("group", inner.clone()),
        ("list", none()),
        ("map", map(&[])),
        ("set", none()),
        ("single", Data::Null),
    ]);
    assert_eq!(empty(&block(1)), expected);
    assert_eq!(complete(&block(1), Data::Null), Data::Null);
    let given = map(&[
        ("list", Data::List(vec![map(&[])])),
        ("single", Data::Unknown),
    ]);
    let done = complete(&block(1), given);
    assert_eq!(done.get("list"), Some(&Data::List(vec![inner])));
    assert_eq!(done.get("single"), Some(&Data::Unknown));
}

#[test]
fn objects_of_the_older_kit_are_repaired() {
    let inner = map(&[("a", Data::Unknown)]);
    let odd = map(&[
        ("a", none()),
        ("group", Data::Null),
        ("list", Data::Null),
        ("map", Data::Null),
        ("set", Data::Unknown),
        ("single", Data::Unknown),
    ]);
    let expected = map(&[
        ("a", none()),
        ("group", map(&[("a", Data::Null)])),
        ("list", none()),
        ("map", Data::Null),
        ("set", Data::List(vec![inner.clone()])),
        ("single", inner),
    ]);
    assert_eq!(normalise(&block(1), odd), expected);
    assert_eq!(normalise(&block(1), Data::Null), Data::Null);
}
