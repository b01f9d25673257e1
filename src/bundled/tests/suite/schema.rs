//! The schemas, in the form of `terraform providers schema -json` without descriptions.

use pravo_bundled::kit::Shape;
use pravo_bundled::{Environment, names, plugin};
use pravo_state::schema::{Attribute, AttributeKind, Function};
use pravo_state::{Schema, Type};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

#[test]
fn schemas_are_those_of_the_released_plugins() {
    for name in names() {
        let plugin = plugin(name, &Environment::default()).unwrap();
        let schema = plugin.schema();
        let mut all = Map::new();
        let mut put = |key: &str, value: Value| {
            if value.as_object().is_some_and(|map| !map.is_empty()) {
                all.insert(key.into(), value);
            }
        };
        put("provider", json!({"block": {}, "version": 0}));
        put("resource_schemas", schemas(&schema.resources));
        put("data_source_schemas", schemas(&schema.data_sources));
        put("ephemeral_resource_schemas", schemas(&schema.ephemerals));
        put("functions", functions(&schema.functions));
        let actions = plugin.actions().map(|action| {
            let shape = plugin.action_shape(action).unwrap();
            (action.to_owned(), json!({"block": block(&shape.schema())}))
        });
        put("action_schemas", Value::Object(actions.collect()));
        let released = crate::data("schemas", name);
        let expected = &released["provider_schemas"][format!("hashicorp/{name}")];
        assert_eq!(&Value::Object(all), expected, "{name}");
    }
}

#[test]
fn everything_is_described() {
    for name in names() {
        let plugin = plugin(name, &Environment::default()).unwrap();
        let schema = plugin.schema();
        let groups = [&schema.resources, &schema.data_sources, &schema.ephemerals];
        for (kind, schema) in groups.into_iter().flatten() {
            assert!(!schema.block.description.is_empty(), "{kind}");
            for attribute in &schema.block.attributes {
                assert!(
                    !attribute.description.is_empty(),
                    "{kind}.{}",
                    attribute.name
                );
            }
        }
        let shapes = plugin
            .actions()
            .filter_map(|action| plugin.action_shape(action));
        assert!(
            shapes
                .into_iter()
                .all(|shape: &Shape| !shape.about.is_empty())
        );
    }
}

fn schemas(all: &BTreeMap<String, Schema>) -> Value {
    all.iter()
        .map(|(name, schema)| {
            let entry = json!({"block": block(schema), "version": schema.version});
            (name.clone(), entry)
        })
        .collect::<Map<_, _>>()
        .into()
}

fn block(schema: &Schema) -> Value {
    let attributes: Map<String, Value> = schema
        .block
        .attributes
        .iter()
        .map(|a| (a.name.clone(), attribute(a)))
        .collect();
    let mut block = Map::new();
    block.insert("attributes".into(), attributes.into());
    if schema.block.deprecated {
        block.insert("deprecated".into(), true.into());
    }
    block.into()
}

fn attribute(attribute: &Attribute) -> Value {
    let AttributeKind::Value(kind) = &attribute.kind else {
        panic!("protocol 5 has no nested attributes");
    };
    let flags = [
        ("computed", attribute.computed),
        ("deprecated", attribute.deprecated),
        ("optional", attribute.optional),
        ("required", attribute.required),
        ("sensitive", attribute.sensitive),
        ("write_only", attribute.write_only),
    ];
    let set = flags.into_iter().filter(|(_, on)| *on);
    let mut entry: Map<_, _> = set.map(|(name, _)| (name.into(), true.into())).collect();
    entry.insert("type".into(), type_text(kind));
    entry.into()
}

fn functions(all: &BTreeMap<String, Function>) -> Value {
    all.iter()
        .map(|(name, function)| {
            let parameters = function.parameters.iter();
            let parameters: Vec<Value> = parameters
                .map(|p| json!({"name": p.name, "type": type_text(&p.kind)}))
                .collect();
            let result = type_text(&function.result);
            let entry = json!({"parameters": parameters, "return_type": result});
            (name.clone(), entry)
        })
        .collect::<Map<_, _>>()
        .into()
}

fn type_text(kind: &Type) -> Value {
    match kind {
        Type::Bool => "bool".into(),
        Type::Number => "number".into(),
        Type::String => "string".into(),
        Type::List(element) => json!(["list", type_text(element)]),
        Type::Map(element) => json!(["map", type_text(element)]),
        other => panic!("no attribute has {other:?}"),
    }
}
