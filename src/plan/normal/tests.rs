//! Equal objects get one form; secrets and unknown parts leave what is kept.

use super::{canonical, without_write_only};
use crate::schema_for_tests::{attribute, block, list, nested, object, text};
use pravo_state::Data;
use pravo_state::schema::{AttributeKind, Nesting, Type};

#[test]
fn sets_are_sorted_and_have_each_element_once() {
    let kind = AttributeKind::Value(Type::Map(Box::new(Type::Set(Box::new(Type::String)))));
    let schema = block(
        vec![attribute("s", "o", kind)],
        vec![nested("n", Nesting::Set, vec![text("a", "o")])],
    );
    let given = object(&[
        (
            "s",
            object(&[("k", list(&["b".into(), "a".into(), "b".into()]))]),
        ),
        (
            "n",
            list(&[object(&[("a", "2".into())]), object(&[("a", "1".into())])]),
        ),
    ]);
    let expected = object(&[
        ("s", object(&[("k", list(&["a".into(), "b".into()]))])),
        (
            "n",
            list(&[object(&[("a", "1".into())]), object(&[("a", "2".into())])]),
        ),
    ]);
    assert_eq!(canonical(&schema, given), expected);
}

#[test]
fn two_unknown_elements_of_a_set_stay_two() {
    let kind = AttributeKind::Value(Type::Set(Box::new(Type::String)));
    let schema = block(vec![attribute("s", "o", kind)], vec![]);
    let given = object(&[("s", list(&[Data::Unknown, Data::Unknown]))]);
    assert_eq!(canonical(&schema, given.clone()), given);
}

#[test]
fn write_only_values_leave_and_are_named() {
    let schema = block(
        vec![text("password", "ow")],
        vec![nested(
            "n",
            Nesting::List,
            vec![text("key", "ow"), text("name", "o")],
        )],
    );
    let given = object(&[
        ("password", "secret".into()),
        (
            "n",
            list(&[object(&[("key", "k".into()), ("name", "x".into())])]),
        ),
    ]);
    let (left, found) = without_write_only(&schema, given);
    let expected = object(&[
        ("password", Data::Null),
        (
            "n",
            list(&[object(&[("key", Data::Null), ("name", "x".into())])]),
        ),
    ]);
    assert_eq!(left, expected);
    let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["password", "n[0].key"]);
}
