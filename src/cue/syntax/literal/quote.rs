//! Content to quoted forms, as the value printer writes them.

use crate::syntax::chars::{is_digit, is_letter, is_print};

/// Strings or bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `"..."`.
    String,
    /// `'...'`.
    Bytes,
}

impl Form {
    fn mark(self) -> char {
        if self == Form::String { '"' } else { '\'' }
    }
}

/// A string on one line in double quotes.
pub fn quote_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// Adds a string on one line in double quotes to a text.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    if text.bytes().all(is_plain) {
        out.push_str(text);
    } else {
        for c in text.chars() {
            push_char(out, c, Form::String, Some('"'), 0);
        }
    }
    out.push('"');
}

/// Whether a byte stands for itself in every form.
fn is_plain(b: u8) -> bool {
    matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\' | b'\'')
}

/// Bytes on one line in single quotes; bytes that are no UTF-8 are escaped.
pub fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('\'');
    push_bytes(&mut out, bytes, Some('\''), 0, "");
    out.push('\'');
    out
}

/// The form with three quotes, for content with newlines; `indent` stands before every line. As
/// many `#` as it takes are put around it.
pub fn quote_multi(bytes: &[u8], form: Form, indent: &str) -> String {
    let mark = form.mark();
    let hashes = needed_hashes(bytes, mark as u8);
    let fence = "#".repeat(hashes);
    let triple: String = std::iter::repeat_n(mark, 3).collect();
    let mut out = format!("{fence}{triple}\n");
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        if !line.is_empty() {
            out.push_str(indent);
        }
        match form {
            Form::Bytes => push_bytes(&mut out, line, None, hashes, ""),
            Form::String => {
                for c in String::from_utf8_lossy(line).chars() {
                    push_char(&mut out, c, form, None, hashes);
                }
            }
        }
    }
    out.push('\n');
    out.push_str(indent);
    out.push_str(&triple);
    out.push_str(&fence);
    out
}

/// `#` needed so that three quotes inside do not end the literal.
fn needed_hashes(bytes: &[u8], mark: u8) -> usize {
    let mut needed = 0;
    let mut i = 0;
    while let Some(at) = find(&bytes[i..], &[mark; 3]) {
        let after = i + at + 3;
        let follow = bytes[after..].iter().take_while(|b| **b == b'#').count();
        needed = needed.max(follow + 1);
        i = after;
    }
    needed
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

fn push_bytes(out: &mut String, bytes: &[u8], quote: Option<char>, hashes: usize, _: &str) {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_char(out, c, Form::Bytes, quote, hashes);
        }
        for b in chunk.invalid() {
            push_escape(out, hashes, &format!("x{b:02x}"));
        }
    }
}

fn push_escape(out: &mut String, hashes: usize, what: &str) {
    out.push('\\');
    for _ in 0..hashes {
        out.push('#');
    }
    out.push_str(what);
}

fn push_char(out: &mut String, c: char, form: Form, quote: Option<char>, hashes: usize) {
    let short = match c {
        '\\' => "\\",
        '\u{7}' => "a",
        '\u{8}' => "b",
        '\u{c}' => "f",
        '\n' => "n",
        '\r' => "r",
        '\t' => "t",
        '\u{b}' => "v",
        _ if Some(c) == quote => {
            push_escape(out, hashes, &c.to_string());
            return;
        }
        _ if is_print(c) => {
            out.push(c);
            return;
        }
        _ if form == Form::Bytes && c < ' ' => {
            push_escape(out, hashes, &format!("x{:02x}", c as u32));
            return;
        }
        _ if (c as u32) < 0x1_0000 => {
            push_escape(out, hashes, &format!("u{:04x}", c as u32));
            return;
        }
        _ => {
            push_escape(out, hashes, &format!("U{:08x}", c as u32));
            return;
        }
    };
    push_escape(out, hashes, short);
}

/// Whether a text can stand as a label without quotes.
pub fn is_identifier(text: &str) -> bool {
    let body = text.strip_prefix('_').unwrap_or(text);
    let body = body.strip_prefix('#').unwrap_or(body);
    let mut chars = body.chars();
    match chars.next() {
        None => return text.starts_with('_') || text.starts_with('#'),
        Some(c) if is_digit(c) && !text.starts_with('_') => return false,
        Some(c) if !(is_letter(c) || c == '_' || c == '$' || is_digit(c)) => return false,
        Some(_) => {}
    }
    chars.all(|c| is_letter(c) || is_digit(c) || c == '_' || c == '$')
}

/// A regular label: bare if it is an identifier that reads as the same label, quoted otherwise.
pub fn quote_label(text: &str) -> String {
    let bare = !text.is_empty() && !text.starts_with(['#', '_']) && is_identifier(text);
    if bare {
        text.to_owned()
    } else {
        quote_string(text)
    }
}
