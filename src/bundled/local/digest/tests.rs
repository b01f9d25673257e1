//! Known hashes.

use super::*;

#[test]
fn hello() {
    let hashed = with_hashes(Object::default(), b"hello\n");
    let expected = [
        ("content_md5", "b1946ac92492d2347c6235b4d2611184"),
        ("content_sha1", "f572d396fae9206628714fb2ce00f72e94f2258f"),
        ("id", "f572d396fae9206628714fb2ce00f72e94f2258f"),
        (
            "content_sha256",
            "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
        ),
        (
            "content_base64sha256",
            "WJG1tSLV3whtD/CxEPvZ0hu0/HFjrzTQgoai6Eb2vgM=",
        ),
    ];
    for (name, value) in expected {
        assert_eq!(hashed.text(name), Some(value), "{name}");
    }
}

#[test]
fn every_field_gets_a_value() {
    let hashed = with_hashes(Object::default(), b"");
    assert!(fields().iter().all(|f| hashed.text(f.name).is_some()));
    assert_eq!(hashed.iter().count(), fields().len());
}
