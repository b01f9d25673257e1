//! Durations such as `1h2m3.5s`.

use crate::builtin::quote::quote_go;

/// Nanoseconds of a duration text.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {}", quote_go(text));
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: u128 = 0;
    while !rest.is_empty() {
        if !rest.starts_with(|c: char| c == '.' || c.is_ascii_digit()) {
            return Err(invalid());
        }
        let whole = digits(rest);
        rest = &rest[whole.len()..];
        let mut fraction = "";
        if let Some(after) = rest.strip_prefix('.') {
            fraction = digits(after);
            rest = &after[fraction.len()..];
        }
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let end = rest
            .find(|c: char| c == '.' || c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (unit, after) = rest.split_at(end);
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {}", quote_go(text)));
        }
        let Some(scale) = unit_of(unit) else {
            let (unit, text) = (quote_go(unit), quote_go(text));
            return Err(format!("time: unknown unit {unit} in duration {text}"));
        };
        rest = after;
        let value: u128 = if whole.is_empty() {
            0
        } else {
            whole.parse().map_err(|_| invalid())?
        };
        total = total.saturating_add(value.saturating_mul(scale));
        // digits beyond the nanosecond count for nothing
        let (mut part, mut place) = (0u128, 1u128);
        for digit in fraction.bytes().take(18) {
            part = part * 10 + u128::from(digit - b'0');
            place *= 10;
        }
        total = total.saturating_add(part * scale / place);
        if total > 1 << 63 {
            return Err(invalid());
        }
    }
    match (negative, i64::try_from(total)) {
        (false, Ok(value)) => Ok(value),
        (true, Ok(value)) => Ok(-value),
        (true, Err(_)) => Ok(i64::MIN),
        (false, Err(_)) => Err(invalid()),
    }
}

fn digits(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}

fn unit_of(unit: &str) -> Option<u128> {
    Some(match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// The text of nanoseconds: hours, minutes and seconds, or one smaller unit.
pub(super) fn format(nanos: i64) -> String {
    let magnitude = nanos.unsigned_abs();
    let sign = if nanos < 0 { "-" } else { "" };
    let body = match magnitude {
        0 => "0s".to_owned(),
        1..1_000 => format!("{magnitude}ns"),
        1_000..1_000_000 => format!("{}\u{b5}s", decimal(magnitude, 3)),
        1_000_000..1_000_000_000 => format!("{}ms", decimal(magnitude, 6)),
        _ => {
            let minutes = magnitude / 60_000_000_000;
            let seconds = format!("{}s", decimal(magnitude % 60_000_000_000, 9));
            match (minutes / 60, minutes % 60) {
                (0, 0) => seconds,
                (0, m) => format!("{m}m{seconds}"),
                (h, m) => format!("{h}h{m}m{seconds}"),
            }
        }
    };
    format!("{sign}{body}")
}

/// A number with so many fraction digits, trailing zeros left out.
fn decimal(value: u64, places: usize) -> String {
    let scale = 10u64.pow(places as u32);
    let fraction = format!("{:0places$}", value % scale);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{point}{fraction}", value / scale)
}
