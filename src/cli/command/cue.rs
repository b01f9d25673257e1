//! `pravo cue eval|export|vet|def|fmt`: the commands, streams and exit codes of the `cue` command.

mod diff;
mod encode;
mod evaluate;
mod flags;
mod fmt;
mod place;
mod plan;
mod vet;

use flags::{Flags, Word};
use std::io::Write;
use std::path::PathBuf;

/// What the command needs from outside.
pub(crate) struct World<'a> {
    /// The working directory, absolute.
    pub(crate) dir: PathBuf,
    /// Finds the system variables by name, for `-T`.
    pub(crate) variables: fn() -> Vec<(String, String)>,
    /// The language of messages: the value of `LC_ALL` or `LANG`.
    pub(crate) language: String,
    /// Reads the whole standard input.
    pub(crate) stdin: fn() -> Vec<u8>,
    /// Where values go.
    pub(crate) out: &'a mut dyn Write,
    /// Where errors go.
    pub(crate) err: &'a mut dyn Write,
}

impl World<'_> {
    /// Writes to standard output; a reader that went away is no error.
    fn print(&mut self, text: &[u8]) {
        let _ = self.out.write_all(text);
    }

    /// Writes to standard error.
    fn tell(&mut self, text: &str) {
        let _ = self.err.write_all(text.as_bytes());
    }
}

/// The command failed; what is wrong was told already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Failed;

/// The texts of a failure, to be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Message(pub(crate) String);

/// Commands of `cue` that are not built in.
const ABSENT: &[&str] = &[
    "cmd",
    "completion",
    "exp",
    "fix",
    "get",
    "help",
    "import",
    "init",
    "login",
    "lsp",
    "mod",
    "refactor",
    "trim",
    "version",
];

/// Runs the command line behind `pravo cue` and returns the exit code: 0 or 1.
pub(crate) fn run(args: &[String], world: &mut World<'_>) -> u8 {
    let result = dispatch(args, world);
    let _ = world.out.flush();
    match result {
        Ok(()) => 0,
        Err(Message(text)) => {
            if !text.is_empty() {
                world.tell(&text);
                if !text.ends_with('\n') {
                    world.tell("\n");
                }
            }
            1
        }
    }
}

fn dispatch(args: &[String], world: &mut World<'_>) -> Result<(), Message> {
    let args = change_dir(args, world)?;
    let Some((command, rest)) = args.split_first() else {
        return Err(Message(
            "want one of eval, export, vet, def, fmt".to_owned(),
        ));
    };
    let command = command.as_str();
    if command.starts_with('-') {
        return match flags::parse(Word::None, &args) {
            Err(text) => Err(Message(text)),
            Ok(_) => Err(Message(
                "want one of eval, export, vet, def, fmt".to_owned(),
            )),
        };
    }
    let word = match command {
        "eval" => Word::Eval,
        "export" => Word::Export,
        "vet" => Word::Vet,
        "def" => Word::Def,
        "fmt" => Word::Fmt,
        _ if ABSENT.contains(&command) => {
            return Err(Message(format!(
                "the command \"cue {command}\" is not built in"
            )));
        }
        _ => {
            return Err(Message(format!(
                "unknown command \"{command}\" for \"cue\""
            )));
        }
    };
    let flags: Flags = flags::parse(word, rest).map_err(Message)?;
    let done = match word {
        Word::Vet => vet::run(&flags, world),
        Word::Fmt => fmt::run(&flags, world),
        _ => evaluate::run(word, &flags, world),
    };
    done.map_err(|Failed| Message(String::new()))
}

/// `-C dir` in front of everything.
fn change_dir<'a>(args: &'a [String], world: &mut World<'_>) -> Result<Vec<String>, Message> {
    let (dir, rest): (Option<&'a str>, &[String]) = match args {
        [flag, dir, rest @ ..] if flag == "-C" || flag == "--chdir" => (Some(dir), rest),
        [flag, rest @ ..] => {
            let value = flag
                .strip_prefix("--chdir=")
                .or_else(|| flag.strip_prefix("-C=").or_else(|| flag.strip_prefix("-C")));
            match value.filter(|v| !v.is_empty()) {
                Some(dir) => (Some(dir), rest),
                None => (None, args),
            }
        }
        [] => (None, args),
    };
    let Some(dir) = dir else {
        return Ok(rest.to_vec());
    };
    let full = world.dir.join(dir);
    match full.canonicalize() {
        Ok(path) if path.is_dir() => world.dir = path,
        Ok(_) => return Err(Message(format!("chdir {dir}: not a directory"))),
        Err(_) => return Err(Message(format!("chdir {dir}: no such file or directory"))),
    }
    Ok(rest.to_vec())
}
