//! Records of other versions and odd records.

use super::*;
use crate::kit::{Field, Presence};
use pravo_state::Data;

fn shape() -> Shape {
    Shape::new(
        "A type.",
        vec![
            Field::text("text", Presence::Optional),
            Field::integer("number", Presence::Optional),
            Field::flag("flag", Presence::Optional),
            Field::texts("list", Presence::Optional),
            Field::text_map("map", Presence::Optional),
        ],
    )
}

#[test]
fn reads_what_fits_and_drops_the_rest() {
    let json = r#"{"text": 1.50, "number": "9007199254740993", "flag": "1", "gone": {"a": [1]},
        "list": ["a", null], "map": {"k": true}}"#;
    let object = read(&shape(), json.as_bytes()).unwrap();
    assert_eq!(object.text("text"), Some("1.50"));
    assert_eq!(object.integer("number"), Some(9_007_199_254_740_993));
    assert_eq!(object.flag("flag"), Some(true));
    assert_eq!(object.list("list"), ["a".into(), Data::Null]);
    assert_eq!(object.map("map").unwrap()["k"], "true".into());
    assert_eq!(object.iter().count(), 5);
}

#[test]
fn missing_attributes_are_null() {
    let object = read(&shape(), b"{}").unwrap();
    assert!(object.iter().all(|(_, value)| value.is_null()));
}

#[test]
fn refuses_what_does_not_fit() {
    let wrong = [
        "",
        "[]",
        "null",
        "{",
        r#"{"number": true}"#,
        r#"{"flag": 1}"#,
        r#"{"list": "a"}"#,
        r#"{"map": []}"#,
        r#"{"text": {}}"#,
        r#"{"number": "x"}"#,
    ];
    for json in wrong {
        assert!(read(&shape(), json.as_bytes()).is_err(), "{json}");
    }
    let deep = format!("{{\"text\": {}", "[".repeat(100_000));
    assert!(read(&shape(), deep.as_bytes()).is_err());
}
