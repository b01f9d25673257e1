//! WORDS: commands, flags, texts and exit codes. The only room that prints.

mod args;
mod command;
mod context;
mod exit;
mod outside;
mod render;
mod screen;

use args::{Command, Global, Parsed, Plugin, Refusal};
use context::Context;
use exit::{Code, Failure};
use screen::Screen;

/// Runs the command line of this process and returns its exit code.
pub fn main() -> u8 {
    trace();
    let screen = Screen::default();
    match outside::arguments() {
        Ok(arguments) => dispatch(screen, &arguments),
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

fn dispatch(screen: Screen, arguments: &[String]) -> u8 {
    let (program, words) = match arguments.split_first() {
        Some((program, words)) => (program.as_str(), words),
        None => ("", arguments),
    };
    if let Some(plugin) = command::plugin::called_as(program) {
        return command::plugin::serve(plugin);
    }
    if let Some(words) = words_of_cue(words) {
        return cue(screen, words);
    }
    let Parsed { cli, recorded } = match args::parse(words) {
        Ok(parsed) => parsed,
        Err(Refusal::Help(text)) => {
            screen.result(&text);
            return Code::Done as u8;
        }
        Err(Refusal::Usage(text)) => return fail(screen, &Failure::new(text)) as u8,
    };
    match cli.command {
        Command::Plugin(Plugin::Serve { name }) => command::plugin::serve(&name),
        Command::Cue(arguments) => cue(screen, &arguments.arguments),
        command => in_root(screen, cli.global, recorded, command) as u8,
    }
}

/// What follows `cue`, which reads its words by itself: an editor that runs it on each change does
/// not wait until all other commands are known.
fn words_of_cue(words: &[String]) -> Option<&[String]> {
    let (first, words) = words.split_first()?;
    let asks_for_help = words.first().is_some_and(|w| w == "-h" || w == "--help");
    (first == "cue" && !asks_for_help).then_some(words)
}

/// The commands of `cue`, which know nothing of roots and settings.
fn cue(screen: Screen, arguments: &[String]) -> u8 {
    let dir = match outside::current_dir() {
        Ok(dir) => dir,
        Err(bad) => return fail(screen, &Failure::new(bad)) as u8,
    };
    let (mut out, mut err) = screen::streams();
    let language = outside::variable("LC_ALL").or_else(|| outside::variable("LANG"));
    command::cue::run(
        arguments,
        &mut command::cue::World {
            dir,
            variables: outside::system_variables,
            language: language.unwrap_or_default(),
            stdin: screen::stdin,
            out: &mut out,
            err: &mut err,
        },
    )
}

fn in_root(screen: Screen, global: Global, recorded: String, command: Command) -> Code {
    let context = match Context::enter(global, recorded) {
        Ok(context) => context,
        Err(failure) => return fail(screen, &failure),
    };
    match command::run(&context, command) {
        Ok(code) => code,
        Err(failure) => fail(context.screen, &failure),
    }
}

fn fail(screen: Screen, failure: &Failure) -> Code {
    for error in &failure.errors {
        screen.tell(error);
    }
    failure.code
}
