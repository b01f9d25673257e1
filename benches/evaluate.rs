//! The language alone, beside the real `cue` in the same run: time and peak memory of evaluating
//! and printing generated programs, and what single library calls on a large value cost.
//!
//! `cargo bench --bench evaluate [-- SIZE…]` (estates of 1,000, 10,000 and 100,000 resources
//! without sizes). The peer is `cue` on the path; without one the figures stand alone. A folder of
//! one's own is measured too: `PRAVO_BENCH_DIR` names it, `PRAVO_BENCH_ARGS` holds the words before
//! the files (`export -e releases`), and all `.cue` files below it, or below `PRAVO_BENCH_BELOW`
//! inside it, follow as arguments.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]
#![allow(
    clippy::disallowed_methods,
    reason = "a bench reads its own environment"
)]
#![allow(unreachable_pub, reason = "what benches share is theirs alone")]

mod common;
#[path = "common/library.rs"]
mod library;

use common::process::{Figure, exists, median, middle, once, ran_one, row, sizes};
use common::programs::{self, Style};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PRAVO: &str = env!("CARGO_BIN_EXE_pravo");
const PEER: &str = "cue";

/// Programs that take longer than this are run once, shorter ones several times.
const LONG: f64 = 2.0;
const RUNS: usize = 5;

/// How often a larger estate is run beside a smaller one, and how often that is run then.
const TURNS: usize = 15;
const SHORT_ONES: usize = 3;

fn main() {
    if ran_one() {
        return;
    }
    let sizes = sizes(&[1000, 10_000, 100_000]);
    let peer = exists(PEER);
    let name = if peer { PEER } else { "no cue on the path" };
    println!("pravo cue | {name}");
    let dir = std::env::temp_dir().join(format!("pravo-bench-cue-{}", std::process::id()));
    let result = estates(&dir, &sizes, peer)
        .and_then(|()| others(&dir, peer))
        .and_then(|()| given(peer))
        .and_then(|()| calls(&sizes));
    if let Err(error) = result {
        println!("{error}");
    }
    let _ = fs::remove_dir_all(&dir);
}

/// Library calls on the largest estate.
fn calls(sizes: &[usize]) -> Result<(), String> {
    let size = sizes.iter().copied().max().unwrap_or_default();
    println!("\nlibrary calls on an estate of {size}");
    library::questions(&programs::alone(size), size)
}

fn estates(dir: &Path, sizes: &[usize], peer: bool) -> Result<(), String> {
    for (style, name) in [(Style::Explicit, "fields"), (Style::Loop, "loops")] {
        let mut before: Option<(usize, PathBuf)> = None;
        for &size in sizes {
            let folder = dir.join(format!("{name}-{size}"));
            programs::estate(&folder, size, style).map_err(|e| e.to_string())?;
            let title = format!("estate of {size}, {name}");
            both(&title, &folder, &["eval"], &[], peer)?;
            if let Some((smaller, small)) = &before {
                let times = growth(small, &folder)?;
                println!("{:<34} {times:>9.1} times the time of {smaller}", "");
            }
            before = Some((size, folder));
        }
    }
    Ok(())
}

/// How many times as long a larger estate takes as a smaller one. They are run in turns: what else
/// the machine does then slows down both.
fn growth(small: &Path, large: &Path) -> Result<f64, String> {
    let seconds = |folder| once(&mut pravo(folder, &["eval"], &[]), &[0]).map(|f| f.seconds);
    let (mut short, mut long) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        for _ in 0..SHORT_ONES {
            short.push(seconds(small)?);
        }
        long.push(seconds(large)?);
    }
    Ok(middle(long) / middle(short))
}

fn others(dir: &Path, peer: bool) -> Result<(), String> {
    type Make = fn(&Path, usize) -> std::io::Result<()>;
    let programs: [(&str, Make, usize); 3] = [
        ("nested disjunction, levels", programs::disjunction, 6),
        ("closed schema, instances", programs::schema, 20_000),
        ("files of one package", programs::files, 1000),
    ];
    for (name, make, size) in programs {
        let folder = dir.join(name.replace([' ', ','], "-"));
        make(&folder, size).map_err(|e| e.to_string())?;
        both(&format!("{name}: {size}"), &folder, &["eval"], &[], peer)?;
    }
    Ok(())
}

/// The folder that the environment names, if it does.
fn given(peer: bool) -> Result<(), String> {
    let Some(dir) = std::env::var_os("PRAVO_BENCH_DIR").map(PathBuf::from) else {
        return Ok(());
    };
    let below = std::env::var_os("PRAVO_BENCH_BELOW").map_or(PathBuf::from("."), PathBuf::from);
    let words = std::env::var("PRAVO_BENCH_ARGS").unwrap_or_else(|_| "export".to_owned());
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut files = Vec::new();
    collect(&dir, &below, &mut files).map_err(|e| e.to_string())?;
    files.sort();
    let title = format!("{} files below {}", files.len(), below.display());
    both(&title, &dir, &words, &files, peer)
}

fn collect(dir: &Path, below: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(dir.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(dir, &path, files)?;
        } else if path.extension().is_some_and(|e| e == "cue") {
            files.push(path);
        }
    }
    Ok(())
}

/// Runs the same words with both programs and prints the row.
fn both(
    title: &str,
    dir: &Path,
    words: &[&str],
    files: &[PathBuf],
    peer: bool,
) -> Result<(), String> {
    let ours = measured(|| pravo(dir, words, files))?;
    let theirs = peer
        .then(|| {
            measured(|| {
                let mut command = Command::new(PEER);
                command.args(words).args(files).current_dir(dir);
                command
            })
        })
        .transpose()?;
    row(title, ours, theirs);
    Ok(())
}

fn pravo(dir: &Path, words: &[&str], files: &[PathBuf]) -> Command {
    let mut command = Command::new(PRAVO);
    command.arg("cue").args(words).args(files).current_dir(dir);
    command
}

fn measured(mut make: impl FnMut() -> Command) -> Result<Figure, String> {
    let first = once(&mut make(), &[0])?;
    if first.seconds > LONG {
        return Ok(first);
    }
    median(RUNS, || Ok(()), make)
}
