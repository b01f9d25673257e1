//! Outputs: their text, and how runs merge theirs.

use super::*;

fn output(value: Value) -> Output {
    Output::new(value, false).unwrap()
}

#[test]
fn sensitive_outputs_stand_in_their_own_form() {
    let outputs = Outputs(
        [
            ("url".to_owned(), output(json!("http://localhost"))),
            (
                "digest".to_owned(),
                Output::new(json!("s3cret"), true).unwrap(),
            ),
        ]
        .into(),
    );
    let want = "{\n  \"digest\": {\n    \"$sensitive\": \"s3cret\"\n  },\n  \"url\": \"http://localhost\"\n}\n";
    assert_eq!(outputs.to_text(), want);
    assert_eq!(Outputs::parse(want.as_bytes()).unwrap(), outputs);
    assert!(!format!("{outputs:?}").contains("s3cret"));
    assert_eq!(outputs.bare()["digest"], "s3cret");
    assert_eq!(Outputs::default().to_text(), "{}\n");
}

#[test]
fn a_value_that_looks_sensitive_is_refused() {
    assert!(Output::new(json!({"$sensitive": 1}), false).is_err());
    assert!(Output::new(json!({"$sensitive": 1, "b": 2}), false).is_ok());
}

#[test]
fn a_run_changes_only_its_own_outputs() {
    let mut outputs = Outputs(
        [("a", 1), ("b", 2), ("c", 3)]
            .map(|(k, v)| (k.to_owned(), output(json!(v))))
            .into(),
    );
    outputs.merge(&OutputChanges {
        set: [
            ("b".to_owned(), output(json!(20))),
            ("d".to_owned(), output(json!(4))),
        ]
        .into(),
        removed: vec!["a".to_owned(), "x".to_owned()],
    });
    assert_eq!(outputs.bare(), json!({"b": 20, "c": 3, "d": 4}));
}
