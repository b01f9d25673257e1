//! Host and port of an address text, and the escapes of URLs.

use crate::builtin::quote::quote_go;

/// Host and port; the error is what follows the address.
pub(super) fn split_host_port(text: &str) -> Result<(String, String), &'static str> {
    const MISSING: &str = "missing port in address";
    const TOO_MANY: &str = "too many colons in address";
    let Some(colon) = text.rfind(':') else {
        return Err(MISSING);
    };
    let (host, from_open, from_close) = if text.starts_with('[') {
        let Some(end) = text.find(']') else {
            return Err("missing ']' in address");
        };
        if end + 1 == text.len() {
            return Err(MISSING);
        }
        if end + 1 != colon {
            return Err(if text[end + 1..].starts_with(':') {
                TOO_MANY
            } else {
                MISSING
            });
        }
        (&text[1..end], 1, end + 1)
    } else {
        let host = &text[..colon];
        if host.contains(':') {
            return Err(TOO_MANY);
        }
        (host, 0, 0)
    };
    if text[from_open..].contains('[') {
        return Err("unexpected '[' in address");
    }
    if text[from_close..].contains(']') {
        return Err("unexpected ']' in address");
    }
    Ok((host.to_owned(), text[colon + 1..].to_owned()))
}

fn stays(byte: u8, path: bool) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'_' | b'.' | b'~')
        || (path && matches!(byte, b'$' | b'&' | b'+' | b'=' | b':' | b'@'))
}

/// Escapes a text for a segment of a path, or for a query.
pub(super) fn escape(text: &str, path: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if stays(byte, path) {
            out.push(char::from(byte));
        } else if byte == b' ' && !path {
            out.push('+');
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// The byte that the escape at a place stands for.
pub(super) fn escape_at(text: &str, at: usize) -> Result<u8, String> {
    let digit = |j: usize| {
        let byte = text.as_bytes().get(j)?;
        char::from(*byte).to_digit(16)
    };
    match (digit(at + 1), digit(at + 2)) {
        (Some(high), Some(low)) => Ok((high << 4 | low) as u8),
        _ => {
            let mut end = (at + 3).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            Err(wrong_escape(&text[at..end]))
        }
    }
}

pub(super) fn wrong_escape(escape: &str) -> String {
    format!("invalid URL escape {}", quote_go(escape))
}

/// Undoes [`escape`].
pub(super) fn unescape(text: &str, path: bool) -> Result<String, String> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'%' => {
                out.push(escape_at(text, i)?);
                i += 3;
                continue;
            }
            b'+' if !path => out.push(b' '),
            byte => out.push(byte),
        }
        i += 1;
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Whether a text is a domain name of ASCII labels, one final dot allowed.
pub(super) fn is_domain(text: &str) -> bool {
    let text = text.strip_suffix('.').unwrap_or(text);
    !text.is_empty() && text.len() <= 253 && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let letters = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    if label.is_empty()
        || label.len() > 63
        || label.starts_with('-')
        || label.ends_with('-')
        || !label.bytes().all(letters)
    {
        return false;
    }
    match label.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("xn--") => {
            encoded(&label[4..]).is_some_and(|text| !text.is_ascii())
        }
        _ => label.get(2..4) != Some("--"),
    }
}

/// The text that punycode stands for.
fn encoded(text: &str) -> Option<String> {
    let (basic, digits) = text.rsplit_once('-').unwrap_or(("", text));
    let mut out: Vec<char> = basic.chars().collect();
    let (mut n, mut i, mut bias) = (128u32, 0u32, 72u32);
    let mut digits = digits.bytes().peekable();
    while digits.peek().is_some() {
        let (before, mut weight, mut k) = (i, 1u32, 36u32);
        loop {
            let digit = match digits.next()? {
                b @ b'0'..=b'9' => u32::from(b - b'0') + 26,
                b @ b'a'..=b'z' => u32::from(b - b'a'),
                b @ b'A'..=b'Z' => u32::from(b - b'A'),
                _ => return None,
            };
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
            k += 36;
        }
        let count = out.len() as u32 + 1;
        let mut delta = (i - before) / if before == 0 { 700 } else { 2 };
        delta += delta / count;
        bias = 0;
        while delta > 455 {
            delta /= 35;
            bias += 36;
        }
        bias += 36 * delta / (delta + 38);
        n = n.checked_add(i / count)?;
        i %= count;
        out.insert(i as usize, char::from_u32(n)?);
        i += 1;
    }
    Some(out.into_iter().collect())
}
