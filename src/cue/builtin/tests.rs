//! Every name of every package, as `tests/cue/library/names.txt` lists them: each is there, has
//! its signature, can be called, and refuses arguments of other numbers and kinds with an error.

use super::StandardLibrary;
use super::packages;
use super::registry::{Function, Member, Package};
use crate::eval::Evaluator;
use crate::eval::kind::Kind;
use crate::eval::package::PackageSource;
use crate::syntax::parser::{Options, parse_file};
use std::fmt::Write;
use std::sync::Arc;

const NAMES: &str = include_str!("../../../tests/cue/library/names.txt");

/// Values of all kinds, some at the edges of what functions take.
const VALUES: &[(Kind, &str)] = &[
    (Kind::NULL, "null"),
    (Kind::BOOL, "true"),
    (Kind::INT, "0"),
    (Kind::INT, "-1"),
    (Kind::INT, "9223372036854775808"),
    (Kind::FLOAT, "1.5"),
    (Kind::FLOAT, "-1e400"),
    (Kind::STRING, "\"\""),
    (Kind::STRING, "\"é%{{\\u0000[\""),
    (Kind::BYTES, "'\\xff'"),
    (Kind::LIST, "[]"),
    (Kind::LIST, "[1, \"a\", [null], {a: 1}]"),
    (Kind::STRUCT, "{}"),
    (Kind::STRUCT, "{x: {}, y: _, less: x < y}"),
    (Kind::FUNC, "len"),
];

fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
}

fn signature(f: &Function) -> String {
    let parameters: Vec<String> = f.parameters.iter().map(|p| p.kind.to_string()).collect();
    let schemas = if f.non_concrete { " of schemas" } else { "" };
    format!("func({}) {}{schemas}", parameters.join(", "), f.result)
}

fn members() -> impl Iterator<Item = (&'static Package, &'static Member)> {
    packages::ALL
        .iter()
        .flat_map(|p| p.members.iter().map(move |m| (*p, m)))
}

fn functions() -> impl Iterator<Item = (&'static Package, &'static Function)> {
    members().filter_map(|(p, m)| match m {
        Member::Function(f) => Some((p, f)),
        Member::Constant(..) => None,
    })
}

fn short(package: &Package) -> &'static str {
    package.path.rsplit('/').next().unwrap_or(package.path)
}

/// For each field of a source whether it is an error.
fn errors(import: &str, fields: &[String]) -> Vec<bool> {
    let mut text = format!("import p \"{import}\"\n");
    for (i, field) in fields.iter().enumerate() {
        let _ = writeln!(text, "f{i}: {field}");
    }
    let mut ev = Evaluator::new(Arc::new(StandardLibrary));
    let file = ev
        .sources
        .add("/t.cue", text.as_str())
        .expect("a short text");
    let parsed = parse_file(&ev.sources, file, &mut ev.names, &Options::default());
    assert!(parsed.errors.is_empty(), "{text}");
    let package = ev.add_package(PackageSource {
        id: "_".into(),
        files: vec![Arc::new(parsed.tree)],
        ..PackageSource::default()
    });
    let root = ev.root(package.expect("all names are known"));
    ev.finalize(root);
    (0..fields.len())
        .map(|i| {
            let label = ev.string_label(&format!("f{i}"));
            let value = ev.eval_path(root, &[label]);
            value.map_or(true, |v| ev.error_of_value(v).is_some())
        })
        .collect()
}

fn of_kind(kind: Kind) -> &'static str {
    let sample = VALUES.iter().rev().find(|(k, _)| k.within(kind));
    sample.map_or("1", |(_, text)| text)
}

/// Calls with one argument replaced by each value, and whether its kind is refused.
fn calls(f: &Function) -> Vec<(String, bool)> {
    let plain: Vec<&str> = f.parameters.iter().map(|p| of_kind(p.kind)).collect();
    let mut out = Vec::new();
    for (i, parameter) in f.parameters.iter().enumerate() {
        for (kind, text) in VALUES {
            let mut arguments = plain.clone();
            arguments[i] = text;
            let call = format!("p.{}({})", f.name, arguments.join(", "));
            out.push((call, !kind.meets(parameter.kind)));
        }
    }
    out
}

#[test]
fn names_are_those_listed() {
    let mut listed = names();
    for (package, member) in members() {
        let (name, shown) = match member {
            Member::Function(f) => (f.name, signature(f)),
            Member::Constant(name, literal) => (*name, (*literal).to_owned()),
        };
        let qualified = format!("{}.{name}", package.path);
        let line = listed.next().expect("a name more than is listed");
        assert_eq!(line, (qualified.as_str(), shown.as_str()));
    }
    let left: Vec<_> = listed.filter(|(_, s)| *s != "definition").collect();
    assert!(left.is_empty(), "not there: {left:?}");
}

#[test]
fn names_resolve() {
    for package in packages::ALL {
        let of_package = |(name, _): (&'static str, _)| {
            let (path, name) = name.rsplit_once('.')?;
            (path == package.path).then(|| format!("p.{name}"))
        };
        let fields: Vec<String> = names().filter_map(of_package).collect();
        let broken = errors(package.path, &fields);
        for (field, broken) in fields.iter().zip(broken) {
            assert!(!broken, "{} of {}", field, package.path);
        }
    }
}

#[test]
fn arguments_of_other_kinds_are_refused() {
    for (package, f) in functions() {
        let calls = calls(f);
        let fields: Vec<String> = calls.iter().map(|(call, _)| call.clone()).collect();
        for ((call, refused), broken) in calls.iter().zip(errors(package.path, &fields)) {
            assert!(broken || !refused, "{call} of {} is taken", short(package));
        }
    }
}

#[test]
fn arguments_of_another_number_are_refused() {
    for (package, f) in functions() {
        let needed = f.parameters.iter().filter(|p| {
            let constraint = p.constraint;
            constraint.is_none_or(|c| c.default_text.is_empty())
        });
        let needed = needed.count();
        let samples: Vec<&str> = f.parameters.iter().map(|p| of_kind(p.kind)).collect();
        let more = [samples.as_slice(), &["1"]].concat();
        let mut fields = vec![format!("p.{}({})", f.name, more.join(", "))];
        let validator = f.result.within(Kind::BOOL);
        let least = needed.saturating_sub(usize::from(validator));
        for count in 0..least {
            fields.push(format!("p.{}({})", f.name, samples[..count].join(", ")));
        }
        for (field, broken) in fields.iter().zip(errors(package.path, &fields)) {
            assert!(broken, "{field} of {} is taken", package.path);
        }
    }
}
