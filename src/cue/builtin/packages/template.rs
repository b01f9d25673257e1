//! `text/template`: the template language of the reference over data.

mod execute;
mod format;
mod functions;
mod lexer;
mod parse;
mod value;

use super::html::escape;
use crate::builtin::call::Call;
use crate::builtin::host::{Failure, Outcome, Purpose};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, Member, Package, STRING, function};
use value::Value;

pub(super) static PACKAGE: Package = Package {
    path: "text/template",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Execute", &[STRING, ANY], Kind::STRING, run),
    function("HTMLEscape", &[STRING], Kind::STRING, |c| {
        Ok(escape(&c.string(0)?, true).into())
    }),
    function("JSEscape", &[STRING], Kind::STRING, |c| {
        Ok(functions::js(&c.string(0)?).into())
    }),
];

fn run(c: &mut Call<'_>) -> Outcome {
    let text = c.string(0)?;
    let data = c.concrete(1)?;
    let data = c.host.data(data, Purpose::Template)?;
    let templates = match parse::parse(&text) {
        Ok(templates) => templates,
        Err(text) => return Failure::fatal(text),
    };
    match execute::run(&text, &templates, Value::of(&data)) {
        Ok(text) => Ok(text.into()),
        Err(text) => Failure::fatal(text),
    }
}
