//! Exponential, logarithms, powers and roots at 34 digits.

use super::arith::{ArithmeticError, PRECISION, Result};
use super::decimal::{Decimal, Form};
use super::parse::parse_decimal;
use num_bigint::{BigInt, BigUint, Sign};

/// Digits of intermediate results.
const WORK: u32 = PRECISION + 26;

/// The natural logarithm of ten.
const LN10: &str =
    "2.302585092994045684017991454684364207601101488628772976033327900967572609677352480";

/// Largest argument of the exponential: beyond it the result is out of range.
const EXP_LIMIT: i64 = 23_000;

/// Most terms of a series.
const TERMS: u32 = 2_000;

fn add(a: &Decimal, b: &Decimal) -> Result<Decimal> {
    a.add_signed(b, b.is_negative(), WORK)
}

fn sub(a: &Decimal, b: &Decimal) -> Result<Decimal> {
    a.add_signed(b, !b.is_negative(), WORK)
}

fn mul(a: &Decimal, b: &Decimal) -> Result<Decimal> {
    a.mul_at(b, WORK)
}

fn quo(a: &Decimal, b: &Decimal) -> Result<Decimal> {
    a.quo_at(b, WORK)
}

fn int(value: i64) -> Decimal {
    Decimal::from_i64(value)
}

fn ln10() -> Decimal {
    parse_decimal(LN10).unwrap_or(Decimal::ZERO)
}

/// Whether a term no longer changes a sum of about one.
fn is_negligible(term: &Decimal) -> bool {
    term.is_zero() || term.digits() + i64::from(term.exponent()) < -i64::from(WORK)
}

impl Decimal {
    /// e to the power of the value. Fails beyond the range of exponents.
    pub fn exp(&self) -> Result<Self> {
        match self.form {
            Form::NaN => return Ok(Self::NAN),
            Form::Infinite if self.negative => return Ok(Self::ZERO),
            Form::Infinite => return Ok(Self::INFINITY),
            Form::Finite => {}
        }
        if self.is_zero() {
            return Ok(int(1));
        }
        self.exp_exact()?.rounded(PRECISION)
    }

    fn exp_exact(&self) -> Result<Self> {
        if self.abs().order(&int(EXP_LIMIT)).is_gt() {
            return Err(ArithmeticError::Overflow);
        }
        // e^x = 10^k · e^r with |r| below ln(10)
        let k = quo(self, &ln10())?
            .to_integral()
            .and_then(|k| k.to_i64())
            .unwrap_or(0);
        let r = sub(self, &mul(&int(k), &ln10())?)?;
        let (mut sum, mut term) = (int(1), int(1));
        for n in 1..TERMS {
            term = quo(&mul(&term, &r)?, &int(i64::from(n)))?;
            sum = add(&sum, &term)?;
            if is_negligible(&term) {
                break;
            }
        }
        let exponent = i64::from(sum.exponent) + k;
        sum.set_exponent(&[exponent])?;
        Ok(sum)
    }

    /// The natural logarithm. Negative numbers have none; that of zero is minus infinity.
    pub fn ln(&self) -> Result<Self> {
        match self.log_special()? {
            Some(special) => Ok(special),
            None => self.ln_exact()?.rounded(PRECISION),
        }
    }

    fn log_special(&self) -> Result<Option<Self>> {
        if self.form == Form::NaN {
            return Ok(Some(Self::NAN));
        }
        if self.sign() < 0 {
            return Err(ArithmeticError::InvalidOperation);
        }
        if self.is_zero() {
            return Ok(Some(Self::INFINITY.with_sign(true)));
        }
        if self.form == Form::Infinite {
            return Ok(Some(Self::INFINITY));
        }
        Ok((self.order(&int(1)).is_eq()).then_some(Self::ZERO))
    }

    fn ln_exact(&self) -> Result<Self> {
        let near = sub(self, &int(1))?
            .abs()
            .order(&Self::from_parts(1, -1))
            .is_le();
        if near {
            return ln_near_one(self);
        }
        // to [0.1, 1), then to the neighbourhood of one by square roots of ten
        let shift = self.digits() + i64::from(self.exponent);
        let mut reduced = self.clone();
        reduced.set_exponent(&[i64::from(self.exponent), -shift])?;
        let estimate = Self::from_f64(reduced.to_f64().ln());
        // e^estimate is equal to the number but for the last of 16 digits
        let rest = quo(&reduced, &estimate.exp_exact()?)?;
        let log = add(&estimate, &ln_near_one(&rest)?)?;
        add(&log, &mul(&int(shift), &ln10())?)
    }

    /// The logarithm to the base of ten.
    pub fn log10(&self) -> Result<Self> {
        match self.log_special()? {
            Some(special) => Ok(special),
            None => quo(&self.ln_exact()?, &ln10())?.rounded(PRECISION),
        }
    }

