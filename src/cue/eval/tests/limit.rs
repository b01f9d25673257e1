//! Evaluations that would not end are errors that name a field.

use std::path::Path;
use std::sync::Arc;

use pravo_archive::Archive;

use super::{load, load_with};
use crate::builtin::StandardLibrary;
use crate::eval::counters::Counters;
use crate::eval::error::ErrId;
use crate::eval::limit::Limits;
use crate::eval::validate::Config;
use crate::eval::value::{Data, Val};
use crate::print::{Profile, print_value};
use crate::syntax::format::Style;

/// The error of a text that may not take more than what is given.
fn refused(text: &str, limits: Limits) -> String {
    let (mut e, p) = load(&[text]);
    e.set_limits(limits);
    let root = e.root(p);
    e.finalize(root);
    let found = e.validate(root, Config::default());
    assert_eq!(e.error_of_value(root), Some(found));
    e.error_text(found)
}

/// Every combination of twelve choices is one of its own.
fn product() -> String {
    let choices = (0..12).map(|i| format!("p: ({{a{i}: 1}} | {{b{i}: 1}})\n"));
    format!("x: 1\nq: r: {{\n{}}}\n", choices.collect::<String>())
}

#[test]
fn steps_are_counted() {
    let limits = Limits {
        steps: 2_000,
        ..Limits::default()
    };
    let text = refused(&product(), limits);
    assert_eq!(text, "q.r.p.b1: evaluation takes more than 2000 steps");
}

#[test]
fn memory_is_counted() {
    let limits = Limits {
        bytes: 1 << 20,
        ..Limits::default()
    };
    let text = refused(&product(), limits);
    assert_eq!(text, "q.r.p.a0: evaluation takes more than 1048576 bytes");
}

#[test]
fn stack_is_counted() {
    let limits = Limits {
        stack: 16 << 20,
        ..Limits::default()
    };
    let chain: String = (0..9_000)
        .map(|i| format!("a{i}: a{} + 1\n", i + 1))
        .collect();
    let text = refused(&format!("{chain}a9000: 0\n"), limits);
    assert!(
        text.ends_with(": evaluation takes more than 16777216 bytes of stack"),
        "{text}"
    );
}

#[test]
fn knots_end() {
    // A choice that is asked for while its alternatives are tried.
    let choice = "_#P: ([#D] | [for e in \"t\\(_#P)\" {#E}])
for v in _ {}
#D: #D[\"a\"].E
#E: 2
";
    // A bound beside a field that must be given.
    let bound = "a: {b!: 5, >1}\n";
    for text in [choice, bound] {
        let (mut e, p) = load(&[text]);
        let root = e.root(p);
        e.finalize(root);
        assert!(!e.over_limit().is_some(), "{text}");
    }
}

#[test]
fn what_ends_in_time_has_a_value() {
    let (mut e, p) = load(&["a: {for i in [1, 2, 3] {\"\\(i)\": i}}"]);
    let root = e.root(p);
    e.finalize(root);
    assert!(!e.over_limit().is_some());
    assert!(!e.validate(root, Config::default()).is_some());
}

/// What a text has instead of a value, or of a text, and how much was spent until then.
fn end(text: &str, limits: Limits) -> (String, Counters) {
    let (mut e, p) = load_with(Arc::new(StandardLibrary), &[text]);
    e.set_limits(limits);
    let root = e.root(p);
    e.finalize(root);
    let mut found = e.validate(root, Config::default());
    if found == ErrId::default() {
        let value = Val::bare(Data::Vertex(root));
        let printed = print_value(&mut e, value, &Profile::eval("_"), Style::default());
        found = printed.err().unwrap_or_default();
    }
    (e.error_text(found), e.counters())
}

/// An error without the field that the stack ended at: that depends on how large frames are, which
/// differs between builds.
fn told(text: &str) -> &str {
    let text = text.trim();
    let stack = text.split_once(": ");
    let stack = stack.filter(|(_, rest)| rest.ends_with(" bytes of stack"));
    stack.map_or(text, |(_, rest)| rest)
}

/// Every case of `tests/cue/limit` ends in an error, and little is done after a limit was reached.
/// That all work is counted is seen by the fuzzer: it tells an input that takes long.
#[test]
fn what_runs_away_is_refused() {
    let limits = Limits {
        steps: 1_000_000,
        bytes: 64 << 20,
        stack: 32 << 20,
        depth: 300,
    };
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cue/limit");
    let mut archive = Archive::read(Path::new(dir).join("runaway.txtar"));
    let mut wrong = Vec::new();
    for pair in archive.sections.chunks_mut(2) {
        let [(name, source), (_, want)] = pair else {
            panic!("an odd part")
        };
        let (got, spent) = end(source, limits);
        let much = spent.steps > limits.steps * 5 / 4 || spent.bytes > limits.bytes * 3 / 2;
        if told(&got) != told(want) || much {
            wrong.push(format!("{name}: {spent:?}\nwant {want}got  {got}"));
            *want = format!("{got}\n");
        }
    }
    archive.settle(&wrong);
}
