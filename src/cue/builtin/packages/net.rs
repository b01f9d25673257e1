//! `net`: addresses, networks, hosts and ports, escapes of URLs.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Handle, Outcome, Scalar};
use crate::builtin::kind::Kind;
use crate::builtin::quote::quote_go;
use crate::builtin::registry::{ANY, INT, Member, Package, Parameter, STRING, constant, function};
use num_bigint::{BigInt, Sign};
use std::net::Ipv6Addr;

mod address;
mod host;
mod url;

use address::{Address, Prefix};

const fn check(name: &'static str, run: fn(&mut Call<'_>) -> Outcome) -> Member {
    const ONE: &[Parameter] = &[ANY];
    function(name, ONE, Kind::BOOL, run)
}

pub(super) static PACKAGE: Package = Package {
    path: "net",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("SplitHostPort", &[STRING], Kind::LIST, |c| {
        let text = c.string(0)?;
        match host::split_host_port(&text) {
            Ok((host, port)) => Ok(Data::strings([host, port])),
            Err(why) if text.is_empty() => Failure::fatal(why),
            Err(why) => Failure::fatal(format!("address {text}: {why}")),
        }
    }),
    function("JoinHostPort", &[ANY, ANY], Kind::STRING, join_host_port),
    function("FQDN", &[STRING], Kind::BOOL, |c| {
        Ok(host::is_domain(&c.string(0)?).into())
    }),
    constant("IPv4len", "4"),
    constant("IPv6len", "16"),
    function("ParseIP", &[STRING], Kind::LIST, |c| {
        let text = c.string(0)?;
        match Address::parse(&text) {
            Ok(address) => Ok(bytes(&address.bytes())),
            Err(_) => Failure::fatal(format!("invalid IP address {}", quote_go(&text))),
        }
    }),
    check("IPv4", |c| Ok(address(c, 0)?.is_v4().into())),
    check("IPv6", |c| Ok((!address(c, 0)?.is_v4()).into())),
    check("IP", |c| address(c, 0).map(|_| true.into())),
    check("IPCIDR", |c| prefix(c, 0).map(|_| true.into())),
    check("LoopbackIP", |c| Ok(address(c, 0)?.is_loopback().into())),
    check("MulticastIP", |c| Ok(address(c, 0)?.is_multicast().into())),
    check("InterfaceLocalMulticastIP", |c| {
        Ok(address(c, 0)?.is_scoped_multicast(1).into())
    }),
    check("LinkLocalMulticastIP", |c| {
        Ok(address(c, 0)?.is_link_local_multicast().into())
    }),
    check("LinkLocalUnicastIP", |c| {
        Ok(address(c, 0)?.is_link_local_unicast().into())
    }),
    check("GlobalUnicastIP", |c| {
        Ok(address(c, 0)?.is_global_unicast().into())
    }),
    check("UnspecifiedIP", |c| {
        Ok(address(c, 0)?.is_unspecified().into())
    }),
    function("ToIP4", &[ANY], Kind::LIST, |c| {
        let address = address(c, 0)?;
        if !address.is_v4() {
            let text = quote_go(&address.to_string());
            return Failure::fatal(format!("cannot convert {text} to IPv4"));
        }
        Ok(bytes(&address.bytes()))
    }),
    function("ToIP16", &[ANY], Kind::LIST, |c| {
        Ok(bytes(&address(c, 0)?.as_v6().octets()))
    }),
    function("IPString", &[ANY], Kind::STRING, |c| {
        Ok(address(c, 0)?.to_string().into())
    }),
    function("AddIP", &[ANY, INT], Kind::STRING, |c| {
        let offset = c.bigint(1)?;
        if let Ok(prefix) = prefix(c, 0) {
            let address = moved(&prefix.address, &offset)?;
            return Ok(Prefix { address, ..prefix }.to_string().into());
        }
        Ok(moved(&address(c, 0)?, &offset)?.to_string().into())
    }),
    function("AddIPCIDR", &[ANY, INT], Kind::STRING, |c| {
        let (prefix, offset) = (prefix(c, 0)?, c.bigint(1)?);
        let shifted = offset << (prefix.address.width() - prefix.bits);
        let address = moved(&prefix.address, &shifted)?;
        Ok(Prefix { address, ..prefix }.to_string().into())
    }),
    function("ParseCIDR", &[STRING], Kind::STRUCT, parse_cidr),
    function("InCIDR", &[ANY, ANY], Kind::BOOL, |c| {
        let (address, prefix) = (address(c, 0)?, prefix(c, 1)?);
        Ok(prefix.contains(&address).into())
    }),
    function("CompareIP", &[ANY, ANY], Kind::INT, |c| {
        let (a, b) = (address(c, 0)?, address(c, 1)?);
        Ok((a.cmp(&b) as i64).into())
    }),
    function("PathEscape", &[STRING], Kind::STRING, |c| {
        Ok(host::escape(&c.string(0)?, true).into())
    }),
    function("PathUnescape", &[STRING], Kind::STRING, |c| {
        unescape(&c.string(0)?, true)
    }),
    function("QueryEscape", &[STRING], Kind::STRING, |c| {
        Ok(host::escape(&c.string(0)?, false).into())
    }),
    function("QueryUnescape", &[STRING], Kind::STRING, |c| {
        unescape(&c.string(0)?, false)
    }),
    function("URL", &[STRING], Kind::BOOL, |c| {
        url::parse(&c.string(0)?).map_or_else(Failure::fatal, |_| Ok(true.into()))
    }),
    function("AbsURL", &[STRING], Kind::BOOL, |c| {
        match url::parse(&c.string(0)?) {
            Ok(true) => Ok(true.into()),
            Ok(false) => Failure::fatal("URL is not absolute"),
            Err(text) => Failure::fatal(text),
        }
    }),
];

