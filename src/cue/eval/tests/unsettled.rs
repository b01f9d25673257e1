//! Results that depend on what is not settled are noted, and only those.

use super::load;

fn readers(text: &str) -> Vec<String> {
    let (mut e, p) = load(&[text]);
    let root = e.root(p);
    e.record_unsettled(true);
    e.finalize(root);
    let mut out: Vec<String> = e
        .record_unsettled(false)
        .into_iter()
        .map(|u| {
            u.reader
                .iter()
                .map(|l| e.label_text(*l))
                .collect::<Vec<_>>()
                .join(".")
        })
        .collect();
    out.sort();
    out.dedup();
    out
}

#[test]
fn bottom_tests() {
    assert_eq!(readers("r: id?: string\na: r.id != _|_\n"), ["a"]);
    assert_eq!(readers("r: id: \"x\"\na: r.id != _|_\n"), [""; 0]);
}

#[test]
fn dropped_alternatives() {
    assert_eq!(
        readers("r: id: string\na: *\"n-\\(r.id)\" | string\n"),
        ["a"]
    );
    assert_eq!(
        readers("r: id: \"x\"\na: *\"n-\\(r.id)\" | string\n"),
        [""; 0]
    );
}

#[test]
fn lengths() {
    assert_eq!(readers("l: [1, ...int]\na: len(l)\n"), ["a"]);
    assert_eq!(readers("l: [1]\na: len(l)\n"), [""; 0]);
}

#[test]
fn nothing_is_noted_unless_asked() {
    let (mut e, p) = load(&["r: id?: string\na: r.id != _|_\n"]);
    let root = e.root(p);
    e.finalize(root);
    assert!(e.record_unsettled(false).is_empty());
}
