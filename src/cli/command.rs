//! The commands, one file each.

mod output;
mod state;
mod validate;

use crate::args::Command;
use crate::context::Context;
use crate::exit::{Code, Failure};

/// Carries out a command.
///
/// # Errors
/// Why it failed, ready to print.
pub(crate) fn run(context: &Context, command: Command) -> Result<Code, Failure> {
    match command {
        Command::Validate => validate::run(context),
        Command::Output(arguments) => output::run(context, &arguments),
        Command::State(command) => state::run(context, command),
        Command::Version => {
            context
                .screen
                .result(&format!("pravo {}\n", env!("CARGO_PKG_VERSION")));
            Ok(Code::Done)
        }
        _ => Err(Failure::new("not there")),
    }
}
