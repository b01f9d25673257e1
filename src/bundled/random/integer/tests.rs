//! Numbers without a seed, ranges that make no sense, identifiers of imports.

use super::*;

fn made(min: i64, max: i64) -> Result<i64, Faults> {
    let object = Integer.create(Object::from([("min", min.into()), ("max", max.into())]))?;
    let result = object.integer("result").unwrap();
    assert_eq!(object.text("id"), Some(result.to_string().as_str()));
    Ok(result)
}

#[test]
fn without_a_seed() {
    let all: Vec<i64> = (0..200).map(|_| made(-1, 2).unwrap()).collect();
    assert!((-1..=2).all(|number| all.contains(&number)));
    assert!(all.iter().all(|number| (-1..=2).contains(number)));
    assert_eq!(made(i64::MIN, i64::MIN), Ok(i64::MIN));
    assert_eq!(made(i64::MAX, i64::MAX), Ok(i64::MAX));
    assert!(made(0, i64::MAX - 1).unwrap() >= 0);
}

#[test]
fn ranges_that_make_no_sense() {
    for (min, max) in [(2, 1), (0, i64::MAX), (i64::MIN, i64::MAX), (i64::MIN, 0)] {
        assert!(made(min, max).is_err(), "{min} {max}");
    }
}

#[test]
fn each_bad_number_of_an_import_is_told() {
    let count = |id: &str| Integer.import(id).map_err(|f| f.into_sorted().len());
    assert_eq!(count("x,y,z"), Err(3));
    assert_eq!(count("1,y,3"), Err(1));
    assert_eq!(count("1,2"), Err(1));
    assert_eq!(count("1,2,3,4,5"), Err(1));
    let taken = count("05,1,9,s").unwrap();
    assert_eq!(
        (taken.integer("result"), taken.text("id")),
        (Some(5), Some("05"))
    );
    assert_eq!(taken.text("seed"), Some("s"));
}
