//! The merge rule by rule, for each place an attribute can stand.

use super::{empty_value, proposed_new};
use crate::schema_for_tests::{attribute, block, list, nested, object, text};
use pravo_state::Data;
use pravo_state::schema::{AttributeKind, Block, Nesting};

fn kinds() -> Vec<pravo_state::schema::Attribute> {
    vec![
        text("both", "oc"),
        text("computed", "c"),
        text("optional", "o"),
        text("required", "r"),
    ]
}

fn prior() -> Data {
    object(&[
        ("both", "b0".into()),
        ("computed", "c0".into()),
        ("optional", "o0".into()),
        ("required", "r0".into()),
    ])
}

fn config() -> Data {
    object(&[
        ("both", Data::Null),
        ("computed", Data::Null),
        ("optional", Data::Null),
        ("required", "r1".into()),
    ])
}

fn merged() -> Data {
    object(&[
        ("both", "b0".into()),
        ("computed", "c0".into()),
        ("optional", Data::Null),
        ("required", "r1".into()),
    ])
}

#[test]
fn at_the_top_computed_keeps_prior_and_optional_drops_it() {
    let schema = block(kinds(), vec![]);
    assert_eq!(proposed_new(&schema, &prior(), &config()), merged());
    assert_eq!(proposed_new(&schema, &Data::Null, &config()), config());
    assert_eq!(proposed_new(&schema, &Data::Null, &Data::Null), Data::Null);
}

#[test]
fn a_value_that_is_not_known_yet_is_proposed_as_it_is() {
    let schema = block(vec![text("both", "oc")], vec![]);
    let config = object(&[("both", Data::Unknown)]);
    assert_eq!(
        proposed_new(&schema, &object(&[("both", "b0".into())]), &config),
        config
    );
}

#[test]
fn every_nesting_of_a_block_merges_its_object() {
    for nesting in [
        Nesting::Single,
        Nesting::Group,
        Nesting::List,
        Nesting::Map,
        Nesting::Set,
    ] {
        let schema = block(vec![], vec![nested("n", nesting, kinds())]);
        let wrap = |inner: Data| {
            let value = match nesting {
                Nesting::Single | Nesting::Group => inner,
                Nesting::List | Nesting::Set => list(&[inner]),
                Nesting::Map => object(&[("k", inner)]),
            };
            object(&[("n", value)])
        };
        // an element of a set is only the same one when nothing but computed parts differ
        let (prior, expected) = if nesting == Nesting::Set {
            let mut same = prior();
            if let Data::Map(entries) = &mut same {
                entries.insert("optional".into(), Data::Null);
                entries.insert("required".into(), "r1".into());
            }
            (same, merged())
        } else {
            (prior(), merged())
        };
        let result = proposed_new(&schema, &wrap(prior), &wrap(config()));
        assert_eq!(result, wrap(expected), "{nesting:?}");
    }
}

#[test]
fn list_blocks_keep_computed_values_by_index_and_sets_by_content() {
    let attributes = || vec![text("id", "c"), text("name", "r")];
    let element = |id: Data, name: &str| object(&[("id", id), ("name", name.into())]);
    let listed = block(vec![], vec![nested("n", Nesting::List, attributes())]);
    let prior = object(&[(
        "n",
        list(&[element("1".into(), "a"), element("2".into(), "b")]),
    )]);
    let grown = object(&[(
        "n",
        list(&[
            element(Data::Null, "new"),
            element(Data::Null, "a"),
            element(Data::Null, "b"),
        ]),
    )]);
    let expected = object(&[(
        "n",
        list(&[
            element("1".into(), "new"),
            element("2".into(), "a"),
            element(Data::Null, "b"),
        ]),
    )]);
    assert_eq!(proposed_new(&listed, &prior, &grown), expected);

    let set = block(vec![], vec![nested("n", Nesting::Set, attributes())]);
    let swapped = object(&[(
        "n",
        list(&[element(Data::Null, "b"), element(Data::Null, "changed")]),
    )]);
    let Data::Map(entries) = proposed_new(&set, &prior, &swapped) else {
        panic!("an object")
    };
    let Data::List(items) = &entries["n"] else {
        panic!("a list")
    };
    assert!(items.contains(&element("2".into(), "b")));
    assert!(items.contains(&element(Data::Null, "changed")));
}

#[test]
fn a_dropped_nested_value_that_was_configured_is_null_and_a_computed_one_stays() {
    let inner = |flags| vec![text("set", flags)];
    let schema = |flags| -> Block {
        let kind = AttributeKind::Nested(Nesting::Single, inner(flags));
        block(vec![attribute("n", "oc", kind)], vec![])
    };
    let prior = object(&[("n", object(&[("set", "x".into())]))]);
    let config = object(&[("n", Data::Null)]);
    assert_eq!(proposed_new(&schema("o"), &prior, &config), config);
    assert_eq!(proposed_new(&schema("c"), &prior, &config), prior);
}

#[test]
fn with_an_unknown_prior_everything_computed_is_unknown() {
    let schema = block(
        kinds(),
        vec![nested("n", Nesting::List, vec![text("id", "c")])],
    );
    let mut with_block = config();
    if let Data::Map(entries) = &mut with_block {
        entries.insert("n".into(), list(&[object(&[("id", Data::Null)])]));
    }
    let expected = object(&[
        ("both", Data::Unknown),
        ("computed", Data::Unknown),
        ("optional", Data::Null),
        ("required", "r1".into()),
        ("n", list(&[object(&[("id", Data::Unknown)])])),
    ]);
    assert_eq!(proposed_new(&schema, &Data::Unknown, &with_block), expected);
}

#[test]
fn write_only_values_are_proposed() {
    let schema = block(vec![text("password", "ow")], vec![]);
    let config = object(&[("password", "secret".into())]);
    let prior = object(&[("password", Data::Null)]);
    assert_eq!(proposed_new(&schema, &prior, &config), config);
}

#[test]
fn the_empty_value_has_every_name() {
    let schema = block(
        vec![text("a", "o")],
        vec![
            nested("group", Nesting::Group, vec![text("b", "o")]),
            nested("list", Nesting::List, vec![]),
            nested("map", Nesting::Map, vec![]),
            nested("single", Nesting::Single, vec![]),
        ],
    );
    let expected = object(&[
        ("a", Data::Null),
        ("group", object(&[("b", Data::Null)])),
        ("list", list(&[])),
        ("map", object(&[])),
        ("single", Data::Null),
    ]);
    assert_eq!(empty_value(&schema), expected);
}
