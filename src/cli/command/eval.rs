//! `pravo eval`: the value of the specification, with what the state records filled in.

use crate::args;
use crate::context::Context;
use crate::exit::{Code, Failure};
use crate::render::diff::Shape;
use pravo_spec::generate::{read_schema, schema_path};
use pravo_spec::{NodeDecl, Showing, Specification};
use pravo_state::{Address, Block, Data, Mode, ProviderSchema, Record, Schema};
use pravo_store::State;
use std::collections::HashMap;

/// Runs the command.
pub(super) fn run(context: &Context, arguments: &args::Eval) -> Result<Code, Failure> {
    let mut specification = context.load()?;
    let objects = context.objects(&specification);
    let state = context.wait(State::open_read(objects))?;
    let showing = Showing {
        all: arguments.all,
        json: context.global.json,
    };
    let asked = Asked {
        expressions: &arguments.expressions,
        masked: !showing.json,
    };
    fill(context, &mut specification, &state, &asked)?;
    for text in specification.show(&arguments.expressions, showing)? {
        context.screen.result(&text);
    }
    Ok(Code::Done)
}

/// What is asked for, and whether sensitive attributes stay out of it.
struct Asked<'a> {
    expressions: &'a [String],
    masked: bool,
}

impl Asked<'_> {
    /// Whether an attribute is not to be seen: it is sensitive, and no expression ends at it.
    fn hides(&self, address: &Address, block: &Block, name: &str) -> bool {
        let path = format!("{address}.{name}");
        self.masked
            && Shape::Block(block).field(name).holds_sensitive()
            && !self.expressions.contains(&path)
    }
}

/// Puts what is recorded at the addresses of the declared nodes.
fn fill(
    context: &Context,
    specification: &mut Specification,
    state: &State,
    asked: &Asked<'_>,
) -> Result<(), Failure> {
    let records = context.wait(state.records())?;
    let mut schemas: HashMap<String, Option<ProviderSchema>> = HashMap::new();
    for node in specification.nodes().to_vec() {
        let Some(kept) = records.get(&node.address) else {
            continue;
        };
        let schema = schemas
            .entry(node.source.clone())
            .or_insert_with(|| schema_of(&node.source));
        let Some(schema) = schema.as_ref().and_then(|schema| type_of(schema, &node)) else {
            continue;
        };
        if let Some(data) = recorded(&kept.value, &node, schema, asked) {
            specification.fill(&node.address, schema, &data)?;
        }
    }
    Ok(())
}

fn schema_of(source: &str) -> Option<ProviderSchema> {
    let bytes = std::fs::read(schema_path(source).ok()?).ok()?;
    Some(read_schema(&bytes).ok()?.schema)
}

fn type_of<'a>(schema: &'a ProviderSchema, node: &NodeDecl) -> Option<&'a Schema> {
    match node.mode {
        Mode::Managed => schema.resources.get(&node.kind),
        Mode::Data => schema.data_sources.get(&node.kind),
    }
}

/// The recorded attributes, without those that are not to be seen. A record of another type or
/// schema version says nothing of this one.
fn recorded(record: &Record, node: &NodeDecl, schema: &Schema, asked: &Asked<'_>) -> Option<Data> {
    let fits = record.kind == node.kind
        && record.mode == node.mode
        && record.schema_version == schema.version;
    if !fits {
        return None;
    }
    let data = record.attributes.data(&schema.block.implied_type()).ok()?;
    let Data::Map(mut entries) = data else {
        return None;
    };
    for (name, value) in &mut entries {
        if asked.hides(&node.address, &schema.block, name) {
            *value = Data::Unknown;
        }
    }
    Some(Data::Map(entries))
}
