//! Number literals: separators, prefixes, multipliers, exponents; and plain decimal text.

use super::arith::PRECISION;
use super::coefficient::{Coefficient, ten_to};
use super::decimal::Decimal;
use super::{Number, NumberKind};
use num_bigint::BigUint;
use std::fmt;

/// Why a text is no number literal; the text of the error is what the reference says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiteralError {
    /// A NUL byte.
    Nul,
    /// Two separators in a row, or one at the end.
    Separator,
    /// The named part of the literal is missing or wrong, with the literal.
    Illegal(&'static str, String),
    /// The multiplied number has a fraction.
    NotAnInt,
    /// The exponent is outside the range of decimals.
    ExponentOutOfRange(String),
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nul => f.write_str("illegal character NUL"),
            Self::Separator => f.write_str("illegal '_' in number"),
            Self::Illegal(what, source) => write!(f, "{what} {}", crate::builtin::quote_go(source)),
            Self::NotAnInt => f.write_str("number cannot be represented as int"),
            Self::ExponentOutOfRange(source) => {
                write!(
                    f,
                    "exponent out of range in number {}",
                    crate::builtin::quote_go(source)
                )
            }
        }
    }
}

impl std::error::Error for LiteralError {}

/// A suffix of an integer literal: a power of 1000 or, with `i`, of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiplier {
    /// 1 for K up to 5 for P.
    pub power: u32,
    /// Whether the base is 1024.
    pub binary: bool,
}

impl Multiplier {
    fn value(self) -> Decimal {
        let base: u32 = if self.binary { 1024 } else { 1000 };
        Decimal::from_biguint(BigUint::from(base).pow(self.power))
    }
}

/// Reads a whole number literal, with optional sign. Errors name what is wrong in the reference's
/// words.
pub fn parse_literal(source: &str) -> Result<Number, LiteralError> {
    let mut scan = Scan {
        bytes: source.as_bytes(),
        source,
        at: 0,
        digits: String::new(),
    };
    if source.is_empty() {
        return Err(scan.illegal("invalid number"));
    }
    let negative = scan.peek() == Some(b'-');
    if negative || scan.peek() == Some(b'+') {
        scan.at += 1;
    }
    let mut number = scan.number()?;
    number.value.negative = negative;
    Ok(number)
}

