//! Parts together are the whole.

use super::{Formatter, Style, in_parts};
use crate::syntax::names::Names;
use crate::syntax::parser::{Options, parse_file};
use crate::syntax::source::Sources;
use proptest::prelude::*;
use std::cell::Cell;

/// Values as text, with blocks in blocks, lists, columns of cells, and chains of single fields.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("\"text\"".to_owned()),
        Just("string | *\"\"".to_owned()),
        Just("\"\"\"\n\ttext\n\t\"\"\"".to_owned()),
        Just("{}".to_owned()),
    ];
    leaf.prop_recursive(4, 200, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..3).prop_map(|v| format!("[{}]", v.join(", "))),
            prop::collection::vec((inner, any::<bool>()), 0..8).prop_map(|members| {
                let mut out = "{\n".to_owned();
                for (i, (value, section)) in members.iter().enumerate() {
                    let label = "abcdefgh".get(..=i % 8).unwrap_or("x");
                    out += &format!("{label}{i}: {value}\n{}", if *section { "\n" } else { "" });
                }
                out + "}"
            }),
        ]
    })
}

fn whole(tree: &crate::syntax::tree::Tree, names: &Names, style: Style) -> String {
    let mut f = Formatter::new(tree, names, style, 0);
    f.file();
    f.finish()
}

#[test]
fn parts_make_the_whole() {
    let parted = Cell::new(0);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let files = prop::collection::vec(value(), 1..12);
    let result = runner.run(&files, |values| {
        let mut text = String::new();
        for (i, value) in values.iter().enumerate() {
            text += &format!("field{i}: {value}\n");
        }
        let (mut sources, mut names) = (Sources::new(), Names::new());
        let file = sources.add("t.cue", text.as_str()).unwrap();
        let parsed = parse_file(&sources, file, &mut names, &Options::default());
        prop_assert_eq!(parsed.errors.len(), 0);
        for (parts, spaces) in [(2, false), (3, true), (5, false)] {
            let style = Style {
                simplify: false,
                spaces,
            };
            let whole = whole(&parsed.tree, &names, style);
            if let Some(text) = in_parts(&parsed.tree, &names, style, parts) {
                prop_assert_eq!(text, whole);
                parted.set(parted.get() + 1);
            }
        }
        Ok(())
    });
    result.unwrap();
    assert!(parted.get() > 50, "few files had parts: {}", parted.get());
}
