//! `pravo output`: the recorded outputs.

use crate::args;
use crate::context::Context;
use crate::exit::{Code, Failure};
use crate::render::text;
use pravo_state::{Data, Outputs, json};

/// Runs the command.
pub(super) fn run(context: &Context, arguments: &args::Output) -> Result<Code, Failure> {
    let state = context.read_state()?;
    let outputs = context.wait(state.outputs())?.unwrap_or_default();
    let shown = match (&arguments.name, context.global.json) {
        (None, true) => json::pretty(&json::canonical(outputs.bare())),
        (None, false) => list(&outputs)?,
        (Some(name), json) => one(&outputs, name, arguments.raw, json)?,
    };
    context.screen.result(&shown);
    Ok(Code::Done)
}

fn one(outputs: &Outputs, name: &str, raw: bool, json: bool) -> Result<String, Failure> {
    let Some(output) = outputs.0.get(name) else {
        return Err(unknown(outputs, name));
    };
    if json {
        return Ok(json::pretty(&json::canonical(output.value.clone())));
    }
    match (raw, output.value.as_str()) {
        (true, Some(text)) => Ok(text.to_owned()),
        (true, None) => Err(Failure::new(format!(
            "output {name} is not a string; leave out -raw"
        ))),
        (false, _) => Ok(format!("{}\n", text::value(&data(&output.value)?))),
    }
}

fn unknown(outputs: &Outputs, name: &str) -> Failure {
    let names: Vec<&str> = outputs.0.keys().map(String::as_str).collect();
    let known = if names.is_empty() {
        "no output is recorded".to_owned()
    } else {
        format!("recorded are {}", names.join(", "))
    };
    Failure::new(format!("there is no output {name}; {known}"))
}

/// All outputs, one after another, aligned; sensitive ones as a word.
///
/// # Errors
/// A value that cannot be shown.
pub(super) fn list(outputs: &Outputs) -> Result<String, Failure> {
    let width = outputs
        .0
        .keys()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        + 2;
    let mut out = String::new();
    for (name, output) in &outputs.0 {
        let shown = if output.sensitive {
            "(sensitive)".to_owned()
        } else {
            text::value(&data(&output.value)?)
        };
        out.push_str(&format!("{:<width$}{shown}\n", format!("{name}:")));
    }
    Ok(out)
}

fn data(value: &serde_json::Value) -> Result<Data, Failure> {
    json::from_plain(value).map_err(|error| Failure::new(format!("a recorded output {error}")))
}
