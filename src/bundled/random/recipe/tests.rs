//! Which characters a random text is made of.

use super::*;

fn planned(entries: &[(&str, Data)]) -> Object {
    let mut object = Object::default().with("length", 40);
    for (name, value) in entries {
        object.set(name, value.clone());
    }
    object
}

fn made(entries: &[(&str, Data)]) -> String {
    make(&planned(entries)).unwrap()
}

fn among(text: &str, class: &str) -> usize {
    text.chars().filter(|c| class.contains(*c)).count()
}

#[test]
fn least_numbers_hold_also_for_a_class_that_is_off() {
    for _ in 0..50 {
        let text = made(&[
            ("min_numeric", 7.into()),
            ("numeric", false.into()),
            ("min_upper", 5.into()),
            ("min_special", 3.into()),
        ]);
        assert_eq!(text.chars().count(), 40);
        assert_eq!(among(&text, NUMERIC), 7, "{text}");
        assert!(
            among(&text, UPPER) >= 5 && among(&text, SPECIAL) >= 3,
            "{text}"
        );
    }
}

#[test]
fn classes_that_are_off_do_not_occur() {
    let text = made(&[("special", false.into()), ("upper", false.into())]);
    assert_eq!(among(&text, LOWER) + among(&text, NUMERIC), 40, "{text}");
}

#[test]
fn other_special_characters() {
    let only = [("upper", false), ("lower", false), ("numeric", false)]
        .map(|(name, on)| (name, on.into()));
    let mut entries = only.to_vec();
    entries.push(("override_special", "é".into()));
    assert_eq!(made(&entries), "é".repeat(40));
    entries.push(("override_special", "".into()));
    assert_eq!(among(&made(&entries), SPECIAL), 40);
}

#[test]
fn a_class_that_repeats_another_wins() {
    let entries: Vec<(&str, Data)> = vec![
        ("override_special", LOWER.into()),
        ("special", false.into()),
        ("lower", false.into()),
        ("upper", false.into()),
        ("min_lower", 9.into()),
        ("min_special", 2.into()),
    ];
    let text = made(&entries);
    assert_eq!(among(&text, LOWER), 2, "{text}");
}

#[test]
fn refused() {
    let off = ["upper", "lower", "numeric", "special"].map(|name| (name, false.into()));
    let wrong: [&[(&str, Data)]; 5] = [
        &off,
        &[("min_upper", (-1).into())],
        &[("min_upper", 41.into())],
        &[("length", (-1).into())],
        &[("length", i64::MAX.into())],
    ];
    for entries in wrong {
        assert!(make(&planned(entries)).is_err(), "{entries:?}");
    }
}
