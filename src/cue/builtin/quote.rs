//! Double-quoted texts inside messages, with the escapes of Go's `%q`.

use super::unicode;
use std::fmt::Write;

/// Which characters a quoted text keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All printable ones.
    Printable,
    /// Printable ASCII only.
    Ascii,
    /// Printable ones and spaces.
    Graphic,
}

/// The text in double quotes, non-printable characters escaped.
pub fn quote_go(text: &str) -> String {
    quote_with(text, '"', Keep::Printable)
}

/// The text between `quote` characters.
pub fn quote_with(text: &str, quote: char, keep: Keep) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        push_escaped(&mut out, c, quote, keep);
    }
    out.push(quote);
    out
}

/// Bytes in double quotes; what is no UTF-8 as `\xNN`.
pub fn quote_bytes_go(bytes: &[u8]) -> String {
    let mut out = String::from('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_escaped(&mut out, c, '"', Keep::Printable);
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

fn push_escaped(out: &mut String, c: char, quote: char, keep: Keep) {
    if c == quote || c == '\\' {
        out.push('\\');
        out.push(c);
        return;
    }
    let plain = match keep {
        Keep::Printable => unicode::is_print(c),
        Keep::Ascii => c.is_ascii() && unicode::is_print(c),
        Keep::Graphic => unicode::is_graphic(c),
    };
    if plain {
        out.push(c);
        return;
    }
    let short = match c {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{b}' => 'v',
        _ => {
            let code = u32::from(c);
            // writing to a string cannot fail
            let _ = match code {
                0..0x20 | 0x7f => write!(out, "\\x{code:02x}"),
                0x80..0x1_0000 => write!(out, "\\u{code:04x}"),
                _ => write!(out, "\\U{code:08x}"),
            };
            return;
        }
    };
    out.push('\\');
    out.push(short);
}

/// A character as messages name it: `U+007A 'z'`, without the glyph where it is not printable.
pub fn rune_with_number(c: char) -> String {
    let code = u32::from(c);
    if unicode::is_print(c) {
        format!("U+{code:04X} '{c}'")
    } else {
        format!("U+{code:04X}")
    }
}
