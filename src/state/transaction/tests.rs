//! Transactions: their text while they run and when they have ended.

use super::*;
use std::time::Duration;

const ENDED: &str = r#"{
  "id": "0191e5a0-0000-7000-8000-000000000001",
  "kind": "apply",
  "command": "pravo apply --auto-approve --actor ci --reason example",
  "user": "u",
  "host": "ci-1",
  "started": "2026-01-01T00:00:00Z",
  "finished": "2026-01-01T00:00:01Z",
  "status": "applied",
  "summary": "3 added, 0 changed, 0 destroyed",
  "changes": [
    {
      "addr": "hello",
      "action": "create",
      "after_revision": 1
    },
    {
      "addr": "pet",
      "action": "juggle",
      "before_revision": 1,
      "unknown": true
    }
  ],
  "actor": "ci",
  "reason": "example",
  "approvals": []
}
"#;

fn holder() -> Holder {
    Holder {
        user: "u".into(),
        host: Host::known("ci-1", "boot", "4026"),
        pid: 7,
        pid_start: Some("4711".into()),
        command: "pravo apply".into(),
        actor: None,
        reason: None,
    }
}

#[test]
fn the_text_is_canonical_and_words_of_a_newer_pravo_survive() {
    let transaction = Transaction::parse(ENDED.as_bytes()).unwrap();
    assert_eq!(transaction.to_text(), ENDED);
    assert_eq!(
        transaction.changes[1].action,
        Action::Other("juggle".into())
    );
}

#[test]
fn the_process_is_recorded_only_while_it_runs() {
    let now = Time::parse("2026-01-01T00:00:00Z").unwrap();
    let id = TransactionId::parse("T1").unwrap();
    let mut transaction = Transaction::new(id, TransactionKind::Apply, holder(), now);
    let address = |text: &str| Address::parse(text).unwrap();
    transaction
        .changes
        .push(Touched::new(address("b"), Action::Delete, 3, 0));
    transaction
        .changes
        .push(Touched::new(address("a"), Action::Create, 0, 1));
    let running = Transaction::parse(transaction.to_text().as_bytes()).unwrap();
    assert_eq!(running.holder, holder());
    assert_eq!(running.changes[0].addr.as_str(), "a");
    let later = now + Duration::from_secs(601);
    assert!(running.is_interrupted(Liveness::Gone, now));
    assert!(!running.is_interrupted(Liveness::Unknown, now));
    assert!(running.is_interrupted(Liveness::Unknown, later));
    transaction.finish(Status::Applied, "1 added", later);
    let text = transaction.to_text();
    assert!(!text.contains("pid") && !text.contains("renewed_at") && !text.contains("boot"));
    assert!(!transaction.is_interrupted(Liveness::Gone, later));
}

#[test]
fn every_action_has_one_word() {
    for (action, word) in &ACTIONS {
        assert_eq!(action.as_str(), *word);
        assert_eq!(&Action::of(word), action);
    }
}

#[test]
fn names_of_transactions_are_safe_as_file_names() {
    for text in ["", ".", "..", "a/b", "a b", "é", &"x".repeat(101)] {
        assert!(TransactionId::parse(text).is_err(), "{text:?}");
    }
}
