//! What must hold for any source.

use pravo_cue::builtin::StandardLibrary;
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::limit::Limits;
use pravo_cue::eval::package::PackageSource;
use pravo_cue::eval::validate::Config;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::print::{DataStyle, JsonStyle, Profile, print_value, to_data, write_json};
use pravo_cue::syntax::format::{Node, Style, format};
use pravo_cue::syntax::parser::{Options, Parsed, parse_file};
use pravo_programs::dice::Dice;
use pravo_programs::mutate::mutate;
use pravo_programs::program::program;
use pravo_programs::wild::wild;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Lexer and parser take any bytes.
    Parse,
    /// The evaluator takes any source, and the same source has the same value again.
    Evaluate,
    /// What is formatted stays as it is when it is formatted again, and a printed value reads back
    /// as that value.
    Format,
}

impl Target {
    /// All of them, by name.
    pub const ALL: [(&'static str, Self); 3] = [
        ("parse", Self::Parse),
        ("evaluate", Self::Evaluate),
        ("format", Self::Format),
    ];

    /// The input of a seed: sources that the corpus holds or that are made up, mostly with
    /// something changed.
    pub fn input(self, corpus: &[String], seed: u64) -> Vec<u8> {
        let mut dice = Dice::new(seed);
        let source = |dice: &mut Dice| match dice.below(10) {
            0..3 => program(dice.bits()).text,
            3..6 => wild(dice.bits()),
            _ if corpus.is_empty() => wild(dice.bits()),
            _ => dice.pick(corpus).clone(),
        };
        let (one, other) = (source(&mut dice), source(&mut dice));
        let chance = if self == Self::Parse { 97 } else { 60 };
        match dice.percent(chance) {
            true => mutate(&mut dice, &one, &other),
            false => one.into_bytes(),
        }
    }

    /// Checks an input.
    ///
    /// # Errors
    /// What does not hold for it; a panic is one such thing.
    pub fn check(self, input: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(input).into_owned();
        let checked = catch_unwind(AssertUnwindSafe(|| match self {
            Self::Parse => parse(&text),
            Self::Evaluate => evaluate(&text),
            Self::Format => formats(&text),
        }));
        checked.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).to_owned()));
            Err(format!("panic: {}", text.unwrap_or_default()))
        })
    }
}

/// A part of what an evaluation may take otherwise, so that inputs that run away are many.
fn limits() -> Limits {
    let all = Limits::default();
    Limits {
        steps: all.steps / 20,
        bytes: all.bytes / 12,
        stack: all.stack / 8,
        ..all
    }
}

fn read(text: &str) -> Option<(Evaluator, Parsed)> {
    let mut ev = Evaluator::new(Arc::new(StandardLibrary));
    ev.set_limits(limits());
    let file = ev.sources.add("/t.cue", text).ok()?;
    let parsed = parse_file(&ev.sources, file, &mut ev.names, &Options::default());
    Some((ev, parsed))
}

/// A text that is refused says where.
fn parse(text: &str) -> Result<(), String> {
    let Some((ev, parsed)) = read(text) else {
        return Ok(());
    };
    for error in &parsed.errors {
        let place = pravo_cue::print::Report::of_syntax(error);
        let positions = place.positions(&ev.sources);
        if place.message.is_empty() || positions.is_empty() {
            return Err(format!("an error without words or place: {error:?}"));
        }
    }
    Ok(())
}

/// Why a source has no value.
#[derive(Debug, PartialEq)]
enum Fault {
    /// A name that leads nowhere, and what else is found before anything is evaluated.
    Reading,
    /// So many errors of values.
    Values(usize),
}

/// The value as CUE, and as compact JSON if it is data.
type Shown = (String, Option<String>);

fn value(text: &str) -> Option<Result<Shown, Fault>> {
    value_in_stages(text, &mut |_, _| ())
}

