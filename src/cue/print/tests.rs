//! Encoders and printed values against recorded answers.

mod golden;

use super::{DataStyle, JsonStyle, to_data, write_json, write_yaml};
use crate::builtin::{Data, read_json};
use crate::eval::value::{Data as Of, Val};
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

/// The data of a field after it was printed and read again.
fn again(literal: &str) -> Data {
    let printed = golden::shown(&format!("a: {{b: {literal}}}"));
    let (ev, root) = golden::evaluated(&printed).unwrap_or_else(|e| panic!("{printed}{e}"));
    let value = Val::bare(Of::Vertex(root));
    let style = DataStyle { literals: false };
    let Ok(Data::Struct(fields)) = to_data(&ev, value, style) else {
        panic!("{printed} is a struct")
    };
    match fields.into_iter().next() {
        Some((_, Data::Struct(inner))) => inner.into_iter().next().expect("one field").1,
        _ => panic!("{printed} has a struct in it"),
    }
}

proptest! {
    #[test]
    fn json_reads_back(text in "\\PC{0,12}", number in any::<i64>()) {
        let input = Data::Struct(vec![
            (text.clone(), Data::from(number)),
            ("list".into(), Data::strings([text])),
        ]);
        for indent in [None, Some("  ")] {
            let written = write_json(&input, JsonStyle { indent, escape_html: true });
            prop_assert_eq!(read_json(written.as_bytes()), Ok(input.clone()));
        }
    }

    #[test]
    fn printed_text_reads_back(text in "(\\PC|[\n\t\r\u{0}\u{7}\u{1b}\\\\\"'#\u{feff}\u{2028}]){0,12}") {
        for source in [text.clone(), format!("{text}\n{text}")] {
            let style = JsonStyle { indent: None, escape_html: false };
            let literal = write_json(&Data::String(source.clone()), style)
                .replace('\u{feff}', "\\ufeff");
            prop_assert_eq!(again(&literal), Data::String(source));
        }
    }

    #[test]
    fn printed_bytes_read_back(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
        let hex: String = bytes.iter().map(|b| format!("\\x{b:02x}")).collect();
        prop_assert_eq!(again(&format!("'{hex}'")), Data::Bytes(bytes));
    }
}
