//! Changes as lines: the examples of the documents and one case for each rule.

use super::*;
use pravo_state::{Attribute, Number};
use std::collections::BTreeMap;

fn attribute(name: &str, kind: Type) -> Attribute {
    Attribute {
        name: name.into(),
        kind: AttributeKind::Value(kind),
        required: false,
        optional: true,
        computed: false,
        sensitive: name == "secret",
        write_only: false,
        deprecated: false,
        description: String::new(),
    }
}

fn block() -> Block {
    let kinds = [
        ("id", Type::String),
        ("keepers", Type::Map(Box::new(Type::String))),
        ("list", Type::List(Box::new(Type::String))),
        ("max", Type::Number),
        ("min", Type::Number),
        ("secret", Type::String),
        ("set", Type::Set(Box::new(Type::String))),
        ("text", Type::String),
    ];
    let attributes = kinds.map(|(name, kind)| attribute(name, kind)).to_vec();
    Block {
        attributes,
        ..Block::default()
    }
}

fn data(entries: &[(&str, Data)]) -> Data {
    let mut all: BTreeMap<String, Data> = block()
        .attributes
        .into_iter()
        .map(|a| (a.name, Data::Null))
        .collect();
    all.extend(
        entries
            .iter()
            .map(|(name, value)| (name.to_string(), value.clone())),
    );
    Data::Map(all)
}

fn map(entries: &[(&str, Data)]) -> Data {
    Data::Map(
        entries
            .iter()
            .map(|(name, value)| (name.to_string(), value.clone()))
            .collect(),
    )
}

fn list(items: &[&str]) -> Data {
    Data::List(items.iter().map(|item| Data::from(*item)).collect())
}

fn render(before: Option<&Data>, after: Option<&Data>, replace: &[&str]) -> String {
    let schema = block();
    let mut differ = Differ::new(replace.iter().map(|path| path.to_string()).collect());
    differ.fields(Pair { before, after }, Shape::Block(&schema), "", 0);
    let line = |l: Line| {
        format!(
            "{} {}{}\n",
            l.glyph.columns(),
            "    ".repeat(l.depth),
            l.text
        )
    };
    differ.lines.into_iter().map(line).collect()
}

#[test]
fn a_replacement_aligns_to_hidden_names_and_names_its_cause() {
    let before = data(&[
        ("id", "28969".into()),
        ("max", Data::Number(Number::from(29999_i64))),
        ("min", Data::from(20000)),
    ]);
    let after = data(&[
        ("id", Data::Unknown),
        ("max", Data::from(29998)),
        ("min", Data::from(20000)),
    ]);
    let want = "  ~ id:      \"28969\" -> (known after apply)\n  ~ max:     29999 -> 29998 # forces replacement\n    min:     20000\n";
    assert_eq!(render(Some(&before), Some(&after), &["max"]), want);
}

#[test]
fn a_create_aligns_to_what_it_shows() {
    let after = data(&[
        ("id", Data::Unknown),
        ("keepers", map(&[("a-b", "x".into())])),
    ]);
    let want = "  + id:      (known after apply)\n  + keepers: {\n  +     \"a-b\": \"x\"\n    }\n";
    assert_eq!(render(None, Some(&after), &[]), want);
}

#[test]
fn a_key_of_a_map_is_named_as_what_forces_the_replacement() {
    let before = data(&[("keepers", map(&[("k", "a".into()), ("gone", "b".into())]))]);
    let after = data(&[("keepers", map(&[("k", "c".into()), ("new", Data::Unknown)]))]);
    let want = "  ~ keepers: {\n  -     gone: \"b\"\n  ~     k:    \"a\" -> \"c\" # forces replacement\n  +     new:  (known after apply)\n    }\n";
    assert_eq!(
        render(Some(&before), Some(&after), &["keepers[\"k\"]"]),
        want
    );
}

#[test]
fn lists_show_what_moved_and_sets_what_is_new() {
    let before = data(&[("list", list(&["a", "b", "c"])), ("set", list(&["x", "y"]))]);
    let after = data(&[("list", list(&["a", "c", "d"])), ("set", list(&["y", "z"]))]);
    let want = "  ~ list:    [\n        \"a\",\n  -     \"b\",\n        \"c\",\n  +     \"d\",\n    ]\n  ~ set:     [\n  -     \"x\",\n        \"y\",\n  +     \"z\",\n    ]\n";
    assert_eq!(render(Some(&before), Some(&after), &[]), want);
}

#[test]
fn sensitive_values_never_show() {
    let before = data(&[("secret", "alpha".into())]);
    let after = data(&[("secret", "beta".into())]);
    let want = "  ~ secret:  (sensitive) -> (sensitive)\n";
    assert_eq!(render(Some(&before), Some(&after), &[]), want);
    assert_eq!(render(None, Some(&after), &[]), "  + secret: (sensitive)\n");
    let unknown = data(&[("secret", Data::Unknown)]);
    assert_eq!(
        render(None, Some(&unknown), &[]),
        "  + secret: (known after apply)\n"
    );
}

#[test]
fn long_equal_values_fold_and_texts_show_their_changed_lines() {
    let long = |n: usize| (1..=n).map(|i| format!("line {i}\n")).collect::<String>();
    let before = data(&[("text", long(12).into()), ("id", "a".into())]);
    let same = data(&[("text", long(12).into()), ("id", "b".into())]);
    let want = "  ~ id:      \"a\" -> \"b\"\n    text:    \"\"\"…\"\"\"\n";
    assert_eq!(render(Some(&before), Some(&same), &[]), want);
    let other = data(&[
        ("text", long(12).replace("line 6\n", "six\n").into()),
        ("id", "a".into()),
    ]);
    let shown = render(Some(&before), Some(&other), &[]);
    assert!(
        shown.contains("  -     line 6\n  +     six\n        line 7\n"),
        "{shown}"
    );
    assert!(shown.contains("        …\n        line 3\n"), "{shown}");
}
