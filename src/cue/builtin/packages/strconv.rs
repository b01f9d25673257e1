//! `strconv`: numbers and quoted texts to values and back, in the syntax of Go.

use crate::builtin::call::Call;
use crate::builtin::float_format::{self, format_float};
use crate::builtin::host::{Data, Failure, Outcome, Scalar};
use crate::builtin::kind::Kind;
use crate::builtin::quote::{Keep, quote_go, quote_with};
use crate::builtin::registry::{
    ANY, BOOL, INT, Member, NUMBER, Package, STRING, constant, function,
};
use crate::builtin::unicode;
use crate::number::parse_literal;
use crate::syntax::literal::{Content, unquote};
use num_bigint::{BigInt, BigUint, Sign};

pub(super) static PACKAGE: Package = Package {
    path: "strconv",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Unquote", &[STRING], Kind::STRING, unquoted),
    function("ParseBool", &[STRING], Kind::BOOL, parse_bool),
    function("FormatBool", &[BOOL], Kind::STRING, |c| {
        Ok(c.bool(0)?.to_string().into())
    }),
    function("ParseFloat", &[STRING, INT], Kind::NUMBER, parse_float),
    function("ParseNumber", &[STRING], Kind::NUMBER, parse_number),
    constant("IntSize", "64"),
    function("ParseUint", &[STRING, INT, INT], Kind::INT, |c| {
        let (text, base, bits) = (c.string(0)?, c.int(1)?, c.int(2)?);
        parse_int("ParseUint", &text, base, bits, false)
    }),
    function("ParseInt", &[STRING, INT, INT], Kind::INT, |c| {
        let (text, base, bits) = (c.string(0)?, c.int(1)?, c.int(2)?);
        parse_int("ParseInt", &text, base, bits, true)
    }),
    function("Atoi", &[STRING], Kind::INT, |c| {
        parse_int("Atoi", &c.string(0)?, 10, 0, true)
    }),
    function(
        "FormatFloat",
        &[NUMBER, ANY, INT, INT],
        Kind::STRING,
        format_number,
    ),
    function("FormatUint", &[INT, INT], Kind::STRING, format_int),
    function("FormatInt", &[INT, INT], Kind::STRING, format_int),
    function("Quote", &[STRING], Kind::STRING, |c| {
        Ok(quote_go(&c.string(0)?).into())
    }),
    function("QuoteToASCII", &[STRING], Kind::STRING, |c| {
        Ok(quote_with(&c.string(0)?, '"', Keep::Ascii).into())
    }),
    function("QuoteToGraphic", &[STRING], Kind::STRING, |c| {
        Ok(quote_with(&c.string(0)?, '"', Keep::Graphic).into())
    }),
    function("QuoteRune", &[INT], Kind::STRING, |c| {
        quote_rune(c, Keep::Printable)
    }),
    function("QuoteRuneToASCII", &[INT], Kind::STRING, |c| {
        quote_rune(c, Keep::Ascii)
    }),
    function("QuoteRuneToGraphic", &[INT], Kind::STRING, |c| {
        quote_rune(c, Keep::Graphic)
    }),
    function("IsPrint", &[INT], Kind::BOOL, |c| {
        Ok(code_point(c.rune(0)?).is_some_and(unicode::is_print).into())
    }),
    function("IsGraphic", &[INT], Kind::BOOL, |c| {
        Ok(code_point(c.rune(0)?)
            .is_some_and(unicode::is_graphic)
            .into())
    }),
];

fn code_point(rune: i64) -> Option<char> {
    u32::try_from(rune).ok().and_then(char::from_u32)
}

fn unquoted(c: &mut Call<'_>) -> Outcome {
    let text = c.string(0)?;
    if let Some(fault) = fault_of_quotes(&text) {
        return Failure::fatal(fault);
    }
    match unquote(&text) {
        Ok(Content::String(text)) => Ok(text.into()),
        Ok(Content::Bytes(bytes)) => Ok(String::from_utf8_lossy(&bytes).into_owned().into()),
        Err(cause) => Failure::fatal(cause.to_string()),
    }
}

/// What is wrong with the quotes of a literal that no scanner looked at.
fn fault_of_quotes(text: &str) -> Option<&'static str> {
    let (syntax, unmatched) = ("invalid syntax", "invalid string: unmatched quote");
    let rest = text.trim_start_matches('#');
    let hashes = &text[..text.len() - rest.len()];
    let mark = match rest.chars().next() {
        Some(mark @ ('"' | '\'')) => mark.to_string(),
        _ => return Some(syntax),
    };
    let after = rest.strip_prefix(&mark.repeat(3));
    let multi = after.is_some_and(|after| !after.is_empty() && !after.starts_with('#'));
    if multi && !after.is_some_and(|after| after.starts_with(['\n', '\r'])) {
        return Some(
            "invalid string: opening quote of multiline string must be followed by newline",
        );
    }
    let end = mark.repeat(if multi { 3 } else { 1 }) + hashes;
    if !text.ends_with(&end) {
        return Some(unmatched);
    }
    if multi {
        return None;
    }
    let escape = format!("\\{hashes}");
    let mut body = &rest[1..];
    loop {
        if let Some(tail) = body.strip_prefix(&end) {
            return (!tail.is_empty()).then_some(syntax);
        }
        let skipped = match body.strip_prefix(&escape) {
            Some(tail) => tail,
            None => body,
        };
        let mut rest = skipped.chars();
        rest.next()?;
        body = rest.as_str();
        if body.is_empty() {
            return Some(unmatched);
        }
    }
}

