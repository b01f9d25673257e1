//! Golden files of the syntax, and properties that hold for any text.
//!
//! `PRAVO_UPDATE=1` rewrites the expectations in `tests/cue/syntax`.

use super::format::{Node, Style, format};
use super::literal::{Content, quote_bytes, quote_multi, quote_string, unquote};
use super::names::Names;
use super::parser::{Options, Parsed, parse_expr, parse_file};
use super::source::Sources;
use super::tree::Tree;
use pravo_archive::Archive;
use proptest::prelude::*;

fn parse(text: &str) -> (Sources, Names, Parsed) {
    let (mut sources, mut names) = (Sources::new(), Names::new());
    let file = sources.add("t.cue", text).unwrap();
    let parsed = parse_file(&sources, file, &mut names, &Options::default());
    (sources, names, parsed)
}

fn errors(text: &str) -> String {
    let (sources, _, mut parsed) = parse(text);
    parsed
        .errors
        .sort_by(|a, b| a.pos.cmp(&b.pos).then_with(|| a.text.cmp(&b.text)));
    parsed.errors.dedup();
    let mut out = String::new();
    for e in parsed.errors {
        let at = sources.locate(e.pos).unwrap();
        out.push_str(&format!("{}:{}: {}\n", at.line, at.column, e.text));
    }
    out
}

fn formatted(text: &str) -> Option<String> {
    let (_, names, parsed) = parse(text);
    let done = parsed.errors.is_empty();
    done.then(|| format(&parsed.tree, &names, Node::File, Style::default()))
}

/// Runs all cases of a file: an input section followed by an output section.
fn golden(name: &str, run: impl Fn(&str) -> String) {
    let path = format!(
        "{}/../../tests/cue/syntax/{name}.txtar",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut archive = Archive::read(&path);
    let mut wrong = Vec::new();
    for pair in archive.sections.chunks_mut(2) {
        let [(name, input), (_, want)] = pair else {
            panic!("{path} has an odd part")
        };
        let got = run(input);
        if *want != got {
            wrong.push(format!("{name}:\n{got}"));
            *want = got;
        }
    }
    archive.settle(&wrong);
}

#[test]
fn errors_are_those_of_the_reference() {
    golden("errors", errors);
}

#[test]
fn trees_print_as_the_reference_prints_them() {
    golden("format", |text| {
        formatted(text).unwrap_or_else(|| errors(text))
    });
}

#[test]
fn formatting_twice_changes_nothing() {
    let path = format!(
        "{}/../../tests/cue/syntax/format.txtar",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    // What stands in `moving` the reference moves once more itself.
    let steady = |s: &&str| s.contains(".out --\n") && !s.starts_with("moving");
    for section in text.split("\n-- ").filter(steady) {
        let (_, body) = section.split_once(".out --\n").unwrap();
        let body = format!("{}\n", body.trim_end_matches('\n'));
        assert_eq!(formatted(&body).as_deref(), Some(body.as_str()));
    }
}

#[test]
fn ten_thousand_levels_parse_and_more_are_refused() {
    for (open, inner, close) in [
        ("{a: ", "1", "}"),
        ("[", "1", "]"),
        ("(", "1", ")"),
        ("-", "1", ""),
    ] {
        let deep = |n: usize| format!("a: {}{inner}{}", open.repeat(n), close.repeat(n));
        let (_, names, parsed) = parse(&deep(9_990));
        assert!(parsed.errors.is_empty(), "{open}: {:?}", parsed.errors);
        assert!(format(&parsed.tree, &names, Node::File, Style::default()).starts_with("a: "));
        let text = errors(&deep(10_001));
        assert!(
            text.contains("expression exceeds maximum nesting depth of 10000"),
            "{text}"
        );
    }
}

#[test]
fn long_chains_do_not_nest() {
    let sum = format!("a: {}1", "1 + ".repeat(30_000));
    assert_eq!(formatted(&sum), Some(format!("{sum}\n")));
    let fields = format!("{}1\n", "a: ".repeat(30_000));
    assert_eq!(formatted(&fields), Some(fields));
}

#[test]
fn positions_are_bytes_from_one() {
    let (sources, _, parsed) = parse("a: 1\n\"é\": b +\n");
    let at = sources.locate(parsed.errors[0].pos).unwrap();
    assert_eq!((at.line, at.column), (2, 11));
}

fn root(tree: &Tree) -> super::tree::ExprId {
    tree.root.unwrap()
}

#[test]
fn a_single_expression_keeps_its_form() {
    let (mut sources, mut names) = (Sources::new(), Names::new());
    let file = sources.add("--expression", "a.b[0] & {c: 1}").unwrap();
    let parsed = parse_expr(&sources, file, &mut names, &Options::default());
    let text = format(
        &parsed.tree,
        &names,
        Node::Expr(root(&parsed.tree)),
        Style::default(),
    );
    assert_eq!(text, "a.b[0] & {c: 1}");
}

#[test]
fn surrogate_pairs_join() {
    assert_eq!(
        unquote(r#""\uD83D\uDE00""#),
        Ok(Content::String("😀".to_owned()))
    );
    assert_eq!(
        unquote(r#""\uD83D""#).unwrap_err().0,
        "unmatched surrogate pair"
    );
}

const WORDS: &[&str] = &[
    "a",
    "b: ",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    "?",
    "!",
    "...",
    "..",
    "~",
    "=",
    "&",
    "|",
    "*",
    "\"x\"",
    "\"",
    "'",
    "\\(",
    "for x in y ",
    "if ",
    "let ",
    "in ",
    "else ",
    "try ",
    "@x(",
    "// c\n",
    "\n",
    "1",
    "_",
    "#a",
    "1.5",
    "0x",
    "_|_",
    "null",
    ".",
    "<-",
    "-",
    "#\"",
    "\"\"\"",
    "\n\n",
    "package q\n",
    "import \"x\"\n",
    " ",
    "\t",
    "é",
    "\u{0}",
];

proptest! {
    #[test]
    fn any_text_parses_or_fails_in_place(text in any::<String>()) {
        errors(&text);
    }

    #[test]
    fn any_words_parse_or_fail_in_place(
        words in proptest::collection::vec(proptest::sample::select(WORDS), 0..40)
    ) {
        let text = words.concat();
        errors(&text);
        if let Some(once) = formatted(&text) {
            prop_assert!(errors(&once).is_empty(), "{text:?} prints as {once:?}");
        }
    }

    #[test]
    fn quoted_strings_read_back(text in any::<String>()) {
        let want = Ok(Content::String(text.clone()));
        prop_assert_eq!(unquote(&quote_string(&text)), want.clone());
        let multi = quote_multi(text.as_bytes(), super::literal::Form::String, "\t");
        prop_assert_eq!(unquote(&multi), want);
    }

    #[test]
    fn quoted_bytes_read_back(bytes in any::<Vec<u8>>()) {
        prop_assert_eq!(unquote(&quote_bytes(&bytes)), Ok(Content::Bytes(bytes)));
    }
}
