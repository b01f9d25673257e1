//! Arithmetic at 34 digits, half up, with the exponent limits ±100,000 of the reference.

use super::coefficient::Coefficient;
use super::decimal::{Decimal, Form};
use std::cmp::Ordering;
use std::fmt;

/// Digits that an operation keeps.
pub const PRECISION: u32 = 34;

/// Largest and (negated) smallest exponent of a number's first digit.
pub(super) const EXPONENT_LIMIT: i64 = 100_000;

/// Why an operation has no result; the text is what follows `failed arithmetic: `.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticError {
    /// The result's first digit is beyond the limits.
    ExponentOutOfRange,
    /// The operands are too far apart to be aligned; names the operation.
    TooFarApart(&'static str),
    /// A finite number by zero.
    DivisionByZero,
    /// Zero by zero.
    DivisionUndefined,
    /// The integer part of a quotient has too many digits.
    DivisionImpossible,
    /// No number is the result, as in infinity minus infinity.
    InvalidOperation,
    /// Too large for the type.
    Overflow,
}

impl fmt::Display for ArithmeticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExponentOutOfRange => f.write_str("exponent out of range"),
            Self::TooFarApart(operation) => write!(f, "{operation}: exponent out of range"),
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::DivisionUndefined => f.write_str("division undefined"),
            Self::DivisionImpossible => f.write_str("division impossible"),
            Self::InvalidOperation => f.write_str("invalid operation"),
            Self::Overflow => f.write_str("overflow"),
        }
    }
}

impl std::error::Error for ArithmeticError {}

pub(super) type Result<T> = std::result::Result<T, ArithmeticError>;

/// Both coefficients at the smaller of the two exponents, and that exponent.
pub(super) fn align(
    a: &Decimal,
    b: &Decimal,
    operation: &'static str,
) -> Result<(Coefficient, Coefficient, i32)> {
    let distance = i64::from(a.exponent) - i64::from(b.exponent);
    if distance.abs() > EXPONENT_LIMIT {
        return Err(ArithmeticError::TooFarApart(operation));
    }
    let shift = distance.unsigned_abs() as u32;
    Ok(if distance > 0 {
        (
            a.coefficient.scaled(shift),
            b.coefficient.clone(),
            b.exponent,
        )
    } else {
        (
            a.coefficient.clone(),
            b.coefficient.scaled(shift),
            a.exponent,
        )
    })
}

impl Decimal {
    /// Sets the exponent to the sum of `parts`, checking each part and the place of the first
    /// digit.
    pub(super) fn set_exponent(&mut self, parts: &[i64]) -> Result<()> {
        let mut sum = 0;
        for &part in parts {
            if part.abs() > EXPONENT_LIMIT {
                return Err(ArithmeticError::ExponentOutOfRange);
            }
            sum += part;
        }
        if (sum + self.digits() - 1).abs() > EXPONENT_LIMIT {
            return Err(ArithmeticError::ExponentOutOfRange);
        }
        self.exponent = i32::try_from(sum).map_err(|_| ArithmeticError::ExponentOutOfRange)?;
        Ok(())
    }

    /// Rounded half up to `precision` digits.
    pub fn rounded(mut self, precision: u32) -> Result<Self> {
        if self.form != Form::Finite {
            return Ok(self);
        }
        let mut excess = self.digits() - i64::from(precision);
        if excess <= 0 {
            self.set_exponent(&[i64::from(self.exponent)])?;
            return Ok(self);
        }
        if excess > EXPONENT_LIMIT {
            return Err(ArithmeticError::ExponentOutOfRange);
        }
        let drop = excess as u32;
        let (mut kept, lost) = self.coefficient.split(drop);
        if is_half_or_more(&lost, drop) {
            let before = kept.digits();
            kept = kept.add(&Coefficient::Small(1));
            if kept.digits() > before {
                kept = kept.split(1).0;
                excess += 1;
            }
        }
        self.coefficient = kept;
        self.set_exponent(&[i64::from(self.exponent), excess])?;
        Ok(self)
    }

