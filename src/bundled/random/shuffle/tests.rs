//! How many texts there are, with and without a seed.

use super::*;

fn made(texts: &[&str], entries: &[(&str, Data)]) -> Result<Vec<Data>, Faults> {
    let input = texts.iter().map(|text| Data::from(*text)).collect();
    let mut object = Object::from([("input", Data::List(input))]);
    for (name, value) in entries {
        object.set(name, value.clone());
    }
    Ok(Shuffle.create(object)?.list("result").to_vec())
}

#[test]
fn every_text_once_a_round() {
    let mut all = made(&["a", "b", "c"], &[("result_count", 7.into())]).unwrap();
    assert_eq!(all.len(), 7);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 3);
}

#[test]
fn the_seed_decides() {
    let texts = ["a", "b", "c", "d", "e"];
    let made = |seed: &str| made(&texts, &[("seed", seed.into())]).unwrap();
    assert_eq!(made("-"), ["a", "c", "b", "e", "d"].map(Data::from));
    assert!((0..50).any(|_| made("") != made("")));
}

#[test]
fn counts_that_make_no_sense() {
    for count in [-1, i64::MIN, i64::MAX] {
        assert!(
            made(&["a"], &[("result_count", count.into())]).is_err(),
            "{count}"
        );
    }
}
