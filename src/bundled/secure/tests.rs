//! Limits and fairness of the draws.

use super::*;

#[test]
fn draws_stay_below_the_limit_and_reach_all() {
    let mut draws = Draws::default();
    let mut seen = [0u32; 7];
    for _ in 0..7000 {
        seen[draws.below(7).unwrap() as usize] += 1;
    }
    assert!(
        seen.iter().all(|count| (700..1300).contains(count)),
        "{seen:?}"
    );
    assert_eq!(draws.below(1), Ok(0));
    assert!(draws.below(u64::MAX).is_ok());
}

#[test]
fn a_shuffle_keeps_the_items() {
    let mut items: Vec<u32> = (0..100).collect();
    Draws::default().shuffle(&mut items).unwrap();
    assert_ne!(items, (0..100).collect::<Vec<_>>());
    items.sort_unstable();
    assert_eq!(items, (0..100).collect::<Vec<_>>());
}

#[test]
fn nothing_to_pick_from() {
    assert_eq!(Draws::default().pick::<u8>(&[]), Ok(None));
}

#[test]
fn decimals_fit_63_bits() {
    for _ in 0..100 {
        assert!(decimal().unwrap().parse::<i64>().unwrap() >= 0);
    }
}
