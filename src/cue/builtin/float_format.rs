//! Floats to text and back in the layouts of Go: `e`, `f`, `g`, `x`, `b`.

/// Digits of a float: `0.d1d2d3… · 10^point`, without trailing zeros where shortest.
struct Digits {
    digits: String,
    point: i32,
}

fn scientific(value: f64, precision: Option<usize>, single: bool) -> Digits {
    let text = match (precision, single) {
        (None, true) => format!("{:e}", value as f32),
        (None, false) => format!("{value:e}"),
        (Some(p), _) => format!("{value:.p$e}"),
    };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let zero = digits.bytes().all(|b| b == b'0');
    let point = if zero {
        0
    } else {
        exponent.parse::<i32>().unwrap_or(0) + 1
    };
    Digits {
        digits: if zero && precision.is_none() {
            String::new()
        } else {
            digits
        },
        point,
    }
}

/// The text of a float. `precision` below zero means the shortest digits that read back; an unknown
/// format gives `%` and its letter. `None` if `bits` is neither 32 nor 64.
pub(crate) fn format_float(value: f64, format: u8, precision: i64, bits: i64) -> Option<String> {
    let single = match bits {
        32 => true,
        64 => false,
        _ => return None,
    };
    let value = if single {
        f64::from(value as f32)
    } else {
        value
    };
    if value.is_nan() {
        return Some("NaN".into());
    }
    if value.is_infinite() {
        return Some(if value > 0.0 { "+Inf" } else { "-Inf" }.into());
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let positive = value.abs();
    let limit = usize::try_from(precision).ok();
    let body = match format {
        b'b' => binary(positive, single),
        b'x' | b'X' => hexadecimal(positive, limit, format, single),
        b'e' | b'E' => {
            let d = scientific(positive, limit, single);
            exponent(
                &d,
                limit.unwrap_or(d.digits.len().saturating_sub(1)),
                format,
            )
        }
        b'f' => fixed(positive, limit, single),
        b'g' | b'G' => general(positive, limit, format, single),
        other => return Some(format!("%{}", char::from(other))),
    };
    Some(format!("{sign}{body}"))
}

fn exponent(d: &Digits, precision: usize, letter: u8) -> String {
    let mut out = String::new();
    out.push_str(d.digits.get(..1).unwrap_or("0"));
    if precision > 0 {
        out.push('.');
        let rest = d.digits.get(1..).unwrap_or("");
        let rest = &rest[..rest.len().min(precision)];
        out.push_str(rest);
        out.extend(std::iter::repeat_n('0', precision - rest.len()));
    }
    let zero = d.digits.bytes().all(|b| b == b'0');
    let exponent = if zero { 0 } else { d.point - 1 };
    let sign = if exponent < 0 { '-' } else { '+' };
    out.push(char::from(letter));
    out.push(sign);
    out.push_str(&format!("{:02}", exponent.unsigned_abs()));
    out
}

fn fixed(value: f64, precision: Option<usize>, single: bool) -> String {
    match (precision, single) {
        (Some(p), _) => format!("{value:.p$}"),
        (None, true) => format!("{}", value as f32),
        (None, false) => format!("{value}"),
    }
}

fn general(value: f64, precision: Option<usize>, letter: u8, single: bool) -> String {
    let wanted = precision.map(|p| p.max(1));
    let mut d = scientific(value, wanted.map(|p| p - 1), single);
    let trimmed = d.digits.trim_end_matches('0').len();
    d.digits.truncate(trimmed);
    let count = d.digits.len() as i64;
    let mut limit = wanted.map_or(6, |p| p as i64);
    if wanted.is_some() && limit > count && count >= i64::from(d.point) {
        limit = count;
    }
    let exponent_value = i64::from(d.point) - 1;
    if exponent_value < -4 || exponent_value >= limit.max(if wanted.is_none() { 21 } else { 0 }) {
        return exponent(
            &d,
            d.digits.len().saturating_sub(1),
            if letter == b'g' { b'e' } else { b'E' },
        );
    }
    // plain digits
    let point = d.point;
    if point <= 0 {
        if d.digits.is_empty() {
            return "0".into();
        }
        return format!(
            "0.{}{}",
            "0".repeat(point.unsigned_abs() as usize),
            d.digits
        );
    }
    let point = point as usize;
    if d.digits.len() <= point {
        return format!("{}{}", d.digits, "0".repeat(point - d.digits.len()));
    }
    format!("{}.{}", &d.digits[..point], &d.digits[point..])
}

/// Mantissa and exponent: `mantissa · 2^exponent`.
fn parts(value: f64, single: bool) -> (u64, i32) {
    let (bits, width, bias) = if single {
        (u64::from((value as f32).to_bits()), 23, -127)
    } else {
        (value.to_bits(), 52, -1023)
    };
    let exponent = ((bits >> width) & if single { 0xff } else { 0x7ff }) as i32;
    let mantissa = bits & ((1 << width) - 1);
    if exponent == 0 {
        (mantissa, 1 + bias - width)
    } else {
        (mantissa | 1 << width, exponent + bias - width)
    }
}

fn binary(value: f64, single: bool) -> String {
    let (mantissa, exponent) = parts(value, single);
    format!("{mantissa}p{exponent:+}")
}

fn hexadecimal(value: f64, precision: Option<usize>, letter: u8, single: bool) -> String {
    let (mut mantissa, exponent) = parts(value, single);
    let mut exponent = exponent + 52;
    if single {
        mantissa <<= 29;
        exponent -= 29;
    }
    if mantissa == 0 {
        exponent = 0;
    } else {
        // the leading one to bit 60, so that fifteen hexadecimal digits follow it
        mantissa <<= 8;
        while mantissa & 1 << 60 == 0 {
            mantissa <<= 1;
            exponent -= 1;
        }
    }
    if let Some(precision) = precision.filter(|p| *p < 15) {
        let shift = 60 - precision as u32 * 4;
        let lost = mantissa & ((1u64 << shift) - 1);
        mantissa >>= shift;
        let half = 1u64 << shift.saturating_sub(1);
        if lost > half || (lost == half && mantissa & 1 == 1) {
            mantissa += 1;
        }
        mantissa <<= shift;
        if mantissa & 1 << 61 != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let upper = letter == b'X';
    let lead = mantissa >> 60 & 1;
    let mut digits = format!("{:015x}", mantissa & ((1 << 60) - 1));
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(p) if p <= digits.len() => digits.truncate(p),
        Some(p) => digits.extend(std::iter::repeat_n('0', p - 15)),
    }
    let point = if digits.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    let text = format!(
        "0x{lead}{point}{digits}p{sign}{:02}",
        exponent.unsigned_abs()
    );
    if upper { text.to_uppercase() } else { text }
}

/// Whether the text is a spelling of infinity.
pub(crate) fn names_infinity(text: &str) -> bool {
    let text = text
        .strip_prefix(['+', '-'])
        .unwrap_or(text)
        .to_ascii_lowercase();
    text == "inf" || text == "infinity"
}

/// Reads a float in Go's syntax; infinite when out of range. `None` on wrong syntax.
pub(crate) fn parse_float(text: &str, bits: i64) -> Option<f64> {
    let (negative, body) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let lower = body.to_ascii_lowercase();
    if matches!(lower.as_str(), "inf" | "infinity") {
        return Some(if negative {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        });
    }
    if lower == "nan" && !text.starts_with(['+', '-']) {
        return Some(f64::NAN);
    }
    if !separators_fine(&lower) {
        return None;
    }
    let hexadecimal = lower.strip_prefix("0x");
    let plain: String = lower.chars().filter(|c| *c != '_').collect();
    let value = match hexadecimal {
        Some(_) => parse_hexadecimal(&plain[2..], bits == 32)?,
        None => {
            if !decimal_syntax(&plain) {
                return None;
            }
            if bits == 32 {
                f64::from(plain.parse::<f32>().ok()?)
            } else {
                plain.parse().ok()?
            }
        }
    };
    Some(if negative { -value } else { value })
}

fn separators_fine(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes
        .iter()
        .enumerate()
        .filter(|(_, b)| **b == b'_')
        .all(|(i, _)| {
            let before = i.checked_sub(1).and_then(|i| bytes.get(i));
            let after = bytes.get(i + 1);
            before.is_some_and(|b| b.is_ascii_hexdigit() || *b == b'x')
                && after.is_some_and(u8::is_ascii_hexdigit)
        })
}

fn decimal_syntax(text: &str) -> bool {
    let (mantissa, exponent) = text
        .split_once('e')
        .map_or((text, None), |(m, e)| (m, Some(e)));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    let points = mantissa.bytes().filter(|b| *b == b'.').count();
    let exponent_fine = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        !e.is_empty() && e.bytes().all(|b| b.is_ascii_digit())
    });
    digits > 0 && points <= 1 && digits + points == mantissa.len() && exponent_fine
}

