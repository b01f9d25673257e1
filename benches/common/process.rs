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

/// Runs a command once.
///
/// # Errors
/// The command that could not be started or did not end well.
pub fn once(command: &mut Command, codes: &[i32]) -> Result<Figure, String> {
    let name = format!("{command:?}");
    let start = Instant::now();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{name}: {error}"))?;
    let usage = child.wait4().map_err(|error| format!("{name}: {error}"))?;
    if !usage
        .status
        .code()
        .is_some_and(|code| codes.contains(&code))
    {
        return Err(format!("{name} ended with {}", usage.status));
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Figure {
        seconds,
        mebibytes: usage.rusage.maxrss as f64 / 1024.0 / 1024.0,
    })
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
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Ok(Figure {
        seconds: middle(figures.iter().map(|f| f.seconds).collect()),
        mebibytes: middle(figures.iter().map(|f| f.mebibytes).collect()),
    })
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
