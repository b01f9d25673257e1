//! The flags of the `cue` commands, with the texts of the library that parses them there.

/// A command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    None,
    Eval,
    Export,
    Vet,
    Def,
    Fmt,
}

/// The flags that were given.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    pub(super) args: Vec<String>,
    pub(super) expressions: Vec<String>,
    pub(super) inject: Vec<String>,
    pub(super) inject_vars: bool,
    pub(super) simplify: bool,
    pub(super) ignore: bool,
    /// `-c`, if it was given.
    pub(super) concrete: Option<bool>,
    pub(super) all: bool,
    pub(super) attributes: bool,
    pub(super) hidden: bool,
    pub(super) optional: bool,
    pub(super) out: Option<String>,
    pub(super) outfile: Option<String>,
    pub(super) force: bool,
    pub(super) escape: bool,
    pub(super) package: Option<String>,
    pub(super) schema: Option<String>,
    pub(super) merge: bool,
    /// `-l`, each.
    pub(super) paths: Vec<String>,
    pub(super) list: bool,
    pub(super) inline: bool,
    pub(super) with_context: bool,
    /// `-n`, which chooses among the data files of folders.
    pub(super) name: Option<String>,
    /// `fmt`: whether arguments name files and folders.
    pub(super) files: bool,
    pub(super) diff: bool,
    pub(super) check: bool,
}

impl Flags {
    /// Whether optional fields are asked for and are not left out with all that is not concrete.
    pub(super) fn shows_optional(&self) -> bool {
        self.concrete != Some(true) && (self.all || self.optional)
    }
}

/// What a flag takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Text,
}

/// Name, shorthand, what it takes, commands that have it (`g` all, `e` eval, `x` export, `v` vet,
/// `d` def, `f` fmt).
const FLAGS: &[(&str, &str, Takes, &str)] = &[
    ("expression", "e", Takes::Text, "exd"),
    ("inject", "t", Takes::Text, "exvd"),
    ("inject-vars", "T", Takes::Nothing, "exvd"),
    ("simplify", "s", Takes::Nothing, "g"),
    ("ignore", "i", Takes::Nothing, "g"),
    ("all-errors", "E", Takes::Nothing, "g"),
    ("strict", "", Takes::Nothing, "g"),
    ("trace", "", Takes::Nothing, "g"),
    ("verbose", "v", Takes::Nothing, "g"),
    ("cpuprofile", "", Takes::Text, "g"),
    ("memprofile", "", Takes::Text, "g"),
    ("chdir", "C", Takes::Text, "g"),
    ("concrete", "c", Takes::Nothing, "ev"),
    ("all", "a", Takes::Nothing, "e"),
    ("show-attributes", "A", Takes::Nothing, "ed"),
    ("show-hidden", "H", Takes::Nothing, "e"),
    ("show-optional", "O", Takes::Nothing, "e"),
    ("out", "", Takes::Text, "exd"),
    ("outfile", "o", Takes::Text, "exd"),
    ("force", "f", Takes::Nothing, "exd"),
    ("escape", "", Takes::Nothing, "x"),
    ("package", "p", Takes::Text, "exvd"),
    ("schema", "d", Takes::Text, "exvd"),
    ("path", "l", Takes::Text, "exvd"),
    ("list", "", Takes::Nothing, "exvd"),
    ("inline-imports", "", Takes::Nothing, "d"),
    ("check", "", Takes::Nothing, "f"),
    ("diff", "d", Takes::Nothing, "f"),
    ("files", "", Takes::Nothing, "f"),
    ("with-context", "", Takes::Nothing, "exvd"),
    ("name", "n", Takes::Text, "exvd"),
    ("merge", "", Takes::Nothing, "exvd"),
    ("proto_path", "I", Takes::Text, "exvd"),
    ("proto_enum", "", Takes::Text, "exvd"),
];

type Flag = &'static (&'static str, &'static str, Takes, &'static str);

fn belongs(flag: Flag, word: Word) -> bool {
    let letter = match word {
        Word::None => 'g',
        Word::Eval => 'e',
        Word::Export => 'x',
        Word::Vet => 'v',
        Word::Def => 'd',
        Word::Fmt => 'f',
    };
    flag.3 == "g" || flag.3.contains(letter)
}

