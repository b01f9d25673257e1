//! Laws of unification on programs that use all of the language. Field order, marks of defaults,
//! order of alternatives and texts of errors are not compared.

use std::sync::Arc;

use pravo_programs::dice::Dice;
use pravo_programs::program::{Program, program};

use super::load_with;
use super::properties::canonical_with;
use crate::builtin::StandardLibrary;
use crate::eval::limit::Limits;

/// What a law is tried on.
const PROGRAMS: u64 = 150;

/// Programs that take more are left out.
const LIMITS: Limits = Limits {
    steps: 3_000_000,
    bytes: 128 << 20,
    stack: 64 << 20,
    depth: 500,
};

/// The value of some files; nothing if it takes too long.
fn whole(files: &[String]) -> Option<String> {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (mut e, p) = load_with(Arc::new(StandardLibrary), &files);
    e.set_limits(LIMITS);
    e.eager_optional = true;
    let root = e.root(p);
    e.finalize(root);
    let value = canonical_with(&mut e, root, "");
    (!e.over_limit().is_some()).then_some(value)
}

/// A file with those imports that its declarations need.
fn file(program: &Program, declarations: &[String]) -> String {
    let body = declarations.concat();
    let used = |line: &&str| {
        let path = line.trim_start_matches("import ").trim_matches('"');
        let name = path.rsplit('/').next().unwrap_or(path);
        body.contains(&format!("{name}."))
    };
    let imports: Vec<&str> = program.imports.lines().filter(used).collect();
    format!("package p\n{}\n{body}", imports.join("\n"))
}

/// Fields with values made of the declarations of some programs, and the imports of all.
fn fields(programs: &[Program], text: impl Fn(&[String]) -> String) -> Vec<String> {
    let bodies: Vec<String> = programs
        .iter()
        .map(|p| format!("{{\n{}}}", p.declarations.concat()))
        .collect();
    let mut imports: Vec<&str> = programs.iter().flat_map(|p| p.imports.lines()).collect();
    imports.sort_unstable();
    imports.dedup();
    vec![format!("{}\n{}", imports.join("\n"), text(&bodies))]
}

/// Tries a law: two forms of the same thing.
fn holds(law: impl Fn(u64) -> [Vec<String>; 2]) {
    let (mut left_out, mut wrong) = (0, Vec::new());
    for seed in 0..PROGRAMS {
        let [one, other] = law(seed);
        let (Some(a), Some(b)) = (whole(&one), whole(&other)) else {
            left_out += 1;
            continue;
        };
        if a != b {
            wrong.push(format!(
                "seed {seed}\n{}\n-- beside\n{}\n-- is {a}\n-- beside {b}\n",
                one.join("\n-- file\n"),
                other.join("\n-- file\n")
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(left_out * 20 <= PROGRAMS, "{left_out} left out");
}

/// Other declarations than those of the same seed.
fn programs<const N: usize>(seed: u64) -> [Program; N] {
    std::array::from_fn(|i| program(seed * 7 + i as u64 * 100_003))
}

#[test]
fn order_of_fields_changes_nothing() {
    holds(|seed| {
        let [p] = programs(seed);
        let mut turned = p.declarations.clone();
        let mut dice = Dice::new(seed);
        for i in (1..turned.len()).rev() {
            turned.swap(i, dice.below(i + 1));
        }
        [vec![file(&p, &p.declarations)], vec![file(&p, &turned)]]
    });
}

#[test]
fn order_of_files_changes_nothing() {
    holds(|seed| {
        let [p] = programs(seed);
        // A `let` is seen in its own file only.
        let (lets, others): (Vec<String>, Vec<String>) = p
            .declarations
            .iter()
            .cloned()
            .partition(|d| d.starts_with("let ") || d.starts_with('A'));
        let at = match lets.is_empty() {
            true => others.len() / 2,
            false => 0,
        };
        let (one, two) = others.split_at(at);
        let two: Vec<String> = lets.into_iter().chain(two.iter().cloned()).collect();
        let (one, two) = (file(&p, one), file(&p, &two));
        [vec![one.clone(), two.clone()], vec![two, one]]
    });
}

#[test]
fn unification_commutes() {
    holds(|seed| {
        let both: [Program; 2] = programs(seed);
        [
            fields(&both, |b| format!("x: {} & {}\n", b[0], b[1])),
            fields(&both, |b| format!("x: {} & {}\n", b[1], b[0])),
        ]
    });
}

#[test]
fn unification_associates() {
    holds(|seed| {
        let all: [Program; 3] = programs(seed);
        [
            fields(&all, |b| format!("x: ({} & {}) & {}\n", b[0], b[1], b[2])),
            fields(&all, |b| format!("x: {} & ({} & {})\n", b[0], b[1], b[2])),
        ]
    });
}

#[test]
fn unification_is_idempotent() {
    holds(|seed| {
        let one: [Program; 1] = programs(seed);
        [
            fields(&one, |b| format!("x: {}\n", b[0])),
            fields(&one, |b| format!("x: {}\nx: {}\n", b[0], b[0])),
        ]
    });
}
