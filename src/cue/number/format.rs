//! Decimal to text: the to-scientific-string of the General Decimal Arithmetic, and plain digits.

use super::decimal::{Decimal, Form};
use std::fmt;

/// Zeros with more fraction digits than this print with an exponent.
const ZERO_DIGITS_LIMIT: i32 = 2000;

impl Decimal {
    fn push_sign_or_special(&self, out: &mut String) -> bool {
        if self.negative {
            out.push('-');
        }
        match self.form {
            Form::Finite => return false,
            Form::NaN => out.push_str("NaN"),
            Form::Infinite => out.push_str("Infinity"),
        }
        true
    }

    /// `1.50`, `1E+3`, `0.000001`, `1E-7`: plain digits where the exponent is at most 0 and the
    /// first
    /// digit stands at or above 10⁻⁶.
    pub fn to_scientific(&self) -> String {
        let mut out = String::new();
        if self.push_sign_or_special(&mut out) {
            return out;
        }
        let digits = self.coefficient.text();
        let mut length = digits.len() as i64;
        if self.coefficient.is_zero() && (-ZERO_DIGITS_LIMIT..0).contains(&self.exponent) {
            length -= i64::from(self.exponent);
        }
        if self.exponent <= 0 && i64::from(self.exponent) + length > -6 {
            self.push_plain(&digits, &mut out);
        } else {
            self.push_exponent(&digits, 'E', &mut out);
        }
        out
    }

    /// All digits without an exponent.
    pub fn to_plain(&self) -> String {
        let mut out = String::new();
        if !self.push_sign_or_special(&mut out) {
            self.push_plain(&self.coefficient.text(), &mut out);
        }
        out
    }

    fn push_plain(&self, digits: &str, out: &mut String) {
        if self.exponent >= 0 {
            out.push_str(digits);
            out.extend(std::iter::repeat_n(
                '0',
                self.exponent.unsigned_abs() as usize,
            ));
            return;
        }
        let places = self.exponent.unsigned_abs() as usize;
        if places >= digits.len() {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', places - digits.len()));
            out.push_str(digits);
        } else {
            let (whole, fraction) = digits.split_at(digits.len() - places);
            out.push_str(whole);
            out.push('.');
            out.push_str(fraction);
        }
    }

    fn push_exponent(&self, digits: &str, letter: char, out: &mut String) {
        let (first, rest) = digits.split_at(1);
        out.push_str(first);
        if !rest.is_empty() {
            out.push('.');
            out.push_str(rest);
        }
        let adjusted = i64::from(self.exponent) + digits.len() as i64 - 1;
        out.push(letter);
        out.push(if adjusted < 0 { '-' } else { '+' });
        out.push_str(&adjusted.unsigned_abs().to_string());
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_scientific())
    }
}
