//! Paths inside values, there and back.

use super::*;

#[test]
fn text_is_cues() {
    for text in [
        "",
        "triggers",
        "triggers[\"stage\"]",
        "triggers[\"a-b.c\"]",
        "subject[0].common_name",
        "\"odd-name\"[12].x",
        "a[\"with \\\"quotes\\\"\"]",
    ] {
        let path = AttributePath::parse(text).unwrap();
        assert_eq!(path.to_string(), text);
    }
    let key = AttributePath::attribute("list").then(PathStep::Index(0));
    assert_eq!(key.to_string(), "list[0]");
}

#[test]
fn other_text_is_refused() {
    for text in ["a.", ".a", "a[", "a[]", "a[x]", "a[\"x\"", "a[0]b", "[-1]"] {
        assert_eq!(AttributePath::parse(text), None, "{text}");
    }
}
