//! Reads schemas as the peers print them (`providers schema -json`).

use pravo_state::schema::{Function, Parameter};
use pravo_state::{
    Attribute, AttributeKind, Block, NestedBlock, Nesting, ProviderSchema, Schema, Type,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// The source and schema of the only provider of a document.
pub(super) fn provider(document: &Value) -> (String, ProviderSchema) {
    let (name, value) = document["provider_schemas"]
        .as_object()
        .and_then(|providers| providers.iter().next())
        .unwrap();
    let source = match document["source"].as_str() {
        Some(source) => source.to_owned(),
        None => format!("registry.opentofu.org/{name}"),
    };
    let schema = ProviderSchema {
        provider: schema(&value["provider"]),
        resources: map(&value["resource_schemas"], schema),
        data_sources: map(&value["data_source_schemas"], schema),
        ephemerals: map(&value["ephemeral_resource_schemas"], schema),
        functions: map(&value["functions"], function),
    };
    (source, schema)
}

fn map<T>(value: &Value, read: impl Fn(&Value) -> T) -> BTreeMap<String, T> {
    let entries = value.as_object().into_iter().flatten();
    entries
        .map(|(name, value)| (name.clone(), read(value)))
        .collect()
}

fn schema(value: &Value) -> Schema {
    Schema {
        version: value["version"].as_i64().unwrap_or(0),
        block: block(&value["block"]),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn flag(value: &Value, name: &str) -> bool {
    value[name].as_bool().unwrap_or(false)
}

fn block(value: &Value) -> Block {
    Block {
        attributes: attributes(&value["attributes"]),
        blocks: map(&value["block_types"], NestedParts::read)
            .into_iter()
            .map(|(name, parts)| parts.named(name))
            .collect(),
        description: text(&value["description"]),
        deprecated: flag(value, "deprecated"),
    }
}

struct NestedParts(Nesting, Block, u64, u64);

impl NestedParts {
    fn read(value: &Value) -> Self {
        let number = |name: &str| value[name].as_u64().unwrap_or(0);
        let (min, max) = (number("min_items"), number("max_items"));
        Self(nesting(value), block(&value["block"]), min, max)
    }

    fn named(self, name: String) -> NestedBlock {
        NestedBlock {
            name,
            nesting: self.0,
            block: self.1,
            min_items: self.2,
            max_items: self.3,
        }
    }
}

fn attributes(value: &Value) -> Vec<Attribute> {
    let attribute = |(name, value): (&String, &Value)| Attribute {
        name: name.clone(),
        kind: match value.get("nested_type") {
            Some(nested) => {
                AttributeKind::Nested(nesting(nested), attributes(&nested["attributes"]))
            }
            None => AttributeKind::Value(kind(&value["type"])),
        },
        required: flag(value, "required"),
        optional: flag(value, "optional"),
        computed: flag(value, "computed"),
        sensitive: flag(value, "sensitive"),
        write_only: flag(value, "write_only"),
        deprecated: flag(value, "deprecated"),
        description: text(&value["description"]),
    };
    let sorted: BTreeMap<_, _> = value.as_object().into_iter().flatten().collect();
    sorted.into_iter().map(attribute).collect()
}

fn nesting(value: &Value) -> Nesting {
    match value["nesting_mode"].as_str().unwrap() {
        "single" => Nesting::Single,
        "group" => Nesting::Group,
        "list" => Nesting::List,
        "set" => Nesting::Set,
        "map" => Nesting::Map,
        other => panic!("nesting {other}"),
    }
}

fn kind(value: &Value) -> Type {
    if let Some(name) = value.as_str() {
        return match name {
            "bool" => Type::Bool,
            "number" => Type::Number,
            "string" => Type::String,
            "dynamic" => Type::Dynamic,
            other => panic!("type {other}"),
        };
    }
    let inner = || Box::new(kind(&value[1]));
    match value[0].as_str().unwrap() {
        "list" => Type::List(inner()),
        "set" => Type::Set(inner()),
        "map" => Type::Map(inner()),
        "object" => Type::Object(map(&value[1], kind), Vec::new()),
        "tuple" => Type::Tuple(value[1].as_array().unwrap().iter().map(kind).collect()),
        other => panic!("type {other}"),
    }
}

fn function(value: &Value) -> Function {
    Function {
        parameters: value["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .map(parameter)
            .collect(),
        variadic: value.get("variadic_parameter").map(parameter),
        result: kind(&value["return_type"]),
        summary: text(&value["summary"]),
    }
}

fn parameter(value: &Value) -> Parameter {
    Parameter {
        name: text(&value["name"]),
        kind: kind(&value["type"]),
        allow_null: flag(value, "is_nullable"),
        allow_unknown: flag(value, "allow_unknown_values"),
        description: text(&value["description"]),
    }
}
