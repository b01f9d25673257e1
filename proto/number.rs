//! Which form a number has on the wire.

use pravo_state::Number;

/// The form of a number in msgpack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form<'a> {
    /// A whole number of 64 bits, in the fewest bytes.
    Integer(i64),
    /// A fraction that a double holds exactly.
    Double(f64),
    /// Everything else, as decimal text.
    Text(&'a str),
}

/// Chooses the form.
pub(crate) fn form(number: &Number) -> Form<'_> {
    if let Some(integer) = number.as_i64() {
        return Form::Integer(integer);
    }
    let text = number.as_str();
    match text.split_once('.') {
        Some((_, fraction)) => match exact_double(text, fraction.len()) {
            Some(double) => Form::Double(double),
            None => Form::Text(text),
        },
        None => Form::Text(text),
    }
}

/// The double that is exactly the decimal of that text, which has so many fraction digits and
/// ends in none that is zero. A double with `n` binary fraction digits has exactly `n` decimal
/// ones, so its text to that many digits is exact.
fn exact_double(text: &str, fraction_digits: usize) -> Option<f64> {
    let double: f64 = text.parse().ok()?;
    let same = binary_fraction_digits(double) == fraction_digits
        && format!("{double:.fraction_digits$}") == text;
    same.then_some(double)
}

fn binary_fraction_digits(double: f64) -> usize {
    let bits = double.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | (1 << 52), exponent - 1075),
    };
    if mantissa == 0 {
        return 0;
    }
    let digits = -exponent - i64::from(mantissa.trailing_zeros());
    usize::try_from(digits).unwrap_or(0)
}

/// The number that a double on the wire is: exact where it is whole, its shortest decimal text
/// where it is not. Nothing for an infinity or not-a-number.
pub(crate) fn from_double(double: f64) -> Option<Number> {
    if double.is_finite() && double.fract() == 0.0 {
        return Number::parse(&format!("{double:.0}"));
    }
    Number::from_f64(double)
}
