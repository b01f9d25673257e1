//! Integer views of decimals: rounding to integers, the four integer divisions, machine integers.

use super::arith::EXPONENT_LIMIT;
use super::coefficient::Coefficient;
use super::decimal::Decimal;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

impl Decimal {
    /// Whether the value has no fraction (`1.0` and `1e3` have none).
    pub fn is_integral(&self) -> bool {
        if !self.is_finite() {
            return false;
        }
        self.exponent >= 0 || self.fraction_part().is_zero()
    }

    /// The digits behind the point, as a coefficient at the same exponent.
    fn fraction_part(&self) -> Coefficient {
        if self.exponent >= 0 {
            return Coefficient::ZERO;
        }
        if self.digits() + i64::from(self.exponent) <= 0 {
            return self.coefficient.clone();
        }
        self.coefficient.split(self.exponent.unsigned_abs()).1
    }

    /// The integer part with its sign, at exponent 0 or above, and whether something was cut off.
    fn integer_part(&self) -> (Coefficient, bool) {
        if self.exponent >= 0 {
            return (self.coefficient.scaled(self.exponent.unsigned_abs()), false);
        }
        if self.digits() + i64::from(self.exponent) <= 0 {
            return (Coefficient::ZERO, !self.coefficient.is_zero());
        }
        let (whole, rest) = self.coefficient.split(self.exponent.unsigned_abs());
        let inexact = !rest.is_zero();
        (whole, inexact)
    }

    /// Rounded half away from zero to an integer with exponent 0. `None` for special forms and for
    /// exponents beyond the limits.
    pub fn to_integral(&self) -> Option<Self> {
        if !self.is_finite() || i64::from(self.exponent).abs() > EXPONENT_LIMIT {
            return None;
        }
        let (whole, inexact) = self.integer_part();
        let mut out = Self::new(self.negative, whole, 0);
        if inexact && self.fraction_order_half() != Ordering::Less {
            out.coefficient = out.coefficient.add(&Coefficient::Small(1));
        }
        Some(out)
    }

    /// How the cut-off fraction compares with one half.
    pub(crate) fn fraction_order_half(&self) -> Ordering {
        let half = Self::from_parts(5, -1);
        let fraction = Self::new(false, self.fraction_part(), self.exponent);
        fraction.order(&half)
    }

    /// Cut towards zero, exponent 0. `None` for special forms and exponents beyond the limits.
    pub fn truncated(&self) -> Option<Self> {
        if !self.is_finite() || i64::from(self.exponent).abs() > EXPONENT_LIMIT {
            return None;
        }
        Some(Self::new(self.negative, self.integer_part().0, 0))
    }

    /// The integer if the value is one. `None` otherwise and for exponents beyond the limits.
    pub fn to_bigint(&self) -> Option<BigInt> {
        if !self.is_integral() || i64::from(self.exponent).abs() > EXPONENT_LIMIT {
            return None;
        }
        let (whole, _) = self.integer_part();
        let sign = if self.negative {
            Sign::Minus
        } else {
            Sign::Plus
        };
        Some(BigInt::from_biguint(sign, whole.to_big()))
    }

    /// The integer if the value is one that fits. `None` otherwise.
    pub fn to_i64(&self) -> Option<i64> {
        if !self.is_integral() {
            return None;
        }
        // a value that fits has at most 19 digits before the point
        if self.digits() + i64::from(self.exponent) > 19 && !self.is_zero() {
            return None;
        }
        if self.is_zero() {
            return Some(0);
        }
        let magnitude = i128::try_from(self.integer_part().0.to_u128()?).ok()?;
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    fn as_divided(&self) -> Option<BigInt> {
        self.to_integral()?.to_bigint()
    }

    fn divide(&self, other: &Self, f: impl Fn(BigInt, BigInt) -> BigInt) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        let (a, b) = (self.as_divided()?, other.as_divided()?);
        if b.sign() == Sign::NoSign {
            return None;
        }
        Some(Self::from_bigint(&f(a, b)))
    }

    /// Euclidean quotient. `None` on a zero divisor.
    pub fn int_div(&self, other: &Self) -> Option<Self> {
        self.divide(other, |a, b| {
            let quotient = &a / &b;
            if (a - &quotient * &b).sign() != Sign::Minus {
                quotient
            } else if b.sign() == Sign::Minus {
                quotient + 1
            } else {
                quotient - 1
            }
        })
    }

    /// Euclidean remainder. `None` on a zero divisor.
    pub fn int_mod(&self, other: &Self) -> Option<Self> {
        self.divide(other, |a, b| {
            let remainder = a % &b;
            if remainder.sign() == Sign::Minus {
                remainder + BigInt::from_biguint(Sign::Plus, b.magnitude().clone())
            } else {
                remainder
            }
        })
    }

    /// Truncated quotient. `None` on a zero divisor.
    pub fn int_quo(&self, other: &Self) -> Option<Self> {
        self.divide(other, |a, b| a / b)
    }

    /// Truncated remainder. `None` on a zero divisor.
    pub fn int_rem(&self, other: &Self) -> Option<Self> {
        self.divide(other, |a, b| a % b)
    }
}
