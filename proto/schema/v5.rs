//! Between the schema messages of version 5 and those of version 6. Version 5 has no nested
//! attributes, and other numbers for two fields.

use super::SchemaError;
use crate::{tfplugin5 as v5, tfplugin6 as v6};
use std::collections::HashMap;

/// The answer of `GetSchema` as that of version 6.
pub fn from_v5(answer: v5::get_provider_schema::Response) -> v6::get_provider_schema::Response {
    let all = |schemas: HashMap<String, v5::Schema>| -> HashMap<String, v6::Schema> {
        let schemas = schemas.into_iter();
        schemas.map(|(name, schema)| (name, up(schema))).collect()
    };
    v6::get_provider_schema::Response {
        provider: answer.provider.map(up),
        resource_schemas: all(answer.resource_schemas),
        data_source_schemas: all(answer.data_source_schemas),
        diagnostics: answer.diagnostics,
        provider_meta: answer.provider_meta.map(up),
        server_capabilities: answer.server_capabilities,
        functions: answer.functions,
        ephemeral_resource_schemas: all(answer.ephemeral_resource_schemas),
        list_resource_schemas: all(answer.list_resource_schemas),
        action_schemas: HashMap::new(),
    }
}

fn up(schema: v5::Schema) -> v6::Schema {
    v6::Schema {
        version: schema.version,
        block: schema.block.map(block_up),
    }
}

fn block_up(block: v5::schema::Block) -> v6::schema::Block {
    v6::schema::Block {
        version: block.version,
        attributes: block.attributes.into_iter().map(attribute_up).collect(),
        block_types: block.block_types.into_iter().map(nested_up).collect(),
        description: block.description,
        description_kind: block.description_kind,
        deprecated: block.deprecated,
        deprecation_message: block.deprecation_message,
    }
}

fn attribute_up(attribute: v5::schema::Attribute) -> v6::schema::Attribute {
    v6::schema::Attribute {
        name: attribute.name,
        r#type: attribute.r#type,
        nested_type: None,
        description: attribute.description,
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        description_kind: attribute.description_kind,
        deprecated: attribute.deprecated,
        write_only: attribute.write_only,
        deprecation_message: attribute.deprecation_message,
    }
}

fn nested_up(nested: v5::schema::NestedBlock) -> v6::schema::NestedBlock {
    v6::schema::NestedBlock {
        type_name: nested.type_name,
        block: nested.block.map(block_up),
        nesting: nested.nesting,
        min_items: nested.min_items,
        max_items: nested.max_items,
    }
}

/// The answer of `GetProviderSchema` as that of version 5's `GetSchema`.
///
/// # Errors
/// When an attribute has nested attributes, which version 5 does not have.
pub fn to_v5(
    answer: v6::get_provider_schema::Response,
) -> Result<v5::get_provider_schema::Response, SchemaError> {
    let one = |of: &str, schema| {
        down(schema).map_err(|problem| SchemaError {
            of: of.into(),
            problem,
        })
    };
    let all = |schemas: HashMap<String, v6::Schema>| {
        schemas
            .into_iter()
            .map(|(name, schema)| Ok((name.clone(), one(&name, schema)?)))
            .collect::<Result<HashMap<_, _>, SchemaError>>()
    };
    let maybe = |of, schema: Option<v6::Schema>| schema.map(|s| one(of, s)).transpose();
    Ok(v5::get_provider_schema::Response {
        provider: maybe("the provider", answer.provider)?,
        resource_schemas: all(answer.resource_schemas)?,
        data_source_schemas: all(answer.data_source_schemas)?,
        diagnostics: answer.diagnostics,
        provider_meta: maybe("provider_meta", answer.provider_meta)?,
        server_capabilities: answer.server_capabilities,
        functions: answer.functions,
        ephemeral_resource_schemas: all(answer.ephemeral_resource_schemas)?,
        list_resource_schemas: all(answer.list_resource_schemas)?,
        action_schemas: HashMap::new(),
    })
}

fn down(schema: v6::Schema) -> Result<v5::Schema, String> {
    Ok(v5::Schema {
        version: schema.version,
        block: schema.block.map(block_down).transpose()?,
    })
}

fn block_down(block: v6::schema::Block) -> Result<v5::schema::Block, String> {
    let attributes = block.attributes.into_iter().map(attribute_down);
    let nested = block.block_types.into_iter().map(nested_down);
    Ok(v5::schema::Block {
        version: block.version,
        attributes: attributes.collect::<Result<_, _>>()?,
        block_types: nested.collect::<Result<_, _>>()?,
        description: block.description,
        description_kind: block.description_kind,
        deprecated: block.deprecated,
        deprecation_message: block.deprecation_message,
    })
}

fn attribute_down(attribute: v6::schema::Attribute) -> Result<v5::schema::Attribute, String> {
    if attribute.nested_type.is_some() {
        let name = attribute.name;
        return Err(format!("{name} has nested attributes; version 5 has none"));
    }
    Ok(v5::schema::Attribute {
        name: attribute.name,
        r#type: attribute.r#type,
        description: attribute.description,
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        description_kind: attribute.description_kind,
        deprecated: attribute.deprecated,
        write_only: attribute.write_only,
        deprecation_message: attribute.deprecation_message,
    })
}

fn nested_down(nested: v6::schema::NestedBlock) -> Result<v5::schema::NestedBlock, String> {
    Ok(v5::schema::NestedBlock {
        type_name: nested.type_name,
        block: nested.block.map(block_down).transpose()?,
        nesting: nested.nesting,
        min_items: nested.min_items,
        max_items: nested.max_items,
    })
}
