//! Schemas, both ways. Those of version 5 travel through the form of version 6, which holds all
//! that they can say.

mod check;
mod read;
mod v5;
mod write;

use pravo_state::{ProviderSchema, Schema};

/// What a plugin answers about itself, beside the diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Its types and functions.
    pub schema: ProviderSchema,
    /// The schema of the value that each call carries besides; rarely used.
    pub meta: Option<Schema>,
    /// What it can do besides the basic calls.
    pub capabilities: Capabilities,
}

/// What a plugin can do besides the basic calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// It wants to plan the end of an object too.
    pub plan_destroy: bool,
    /// It works without being asked for its schema first.
    pub schema_optional: bool,
    /// It can take over an object of another type or provider.
    pub move_state: bool,
    /// It can write the configuration of an imported object.
    pub generate_config: bool,
}

/// A schema that breaks the rules of the protocol; a bug of the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// What has the schema, such as `resource random_integer`.
    pub of: String,
    /// What is wrong, with the name of the attribute or block.
    pub problem: String,
}

impl std::fmt::Display for SchemaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the schema of {} is invalid: {}", self.of, self.problem)
    }
}

impl std::error::Error for SchemaError {}

pub use read::{read, read_functions};
pub use v5::{from_v5, to_v5};
pub use write::{write, write_function};

#[cfg(test)]
mod tests;
