//! Addresses: their text form and back.

use super::*;
use proptest::prelude::*;

#[test]
fn text_form_is_the_path_as_cue_writes_it() {
    let steps = [
        Step::Field("servers".into()),
        Step::Index(0),
        Step::Field("a-b".into()),
        Step::Field("c".into()),
    ];
    let address = Address::from_steps(&steps);
    assert_eq!(address.as_str(), "servers[0].\"a-b\".c");
    assert_eq!(address.steps(), steps);
    assert_eq!(address.name(), "c");
}

#[test]
fn what_is_not_a_path_is_refused() {
    for text in ["", ".", "a.", "a..b", "a[", "a[x]", "a b", "\"a", "1a"] {
        assert!(Address::parse(text).is_err(), "{text:?}");
    }
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        ".{0,8}".prop_map(Step::Field),
        (0usize..1000).prop_map(Step::Index)
    ]
}

proptest! {
    #[test]
    fn parses_what_it_prints(first in ".{0,8}", rest in prop::collection::vec(step(), 0..5)) {
        let mut steps = vec![Step::Field(first)];
        steps.extend(rest);
        let address = Address::from_steps(&steps);
        prop_assert_eq!(address.steps(), steps);
        prop_assert_eq!(Address::parse(address.as_str()).unwrap(), address);
    }
}
