//! How many words, from which lists, in which case.

use super::*;

fn create(object: Object) -> Object {
    Pet.create(object).unwrap()
}

#[test]
fn words_come_from_the_released_lists() {
    let lists = Petnames::small();
    assert_eq!(lists.adjectives.len(), 449);
    assert_eq!(lists.adverbs.len(), 261);
    assert_eq!(lists.nouns.len() + MORE_NAMES.len(), 452);
    assert!(MORE_NAMES.iter().all(|name| !lists.nouns.contains(name)));
}

#[test]
fn number_of_words() {
    for (length, words) in [(1, 1), (2, 2), (3, 3), (7, 7), (0, 2), (-3, 2)] {
        let name = name(length, "-").unwrap();
        assert_eq!(name.split('-').count(), words, "{name}");
    }
    let lists = Petnames::small();
    let name = name(3, ".").unwrap();
    let words: Vec<&str> = name.split('.').collect();
    assert!(lists.adverbs.contains(&words[0]), "{name}");
    assert!(lists.adjectives.contains(&words[1]), "{name}");
}

#[test]
fn case_of_prefix_and_separator() {
    let object = Object::from([
        ("length", 2.into()),
        ("separator", "_X_".into()),
        ("prefix", "Web".into()),
    ]);
    let made = create(object);
    let id = made.text("id").unwrap();
    let rest = id.strip_prefix("Web_X_").unwrap();
    assert_eq!(rest.split("_x_").count(), 2, "{id}");
    assert_eq!(rest, rest.to_lowercase());
}

#[test]
fn no_endless_names() {
    assert!(
        Pet.create(Object::from([("length", i64::MAX.into())]))
            .is_err()
    );
}
