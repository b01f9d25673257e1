//! Encoders against recorded answers.

use super::{JsonStyle, write_json, write_yaml};
use crate::builtin::read_json;
use proptest::prelude::*;

/// Cases are `=== JSON` lines, each followed by the text it is written as.
fn cases(text: &str) -> Vec<(&str, String)> {
    text.split("=== ")
        .skip(1)
        .map(|case| {
            let (input, want) = case.split_once('\n').expect("an answer follows its input");
            (input, want.to_owned())
        })
        .collect()
}

#[test]
fn yaml_is_written_as_recorded() {
    let all = cases(include_str!("../../../tests/cue/print/yaml.txt"));
    assert!(all.len() > 100, "the cases are read");
    let wrong: Vec<_> = all
        .iter()
        .map(|(input, want)| {
            let data = read_json(input.as_bytes()).expect("inputs are JSON");
            (input, write_yaml(&data), want)
        })
        .filter(|(_, got, want)| got != *want)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn json_is_written_as_recorded() {
    let all = cases(include_str!("../../../tests/cue/print/json.txt"));
    assert!(all.len() > 20, "the cases are read");
    for (input, want) in all {
        let data = read_json(input.as_bytes()).expect("inputs are JSON");
        let style = JsonStyle {
            indent: Some("    "),
            escape_html: false,
        };
        assert_eq!(write_json(&data, style) + "\n", want, "{input}");
    }
}

proptest! {
    #[test]
    fn json_reads_back(text in "\\PC{0,12}", number in any::<i64>()) {
        let input = crate::builtin::Data::Struct(vec![
            (text.clone(), crate::builtin::Data::from(number)),
            ("list".into(), crate::builtin::Data::strings([text])),
        ]);
        for indent in [None, Some("  ")] {
            let written = write_json(&input, JsonStyle { indent, escape_html: true });
            prop_assert_eq!(read_json(written.as_bytes()), Ok(input.clone()));
        }
    }
}
