//! What an answer may make of a plan.

use super::compatible;
use crate::schema_for_tests::{attribute, block, list, nested, object, text};
use pravo_state::Data;
use pravo_state::schema::{AttributeKind, Block, Nesting, Type};
use proptest::prelude::*;

fn schema() -> Block {
    let set = AttributeKind::Value(Type::Set(Box::new(Type::String)));
    let map = AttributeKind::Value(Type::Map(Box::new(Type::String)));
    block(
        vec![
            text("a", "oc"),
            attribute("m", "oc", map),
            attribute("s", "oc", set),
        ],
        vec![nested("n", Nesting::List, vec![text("b", "oc")])],
    )
}

fn state(a: Data, m: Data, s: Data, n: Data) -> Data {
    object(&[("a", a), ("m", m), ("s", s), ("n", n)])
}

fn texts(planned: &Data, actual: &Data) -> Vec<String> {
    compatible(&schema(), planned, actual)
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn unknown_becomes_anything_and_known_stays() {
    let none = || list(&[]);
    let unknown = || Data::Unknown;
    let planned = state(unknown(), unknown(), unknown(), unknown());
    let actual = state(
        "x".into(),
        object(&[("k", "v".into())]),
        list(&["e".into()]),
        none(),
    );
    assert!(texts(&planned, &actual).is_empty());
    let planned = state("x".into(), Data::Null, list(&["e".into()]), none());
    let actual = state(
        "y".into(),
        object(&[]),
        list(&["f".into()]),
        list(&[object(&[])]),
    );
    assert_eq!(
        texts(&planned, &actual),
        [
            "a has another value",
            "m was absent and is now present",
            "s has other elements",
            "n has another number of blocks"
        ]
    );
}

#[test]
fn a_known_value_must_not_become_unknown_or_null() {
    let planned = state(
        "x".into(),
        object(&[("k", "v".into())]),
        list(&[]),
        list(&[]),
    );
    let unknown = state(
        Data::Unknown,
        object(&[("k", Data::Null)]),
        list(&[]),
        list(&[]),
    );
    assert_eq!(
        texts(&planned, &unknown),
        [
            "a was known and is now unknown",
            "m[\"k\"] was present and is now absent"
        ]
    );
}

#[test]
fn elements_of_a_set_may_become_fewer_and_not_more() {
    let none = || Data::Null;
    let planned = state(
        none(),
        none(),
        list(&[Data::Unknown, Data::Unknown]),
        list(&[]),
    );
    let fewer = state(none(), none(), list(&["x".into()]), list(&[]));
    assert!(texts(&planned, &fewer).is_empty());
    let more = list(&["x".into(), "y".into(), "z".into()]);
    assert_eq!(
        texts(&planned, &state(none(), none(), more, list(&[]))),
        ["s has more elements"]
    );
}

fn value() -> impl Strategy<Value = Data> {
    let leaf = prop_oneof![
        Just(Data::Null),
        Just(Data::Unknown),
        any::<bool>().prop_map(Data::from),
        "[a-c]{0,2}".prop_map(Data::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Data::List),
            prop::collection::btree_map("[a-c]", inner, 0..4).prop_map(Data::Map),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_is_compatible_with_itself_and_with_unknown(data in value()) {
        let schema = block(vec![attribute("d", "oc", AttributeKind::Value(Type::Dynamic))], vec![]);
        let whole = object(&[("d", data)]);
        prop_assert!(compatible(&schema, &whole, &whole).is_empty() || !whole.is_wholly_known());
        let unknown = object(&[("d", Data::Unknown)]);
        prop_assert!(compatible(&schema, &unknown, &whole).is_empty());
    }

    #[test]
    fn filling_unknown_parts_is_compatible(data in value(), filler in "[a-z]{1,3}") {
        fn fill(data: &Data, filler: &str) -> Data {
            match data {
                Data::Unknown => filler.into(),
                Data::List(items) => Data::List(items.iter().map(|i| fill(i, filler)).collect()),
                Data::Map(m) => {
                    Data::Map(m.iter().map(|(k, v)| (k.clone(), fill(v, filler))).collect())
                }
                other => other.clone(),
            }
        }
        let schema = block(vec![attribute("d", "oc", AttributeKind::Value(Type::Dynamic))], vec![]);
        let actual = object(&[("d", fill(&data, &filler))]);
        let planned = object(&[("d", data)]);
        prop_assert!(compatible(&schema, &planned, &actual).is_empty());
    }
}
