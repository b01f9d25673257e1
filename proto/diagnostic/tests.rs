//! Odd diagnostics and paths of real plugins.

use super::*;

fn step(selector: Option<Selector>) -> wire::attribute_path::Step {
    wire::attribute_path::Step { selector }
}

#[test]
fn diagnostics_go_there_and_back() {
    let mut diagnostic = Diagnostic::error("Invalid value");
    diagnostic.detail = "It is too long.".into();
    diagnostic.attribute = Some("subject[0].names[\"a b\"]".into());
    let both = vec![diagnostic, Diagnostic::warning("Old")];
    assert_eq!(from_wire(to_wire(&both)), both);
}

#[test]
fn an_empty_summary_is_replaced_by_the_detail() {
    let read = from_wire(vec![wire::Diagnostic {
        severity: 0,
        summary: String::new(),
        detail: "text".into(),
        attribute: Some(wire::AttributePath { steps: vec![] }),
    }]);
    assert_eq!(read, [Diagnostic::error("text")]);
}

#[test]
fn odd_steps_are_skipped() {
    let path = wire::AttributePath {
        steps: vec![
            step(Some(Selector::AttributeName("a".into()))),
            step(None),
            step(Some(Selector::ElementKeyInt(2))),
            step(Some(Selector::ElementKeyInt(-1))),
            step(Some(Selector::AttributeName("b".into()))),
        ],
    };
    assert_eq!(path_from_wire(&path).to_string(), "a[2]");
}
