//! Each validator, with null and unknown values.

use super::*;
use crate::kit::Severity;

const GROUP: &[&str] = &["a", "b"];

fn shape() -> Shape {
    let text = |name| Field::text(name, Presence::Optional);
    Shape::new(
        "A type.",
        vec![
            text("a").check(Check::ExactlyOneOf(GROUP)),
            text("b").check(Check::ExactlyOneOf(GROUP)),
            Field::integer("length", Presence::Required)
                .check(Check::AtLeast(1))
                .check(Check::AtLeastSumOf(&["least", "other"])),
            Field::integer("least", Presence::Optional),
            Field::integer("other", Presence::Optional),
            text("old").deprecated("Use `a`."),
            Field::text("id", Presence::Computed),
        ],
    )
}

/// The paths and severities of what is wrong with `a = "x"`, `length = 3` and these values.
fn faults(entries: &[(&str, Data)]) -> Vec<(String, Severity)> {
    let mut config = Object::default().with("a", "x").with("length", 3);
    for (name, value) in entries {
        config.set(name, value.clone());
    }
    validate("x", &shape(), &config)
        .into_sorted()
        .into_iter()
        .map(|fault| (fault.path.to_string(), fault.severity))
        .collect()
}

fn errors(paths: &[&str]) -> Vec<(String, Severity)> {
    let error = |path: &&str| ((*path).to_owned(), Severity::Error);
    paths.iter().map(error).collect()
}

#[test]
fn nothing_wrong() {
    assert_eq!(faults(&[]), []);
}

#[test]
fn required_and_computed() {
    assert_eq!(faults(&[("length", Data::Null)]), errors(&["length"]));
    assert_eq!(faults(&[("length", Data::Unknown)]), []);
    assert_eq!(faults(&[("id", "x".into())]), errors(&["id"]));
    assert_eq!(faults(&[("id", Data::Unknown)]), errors(&["id"]));
}

#[test]
fn exactly_one_of_a_group() {
    assert_eq!(faults(&[("b", "y".into())]), errors(&["a", "b"]));
    assert_eq!(faults(&[("a", Data::Null)]), errors(&["a", "b"]));
    assert_eq!(faults(&[("b", Data::Unknown)]), []);
    let open = [("a", Data::Null), ("b", Data::Unknown)];
    assert_eq!(faults(&open), []);
}

#[test]
fn limits() {
    assert_eq!(faults(&[("length", 0.into())]), errors(&["length"]));
    let sum = [("least", 2.into()), ("other", 2.into())];
    assert_eq!(faults(&sum), errors(&["length"]));
    let open = [("least", 9.into()), ("other", Data::Unknown)];
    assert_eq!(faults(&open), []);
    let far = [("least", i64::MAX.into()), ("other", i64::MAX.into())];
    assert_eq!(faults(&far), errors(&["length"]));
}

#[test]
fn whole_numbers() {
    for text in ["1.5", "9223372036854775808", "-9223372036854775809"] {
        let number = Data::Number(pravo_state::Number::parse(text).unwrap());
        assert_eq!(faults(&[("length", number)]), errors(&["length"]), "{text}");
    }
}

#[test]
fn deprecated() {
    let warned = [("old".to_owned(), Severity::Warning)];
    assert_eq!(faults(&[("old", "x".into())]), warned);
    assert_eq!(faults(&[("old", Data::Unknown)]), []);
    let config = Object::default().with("a", "x").with("length", 3);
    let all = validate("x", &shape().deprecated("Use another."), &config).into_sorted();
    assert_eq!(all.len(), 1);
    assert!(all[0].path.0.is_empty());
}
