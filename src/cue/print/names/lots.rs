//! Names drawn by lot, as the reference draws them: from a permuted congruential generator of 128
//! bits (O'Neill 2014; variant DXSM) that begins alike for each file.

/// The generator: state, multiplier and increment are those the reference begins with.
#[derive(Debug)]
pub(super) struct Lots(u128);

impl Default for Lots {
    fn default() -> Self {
        Self(123 << 64 | 456)
    }
}

impl Lots {
    const MULTIPLIER: u128 = 2_549_297_995_355_413_924 << 64 | 4_865_540_595_714_422_341;
    const INCREMENT: u128 = 6_364_136_223_846_793_005 << 64 | 1_442_695_040_888_963_407;
    const OUTPUT: u64 = 0xda94_2042_e4dd_58b5;

    fn draw(&mut self) -> u64 {
        let state = self.0.wrapping_mul(Self::MULTIPLIER);
        self.0 = state.wrapping_add(Self::INCREMENT);
        let (mut high, low) = ((self.0 >> 64) as u64, self.0 as u64);
        high ^= high >> 32;
        high = high.wrapping_mul(Self::OUTPUT);
        high ^= high >> 48;
        high.wrapping_mul(low | 1)
    }

    /// A number below another one, each as likely as the others (Lemire 2019).
    fn below(&mut self, n: u32) -> u32 {
        let mut product = (self.draw() >> 32) * u64::from(n);
        while (product as u32) < n.wrapping_neg() % n {
            product = (self.draw() >> 32) * u64::from(n);
        }
        (product >> 32) as u32
    }

    /// A name with a number behind it that is free; the number gets longer where it is not.
    pub(super) fn any(&mut self, base: &str, mut free: impl FnMut(&str) -> bool) -> String {
        let mut digits = 1;
        loop {
            let number = self.draw() & ((1 << (4 * digits)) - 1);
            let name = format!("{base}_{number:X}");
            if free(&name) {
                return name;
            }
            digits = (digits + 1).min(14);
        }
    }

    /// A name that is free: the wished one, or one with a small number, or a drawn one, which is
    /// not zero and is written with all its digits.
    pub(super) fn first(&mut self, base: &str, mut free: impl FnMut(&str) -> bool) -> String {
        let small = (1..5).map(|i| format!("{base}_{i:X}"));
        if let Some(name) = std::iter::once(base.to_owned())
            .chain(small)
            .find(|name| free(name))
        {
            return name;
        }
        let mut digits = 1;
        loop {
            let number = self.below((1 << (4 * digits)) - 1) + 1;
            let name = format!("{base}_{number:0digits$X}");
            if free(&name) {
                return name;
            }
            digits = (digits + 1).min(7);
        }
    }
}
