//! The spellings of the same bytes.

use super::*;

#[test]
fn spellings() {
    let made = Id.import("a,b,_wEC").unwrap();
    let text = |name| made.text(name).unwrap();
    assert_eq!(text("prefix"), "a,b");
    assert_eq!(text("id"), "_wEC");
    assert_eq!(text("b64_url"), "a,b_wEC");
    assert_eq!(text("b64_std"), "a,b/wEC");
    assert_eq!(text("hex"), "a,bff0102");
    assert_eq!(text("dec"), "a,b16711938");
    assert_eq!(made.integer("byte_length"), Some(3));
}

#[test]
fn lengths() {
    let made = |n: i64| Id.create(Object::default().with("byte_length", n));
    assert_eq!(made(8).unwrap().text("hex").unwrap().len(), 16);
    assert_ne!(made(8).unwrap(), made(8).unwrap());
    assert!(made(-1).is_err());
    assert!(made(i64::MAX).is_err());
}
