//! `pravo validate`: evaluation and discovery, without providers and state.

use super::schemas::Schemas;
use crate::context::Context;
use crate::exit::{Code, Failure};
use pravo_spec::{Counts, Remembered, SpecErrors, Specification};
use std::time::Instant;

/// Runs the command.
pub(super) fn run(context: &Context) -> Result<Code, Failure> {
    let start = Instant::now();
    let mut specification = context.load()?;
    let counts = specification.counts();
    check(&mut specification)?;
    if context.global.verbose > 0 {
        context.screen.note(&loaded(&counts, start));
    }
    context.screen.result(&success(&counts));
    Ok(Code::Done)
}

/// What `-v` says of a specification that was loaded.
pub(super) fn loaded(counts: &Counts, start: Instant) -> String {
    let Counts {
        managed,
        data,
        ephemeral,
        calls,
        outputs,
        providers,
        moves,
        imports,
        ..
    } = counts;
    format!(
        "loaded managed={managed} data={data} ephemeral={ephemeral} calls={calls} outputs={outputs} \
         providers={providers} moves={moves} imports={imports} took={:.1?}",
        start.elapsed()
    )
}

fn success(counts: &Counts) -> String {
    let policies = match counts.policies {
        0 => String::new(),
        n => format!(", {}", number(n, "policy", "policies")),
    };
    format!(
        "Success! {}, {}, {} ephemeral, {}, {}{policies} across {}.\n",
        number(counts.managed, "resource", "resources"),
        number(counts.data, "data source", "data sources"),
        counts.ephemeral,
        number(counts.calls, "function call", "function calls"),
        number(counts.outputs, "output", "outputs"),
        number(counts.providers, "provider", "providers"),
    )
}

fn number(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Loads the specification and, with `-v`, says what was found in it.
///
/// # Errors
/// What is wrong with it.
pub(super) fn load(context: &Context) -> Result<Remembered, Failure> {
    let start = Instant::now();
    let specification = context.remembered()?;
    if context.global.verbose > 0 {
        context.screen.note(&loaded(&specification.counts(), start));
    }
    Ok(specification)
}

/// Works out what every node wants, as far as the schemas are at hand.
///
/// # Errors
/// Whatever of it is wrong, missing or not concrete.
pub(super) fn check(specification: &mut Specification) -> Result<(), Failure> {
    let mut schemas = Schemas::default();
    let mut errors = SpecErrors::default();
    for node in specification.nodes().to_vec() {
        if let Some(schema) = schemas.of(&node.source, node.mode, &node.kind)
            && let Err(wrong) = specification.desired(&node.address, schema)
        {
            errors.append(wrong);
        }
    }
    Ok(errors.into_result()?)
}
