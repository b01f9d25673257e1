//! Expressions that evaluate what they can read say what they say beside the whole package.

use std::sync::Arc;

use proptest::prelude::*;

use super::counters::estate;
use super::load;
use super::properties::{canonical, program};
use crate::eval::context::Evaluator;
use crate::eval::package::PackageId;
use crate::syntax::parser::{Options, parse_expr};
use crate::syntax::tree::Tree;

fn tree(e: &mut Evaluator, text: &str) -> Arc<Tree> {
    let file = e.sources.add("--expression", text).expect("short");
    let parsed = parse_expr(&e.sources, file, &mut e.names, &Options::default());
    assert!(parsed.errors.is_empty(), "{text}");
    Arc::new(parsed.tree)
}

/// What an expression comes to, with the texts of its errors, and how many vertices were begun.
fn asked(files: &[&str], text: &str, by_need: bool) -> (String, u64) {
    let (mut e, p) = load(files);
    let x = tree(&mut e, text);
    if by_need {
        e.finalize_for(p, std::slice::from_ref(&x));
    }
    (shown(&mut e, p, x), e.counters().begun)
}

fn shown(e: &mut Evaluator, p: PackageId, x: Arc<Tree>) -> String {
    match e.expression_in(p, x) {
        Ok(v) => {
            let value = canonical(e, v);
            let error = e.error_of_value(v);
            let told = error.map(|x| e.reports(x)).unwrap_or_default();
            format!("{value} {told:?}")
        }
        Err(messages) => format!("{:?}", e.message_reports(&messages)),
    }
}

fn same(files: &[&str], text: &str) {
    let (need, whole) = (asked(files, text, true).0, asked(files, text, false).0);
    assert_eq!(need, whole, "{text} in {files:?}");
}

#[test]
fn what_is_not_read_is_not_evaluated() {
    let text = estate(300);
    let (_, few) = asked(&[&text], "vm_150_4", true);
    let (_, all) = asked(&[&text], "vm_150_4", false);
    assert!(few < 100 && all > 15_000, "{few} of {all}");
    let broken = format!("{text}\nbad: 1 & 2\nworse: worse + bad\n");
    let (_, few) = asked(&[&broken], "[vm_150_4.id, net_2]", true);
    assert!(few < 100, "{few}");
}

#[test]
fn what_stands_beside_shows_as_in_the_whole() {
    for (files, texts) in [
        // Errors beside what is read, in what is read, and in what that reads.
        (
            &["a: {b: 1, c: 1 & 2}\nx: a.b\n"][..],
            &["a.b", "x", "[x]", "a"][..],
        ),
        (&["b: {c.y, z: 2}\nc: x: 1\n"], &["b.z", "c", "c.x"]),
        (&["x: y & {a: 1}\ny: a: 2\n"], &["x", "x.a", "y"]),
        (&["m: 1\n"], &["m.a", "n", "m + n", "[m].a"]),
        // Cycles of references, of values and of structure; through lets and disjunctions.
        (&["a: b\nb: a\n"], &["a", "b"]),
        (
            &["a: {let q = b.v, v: q}\nb: {let r = a.v, v: r}\n"],
            &["a", "b", "b.v"],
        ),
        (&["a: b + 1\nb: a - 1\n"], &["a", "b", "[b]"]),
        (&["a: b: a\n"], &["a", "a.b"]),
        (&["t: a: b: c: {a}.b\nu: 1\n"], &["t", "t.a", "u"]),
        (
            &["a: b & {x: 1} | {y: 1}\nb: {x: 2} | c & {z: 2}\nc: a & {y: 3} | {z: 3}\n"],
            &["a", "b", "c"],
        ),
        (
            &["b: h\na: {for v in h if v == _|_ {d: 1}}\nc: h.a == _|_\nh: {a: a[0], a: {}}\n"],
            &["a", "b", "c", "h"],
        ),
        // What a package asks of its fields as a whole.
        (&["#D: {a: int}\n#D\na: 1\nb: 2\n"], &["a", "b"]),
        (&["{a: 1} | {b: 1}\nb: 2\n"], &["a", "b"]),
        (&["{a: 1}\n5\n"], &["a"]),
        (
            &[
                "package p\n[=~\"^a\"]: int\na1: \"x\"\n",
                "package p\nb: 1\n",
            ],
            &["a1", "b"],
        ),
        (&["if b > 1 {a: 1}\nb: 2\n"], &["a", "b"]),
        // Every way a name can be mentioned.
        (
            &[
                "l: [for k, v in m if v > n {\"\\(k)\": v + x[0]}]\nm: {a: 1, b: 2}\nn: 0\nx: [y]\ny: 3\n",
            ],
            &["l", "l[0]"],
        ),
        (
            &["let q = {a: r}\nr: 1\nx: q.a\nz: 1 & 2\n"],
            &["x", "[x, r]"],
        ),
        (
            &["X=a: b: c\nc: 1\nd: X.b\ne: <f\nf: 3\ng: *e | 1\nh: 2 & g\n"],
            &["d", "h"],
        ),
        (&["[N=_]: {n: N, m: o}\na: {}\no: 1\n"], &["a", "o"]),
        (&["a: S={b: c, d: S.b}\nc: 1\nq: 1 & 2\n"], &["a", "c"]),
        (
            &["a: (b): c\nb: \"x\"\nc: d[e:]\nd: [1, 2]\ne: 1\n"],
            &["a", "a.x"],
        ),
    ] {
        for text in texts {
            same(files, text);
        }
    }
}

#[test]
fn several_expressions_share_what_they_need() {
    let text = format!("{}\na: 1\nb: 1 & 2\nc: d: a\nx: y: x.y\n", estate(300));
    for (names, sound) in [
        (&["c", "c.d", "a"][..], true),
        (&["c", "b", "x", "c.d"], false),
    ] {
        let (mut e, p): (Evaluator, PackageId) = load(&[&text]);
        let trees: Vec<_> = names.iter().map(|name| tree(&mut e, name)).collect();
        e.finalize_for(p, &trees);
        for (name, x) in names.iter().zip(trees) {
            assert_eq!(
                shown(&mut e, p, x),
                asked(&[&text], name, false).0,
                "{name}"
            );
        }
        assert_eq!(e.counters().begun < 100, sound, "{:?}", e.counters());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn by_need_equals_beside_the_whole(fields in program(), one in 0usize..6, two in 0usize..6) {
        let text = fields.join("\n");
        let (one, two) = (one % fields.len(), two % fields.len());
        for x in [format!("f{one}"), format!("f{one}.a"), format!("[f{one}, f{two}]"), format!("f{one} & f{two}")] {
            let (need, whole) = (asked(&[&text], &x, true).0, asked(&[&text], &x, false).0);
            prop_assert_eq!(need, whole, "{}", x);
        }
    }
}
