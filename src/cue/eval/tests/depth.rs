//! Input of any depth neither overflows the stack nor takes more than linear time to speak of.

use super::eval;

#[test]
fn nested_structs() {
    let n = 9_000;
    let text = format!("a: {}1{}\n", "{b: ".repeat(n), "}".repeat(n));
    assert!(eval(&text).starts_with("{a:{b:{b:"));
}

#[test]
fn nested_lists() {
    let n = 9_000;
    let text = format!("a: {}1{}\n", "[".repeat(n), "]".repeat(n));
    assert!(eval(&text).starts_with("{a:[[["));
}

#[test]
fn chains_of_references() {
    let n = 10_000;
    let forward: String = (0..n).map(|i| format!("a{i}: a{} + 1\n", i + 1)).collect();
    assert!(eval(&format!("{forward}a{n}: 0\n")).contains(&format!("a0:{n},")));
    let shared: String = (0..n).map(|i| format!("a{i}: a{}\n", i + 1)).collect();
    assert!(eval(&format!("{shared}a{n}: 7\n")).starts_with("{a0:7,a1:7"));
}

#[test]
fn long_sums() {
    let text = format!("a: {}\n", vec!["1"; 30_000].join(" + "));
    assert_eq!(eval(&text), "{a:30000}");
}

#[test]
fn long_unifications() {
    let text = format!("a: {} & 3\n", vec!["int"; 30_000].join(" & "));
    assert_eq!(eval(&text), "{a:3}");
}

#[test]
fn wide_structs() {
    let fields: String = (0..20_000).map(|i| format!("f{i}: {i}\n")).collect();
    assert!(eval(&fields).ends_with("f19999:19999}"));
}

#[test]
fn recursion_without_end() {
    assert_eq!(
        eval("#A: {n: int, a: #A}\nx: #A\n"),
        "#A.a: structural cycle"
    );
}
