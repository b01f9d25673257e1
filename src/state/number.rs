//! Exact decimal numbers, in the one form that records and hashes use.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// An exact decimal number. Held as canonical text: an optional `-`, digits without leading
/// zeros, and a fraction without trailing zeros; no exponent, no `-0`. Two numbers are equal when
/// their texts are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number(Arc<str>);

/// The largest power of ten, up or down, that is written out.
const MAX_EXPONENT: i64 = 5000;

impl Number {
    /// Reads a JSON or CUE decimal such as `12`, `-0.50` or `1e3`.
    ///
    /// Returns nothing when the text is no decimal or its exponent is beyond 5000 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: String = [whole, fraction].concat();
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        if exponent.abs() > MAX_EXPONENT {
            return digits.bytes().all(|b| b == b'0').then(|| Self("0".into()));
        }
        Some(Self(
            canonical(negative, &digits, whole.len() as i64 + exponent).into(),
        ))
    }

    /// The number a binary double stands for in its shortest decimal form; nothing for an
    /// infinity or not-a-number.
    pub fn from_f64(value: f64) -> Option<Self> {
        value
            .is_finite()
            .then(|| Self::parse(&format!("{value:e}")))?
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number as an integer of 64 bits, when it is one.
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The nearest binary double.
    pub fn as_f64(&self) -> f64 {
        self.0.parse().expect("canonical text is a decimal")
    }

    /// Whether the number has no fraction.
    pub fn is_integer(&self) -> bool {
        !self.0.contains('.')
    }
}

/// Text of `0.DIGITS` times ten to the `point`.
fn canonical(negative: bool, digits: &str, point: i64) -> String {
    let leading = digits.bytes().take_while(|b| *b == b'0').count();
    let digits = digits[leading..].trim_end_matches('0');
    let point = point - leading as i64;
    if digits.is_empty() {
        return "0".into();
    }
    let sign = if negative { "-" } else { "" };
    let length = digits.len() as i64;
    if point <= 0 {
        format!(
            "{sign}0.{}{digits}",
            "0".repeat(point.unsigned_abs() as usize)
        )
    } else if point >= length {
        format!("{sign}{digits}{}", "0".repeat((point - length) as usize))
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{sign}{whole}.{fraction}")
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(value.to_string().into())
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(value.to_string().into())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let negative = |n: &Self| n.0.starts_with('-');
        match (negative(self), negative(other)) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => magnitude(&self.0, &other.0),
            (true, true) => magnitude(&other.0[1..], &self.0[1..]),
        }
    }
}

fn magnitude(a: &str, b: &str) -> Ordering {
    let (a_whole, a_fraction) = a.split_once('.').unwrap_or((a, ""));
    let (b_whole, b_fraction) = b.split_once('.').unwrap_or((b, ""));
    (a_whole.len(), a_whole, a_fraction).cmp(&(b_whole.len(), b_whole, b_fraction))
}

#[cfg(test)]
mod tests;
