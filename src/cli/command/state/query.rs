//! `pravo state query`: a CUE expression over `resources`, `edges` and `outputs`.

use crate::context::Context;
use crate::exit::{Code, Failure};
use pravo_spec::query;
use serde_json::{Map, Value, json};

/// Runs the command.
pub(super) fn run(context: &Context, expression: &str) -> Result<Code, Failure> {
    let state = context.read_state()?;
    let records = context.wait(state.records())?;
    let outputs = context.wait(state.outputs())?.unwrap_or_default();
    let mut resources = Map::new();
    let mut edges = Vec::new();
    for kept in records.values() {
        let record = &kept.value;
        let value: Value = serde_json::from_str(&record.to_text())
            .map_err(|error| format!("the record of {}: {error}", record.addr))?;
        resources.insert(record.addr.to_string(), value);
        edges.extend(
            record
                .dependencies
                .iter()
                .map(|to| json!({"from": record.addr.as_str(), "to": to.as_str()})),
        );
    }
    let fields = [
        ("resources", Value::Object(resources).to_string()),
        ("edges", Value::Array(edges).to_string()),
        ("outputs", outputs.bare().to_string()),
    ];
    context.screen.result(&query(&fields, expression)?);
    Ok(Code::Done)
}
