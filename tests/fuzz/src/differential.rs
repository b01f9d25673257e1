//! Programs under pravo and under the real `cue`, side by side.

use pravo_programs::program::{Feature, Program, program};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The exit code; nothing when it was ended from outside.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The two programs that are compared.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The pravo binary.
    pub pravo: PathBuf,
    /// The real one.
    pub cue: PathBuf,
}

/// A program that the two do not agree on.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its seed.
    pub seed: u64,
    /// Its text, with everything taken away that the difference does not need.
    pub text: String,
    /// The command they differ in.
    pub command: &'static str,
    /// What pravo says.
    pub ours: Answer,
    /// What the real one says.
    pub theirs: Answer,
}

/// Figures of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Programs that were compared.
    pub programs: usize,
    /// Those that evaluate without error under the real one.
    pub good: usize,
    /// Those whose texts of errors differ in more than the order or the places.
    pub differences: usize,
    /// In how many programs each feature is.
    pub features: BTreeMap<Feature, usize>,
}

const COMMANDS: [(&str, &[&str]); 3] = [
    ("eval", &["eval", "x.cue"]),
    ("export", &["export", "x.cue"]),
    ("vet", &["vet", "-c", "x.cue"]),
];

impl Pair {
    /// Compares one program by one command, in a folder of its own.
    ///
    /// # Errors
    /// What the system said.
    fn compare(&self, dir: &Path, text: &str, which: usize) -> io::Result<(Answer, Answer)> {
        fs::write(dir.join("x.cue"), text)?;
        let words = COMMANDS[which].1;
        let mut pravo = Command::new(&self.pravo);
        let ours = answer(pravo.arg("cue").args(words).current_dir(dir))?;
        let theirs = answer(Command::new(&self.cue).args(words).current_dir(dir))?;
        Ok((ours, theirs))
    }

    /// Compares the program of a seed. The first command that differs is the answer, beside
    /// whether the program evaluates without error.
    ///
    /// # Errors
    /// What the system said.
    pub fn run(&self, dir: &Path, seed: u64) -> io::Result<(Program, bool, Option<Difference>)> {
        let program = program(seed);
        let mut good = false;
        for (which, (command, _)) in COMMANDS.iter().enumerate() {
            // What can't be evaluated is said in the same way by all commands.
            if which > 0 && !good {
                break;
            }
            let (ours, theirs) = self.compare(dir, &program.text, which)?;
            good |= which == 0 && theirs.code == Some(0);
            if !same(&ours, &theirs) {
                let text = self.shrink(dir, &program.text, which)?;
                let (ours, theirs) = self.compare(dir, &text, which)?;
                let difference = Difference {
                    seed,
                    text,
                    command,
                    ours,
                    theirs,
                };
                return Ok((program, good, Some(difference)));
            }
        }
        Ok((program, good, None))
    }

    /// Takes away lines while the two still differ.
    fn shrink(&self, dir: &Path, text: &str, which: usize) -> io::Result<String> {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut size = lines.len();
        while size > 0 {
            let mut at = 0;
            while at + size <= lines.len() {
                let mut fewer = lines.clone();
                fewer.drain(at..at + size);
                let text = fewer.join("\n") + "\n";
                let (ours, theirs) = self.compare(dir, &text, which)?;
                // A program that cannot be read differs for another reason.
                let readable =
                    !theirs.err.contains("expected") && !theirs.err.contains("reference");
                if readable && !same(&ours, &theirs) {
                    lines = fewer;
                } else {
                    at += 1;
                }
            }
            size /= 2;
        }
        Ok(lines.join("\n") + "\n")
    }
}

impl Figures {
    /// Counts a program.
    pub fn count(&mut self, program: &Program, good: bool, differs: bool) {
        self.programs += 1;
        self.good += usize::from(good);
        self.differences += usize::from(differs);
        for feature in &program.features {
            *self.features.entry(*feature).or_default() += 1;
        }
    }
}

fn answer(command: &mut Command) -> io::Result<Answer> {
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Answer {
        code: output.status.code(),
        out: text(&output.stdout),
        err: text(&output.stderr),
    })
}

/// Whether two answers say the same: code, output, and of errors the lines that are no places, in
/// any order.
fn same(ours: &Answer, theirs: &Answer) -> bool {
    let lines = |answer: &Answer| {
        let mut lines: Vec<String> = answer
            .err
            .lines()
            .filter(|line| !line.starts_with("    "))
            .map(|line| line.trim_end_matches(':').to_owned())
            .collect();
        lines.sort();
        lines.dedup();
        lines
    };
    ours.code == theirs.code && ours.out == theirs.out && lines(ours) == lines(theirs)
}
