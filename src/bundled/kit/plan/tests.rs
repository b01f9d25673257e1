//! The rules of a plan, on a small type.

use super::*;
use crate::kit::{Check, Fault, Presence};

fn shape() -> Shape {
    Shape::new(
        "A type.",
        vec![
            Field::text("name", Presence::Required).replace(),
            Field::text("note", Presence::Optional),
            Field::integer("size", Presence::OptionalComputed)
                .default(2)
                .check(Check::AtLeast(1)),
            Field::text("mode", Presence::OptionalComputed),
            Field::text("kept", Presence::Computed).keep(),
            Field::text("fresh", Presence::Computed),
            Field::text("follows", Presence::Computed).replace(),
        ],
    )
}

fn object(entries: &[(&str, Data)]) -> Data {
    let mut object = Object::default();
    for (name, value) in entries {
        object.set(name, value.clone());
    }
    shape().complete(&object).into()
}

fn prior() -> Data {
    object(&[
        ("name", "a".into()),
        ("size", 2.into()),
        ("mode", "m".into()),
        ("kept", "k".into()),
        ("fresh", "f".into()),
        ("follows", "w".into()),
    ])
}

fn paths(planned: &Planned) -> Vec<String> {
    planned
        .requires_replace
        .iter()
        .map(AttributePath::to_string)
        .collect()
}

#[test]
fn a_destroy_plans_nothing() {
    let planned = plan(&shape(), &prior(), &Data::Null, &Data::Null);
    assert_eq!(planned, Planned::default());
}

#[test]
fn a_create_knows_the_defaults_and_no_computed_value() {
    let config = object(&[("name", "a".into())]);
    let planned = plan(&shape(), &Data::Null, &config, &config);
    let expected = object(&[
        ("name", "a".into()),
        ("size", 2.into()),
        ("mode", Data::Unknown),
        ("kept", Data::Unknown),
        ("fresh", Data::Unknown),
        ("follows", Data::Unknown),
    ]);
    assert_eq!(planned.state, expected);
    assert!(planned.requires_replace.is_empty());
}

#[test]
fn no_change_stays_known() {
    let config = object(&[("name", "a".into())]);
    let planned = plan(&shape(), &prior(), &config, &prior());
    assert_eq!(planned.state, prior());
    assert!(planned.requires_replace.is_empty());
}

#[test]
fn a_change_opens_what_is_not_kept() {
    let config = object(&[("name", "a".into()), ("note", "n".into())]);
    let mut proposed = Object::of(&prior()).unwrap();
    proposed.set("note", "n");
    let planned = plan(&shape(), &prior(), &config, &proposed.into());
    let expected = object(&[
        ("name", "a".into()),
        ("note", "n".into()),
        ("size", 2.into()),
        ("mode", Data::Unknown),
        ("kept", "k".into()),
        ("fresh", Data::Unknown),
        ("follows", Data::Unknown),
    ]);
    assert_eq!(planned.state, expected);
    assert_eq!(paths(&planned), ["follows"]);
}

#[test]
fn replacements_are_sorted_and_an_unknown_differs() {
    let config = object(&[("name", Data::Unknown)]);
    let mut proposed = Object::of(&prior()).unwrap();
    proposed.set("name", Data::Unknown);
    let planned = plan(&shape(), &prior(), &config, &proposed.into());
    assert_eq!(paths(&planned), ["follows", "name"]);
    assert_eq!(planned.state.get("kept"), Some(&"k".into()));
}

#[test]
fn a_record_without_the_default_gets_it() {
    let mut older = Object::of(&prior()).unwrap();
    older.set("size", Data::Null);
    let older = Data::from(older);
    let config = object(&[("name", "a".into())]);
    let planned = plan(&shape(), &older, &config, &older);
    assert_eq!(planned.state.get("size"), Some(&2.into()));
    assert_eq!(planned.state.get("fresh"), Some(&Data::Unknown));
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let config = object(&[("name", "a".into()), ("size", number("1.5"))]);
    let planned = plan(&shape(), &Data::Null, &config, &config);
    let faults: Vec<Fault> = planned.faults.into_sorted();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].path, AttributePath::attribute("size"));
}

fn number(text: &str) -> Data {
    Data::Number(pravo_state::Number::parse(text).unwrap())
}
