//! Laws of unification and of the order of evaluation, on generated programs.

use proptest::prelude::*;

use super::load;
use crate::eval::context::Evaluator;
use crate::eval::kind::ArcType;
use crate::eval::units::{UnitFill, Units};
use crate::eval::value::{Data, Val};
use crate::eval::vertex::VId;

/// A value without order of fields, order of alternatives and texts of errors.
pub(super) fn canonical(e: &mut Evaluator, v: VId) -> String {
    canonical_with(e, v, "*")
}

/// The same with another mark of defaults.
pub(super) fn canonical_with(e: &mut Evaluator, v: VId, default: &str) -> String {
    let v = e.deref(v);
    let base = e.base(v);
    canonical_value(e, v, base, default)
}

fn canonical_value(e: &mut Evaluator, v: VId, val: Val, default: &str) -> String {
    match val.data {
        Data::Vertex(w) => canonical_with(e, w, default),
        Data::Err(x) => {
            if e.error_code(x).is_incomplete() {
                "incomplete".into()
            } else {
                "error".into()
            }
        }
        Data::Struct | Data::List(_) => {
            let mut parts = Vec::new();
            for a in e.arcs(v).to_vec() {
                if e.label(a).is_let() {
                    continue;
                }
                let label = e.label_text(e.label(a));
                let mark = match e.arc_type(a) {
                    ArcType::Member => "",
                    ArcType::Required => "!",
                    _ => "?",
                };
                let value = canonical_with(e, a, default);
                parts.push(format!("{label}{mark}: {value}"));
            }
            parts.sort();
            format!("{:?}{{{}}}", val.data, parts.join(", "))
        }
        Data::Disj(d) => {
            let d = e.disjunction(d).clone();
            let mut parts: Vec<String> = Vec::new();
            for (i, x) in d.values.iter().enumerate() {
                let mark = if i < d.defaults { default } else { "" };
                let text = canonical_value(e, v, *x, default);
                parts.push(format!("{mark}{text}"));
            }
            parts.sort();
            parts.dedup();
            parts.join(" | ")
        }
        Data::Conj(c) => {
            let mut parts: Vec<String> = e
                .conjunction(c)
                .to_vec()
                .into_iter()
                .map(|x| e.expanded(x))
                .collect();
            parts.sort();
            parts.join(" & ")
        }
        _ => e.expanded(val),
    }
}

fn value_of(text: &str, field: &str) -> String {
    let (mut e, p) = load(&[text]);
    let root = e.root(p);
    e.finalize(root);
    let label = e.string_label(field);
    match e.field(root, label) {
        Some(v) => canonical(&mut e, v),
        None => "missing".into(),
    }
}

fn scalar() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "1", "2", "3", "\"a\"", "\"b\"", "true", "null", "int", "string", "number", "bool", "_",
        ">1", "<3", ">=2", "!=2", "=~\"a\"", "int & >0",
    ])
    .prop_map(str::to_owned)
}

/// Values without alternatives: for them unification is a lattice without remainder.
fn plain() -> impl Strategy<Value = String> {
    scalar().prop_recursive(3, 16, 3, |inner| {
        let field = (
            prop::sample::select(vec!["a", "b", "c", "a?", "b?", "[string]"]),
            inner.clone(),
        );
        prop_oneof![
            3 => prop::collection::vec(field, 0..4).prop_map(|f| {
                let f: Vec<String> = f.into_iter().map(|(l, v)| format!("{l}: {v}")).collect();
                format!("{{{}}}", f.join(", "))
            }),
            1 => prop::collection::vec(inner, 0..3).prop_map(|e| format!("[{}]", e.join(", "))),
        ]
    })
}

/// Values with alternatives. Those have no optional fields: whether two alternatives that differ in
/// one only are merged depends on when, in the reference implementation too.
fn choice() -> impl Strategy<Value = String> {
    let solid = || {
        plain().prop_filter("no optional fields", |v| {
            !v.contains('?') && !v.contains("[string]")
        })
    };
    prop_oneof![
        2 => solid(),
        1 => (solid(), solid()).prop_map(|(a, b)| format!("({a} | {b})")),
    ]
}