fn parse_hexadecimal(text: &str, single: bool) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut exponent = exponent
        .parse::<i64>()
        .unwrap_or(if exponent.starts_with('-') {
            -1_000_000
        } else {
            1_000_000
        });
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value: u64 = 0;
    let mut sticky = false;
    for (i, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        if value >> 58 == 0 {
            value = value << 4 | digit;
            if i >= whole.len() {
                exponent -= 4;
            }
        } else {
            sticky |= digit != 0;
            if i < whole.len() {
                exponent += 4;
            }
        }
    }
    if value == 0 {
        return Some(0.0);
    }
    Some(round_binary(value, sticky, exponent, single))
}

/// `value · 2^exponent` rounded half to even; `sticky` says that lost digits were not all zero.
fn round_binary(value: u64, sticky: bool, exponent: i64, single: bool) -> f64 {
    let (width, smallest) = if single { (24, -149) } else { (53, -1074) };
    let length = i64::from(64 - value.leading_zeros());
    let drop = (length - width).max(smallest - exponent).max(0);
    let (mut mantissa, half, rest) = if drop > 64 {
        (0, false, true)
    } else if drop == 0 {
        (value, false, sticky)
    } else {
        let wide = u128::from(value);
        let kept = (wide >> drop) as u64;
        let half = wide >> (drop - 1) & 1 == 1;
        let rest = sticky || wide & ((1u128 << (drop - 1)) - 1) != 0;
        (kept, half, rest)
    };
    if half && (rest || mantissa & 1 == 1) {
        mantissa += 1;
    }
    let scaled = scale(mantissa as f64, exponent.saturating_add(drop));
    if single {
        f64::from(scaled as f32)
    } else {
        scaled
    }
}

fn scale(mut value: f64, mut exponent: i64) -> f64 {
    while exponent > 1000 && value.is_finite() {
        value *= 2f64.powi(1000);
        exponent -= 1000;
    }
    while exponent < -1000 && value != 0.0 {
        value *= 2f64.powi(-1000);
        exponent += 1000;
    }
    value * 2f64.powi(exponent.clamp(-1074, 1023) as i32)
}
