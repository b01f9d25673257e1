//! Records: their text, what survives a rewrite, and what is refused.

use super::*;
use crate::{Data, Type};
use proptest::prelude::*;

const HELLO: &str = r#"{
  "addr": "servers[0]",
  "mode": "managed",
  "type": "local_file",
  "name": "0",
  "provider": "registry.opentofu.org/hashicorp/local",
  "provider_key": "local",
  "provider_version": "2.9.1",
  "schema_version": 0,
  "attributes": {
    "content": "<&> é",
    "id": null,
    "size": 12345678901234567890.5
  },
  "private": "AAEC",
  "dependencies": [
    "a",
    "pet"
  ],
  "config_hash": "",
  "revision": 7,
  "generation": "0191e5a0-0000-7000-8000-000000000001",
  "refreshed_at": "2026-01-01T00:00:00Z",
  "applied_at": "2026-01-01T00:00:00.250Z",
  "updated_at": "2026-01-01T00:00:00Z",
  "txn": "T1",
  "tainted": true,
  "destroy": false,
  "deposed": [
    {
      "key": "00c0ffee",
      "attributes": {
        "id": "old"
      },
      "schema_version": 1,
      "txn": "T1"
    }
  ],
  "sensitive": [
    "content"
  ],
  "newer": {
    "a": 1,
    "b": [
      2.5
    ]
  }
}
"#;

#[test]
fn the_text_is_canonical_and_unknown_fields_survive() {
    let record = Record::parse(HELLO.as_bytes()).unwrap();
    assert_eq!(record.to_text(), HELLO);
    assert_eq!(record.at().count, 7);
    assert!(record.tainted && record.forget && !record.prevent_destroy);
    assert_eq!(record.private.as_ref().unwrap().bytes(), [0, 1, 2]);
    assert_eq!(record.rest["newer"]["b"][0].to_string(), "2.5");
}

#[test]
fn a_plain_record_has_no_extra_fields() {
    let mut record = Record::new(Address::parse("a.web").unwrap(), Mode::Data, "local_file");
    record.provider = "registry.opentofu.org/hashicorp/local".into();
    let keys: Map<String, Value> = serde_json::from_str(&record.to_text()).unwrap();
    let keys: Vec<&str> = keys.keys().map(String::as_str).collect();
    let want = [
        "addr",
        "mode",
        "type",
        "name",
        "provider",
        "provider_key",
        "provider_version",
        "schema_version",
        "attributes",
        "dependencies",
        "config_hash",
        "revision",
    ];
    assert_eq!(keys, want);
    assert_eq!(record.name, "web");
}

#[test]
fn broken_records_are_never_taken_for_none() {
    let without = |field: &str| {
        let mut value: Map<String, Value> = serde_json::from_str(HELLO).unwrap();
        value.shift_remove(field);
        Value::Object(value).to_string()
    };
    let mut texts = vec![
        String::new(),
        "\0\0\0".to_owned(),
        HELLO[..HELLO.len() / 2].to_owned(),
        HELLO.replace("managed", "manged"),
        HELLO.replace("\"revision\": 7", "\"revision\": 0"),
        HELLO.replace("\"revision\": 7", "\"revision\": -7"),
        HELLO.replace("servers[0]", "servers["),
        HELLO.replace("\"txn\": \"T1\"", "\"txn\": \"../T1\""),
        HELLO.replace("\"AAEC\"", "\"?\""),
    ];
    texts.extend(["addr", "mode", "type", "attributes", "revision"].map(without));
    for text in texts {
        assert!(Record::parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn no_value_is_in_a_debug_text() {
    let record = Record::parse(HELLO.replace("old", "s3cret").as_bytes()).unwrap();
    let shown = format!("{record:?}");
    assert!(
        !shown.contains("s3cret") && !shown.contains("<&>"),
        "{shown}"
    );
}

#[test]
fn what_a_plan_expects_is_compared_with_count_and_generation() {
    let at = |count, generation: Option<&str>| Revision {
        count,
        generation: generation.map(|id| TransactionId::parse(id).unwrap()),
    };
    for (found, expected, fit) in [
        (at(1, Some("a")), at(1, Some("a")), Fit::Same),
        (at(2, Some("a")), at(1, Some("a")), Fit::Moved),
        (at(1, Some("b")), at(1, Some("a")), Fit::Recreated),
        (at(1, None), at(1, Some("a")), Fit::Same),
        (at(1, Some("a")), at(1, None), Fit::Same),
        (at(1, Some("a")), Revision::none(), Fit::Moved),
        (Revision::none(), Revision::none(), Fit::Same),
    ] {
        assert_eq!(found.fit(&expected), fit, "{found:?} {expected:?}");
    }
}

#[test]
fn attributes_are_equal_by_value() {
    let a = Attributes::parse(r#"{"a": 1.0, "b": [ ]}"#).unwrap();
    let b = Attributes::parse(r#"{"b":[],"a":1}"#).unwrap();
    let c = Attributes::parse(r#"{"b":[],"a":2}"#).unwrap();
    assert!(a == b && a != c);
    assert_eq!(
        Attributes::parse(r#"{"id":"x"}"#).unwrap().id().as_deref(),
        Some("x")
    );
    assert!(Attributes::parse("[]").is_err() && Attributes::parse("{").is_err());
    let kind = Type::Object([("a".to_owned(), Type::Number)].into(), Vec::new());
    let data = Data::Map([("a".to_owned(), 5.into())].into());
    let attributes = Attributes::from_data(&data, &kind).unwrap();
    assert_eq!(attributes.text(), r#"{"a":5}"#);
    assert_eq!(attributes.data(&kind).unwrap(), data);
    assert!(Attributes::from_data(&Data::Null, &kind).is_err());
}

prop_compose! {
    fn some_record()(
        label in ".{1,20}", kind in "[a-z_]{1,10}", revision in 1_u64.., hash in "[0-9a-f]{0,64}",
        times in prop::collection::vec(prop::option::of(0_i64..4_000_000_000_000), 4),
        flags in prop::collection::vec(any::<bool>(), 5),
        private in prop::collection::vec(any::<u8>(), 0..20),
        texts in prop::collection::btree_map(".{0,8}", ".{0,8}", 0..4),
        dependencies in prop::collection::btree_set("[a-z]{1,4}", 0..4),
    ) -> Record {
        let address = Address::from_steps(&[crate::Step::Field(label)]);
        let time = |at: usize| times[at].and_then(Time::from_unix_ms);
        let attributes = serde_json::to_string(&texts).unwrap();
        Record {
            attributes: Attributes::parse(&attributes).unwrap(),
            private: Opaque::new(private),
            dependencies: dependencies.iter().map(|d| Address::parse(d).unwrap()).collect(),
            config_hash: hash,
            revision,
            refreshed_at: time(0),
            applied_at: time(1),
            updated_at: time(2),
            drifted_at: time(3),
            gone: flags[0],
            tainted: flags[1],
            prevent_destroy: flags[2],
            forget: flags[3],
            create_before_destroy: flags[4],
            ..Record::new(address, if flags[0] { Mode::Managed } else { Mode::Data }, kind)
        }
    }
}

proptest! {
    #[test]
    fn reads_back_what_it_writes(record in some_record()) {
        let text = record.to_text();
        let read = Record::parse(text.as_bytes()).unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(read.to_text(), text);
    }

    #[test]
    fn a_cut_text_is_refused(record in some_record(), part in 0.0..1.0_f64) {
        let text = record.to_text();
        let cut = (text.trim_end().len() as f64 * part) as usize;
        prop_assert!(Record::parse(&text.as_bytes()[..cut]).is_err());
    }
}