    /// The logarithm to the base of two: a quotient, without trailing zeros.
    pub fn log2(&self) -> Result<Self> {
        let two = int(2).ln()?;
        self.ln()?.quo_reduced(&two)
    }

    /// The value to the power of another.
    pub fn pow(&self, y: &Self) -> Result<Self> {
        if self.form == Form::NaN || y.form == Form::NaN {
            return Ok(Self::NAN);
        }
        let whole = y.truncated();
        let y_int = y.is_integral();
        let odd = y_int
            && whole
                .as_ref()
                .and_then(|w| w.to_bigint())
                .is_some_and(|w| w.bit(0));
        let negative = self.negative && odd;
        if let Some(special) = self.pow_special(y, y_int)? {
            return Ok(special.with_sign(negative));
        }
        let precision = PRECISION.max(self.digits().min(100_000) as u32) + 10;
        let exponent = whole.and_then(|w| w.to_bigint()).unwrap_or_default();
        let power = self.integer_power(&exponent, precision)?;
        if y_int {
            return power.rounded(PRECISION);
        }
        let fraction = sub(y, &Self::from_bigint(&exponent))?;
        let root = mul(&self.abs().ln_exact()?, &fraction)?.exp_exact()?;
        Ok(mul(&power, &root)?.rounded(PRECISION)?.with_sign(negative))
    }

    fn pow_special(&self, y: &Self, y_int: bool) -> Result<Option<Self>> {
        if self.form == Form::Infinite {
            return Ok(Some(match y.sign() {
                0 => int(1),
                _ if self.negative && !y_int => return Err(ArithmeticError::InvalidOperation),
                -1 => Self::ZERO,
                _ => Self::INFINITY,
            }));
        }
        if self.is_zero() {
            return match y.sign() {
                0 => Err(ArithmeticError::InvalidOperation),
                1 => Ok(Some(Self::ZERO)),
                _ => Ok(Some(Self::INFINITY)),
            };
        }
        if y.is_zero() {
            return Ok(Some(int(1)));
        }
        if self.sign() < 0 && !y_int {
            return Err(ArithmeticError::InvalidOperation);
        }
        Ok(None)
    }

    /// By squaring; a negative power is a division with all its digits.
    fn integer_power(&self, exponent: &BigInt, precision: u32) -> Result<Self> {
        let mut left: BigUint = exponent.magnitude().clone();
        let (mut out, mut square) = (int(1), self.clone());
        while left.bits() > 0 {
            if left.bit(0) {
                out = out.mul_at(&square, precision)?;
            }
            left >>= 1;
            if left.bits() > 0 {
                square = square.mul_at(&square, precision)?;
            }
        }
        if exponent.sign() == Sign::Minus {
            int(1).quo_at(&out, precision)
        } else {
            Ok(out)
        }
    }

    /// The cube root.
    pub fn cbrt(&self) -> Result<Self> {
        if self.form != Form::Finite {
            return Ok(self.clone());
        }
        if self.is_zero() {
            let mut zero = self.clone();
            zero.exponent /= 3;
            return Ok(zero);
        }
        let x = self.abs();
        // to [1, 1000) by powers of a thousand
        let shift = (x.digits() + i64::from(x.exponent) - 1).div_euclid(3);
        let mut reduced = x;
        reduced.set_exponent(&[i64::from(reduced.exponent), -3 * shift])?;
        let mut z = Self::from_f64(reduced.to_f64().cbrt());
        for _ in 0..6 {
            // z = (2z + x/z²) / 3
            let step = quo(&reduced, &mul(&z, &z)?)?;
            z = quo(&add(&add(&z, &z)?, &step)?, &int(3))?;
        }
        z.set_exponent(&[i64::from(z.exponent), shift])?;
        Ok(z.rounded(PRECISION)?.with_sign(self.negative))
    }
}

/// 2 · Σ q^(2n+1) / (2n+1) with q = (x-1)/(x+1).
fn ln_near_one(x: &Decimal) -> Result<Decimal> {
    let q = quo(&sub(x, &int(1))?, &add(x, &int(1))?)?;
    let square = mul(&q, &q)?;
    let mut power = add(&q, &q)?;
    let mut sum = power.clone();
    for n in 1..TERMS {
        power = mul(&power, &square)?;
        let term = quo(&power, &int(i64::from(2 * n + 1)))?;
        sum = add(&sum, &term)?;
        if is_negligible(&term)
            || term.digits() + i64::from(term.exponent())
                < sum.digits() + i64::from(sum.exponent()) - i64::from(WORK)
        {
            break;
        }
    }
    Ok(sum)
}