/// Reads flags and arguments in any order; `--` ends the flags.
pub(super) fn parse(word: Word, args: &[String]) -> Result<Flags, String> {
    let mut flags = Flags {
        merge: true,
        ..Flags::default()
    };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == "--" {
            flags.args.extend(rest.cloned());
            break;
        }
        if let Some(long) = arg.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (long, None),
            };
            let found = FLAGS.iter().find(|f| f.0 == name && belongs(f, word));
            let Some(flag) = found else {
                return Err(format!("unknown flag: --{name}"));
            };
            let value = match (flag.2, value) {
                (_, Some(value)) => value,
                (Takes::Nothing, None) => "true".to_owned(),
                (Takes::Text, None) => match rest.next() {
                    Some(value) => value.clone(),
                    None => return Err(format!("flag needs an argument: --{name}")),
                },
            };
            set(&mut flags, flag, &value)?;
        } else if arg.len() > 1 && arg.starts_with('-') {
            shorthands(word, &arg[1..], &mut rest, &mut flags)?;
        } else {
            flags.args.push(arg.clone());
        }
    }
    Ok(flags)
}

/// `-abc`, `-evalue`, `-e value`, `-c=false`.
fn shorthands(
    word: Word,
    group: &str,
    rest: &mut std::slice::Iter<'_, String>,
    flags: &mut Flags,
) -> Result<(), String> {
    let mut at = 0;
    while let Some(c) = group[at..].chars().next() {
        let after = &group[at + c.len_utf8()..];
        let short = c.to_string();
        let found = FLAGS.iter().find(|f| f.1 == short && belongs(f, word));
        let Some(flag) = found else {
            return Err(format!("unknown shorthand flag: '{c}' in -{group}"));
        };
        if let Some(value) = after.strip_prefix('=') {
            return set(flags, flag, value);
        }
        if flag.2 == Takes::Text {
            let value = if after.is_empty() {
                rest.next().cloned()
            } else {
                Some(after.to_owned())
            };
            let Some(value) = value else {
                return Err(format!("flag needs an argument: '{c}' in -{group}"));
            };
            return set(flags, flag, &value);
        }
        set(flags, flag, "true")?;
        at += c.len_utf8();
    }
    Ok(())
}

fn boolean(flag: Flag, value: &str) -> Result<bool, String> {
    match value {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(false),
        _ => {
            let short = if flag.1.is_empty() {
                String::new()
            } else {
                format!("-{}, ", flag.1)
            };
            let cause = format!("strconv.ParseBool: parsing {value:?}: invalid syntax");
            Err(format!(
                "invalid argument {value:?} for \"{short}--{}\" flag: {cause}",
                flag.0
            ))
        }
    }
}

fn set(flags: &mut Flags, flag: Flag, value: &str) -> Result<(), String> {
    let text = || value.to_owned();
    match flag.0 {
        "expression" => flags.expressions.push(text()),
        "inject" => flags.inject.push(text()),
        "outfile" => flags.outfile = Some(text()),
        "out" => flags.out = Some(text()),
        "package" => flags.package = Some(text()),
        "schema" => flags.schema = Some(text()),
        "path" => flags.paths.push(text()),
        "name" => flags.name = Some(text()),
        "chdir" => {
            return Err(format!(
                "invalid argument {value:?} for \"-C, --chdir\" flag: must be the first argument"
            ));
        }
        "cpuprofile" | "memprofile" | "proto_path" | "proto_enum" => {
            return Err(format!("the flag --{} is not built in", flag.0));
        }
        _ => return set_switch(flags, flag, boolean(flag, value)?),
    }
    Ok(())
}

fn set_switch(flags: &mut Flags, flag: Flag, on: bool) -> Result<(), String> {
    match flag.0 {
        "inject-vars" => flags.inject_vars = on,
        "simplify" => flags.simplify = on,
        "ignore" => flags.ignore = on,
        "concrete" => flags.concrete = Some(on),
        "all" => flags.all = on,
        "show-attributes" => flags.attributes = on,
        "show-hidden" => flags.hidden = on,
        "show-optional" => flags.optional = on,
        "force" => flags.force = on,
        "escape" => flags.escape = on,
        "merge" => flags.merge = on,
        "list" => flags.list = on,
        "inline-imports" => flags.inline = on,
        "with-context" => flags.with_context = on,
        "files" => flags.files = on,
        "diff" => flags.diff = on,
        "check" => flags.check = on,
        // These change nothing in what is printed.
        "all-errors" | "verbose" | "strict" => {}
        _ if on => return Err(format!("the flag --{} is not built in", flag.0)),
        _ => {}
    }
    Ok(())
}
