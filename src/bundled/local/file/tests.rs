//! Modes, and files that are in the way.

use super::*;

#[test]
fn modes() {
    let valid = [
        ("644", 0o644),
        ("0644", 0o644),
        ("+644", 0o644),
        ("0777", 0o777),
        ("000", 0),
    ];
    for (text, expected) in valid {
        assert_eq!(mode(text), Some(expected), "{text}");
    }
    for text in [
        "", "1777", "07", "00644", "0o64", "abc", "0888", "-644", "0_77", "+", "++64", "é7", "+77",
    ] {
        let expected = (text == "+77").then_some(0o77);
        assert_eq!(mode(text), expected, "{text}");
    }
}

#[test]
fn a_directory_in_the_way_is_an_error_and_a_missing_file_is_gone() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().to_str().unwrap();
    let object = |name: &str| Object::default().with("filename", name).with("id", "x");
    assert!(File.create(object(directory)).is_err());
    assert!(File.create(object("")).is_err());
    assert!(File.read(object(directory)).is_err());
    assert_eq!(File.read(object(&format!("{directory}/none"))), Ok(None));
    assert_eq!(File.delete(&object(&format!("{directory}/none"))), Ok(()));
}
