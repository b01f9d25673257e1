//! What must hold for any source.

use pravo_cue::builtin::StandardLibrary;
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::error::ErrId;
use pravo_cue::eval::limit::Limits;
use pravo_cue::eval::package::PackageSource;
use pravo_cue::eval::validate::Config;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::print::{DataStyle, JsonStyle, Profile, Report, print_value, to_data, write_json};
use pravo_cue::syntax::format::{Node, Style, format};
use pravo_cue::syntax::parser::{Options, Parsed, parse_expr, parse_file};
use pravo_programs::dice::Dice;
use pravo_programs::mutate::mutate;
use pravo_programs::program::program;
use pravo_programs::wild::wild;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Lexer and parser take any bytes.
    Parse,
    /// The evaluator takes any source, and the same source has the same value again; a field that
    /// is asked for alone is what it is beside the others.
    Evaluate,
    /// What is formatted stays as it is when it is formatted again, and a value that is exported
    /// reads back as that value.
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

/// How a value is shown.
#[derive(Debug, PartialEq)]
struct Shown {
    /// As `eval` prints it.
    cue: String,
    /// As compact JSON, and exported, if it is data.
    data: Option<(String, String)>,
}

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
    let complete = Config {
        concrete: true,
        required: true,
        ..config
    };
    let json = match ev.validate(root, complete) {
        e if ev.reports(e).is_empty() => {
            let data = to_data(&ev, value, DataStyle { literals: false });
            data.ok().map(|data| write_json(&data, style))
        }
        _ => None,
    };
    ended("written as JSON", &ev);
    let style = Style {
        simplify: false,
        spaces: true,
    };
    let printed = print_value(&mut ev, value, &Profile::eval("_"), style).and_then(|cue| {
        ended("printed", &ev);
        let data = match json {
            Some(json) => {
                let exported = print_value(&mut ev, value, &Profile::export("_"), style)?;
                Some((json, exported))
            }
            None => None,
        };
        Ok(Shown { cue, data })
    });
    Some(printed.map_err(|error| Fault::Values(ev.reports(error).len())))
}

/// Evaluates a source, and tells after each stage what was spent until then, as time is taken.
pub fn stages(text: &str, mut tell: impl FnMut(&str, u64, u64)) {
    value_in_stages(text, &mut |stage, ev| {
        let counters = ev.counters();
        tell(stage, counters.steps, counters.bytes);
    });
}

fn evaluate(text: &str) -> Result<(), String> {
    let mut steps = 0;
    let one = value_in_stages(text, &mut |_, ev| steps = ev.counters().steps);
    let other = value(text);
    if one != other {
        return Err(format!("two values: {one:?}\n{other:?}"));
    }
    // What takes long is not evaluated twice more.
    let Some(name) = field(text).filter(|_| steps < limits().steps / 8) else {
        return Ok(());
    };
    match (asked(text, name, false), asked(text, name, true)) {
        (Some(whole), Some(alone)) if whole != alone && !is_left_by_a_reader(&whole, &alone) => {
            Err(format!("{name} beside the others:\n{whole}alone:\n{alone}"))
        }
        _ => Ok(()),
    }
}

/// Whether a field holds the structural cycle of another one that reads it first, as in the
/// reference (see `docs/language.md`).
fn is_left_by_a_reader(whole: &str, alone: &str) -> bool {
    let cycle = "structural cycle";
    whole.contains(cycle) && !alone.contains(cycle)
}

/// The name of one of the fields at the top.
fn field(text: &str) -> Option<&str> {
    let word = |name: &&str| {
        let mut letters = name.trim_start_matches('#').chars();
        letters.next().is_some_and(char::is_alphabetic) && letters.all(char::is_alphanumeric)
    };
    let names = text
        .lines()
        .filter_map(|line| Some(line.split_once(':')?.0));
    let names = names.map(|name| name.trim_end_matches(['?', '!']));
    let names: Vec<&str> = names.filter(word).collect();
    names.get(text.len() % names.len().max(1)).copied()
}

