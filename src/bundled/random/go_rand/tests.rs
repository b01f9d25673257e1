//! Published values of the generator, and its table from first principles.

use super::*;

fn integer(seed: &str, low: i64, high: i64) -> i64 {
    Source::from_text(seed).below(high + 1 - low).unwrap() + low
}

#[test]
fn checksum() {
    assert_eq!(crc64(b"123456789"), 0xb909_56c7_75a4_1001);
}

#[test]
fn first_numbers_of_seed_1() {
    let mut source = Source::new(1);
    let drawn: Vec<i64> = (0..4).map(|_| source.int63()).collect();
    assert_eq!(
        drawn,
        [
            5_577_006_791_947_779_410,
            8_674_665_223_082_153_551,
            6_129_484_611_666_145_821,
            4_037_200_794_235_010_051
        ]
    );
}

#[test]
fn integers_by_seed() {
    let cases = [
        ("web", 20000, 29999, 26720),
        ("web", 20000, 29997, 29960),
        ("web", 20000, 29998, 23332),
        ("c", 20000, 29999, 28969),
        ("c", 20000, 29998, 21730),
        ("12345", 1, 3, 3),
        ("123456", 1, 3, 2),
        ("a", 1, 9, 2),
        ("b", 1, 9, 9),
        ("c", 1, 9, 3),
        ("a", 20000, 29999, 25582),
        ("b", 20000, 29999, 29203),
        ("d", 20000, 29999, 22880),
        ("e", 20000, 29999, 29598),
        ("f", 20000, 29999, 29388),
        ("g", 20000, 29999, 21801),
        ("h", 20000, 29999, 25896),
        ("i", 20000, 29999, 28031),
        ("fixed", 1, 99, 57),
        ("x", 0, 2_147_483_646, 607_833_066),
        ("x", 0, 2_147_483_647, 1_613_272_110),
        ("x", 0, 9_007_199_254_740_991, 7_542_556_890_534_958),
    ];
    for (seed, low, high, expected) in cases {
        assert_eq!(integer(seed, low, high), expected, "{seed} {low} {high}");
    }
}

#[test]
fn no_number_below_nothing() {
    assert_eq!(Source::new(1).below(0), None);
    assert_eq!(Source::new(1).below(-5), None);
}

/// The recurrence is linear modulo 2^64: a jump of n steps is x^n modulo x^607 - x^334 - 1.
#[test]
fn table_from_first_principles() {
    const STEPS: u64 = 7_800_000_000_000;
    let mut filler = Filler::new(1);
    let register: Vec<u64> = (0..LENGTH).map(|_| filler.word(20, 10)).collect();
    let first = LENGTH - TAP - 1;
    let mut sequence: Vec<u64> = (0..LENGTH)
        .map(|i| register[(first + LENGTH - i) % LENGTH])
        .collect();
    let (mut power, mut base, mut left) = (vec![0; LENGTH], vec![0; LENGTH], STEPS);
    power[0] = 1;
    base[1] = 1;
    while left > 0 {
        if left & 1 == 1 {
            power = product(&power, &base);
        }
        base = product(&base, &base);
        left >>= 1;
    }
    for i in LENGTH..2 * LENGTH {
        sequence.push(sequence[i - LENGTH].wrapping_add(sequence[i - TAP]));
    }
    let mut table = vec![0u64; LENGTH];
    for j in 0..LENGTH as u64 {
        let terms = power.iter().zip(&sequence[j as usize..]);
        let word = terms.fold(0u64, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)));
        let slot = (first as i64 - (STEPS + j) as i64 + LENGTH as i64).rem_euclid(LENGTH as i64);
        table[slot as usize] = word;
    }
    let embedded: Vec<u64> = WORDS
        .lines()
        .map(|line| line.parse::<i64>().unwrap().cast_unsigned())
        .collect();
    assert_eq!(embedded.len(), LENGTH);
    assert!(table == embedded);
}

fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut all = vec![0u64; 2 * LENGTH - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            all[i + j] = all[i + j].wrapping_add(x.wrapping_mul(*y));
        }
    }
    for i in (LENGTH..2 * LENGTH - 1).rev() {
        let term = std::mem::take(&mut all[i]);
        all[i - LENGTH] = all[i - LENGTH].wrapping_add(term);
        all[i - TAP] = all[i - TAP].wrapping_add(term);
    }
    all.truncate(LENGTH);
    all
}