fn quote_rune(c: &mut Call<'_>, keep: Keep) -> Outcome {
    let rune = code_point(c.rune(0)?).unwrap_or('\u{fffd}');
    Ok(quote_with(&rune.to_string(), '\'', keep).into())
}

fn failed<T>(function: &str, text: &str, cause: &str) -> Result<T, Failure> {
    Failure::fatal(format!(
        "strconv.{function}: parsing {}: {cause}",
        quote_go(text)
    ))
}

fn parse_bool(c: &mut Call<'_>) -> Outcome {
    let text = c.string(0)?;
    match text.as_str() {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true.into()),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false.into()),
        _ => failed("ParseBool", &text, "invalid syntax"),
    }
}

fn parse_float(c: &mut Call<'_>) -> Outcome {
    let (text, bits) = (c.string(0)?, c.int(1)?);
    match float_format::parse_float(&text, bits) {
        Some(value) if value.is_infinite() && !float_format::names_infinity(&text) => {
            failed("ParseFloat", &text, "value out of range")
        }
        Some(value) => Ok(value.into()),
        None => failed("ParseFloat", &text, "invalid syntax"),
    }
}

fn parse_number(c: &mut Call<'_>) -> Outcome {
    let text = c.string(0)?;
    match parse_literal(&text) {
        Ok(number) => Ok(Data::decimal(number.value)),
        Err(cause) => failed("ParseNumber", &text, &cause.to_string()),
    }
}

fn parse_int(function: &str, text: &str, base: i64, bits: i64, signed: bool) -> Outcome {
    if bits < 0 {
        return failed(function, text, "value out of range");
    }
    if base != 0 && !(2..=62).contains(&base) {
        return Failure::fatal(format!("invalid number base {base}"));
    }
    let Some(value) = read_int(text, base as u32) else {
        return failed(function, text, "invalid syntax");
    };
    let fits = if signed {
        // two's complement: one more on the negative side
        let magnitude = if value.sign() == Sign::Minus {
            -(&value + BigInt::from(1))
        } else {
            value.clone()
        };
        bits == 0 || (magnitude.bits() as i64) < bits
    } else {
        value.sign() != Sign::Minus && (bits == 0 || value.bits() as i64 <= bits)
    };
    if fits {
        Ok(value.into())
    } else {
        failed(function, text, "value out of range")
    }
}

/// An integer in a base of 2 to 62, or with a prefix and separators where the base is 0.
fn read_int(text: &str, base: u32) -> Option<BigInt> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let automatic = base == 0;
    let (base, digits, prefixed) = match base {
        0 => match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => (16, &digits[2..], true),
            [b'0', b'b' | b'B', ..] => (2, &digits[2..], true),
            [b'0', b'o' | b'O', ..] => (8, &digits[2..], true),
            [b'0', _, ..] => (8, &digits[1..], true),
            _ => (10, digits, false),
        },
        base => (base, digits, false),
    };
    if text.contains('_') && !(automatic && separators_allowed(digits, prefixed)) {
        return None;
    }
    let mut value = BigUint::ZERO;
    let mut any = false;
    for byte in digits.bytes().filter(|b| *b != b'_') {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'z' => byte - b'a' + 10,
            b'A'..=b'Z' if base <= 36 => byte - b'A' + 10,
            b'A'..=b'Z' => byte - b'A' + 36,
            _ => return None,
        };
        if u32::from(digit) >= base {
            return None;
        }
        value = value * base + digit;
        any = true;
    }
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    any.then(|| BigInt::from_biguint(sign, value))
}

/// Separators stand between digits, or between a prefix and digits.
fn separators_allowed(digits: &str, prefixed: bool) -> bool {
    !digits.ends_with('_') && !digits.contains("__") && (prefixed || !digits.starts_with('_'))
}

fn format_int(c: &mut Call<'_>) -> Outcome {
    let (value, base) = (c.bigint(0)?, c.int(1)?);
    if !(2..=62).contains(&base) {
        return Failure::fatal("invalid base");
    }
    const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let digits = value.magnitude().to_radix_be(base as u32);
    let mut out = String::new();
    if value.sign() == Sign::Minus {
        out.push('-');
    }
    out.extend(
        digits
            .into_iter()
            .map(|d| char::from(DIGITS[usize::from(d)])),
    );
    Ok(out.into())
}

fn format_number(c: &mut Call<'_>) -> Outcome {
    let value = c.float(0)?;
    let handle = c.concrete(1)?;
    let format = match c.host.scalar(handle) {
        Some(Scalar::String(text)) => match *text.as_bytes() {
            [byte] => byte,
            _ => return Failure::fatal("expected single character string"),
        },
        Some(Scalar::Number(number)) if number.is_int() => {
            match number.value.to_i64().map(u8::try_from) {
                Some(Ok(byte)) => byte,
                _ => {
                    let n = number.text();
                    return Failure::fatal(format!("format value {n} out of range [0, 255]"));
                }
            }
        }
        _ => {
            let kind = c.host.kind(handle);
            return Failure::fatal(format!("unexpected kind {kind}"));
        }
    };
    let (precision, bits) = (c.int(2)?, c.int(3)?);
    match format_float(value, format, precision, bits) {
        Some(text) => Ok(text.into()),
        None => Failure::fatal("strconv: illegal AppendFloat/FormatFloat bitSize"),
    }
}
