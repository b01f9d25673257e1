//! Hashes, and records of older versions.

use super::*;
use pravo_state::Data;

/// The hash of `abc`, from the released plugin's own test data.
const ABC: &str = "$2a$10$abcdefghijklmnopqrstuuLmOyOVIfUT/jOiZVm2bsBMs5Q0bYhRe";

fn stored(hash: &str) -> Object {
    Object::from([("result", "abc".into()), ("bcrypt_hash", hash.into())])
}

#[test]
fn a_hash_is_of_the_first_72_bytes() {
    let text = "é".repeat(40);
    let hash = hash(&text).unwrap();
    assert!(hash.starts_with("$2a$10$"), "{hash}");
    assert_eq!(hash.len(), 60);
    assert_eq!(
        bcrypt::verify(&text.as_bytes()[..72], &hash).ok(),
        Some(true)
    );
}

#[test]
fn the_hash_belongs_to_the_text() {
    let made = Password
        .create(Object::default().with("length", 12))
        .unwrap();
    assert_eq!(matches_hash(&made), Ok(true));
    assert_eq!(made.text("id"), Some("none"));
}

#[test]
fn version_2_checks_the_hash() {
    let verified = bcrypt::verify("abc", ABC).unwrap();
    let kept = Password.upgrade(2, stored(ABC)).unwrap().unwrap();
    assert_eq!(kept.text("bcrypt_hash") == Some(ABC), verified);
    let right = hash("abc").unwrap();
    let kept = Password.upgrade(2, stored(&right)).unwrap().unwrap();
    assert_eq!(kept.text("bcrypt_hash"), Some(right.as_str()));
    let wrong = hash("other").unwrap();
    let fresh = Password.upgrade(2, stored(&wrong)).unwrap().unwrap();
    assert_eq!(matches_hash(&fresh), Ok(true));
    assert!(Password.upgrade(2, stored("nonsense")).is_err());
}

#[test]
fn version_1_keeps_the_hash_and_version_0_makes_one() {
    let kept = Password.upgrade(1, stored("kept")).unwrap().unwrap();
    assert_eq!(kept.text("bcrypt_hash"), Some("kept"));
    let fresh = Password.upgrade(0, stored("old")).unwrap().unwrap();
    assert_eq!(matches_hash(&fresh), Ok(true));
    assert_eq!(fresh.integer("length"), Some(3));
    assert_eq!(fresh.get("numeric"), &Data::Bool(true));
    assert_eq!(Password.upgrade(7, stored(ABC)), Ok(None));
}
