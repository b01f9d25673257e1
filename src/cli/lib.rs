//! WORDS: commands, flags, texts and exit codes. The only room that prints.

mod args;
mod command;
mod context;
mod exit;
mod outside;
mod render;
mod screen;

use args::{Parsed, Refusal};
use context::Context;
use exit::{Code, Failure};
use screen::Screen;

/// Runs the command line of this process and returns its exit code.
pub fn main() -> u8 {
    trace();
    let screen = Screen::default();
    match outside::arguments() {
        Ok(arguments) => dispatch(screen, &arguments) as u8,
        Err(bad) => fail(screen, &Failure::new(bad)) as u8,
    }
}

/// Log lines of the rooms, on standard error, where `PRAVO_LOG` asks for them.
fn trace() {
    let Some(filter) = outside::variable("PRAVO_LOG") else {
        return;
    };
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .init();
}

fn dispatch(screen: Screen, arguments: &[String]) -> Code {
    let words = arguments.get(1..).unwrap_or_default();
    match args::parse(words) {
        Ok(Parsed { cli, recorded }) => match Context::enter(cli.global, recorded) {
            Ok(context) => match command::run(&context, cli.command) {
                Ok(code) => code,
                Err(failure) => fail(context.screen, &failure),
            },
            Err(failure) => fail(screen, &failure),
        },
        Err(Refusal::Help(text)) => {
            screen.result(&text);
            Code::Done
        }
        Err(Refusal::Usage(text)) => fail(screen, &Failure::new(text)),
    }
}

fn fail(screen: Screen, failure: &Failure) -> Code {
    for error in &failure.errors {
        screen.tell(error);
    }
    failure.code
}
