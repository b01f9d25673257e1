//! What a scalar without quotes means.

use crate::number::parse_literal;
use crate::syntax::tree::LitKind;

/// The meaning of a scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Plain {
    Null,
    Bool(bool),
    Number(Literal),
    String,
    Bytes,
}

/// A number as it goes into the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    pub(super) kind: LitKind,
    pub(super) text: String,
    pub(super) negative: bool,
}

/// What a scalar with the tag of a number is.
pub(super) enum Number {
    Is(Literal),
    String,
    /// No number; the text looked at, and why.
    Wrong(String, String),
}

/// The tag of a scalar without one: the rules of YAML 1.1 that the reference keeps.
pub(super) fn resolve(text: &str) -> &'static str {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return "!!null",
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => return "!!bool",
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF"
        | "-.inf" | "-.Inf" | "-.INF" => return "!!float",
        _ => {}
    }
    match text.as_bytes()[0] {
        b'.' if float(text) => "!!float",
        b'0'..=b'9' | b'+' | b'-' => {
            let plain: String = text.chars().filter(|c| *c != '_').collect();
            if integer(&plain) {
                "!!int"
            } else if float(&plain) {
                "!!float"
            } else {
                "!!str"
            }
        }
        _ => "!!str",
    }
}

/// Integers of 64 bits in base 10, and with `0x`, `0o`, `0b` or a leading zero in others.
fn integer(text: &str) -> bool {
    let (negative, signed, body) = match text.as_bytes().first() {
        Some(b'-') => (true, true, &text[1..]),
        Some(b'+') => (false, true, &text[1..]),
        _ => (false, false, text),
    };
    let (digits, base) = match body.get(..2) {
        Some("0x" | "0X") => (&body[2..], 16),
        Some("0b" | "0B") => (&body[2..], 2),
        Some("0o" | "0O") => (&body[2..], 8),
        Some(_) if body.starts_with('0') => (&body[1..], 8),
        _ => (body, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return false;
    }
    match u64::from_str_radix(digits, base) {
        Err(_) => false,
        Ok(n) if negative => n <= 1 << 63,
        Ok(n) => !signed || n < 1 << 63,
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, if it is a number of 64 bits.
fn float(text: &str) -> bool {
    let body = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], Some(&body[at + 1..])),
        None => (body, None),
    };
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => digits(fraction),
        Some((whole, fraction)) => digits(whole) && (fraction.is_empty() || digits(fraction)),
        None => digits(mantissa),
    };
    let exponent_fits = exponent.is_none_or(|e| digits(e.strip_prefix(['-', '+']).unwrap_or(e)));
    mantissa_fits && exponent_fits && body.parse::<f64>().is_ok_and(f64::is_finite)
}

/// A leading zero in base 8, as the language writes it.
fn octal(text: &str, least: u8) -> String {
    match text.as_bytes() {
        [b'0', second, ..] if (least..=b'9').contains(second) => format!("0o{}", &text[1..]),
        _ => text.to_owned(),
    }
}

/// A scalar whose tag says that it is a number.
pub(super) fn number(text: &str, int: bool, implicit: bool) -> Number {
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !int && implicit && unsigned.len() > 1 && unsigned.starts_with('0') && digits(unsigned) {
        return Number::String;
    }
    let literal = |kind, text: &str| match text.strip_prefix('-') {
        Some(rest) => Literal {
            kind,
            text: rest.to_owned(),
            negative: true,
        },
        None => Literal {
            kind,
            text: text.to_owned(),
            negative: false,
        },
    };
    let special = match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => "+Inf",
        "-.inf" | "-.Inf" | "-.INF" => "-Inf",
        ".nan" | ".NaN" | ".NAN" => "NaN",
        _ => "",
    };
    if !int && !special.is_empty() {
        return Number::Is(literal(LitKind::Float, special));
    }
    let value = octal(text, if int { 0 } else { b'0' });
    match parse_literal(&value) {
        Err(e) => Number::Wrong(value, e.to_string()),
        Ok(n) if int && !n.is_int() => Number::Wrong(value, "not a literal number".to_owned()),
        Ok(_) if int => Number::Is(literal(LitKind::Int, &value)),
        // Digits alone would be an integer, and an integer is not a float.
        Ok(_) if !value.contains(['.', 'e', 'E', 'i', 'I', 'n', 'N']) => {
            Number::Is(literal(LitKind::Float, &format!("number & {value}")))
        }
        Ok(_) => Number::Is(literal(LitKind::Float, &value)),
    }
}
