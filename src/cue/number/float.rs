//! Between decimals and 64-bit floats.

use super::coefficient::Coefficient;
use super::decimal::{Decimal, Form};

impl Decimal {
    /// The shortest decimal that reads back as `value`, trailing zeros in the exponent (`120` is
    /// 12·10).
    pub fn from_f64(value: f64) -> Self {
        if value.is_nan() {
            return Self::NAN;
        }
        if value.is_infinite() {
            return Self::INFINITY.with_sign(value < 0.0);
        }
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let negative = mantissa.starts_with('-');
        let digits = mantissa.trim_start_matches('-');
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        // at most 17 digits and an exponent of three, by the format of a 64-bit float
        let coefficient: u64 = format!("{whole}{fraction}").parse().unwrap_or(0);
        let exponent = exponent.parse::<i32>().unwrap_or(0) - fraction.len() as i32;
        Self::new(negative, Coefficient::Small(coefficient), exponent)
    }

    /// The nearest 64-bit float; infinite when too large.
    pub fn to_f64(&self) -> f64 {
        let magnitude = match self.form {
            Form::NaN => f64::NAN,
            Form::Infinite => f64::INFINITY,
            Form::Finite => format!("{}e{}", self.coefficient.text(), self.exponent)
                .parse()
                .unwrap_or(f64::NAN),
        };
        if self.negative { -magnitude } else { magnitude }
    }
}
