//! `uuid`.

use super::binary::hex_text;
use crate::builtin::call::Call;
use crate::builtin::host::{Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::quote::quote_go;
use crate::builtin::registry::{BYTES, INT, Member, Package, STRING, function};
use md5::Md5;
use num_bigint::{BigInt, Sign};
use sha1::Sha1;
use sha2::Digest;

pub(super) static PACKAGE: Package = Package {
    path: "uuid",
    members: MEMBERS,
    source: r#"{
    ns: {
        DNS:  "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
        URL:  "6ba7b811-9dad-11d1-80b4-00c04fd430c8"
        OID:  "6ba7b812-9dad-11d1-80b4-00c04fd430c8"
        X500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8"
        Nil:  "00000000-0000-0000-0000-000000000000"
    }
    variants: Invalid: 0
    variants: RFC4122: 1
    variants: Reserved: 2
    variants: Microsoft: 3
    variants: Future: 4
}"#,
};

static MEMBERS: &[Member] = &[
    function("Valid", &[STRING], Kind::BOTTOM, |c| {
        match parse(&c.string(0)?, true) {
            Ok(_) => Ok(true.into()),
            Err(text) => Failure::fatal(text),
        }
    }),
    function("Parse", &[STRING], Kind::STRING, |c| {
        Ok(text(&uuid(c)?).into())
    }),
    function("URN", &[STRING], Kind::STRING, |c| {
        Ok(format!("urn:uuid:{}", text(&uuid(c)?)).into())
    }),
    function("FromInt", &[INT], Kind::STRING, from_int),
    function("ToInt", &[STRING], Kind::INT, |c| {
        Ok(BigInt::from_bytes_be(Sign::Plus, c.string(0)?.as_bytes()).into())
    }),
    function("Variant", &[STRING], Kind::INT, |c| {
        let variant: i64 = match uuid(c)?[8] {
            b if b & 0xc0 == 0x80 => 1,
            b if b & 0xe0 == 0xc0 => 3,
            b if b & 0xe0 == 0xe0 => 4,
            _ => 2,
        };
        Ok(variant.into())
    }),
    function("Version", &[STRING], Kind::INT, |c| {
        Ok(i64::from(uuid(c)?[6] >> 4).into())
    }),
    function("SHA1", &[STRING, BYTES], Kind::STRING, |c| {
        hashed::<Sha1>(c, 5)
    }),
    function("MD5", &[STRING, BYTES], Kind::STRING, |c| {
        hashed::<Md5>(c, 3)
    }),
];

fn uuid(c: &mut Call<'_>) -> Result<[u8; 16], Failure> {
    parse(&c.string(0)?, false).map_err(Failure::Fatal)
}

/// The bytes of a name in one of its four forms. Braces are looked at only where names are
/// validated.
fn parse(name: &str, strict: bool) -> Result<[u8; 16], String> {
    let bytes = name.as_bytes();
    let invalid = || Err("invalid UUID format".to_owned());
    let digits: &[u8] = match bytes.len() {
        36 => bytes,
        45 => {
            let (prefix, rest) = bytes.split_at(9);
            if !prefix.eq_ignore_ascii_case(b"urn:uuid:") {
                let prefix = quote_go(&String::from_utf8_lossy(prefix));
                return Err(format!("invalid urn prefix: {prefix}"));
            }
            rest
        }
        38 => {
            if strict && (bytes[0] != b'{' || bytes[37] != b'}') {
                return Err("invalid bracketed UUID format".to_owned());
            }
            &bytes[1..37]
        }
        32 => return hex(bytes).map_or_else(invalid, Ok),
        n => return Err(format!("invalid UUID length: {n}")),
    };
    if [8, 13, 18, 23].iter().any(|i| digits[*i] != b'-') {
        return invalid();
    }
    let plain: Vec<u8> = digits
        .iter()
        .enumerate()
        .filter(|(i, _)| ![8, 13, 18, 23].contains(i))
        .map(|(_, b)| *b)
        .collect();
    hex(&plain).map_or_else(invalid, Ok)
}

fn hex(digits: &[u8]) -> Option<[u8; 16]> {
    let mut out = [0; 16];
    for (i, byte) in out.iter_mut().enumerate() {
        let digit = |j: usize| char::from(digits[2 * i + j]).to_digit(16);
        *byte = (digit(0)? << 4 | digit(1)?) as u8;
    }
    Some(out)
}

fn text(uuid: &[u8; 16]) -> String {
    let parts = [
        &uuid[..4],
        &uuid[4..6],
        &uuid[6..8],
        &uuid[8..10],
        &uuid[10..],
    ];
    parts.map(hex_text).join("-")
}

fn from_int(c: &mut Call<'_>) -> Outcome {
    let (_, bytes) = c.bigint(0)?.to_bytes_be();
    if bytes.len() > 16 {
        return Failure::fatal(format!("invalid UUID (got {} bytes)", bytes.len()));
    }
    let mut uuid = [0; 16];
    uuid[16 - bytes.len()..].copy_from_slice(&bytes);
    Ok(text(&uuid).into())
}

fn hashed<D: Digest>(c: &mut Call<'_>, version: u8) -> Outcome {
    let (space, data) = (uuid(c)?, c.bytes(1)?);
    let digest = D::new().chain_update(space).chain_update(data).finalize();
    let mut out = [0; 16];
    out.copy_from_slice(&digest[..16]);
    out[6] = out[6] & 0x0f | version << 4;
    out[8] = out[8] & 0x3f | 0x80;
    Ok(text(&out).into())
}
