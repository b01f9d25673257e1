//! Locks: their text, who counts as holding, and how a refusal reads.

use super::*;
use std::time::Duration;

const RESERVATION: &str = r#"{
  "addr": "hello",
  "pid": 1234,
  "host": "ci-1",
  "user": "u",
  "command": "pravo plan --reserve 15m --actor ci",
  "nonce": "n1",
  "actor": "ci",
  "since": "2026-01-01T00:00:00Z",
  "kind": "reservation",
  "expires": "2026-01-01T00:15:00Z",
  "renewed_at": "2026-01-01T00:00:00Z"
}
"#;

const LOCK: &str = r#"{
  "addr": "c",
  "pid": 1234,
  "host": "ci-1/boot/4026",
  "user": "alice",
  "command": "pravo apply",
  "nonce": "n1",
  "since": "2026-01-01T00:00:00Z",
  "kind": "lock",
  "renewed_at": "2026-01-01T00:02:00Z",
  "txn": "T1",
  "pid_start": "4711",
  "newer": true
}
"#;

fn at(minutes: u64) -> Time {
    Time::parse("2026-01-01T00:00:00Z").unwrap() + Duration::from_secs(minutes * 60)
}

#[test]
fn the_text_is_canonical_and_unknown_fields_survive() {
    for text in [RESERVATION, LOCK] {
        assert_eq!(Lock::parse(text.as_bytes()).unwrap().to_text(), text);
    }
}

#[test]
fn a_lock_ends_with_its_process_or_ten_minutes_after_its_renewal() {
    let lock = Lock::parse(LOCK.as_bytes()).unwrap();
    use Liveness::{Alive, Gone, Unknown};
    for (liveness, minute, standing) in [
        (Alive, 12, Standing::Live),
        (Alive, 13, Standing::Stale),
        (Unknown, 12, Standing::Live),
        (Unknown, 13, Standing::Stale),
        (Gone, 0, Standing::Stale),
    ] {
        assert_eq!(
            lock.standing(liveness, at(minute)),
            standing,
            "{liveness:?} {minute}"
        );
    }
    let mut ahead = lock;
    ahead.renewed_at = Some(at(60));
    assert_eq!(ahead.standing(Unknown, at(51)), Standing::Live);
    assert_eq!(ahead.standing(Unknown, at(10)), Standing::ClockAhead);
    assert_eq!(ahead.standing(Gone, at(10)), Standing::Stale);
}

#[test]
fn a_reservation_ends_by_its_expiry_alone() {
    let lock = Lock::parse(RESERVATION.as_bytes()).unwrap();
    assert_eq!(lock.standing(Liveness::Gone, at(14)), Standing::Live);
    assert_eq!(lock.standing(Liveness::Alive, at(15)), Standing::Stale);
    assert!(lock.is_reserved_by("ci") && !lock.is_reserved_by("u"));
}

#[test]
fn a_refusal_names_command_process_host_holder_and_time() {
    let lock = Lock::parse(LOCK.as_bytes()).unwrap();
    let want = "c is locked by pravo apply (pid 1234 on ci-1, alice, since 2026-01-01T00:00:00Z)";
    assert_eq!(lock.refusal(), want);
    let reservation = Lock::parse(RESERVATION.as_bytes()).unwrap();
    let want = "hello is reserved by ci (pravo plan --reserve 15m --actor ci until \
                2026-01-01T00:15:00Z, since 2026-01-01T00:00:00Z)";
    assert_eq!(reservation.refusal(), want);
}

#[test]
fn machines_are_one_when_nothing_known_of_both_differs() {
    for (a, b, same) in [
        ("ci-1", "ci-1", true),
        ("ci-1", "ci-1/b/n", true),
        ("ci-1/b/n", "ci-1/b/n", true),
        ("ci-1/b/n", "ci-1/c/n", false),
        ("ci-1/b/n", "ci-1/b/m", false),
        ("ci-1//n", "ci-1/b/n", true),
        ("ci-1", "ci-2", false),
        ("", "", false),
    ] {
        assert_eq!(Host::new(a).is_same(&Host::new(b)), same, "{a} {b}");
    }
    assert_eq!(Host::new("ci-1/b/n").name(), "ci-1");
}

#[test]
fn broken_locks_are_refused() {
    let unknown = LOCK.replace("\"lock\"", "\"leash\"");
    let nameless = LOCK.replace("\"nonce\"", "\"nonsense\"");
    for text in ["", "{}", &unknown, &nameless, &LOCK[..40]] {
        assert!(Lock::parse(text.as_bytes()).is_err(), "{text}");
    }
}
