//! `pravo-fuzz TARGET [--seconds N] [--seed S]` and `pravo-fuzz differential [--programs N]`.
#![allow(clippy::print_stdout, reason = "it prints its figures")]
#![allow(
    clippy::disallowed_methods,
    reason = "it reads its arguments and the clock"
)]

use pravo_fuzz::differential::{Figures, Pair};
use pravo_fuzz::target::Target;
use pravo_programs::program::Feature;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const USAGE: &str = "pravo-fuzz parse|evaluate|format [--seconds N] [--seed S] [--corpus DIR]
pravo-fuzz differential [--programs N] [--seed S] [--pravo FILE] [--cue FILE] [--differences DIR]
pravo-fuzz show [TARGET] --seed S [--corpus DIR]: prints the program or the input of a seed
pravo-fuzz check TARGET --input FILE: checks what must hold for one source
pravo-fuzz cost --input FILE: what each stage of evaluating one source takes";

/// An input that takes more time of the processor hangs. Each is evaluated twice or three times,
/// with a twentieth of the steps.
const LONGEST: Duration = Duration::from_secs(7);

/// An input that takes more memory, in bytes, takes too much.
const LARGEST: u64 = 1 << 30;

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

    /// The sources that inputs are made of.
    fn sources(&self) -> Vec<String> {
        let mut sources = Vec::new();
        let dir = self.value("--corpus").unwrap_or("tests/cue");
        corpus(Path::new(dir), &mut sources);
        sources.retain(|source| source.len() < 8 << 10);
        sources.sort();
        sources
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
        "check" => match check(&arguments) {
            Ok(text) => {
                println!("{text}");
                ExitCode::SUCCESS
            }
            Err(problem) => {
                println!("{problem}");
                ExitCode::FAILURE
            }
        },
        "cost" => match cost(&arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => {
                println!("{problem}");
                ExitCode::FAILURE
            }
        },
        "show" => {
            let seed = arguments.number("--seed", 0);
            let name = arguments.words.get(1).map_or("", String::as_str);
            let target = Target::ALL.into_iter().find(|(n, _)| *n == name);
            let input = match target {
                Some((_, target)) => target.input(&arguments.sources(), seed),
                None => pravo_programs::program::program(seed).text.into_bytes(),
            };
            print!("{}", String::from_utf8_lossy(&input));
            ExitCode::SUCCESS
        }
        _ => {
            println!("{USAGE}");
            ExitCode::FAILURE
        }
    }
}

/// Checks one source, and says what that took.
fn check(arguments: &Arguments) -> Result<String, String> {
    let name = arguments.words.get(1).map_or("", String::as_str);
    let target = Target::ALL.into_iter().find(|(n, _)| *n == name);
    let (Some((_, target)), Some(file)) = (target, arguments.value("--input")) else {
        return Err(USAGE.to_owned());
    };
    let input = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    target.check(&input)?;
    Ok(format!("holds, {:.2} s", processor_time().as_secs_f64()))
}

/// Prints what evaluating a source takes, next to what of it is counted.
fn cost(arguments: &Arguments) -> Result<(), String> {
    let file = arguments.value("--input").ok_or(USAGE)?;
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    pravo_fuzz::target::stages(&text, |stage, steps, bytes| {
        let time = processor_time();
        println!(
            "{stage}: {:.2} s, {steps} steps, {} ns a step; {} MiB counted, {} MiB resident",
            time.as_secs_f64(),
            time.as_nanos() / u128::from(steps.max(1)),
            bytes >> 20,
            resident().unwrap_or(0) >> 20
        );
    });
    Ok(())
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
            let parts = text.split("\n-- ").filter_map(|part| {
                let (name, source) = part.split_once('\n')?;
                name.ends_with(".cue --").then_some(source)
            });
            match path.extension().is_some_and(|e| e == "cue") {
                true => sources.push(text),
                false => sources.extend(parts.map(str::to_owned)),
            }
        }
    }
}

fn fuzz(name: &'static str, target: Target, arguments: &Arguments) -> ExitCode {
    let sources = Arc::new(arguments.sources());
    let end = Instant::now() + Duration::from_secs(arguments.number("--seconds", 10));
    let first = arguments.number("--seed", 0);
    let current = Arc::new(AtomicU64::new(first));
    let tell = {
        let sources = Arc::clone(&sources);
        move |seed: u64, problem: &str| {
            let input = target.input(&sources, seed);
            let text = String::from_utf8_lossy(&input);
            println!("== {name} --seed {seed}\n{text}\n-- {problem}");
        }
    };
    watch(tell.clone(), Arc::clone(&current));
    let (mut seed, mut failed) = (first, 0);
    while Instant::now() < end {
        current.store(seed, Ordering::Relaxed);
        let input = target.input(&sources, seed);
        if let Err(problem) = target.check(&input) {
            failed += 1;
            tell(seed, &problem);
        }
        seed += 1;
    }
    println!(
        "{name}: {} inputs, {failed} failed, {} s of the processor",
        seed - first,
        processor_time().as_secs()
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Ends the process when one input takes too long or too much.
fn watch(tell: impl Fn(u64, &str) + Send + 'static, current: Arc<AtomicU64>) {
    std::thread::spawn(move || {
        let mut last = (u64::MAX, Duration::ZERO);
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let seed = current.load(Ordering::Relaxed);
            let problem = if seed != last.0 {
                last = (seed, processor_time());
                continue;
            } else if processor_time().saturating_sub(last.1) > LONGEST {
                "takes too long"
            } else if resident().is_some_and(|bytes| bytes > LARGEST) {
                "takes too much memory"
            } else {
                continue;
            };
            tell(seed, problem);
            std::process::exit(1);
        }
    });
}

/// The time of the processor that this process took: on a busy machine the clock says little.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The memory of this process that is in use, in bytes, where the system tells it.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
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
