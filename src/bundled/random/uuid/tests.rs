//! Version bits and the clock in the identifiers.

use super::*;

fn made(resource: &dyn Resource) -> Uuid {
    let object = resource.create(Object::default()).unwrap();
    assert_eq!(object.get("id"), object.get("result"));
    Uuid::parse_str(object.text("id").unwrap()).unwrap()
}

#[test]
fn versions() {
    let version = |resource: &dyn Resource| made(resource).get_version_num();
    assert!((0..20).all(|_| version(&Version4) == 4));
    assert!((0..20).all(|_| version(&Version7) == 7));
    assert!((0..200).any(|_| version(&Plain) != 4));
    assert!(made(&Version7) < made(&Version7));
}

#[test]
fn spellings_that_are_taken_over() {
    let dashed = "6b0f8e7c-2d0a-4b1a-9c1d-0123456789ab";
    let urn = format!("urn:uuid:{dashed}");
    let loud = format!("URN:UUID:{}", dashed.to_uppercase());
    for id in [urn.as_str(), &loud] {
        let taken = Version4.import(id).unwrap();
        assert_eq!(taken.text("result"), Some(dashed), "{id}");
        assert!(Plain.import(id).is_err(), "{id}");
    }
}
