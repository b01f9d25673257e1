//! Addresses and networks, with the error texts of Go's `netip`.

use crate::builtin::quote::quote_go;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

/// An address; of version 6 it may have a zone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Address {
    V4([u8; 4]),
    V6([u8; 16], String),
}

impl Address {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        for c in text.bytes() {
            match c {
                b'.' => return parse_v4(text),
                b':' => return parse_v6(text),
                b'%' => return Err(failed(text, "missing IPv6 address", "")),
                _ => {}
            }
        }
        Err(failed(text, "unable to parse IP", ""))
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if let Ok(bytes) = <[u8; 4]>::try_from(bytes) {
            return Some(Self::V4(bytes));
        }
        <[u8; 16]>::try_from(bytes)
            .ok()
            .map(|bytes| Self::V6(bytes, String::new()))
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::V4(bytes) => bytes.to_vec(),
            Self::V6(bytes, _) => bytes.to_vec(),
        }
    }

    pub(super) fn is_v4(&self) -> bool {
        matches!(self, Self::V4(_))
    }

    /// Number of bits.
    pub(super) fn width(&self) -> u32 {
        if self.is_v4() { 32 } else { 128 }
    }

    pub(super) fn as_v6(&self) -> Ipv6Addr {
        match self {
            Self::V4(bytes) => super::mapped(*bytes),
            Self::V6(bytes, _) => Ipv6Addr::from(*bytes),
        }
    }

    /// The address of version 4 that this is or stands for.
    fn v4(&self) -> Option<[u8; 4]> {
        match self {
            Self::V4(bytes) => Some(*bytes),
            Self::V6(bytes, _) => Ipv6Addr::from(*bytes).to_ipv4_mapped().map(|a| a.octets()),
        }
    }

    pub(super) fn is_loopback(&self) -> bool {
        match self.v4() {
            Some(bytes) => bytes[0] == 127,
            None => self.as_v6().is_loopback(),
        }
    }

    pub(super) fn is_multicast(&self) -> bool {
        match self.v4() {
            Some(bytes) => bytes[0] & 0xf0 == 0xe0,
            None => self.as_v6().is_multicast(),
        }
    }

    /// Whether it is a multicast address of version 6 with the given scope.
    pub(super) fn is_scoped_multicast(&self, scope: u8) -> bool {
        let octets = self.as_v6().octets();
        self.v4().is_none() && octets[0] == 0xff && octets[1] & 0x0f == scope
    }

    pub(super) fn is_link_local_multicast(&self) -> bool {
        match self.v4() {
            Some(bytes) => bytes[..3] == [224, 0, 0],
            None => self.is_scoped_multicast(2),
        }
    }

    pub(super) fn is_link_local_unicast(&self) -> bool {
        match self.v4() {
            Some(bytes) => bytes[..2] == [169, 254],
            None => {
                let octets = self.as_v6().octets();
                octets[0] == 0xfe && octets[1] & 0xc0 == 0x80
            }
        }
    }

    pub(super) fn is_unspecified(&self) -> bool {
        match self {
            Self::V4(bytes) => *bytes == [0; 4],
            Self::V6(bytes, zone) => *bytes == [0; 16] && zone.is_empty(),
        }
    }

    pub(super) fn is_global_unicast(&self) -> bool {
        let broadcast = self.v4().is_some_and(|b| b == [255; 4] || b == [0; 4]);
        !broadcast
            && !self.is_unspecified()
            && !self.is_loopback()
            && !self.is_multicast()
            && !self.is_link_local_unicast()
    }
}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let zone = |a: &Self| match a {
            Self::V6(_, zone) => zone.clone(),
            Self::V4(_) => String::new(),
        };
        self.width()
            .cmp(&other.width())
            .then_with(|| self.bytes().cmp(&other.bytes()))
            .then_with(|| zone(self).cmp(&zone(other)))
    }
}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(bytes) => Ipv4Addr::from(*bytes).fmt(f),
            Self::V6(bytes, zone) => {
                let address = Ipv6Addr::from(*bytes);
                match address.to_ipv4_mapped() {
                    Some(v4) => write!(f, "::ffff:{v4}")?,
                    None => write_v6(f, address)?,
                }
                if !zone.is_empty() {
                    write!(f, "%{zone}")?;
                }
                Ok(())
            }
        }
    }
}

/// Hexadecimal groups, the longest run of two zeros or more left out.
fn write_v6(f: &mut fmt::Formatter<'_>, address: Ipv6Addr) -> fmt::Result {
    let groups = address.segments();
    let (mut start, mut length) = (8, 0);
    let mut i = 0;
    while i < 8 {
        let run = groups[i..].iter().take_while(|g| **g == 0).count();
        if run > length && run >= 2 {
            (start, length) = (i, run);
        }
        i += run.max(1);
    }
    let mut i = 0;
    while i < 8 {
        if i == start {
            f.write_str("::")?;
            i += length;
            if i >= 8 {
                break;
            }
        } else if i > 0 {
            f.write_str(":")?;
        }
        write!(f, "{:x}", groups[i])?;
        i += 1;
    }
    Ok(())
}

fn failed(text: &str, why: &str, at: &str) -> String {
    let place = if at.is_empty() {
        String::new()
    } else {
        format!(" (at {})", quote_go(at))
    };
    format!("ParseAddr({}): {why}{place}", quote_go(text))
}

fn parse_v4(text: &str) -> Result<Address, String> {
    Ok(Address::V4(v4_fields(text, text)?))
}

