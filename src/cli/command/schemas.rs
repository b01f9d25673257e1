//! The schemas that `pravo init` wrote beside the generated packages.

use pravo_spec::generate::{read_schema, schema_path};
use pravo_state::{Mode, ProviderSchema, Schema};
use std::collections::HashMap;

/// The schemas of a root, each read when it is first asked for.
#[derive(Default)]
pub(super) struct Schemas(HashMap<String, Option<ProviderSchema>>);

impl Schemas {
    /// The schema of a type; nothing where `pravo init` has not written it.
    pub(super) fn of(&mut self, source: &str, mode: Mode, kind: &str) -> Option<&Schema> {
        if !self.0.contains_key(source) {
            self.0.insert(source.to_owned(), read(source));
        }
        let schema = self.0.get(source)?.as_ref()?;
        match mode {
            Mode::Managed => schema.resources.get(kind),
            Mode::Data => schema.data_sources.get(kind),
        }
    }
}

fn read(source: &str) -> Option<ProviderSchema> {
    let bytes = std::fs::read(schema_path(source).ok()?).ok()?;
    Some(read_schema(&bytes).ok()?.schema)
}
