//! `pravo-fuzz TARGET [--seconds N] [--seed S]` and `pravo-fuzz differential [--programs N]`.
#![allow(clippy::print_stdout, reason = "it prints its figures")]
#![allow(
    clippy::disallowed_methods,
    reason = "it reads its arguments and the clock"
)]

use pravo_fuzz::differential::{Figures, Pair};
use pravo_fuzz::program::Feature;
use pravo_fuzz::target::Target;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const USAGE: &str = "pravo-fuzz parse|evaluate|format [--seconds N] [--seed S] [--corpus DIR]
pravo-fuzz differential [--programs N] [--seed S] [--pravo FILE] [--cue FILE] [--differences DIR]
pravo-fuzz show --seed S: prints the program of a seed";

/// An input that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(20);

struct Arguments {
    words: Vec<String>,
}

impl Arguments {
    fn value(&self, name: &str) -> Option<&str> {
        let at = self.words.iter().position(|word| word == name)?;
        self.words.get(at + 1).map(String::as_str)
    }

    fn number(&self, name: &str, otherwise: u64) -> u64 {
        let value = self.value(name).and_then(|text| text.parse().ok());
        value.unwrap_or(otherwise)
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let arguments = Arguments { words };
    let what = arguments.words.first().map_or("", String::as_str);
    if let Some((name, target)) = Target::ALL.into_iter().find(|(name, _)| *name == what) {
        return fuzz(name, target, &arguments);
    }
    match what {
        "differential" => match differential(&arguments) {
            Ok(code) => code,
            Err(error) => {
                println!("{error}");
                ExitCode::FAILURE
            }
        },
        "show" => {
            print!(
                "{}",
                pravo_fuzz::program::program(arguments.number("--seed", 0)).text
            );
            ExitCode::SUCCESS
        }
        _ => {
            println!("{USAGE}");
            ExitCode::FAILURE
        }
    }
}

/// Every source of the language below a folder.
fn corpus(dir: &Path, sources: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            corpus(&path, sources);
        } else if path.extension().is_some_and(|e| e == "cue" || e == "txtar")
            && let Ok(text) = fs::read_to_string(&path)
        {
            let parts = text
                .split("\n-- ")
                .map(|part| part.split_once('\n').map_or(part, |p| p.1));
            sources.extend(parts.filter(|p| p.len() < 8 << 10).map(str::to_owned));
        }
    }
}

fn fuzz(name: &str, target: Target, arguments: &Arguments) -> ExitCode {
    let mut sources = Vec::new();
    corpus(
        Path::new(arguments.value("--corpus").unwrap_or("tests/cue")),
        &mut sources,
    );
    sources.sort();
    let end = Instant::now() + Duration::from_secs(arguments.number("--seconds", 10));
    let first = arguments.number("--seed", 0);
    let current = Arc::new(AtomicU64::new(first));
    watch(name, Arc::clone(&current));
    let (mut seed, mut failed) = (first, 0);
    while Instant::now() < end {
        current.store(seed, Ordering::Relaxed);
        let input = target.input(&sources, seed);
        if let Err(problem) = target.check(&input) {
            failed += 1;
            println!(
                "== {name} --seed {seed}\n{}\n-- {problem}",
                String::from_utf8_lossy(&input)
            );
        }
        seed += 1;
    }
    println!("{name}: {} inputs, {failed} failed", seed - first);
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Ends the process when one input takes too long.
fn watch(name: &str, current: Arc<AtomicU64>) {
    let name = name.to_owned();
    std::thread::spawn(move || {
        let mut last = (u64::MAX, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let seed = current.load(Ordering::Relaxed);
            if seed != last.0 {
                last = (seed, Instant::now());
            } else if last.1.elapsed() > LONGEST {
                println!("{name} --seed {seed} hangs");
                std::process::exit(1);
            }
        }
    });
}

fn differential(arguments: &Arguments) -> std::io::Result<ExitCode> {
    let absolute = |name: &str, otherwise: &str| {
        let path = PathBuf::from(arguments.value(name).unwrap_or(otherwise));
        match path.components().count() {
            1 => Ok(path),
            _ => std::path::absolute(path),
        }
    };
    let pair = Pair {
        pravo: absolute("--pravo", "target/release/pravo")?,
        cue: absolute("--cue", "cue")?,
    };
    let first = arguments.number("--seed", 0);
    let dir = tempfile::tempdir()?;
    let mut figures = Figures::default();
    for seed in first..first + arguments.number("--programs", 1000) {
        let (program, good, difference) = pair.run(dir.path(), seed)?;
        figures.count(&program, good, difference.is_some());
        let Some(found) = difference else { continue };
        let text = format!(
            "== seed {seed}, {}\n{}-- pravo: {:?}\n{}{}-- cue: {:?}\n{}{}",
            found.command,
            found.text,
            found.ours.code,
            found.ours.out,
            found.ours.err,
            found.theirs.code,
            found.theirs.out,
            found.theirs.err
        );
        println!("{text}");
        if let Some(keep) = arguments.value("--differences") {
            fs::create_dir_all(keep)?;
            fs::write(Path::new(keep).join(format!("{seed}.txt")), text)?;
        }
    }
    for feature in Feature::ALL {
        let count = figures.features.get(&feature).copied().unwrap_or(0);
        println!("{feature:?}: {}%", count * 100 / figures.programs.max(1));
    }
    let Figures {
        programs,
        good,
        differences,
        ..
    } = figures;
    println!("{programs} programs, {good} evaluate without error, {differences} differ");
    Ok(if differences == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
