//! Values as CUE text.

use super::*;
use std::collections::BTreeMap;

#[test]
fn strings_take_cue_escapes() {
    assert_eq!(quote("a\"b\\c\n\u{1}é"), "\"a\\\"b\\\\c\\n\\u0001é\"");
}

#[test]
fn a_struct_aligns_its_scalars_and_nests_by_tabs() {
    let inner = Data::Map(BTreeMap::from([("x-y".to_owned(), Data::from(1))]));
    let data = Data::Map(BTreeMap::from([
        ("a".to_owned(), Data::from(true)),
        ("long".to_owned(), inner),
        ("text".to_owned(), Data::from("one\ntwo\n")),
    ]));
    let want = "{\n\ta:    true\n\tlong: {\n\t\t\"x-y\": 1\n\t}\n\ttext: \"\"\"\n\t\tone\n\t\ttwo\n\n\t\t\"\"\"\n}";
    assert_eq!(value(&data), want);
}
