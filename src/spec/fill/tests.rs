//! What stands at a node's address beside what the specification says: `tests/spec/fill.txtar`.

use super::*;
use crate::testing;

#[test]
fn only_what_is_open_and_known_is_filled() {
    let (_, schema) = testing::schema("demo");
    let block = &schema.resources["demo_thing"].block;
    let files = testing::archive("fill.txtar");
    for case in files.chunks(3) {
        let [(name, body), (_, data), (_, want)] = case else {
            panic!("a case is a body, data and what is wanted");
        };
        let body = testing::body(&serde_json::from_str(body).unwrap());
        let data = testing::data(&serde_json::from_str(data).unwrap());
        let filling = testing::json_of_filling(&overlay(block, &body, &data));
        assert_eq!(filling.to_string(), want.trim_end(), "{name}");
    }
    assert!(files.len() > 30);
}