    /// The sum at 34 digits.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.add_signed(other, other.negative, PRECISION)
    }

    /// The difference at 34 digits.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.add_signed(other, !other.negative, PRECISION)
    }

    pub(super) fn add_signed(&self, other: &Self, negative: bool, precision: u32) -> Result<Self> {
        if self.form == Form::NaN || other.form == Form::NaN {
            return Ok(Self::NAN);
        }
        match (self.form == Form::Infinite, other.form == Form::Infinite) {
            (true, true) if self.negative != negative => {
                return Err(ArithmeticError::InvalidOperation);
            }
            (true, _) => return Ok(self.clone()),
            (false, true) => return Ok(Self::INFINITY.with_sign(negative)),
            (false, false) => {}
        }
        let (a, b, exponent) = align(self, other, "add")?;
        let sum = if self.negative == negative {
            Self::new(self.negative, a.add(&b), exponent)
        } else {
            let negative = match a.order(&b) {
                Ordering::Greater => self.negative,
                Ordering::Less => negative,
                Ordering::Equal => false,
            };
            Self::new(negative, a.distance(&b), exponent)
        };
        sum.rounded(precision)
    }

    /// The product at 34 digits.
    pub fn mul(&self, other: &Self) -> Result<Self> {
        self.mul_at(other, PRECISION)
    }

    pub(super) fn mul_at(&self, other: &Self, precision: u32) -> Result<Self> {
        if self.form == Form::NaN || other.form == Form::NaN {
            return Ok(Self::NAN);
        }
        let negative = self.negative != other.negative;
        if self.form == Form::Infinite || other.form == Form::Infinite {
            if self.is_zero() || other.is_zero() {
                return Err(ArithmeticError::InvalidOperation);
            }
            return Ok(Self::INFINITY.with_sign(negative));
        }
        let mut out = Self::new(negative, self.coefficient.mul(&other.coefficient), 0);
        out.set_exponent(&[i64::from(self.exponent), i64::from(other.exponent)])?;
        out.rounded(precision)
    }

    /// The quotient at 34 digits with all of them written out (`2/1` has 33 zeros).
    pub fn quo(&self, other: &Self) -> Result<Self> {
        self.quo_at(other, PRECISION)
    }

    pub(super) fn quo_at(&self, other: &Self, precision: u32) -> Result<Self> {
        let negative = self.negative != other.negative;
        if let Some(special) = self.quo_special(other, negative, precision)? {
            return Ok(special);
        }
        let shift = i64::from(self.exponent) - i64::from(other.exponent);
        if self.is_zero() {
            let mut out = Self::ZERO.with_sign(negative);
            out.set_exponent(&[shift])?;
            return Ok(out);
        }
        // scale so that the dividend is between one and ten times the divisor
        let excess = self.digits() - other.digits();
        let (mut dividend, mut divisor) = (self.coefficient.clone(), other.coefficient.clone());
        if excess < 0 {
            dividend = dividend.scaled(excess.unsigned_abs() as u32);
        } else {
            divisor = divisor.scaled(excess as u32);
        }
        let mut adjust = -excess;
        if dividend.order(&divisor) == Ordering::Less {
            dividend = dividend.scaled(1);
            adjust += 1;
        }
        let (mut quotient, remainder) = dividend.scaled(precision - 1).div_rem(&divisor);
        let twice = remainder.mul(&Coefficient::Small(2));
        if !remainder.is_zero() && twice.order(&divisor) != Ordering::Less {
            quotient = quotient.add(&Coefficient::Small(1));
        }
        let mut out = Self::new(negative, quotient, 0);
        out.set_exponent(&[shift, -adjust, -(i64::from(precision) - 1)])?;
        Ok(out)
    }

    fn quo_special(&self, other: &Self, negative: bool, precision: u32) -> Result<Option<Self>> {
        if self.form == Form::NaN || other.form == Form::NaN {
            return Ok(Some(Self::NAN));
        }
        match (self.form == Form::Infinite, other.form == Form::Infinite) {
            (true, true) => return Err(ArithmeticError::InvalidOperation),
            (true, false) => return Ok(Some(Self::INFINITY.with_sign(negative))),
            (false, true) => {
                let mut zero = Self::ZERO.with_sign(negative);
                zero.exponent = -(EXPONENT_LIMIT as i32) - precision as i32 + 1;
                return Ok(Some(zero));
            }
            (false, false) => {}
        }
        if !other.is_zero() {
            return Ok(None);
        }
        Err(if self.is_zero() {
            ArithmeticError::DivisionUndefined
        } else {
            ArithmeticError::DivisionByZero
        })
    }

    /// The quotient as `/` shows it: trailing zeros go into the exponent, and one zero comes back
    /// where
    /// that leaves no fraction digit.
    pub fn quo_reduced(&self, other: &Self) -> Result<Self> {
        Ok(self.quo(other)?.reduced_keeping_point())
    }

    /// Without trailing zeros; zero loses its exponent and sign.
    pub fn reduced(mut self) -> Self {
        if self.form != Form::Finite {
            return self;
        }
        if self.coefficient.is_zero() {
            return Self::ZERO;
        }
        for step in [16, 4, 1] {
            loop {
                let (quotient, rest) = self.coefficient.split(step);
                if !rest.is_zero() {
                    break;
                }
                self.coefficient = quotient;
                self.exponent += step as i32;
            }
        }
        self
    }

    pub(super) fn reduced_keeping_point(self) -> Self {
        let fraction = self.exponent < 0;
        let mut out = self.reduced();
        if out.form == Form::Finite && fraction && out.exponent >= 0 {
            out.exponent -= 1;
            out.coefficient = out.coefficient.scaled(1);
        }
        out
    }
}

/// Whether `lost` is at least half of ten to the power of `digits`.
fn is_half_or_more(lost: &Coefficient, digits: u32) -> bool {
    if lost.is_zero() {
        return false;
    }
    let half = Coefficient::Small(5).scaled(digits - 1);
    lost.order(&half) != Ordering::Less
}
