//! What a plain scalar means.

/// The meaning of a plain scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Plain {
    Null,
    Bool(bool),
    /// A number, as a literal of the language.
    Number(String),
    String,
}

/// Resolves a plain scalar by the rules of YAML 1.1 that the reference implementation keeps.
pub(super) fn resolve(text: &str) -> Plain {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Plain::Null,
        "true" | "True" | "TRUE" => return Plain::Bool(true),
        "false" | "False" | "FALSE" => return Plain::Bool(false),
        _ => {}
    }
    let first = text.as_bytes()[0];
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.')) {
        return Plain::String;
    }
    match integer(text).or_else(|| float(text)) {
        Some(literal) => Plain::Number(literal),
        None => Plain::String,
    }
}

fn sign(text: &str) -> (&str, &str) {
    match text.as_bytes().first() {
        Some(b'-') => ("-", &text[1..]),
        Some(b'+') => ("", &text[1..]),
        _ => ("", text),
    }
}

/// Integers in base 10, and with `0x`, `0o`, `0b` or a leading zero in others.
fn integer(text: &str) -> Option<String> {
    let (sign, body) = sign(text);
    let plain: String = body.chars().filter(|c| *c != '_').collect();
    let all =
        |digits: &str, base: u32| !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
    for (prefix, base) in [("0x", 16), ("0X", 16), ("0b", 2), ("0o", 8)] {
        if let Some(digits) = plain.strip_prefix(prefix) {
            let lower = prefix.to_ascii_lowercase();
            return all(digits, base).then(|| format!("{sign}{lower}{digits}"));
        }
    }
    if plain.len() > 1 && plain.starts_with('0') {
        return all(&plain, 8).then(|| format!("{sign}0o{}", &plain[1..]));
    }
    all(&plain, 10).then(|| format!("{sign}{plain}"))
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, if it is a number of 64 bits.
fn float(text: &str) -> Option<String> {
    let (sign, body) = sign(text);
    let plain: String = body.chars().filter(|c| *c != '_').collect();
    let (mantissa, exponent) = match plain.find(['e', 'E']) {
        Some(at) => (&plain[..at], Some(&plain[at + 1..])),
        None => (plain.as_str(), None),
    };
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => digits(fraction),
        Some((whole, fraction)) => digits(whole) && (fraction.is_empty() || digits(fraction)),
        None => digits(mantissa),
    };
    let exponent_fits = exponent.is_none_or(|e| digits(e.strip_prefix(['-', '+']).unwrap_or(e)));
    if !mantissa_fits || !exponent_fits || !plain.parse::<f64>().is_ok_and(f64::is_finite) {
        return None;
    }
    Some(format!("{sign}{plain}"))
}
