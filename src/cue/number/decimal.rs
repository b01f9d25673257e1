//! The decimal: sign, digits, exponent; or one of the two special forms that library functions
//! make.

use super::coefficient::Coefficient;
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;

/// What a decimal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A number.
    Finite,
    /// Positive or negative infinity.
    Infinite,
    /// Not a number.
    NaN,
}

/// `±coefficient · 10^exponent`, never normalised: `1.50` is 150 · 10⁻².
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    pub(super) coefficient: Coefficient,
    pub(super) exponent: i32,
    pub(super) negative: bool,
    pub(super) form: Form,
}

impl Decimal {
    /// Zero with exponent 0.
    pub const ZERO: Self = Self {
        coefficient: Coefficient::ZERO,
        exponent: 0,
        negative: false,
        form: Form::Finite,
    };

    /// Not a number.
    pub const NAN: Self = Self {
        coefficient: Coefficient::ZERO,
        exponent: 0,
        negative: false,
        form: Form::NaN,
    };

    /// Positive infinity.
    pub const INFINITY: Self = Self {
        coefficient: Coefficient::ZERO,
        exponent: 0,
        negative: false,
        form: Form::Infinite,
    };

    pub(super) fn new(negative: bool, coefficient: Coefficient, exponent: i32) -> Self {
        Self {
            coefficient,
            exponent,
            negative,
            form: Form::Finite,
        }
    }

    /// An integer.
    pub fn from_i64(value: i64) -> Self {
        Self::new(value < 0, Coefficient::Small(value.unsigned_abs()), 0)
    }

    /// An integer.
    pub fn from_u64(value: u64) -> Self {
        Self::new(false, Coefficient::Small(value), 0)
    }

    /// An integer of any size.
    pub fn from_bigint(value: &BigInt) -> Self {
        Self::new(
            value.sign() == Sign::Minus,
            Coefficient::from_big(value.magnitude().clone()),
            0,
        )
    }

    /// An integer of any size, not negative.
    pub fn from_biguint(value: BigUint) -> Self {
        Self::new(false, Coefficient::from_big(value), 0)
    }

    /// `coefficient · 10^exponent`.
    pub fn from_parts(coefficient: i64, exponent: i32) -> Self {
        Self::new(
            coefficient < 0,
            Coefficient::Small(coefficient.unsigned_abs()),
            exponent,
        )
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Whether it is a number, not infinite and not NaN.
    pub fn is_finite(&self) -> bool {
        self.form == Form::Finite
    }

    /// Whether it is zero of any sign and exponent.
    pub fn is_zero(&self) -> bool {
        self.is_finite() && self.coefficient.is_zero()
    }

    /// Whether the sign is minus (also of a negative zero).
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The power of ten of the last digit.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The digits without sign.
    pub fn coefficient(&self) -> &Coefficient {
        &self.coefficient
    }

    /// Number of digits of the coefficient.
    pub fn digits(&self) -> i64 {
        self.coefficient.digits()
    }

    /// -1, 0 or 1; an infinity has its sign.
    pub fn sign(&self) -> i32 {
        if self.is_zero() {
            0
        } else if self.negative {
            -1
        } else {
            1
        }
    }

    /// With the other sign; zero stays positive.
    pub fn negated(&self) -> Self {
        let mut out = self.clone();
        out.negative = !self.is_zero() && !self.negative;
        out
    }

    /// Without sign.
    pub fn abs(&self) -> Self {
        let mut out = self.clone();
        out.negative = false;
        out
    }

    /// With the given sign.
    pub fn with_sign(&self, negative: bool) -> Self {
        let mut out = self.clone();
        out.negative = negative;
        out
    }

    /// Numeric order: `1.0` equals `1`. NaN orders by its digits as a number would; the language
    /// never
    /// compares one that it computed itself.
    pub fn order(&self, other: &Self) -> Ordering {
        let (a, b) = (self.sign(), other.sign());
        if a != b || a == 0 {
            return a.cmp(&b);
        }
        let magnitude = match (self.form == Form::Infinite, other.form == Form::Infinite) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => self.order_magnitude(other),
        };
        if a < 0 {
            magnitude.reverse()
        } else {
            magnitude
        }
    }

    fn order_magnitude(&self, other: &Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.coefficient.order(&other.coefficient);
        }
        let a = self.digits() + i64::from(self.exponent);
        let b = other.digits() + i64::from(other.exponent);
        if a != b {
            return a.cmp(&b);
        }
        // equal magnitudes: the exponents differ by less than the digits that are there
        let shift = self.exponent.abs_diff(other.exponent);
        if self.exponent > other.exponent {
            self.coefficient.scaled(shift).order(&other.coefficient)
        } else {
            self.coefficient.order(&other.coefficient.scaled(shift))
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.form == Form::NaN || other.form == Form::NaN {
            return None;
        }
        Some(self.order(other))
    }
}
