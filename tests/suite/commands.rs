//! Scripts of commands with what they print, as data in `tests/commands`.
//!
//! A script is a sentence, commands and files. A line `$ pravo …` is run by a shell in the
//! directory of the files; below it stand its standard output (`> `), its standard error (`! `)
//! and, where it is not 0, its exit code (`? 6`). `-- PATH --` begins a file; a file that stands
//! between commands is written at that moment. `PRAVO_UPDATE=1` rewrites what was printed.

use crate::world::{World, text};
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};

/// A part of a script.
enum Part {
    /// Text that is neither a command nor a file.
    Text(String),
    /// A command and what it printed.
    Run(String, String),
    /// A file.
    File(String, String),
}

#[test]
fn scripts_print_what_they_say() {
    let update = std::env::var("PRAVO_UPDATE").is_ok();
    let mut failures = Vec::new();
    let mut count = 0;
    for path in scripts() {
        count += 1;
        let before = fs::read_to_string(&path).unwrap();
        let after = run(&path, &before);
        if before != after {
            if update {
                fs::write(&path, after).unwrap();
            } else {
                failures.push(format!(
                    "{}\n{}",
                    path.display(),
                    difference(&before, &after)
                ));
            }
        }
    }
    assert!(count > 0, "tests/commands holds no script");
    assert!(failures.is_empty(), "\n{}", failures.join("\n\n"));
}

fn scripts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let mut folders = vec![root];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "txtar" => found.push(path),
                _ => panic!("{} is no script", path.display()),
            }
        }
    }
    found.sort();
    found
}

fn difference(before: &str, after: &str) -> String {
    let mut out = String::new();
    let (old, new): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new) {
        if op.tag() != similar::DiffTag::Equal {
            out.extend(op.old_range().map(|line| format!("- {}\n", old[line])));
            out.extend(op.new_range().map(|line| format!("+ {}\n", new[line])));
        }
    }
    out
}

fn parse(script: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in script.split_inclusive('\n') {
        if let Some(command) = line.strip_prefix("$ ") {
            parts.push(Part::Run(command.trim_end().to_owned(), String::new()));
            continue;
        }
        if let Some(path) = line
            .strip_prefix("-- ")
            .and_then(|l| l.trim_end().strip_suffix(" --"))
        {
            parts.push(Part::File(path.to_owned(), String::new()));
            continue;
        }
        let printed = [">", "!", "?"].iter().any(|mark| line.starts_with(mark));
        match parts.last_mut() {
            Some(Part::File(_, content)) => content.push_str(line),
            Some(Part::Run(_, output)) if printed => output.push_str(line),
            Some(Part::Text(text)) => text.push_str(line),
            _ => parts.push(Part::Text(line.to_owned())),
        }
    }
    parts
}

/// Runs a script and gives it back with what was printed.
fn run(path: &Path, script: &str) -> String {
    let name = path.file_stem().unwrap().to_string_lossy();
    let world = World::new(&name);
    let parts = parse(script);
    let first_run = parts.iter().position(|part| matches!(part, Part::Run(..)));
    let last_run = parts.iter().rposition(|part| matches!(part, Part::Run(..)));
    let (Some(first_run), Some(last_run)) = (first_run, last_run) else {
        panic!("{} runs nothing", path.display());
    };
    let at_start = |index: usize| index < first_run || index > last_run;
    for (index, part) in parts.iter().enumerate() {
        if let Part::File(path, content) = part
            && at_start(index)
        {
            world.write(path, content);
        }
    }
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::File(path, content) => {
                if !at_start(index) {
                    world.write(path, content);
                }
                out.push_str(&format!("-- {path} --\n{content}"));
            }
            Part::Run(command, _) => {
                out.push_str(&format!("$ {command}\n{}", printed(&world, command)));
            }
        }
    }
    out
}

fn printed(world: &World, command: &str) -> String {
    let output = world.command("sh").args(["-c", command]).output().unwrap();
    let mut out = String::new();
    for (mark, bytes) in [("> ", &output.stdout), ("! ", &output.stderr)] {
        for line in in_order(&stable(&text(bytes))) {
            out.push_str(&format!("{mark}{line}"));
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => out.push_str(&format!("? {code}\n")),
        None => out.push_str("? killed\n"),
    }
    out
}

/// Calls run at the same time, so the lines of progress between two other lines are sorted.
fn in_order(text: &str) -> Vec<&str> {
    let progress = Regex::new(r"^\S+: .*(\.\.\.( \[|$)| after <n>s)").unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let same = |a: &&str, b: &&str| progress.is_match(a) && progress.is_match(b);
    lines
        .chunk_by_mut(same)
        .for_each(|chunk| chunk.sort_unstable());
    lines
}

/// What differs from run to run becomes a word in angle brackets.
fn stable(text: &str) -> String {
    let words = [
        (
            r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
            "<uuid>",
        ),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "<time>"),
        (r"took=\S+", "took=<time>"),
        (r"after \d+s", "after <n>s"),
        (r"\(pid \d+ on [^),]+", "(pid <pid> on <host>"),
        (r"tester@\S+", "tester@<host>"),
        (r"(refreshed|applied) \d+s ago", "$1 <n>s ago"),
    ];
    let mut out = text.to_owned();
    for (pattern, word) in words {
        out = Regex::new(pattern)
            .unwrap()
            .replace_all(&out, word)
            .into_owned();
    }
    out
}
