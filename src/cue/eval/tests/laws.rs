//! Laws of unification on programs of any form, made as the fuzz targets make them.

use pravo_programs::program::program;
use pravo_programs::wild::operands;

use super::properties::canonical;
use super::{Evaluator, PackageId, PackageSource};
use crate::builtin::StandardLibrary;
use crate::eval::limit::Limits;
use crate::syntax::parser::{Options, parse_file};
use std::sync::Arc;

/// A package of these files, if it is well formed.
fn loaded(files: &[&str]) -> Option<(Evaluator, PackageId)> {
    let mut e = Evaluator::new(Arc::new(StandardLibrary));
    e.set_limits(Limits {
        steps: 200_000,
        ..Limits::default()
    });
    let mut source = PackageSource {
        id: ":p".into(),
        ..PackageSource::default()
    };
    for (i, text) in files.iter().enumerate() {
        let file = e.sources.add(format!("{i}.cue"), *text).ok()?;
        let parsed = parse_file(&e.sources, file, &mut e.names, &Options::default());
        if !parsed.errors.is_empty() {
            return None;
        }
        source.files.push(Arc::new(parsed.tree));
    }
    let package = e.add_package(source).ok()?;
    Some((e, package))
}

/// The value of a field, or of everything; nothing when the program is not well formed or takes
/// too long.
fn value(files: &[&str], field: Option<&str>) -> Option<String> {
    let (mut e, p) = loaded(files)?;
    let root = e.root(p);
    e.finalize(root);
    if e.over_limit().is_some() {
        return None;
    }
    match field {
        None => Some(canonical(&mut e, root)),
        Some(name) => {
            let label = e.string_label(name);
            let v = e.field(root, label)?;
            Some(canonical(&mut e, v))
        }
    }
}

fn report(law: &str, seeds: u64, check: impl Fn(u64) -> Option<(String, String, String)>) {
    let (mut tried, mut same, mut shown) = (0, 0, 0);
    for seed in 0..seeds {
        let Some((text, one, other)) = check(seed) else {
            continue;
        };
        tried += 1;
        if one == other {
            same += 1;
        } else if shown < 12 {
            shown += 1;
            eprintln!("== {law} {seed}\n{text}\n-- {one}\n-- {other}\n");
        }
    }
    eprintln!("#### {law}: {tried} tried, {} differ", tried - same);
}

#[test]
fn experiment() {
    let n = 2000;
    report("commutes", n, |seed| {
        let (around, parts) = operands(seed, 2);
        let [a, b] = parts.as_slice() else {
            return None;
        };
        let one = value(&[&format!("{around}x: ({a}) & ({b})\n")], Some("x"))?;
        let other = value(&[&format!("{around}x: ({b}) & ({a})\n")], Some("x"))?;
        Some((format!("{around}x: ({a}) & ({b})\n"), one, other))
    });
    report("associates", n, |seed| {
        let (around, parts) = operands(seed, 3);
        let [a, b, c] = parts.as_slice() else {
            return None;
        };
        let one = value(
            &[&format!("{around}x: (({a}) & ({b})) & ({c})\n")],
            Some("x"),
        )?;
        let other = value(
            &[&format!("{around}x: ({a}) & (({b}) & ({c}))\n")],
            Some("x"),
        )?;
        Some((format!("{around}x: ({a}) & ({b}) & ({c})\n"), one, other))
    });
    report("idempotent", n, |seed| {
        let (around, parts) = operands(seed, 1);
        let [a] = parts.as_slice() else { return None };
        let one = value(&[&format!("{around}x: {a}\n")], Some("x"))?;
        let other = value(&[&format!("{around}x: ({a}) & ({a})\n")], Some("x"))?;
        Some((format!("{around}x: {a}\n"), one, other))
    });
    report("top", n, |seed| {
        let (around, parts) = operands(seed, 1);
        let [a] = parts.as_slice() else { return None };
        let one = value(&[&format!("{around}x: {a}\n")], Some("x"))?;
        let other = value(&[&format!("{around}x: ({a}) & _\n")], Some("x"))?;
        Some((format!("{around}x: {a}\n"), one, other))
    });
    report("declarations", n, |seed| {
        let (around, parts) = operands(seed, 2);
        let [a, b] = parts.as_slice() else {
            return None;
        };
        let one = value(&[&format!("{around}x: ({a}) & ({b})\n")], Some("x"))?;
        let other = value(&[&format!("x: {b}\n{around}x: {a}\n")], Some("x"))?;
        Some((format!("{around}x: ({a}) & ({b})\n"), one, other))
    });
    report("order", n, |seed| {
        let made = program(seed);
        let parts = made.declarations;
        let forward = value(&[&(made.imports.clone() + &parts.concat())], None)?;
        let turned: String = parts.iter().rev().map(String::as_str).collect();
        let backward = value(&[&(made.imports + &turned)], None)?;
        Some((made.text, forward, backward))
    });
}
