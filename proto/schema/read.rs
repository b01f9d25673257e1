//! From the wire to the nouns.

use super::{Capabilities, Offer, SchemaError, check};
use crate::tfplugin6 as wire;
use crate::types;
use pravo_state::{
    Attribute, AttributeKind, Block, Function, NestedBlock, Nesting, Parameter, ProviderSchema,
    Schema, Type,
};
use std::collections::{BTreeMap, HashMap};

/// Reads the answer of `GetProviderSchema`, without its diagnostics.
///
/// # Errors
/// When the answer has no schema for the provider itself, or a schema breaks the protocol's rules.
pub fn read(answer: wire::get_provider_schema::Response) -> Result<Offer, SchemaError> {
    let provider = answer.provider.ok_or_else(|| SchemaError {
        of: "the provider".into(),
        problem: "it is missing".into(),
    })?;
    let schema = ProviderSchema {
        provider: read_schema("the provider", provider)?,
        resources: read_all("resource", answer.resource_schemas)?,
        data_sources: read_all("data source", answer.data_source_schemas)?,
        ephemerals: read_all("ephemeral resource", answer.ephemeral_resource_schemas)?,
        functions: read_functions(answer.functions)?,
    };
    let meta = answer
        .provider_meta
        .map(|schema| read_schema("provider_meta", schema))
        .transpose()?;
    let capabilities = answer.server_capabilities.unwrap_or_default();
    Ok(Offer {
        schema,
        meta,
        capabilities: Capabilities {
            plan_destroy: capabilities.plan_destroy,
            schema_optional: capabilities.get_provider_schema_optional,
            move_state: capabilities.move_resource_state,
            generate_config: capabilities.generate_resource_config,
        },
    })
}

fn read_all(
    word: &str,
    schemas: HashMap<String, wire::Schema>,
) -> Result<BTreeMap<String, Schema>, SchemaError> {
    schemas
        .into_iter()
        .map(|(name, schema)| {
            let schema = read_schema(&format!("{word} {name}"), schema)?;
            Ok((name, schema))
        })
        .collect()
}

fn read_schema(of: &str, schema: wire::Schema) -> Result<Schema, SchemaError> {
    let failed = |problem| SchemaError {
        of: of.into(),
        problem,
    };
    let read = Schema {
        version: schema.version,
        block: read_block(schema.block.unwrap_or_default()).map_err(failed)?,
    };
    check::schema(&read).map_err(failed)?;
    Ok(read)
}

fn read_block(block: wire::schema::Block) -> Result<Block, String> {
    let mut attributes = read_attributes(block.attributes)?;
    let mut blocks = block
        .block_types
        .into_iter()
        .map(read_nested)
        .collect::<Result<Vec<_>, _>>()?;
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    blocks.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Block {
        attributes,
        blocks,
        description: block.description,
        deprecated: block.deprecated,
    })
}

fn read_attributes(attributes: Vec<wire::schema::Attribute>) -> Result<Vec<Attribute>, String> {
    attributes.into_iter().map(read_attribute).collect()
}

fn read_attribute(attribute: wire::schema::Attribute) -> Result<Attribute, String> {
    let name = attribute.name;
    let kind = match (attribute.nested_type, attribute.r#type.is_empty()) {
        (None, false) => AttributeKind::Value(
            types::from_bytes(&attribute.r#type).map_err(|e| format!("{name}: {e}"))?,
        ),
        (Some(object), true) => {
            read_object(object).map_err(|problem| format!("{name}: {problem}"))?
        }
        (None, true) => return Err(format!("{name} has no type")),
        (Some(_), false) => return Err(format!("{name} has two types")),
    };
    Ok(Attribute {
        name,
        kind,
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        write_only: attribute.write_only,
        deprecated: attribute.deprecated,
        description: attribute.description,
    })
}

fn read_object(object: wire::schema::Object) -> Result<AttributeKind, String> {
    use wire::schema::object::NestingMode;
    let nesting = match object.nesting() {
        NestingMode::Single => Nesting::Single,
        NestingMode::List => Nesting::List,
        NestingMode::Set => Nesting::Set,
        NestingMode::Map => Nesting::Map,
        NestingMode::Invalid => return Err("its nesting is not known".into()),
    };
    let mut attributes = read_attributes(object.attributes)?;
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(AttributeKind::Nested(nesting, attributes))
}

fn read_nested(nested: wire::schema::NestedBlock) -> Result<NestedBlock, String> {
    use wire::schema::nested_block::NestingMode;
    let nesting = match nested.nesting() {
        NestingMode::Single => Nesting::Single,
        NestingMode::List => Nesting::List,
        NestingMode::Set => Nesting::Set,
        NestingMode::Map => Nesting::Map,
        NestingMode::Group => Nesting::Group,
        NestingMode::Invalid => {
            return Err(format!("the nesting of {} is not known", nested.type_name));
        }
    };
    let count = |items: i64| {
        u64::try_from(items).map_err(|_| format!("{} occurs {items} times", nested.type_name))
    };
    let (min_items, max_items) = (count(nested.min_items)?, count(nested.max_items)?);
    let block = read_block(nested.block.unwrap_or_default())
        .map_err(|problem| format!("{}: {problem}", nested.type_name))?;
    Ok(NestedBlock {
        name: nested.type_name,
        nesting,
        block,
        min_items,
        max_items,
    })
}

/// Reads functions, by name.
///
/// # Errors
/// When a function has a type that is none.
pub fn read_functions(
    functions: HashMap<String, wire::Function>,
) -> Result<BTreeMap<String, Function>, SchemaError> {
    functions
        .into_iter()
        .map(|(name, function)| {
            let read = read_function(function).map_err(|problem| SchemaError {
                of: format!("function {name}"),
                problem,
            })?;
            Ok((name, read))
        })
        .collect()
}

fn read_function(function: wire::Function) -> Result<Function, String> {
    let result = function.r#return.ok_or("it has no result")?;
    let parameters = function.parameters.into_iter().map(read_parameter);
    Ok(Function {
        parameters: parameters.collect::<Result<_, _>>()?,
        variadic: function
            .variadic_parameter
            .map(read_parameter)
            .transpose()?,
        result: read_type("its result", &result.r#type)?,
        summary: function.summary,
    })
}

fn read_parameter(parameter: wire::function::Parameter) -> Result<Parameter, String> {
    Ok(Parameter {
        kind: read_type(&parameter.name, &parameter.r#type)?,
        name: parameter.name,
        allow_null: parameter.allow_null_value,
        allow_unknown: parameter.allow_unknown_values,
        description: parameter.description,
    })
}

fn read_type(of: &str, bytes: &[u8]) -> Result<Type, String> {
    types::from_bytes(bytes).map_err(|error| format!("{of}: {error}"))
}