struct Scan<'a> {
    bytes: &'a [u8],
    source: &'a str,
    at: usize,
    /// Digits and point, without separators.
    digits: String,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn illegal(&self, what: &'static str) -> LiteralError {
        LiteralError::Illegal(what, self.source.to_owned())
    }

    fn number(&mut self) -> Result<Number, LiteralError> {
        match self.peek() {
            Some(b'.') => {
                self.at += 1;
                self.digits.push_str("0.");
                if !self.mantissa(10)? {
                    return Err(self.illegal("illegal fraction"));
                }
                return self.exponent(true);
            }
            Some(b'0') => {
                self.at += 1;
                if let Some(number) = self.after_zero()? {
                    return Ok(number);
                }
            }
            _ => {
                if !self.mantissa(10)? {
                    return Err(self.illegal("illegal number start"));
                }
            }
        }
        self.fraction()
    }

    /// Prefixed integers and a lone zero; `None` when a fraction, exponent or multiplier follows.
    fn after_zero(&mut self) -> Result<Option<Number>, LiteralError> {
        let (base, what) = match self.peek() {
            Some(b'x' | b'X') => (16, "illegal hexadecimal number"),
            Some(b'b') => (2, "illegal binary number"),
            Some(b'o') => (8, "illegal octal number"),
            _ => {
                let more = self.mantissa(10)?;
                match self.peek() {
                    Some(b'.' | b'e' | b'E') => {
                        if self.digits.is_empty() {
                            self.digits.push('0');
                        }
                        return Ok(None);
                    }
                    _ if more => return Err(self.illegal("illegal integer number")),
                    Some(b'K' | b'M' | b'G' | b'T' | b'P') => {
                        self.digits.push('0');
                        return Ok(None);
                    }
                    Some(_) => return Err(self.illegal("illegal number")),
                    None => {
                        self.digits.push('0');
                        return Ok(Some(self.decimal(NumberKind::Int, None)?));
                    }
                }
            }
        };
        self.at += 1;
        if !self.mantissa(base)? {
            return Err(self.illegal(what));
        }
        self.end()?;
        let value = BigUint::parse_bytes(self.digits.as_bytes(), base)
            .ok_or_else(|| self.illegal("illegal number"))?;
        Ok(Some(Number {
            kind: NumberKind::Int,
            value: Decimal::from_biguint(value),
        }))
    }

    fn fraction(&mut self) -> Result<Number, LiteralError> {
        let point = self.peek() == Some(b'.');
        if point {
            self.at += 1;
            self.digits.push('.');
            self.mantissa(10)?;
        }
        self.exponent(point)
    }

    fn exponent(&mut self, point: bool) -> Result<Number, LiteralError> {
        match self.peek() {
            Some(letter @ (b'K' | b'M' | b'G' | b'T' | b'P')) => {
                self.at += 1;
                let power = b"KMGTP".iter().position(|&l| l == letter).unwrap_or(0) as u32 + 1;
                let binary = self.peek() == Some(b'i');
                self.at += usize::from(binary);
                if self.peek().is_some() {
                    return Err(self.illegal("illegal trailing characters in number"));
                }
                return self.multiplied(Multiplier { power, binary });
            }
            Some(b'e' | b'E') => {
                self.at += 1;
                self.digits.push('e');
                if let Some(sign @ (b'-' | b'+')) = self.peek() {
                    self.at += 1;
                    self.digits.push(char::from(sign));
                }
                if !self.mantissa(10)? {
                    return Err(self.illegal("illegal exponent"));
                }
                self.end()?;
                return self.decimal(NumberKind::Float, None);
            }
            _ => {}
        }
        self.end()?;
        self.decimal(
            if point {
                NumberKind::Float
            } else {
                NumberKind::Int
            },
            None,
        )
    }

    fn multiplied(&self, multiplier: Multiplier) -> Result<Number, LiteralError> {
        self.decimal(NumberKind::Int, Some(multiplier))
    }

    fn end(&self) -> Result<(), LiteralError> {
        match self.peek() {
            None => Ok(()),
            Some(0) => Err(LiteralError::Nul),
            Some(_) => Err(self.illegal("illegal number")),
        }
    }

    /// Collects digits of the base; whether there was one.
    fn mantissa(&mut self, base: u32) -> Result<bool, LiteralError> {
        let mut any = false;
        let mut last = 0;
        while let Some(byte) = self.peek() {
            if byte == b'_' {
                if last == b'_' {
                    return Err(LiteralError::Separator);
                }
            } else if char::from(byte).is_digit(base) {
                self.digits.push(char::from(byte));
                any = true;
            } else {
                break;
            }
            last = byte;
            self.at += 1;
        }
        if last == b'_' {
            return Err(LiteralError::Separator);
        }
        Ok(any)
    }

    fn decimal(
        &self,
        kind: NumberKind,
        multiplier: Option<Multiplier>,
    ) -> Result<Number, LiteralError> {
        let out_of_range = || LiteralError::ExponentOutOfRange(self.source.to_owned());
        let mut value = parse_decimal(&self.digits).ok_or_else(out_of_range)?;
        if let Some(multiplier) = multiplier {
            let product = value
                .mul_at(&multiplier.value(), PRECISION)
                .map_err(|_| out_of_range())?;
            if !product.is_integral() {
                return Err(LiteralError::NotAnInt);
            }
            value = product.to_integral().ok_or_else(out_of_range)?;
        }
        Ok(Number { kind, value })
    }
}

/// Reads `digits[.digits][e±digits]` with optional sign. `None` when it is none or out of range.
pub fn parse_decimal(text: &str) -> Option<Decimal> {
    let (negative, text) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let coefficient = if whole.len() + fraction.len() <= 19 {
        let mut value = 0u64;
        for byte in whole.bytes().chain(fraction.bytes()) {
            value = value * 10 + u64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
        }
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        Coefficient::Small(value)
    } else {
        Coefficient::from_big(parse_digits(&format!("{whole}{fraction}"))?)
    };
    let mut out = Decimal::new(negative, coefficient, 0);
    out.set_exponent(&[i64::from(exponent), -(fraction.len() as i64)])
        .ok()?;
    Some(out)
}

/// Decimal digits of any number; halves long texts so that the work stays below quadratic.
fn parse_digits(text: &str) -> Option<BigUint> {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if text.len() <= 1000 {
        return BigUint::parse_bytes(text.as_bytes(), 10);
    }
    let (high, low) = text.split_at(text.len() / 2);
    Some(parse_digits(high)? * ten_to(low.len() as u32) + parse_digits(low)?)
}
