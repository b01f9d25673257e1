//! Lines of progress.

use super::*;
use pravo_state::Address;
use std::time::Duration;

#[test]
fn a_replacement_says_each_half_once() {
    let addr = Address::parse("ports.c").unwrap();
    let id = |id: &str| Some(id.to_owned());
    let started = |operation, id| Event::Started {
        addr: addr.clone(),
        operation,
        id,
    };
    let completed = |operation, id| Event::Completed {
        addr: addr.clone(),
        operation,
        elapsed: Duration::from_millis(300),
        id,
    };
    let events = [
        started(Operation::DeleteForReplacement, id("28969")),
        completed(Operation::DeleteForReplacement, id("28969")),
        started(Operation::Replace, None),
        completed(Operation::Replace, id("21730")),
    ];
    let lines: Vec<String> = events.iter().filter_map(line).collect();
    assert_eq!(
        lines,
        [
            "ports.c: Destroying... [id=28969]",
            "ports.c: Creating replacement...",
            "ports.c: Replacement complete after 0s [id=21730]",
        ]
    );
}

#[test]
fn what_takes_long_says_so() {
    let addr = Address::parse("db").unwrap();
    let elapsed = Duration::from_secs(10);
    let event = Event::Progressed {
        addr,
        operation: Operation::Create,
        elapsed,
    };
    assert_eq!(line(&event).unwrap(), "db: Still creating... [10s elapsed]");
}
