//! What a provider may plan and what not.

use super::check_plan;
use crate::schema_for_tests::{attribute, block, list, nested, object, text};
use pravo_state::Data;
use pravo_state::schema::{AttributeKind, Block, Nesting};

fn texts(schema: &Block, prior: &Data, config: &Data, planned: &Data) -> Vec<String> {
    check_plan(schema, prior, config, planned)
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn one(flags: &str, prior: Data, config: Data, planned: Data) -> usize {
    let schema = block(vec![text("a", flags)], vec![]);
    let wrap = |value: Data| object(&[("a", value)]);
    check_plan(&schema, &wrap(prior), &wrap(config), &wrap(planned)).len()
}

#[test]
fn a_single_attribute() {
    let (x, y) = || -> (Data, Data) { ("x".into(), "y".into()) }();
    let null = || Data::Null;
    assert_eq!(one("o", null(), x.clone(), x.clone()), 0, "as configured");
    assert_eq!(
        one("o", x.clone(), y.clone(), x.clone()),
        0,
        "an equal value is kept"
    );
    assert_eq!(one("o", null(), x.clone(), y.clone()), 1, "another value");
    assert_eq!(
        one("oc", null(), x.clone(), y.clone()),
        1,
        "another value, computed"
    );
    assert_eq!(
        one("c", x.clone(), null(), Data::Unknown),
        0,
        "computed, anything"
    );
    assert_eq!(
        one("oc", null(), null(), x.clone()),
        0,
        "the provider chooses"
    );
    assert_eq!(
        one("o", null(), null(), x.clone()),
        1,
        "a value nobody configured"
    );
    assert_eq!(one("ow", null(), x.clone(), null()), 0, "write-only");
    assert_eq!(one("o", null(), x, null()), 1, "dropped");
}

#[test]
fn blocks_keep_their_count_and_keys() {
    let schema = block(
        vec![],
        vec![
            nested("list", Nesting::List, vec![text("a", "o"), text("id", "c")]),
            nested("map", Nesting::Map, vec![text("a", "o")]),
        ],
    );
    let element = |a: &str, id: Data| object(&[("a", a.into()), ("id", id)]);
    let keyed = |key: &str| object(&[(key, object(&[("a", "x".into())]))]);
    let config = object(&[
        ("list", list(&[element("x", Data::Null)])),
        ("map", keyed("k")),
    ]);
    let good = object(&[
        ("list", list(&[element("x", Data::Unknown)])),
        ("map", keyed("k")),
    ]);
    assert!(texts(&schema, &Data::Null, &config, &good).is_empty());
    let bad = object(&[("list", list(&[])), ("map", keyed("other"))]);
    assert_eq!(
        texts(&schema, &Data::Null, &config, &bad),
        [
            "list is planned with another number of elements",
            "map is planned with other keys"
        ]
    );
    let changed = object(&[
        ("list", list(&[element("y", Data::Null)])),
        ("map", keyed("k")),
    ]);
    assert_eq!(
        texts(&schema, &Data::Null, &config, &changed),
        ["list[0].a is planned with another value than the configured one"]
    );
}

#[test]
fn an_unknown_collection_of_blocks_is_planned_back_as_it_is() {
    let schema = block(
        vec![],
        vec![nested("list", Nesting::List, vec![text("a", "o")])],
    );
    let unknown = object(&[("list", Data::Unknown)]);
    assert!(texts(&schema, &Data::Null, &unknown, &unknown).is_empty());
    let known = object(&[("list", list(&[]))]);
    assert_eq!(texts(&schema, &Data::Null, &unknown, &known).len(), 1);
    assert_eq!(texts(&schema, &Data::Null, &known, &unknown).len(), 1);
}

#[test]
fn nested_attributes_are_checked_one_by_one() {
    let inner = vec![text("a", "o"), text("id", "c")];
    let kind = AttributeKind::Nested(Nesting::Map, inner);
    let schema = block(vec![attribute("n", "o", kind)], vec![]);
    let value = |a: &str, id: Data| {
        object(&[(
            "n",
            object(&[("k", object(&[("a", a.into()), ("id", id)]))]),
        )])
    };
    let config = value("x", Data::Null);
    assert!(texts(&schema, &Data::Null, &config, &value("x", Data::Unknown)).is_empty());
    assert_eq!(
        texts(&schema, &Data::Null, &config, &value("y", Data::Unknown)),
        ["n[\"k\"].a is planned with another value than the configured one"]
    );
}

#[test]
fn the_whole_object_is_there_when_it_is_configured() {
    let schema = block(vec![], vec![]);
    let object = object(&[]);
    assert_eq!(texts(&schema, &Data::Null, &object, &Data::Null).len(), 1);
    assert_eq!(texts(&schema, &Data::Null, &Data::Null, &object).len(), 1);
}
