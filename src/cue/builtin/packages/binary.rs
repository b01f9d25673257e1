//! `encoding/hex` and `encoding/base64`.

use crate::builtin::base64_text;
use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Outcome, Scalar};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, BYTES, INT, Member, Package, STRING, TO_BYTES, function};
use std::fmt::Write;

pub(super) static HEX: Package = Package {
    path: "encoding/hex",
    members: HEX_MEMBERS,
    source: "",
};

pub(super) static BASE64: Package = Package {
    path: "encoding/base64",
    members: BASE64_MEMBERS,
    source: "",
};

static HEX_MEMBERS: &[Member] = &[
    function("EncodedLen", &[INT], Kind::INT, |c| {
        Ok(c.int(0)?.wrapping_mul(2).into())
    }),
    function("DecodedLen", &[INT], Kind::INT, |c| {
        Ok((c.int(0)? / 2).into())
    }),
    function("Decode", &[STRING], TO_BYTES, hex_decode),
    function("Dump", &[BYTES], Kind::STRING, |c| {
        Ok(hex_dump(&c.bytes(0)?).into())
    }),
    function("Encode", &[BYTES], Kind::STRING, |c| {
        Ok(hex_text(&c.bytes(0)?).into())
    }),
];

static BASE64_MEMBERS: &[Member] = &[
    function("EncodedLen", &[ANY, INT], Kind::INT, |c| {
        standard(c)?;
        Ok((c.int(1)?.wrapping_add(2) / 3).wrapping_mul(4).into())
    }),
    function("DecodedLen", &[ANY, INT], Kind::INT, |c| {
        standard(c)?;
        Ok((c.int(1)? / 4).wrapping_mul(3).into())
    }),
    function("Encode", &[ANY, BYTES], Kind::STRING, |c| {
        standard(c)?;
        Ok(base64_text::encode(&c.bytes(1)?).into())
    }),
    function("Decode", &[ANY, STRING], TO_BYTES, |c| {
        standard(c)?;
        base64_text::decode(&c.string(1)?)
            .map(Data::Bytes)
            .or_else(|at| Failure::fatal(format!("illegal base64 data at input byte {at}")))
    }),
];

/// The first argument chooses the encoding; only null (the standard one) is known.
fn standard(c: &mut Call<'_>) -> Result<(), Failure> {
    let handle = c.concrete(0)?;
    if matches!(c.host.scalar(handle), Some(Scalar::Null)) {
        return Ok(());
    }
    let (text, kind) = (c.host.text(handle), c.host.kind(handle));
    Failure::fatal(format!(
        "base64: unsupported encoding: cannot use value {text} (type {kind}) as null"
    ))
}

/// Lower-case hexadecimal digits of bytes.
pub(super) fn hex_text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
            // writing to a string cannot fail
            let _ = write!(out, "{byte:02x}");
            out
        })
}

fn hex_decode(c: &mut Call<'_>) -> Outcome {
    let text = c.string(0)?;
    let mut out = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for byte in text.bytes() {
        let Some(digit) = char::from(byte).to_digit(16) else {
            let shown = super::super::quote::rune_with_number(char::from(byte));
            return Failure::fatal(format!("encoding/hex: invalid byte: {shown}"));
        };
        match high.take() {
            None => high = Some(digit),
            Some(high) => out.push((high << 4 | digit) as u8),
        }
    }
    if high.is_some() {
        return Failure::fatal("encoding/hex: odd length hex string");
    }
    Ok(out.into())
}

fn hex_dump(bytes: &[u8]) -> String {
    let mut out = String::new();
    for (line, chunk) in bytes.chunks(16).enumerate() {
        let _ = write!(out, "{:08x}", line * 16);
        for i in 0..16 {
            out.push_str(if i % 8 == 0 { "  " } else { " " });
            match chunk.get(i) {
                Some(byte) => {
                    let _ = write!(out, "{byte:02x}");
                }
                None => out.push_str("  "),
            }
        }
        out.push_str("  |");
        out.extend(chunk.iter().map(|b| {
            if (32..127).contains(b) {
                char::from(*b)
            } else {
                '.'
            }
        }));
        out.push_str("|\n");
    }
    out
}
