//! The rule for null maps, empty maps and entries of null.

use super::*;
use crate::kit::Object;

fn map(entries: &[(&str, Data)]) -> Data {
    let entries = entries.iter().map(|(k, v)| ((*k).to_owned(), v.clone()));
    Data::Map(entries.collect())
}

fn replaces(prior: &Data, config: &Data) -> bool {
    asks_for_replacement(&Change {
        config,
        prior,
        planned: config,
        whole_config: &Object::default(),
    })
}

#[test]
fn entries_of_null() {
    let (empty, nulls) = (map(&[]), map(&[("x", Data::Null)]));
    let full = map(&[("a", "b".into())]);
    let more = map(&[("a", "b".into()), ("x", Data::Null)]);
    let cases = [
        (&Data::Null, &empty, false),
        (&Data::Null, &nulls, false),
        (&empty, &Data::Null, false),
        (&empty, &nulls, false),
        (&nulls, &empty, true),
        (&nulls, &Data::Null, true),
        (&full, &more, false),
        (&more, &full, true),
        (&full, &Data::Null, true),
        (&Data::Null, &full, true),
        (&full, &full, false),
    ];
    for (prior, config, expected) in cases {
        assert_eq!(replaces(prior, config), expected, "{prior:?} to {config:?}");
    }
}

#[test]
fn unknown_maps_and_entries() {
    let full = map(&[("a", "b".into())]);
    let open = map(&[("a", Data::Unknown)]);
    assert!(replaces(&full, &open));
    assert!(replaces(&Data::Null, &open));
    assert!(replaces(&full, &Data::Unknown));
    assert!(!replaces(&Data::Null, &Data::Unknown));
}