/// What a field is for an expression that names it, or what is wrong with it; nothing if the
/// source cannot be read, or takes too much.
fn asked(text: &str, name: &str, alone: bool) -> Option<String> {
    let (mut ev, parsed) = read(text)?;
    let source = PackageSource {
        id: "_".into(),
        files: vec![Arc::new(parsed.tree)],
        ..PackageSource::default()
    };
    let file = ev.sources.add("expression", name).ok()?;
    let x = parse_expr(&ev.sources, file, &mut ev.names, &Options::default());
    if !parsed.errors.is_empty() || !x.errors.is_empty() {
        return None;
    }
    let (package, x) = (ev.add_package(source).ok()?, Arc::new(x.tree));
    if alone {
        ev.finalize_for(package, std::slice::from_ref(&x));
    }
    let v = ev.expression_in(package, x).ok()?;
    let value = Val::bare(Data::Vertex(v));
    let config = Config {
        all: true,
        ..Config::default()
    };
    let error = ev.validate(v, config);
    let printed = print_value(&mut ev, value, &Profile::eval("_"), Style::default());
    if !ev.reports(ev.over_limit()).is_empty() {
        return None;
    }
    let printed = match printed {
        Ok(text) => text,
        Err(e) => told(&ev, e),
    };
    Some(printed + &told(&ev, error))
}

/// What an error says, and where.
fn told(ev: &Evaluator, error: ErrId) -> String {
    let line = |r: &Report| {
        let places = r.positions(&ev.sources).into_iter();
        let places: Vec<_> = places.map(|pos| ev.sources.locate(pos)).collect();
        format!("{:?} {} {places:?}\n", r.path, r.message)
    };
    ev.reports(error).iter().map(line).collect()
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

/// Whether something is no finite number, outside of texts: it is exported as `Infinity.0` or
/// `NaN.0`, here and by the reference, and that is no number.
fn has_infinity(json: &str) -> bool {
    let mut quoted = false;
    let mut outside = String::new();
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => _ = chars.next(),
            '"' => quoted = !quoted,
            c if !quoted => outside.push(c),
            _ => {}
        }
    }
    outside.contains("Infinity") || outside.contains("NaN")
}

/// Whether a field `try` may stand alone in a struct: exported, here and by the reference, it is
/// `a: try: …`, which is read as a clause.
fn begins_with_try(json: &str) -> bool {
    json.contains("{\"try\":")
}

/// Whether two texts of JSON say the same.
fn same_data(one: &str, other: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    one == other
        || read(one)
            .zip(read(other))
            .is_some_and(|(a, b)| same_value(&a, &b))
}

/// Whether two values are the same, in any order of their fields. A whole float is exported with
/// `.0`, which JSON does not have, and zero without its sign.
fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(k, a): (&String, &Value)| b.get(k).is_some_and(|b| same_value(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        _ => a == b,
    }
}

/// What a text consists of, wherever it is, without white space and commas.
fn letters(text: &str) -> Vec<char> {
    let counts = |c: &char| !c.is_whitespace() && *c != ',';
    let mut letters: Vec<char> = text.chars().filter(counts).collect();
    letters.sort_unstable();
    letters
}

/// Whether `let` begins a line as a name. Before it stood a clause that is left out, here and by the
/// reference, and without the clause it is read as one.
fn has_let_as_name(text: &str) -> bool {
    let name = |rest: &str| !rest.starts_with(|c: char| c.is_alphabetic() || "_#$".contains(c));
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix("let "))
        .any(name)
}

fn formats(text: &str) -> Result<(), String> {
    let Some(once) = formatted(text) else {
        return Ok(());
    };
    match formatted(&once) {
        // A comment at the end of a line can push what follows it to the next one.
        None if text.contains("//") || has_let_as_name(&once) => return Ok(()),
        None => return Err(format!("what was formatted cannot be read:\n{once}")),
        // It may move again, and swallow a comma: all else stays.
        Some(twice) if text.contains("//") && letters(&twice) == letters(&once) => {}
        Some(twice) if twice != once => return Err(format!("once:\n{once}twice:\n{twice}")),
        Some(_) => {}
    }
    exports(text)
}

/// What is exported reads back as the same data, though maybe in another order.
fn exports(text: &str) -> Result<(), String> {
    if let Some(Ok(shown)) = value(text)
        && let Some((json, exported)) = shown.data
        && !has_infinity(&json)
        && !begins_with_try(&json)
    {
        let again = value(&exported);
        let back = again.as_ref().and_then(|v| v.as_ref().ok()?.data.as_ref());
        if back.is_none_or(|(back, _)| !same_data(back, &json)) {
            return Err(format!(
                "exported:\n{exported}is {json}\nreads back as {again:?}"
            ));
        }
    }
    Ok(())
}
