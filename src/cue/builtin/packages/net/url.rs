//! URLs: whether a text is one, in the words of the reference.

use super::host::{escape_at, wrong_escape};
use crate::builtin::quote::quote_go;

/// Reads a URL; whether it is absolute.
pub(super) fn parse(text: &str) -> Result<bool, String> {
    let body = text.split_once('#').map_or(text, |(before, _)| before);
    let fragment = text.split_once('#').map(|(_, after)| after);
    let absolute = reference(body).map_err(|cause| failed(body, &cause))?;
    if let Some(fragment) = fragment.filter(|f| !f.is_empty()) {
        escapes(fragment).map_err(|cause| failed(text, &cause))?;
    }
    Ok(absolute)
}

fn failed(text: &str, cause: &str) -> String {
    format!("parse {}: {cause}", quote_go(text))
}

fn reference(text: &str) -> Result<bool, String> {
    if text.bytes().any(|b| b < b' ' || b == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    if text == "*" {
        return Ok(false);
    }
    let (scheme, rest) = scheme(text)?;
    let absolute = !scheme.is_empty();
    let rest = match rest.strip_suffix('?') {
        Some(before) if before.matches('?').count() == 0 => before,
        _ => rest.split_once('?').map_or(rest, |(before, _)| before),
    };
    if !rest.starts_with('/') {
        if absolute {
            return Ok(true);
        }
        let first = rest.split('/').next().unwrap_or("");
        if first.contains(':') {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    let mut path = rest;
    if (absolute || !rest.starts_with("///"))
        && let Some(after) = rest.strip_prefix("//")
    {
        let end = after.find('/').unwrap_or(after.len());
        authority(&after[..end])?;
        path = &after[end..];
    }
    escapes(path)?;
    Ok(absolute)
}

fn scheme(text: &str) -> Result<(&str, &str), String> {
    for (i, b) in text.bytes().enumerate() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if i > 0 => {}
            b':' if i == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok((&text[..i], &text[i + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

fn authority(text: &str) -> Result<(), String> {
    let (user, host) = match text.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, text),
    };
    self::host(host)?;
    if let Some(user) = user {
        let valid = |b: u8| b.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&b);
        if !user.bytes().all(valid) {
            return Err("net/url: invalid userinfo".to_owned());
        }
        escapes(user)?;
    }
    Ok(())
}

fn host(host: &str) -> Result<(), String> {
    if let Some(open) = host.find('[') {
        if open > 0 {
            return Err("invalid IP-literal".to_owned());
        }
        let Some(close) = host.rfind(']') else {
            return Err("missing ']' in host".to_owned());
        };
        port(&host[close + 1..])?;
        let inside = &host[1..close];
        let (address, zone) = match inside.find("%25") {
            Some(at) => (&inside[..at], Some(&inside[at..])),
            None => (inside, None),
        };
        return match super::Address::parse(address) {
            Ok(a) if zone.is_none_or(|z| z.len() > 3) && !a.is_v4() => Ok(()),
            Ok(_) => Err("invalid host: invalid IP-literal".to_owned()),
            Err(why) => {
                let address = quote_go(address);
                Err(format!("invalid host: ParseAddr({address}): {why}"))
            }
        };
    }
    if let Some(colon) = host.rfind(':') {
        port(&host[colon..])?;
    }
    let bytes = host.as_bytes();
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b'%' => {
                let code = escape_at(host, i)?;
                // escapes of ASCII characters are refused in hosts
                if code < 0x80 {
                    return Err(wrong_escape(&host[i..i + 3]));
                }
            }
            b if *b < 0x80 && !is_host_byte(*b) => {
                let c = quote_go(&char::from(*b).to_string());
                return Err(format!("invalid character {c} in host name"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_host_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"".contains(&b)
}

fn port(text: &str) -> Result<(), String> {
    let valid = match text.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_digit()),
        None => text.is_empty(),
    };
    if valid {
        Ok(())
    } else {
        Err(format!("invalid port {} after host", quote_go(text)))
    }
}

fn escapes(text: &str) -> Result<(), String> {
    for (i, b) in text.bytes().enumerate() {
        if b == b'%' {
            escape_at(text, i)?;
        }
    }
    Ok(())
}
