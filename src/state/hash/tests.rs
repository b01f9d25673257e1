//! Digests: what counts, and what does not.

use super::*;
use crate::{Number, Type};

fn attribute(name: &str, kind: Type) -> Attribute {
    Attribute {
        name: name.to_owned(),
        kind: AttributeKind::Value(kind),
        required: false,
        optional: true,
        computed: false,
        sensitive: false,
        write_only: false,
        deprecated: false,
        description: String::new(),
    }
}

fn nested(name: &str, nesting: Nesting, block: Block) -> NestedBlock {
    NestedBlock {
        name: name.to_owned(),
        nesting,
        block,
        min_items: 0,
        max_items: 0,
    }
}

fn schema() -> Block {
    let mut secret = attribute("secret", Type::String);
    secret.write_only = true;
    let mut token = attribute("token", Type::String);
    token.sensitive = true;
    Block {
        attributes: vec![
            attribute("any", Type::Dynamic),
            attribute("name", Type::String),
            secret,
            attribute("tags", Type::Set(Box::new(Type::String))),
            token,
        ],
        blocks: vec![
            nested("one", Nesting::Single, Block::default()),
            nested(
                "rule",
                Nesting::Set,
                Block {
                    attributes: vec![attribute("port", Type::Number)],
                    ..Block::default()
                },
            ),
        ],
        ..Block::default()
    }
}

fn data(entries: &[(&str, Data)]) -> Data {
    let entries = entries.iter().map(|(k, v)| ((*k).to_owned(), v.clone()));
    Data::Map(entries.collect())
}

fn rule(port: i64) -> Data {
    data(&[("port", port.into())])
}

#[test]
fn the_digest_is_of_the_compact_sorted_json_of_the_whole_schema() {
    let config = data(&[
        ("name", "web".into()),
        (
            "any",
            Data::Dynamic(Box::new(Type::Bool), Box::new(true.into())),
        ),
        ("secret", "s3cret".into()),
    ]);
    let text = r#"{"any":{"type":"bool","value":true},"name":"web","one":null,"rule":[],"secret":null,"tags":null,"token":null}"#;
    assert_eq!(
        config_hash(&config, &schema(), &[]).unwrap(),
        sha256_hex(text.as_bytes())
    );
    assert_eq!(
        sha256_hex(b""),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
}

#[test]
fn what_the_provider_would_not_see_does_not_count() {
    let tags = |tags: &[&str]| Data::List(tags.iter().map(|tag| (*tag).into()).collect());
    let hash = |config: &Data| config_hash(config, &schema(), &[]).unwrap();
    let base = hash(&data(&[
        ("tags", tags(&["a", "b"])),
        ("rule", Data::List(vec![rule(1), rule(2)])),
    ]));
    let other = hash(&data(&[
        ("tags", tags(&["b", "a"])),
        ("secret", "x".into()),
        ("rule", Data::List(vec![rule(2), rule(1)])),
        ("one", Data::Null),
    ]));
    assert_eq!(base, other);
    assert_ne!(base, hash(&data(&[("tags", tags(&["a"]))])));
    assert_ne!(hash(&data(&[])), hash(&data(&[("one", data(&[]))])));
}

#[test]
fn ignored_paths_are_left_out() {
    let ignored = [vec![Step::Field("name".into())]];
    let hash = |name: &str| {
        let config = data(&[("name", name.into())]);
        config_hash(&config, &schema(), &ignored).unwrap()
    };
    assert_eq!(hash("a"), hash("b"));
    assert_ne!(
        hash("a"),
        config_hash(&data(&[("name", "a".into())]), &schema(), &[]).unwrap()
    );
}

#[test]
fn unknown_configurations_have_no_digest() {
    let config = data(&[("rule", Data::List(vec![data(&[("port", Data::Unknown)])]))]);
    let error = config_hash(&config, &schema(), &[]).unwrap_err();
    assert_eq!(error.to_string(), "rule.port is not known");
}

#[test]
fn where_a_provider_points_is_what_is_set_and_not_sensitive() {
    let block = schema();
    let none = data(&[
        ("token", "t".into()),
        ("rule", Data::List(vec![])),
        ("name", Data::Unknown),
    ]);
    assert_eq!(provider_config(&none, &block).unwrap(), None);
    let some = data(&[("token", "t".into()), ("name", "n".into())]);
    let want = sha256_hex(br#"{"name":"n"}"#);
    assert_eq!(provider_config(&some, &block).unwrap(), Some(want));
    let ports = data(&[("rule", Data::List(vec![rule(1)]))]);
    let want = sha256_hex(br#"{"rule":[{"port":1}]}"#);
    assert_eq!(provider_config(&ports, &block).unwrap(), Some(want));
    let number = Number::parse("1.0").unwrap();
    assert_eq!(number.as_str(), "1");
}
