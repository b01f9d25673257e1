//! The command line: its grammar, the forms of flags that are accepted, and the form that is
//! recorded.

use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand};
use std::path::PathBuf;

/// Plans and applies infrastructure from a CUE specification, as a graph of resources.
#[derive(Debug, Parser)]
#[command(
    name = "pravo",
    disable_version_flag = true,
    disable_help_subcommand = true
)]
#[command(infer_long_args = false, args_override_self = true)]
pub(crate) struct Cli {
    /// Flags of every command.
    #[command(flatten)]
    pub(crate) global: Global,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Run in this directory, the root of a specification
    #[arg(short = 'C', global = true, value_name = "DIR", default_value = ".")]
    pub(crate) root: PathBuf,
    /// Set the value of a tagged field; may be repeated
    #[arg(short = 't', long = "inject", global = true, value_name = "NAME=VALUE")]
    pub(crate) tags: Vec<String>,
    /// Inject CUE's system variables, such as os and arch
    #[arg(short = 'T', long = "inject-vars", global = true)]
    pub(crate) inject_vars: bool,
    /// Say what was found and how long each phase took; twice: each provider call as well
    #[arg(short = 'v', global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Record this name as the one who acts
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) actor: Option<String>,
    /// Record this text as the reason
    #[arg(long, global = true, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// How many operations run at once
    #[arg(long, global = true, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) parallelism: u32,
    /// Print the result as JSON on standard output, everything else on standard error
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print no progress
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
    /// Print no colours
    #[arg(long, global = true)]
    pub(crate) no_color: bool,
    /// When to print colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: When,
}

/// When to print colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the providers of the specification and generate their CUE packages
    Init,
    /// Evaluate the specification and find its resources, without providers and state
    Validate,
    /// Print the value of the specification, or of expressions in it
    Eval(Eval),
    /// Show what apply would do
    Plan(Plan),
    /// Make the infrastructure as the specification says
    Apply(Apply),
    /// Destroy everything that the state records
    Destroy(Apply),
    /// Print the recorded outputs
    Output(Output),
    /// Look at the recorded resources and transactions, and release locks
    #[command(subcommand)]
    State(State),
    /// Print the version
    Version,
    /// Evaluate, export or check CUE as the cue command does
    #[command(disable_help_flag = true)]
    Cue(Cue),
    /// Serve a bundled provider plugin
    #[command(subcommand)]
    Plugin(Plugin),
}

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// Print this expression; may be repeated
    #[arg(short = 'e', long = "expression", value_name = "EXPR")]
    pub(crate) expressions: Vec<String>,
    /// Print definitions, hidden fields and provider structs too
    #[arg(short = 'a', long = "all")]
    pub(crate) all: bool,
}

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// Exit with 2 when there are changes
    #[arg(long)]
    pub(crate) detailed_exitcode: bool,
}

/// Arguments of `apply` and `destroy`.
#[derive(Debug, Args)]
pub(crate) struct Apply {
    /// Do not ask
    #[arg(long)]
    pub(crate) auto_approve: bool,
}

/// Arguments of `output`.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// Print the value of this output alone, also when it is sensitive
    pub(crate) name: Option<String>,
    /// Print a string without quotes
    #[arg(long, requires = "name")]
    pub(crate) raw: bool,
}

