//! What a read does to a record.

use super::{Found, ReadBack, read_back};
use crate::schema_for_tests::{block, object, text};
use pravo_state::schema::Schema;
use pravo_state::{Address, Attributes, Data, Mode, Record, Time, TransactionId};

fn schema() -> Schema {
    Schema {
        version: 1,
        block: block(vec![text("a", "o")], vec![]),
    }
}

fn record() -> Record {
    let mut record = Record::new(Address::parse("x").unwrap(), Mode::Managed, "thing");
    let kind = schema().block.implied_type();
    record.attributes = Attributes::from_data(&object(&[("a", "1".into())]), &kind).unwrap();
    record.schema_version = 1;
    record.revision = 3;
    record.config_hash = "h".into();
    record.generation = Some(TransactionId::parse("T0").unwrap());
    record
}

fn read(record: &Record, object: Data) -> Record {
    let kind = schema().block.implied_type();
    let recorded = record.attributes.data(&kind).unwrap();
    let txn = TransactionId::parse("T1").unwrap();
    let back = ReadBack {
        found: Found::judge(record, &recorded, &object),
        object: &object,
        private: b"p",
        provider_config: Some("d"),
        identity: None,
        now: Time::from_unix_ms(5000).unwrap(),
        txn: &txn,
    };
    read_back(record, &schema(), &back).unwrap()
}

#[test]
fn the_same_object_moves_only_the_times() {
    let next = read(&record(), object(&[("a", "1".into())]));
    assert_eq!(next.revision, 3);
    assert_eq!(next.refreshed_at, Time::from_unix_ms(5000));
    assert_eq!(next.provider_config.as_deref(), Some("d"));
    assert!(!next.is_marked());
    assert_eq!(next.private.unwrap().bytes(), b"p");
}

#[test]
fn another_object_is_recorded_with_a_mark_and_the_next_revision() {
    let next = read(&record(), object(&[("a", "2".into())]));
    assert_eq!((next.revision, next.gone), (4, false));
    assert_eq!(next.drifted_at, Time::from_unix_ms(5000));
    assert_eq!(next.config_hash, "h");
    let kind = schema().block.implied_type();
    assert_eq!(
        next.attributes.data(&kind).unwrap(),
        object(&[("a", "2".into())])
    );
}

#[test]
fn a_gone_object_keeps_its_attributes_and_is_gone_once() {
    let gone = read(&record(), Data::Null);
    assert_eq!((gone.revision, gone.gone), (4, true));
    assert_eq!(gone.attributes, record().attributes);
    let again = read(&gone, Data::Null);
    assert_eq!((again.revision, again.gone), (4, true));
    let back = read(&gone, object(&[("a", "1".into())]));
    assert_eq!((back.revision, back.gone), (5, false));
    assert_eq!(back.drifted_at, gone.drifted_at);
}
