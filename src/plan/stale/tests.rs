//! The reasons of a stale plan, in the order of the specification.

use super::stale;
use crate::{Header, Plan, PlanMode, Summary};
use pravo_state::{Address, Mode, Record, Revision, TransactionId};
use std::collections::BTreeMap;

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

fn revision(count: u64, generation: &str) -> Revision {
    Revision {
        count,
        generation: TransactionId::parse(generation).ok(),
    }
}

fn record(addr: &str, count: u64, generation: &str) -> Record {
    let mut record = Record::new(address(addr), Mode::Managed, "thing");
    record.revision = count;
    record.generation = TransactionId::parse(generation).ok();
    record
}

fn plan() -> Plan {
    let expects = [
        ("z", revision(0, "")),
        ("a", revision(2, "T1")),
        ("same", revision(1, "T1")),
    ];
    Plan {
        header: Header {
            created: String::new(),
            command: String::new(),
            actor: None,
            reason: None,
            lineage: String::new(),
            tags: vec![],
            inject_vars: false,
            fingerprint: String::new(),
            mode: PlanMode::Apply,
            refresh: "age".into(),
        },
        providers: vec![],
        changes: vec![],
        left_alone: vec![],
        order: ["z", "b", "a", "same"].map(address).to_vec(),
        outputs: BTreeMap::new(),
        all_outputs: BTreeMap::new(),
        summary: Summary::default(),
        warnings: vec![],
        expects: expects.map(|(a, r)| (address(a), r)).into(),
        reads: [(address("b"), revision(2, "T1"))].into(),
        frozen: BTreeMap::new(),
    }
}

#[test]
fn each_record_that_moved_is_named() {
    let now = [
        record("z", 1, "T2"),
        record("b", 3, "T1"),
        record("a", 2, "T9"),
        record("same", 1, "T1"),
    ];
    let found = stale(&plan(), |a| now.iter().find(|r| r.addr == *a));
    let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "z changed in state (revision 1, plan expected 0)",
            "b changed in state (revision 3, plan expected 2); the plan reads it",
            "a was removed and created again since the plan was made",
        ]
    );
}

#[test]
fn a_record_that_went_counts_as_revision_0() {
    let now = [record("b", 2, "T1"), record("a", 2, "T1")];
    let found = stale(&plan(), |a| now.iter().find(|r| r.addr == *a));
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].to_string(),
        "same changed in state (revision 0, plan expected 1)"
    );
}
