//! Escapes of single characters.

use super::parse::{Failed, error};

fn next(text: &str) -> (Option<char>, &str) {
    let mut chars = text.chars();
    let c = chars.next();
    (c, chars.as_str())
}

/// Reads an escape; `text` starts with the backslash. Returns the code point and what follows.
pub(super) fn parse_escape(text: &str) -> Result<(u32, &str), Failed> {
    let (c, rest) = next(&text[1..]);
    let Some(c) = c else {
        return Err(error("trailing backslash at end of expression", ""));
    };
    let invalid = |rest: &str| {
        Err(error(
            "invalid escape sequence",
            &text[..text.len() - rest.len()],
        ))
    };
    match c {
        '1'..='7' if !rest.starts_with(|d| ('0'..='7').contains(&d)) => invalid(rest),
        '0'..='7' => Ok(octal(c, rest)),
        'x' => hexadecimal(rest).or_else(invalid),
        'a' => Ok((7, rest)),
        'f' => Ok((12, rest)),
        'n' => Ok((10, rest)),
        'r' => Ok((13, rest)),
        't' => Ok((9, rest)),
        'v' => Ok((11, rest)),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok((u32::from(c), rest)),
        _ => invalid(rest),
    }
}

fn octal(first: char, mut rest: &str) -> (u32, &str) {
    let mut code = first as u32 - '0' as u32;
    for _ in 1..3 {
        match rest.as_bytes().first() {
            Some(digit @ b'0'..=b'7') => {
                code = code * 8 + u32::from(digit - b'0');
                rest = &rest[1..];
            }
            _ => break,
        }
    }
    (code, rest)
}

/// The digits of `\x`; the error is what follows the faulty part.
fn hexadecimal(text: &str) -> Result<(u32, &str), &str> {
    let (Some(first), mut rest) = next(text) else {
        return Err(text);
    };
    if first != '{' {
        let (second, after) = next(rest);
        return match (first.to_digit(16), second.and_then(|c| c.to_digit(16))) {
            (Some(high), Some(low)) => Ok((high << 4 | low, after)),
            _ => Err(after),
        };
    }
    let (mut code, mut digits) = (0u32, 0);
    loop {
        let (c, after) = next(rest);
        match c {
            None => return Err(after),
            Some('}') => {
                return if digits == 0 {
                    Err(after)
                } else {
                    Ok((code, after))
                };
            }
            Some(c) => match c.to_digit(16) {
                Some(digit) if code << 4 | digit <= 0x10_ffff => code = code << 4 | digit,
                _ => return Err(after),
            },
        }
        digits += 1;
        rest = after;
    }
}
