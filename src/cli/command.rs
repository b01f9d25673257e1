//! The commands, one file each.

mod apply;
pub(crate) mod cue;
mod eval;
mod init;
mod interrupt;
mod output;
mod plan;
pub(crate) mod plugin;
mod run;
mod schemas;
mod state;
mod validate;

use crate::args::{Command, Plugin};
use crate::context::Context;
use crate::exit::{Code, Failure};
use run::Target;

/// Carries out a command that runs in a root.
///
/// # Errors
/// Why it failed, ready to print.
pub(crate) fn run(context: &Context, command: Command) -> Result<Code, Failure> {
    match command {
        Command::Init => init::run(context),
        Command::Validate => validate::run(context),
        Command::Eval(arguments) => eval::run(context, &arguments),
        Command::Plan(arguments) => plan::run(context, &arguments),
        Command::Apply(arguments) => apply::run(context, &arguments, Target::Specification),
        Command::Destroy(arguments) => apply::run(context, &arguments, Target::Nothing),
        Command::Output(arguments) => output::run(context, &arguments),
        Command::State(command) => state::run(context, command),
        Command::Version => {
            context
                .screen
                .result(&format!("pravo {}\n", env!("CARGO_PKG_VERSION")));
            Ok(Code::Done)
        }
        Command::Cue(_) | Command::Plugin(Plugin::Serve { .. }) => {
            Err(Failure::new("this command runs in no root"))
        }
    }
}
