//! `local_command`: runs a program of this machine, as a data source, as an ephemeral resource
//! and as an action.

use crate::kit::{Action, DataSource, Ephemeral, Fault, Faults, Field, Object, Presence, Shape};
use pravo_state::Data;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// The exit code of a program that a signal ended.
const SIGNALLED: i64 = -1;

/// The behaviour of all three types.
#[derive(Clone)]
pub(super) struct Commands {
    path: Option<OsString>,
}

/// The attributes of the data source and of the ephemeral resource.
pub(super) fn shape() -> Shape {
    let mut fields = common_fields();
    fields.extend([
        Field::flag("allow_non_zero_exit_code", Presence::Optional)
            .about("Whether an exit code other than 0 is an answer and no error."),
        Field::integer("exit_code", Presence::Computed)
            .about("The exit code; -1 when a signal ended the program."),
        Field::text("stdout", Presence::Computed)
            .about("What the program printed; null when it printed nothing."),
        Field::text("stderr", Presence::Computed)
            .about("What the program complained about; null when it did not."),
    ]);
    Shape::new("Runs a program of this machine.", fields)
}

/// The attributes of the action.
pub(super) fn action_shape() -> Shape {
    let mut fields = common_fields();
    fields.push(
        Field::text_map("environment", Presence::Optional)
            .about("Variables to add to the environment of the program."),
    );
    Shape::new("Runs a program of this machine.", fields)
}

fn common_fields() -> Vec<Field> {
    vec![
        Field::text("command", Presence::Required).about("The program, looked up on the path."),
        Field::texts("arguments", Presence::Optional)
            .about("Its arguments; null ones are left out."),
        Field::text("stdin", Presence::Optional).about("What it reads from its standard input."),
        Field::text("working_directory", Presence::Optional).about("Where it runs."),
    ]
}

impl DataSource for Commands {
    fn read(&self, config: Object) -> Result<Object, Faults> {
        let output = self.run(&config)?;
        let allowed = config.flag("allow_non_zero_exit_code").unwrap_or(false);
        if !allowed {
            successful(&config, &output)?;
        }
        let code = output.status.code().map_or(SIGNALLED, i64::from);
        Ok(config
            .with("exit_code", code)
            .with("stdout", text_or_null(&output.stdout))
            .with("stderr", text_or_null(&output.stderr)))
    }
}

impl Ephemeral for Commands {
    fn open(&self, config: Object) -> Result<Object, Faults> {
        self.read(config)
    }
}

impl Action for Commands {
    fn plan(&self, config: &Object) -> Result<(), Faults> {
        match config.text("command") {
            Some(command) => Ok(self.find(command).map(drop)?),
            None => Ok(()),
        }
    }

    fn invoke(&self, config: &Object) -> Result<String, Faults> {
        let output = self.run(config)?;
        successful(config, &output)?;
        let printed = String::from_utf8_lossy(&output.stdout);
        Ok(format!("\n{printed}\n"))
    }
}

impl Commands {
    /// Commands that are looked up along a path in the form of the variable `PATH`.
    pub(super) fn new(path: Option<OsString>) -> Self {
        Self { path }
    }

    fn find(&self, command: &str) -> Result<PathBuf, Fault> {
        let found = if command.contains('/') {
            Some(PathBuf::from(command)).filter(|file| is_program(file))
        } else {
            let path = self.path.as_deref().unwrap_or_default();
            std::env::split_paths(path)
                .filter(|directory| !directory.as_os_str().is_empty())
                .map(|directory| directory.join(command))
                .find(|file| is_program(file))
        };
        found.filter(|_| !command.is_empty()).ok_or_else(|| {
            Fault::error(
                format!("There is no program {command:?}"),
                "It must be the path of an executable file, or the name of one in a directory \
                 of the variable PATH.",
            )
            .on("command")
        })
    }

    fn run(&self, config: &Object) -> Result<Output, Fault> {
        let command = config.text("command").unwrap_or_default();
        let mut process = Command::new(self.find(command)?);
        process.args(config.list("arguments").iter().filter_map(Data::as_str));
        if let Some(directory) = config.text("working_directory").filter(|d| !d.is_empty()) {
            process.current_dir(directory);
        }
        if let Some(variables) = config.map("environment") {
            let known = variables
                .iter()
                .filter_map(|(name, value)| Some((name, value.as_str()?)));
            process.envs(known);
        }
        let input = config.text("stdin").map(str::as_bytes);
        output(process, input).map_err(|error| {
            Fault::error(
                format!("{command:?} cannot be run"),
                format!("The system says: {error}."),
            )
            .on("command")
        })
    }
}

fn is_program(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

/// Runs a process to its end; a process that does not read all of its input is no error.
fn output(mut process: Command, input: Option<&[u8]>) -> io::Result<Output> {
    process.stdout(Stdio::piped()).stderr(Stdio::piped());
    let Some(input) = input else {
        return process.stdin(Stdio::null()).output();
    };
    let mut child = process.stdin(Stdio::piped()).spawn()?;
    let pipe = child.stdin.take();
    thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut pipe) = pipe {
                let _ = pipe.write_all(input);
            }
        });
        child.wait_with_output()
    })
}

fn successful(config: &Object, output: &Output) -> Result<(), Fault> {
    if output.status.success() {
        return Ok(());
    }
    let command = config.text("command").unwrap_or_default();
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(Fault::error(
        format!("{command:?} failed"),
        format!("It ended with {}.\n{complaint}", output.status),
    )
    .on("command"))
}

fn text_or_null(bytes: &[u8]) -> Data {
    if bytes.is_empty() {
        Data::Null
    } else {
        Data::from(String::from_utf8_lossy(bytes).into_owned())
    }
}

#[cfg(test)]
mod tests;
