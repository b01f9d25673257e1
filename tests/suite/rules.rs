//! The rules of the language, one small case for each, as data in `tests/cue/rules`.
//!
//! A case is a section that says the rule in words; the sections below it are its files and what
//! the commands say of them: `eval`, then `export` where values were to be seen or it fails, then
//! `vet` (with `-c`) where it says something else than the one before, and `def` where that was to
//! be seen. A line of standard error
//! begins with `! `, an exit code that does not follow from it with `? `. `PRAVO_UPDATE=1` rewrites
//! what was said.

use crate::world::{World, text};
use pravo_archive::Archive;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The names of the sections that are no files, with the words of the command.
const COMMANDS: [(&str, &[&str]); 4] = [
    ("eval", &["cue", "eval"]),
    ("export", &["cue", "export"]),
    ("vet", &["cue", "vet", "-c"]),
    ("def", &["cue", "def"]),
];

/// A rule: its name, what it says, its files, and the answers.
struct Case {
    head: (String, String),
    files: Vec<(String, String)>,
    answers: Vec<(String, String)>,
}

impl Case {
    /// The cases of a file.
    fn all(archive: &Archive) -> Vec<Self> {
        let mut cases: Vec<Self> = Vec::new();
        for (name, text) in archive.sections.clone() {
            if COMMANDS.iter().any(|(command, _)| *command == name) {
                cases.last_mut().unwrap().answers.push((name, text));
            } else if name.contains('.') {
                cases.last_mut().unwrap().files.push((name, text));
            } else {
                cases.push(Self {
                    head: (name, text),
                    files: Vec::new(),
                    answers: Vec::new(),
                });
            }
        }
        cases
    }

    /// The words behind a command: a module is evaluated where it stands, files by their names.
    fn arguments(&self) -> Vec<&str> {
        let names = self.files.iter().map(|(name, _)| name.as_str());
        if names.clone().any(|name| name == "cue.mod/module.cue") {
            return Vec::new();
        }
        names.filter(|name| !name.contains('/')).collect()
    }

    /// What the commands say now.
    fn answer(&self) -> Vec<(String, String)> {
        let world = World::new("rule");
        for (name, text) in &self.files {
            world.write(name, text);
        }
        let run = |which: usize| {
            let words = [COMMANDS[which].1, &self.arguments()].concat();
            world.pravo(&words)
        };
        let wanted = |command: &str| self.answers.iter().any(|(name, _)| name == command);
        let [eval, export, vet] = [0, 1, 2].map(run);
        let mut answers = vec![("eval".to_owned(), said(&eval))];
        let good = eval.status.success();
        let mut last = (eval.status.code(), eval.stderr.clone());
        if good && (wanted("export") || !export.status.success())
            || !good && export.stderr != eval.stderr
        {
            answers.push(("export".to_owned(), said(&export)));
            last = (export.status.code(), export.stderr);
        }
        if (vet.status.code(), &vet.stderr) != (last.0, &last.1) {
            answers.push(("vet".to_owned(), said(&vet)));
        }
        if wanted("def") {
            answers.push(("def".to_owned(), said(&run(3))));
        }
        answers
    }
}

/// What a command printed, and its exit code where that does not follow.
fn said(output: &Output) -> String {
    let mut said = text(&output.stdout);
    if !said.is_empty() && !said.ends_with('\n') {
        said.push('\n');
    }
    for line in text(&output.stderr).lines() {
        said.push_str(format!("! {line}").trim_end());
        said.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        Some(1) if !output.stderr.is_empty() => {}
        code => said.push_str(&format!("? {}\n", code.unwrap_or(-1))),
    }
    said
}

fn archives() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cue/rules");
    let mut found: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

#[test]
fn every_rule_holds() {
    let mut count = 0;
    for path in archives() {
        let mut archive = Archive::read(&path);
        let mut wrong = Vec::new();
        let mut sections = Vec::new();
        for case in Case::all(&archive) {
            count += 1;
            let answers = case.answer();
            if answers != case.answers {
                let (name, rule) = &case.head;
                let path = path.display();
                let (want, got) = (&case.answers, &answers);
                wrong.push(format!("{path} {name}: {rule}want {want:#?}\ngot {got:#?}"));
            }
            sections.push(case.head);
            sections.extend(case.files);
            sections.extend(answers);
        }
        archive.sections = sections;
        archive.settle(&wrong);
    }
    assert!(count >= 700, "only {count} rules have a case");
}
