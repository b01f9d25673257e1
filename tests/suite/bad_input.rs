//! Broken specifications: one clear error each, exit code 6, nothing written.

use crate::world::{World, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Every file below a directory with its content.
fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(dir)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

fn files(script: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in script.split_inclusive('\n') {
        if let Some(path) = line
            .strip_prefix("-- ")
            .and_then(|l| l.trim_end().strip_suffix(" --"))
        {
            files.push((path.to_owned(), String::new()));
            open = true;
        } else if line.starts_with("$ ") || line.starts_with("! ") {
            open = false;
        } else if open {
            files.last_mut().unwrap().1.push_str(line);
        }
    }
    files
}

#[track_caller]
fn check(world: &World, name: &str) -> Vec<String> {
    let before = tree(&world.dir);
    let mut faults = Vec::new();
    for words in [
        &["validate"][..],
        &["plan"],
        &["apply", "-auto-approve"],
        &["eval"],
    ] {
        let output = world.pravo(words);
        let errors = text(&output.stderr);
        let count = errors
            .lines()
            .filter(|line| line.starts_with("Error: "))
            .count();
        if words != ["eval"] && (output.status.code() != Some(6) || count != 1) {
            faults.push(format!(
                "{name}: pravo {words:?}: {:?}\n{errors}",
                output.status
            ));
        }
        if tree(&world.dir) != before {
            faults.push(format!("{name}: pravo {words:?} wrote something"));
        }
    }
    faults
}

#[test]
fn each_broken_specification_has_one_error_and_writes_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/bad");
    let mut faults = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let world = World::new(&format!("bad-{name}"));
        let files = files(&fs::read_to_string(&path).unwrap());
        let (bad, good): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| path == "bad.cue");
        good.iter()
            .for_each(|(path, content)| world.write(path, content));
        world.ok(&["init"]);
        bad.iter()
            .for_each(|(path, content)| world.write(path, content));
        faults.extend(check(&world, &name));
        count += 1;
    }
    assert!(count >= 30, "only {count} broken specifications");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn bytes_that_are_no_text_are_one_error() {
    let world = World::new("bad-bytes");
    world.write("main.cue", b"package estate\n\nx: \"\xff\xfe\"\n");
    assert!(
        check(&world, "bad bytes").is_empty(),
        "{:?}",
        check(&world, "bad bytes")
    );
}

#[test]
fn a_file_that_cannot_be_read_is_one_error() {
    let world = World::new("bad-unreadable");
    world.write("main.cue", "package estate\n");
    std::os::unix::fs::symlink("nowhere.cue", world.dir.join("gone.cue")).unwrap();
    let output = world.pravo(&["plan"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{errors}");
    assert!(
        errors.starts_with("Error: ") && errors.contains("gone.cue"),
        "{errors}"
    );
}
