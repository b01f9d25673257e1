//! The one door to the world around the process: environment, clock, randomness, terminal.

#![expect(
    clippy::disallowed_methods,
    reason = "this file is the door that the other rooms are kept from"
)]

use pravo_state::{Outside, Time};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// The clock and randomness of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Machine;

impl Outside for Machine {
    fn now(&self) -> Time {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let milliseconds = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        Time::from_unix_ms(milliseconds)
            .unwrap_or_else(|| Time::from_unix_ms(0).expect("the epoch is a time"))
    }

    fn random(&self) -> [u8; 16] {
        *uuid::Uuid::new_v4().as_bytes()
    }
}

/// An environment variable; one that is empty or not Unicode counts as absent.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Every environment variable, for the processes that are started.
pub(crate) fn variables() -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    std::env::vars_os().collect()
}

/// The arguments of the process, with the name it was called by.
///
/// # Errors
/// The argument that is not Unicode.
pub(crate) fn arguments() -> Result<Vec<String>, String> {
    std::env::args_os()
        .map(|argument| {
            argument
                .into_string()
                .map_err(|bad| format!("the argument {bad:?} is not Unicode"))
        })
        .collect()
}

/// The directory the process was started in.
///
/// # Errors
/// What the system said.
pub(crate) fn current_dir() -> Result<PathBuf, String> {
    std::env::current_dir().map_err(|error| format!("the current directory: {error}"))
}

/// The folder where the real `cue` keeps modules; nothing on a machine without a home.
pub(crate) fn module_cache_dir() -> Option<PathBuf> {
    let named = variable("CUE_CACHE_DIR").map(PathBuf::from);
    let shared = || Some(PathBuf::from(variable("XDG_CACHE_HOME")?).join("cue"));
    let home = || Some(PathBuf::from(variable("HOME")?).join(".cache/cue"));
    named.or_else(shared).or_else(home)
}

/// Whether the caller says that there is no registry of modules.
pub(crate) fn has_no_registry() -> bool {
    variable("CUE_REGISTRY").is_some_and(|name| name == "none")
}

/// The folder for what can be lost at any time; nothing on a machine without a home.
pub(crate) fn cache_dir() -> Option<PathBuf> {
    let named = variable("PRAVO_CACHE_DIR").map(PathBuf::from);
    let shared = || Some(PathBuf::from(variable("XDG_CACHE_HOME")?).join("pravo"));
    let home = || Some(PathBuf::from(variable("HOME")?).join(".cache/pravo"));
    named.or_else(shared).or_else(home)
}

/// What tells this build of the program from every other; nothing if its file cannot be looked at.
pub(crate) fn stamp() -> Option<String> {
    let file = std::env::current_exe().ok()?.metadata().ok()?;
    let version = env!("CARGO_PKG_VERSION");
    Some(format!(
        "{version} {} {:?}",
        file.len(),
        file.modified().ok()?
    ))
}

/// The file of this very program.
///
/// # Errors
/// What the system said.
pub(crate) fn program() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("the path of the program: {error}"))
}

/// The user of the operating system: by the environment, else by number.
pub(crate) fn user() -> String {
    variable("USER")
        .or_else(|| variable("LOGNAME"))
        .unwrap_or_else(|| format!("uid-{}", rustix::process::getuid().as_raw()))
}

/// The name of the machine.
pub(crate) fn host_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// Whether standard output is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Whether standard input is a terminal.
pub(crate) fn stdin_is_terminal() -> bool {
    std::io::stdin().is_terminal()
}

/// Whether standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// CUE's system variables by name: `now`, `os`, `arch`, `cwd`, `username`, `hostname`, `rand`.
/// Systems and processors have the names that Go gives them, as the language has it.
pub(crate) fn system_variables() -> Vec<(String, String)> {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let second = i64::try_from(since.as_secs())
        .ok()
        .and_then(|s| Time::from_unix_ms(s * 1000));
    let now = second.map_or_else(String::new, |second| {
        let whole = second.to_string();
        format!(
            "{}.{:09}Z",
            whole.trim_end_matches('Z'),
            since.subsec_nanos()
        )
    });
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        other => other,
    };
    let cwd = current_dir()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let rand = u128::from_be_bytes(Machine.random()).to_string();
    [
        ("now", now),
        ("os", os.to_owned()),
        ("arch", arch.to_owned()),
        ("cwd", cwd),
        ("username", user()),
        ("hostname", host_name()),
        ("rand", rand),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}
