//! Cases of the language as data: `name.cue` and what becomes of it in `name.out`.

use std::path::{Path, PathBuf};

use pravo_archive::Archive;

use super::eval;

fn files(topic: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/cue")
        .join(topic);
    let entries = std::fs::read_dir(&dir).expect("the folder of the topic");
    let mut out: Vec<PathBuf> = entries
        .map(|f| f.expect("a readable folder").path())
        .collect();
    out.retain(|p| p.extension().is_some_and(|e| e == "txtar"));
    out.sort();
    out
}

fn check(topic: &str, at_least: usize) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for file in files(topic) {
        for pair in Archive::read(&file).sections.chunks(2) {
            let [(name, source), (_, want)] = pair else {
                panic!("{} has an odd part", file.display())
            };
            count += 1;
            let got = eval(source);
            if got.trim() != want.trim() {
                wrong.push(format!(
                    "{}/{name}\n{source}want {want}got  {got}\n",
                    file.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= at_least, "{topic} has only {count} cases");
}

#[test]
fn structs() {
    check("structs", 45);
}

#[test]
fn choice() {
    check("choice", 22);
}

#[test]
fn evaluate() {
    check("evaluate", 40);
}