/// Commands below `state`.
#[derive(Debug, Subcommand)]
pub(crate) enum State {
    /// List the addresses of the recorded resources and data sources
    List {
        /// Only addresses that start with this
        prefix: Option<String>,
        /// Only this type
        #[arg(long = "type", value_name = "TYPE")]
        kind: Option<String>,
        /// Only this mode: managed or data
        #[arg(long, value_name = "MODE", value_parser = ["managed", "data"])]
        mode: Option<String>,
    },
    /// Show one record
    Show {
        /// The address of the record
        address: String,
    },
    /// List the recorded edges
    Graph {
        /// Print in the language of graphviz
        #[arg(long)]
        dot: bool,
    },
    /// List everything that a change of one node can reach
    Dependents {
        /// The address of the node
        address: String,
    },
    /// Evaluate an expression over `resources`, `edges` and `outputs`
    Query {
        /// The CUE expression
        expression: String,
    },
    /// List the transactions, newest first
    Log {
        /// Only transactions that touched this address
        address: Option<String>,
        /// At most so many
        #[arg(short = 'n', value_name = "N")]
        limit: Option<usize>,
    },
    /// List the locks and reservations
    Locks,
    /// Release a lock or a reservation by hand
    Unlock {
        /// The address that is locked
        #[arg(required_unless_present = "stale")]
        address: Option<String>,
        /// Release every stale lock and expired reservation
        #[arg(long, conflicts_with = "address")]
        stale: bool,
        /// Also release the lock of a process that lives
        #[arg(long)]
        force: bool,
    },
}

/// The command line of `cue`, taken as it is.
#[derive(Debug, Args)]
pub(crate) struct Cue {
    /// The arguments of the cue command.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,
}

/// Commands below `plugin`.
#[derive(Debug, Subcommand)]
pub(crate) enum Plugin {
    /// Serve the plugin of that name over the plugin protocol
    Serve {
        /// The name: random, local or null
        name: String,
    },
}

/// Why a command line was not taken.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Help was asked for: the text.
    Help(String),
    /// It is wrong: one sentence.
    Usage(String),
}

/// A command line that was understood.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// Its meaning.
    pub(crate) cli: Cli,
    /// Its recorded form.
    pub(crate) recorded: String,
}

/// Flags of terraform and tofu that begin with a letter that is a short flag here.
const PEER_FLAGS: [&str; 14] = [
    "target",
    "target-file",
    "var",
    "var-file",
    "chdir",
    "compact-warnings",
    "verify-plugins",
    "vars",
    "test-directory",
    "exclude",
    "exclude-file",
    "concise",
    "consolidate-warnings",
    "type",
];

/// Commands that pravo has by name but that this version does not carry out.
const ABSENT_COMMANDS: [&str; 22] = [
    "why",
    "drift",
    "show",
    "import",
    "id",
    "protect",
    "completions",
    "view",
    "mcp",
    "plan list",
    "plan show",
    "plan approve",
    "plan gc",
    "plan drop",
    "state rm",
    "state mv",
    "state pull",
    "state push",
    "state import-tfstate",
    "state check-store",
    "state recover",
    "cue def",
];

/// Flags that pravo has by name but that this version does not carry out, by command.
const ABSENT_FLAGS: [(&str, &[&str]); 7] = [
    ("init", &["upgrade"]),
    ("eval", &["no-state"]),
    ("validate", &[]),
    (
        "plan",
        &[
            "out",
            "store",
            "ttl",
            "reserve",
            "include-skipped",
            "full",
            "destroy",
            "replace",
            "refresh",
            "policy",
            "lock-timeout",
            "redact",
            "concise",
        ],
    ),
    (
        "apply",
        &[
            "only",
            "except",
            "full",
            "destroy",
            "replace",
            "refresh",
            "policy",
            "lock-timeout",
            "concise",
            "reserve",
        ],
    ),
    (
        "destroy",
        &[
            "only",
            "except",
            "full",
            "refresh",
            "policy",
            "lock-timeout",
            "concise",
        ],
    ),
    ("output", &[]),
];

/// Reads a command line, without the name of the program.
///
/// Long flags take one or two dashes. `-word` is a long flag when the command has one of that
/// name, else a short flag with its value attached.
pub(crate) fn parse(arguments: &[String]) -> Result<Parsed, Refusal> {
    let arguments = normalise(arguments)?;
    refuse_absent(&arguments)?;
    let recorded = recorded(&arguments);
    let words = std::iter::once("pravo".to_owned()).chain(arguments);
    match Cli::try_parse_from(words) {
        Ok(cli) => Ok(Parsed { cli, recorded }),
        Err(error) => Err(refusal(&error)),
    }
}