fn bytes(bytes: &[u8]) -> Data {
    Data::List(bytes.iter().map(|b| Data::from(i64::from(*b))).collect())
}

fn unescape(text: &str, path: bool) -> Outcome {
    host::unescape(text, path).map_or_else(Failure::fatal, |text| Ok(text.into()))
}

/// The text of a string or bytes value.
fn text_of(c: &mut Call<'_>, handle: Handle) -> Option<String> {
    match c.host.scalar(handle)? {
        Scalar::String(text) => Some(text),
        Scalar::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    }
}

/// An address from a text or from a list of its bytes.
fn address(c: &mut Call<'_>, i: usize) -> Result<Address, Failure> {
    let handle = c.concrete(i)?;
    if let Some(text) = text_of(c, handle) {
        return Address::parse(&text).or_else(Failure::fatal);
    }
    let Some(elements) = c.host.elements(handle).map_err(Failure::Error)? else {
        let kind = c.host.kind(handle);
        return Failure::fatal(format!("invalid type {kind} for IP address"));
    };
    let mut out = Vec::with_capacity(elements.items.len());
    for item in elements.items {
        let value = match c.host.scalar(item) {
            Some(Scalar::Number(n)) if n.is_int() => n.value.to_i64(),
            _ => None,
        };
        let Some(value) = value else {
            return Err(c.misfit(item, Kind::INT));
        };
        match u8::try_from(value) {
            Ok(byte) => out.push(byte),
            Err(_) => return Failure::fatal(format!("invalid IP byte value {value}")),
        }
    }
    match Address::from_bytes(&out) {
        Some(address) => Ok(address),
        None => Failure::fatal(format!("invalid IP length {}", out.len())),
    }
}

fn prefix(c: &mut Call<'_>, i: usize) -> Result<Prefix, Failure> {
    let handle = c.concrete(i)?;
    match text_of(c, handle) {
        Some(text) => Prefix::parse(&text).or_else(Failure::fatal),
        None => {
            let kind = c.host.kind(handle);
            Failure::fatal(format!("invalid type {kind} for IP CIDR"))
        }
    }
}

/// The address so many steps away.
fn moved(address: &Address, offset: &BigInt) -> Result<Address, Failure> {
    let number = BigInt::from_bytes_be(Sign::Plus, &address.bytes()) + offset;
    let out_of_range = |way: &str| {
        Failure::fatal(format!(
            "IP address arithmetic resulted in out-of-range address ({way})"
        ))
    };
    if number.sign() == Sign::Minus {
        return out_of_range("underflow");
    }
    let digits = number.magnitude().to_bytes_be();
    let size = address.bytes().len();
    if number.bits() > size as u64 * 8 {
        return out_of_range("overflow");
    }
    let mut bytes = vec![0; size.saturating_sub(digits.len())];
    bytes.extend_from_slice(&digits[digits.len().saturating_sub(size)..]);
    match Address::from_bytes(&bytes) {
        Some(address) => Ok(address),
        None => out_of_range("overflow"),
    }
}

fn parse_cidr(c: &mut Call<'_>) -> Outcome {
    let prefix = Prefix::parse(&c.string(0)?).or_else(Failure::fatal)?;
    let mask = prefix.mask();
    let network = prefix.network();
    let of = |bytes: &[u8]| Address::from_bytes(bytes).map_or_else(String::new, |a| a.to_string());
    let mut fields = vec![
        ("prefix_mask".to_owned(), Data::from(of(&mask))),
        ("prefix_len".to_owned(), Data::from(i64::from(prefix.bits))),
        ("prefix_addr".to_owned(), Data::from(of(&network))),
    ];
    if prefix.address.is_v4() {
        let last: Vec<u8> = network.iter().zip(&mask).map(|(n, m)| n | !m).collect();
        fields.push(("broadcast_addr".to_owned(), Data::from(of(&last))));
    }
    Ok(Data::Struct(fields))
}

/// The text of a host, its address given as a list of bytes too.
fn host_text(c: &mut Call<'_>) -> Result<String, Failure> {
    let host = c.concrete(0)?;
    if let Some(text) = text_of(c, host) {
        return Ok(text);
    }
    if !c.host.kind(host).within(Kind::LIST) {
        return Err(c.misfit(host, Kind::STRING));
    }
    match address(c, 0) {
        Ok(address) => Ok(address.to_string()),
        Err(_) => {
            let text = c.host.syntax(host);
            Failure::fatal(format!("invalid host {text}"))
        }
    }
}

fn port_text(c: &mut Call<'_>) -> Result<String, Failure> {
    let port = c.concrete(1)?;
    if let Some(text) = text_of(c, port) {
        return Ok(text);
    }
    match c.host.scalar(port) {
        Some(Scalar::Number(number)) if number.is_int() => Ok(number.text()),
        _ => Err(c.misfit(port, Kind::INT)),
    }
}

fn join_host_port(c: &mut Call<'_>) -> Outcome {
    let (host, port) = (host_text(c)?, port_text(c)?);
    let host = if host.contains([':', '%']) {
        format!("[{host}]")
    } else {
        host
    };
    Ok(format!("{host}:{port}").into())
}

/// An IPv4 address as the IPv6 address that stands for it.
fn mapped(bytes: [u8; 4]) -> Ipv6Addr {
    std::net::Ipv4Addr::from(bytes).to_ipv6_mapped()
}

/// A text as part of the query of a URL.
pub(super) fn query_escape(text: &str) -> String {
    host::escape(text, false)
}
