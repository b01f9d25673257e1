//! From the nouns to the wire.

use super::Offer;
use crate::tfplugin6 as wire;
use crate::types;
use pravo_state::{
    Attribute, AttributeKind, Block, Function, NestedBlock, Nesting, Parameter, Schema,
};
use std::collections::{BTreeMap, HashMap};

/// Writes the answer of `GetProviderSchema`.
pub fn write(offer: &Offer) -> wire::get_provider_schema::Response {
    let functions = offer.schema.functions.iter();
    wire::get_provider_schema::Response {
        provider: Some(write_schema(&offer.schema.provider)),
        resource_schemas: write_all(&offer.schema.resources),
        data_source_schemas: write_all(&offer.schema.data_sources),
        ephemeral_resource_schemas: write_all(&offer.schema.ephemerals),
        functions: functions
            .map(|(name, function)| (name.clone(), write_function(function)))
            .collect(),
        provider_meta: offer.meta.as_ref().map(write_schema),
        server_capabilities: Some(wire::ServerCapabilities {
            plan_destroy: offer.capabilities.plan_destroy,
            get_provider_schema_optional: offer.capabilities.schema_optional,
            move_resource_state: offer.capabilities.move_state,
            generate_resource_config: offer.capabilities.generate_config,
        }),
        ..Default::default()
    }
}

fn write_all(schemas: &BTreeMap<String, Schema>) -> HashMap<String, wire::Schema> {
    schemas
        .iter()
        .map(|(name, schema)| (name.clone(), write_schema(schema)))
        .collect()
}

fn write_schema(schema: &Schema) -> wire::Schema {
    wire::Schema {
        version: schema.version,
        block: Some(write_block(&schema.block)),
    }
}

fn write_block(block: &Block) -> wire::schema::Block {
    wire::schema::Block {
        attributes: block.attributes.iter().map(write_attribute).collect(),
        block_types: block.blocks.iter().map(write_nested).collect(),
        description: block.description.clone(),
        deprecated: block.deprecated,
        ..Default::default()
    }
}

fn write_attribute(attribute: &Attribute) -> wire::schema::Attribute {
    let (kind, nested_type) = match &attribute.kind {
        AttributeKind::Value(kind) => (types::to_bytes(kind), None),
        AttributeKind::Nested(nesting, attributes) => {
            (Vec::new(), Some(write_object(*nesting, attributes)))
        }
    };
    wire::schema::Attribute {
        name: attribute.name.clone(),
        r#type: kind,
        nested_type,
        description: attribute.description.clone(),
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        write_only: attribute.write_only,
        deprecated: attribute.deprecated,
        ..Default::default()
    }
}

fn write_object(nesting: Nesting, attributes: &[Attribute]) -> wire::schema::Object {
    use wire::schema::object::NestingMode;
    let nesting = match nesting {
        Nesting::Single | Nesting::Group => NestingMode::Single,
        Nesting::List => NestingMode::List,
        Nesting::Set => NestingMode::Set,
        Nesting::Map => NestingMode::Map,
    };
    wire::schema::Object {
        attributes: attributes.iter().map(write_attribute).collect(),
        nesting: nesting.into(),
        ..Default::default()
    }
}

fn write_nested(nested: &NestedBlock) -> wire::schema::NestedBlock {
    use wire::schema::nested_block::NestingMode;
    let nesting = match nested.nesting {
        Nesting::Single => NestingMode::Single,
        Nesting::Group => NestingMode::Group,
        Nesting::List => NestingMode::List,
        Nesting::Set => NestingMode::Set,
        Nesting::Map => NestingMode::Map,
    };
    let count = |items: u64| i64::try_from(items).unwrap_or(i64::MAX);
    wire::schema::NestedBlock {
        type_name: nested.name.clone(),
        block: Some(write_block(&nested.block)),
        nesting: nesting.into(),
        min_items: count(nested.min_items),
        max_items: count(nested.max_items),
    }
}

/// Writes one function.
pub fn write_function(function: &Function) -> wire::Function {
    wire::Function {
        parameters: function.parameters.iter().map(write_parameter).collect(),
        variadic_parameter: function.variadic.as_ref().map(write_parameter),
        r#return: Some(wire::function::Return {
            r#type: types::to_bytes(&function.result),
        }),
        summary: function.summary.clone(),
        ..Default::default()
    }
}

fn write_parameter(parameter: &Parameter) -> wire::function::Parameter {
    wire::function::Parameter {
        name: parameter.name.clone(),
        r#type: types::to_bytes(&parameter.kind),
        allow_null_value: parameter.allow_null,
        allow_unknown_values: parameter.allow_unknown,
        description: parameter.description.clone(),
        ..Default::default()
    }
}
