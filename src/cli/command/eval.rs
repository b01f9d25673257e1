//! `pravo eval`: the value of the specification, with what the state records filled in.

use super::schemas::Schemas;
use crate::args;
use crate::context::Context;
use crate::exit::{Code, Failure};
use pravo_spec::{NodeDecl, Showing, Specification};
use pravo_state::{Data, Record, Schema};
use pravo_store::State;

/// Runs the command.
pub(super) fn run(context: &Context, arguments: &args::Eval) -> Result<Code, Failure> {
    let mut specification = context.load()?;
    let objects = Context::objects(specification.settings());
    let state = context.wait(State::open_read(objects))?;
    let showing = Showing {
        all: arguments.all,
        json: context.global.json,
    };
    fill(context, &mut specification, &state)?;
    for text in specification.show(&arguments.expressions, showing)? {
        context.screen.result(&text);
    }
    Ok(Code::Done)
}

/// Puts what is recorded at the addresses of the declared nodes.
fn fill(
    context: &Context,
    specification: &mut Specification,
    state: &State,
) -> Result<(), Failure> {
    let records = context.wait(state.records())?;
    let mut schemas = Schemas::default();
    for node in specification.nodes().to_vec() {
        let kept = records.get(&node.address);
        let schema = schemas.of(&node.source, node.mode, &node.kind);
        if let (Some(kept), Some(schema)) = (kept, schema)
            && let Some(data) = recorded(&kept.value, &node, schema)
        {
            specification.fill(&node.address, schema, &data)?;
        }
    }
    Ok(())
}

/// The recorded attributes. A record of another type or schema version says nothing of this node.
fn recorded(record: &Record, node: &NodeDecl, schema: &Schema) -> Option<Data> {
    let fits = record.kind == node.kind
        && record.mode == node.mode
        && record.schema_version == schema.version;
    let data = || record.attributes.data(&schema.block.implied_type()).ok();
    fits.then(data).flatten()
}