/// The value of a source, found in stages that are told when they end.
fn value_in_stages(
    text: &str,
    ended: &mut dyn FnMut(&str, &Evaluator),
) -> Option<Result<Shown, Fault>> {
    let (mut ev, parsed) = read(text)?;
    if !parsed.errors.is_empty() {
        return None;
    }
    let source = PackageSource {
        id: "_".into(),
        files: vec![Arc::new(parsed.tree)],
        ..PackageSource::default()
    };
    let root = match ev.add_package(source) {
        Ok(package) => ev.root(package),
        Err(_) => return Some(Err(Fault::Reading)),
    };
    ev.finalize(root);
    ended("evaluated", &ev);
    let config = Config {
        all: true,
        ..Config::default()
    };
    let error = ev.validate(root, config);
    ended("validated", &ev);
    let reports = ev.reports(error).len();
    ended("reported", &ev);
    if reports > 0 {
        return Some(Err(Fault::Values(reports)));
    }
    let value = Val::bare(Data::Vertex(root));
    let style = JsonStyle {
        indent: None,
        escape_html: false,
    };
    let json = to_data(&ev, value, DataStyle { literals: false }).ok();
    let json = json.map(|data| write_json(&data, style));
    ended("written as JSON", &ev);
    let style = Style {
        simplify: false,
        spaces: true,
    };
    let cue = print_value(&mut ev, value, &Profile::eval("_"), style);
    ended("printed", &ev);
    Some(match cue {
        Ok(cue) => Ok((cue, json)),
        Err(error) => Err(Fault::Values(ev.reports(error).len())),
    })
}

/// Evaluates a source, and tells after each stage what was spent until then, as time is taken.
pub fn stages(text: &str, mut tell: impl FnMut(&str, u64, u64)) {
    value_in_stages(text, &mut |stage, ev| {
        let counters = ev.counters();
        tell(stage, counters.steps, counters.bytes);
    });
}

fn evaluate(text: &str) -> Result<(), String> {
    let (one, other) = (value(text), value(text));
    match one == other {
        true => Ok(()),
        false => Err(format!("two values: {one:?}\n{other:?}")),
    }
}

fn formatted(text: &str) -> Option<String> {
    let (ev, parsed) = read(text)?;
    if !parsed.errors.is_empty() {
        return None;
    }
    let style = Style {
        simplify: false,
        spaces: false,
    };
    Some(format(&parsed.tree, &ev.names, Node::File, style))
}

/// JSON with its numbers as 64-bit floats: `-0` and `5` are printed as what reads back as `0` and
/// `5.0`.
fn plain(json: &str) -> String {
    let (mut out, mut rest, mut quoted) = (String::new(), json, false);
    while let Some(c) = rest.chars().next() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c))
            .unwrap_or(rest.len());
        if !quoted && (c == '-' || c.is_ascii_digit()) {
            let number = rest[..digits].parse::<f64>().map(|n| (n + 0.0).to_string());
            out.push_str(&number.unwrap_or_else(|_| rest[..digits].to_owned()));
            rest = &rest[digits..];
            continue;
        }
        let size = if quoted && c == '\\' { 2 } else { c.len_utf8() };
        quoted ^= c == '"';
        out.push_str(&rest[..size]);
        rest = &rest[size..];
    }
    out
}

fn formats(text: &str) -> Result<(), String> {
    let Some(once) = formatted(text) else {
        return Ok(());
    };
    match formatted(&once) {
        // A comment at the end of a line can push what follows it to the next one.
        None if text.contains("//") => return Ok(()),
        None => return Err(format!("what was formatted cannot be read:\n{once}")),
        // Such a comment may move once more.
        Some(twice) if text.contains("//") && formatted(&twice).as_ref() == Some(&twice) => {}
        Some(twice) if twice != once => return Err(format!("once:\n{once}twice:\n{twice}")),
        Some(_) => {}
    }
    if let Some(Ok((cue, Some(json)))) = value(text) {
        let again = value(&cue);
        match &again {
            Some(Ok((_, Some(back)))) if plain(back) == plain(&json) => {}
            // Fields that are not shown may be referred to.
            Some(Err(Fault::Reading)) => {}
            _ => return Err(format!("printed:\n{cue}is {json}\nreads back as {again:?}")),
        }
    }
    Ok(())
}
