//! The generator behind seeded values: the additive lagged Fibonacci source of Go's `math/rand`,
//! seeded with the CRC-64 of a text. The same seed gives the same values as the released plugin.

/// The words that the register is mixed with, one signed 64-bit integer a line. They are the
/// register of the same generator after 7.8e12 steps from the seed 1; a test derives them.
const WORDS: &str = include_str!("go_rand_words.txt");

/// The length of the register.
const LENGTH: usize = 607;

/// The distance of the two words that are added.
const TAP: usize = 273;

/// The modulus of the generator that fills the register.
const MODULUS: i64 = (1 << 31) - 1;

/// A seeded generator.
pub(super) struct Source {
    register: Vec<u64>,
    tap: usize,
    feed: usize,
}

impl Source {
    /// A generator for a seed in words.
    pub(super) fn from_text(seed: &str) -> Self {
        Self::new(crc64(seed.as_bytes()).cast_signed())
    }

    /// A generator for a seed.
    pub(super) fn new(seed: i64) -> Self {
        let mut filler = Filler::new(seed);
        let words = WORDS.lines().filter_map(|line| line.parse::<i64>().ok());
        let register = words
            .map(|word| filler.word(40, 20) ^ word.cast_unsigned())
            .collect();
        Self {
            register,
            tap: 0,
            feed: LENGTH - TAP,
        }
    }

    fn next(&mut self) -> u64 {
        self.tap = before(self.tap);
        self.feed = before(self.feed);
        let word = self.register[self.feed].wrapping_add(self.register[self.tap]);
        self.register[self.feed] = word;
        word
    }

    fn int63(&mut self) -> i64 {
        (self.next() & (u64::MAX >> 1)).cast_signed()
    }

    /// A number from 0 to below `limit`; nothing when `limit` is not positive.
    pub(super) fn below(&mut self, limit: i64) -> Option<i64> {
        if limit <= 0 {
            return None;
        }
        Some(if limit <= MODULUS {
            self.bounded(limit, 31, |source| source.int63() >> 32)
        } else {
            self.bounded(limit, 63, Self::int63)
        })
    }

    fn bounded(&mut self, limit: i64, bits: u32, draw: fn(&mut Self) -> i64) -> i64 {
        if limit.count_ones() == 1 {
            return draw(self) & (limit - 1);
        }
        let all = 1u64 << bits;
        let fair = (all - 1 - all % limit.cast_unsigned()).cast_signed();
        loop {
            let drawn = draw(self);
            if drawn <= fair {
                return drawn % limit;
            }
        }
    }

    /// The numbers from 0 to below `count` in a random order.
    pub(super) fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut order = vec![0; count];
        for index in 0..count {
            let other = self.below(index as i64 + 1).unwrap_or(0) as usize;
            order[index] = order[other];
            order[other] = index;
        }
        order
    }
}

fn before(position: usize) -> usize {
    position.checked_sub(1).unwrap_or(LENGTH - 1)
}

/// The linear congruential generator that fills the register.
struct Filler(i64);

impl Filler {
    fn new(seed: i64) -> Self {
        let mut filler = Self(match seed.rem_euclid(MODULUS) {
            0 => 89_482_311,
            seed => seed,
        });
        for _ in 0..20 {
            filler.step();
        }
        filler
    }

    fn step(&mut self) -> u64 {
        self.0 = self.0 * 48_271 % MODULUS;
        self.0.cast_unsigned()
    }

    fn word(&mut self, high: u32, low: u32) -> u64 {
        let (a, b, c) = (self.step(), self.step(), self.step());
        a << high ^ b << low ^ c
    }
}

/// CRC-64 with the ISO polynomial, reflected.
fn crc64(bytes: &[u8]) -> u64 {
    let mut sum = u64::MAX;
    for byte in bytes {
        sum ^= u64::from(*byte);
        for _ in 0..8 {
            let odd = sum & 1 == 1;
            sum >>= 1;
            if odd {
                sum ^= 0xD800_0000_0000_0000;
            }
        }
    }
    !sum
}

#[cfg(test)]
mod tests;
