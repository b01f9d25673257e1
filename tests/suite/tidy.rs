//! The house rules, as tests over the tree itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a source file; tests and generated code aside.
const FILE_LINES: usize = 700;
/// Most characters of a line.
const LINE_WIDTH: usize = 100;
/// Most files of a folder.
const FOLDER_FILES: usize = 20;

/// Where a house rule does not hold, and why. The list only gets shorter.
const EXCEPTIONS: [(&str, &str); 4] = [
    (
        "src/cue/builtin/packages",
        "one file for each standard package of the language",
    ),
    ("src/cue/eval", "one file for each concept of evaluation"),
    (
        "src/cue/eval/expr.rs",
        "one arm for each form of expression",
    ),
    (
        "src/cue/eval/predeclared.rs",
        "one function for each predeclared name",
    ),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn excepted(path: &Path) -> bool {
    let relative = path.strip_prefix(root()).unwrap_or(path);
    EXCEPTIONS
        .iter()
        .any(|(exception, _)| relative == Path::new(exception))
}

/// Every file of the project in these folders, without build output.
fn files(extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = ["src", "actors", "proto", "tests", "benches", "docs"]
        .map(|name| root().join(name))
        .into();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && name != "generated" {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn is_test(path: &Path) -> bool {
    let text = path
        .strip_prefix(root())
        .unwrap()
        .to_string_lossy()
        .into_owned();
    text.starts_with("tests/") || text.contains("/tests/") || text.ends_with("tests.rs")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[track_caller]
fn none(faults: Vec<String>) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_file_says_what_it_is_and_fits_a_sitting() {
    let mut faults = Vec::new();
    for path in files("rs") {
        let text = text(&path);
        if !text.starts_with("//!") {
            faults.push(format!("{}: no //! line at the top", path.display()));
        }
        let lines = text.lines().count();
        if lines > FILE_LINES && !is_test(&path) && !excepted(&path) {
            faults.push(format!(
                "{}: {lines} lines, want {FILE_LINES}",
                path.display()
            ));
        }
        for (number, line) in text.lines().enumerate() {
            // A literal or a row of a table cannot be broken.
            let whole = line.contains('"') || line.starts_with("//! |");
            if line.chars().count() > LINE_WIDTH && !whole && !is_test(&path) {
                let width = line.chars().count();
                faults.push(format!(
                    "{}:{}: {width} columns",
                    path.display(),
                    number + 1
                ));
            }
        }
    }
    none(faults);
}

#[test]
fn no_remark_is_left_for_later() {
    let words = ["TO", "FIX", "XX", "HA"]
        .iter()
        .zip(["DO", "ME", "X", "CK"]);
    let words: Vec<String> = words.map(|(a, b)| format!("{a}{b}")).collect();
    let mut faults = Vec::new();
    for path in files("rs") {
        for (number, line) in text(&path).lines().enumerate() {
            let comment = line.split_once("//").map_or("", |(_, comment)| comment);
            if words.iter().any(|word| comment.contains(word)) {
                faults.push(format!(
                    "{}:{}: {}",
                    path.display(),
                    number + 1,
                    line.trim()
                ));
            }
        }
    }
    none(faults);
}

#[test]
fn no_folder_is_a_heap() {
    let mut faults = Vec::new();
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    for path in files("rs") {
        folders.insert(path.parent().unwrap().to_owned());
    }
    for folder in folders {
        let count = fs::read_dir(&folder)
            .unwrap()
            .filter(|entry| {
                entry
                    .as_ref()
                    .unwrap()
                    .path()
                    .extension()
                    .is_some_and(|e| e == "rs")
            })
            .count();
        if count > FOLDER_FILES && !excepted(&folder) {
            faults.push(format!("{}: {count} files", folder.display()));
        }
    }
    none(faults);
}

#[test]
fn the_pages_name_only_paths_that_exist() {
    let mut faults = Vec::new();
    let mut pages = files("md");
    pages.push(root().join("README.md"));
    for page in pages {
        for word in text(&page).split(['`', '(', ')', ' ', '\n']) {
            let word = word.trim_end_matches(['.', ',', ':', '/']);
            let inside = ["src/", "actors/", "proto/", "tests/", "benches/", "docs/"];
            if inside.iter().any(|folder| word.starts_with(folder))
                && !word.contains(['*', '<', '{', '…'])
                && !root().join(word).exists()
            {
                faults.push(format!("{}: {word} does not exist", page.display()));
            }
        }
    }
    none(faults);
}

#[test]
fn the_map_names_every_room() {
    let map = text(&root().join("docs/architecture.md"));
    let mut rooms: Vec<String> = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| format!("src/{}", path.file_name().unwrap().to_string_lossy()))
        .collect();
    rooms.extend(["actors".to_owned(), "proto".to_owned()]);
    let missing = rooms
        .into_iter()
        .filter(|room| !map.contains(&format!("`{room}`")));
    none(
        missing
            .map(|room| format!("docs/architecture.md does not name {room}"))
            .collect(),
    );
}

#[test]
fn every_package_stays_in_its_home() {
    let homes = [
        ("clap", &["src/cli"][..]),
        ("actix", &["actors"]),
        ("tonic", &["proto", "src/provider", "src/bundled"]),
        ("prost", &["proto", "src/provider"]),
        ("pravo-proto", &["src/provider", "src/bundled"]),
        (
            "pravo-cue",
            &["src/load", "src/spec", "src/cli", "tests/fuzz"],
        ),
        ("tracing-subscriber", &["src/cli"]),
    ];
    let mut faults = Vec::new();
    for manifest in files("toml") {
        let folder = manifest
            .parent()
            .unwrap()
            .strip_prefix(root())
            .unwrap()
            .to_owned();
        let text = text(&manifest);
        for (package, allowed) in homes {
            let uses = text.lines().any(|line| {
                line.strip_prefix(package)
                    .is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
            });
            if uses && !allowed.iter().any(|home| folder == Path::new(home)) {
                faults.push(format!("{} uses {package}", folder.display()));
            }
        }
    }
    none(faults);
}

#[test]
fn every_dependency_has_a_permissive_licence() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let permissive = [
        "MIT",
        "MIT-0",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "ISC",
        "Zlib",
        "0BSD",
        "Unicode-3.0",
        "CC0-1.0",
        "Unlicense",
        "BSL-1.0",
        "CDLA-Permissive-2.0",
        "OpenSSL",
    ];
    let fits = |licence: &str| {
        licence.split(" AND ").all(|part| {
            let part = part.trim_matches(['(', ')']);
            part.split(" OR ")
                .flat_map(|one| one.split('/'))
                .any(|one| {
                    let one = one.trim().trim_matches(['(', ')']);
                    permissive.contains(&one.split(" WITH ").next().unwrap_or(one))
                })
        })
    };
    let mut faults = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let licence = package["license"].as_str().unwrap_or("none");
        if !fits(licence) {
            faults.push(format!("{}: {licence}", package["name"]));
        }
    }
    none(faults);
}