/// Four numbers with points; `part` is what of `text` holds them.
fn v4_fields(text: &str, part: &str) -> Result<[u8; 4], String> {
    let mut out = [0u8; 4];
    let (mut value, mut digits, mut field) = (0u32, 0, 0);
    for (i, c) in part.bytes().enumerate() {
        match c {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Err(failed(text, "IPv4 field has octet with leading zero", ""));
                }
                value = value * 10 + u32::from(c - b'0');
                digits += 1;
                if value > 255 {
                    return Err(failed(text, "IPv4 field has value >255", ""));
                }
            }
            b'.' => {
                if i == 0 || i == part.len() - 1 || part.as_bytes()[i - 1] == b'.' {
                    let why = "IPv4 field must have at least one digit";
                    return Err(failed(text, why, &part[i..]));
                }
                if field == 3 {
                    return Err(failed(text, "IPv4 address too long", ""));
                }
                out[field] = value as u8;
                field += 1;
                (value, digits) = (0, 0);
            }
            _ => return Err(failed(text, "unexpected character", &part[i..])),
        }
    }
    if field < 3 {
        return Err(failed(text, "IPv4 address too short", ""));
    }
    out[3] = value as u8;
    Ok(out)
}

fn parse_v6(text: &str) -> Result<Address, String> {
    let (body, zone) = match text.split_once('%') {
        Some((_, "")) => return Err(failed(text, "zone must be a non-empty string", "")),
        Some((body, zone)) => (body, zone),
        None => (text, ""),
    };
    let mut ip = [0u8; 16];
    let mut gap = None;
    let mut rest = body;
    if let Some(after) = rest.strip_prefix("::") {
        gap = Some(0);
        rest = after;
        if rest.is_empty() {
            return Ok(Address::V6(ip, zone.to_owned()));
        }
    }
    let mut i = 0;
    while i < 16 {
        let length = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let group = &rest[..length];
        if length > 4 {
            let why = "each group must have 4 or less digits";
            return Err(failed(text, why, rest));
        }
        if length == 0 {
            let why = "each colon-separated field must have at least one digit";
            return Err(failed(text, why, rest));
        }
        if rest[length..].starts_with('.') {
            if gap.is_none() && i != 12 {
                return Err(failed(
                    text,
                    "embedded IPv4 address must replace the final 2 fields of the address",
                    rest,
                ));
            }
            if i + 4 > 16 {
                return Err(failed(
                    text,
                    "too many hex fields to fit an embedded IPv4 at the end of the address",
                    rest,
                ));
            }
            ip[i..i + 4].copy_from_slice(&v4_fields(text, rest)?);
            rest = "";
            i += 4;
            break;
        }
        let value = u16::from_str_radix(group, 16).unwrap_or(0);
        ip[i..i + 2].copy_from_slice(&value.to_be_bytes());
        i += 2;
        rest = &rest[length..];
        if rest.is_empty() {
            break;
        }
        if !rest.starts_with(':') {
            return Err(failed(text, "unexpected character, want colon", rest));
        }
        if rest.len() == 1 {
            return Err(failed(
                text,
                "colon must be followed by more characters",
                rest,
            ));
        }
        rest = &rest[1..];
        if rest.starts_with(':') {
            if gap.is_some() {
                return Err(failed(text, "multiple :: in address", rest));
            }
            gap = Some(i);
            rest = &rest[1..];
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return Err(failed(text, "trailing garbage after address", rest));
    }
    match gap {
        None if i < 16 => return Err(failed(text, "address string too short", "")),
        Some(at) if i < 16 => {
            ip.copy_within(at..i, 16 - (i - at));
            ip[at..16 - (i - at)].fill(0);
        }
        Some(_) => {
            let why = "the :: must expand to at least one field of zeros";
            return Err(failed(text, why, ""));
        }
        None => {}
    }
    Ok(Address::V6(ip, zone.to_owned()))
}

/// A network: an address and how many of its bits name it.
#[derive(Clone, Debug)]
pub(super) struct Prefix {
    pub(super) address: Address,
    pub(super) bits: u32,
}

impl Prefix {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let failed = |why: &str| format!("netip.ParsePrefix({}): {why}", quote_go(text));
        let Some((address, bits)) = text.rsplit_once('/') else {
            return Err(failed("no '/'"));
        };
        let address = Address::parse(address).map_err(|e| failed(&e))?;
        if matches!(&address, Address::V6(_, zone) if !zone.is_empty()) {
            return Err(failed("IPv6 zones cannot be present in a prefix"));
        }
        let bad = || failed(&format!("bad bits after slash: {}", quote_go(bits)));
        let fine = !bits.is_empty()
            && bits.bytes().all(|b| b.is_ascii_digit())
            && (bits.len() == 1 || !bits.starts_with('0'));
        if !fine {
            return Err(bad());
        }
        let bits: u32 = bits.parse().map_err(|_| bad())?;
        if bits > address.width() {
            return Err(failed("prefix length out of range"));
        }
        Ok(Self { address, bits })
    }

    pub(super) fn mask(&self) -> Vec<u8> {
        (0..self.address.width() / 8)
            .map(|i| {
                let ones = self.bits.saturating_sub(i * 8).min(8);
                if ones == 8 { 0xff } else { !(0xffu8 >> ones) }
            })
            .collect()
    }

    /// The address with the bits behind the prefix cleared.
    pub(super) fn network(&self) -> Vec<u8> {
        self.address
            .bytes()
            .iter()
            .zip(self.mask())
            .map(|(b, m)| b & m)
            .collect()
    }

    pub(super) fn contains(&self, address: &Address) -> bool {
        if address.width() != self.address.width()
            || matches!(address, Address::V6(_, zone) if !zone.is_empty())
        {
            return false;
        }
        let other = Self {
            address: address.clone(),
            bits: self.bits,
        };
        self.network() == other.network()
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}