fn refusal(error: &clap::Error) -> Refusal {
    use clap::error::ErrorKind::{
        DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, MissingSubcommand,
    };
    let text = error.to_string();
    match error.kind() {
        DisplayHelp => Refusal::Help(text),
        DisplayHelpOnMissingArgumentOrSubcommand | MissingSubcommand => {
            Refusal::Usage("a command is missing; run \"pravo --help\" to list them".to_owned())
        }
        _ => {
            let first = text.split("\n\n").next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first).trim_end();
            Refusal::Usage(first.to_owned())
        }
    }
}

/// Turns `-word` into `--word` or `-w ord`, as the command at that place has it.
fn normalise(arguments: &[String]) -> Result<Vec<String>, Refusal> {
    let root = Cli::command();
    let mut command = &root;
    let mut path = String::new();
    let mut out = Vec::with_capacity(arguments.len());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if path == "cue" && !matches!(argument.as_str(), "-h" | "--help") {
            // flags of cue are not for the own parser, whatever they are called
            out.push("--".to_owned());
        }
        if argument == "--" || path == "cue" {
            out.push(argument.clone());
            out.extend(rest.cloned());
            break;
        }
        let flag = match argument.strip_prefix('-') {
            Some(word) if !word.is_empty() => word.strip_prefix('-').unwrap_or(word),
            _ => {
                if let Some(inner) = command.find_subcommand(argument) {
                    command = inner;
                    path = format!("{path} {argument}").trim_start().to_owned();
                }
                out.push(argument.clone());
                continue;
            }
        };
        let (name, value) = flag
            .split_once('=')
            .map_or((flag, None), |(n, v)| (n, Some(v)));
        let takes_value = |arg: &clap::Arg| arg.get_action().takes_values();
        if let Some(arg) = long_flag(&root, command, name) {
            out.push(format!("--{name}"));
            push_value(&mut out, value, takes_value(arg), &mut rest)
                .map_err(|()| Refusal::Usage(format!("--{name} takes no value")))?;
        } else if argument.starts_with("--") || PEER_FLAGS.contains(&name) {
            out.push(argument.clone());
        } else {
            short_flags(&mut out, flag, &root, command, &mut rest);
        }
    }
    refuse_peer(&root, &out)?;
    Ok(out)
}

/// A flag's value becomes an argument of its own, also where it stood behind `=`.
fn push_value<'a>(
    out: &mut Vec<String>,
    value: Option<&str>,
    takes: bool,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Result<(), ()> {
    match (takes, value) {
        (true, Some(value)) => out.push(value.to_owned()),
        (true, None) => out.extend(rest.next().cloned()),
        (false, Some("true") | None) => {}
        (false, Some("false")) => {
            out.pop();
        }
        (false, Some(_)) => return Err(()),
    }
    Ok(())
}

/// `-tenv=prod` becomes `-t env=prod`; `-vv` stays.
fn short_flags<'a>(
    out: &mut Vec<String>,
    word: &str,
    root: &clap::Command,
    command: &clap::Command,
    rest: &mut impl Iterator<Item = &'a String>,
) {
    let letter = word.chars().next().expect("a flag has a letter");
    let found = command
        .get_arguments()
        .chain(root.get_arguments())
        .find(|arg| arg.get_short() == Some(letter));
    match found {
        Some(arg) if arg.get_action().takes_values() => {
            out.push(format!("-{letter}"));
            let attached = &word[letter.len_utf8()..];
            match attached {
                "" => out.extend(rest.next().cloned()),
                _ => out.push(attached.strip_prefix('=').unwrap_or(attached).to_owned()),
            }
        }
        _ => out.push(format!("-{word}")),
    }
}

