//! Causes and reads, case by case.

use super::{Age, Look, Present, ReadCause, causes, fits, not_read, read_cause};
use crate::Reason;
use pravo_state::{Address, Host, Lock, LockKind, Mode, Record, Time, TransactionId};
use std::time::Duration;

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

fn at(seconds: i64) -> Time {
    Time::from_unix_ms(1_000_000_000_000 + seconds * 1000).unwrap()
}

fn record() -> Record {
    let mut record = Record::new(address("a"), Mode::Managed, "thing");
    record.provider = "example.com/acme/demo".into();
    record.provider_key = "demo".into();
    record.provider_version = "1.0.0".into();
    record.config_hash = "h1".into();
    record.refreshed_at = Some(at(0));
    record.dependencies = vec![address("b")];
    record
}

const SOURCE: &str = "example.com/acme/demo";

fn present(dependencies: &[Address]) -> Present<'_> {
    Present {
        mode: Mode::Managed,
        kind: "thing",
        source: SOURCE,
        provider_key: "demo",
        provider_version: "1.0.0",
        schema_version: 0,
        config_hash: Some("h1"),
        waits_for: &[],
        dependencies,
    }
}

#[test]
fn a_record_that_holds_everything_is_skipped() {
    let deps = [address("b")];
    assert_eq!(causes(Some(&record()), &present(&deps), false), []);
    assert!(fits(&record(), &present(&deps)));
}

#[test]
fn each_difference_is_a_cause() {
    let deps = [address("b")];
    let now = present(&deps);
    assert_eq!(causes(None, &now, false), [Reason::New]);
    let changed = Present {
        config_hash: Some("h2"),
        ..now
    };
    let text = causes(Some(&record()), &changed, false)[0].to_string();
    assert_eq!(
        text,
        "the specification changed since the last apply (hash h1 -> h2)"
    );
    let waits = [address("b")];
    let unknown = Present {
        config_hash: None,
        waits_for: &waits,
        ..now
    };
    assert_eq!(
        causes(Some(&record()), &unknown, false),
        [Reason::InputsUnknown(waits.to_vec())]
    );
    for (other, expected) in [
        (
            Present {
                provider_version: "1.1.0",
                ..now
            },
            "the provider is 1.1.0, the record was written by 1.0.0",
        ),
        (
            Present {
                provider_key: "west",
                ..now
            },
            "the provider instance changed (demo -> west)",
        ),
        (
            Present {
                schema_version: 1,
                ..now
            },
            "the schema version changed (0 -> 1)",
        ),
        (
            Present {
                kind: "other",
                ..now
            },
            "the type changed (thing -> other)",
        ),
        (
            Present {
                dependencies: &[],
                ..now
            },
            "its dependencies changed",
        ),
    ] {
        let found = causes(Some(&record()), &other, false);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].to_string(), expected);
    }
}

#[test]
fn marks_and_unfinished_applies_are_causes() {
    let deps = [address("b")];
    let mut marked = record();
    marked.drifted_at = Some(at(0));
    let found = causes(Some(&marked), &present(&deps), false);
    assert_eq!(found, [Reason::DriftEarlier("2001-09-09T01:46:40Z".into())]);
    assert_eq!(
        causes(Some(&marked), &present(&deps), true),
        [Reason::Drift]
    );
    let mut halfway = record();
    halfway.config_hash.clear();
    assert_eq!(
        causes(Some(&halfway), &present(&deps), false),
        [Reason::LastApplyUnfinished]
    );
    let mut tainted = record();
    tainted.tainted = true;
    assert_eq!(
        causes(Some(&tainted), &present(&deps), false),
        [Reason::LastApplyUnfinished]
    );
}

#[test]
fn an_age_that_equals_the_limit_is_within() {
    let age = Age::Every(Duration::from_secs(60), "1m".into());
    assert!(!age.is_older(Some(at(0)), at(60)));
    assert!(age.is_older(Some(at(0)), at(61)));
    assert!(age.is_older(None, at(0)));
    assert!(Age::Always.is_older(Some(at(0)), at(0)));
    assert!(!Age::Never.is_older(Some(at(0)), at(1_000_000)));
}

#[test]
fn a_record_is_read_when_it_is_looked_at_and_old_or_when_something_speaks_against_it() {
    let always = Age::Always;
    let look = Look {
        age: &always,
        own_age: false,
        looked_at: false,
        lock: None,
        provider_config: None,
    };
    assert_eq!(read_cause(&record(), &look, at(0)), None);
    let looked = Look {
        looked_at: true,
        ..look
    };
    assert_eq!(
        read_cause(&record(), &looked, at(0)),
        Some(ReadCause::Older)
    );
    let own = Look {
        own_age: true,
        ..look
    };
    assert_eq!(read_cause(&record(), &own, at(0)), Some(ReadCause::Older));

    let never = Age::Never;
    let look = Look {
        age: &never,
        ..look
    };
    let mut uncertain = record();
    uncertain.refreshed_at = None;
    let forced = ReadCause::Forced(Reason::OutcomeUnknown);
    assert_eq!(read_cause(&uncertain, &look, at(0)), Some(forced));
    let mut pointed = record();
    pointed.provider_config = Some("d1".into());
    let forced = Some(ReadCause::Forced(Reason::ProviderConfigChanged));
    for (now, expected) in [
        (None, None),
        (Some(Some("d1")), None),
        (Some(Some("d2")), forced.clone()),
        (Some(None), forced),
    ] {
        let look = Look {
            provider_config: now,
            ..look
        };
        assert_eq!(read_cause(&pointed, &look, at(0)), expected);
        assert_eq!(
            read_cause(&record(), &look, at(0)),
            None,
            "a record without digest"
        );
    }
}

#[test]
fn a_lock_left_by_an_apply_names_it() {
    let lock = Lock {
        addr: address("a"),
        holder: pravo_state::Holder {
            user: "alice".into(),
            host: Host::new("ci-1"),
            pid: 1,
            pid_start: None,
            command: "pravo apply".into(),
            actor: None,
            reason: None,
        },
        nonce: "n".into(),
        since: at(0),
        kind: LockKind::Lock,
        expires: None,
        renewed_at: Some(at(0)),
        txn: Some(TransactionId::parse("T1").unwrap()),
        rest: serde_json::Map::new(),
    };
    let never = Age::Never;
    let look = Look {
        age: &never,
        own_age: false,
        looked_at: false,
        lock: Some(&lock),
        provider_config: None,
    };
    let Some(ReadCause::Forced(reason)) = read_cause(&record(), &look, at(0)) else {
        panic!("forced");
    };
    assert_eq!(
        reason.to_string(),
        "an apply (txn T1, alice on host ci-1) stopped while this node was locked; \
         its real state is read again whatever the refresh age"
    );
    let of_plan = Lock {
        txn: None,
        ..lock.clone()
    };
    let look = Look {
        lock: Some(&of_plan),
        ..look
    };
    assert_eq!(read_cause(&record(), &look, at(0)), None);
}

#[test]
fn an_unread_record_says_how_old_it_is() {
    let age = Age::Every(Duration::from_secs(900), "15m".into());
    assert_eq!(
        not_read(&record(), &age, at(125)).to_string(),
        "not read: the plan did not reach it; the record is 2m old, its refresh age is 15m"
    );
}
