//! The unsigned digits of a decimal: one machine word inline, a big integer beyond it.

use num_bigint::BigUint;
use std::cmp::Ordering;

/// Unsigned integer of any size. `Big` holds only values above `u64::MAX`, so equality is
/// structural.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Coefficient {
    /// Fits a machine word.
    Small(u64),
    /// Larger than a machine word.
    Big(Box<BigUint>),
}

impl Coefficient {
    pub(super) const ZERO: Self = Self::Small(0);

    pub(super) fn from_u128(value: u128) -> Self {
        u64::try_from(value).map_or_else(|_| Self::Big(Box::new(BigUint::from(value))), Self::Small)
    }

    pub(super) fn from_big(value: BigUint) -> Self {
        match u64::try_from(&value) {
            Ok(small) => Self::Small(small),
            Err(_) => Self::Big(Box::new(value)),
        }
    }

    pub(super) fn to_big(&self) -> BigUint {
        match self {
            Self::Small(v) => BigUint::from(*v),
            Self::Big(v) => (**v).clone(),
        }
    }

    /// The value if it fits 128 bits.
    pub(super) fn to_u128(&self) -> Option<u128> {
        match self {
            Self::Small(v) => Some(u128::from(*v)),
            Self::Big(v) => u128::try_from(&**v).ok(),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Small(0))
    }

    /// Number of decimal digits; zero has one.
    pub fn digits(&self) -> i64 {
        match self {
            Self::Small(0) => 1,
            Self::Small(v) => i64::from(v.ilog10()) + 1,
            Self::Big(v) => big_digits(v),
        }
    }

    /// Decimal text without sign.
    pub fn text(&self) -> String {
        match self {
            Self::Small(v) => v.to_string(),
            Self::Big(v) => v.to_string(),
        }
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        match (self.to_u128(), other.to_u128()) {
            (Some(a), Some(b)) if a.checked_add(b).is_some() => Self::from_u128(a + b),
            _ => Self::from_big(self.to_big() + other.to_big()),
        }
    }

    /// The absolute difference.
    pub(super) fn distance(&self, other: &Self) -> Self {
        match (self.to_u128(), other.to_u128()) {
            (Some(a), Some(b)) => Self::from_u128(a.abs_diff(b)),
            _ if self.order(other) == Ordering::Less => {
                Self::from_big(other.to_big() - self.to_big())
            }
            _ => Self::from_big(self.to_big() - other.to_big()),
        }
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => Self::from_u128(u128::from(*a) * u128::from(*b)),
            _ => Self::from_big(self.to_big() * other.to_big()),
        }
    }

    /// Multiplies by ten to the power of `n`.
    pub(super) fn scaled(&self, n: u32) -> Self {
        if n == 0 || self.is_zero() {
            return self.clone();
        }
        if let (Self::Small(v), true) = (self, n <= 19)
            && let Some(product) = u128::from(*v).checked_mul(10u128.pow(n))
        {
            return Self::from_u128(product);
        }
        Self::from_big(self.to_big() * ten_to(n))
    }

    /// Quotient and remainder of a division by ten to the power of `n`.
    pub(super) fn split(&self, n: u32) -> (Self, Self) {
        if let (Some(v), true) = (self.to_u128(), n <= 38) {
            let divisor = 10u128.pow(n);
            return (Self::from_u128(v / divisor), Self::from_u128(v % divisor));
        }
        let (value, divisor) = (self.to_big(), ten_to(n));
        let quotient = &value / &divisor;
        let remainder = value - &quotient * divisor;
        (Self::from_big(quotient), Self::from_big(remainder))
    }

    /// Quotient and remainder; the divisor must not be zero.
    pub(super) fn div_rem(&self, divisor: &Self) -> (Self, Self) {
        if let (Some(a), Some(b)) = (self.to_u128(), divisor.to_u128()) {
            return (Self::from_u128(a / b), Self::from_u128(a % b));
        }
        let (a, b) = (self.to_big(), divisor.to_big());
        let quotient = &a / &b;
        let remainder = a - &quotient * b;
        (Self::from_big(quotient), Self::from_big(remainder))
    }

    /// Numeric order.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => a.cmp(b),
            (Self::Small(_), Self::Big(_)) => Ordering::Less,
            (Self::Big(_), Self::Small(_)) => Ordering::Greater,
            (Self::Big(a), Self::Big(b)) => a.cmp(b),
        }
    }
}

/// Ten to the power of `n`.
pub(super) fn ten_to(n: u32) -> BigUint {
    BigUint::from(10u32).pow(n)
}

fn big_digits(value: &BigUint) -> i64 {
    // log10(2) from below: the estimate is the digit count or one less
    let bits = value.bits();
    let estimate = ((bits - 1) as f64 * std::f64::consts::LOG10_2) as u32;
    let estimate = estimate.saturating_sub(1);
    let mut digits = i64::from(estimate);
    let mut power = ten_to(estimate);
    while *value >= power {
        digits += 1;
        power *= 10u32;
    }
    digits
}
