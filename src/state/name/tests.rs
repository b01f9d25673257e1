//! Names of addresses: the documented ones, long ones, and back.

use super::*;
use crate::Step;
use proptest::prelude::*;
use std::collections::HashSet;

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

#[test]
fn other_characters_are_four_digits_for_each_unit() {
    for (text, name) in [
        ("web", "web"),
        ("a.b_c", "a.b_c"),
        ("servers[0]", "servers%005B0%005D"),
        ("\"odd name/é\"", "%0022odd%0020name%002F%00E9%0022"),
        ("hosts.\"a-b\"", "hosts.%0022a-b%0022"),
        ("\"😀\"", "%0022%D83D%DE00%0022"),
        ("$x", "%0024x"),
        ("\"50%\"", "%002250%0025%0022"),
    ] {
        assert_eq!(encode(&address(text)), name);
        assert_eq!(decode(name), Some(address(text)), "{name}");
    }
}

#[test]
fn names_that_are_none_have_no_address() {
    for name in [
        "",
        "a b",
        "%00",
        "%zzzz",
        "a%0041",
        "%D83D",
        "a..b",
        "%0022a%0022",
        "é",
    ] {
        assert_eq!(decode(name), None, "{name}");
    }
}

#[test]
fn long_names_are_cut_and_stay_apart() {
    let long = |tail: &str| address(&format!("x{}.{tail}", "é".repeat(60)));
    let names: HashSet<String> = ["a", "b", "c"].map(|tail| encode(&long(tail))).into();
    assert_eq!(names.len(), 3);
    for name in names {
        assert!(name.len() == 184 && name[150..].starts_with("%-"), "{name}");
        assert_eq!(decode(&name), None);
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,8}", ".{1,8}", ".{60,120}"]
}

proptest! {
    #[test]
    fn names_are_safe_short_and_distinct(a in text(), b in text()) {
        let [a, b] = [a, b].map(|label| Address::from_steps(&[Step::Field(label)]));
        let (first, second) = (encode(&a), encode(&b));
        prop_assert_eq!(a == b, first == second);
        prop_assert!(first.len() <= 200);
        let fits = |c: char| c.is_ascii_alphanumeric() || "._-%".contains(c);
        prop_assert!(first.chars().all(fits));
        if let Some(back) = decode(&first) {
            prop_assert_eq!(back, a);
        } else {
            prop_assert_eq!(first.len(), 184);
        }
    }
}
