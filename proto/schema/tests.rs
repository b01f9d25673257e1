//! Schemas there and back, and those that are refused.

use super::*;
use pravo_state::{
    Attribute, AttributeKind, Block, Function, NestedBlock, Nesting, Parameter, Type,
};

fn attribute(name: &str, kind: AttributeKind) -> Attribute {
    Attribute {
        name: name.into(),
        kind,
        required: false,
        optional: true,
        computed: false,
        sensitive: true,
        write_only: true,
        deprecated: true,
        description: "text".into(),
    }
}

fn plain(name: &str) -> Attribute {
    attribute(name, AttributeKind::Value(Type::String))
}

fn nested(name: &str, nesting: Nesting) -> NestedBlock {
    NestedBlock {
        name: name.into(),
        nesting,
        block: Block {
            attributes: vec![plain("inner")],
            ..Block::default()
        },
        min_items: 0,
        max_items: 0,
    }
}

fn offer(block: Block) -> Offer {
    let schema = Schema { version: 3, block };
    let parameter = Parameter {
        name: "p".into(),
        kind: Type::Dynamic,
        allow_null: true,
        allow_unknown: false,
        description: "d".into(),
    };
    let function = Function {
        parameters: vec![parameter.clone()],
        variadic: Some(parameter),
        result: Type::List(Box::new(Type::Number)),
        summary: "s".into(),
    };
    Offer {
        schema: ProviderSchema {
            provider: Schema::default(),
            resources: [("t_thing".into(), schema.clone())].into(),
            data_sources: [("t_data".into(), schema.clone())].into(),
            ephemerals: [("t_short".into(), schema)].into(),
            functions: [("f".into(), function)].into(),
        },
        meta: Some(Schema::default()),
        capabilities: Capabilities {
            plan_destroy: true,
            schema_optional: true,
            move_state: false,
            generate_config: true,
        },
    }
}

#[test]
fn a_schema_survives_both_versions() {
    let old = offer(Block {
        attributes: vec![plain("a"), plain("b")],
        blocks: vec![nested("list", Nesting::List), nested("one", Nesting::Group)],
        description: "block".into(),
        deprecated: true,
    });
    assert_eq!(read(write(&old)).unwrap(), old);
    assert_eq!(read(from_v5(to_v5(write(&old)).unwrap())).unwrap(), old);
}

#[test]
fn nested_attributes_are_version_6_only() {
    let kind = AttributeKind::Nested(Nesting::Map, vec![plain("x")]);
    let newer = offer(Block {
        attributes: vec![attribute("a", kind)],
        ..Block::default()
    });
    assert_eq!(read(write(&newer)).unwrap(), newer);
    let error = to_v5(write(&newer)).unwrap_err().to_string();
    assert!(error.contains("a has nested attributes"), "{error}");
}

fn problem(block: Block) -> String {
    read(write(&offer(block))).unwrap_err().problem
}

fn with_attribute(attribute: Attribute) -> Block {
    Block {
        attributes: vec![attribute],
        ..Block::default()
    }
}

fn with_block(nested: NestedBlock) -> Block {
    Block {
        blocks: vec![nested],
        ..Block::default()
    }
}

#[test]
fn broken_schemas_are_refused() {
    let mut free = plain("a");
    free.optional = false;
    let mut both = plain("a");
    both.required = true;
    let any = AttributeKind::Nested(
        Nesting::Set,
        vec![attribute("x", AttributeKind::Value(Type::Dynamic))],
    );
    let mut counted = nested("b", Nesting::Map);
    counted.max_items = 1;
    let cases = [
        (with_attribute(free), "neither required"),
        (with_attribute(both), "both required and optional"),
        (with_attribute(attribute("a", any)), "a set of values"),
        (with_block(nested("B-1", Nesting::List)), "a-z"),
        (with_block(counted), "at most 1"),
    ];
    for (block, text) in cases {
        let problem = problem(block);
        assert!(problem.contains(text), "{problem}");
    }
    let mut twice = with_block(nested("a", Nesting::List));
    twice.attributes.push(plain("a"));
    assert_eq!(problem(twice), "a is there twice");
    let missing = read(Default::default()).unwrap_err();
    assert_eq!(missing.problem, "it is missing");
}

#[test]
fn blocks_of_any_type_are_of_any_type() {
    let mut list = nested("b", Nesting::List);
    list.block.attributes = vec![attribute("x", AttributeKind::Value(Type::Dynamic))];
    assert_eq!(list.implied_type(), Type::Dynamic);
    assert_eq!(
        nested("b", Nesting::Set).implied_type(),
        Type::Set(Box::new(nested("b", Nesting::Single).implied_type()))
    );
}