fn long_flag<'a>(
    root: &'a clap::Command,
    command: &'a clap::Command,
    name: &str,
) -> Option<&'a clap::Arg> {
    let mut all = command.get_arguments().chain(root.get_arguments());
    all.find(|arg| arg.get_long() == Some(name))
}

/// A flag of the peers is unknown by its whole name.
fn refuse_peer(root: &clap::Command, arguments: &[String]) -> Result<(), Refusal> {
    let own = arguments.iter().take_while(|argument| *argument != "--");
    let found = own.into_iter().find_map(|argument| {
        let word = argument.strip_prefix('-')?;
        let name = word.strip_prefix('-').unwrap_or(word).split('=').next()?;
        let known = |command: &clap::Command| {
            command
                .get_arguments()
                .any(|arg| arg.get_long() == Some(name))
        };
        let nested = root
            .get_subcommands()
            .flat_map(|c| c.get_subcommands().chain([c]));
        (PEER_FLAGS.contains(&name) && !nested.into_iter().any(known)).then(|| name.to_owned())
    });
    match found {
        Some(name) => Err(Refusal::Usage(format!("unknown flag -{name}"))),
        None => Ok(()),
    }
}

/// What pravo has by name and this version does not do is refused by that name.
fn refuse_absent(arguments: &[String]) -> Result<(), Refusal> {
    let words: Vec<&str> = positional(arguments);
    let pair = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    let first = words.first().copied().unwrap_or_default();
    let absent = |name: &str| {
        Err(Refusal::Usage(format!(
            "{name} is not part of this version of pravo"
        )))
    };
    if first != "cue" {
        for name in [first, pair.as_str()] {
            if ABSENT_COMMANDS.contains(&name) {
                return absent(&format!("the command \"pravo {name}\""));
            }
        }
    }
    let Some((_, flags)) = ABSENT_FLAGS.iter().find(|(command, _)| *command == first) else {
        return Ok(());
    };
    for argument in arguments.iter().take_while(|argument| *argument != "--") {
        let name = argument
            .trim_start_matches('-')
            .split('=')
            .next()
            .unwrap_or_default();
        if argument.starts_with('-') && flags.contains(&name) {
            return absent(&format!("{first} --{name}"));
        }
    }
    if first == "apply" && words.len() > 1 {
        return absent(&format!("applying a saved or stored plan ({})", words[1]));
    }
    if matches!(first, "apply" | "destroy") && arguments.iter().any(|argument| argument == "--json")
    {
        return absent(&format!("{first} --json"));
    }
    Ok(())
}

/// The words that are neither flags nor values of flags; `arguments` are normalised.
fn positional(arguments: &[String]) -> Vec<&str> {
    let root = Cli::command();
    let mut words = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let Some(flag) = argument.strip_prefix('-').filter(|flag| !flag.is_empty()) else {
            words.push(argument.as_str());
            continue;
        };
        let matches = |arg: &clap::Arg| match flag.strip_prefix('-') {
            Some(long) => arg.get_long() == Some(long),
            None => arg
                .get_short()
                .is_some_and(|short| flag.strip_prefix(short) == Some("")),
        };
        let nested = root
            .get_subcommands()
            .flat_map(clap::Command::get_arguments);
        let found = root.get_arguments().chain(nested).find(|arg| matches(arg));
        if found.is_some_and(|arg| arg.get_action().takes_values()) {
            rest.next();
        }
    }
    words
}

/// The recorded form: `pravo` and the arguments as they were given, each quoted as a shell needs.
fn recorded(arguments: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:=,@%+-".contains(c);
    let mut line = "pravo".to_owned();
    for argument in arguments {
        line.push(' ');
        if !argument.is_empty() && argument.chars().all(plain) {
            line.push_str(argument);
        } else {
            line.push_str(&format!("'{}'", argument.replace('\'', "'\\''")));
        }
    }
    line
}

#[cfg(test)]
mod tests;
