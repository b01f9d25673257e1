//! Whole processes, timed: wall-clock seconds and the peak memory the system accounts for them.

use std::process::{Command, Stdio};
use std::time::Instant;
use wait4::Wait4;

/// What one run took.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Largest resident memory of the process, in MiB.
    pub mebibytes: f64,
}

/// The word that makes a bench run what follows, and tell what that took.
const ONE_RUN: &str = "--one-run";

/// Runs a command once.
///
/// A child is accounted the memory that its parent had when it was made. So it is made by a fresh
/// process of this program, which is small.
///
/// # Errors
/// The command that could not be started or did not end well.
pub fn once(command: &mut Command, codes: &[i32]) -> Result<Figure, String> {
    let name = format!("{command:?}");
    let failed = |error: &dyn std::fmt::Display| format!("{name}: {error}");
    let this = std::env::current_exe().map_err(|error| failed(&error))?;
    let mut launcher = Command::new(this);
    launcher.arg(ONE_RUN).arg(command.get_program());
    launcher.args(command.get_args());
    launcher.envs(command.get_envs().filter_map(|(k, v)| Some((k, v?))));
    if let Some(dir) = command.get_current_dir() {
        launcher.current_dir(dir);
    }
    let output = launcher.output().map_err(|error| failed(&error))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = said.split_whitespace().collect();
    let [seconds, bytes, code] = words[..] else {
        return Err(failed(&said));
    };
    let number = |word: &str| word.parse::<f64>().map_err(|error| failed(&error));
    if !codes.iter().any(|wanted| wanted.to_string() == code) {
        return Err(format!("{name} ended with {code}"));
    }
    Ok(Figure {
        seconds: number(seconds)?,
        mebibytes: number(bytes)? / 1024.0 / 1024.0,
    })
}

/// Whether this process is to run one command; it has done so then.
pub fn ran_one() -> bool {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != ONE_RUN) {
        return false;
    }
    let Some(program) = words.next() else {
        return false;
    };
    let start = Instant::now();
    let child = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match child.and_then(|child| child.wait4()) {
        Ok(usage) => println!(
            "{} {} {}",
            start.elapsed().as_secs_f64(),
            usage.rusage.maxrss,
            usage.status.code().unwrap_or(-1)
        ),
        Err(error) => println!("{error}"),
    }
    true
}

/// The median of several runs, by time and by memory; `before` prepares each.
///
/// # Errors
/// As [`once`].
pub fn median(
    runs: usize,
    mut before: impl FnMut() -> Result<(), String>,
    mut make: impl FnMut() -> Command,
) -> Result<Figure, String> {
    let mut figures = Vec::new();
    for _ in 0..runs {
        before()?;
        figures.push(once(&mut make(), &[0, 2])?);
    }
    Ok(Figure {
        seconds: middle(figures.iter().map(|f| f.seconds).collect()),
        mebibytes: middle(figures.iter().map(|f| f.mebibytes).collect()),
    })
}

/// The middle one of some values; of an even number the later one.
pub fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Whether a program can be started.
pub fn exists(program: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg("version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .stdin(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Prints a row: what was done, ours, theirs, and the ratios theirs / ours.
pub fn row(what: &str, ours: Figure, theirs: Option<Figure>) {
    let Some(theirs) = theirs else {
        println!(
            "{what:<34} {:>9.3} s {:>8.1} MiB",
            ours.seconds, ours.mebibytes
        );
        return;
    };
    println!(
        "{what:<34} {:>9.3} s {:>8.1} MiB | {:>9.3} s {:>8.1} MiB | {:>7.1}x time {:>6.1}x memory",
        ours.seconds,
        ours.mebibytes,
        theirs.seconds,
        theirs.mebibytes,
        theirs.seconds / ours.seconds,
        theirs.mebibytes / ours.mebibytes
    );
}

/// The sizes among the arguments, or these.
pub fn sizes(otherwise: &[usize]) -> Vec<usize> {
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok())
        .collect();
    match sizes.is_empty() {
        true => otherwise.to_vec(),
        false => sizes,
    }
}
