//! `pravo state show`: one record, its bookkeeping as comments and its attributes as CUE.

use super::{address, no_record};
use crate::command::schemas::Schemas;
use crate::context::Context;
use crate::exit::{Code, Failure};
use crate::render::diff::Shape;
use crate::render::text;
use pravo_state::time::brief_span;
use pravo_state::{Block, Data, Record, Time, json};

/// Runs the command.
pub(super) fn run(context: &Context, given: &str) -> Result<Code, Failure> {
    let address = address(given)?;
    let state = context.read_state()?;
    let Some(kept) = context.wait(state.record(&address))? else {
        return Err(no_record(&address));
    };
    let record = kept.value;
    if context.global.json {
        context.screen.result(&record.to_text());
        return Ok(Code::Done);
    }
    let attributes = json::from_plain(&record.attributes.value())
        .map_err(|error| Failure::new(format!("the record of {address}: {error}")))?;
    let mut out = comments(&record, context.now());
    push(&mut out, &attributes, &schema(&record));
    context.screen.result(&out);
    Ok(Code::Done)
}

/// The schema of the record's type, as it was generated; nothing where none is at hand, so that
/// nothing is known to be public.
fn schema(record: &Record) -> Option<Block> {
    let mut schemas = Schemas::default();
    let schema = schemas.of(&record.provider, record.mode, &record.kind);
    schema.map(|schema| schema.block.clone())
}

fn comments(record: &Record, now: Time) -> String {
    let mut out = format!(
        "// {} (provider {} v{} as {}, schema version {}, revision {})\n",
        record.addr,
        record.provider,
        record.provider_version,
        record.provider_key,
        record.schema_version,
        record.revision
    );
    let ago = |time: Option<Time>, word: &str| {
        time.map(|time| format!("{word} {} ago", brief_span(now.since(time))))
    };
    let hash = record
        .config_hash
        .get(..12)
        .map(|hash| format!("config hash {hash}"));
    let parts = [
        ago(record.refreshed_at, "refreshed"),
        ago(record.applied_at, "applied"),
        hash,
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        out.push_str(&format!("// {}\n", parts.join(", ")));
    }
    if !record.dependencies.is_empty() {
        let names: Vec<&str> = record
            .dependencies
            .iter()
            .map(|address| address.as_str())
            .collect();
        out.push_str(&format!("// depends on {}\n", names.join(", ")));
    }
    if record.config_hash.is_empty() {
        out.push_str("// last apply did not finish\n");
    }
    if let Some(drifted) = ago(record.drifted_at, "drifted") {
        out.push_str(&format!("// {drifted}\n"));
    }
    if record.gone {
        out.push_str("// gone\n");
    }
    out
}

/// The attributes as a CUE struct; what is sensitive, or may be, is `_` with a comment.
fn push(out: &mut String, attributes: &Data, schema: &Option<Block>) {
    let Data::Map(entries) = attributes else {
        return;
    };
    let width = entries
        .keys()
        .map(|name| text::label(name).chars().count())
        .max()
        .unwrap_or(0)
        + 2;
    out.push_str("{\n");
    for (name, value) in entries {
        let head = format!("{:<width$}", format!("{}:", text::label(name)));
        let shown = if is_public(schema.as_ref(), name) || value.is_null() {
            text::value(value).replace('\n', "\n\t")
        } else {
            "_ // (sensitive)".to_owned()
        };
        out.push_str(&format!("\t{head}{shown}\n"));
    }
    out.push_str("}\n");
}

fn is_public(schema: Option<&Block>, name: &str) -> bool {
    schema.is_some_and(|block| !Shape::Block(block).field(name).holds_sensitive())
}
