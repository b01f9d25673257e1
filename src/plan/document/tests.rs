//! The entries of the document, field by field.

use super::{Shown, document, text};
use crate::*;
use pravo_state::schema::Block;
use pravo_state::{Address, Data};
use std::collections::BTreeMap;
use std::sync::Arc;

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

fn object(entries: &[(&str, Data)]) -> Data {
    Data::Map(
        entries
            .iter()
            .map(|(k, v)| ((*k).to_owned(), v.clone()))
            .collect(),
    )
}

fn created() -> Change {
    Change {
        address: address("deploy.a"),
        mode: Mode::Managed,
        type_name: "null_resource".into(),
        action: Action::Create,
        provider: "null".into(),
        reasons: vec![Reason::New],
        requires_replace: vec![],
        before: None,
        after: Some(object(&[
            ("id", Data::Unknown),
            (
                "triggers",
                object(&[("zone", "a".into()), ("port", Data::Unknown)]),
            ),
        ])),
        write_only_set: vec![],
        schema: Arc::new(Block::default()),
        read: None,
        refreshed: false,
        drifted: false,
        gone: false,
        removed: false,
        dependencies: vec![address("ports.a")],
        dependents: vec![],
        order: Order::DeleteFirst,
        warnings: vec![],
    }
}

fn plan() -> Plan {
    Plan {
        header: Header {
            created: "2026-01-01T00:00:00Z".into(),
            command: "pravo plan".into(),
            actor: None,
            reason: None,
            lineage: "l".into(),
            tags: vec![],
            inject_vars: false,
            fingerprint: String::new(),
            mode: PlanMode::Apply,
            refresh: "age".into(),
        },
        providers: vec![],
        changes: vec![created()],
        left_alone: vec![LeftAlone {
            address: address("ports.a"),
            mode: Mode::Managed,
            type_name: "random_integer".into(),
            skipped: true,
            reasons: vec![],
        }],
        order: vec![address("ports.a"), address("deploy.a")],
        outputs: BTreeMap::new(),
        all_outputs: BTreeMap::new(),
        summary: Summary::default(),
        warnings: vec![],
        expects: BTreeMap::new(),
        reads: BTreeMap::new(),
        frozen: BTreeMap::new(),
    }
}

#[test]
fn a_created_node_has_the_fields_that_apply_in_their_order() {
    let document = document(&plan(), Shown::Planned);
    let entry = text(&document["changes"][0]);
    let expected = r#"{
  "addr": "deploy.a",
  "mode": "managed",
  "type": "null_resource",
  "name": "a",
  "action": "create",
  "provider": "null",
  "reasons": [
    "not in the state: a new resource"
  ],
  "after": {
    "id": {
      "$unknown": true
    },
    "triggers": {
      "port": {
        "$unknown": true
      },
      "zone": "a"
    }
  },
  "dependencies": [
    "ports.a"
  ]
}
"#;
    assert_eq!(entry, expected);
}

#[test]
fn nodes_left_alone_are_shown_on_demand_in_the_order_of_the_specification() {
    let all = document(&plan(), Shown::WithSkipped);
    let addresses: Vec<&str> = all["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["addr"].as_str().unwrap())
        .collect();
    assert_eq!(addresses, ["ports.a", "deploy.a"]);
    let keys: Vec<&String> = all["changes"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["addr", "mode", "type", "name", "action", "skipped"]);
    let some = document(&plan(), Shown::Planned);
    assert_eq!(some["changes"].as_array().unwrap().len(), 1);
}

#[test]
fn digits_of_numbers_survive() {
    let number = pravo_state::Number::parse("123456789012345678901234567890.5").unwrap();
    let value = super::value(&Data::Number(number));
    assert_eq!(value.to_string(), "123456789012345678901234567890.5");
}