/// Fields that refer to each other, each to those before it only, so that no knots arise.
pub(super) fn program() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec((plain(), 0usize..6, 0usize..8), 2..6).prop_map(|list| {
        list.into_iter()
            .enumerate()
            .map(|(i, (v, form, back))| {
                let earlier = if i == 0 {
                    "_".to_owned()
                } else {
                    format!("f{}", back % i)
                };
                match form {
                    0 => format!("f{i}: {v}"),
                    1 => format!("f{i}: {earlier}"),
                    2 => format!("f{i}: {earlier} & {v}"),
                    3 => format!("f{i}: {{x: {earlier}, y: {v}}}"),
                    4 => format!("f{i}: {{let q = {earlier}, x: q}}"),
                    _ => format!("f{i}: [{earlier}, {v}]"),
                }
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unification_commutes(a in choice(), b in choice()) {
        let left = value_of(&format!("x: {a} & {b}\n"), "x");
        let right = value_of(&format!("x: {b} & {a}\n"), "x");
        prop_assert_eq!(left, right);
    }

    #[test]
    fn unification_associates(a in plain(), b in plain(), c in plain()) {
        let left = value_of(&format!("x: ({a} & {b}) & {c}\n"), "x");
        let right = value_of(&format!("x: {a} & ({b} & {c})\n"), "x");
        prop_assert_eq!(left, right);
    }

    #[test]
    fn unification_is_idempotent(a in plain()) {
        let once = value_of(&format!("x: {a}\n"), "x");
        prop_assert_eq!(&once, &value_of(&format!("x: {a} & {a}\n"), "x"));
        prop_assert_eq!(&once, &value_of(&format!("x: {a} & _\n"), "x"));
    }

    #[test]
    fn order_changes_no_value(fields in program(), turn in 0usize..5) {
        let whole = |files: &[&str]| {
            let (mut e, p) = load(files);
            let root = e.root(p);
            e.finalize(root);
            canonical(&mut e, root)
        };
        let straight = whole(&[&fields.join("\n")]);
        let mut turned = fields.clone();
        turned.reverse();
        let n = turned.len();
        turned.rotate_left(turn % n);
        prop_assert_eq!(&straight, &whole(&[&turned.join("\n")]));
        let (one, two) = turned.split_at(n / 2);
        let (one, two) = (format!("package p\n{}\n", one.join("\n")), format!("package p\n{}\n", two.join("\n")));
        prop_assert_eq!(&straight, &whole(&[&one, &two]));
        prop_assert_eq!(&straight, &whole(&[&two, &one]));
    }

    #[test]
    fn on_demand_equals_the_whole(fields in program()) {
        let text = fields.join("\n");
        let (mut e, p) = load(&[&text]);
        let root = e.root(p);
        e.finalize(root);
        if e.error_of_value(root).is_some() {
            return Ok(());
        }
        for i in 0..fields.len() {
            let name = format!("f{i}");
            let (mut alone, p) = load(&[&text]);
            let root_alone = alone.root(p);
            let label = alone.string_label(&name);
            let one = alone.eval_path(root_alone, &[label]).map(|v| canonical(&mut alone, v));
            let label = e.string_label(&name);
            let all = e.field(root, label).map(|v| canonical(&mut e, v));
            prop_assert_eq!(one.ok(), all);
        }
    }

    #[test]
    fn filling_equals_a_file(fields in program(), at in 0usize..6, value in 1i32..4) {
        let text = format!("package p\n{}\n", fields.join("\n"));
        let name = format!("f{}", at % fields.len());
        let (mut e, p) = load(&[&text]);
        let root = e.root(p);
        e.finalize(root);
        let label = e.string_label(&name);
        let other = e.data_scalar(Val::bare(Data::Str(e.names.lookup("p").unwrap_or(label.name()))));
        e.fill(p, &[label], other);
        let data = e.data_scalar(Val::bare(Data::Int(value)));
        e.fill(p, &[label], data);
        let root = e.root(p);
        e.finalize(root);
        let filled = canonical(&mut e, root);
        let (mut f, p) = load(&[&text, &format!("package p\n{name}: {value}\n")]);
        let root = f.root(p);
        f.finalize(root);
        prop_assert_eq!(filled, canonical(&mut f, root));
    }

    #[test]
    fn single_vertices_again_equal_all_again(fields in program(), at in 0usize..6, value in 1i32..4) {
        let text = fields.join("\n");
        let (mut e, p) = load(&[&text]);
        let root = e.root(p);
        e.finalize(root);
        let mut units = Units::default();
        let at = at % fields.len();
        for i in at..fields.len() {
            let label = e.string_label(&format!("f{i}"));
            let fills = if i == at {
                vec![UnitFill { below: Vec::new(), value: e.data_scalar(Val::bare(Data::Int(value))) }]
            } else {
                Vec::new()
            };
            prop_assert!(e.reset_unit(&mut units, root, &[label], &fills));
        }
        e.recycle();
        let mut again = Vec::new();
        for i in 0..fields.len() {
            let label = e.string_label(&format!("f{i}"));
            let v = e.field(root, label).expect("the field stays");
            e.finalize(v);
            again.push(canonical(&mut e, v));
        }
        let (mut f, p) = load(&[&text]);
        let label = f.string_label(&format!("f{at}"));
        let data = f.data_scalar(Val::bare(Data::Int(value)));
        f.fill(p, &[label], data);
        let root = f.root(p);
        f.finalize(root);
        for (i, one) in again.iter().enumerate() {
            let label = f.string_label(&format!("f{i}"));
            let v = f.field(root, label).expect("the field is there");
            prop_assert_eq!(one, &canonical(&mut f, v));
        }
    }
}
