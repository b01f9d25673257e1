//! String and bytes literals: from the quoted form to the content and back.

mod quote;

pub use quote::{
    Form, is_identifier, push_quoted, quote_bytes, quote_label, quote_multi, quote_string,
};

/// Why a literal has no content. Prints as the cause the reference implementation gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiteralError(pub String);

impl std::fmt::Display for LiteralError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LiteralError {}

fn fail<T>(text: &str) -> Result<T, LiteralError> {
    Err(LiteralError(text.to_owned()))
}

/// How a literal is quoted; read from its text, or from the first and last piece of an
/// interpolation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotes {
    /// `"` or `'`.
    pub mark: u8,
    /// Number of `#` before and after.
    pub hashes: usize,
    /// Whether there are three quotes.
    pub multi: bool,
    /// Indentation of the closing quotes, which every line has.
    pub indent: String,
    /// Bytes before the content: `#`, quotes, and the first line's end.
    head: usize,
}

impl Quotes {
    /// The quotes of a literal that begins with `first` and ends with `last`; both are the whole
    /// literal if it has no interpolation.
    pub fn of(first: &str, last: &str) -> Result<Quotes, LiteralError> {
        let bytes = first.as_bytes();
        let hashes = bytes.iter().take_while(|b| **b == b'#').count();
        let Some(mark @ (b'"' | b'\'')) = bytes.get(hashes).copied() else {
            return fail("invalid string: unmatched quote");
        };
        let plain = Quotes {
            mark,
            hashes,
            multi: false,
            indent: String::new(),
            head: hashes + 1,
        };
        if !bytes[hashes..].starts_with(&[mark; 3]) {
            return Ok(plain);
        }
        let after = &first[hashes + 3..];
        let line = if after.starts_with('\n') {
            1
        } else if after.starts_with("\r\n") {
            2
        } else if first == last {
            // A raw string of one quote.
            return Ok(plain);
        } else {
            return fail(
                "invalid string: opening quote of multiline string must be followed by newline",
            );
        };
        let body = last.len().saturating_sub(hashes + 3);
        let line_start = last[..body].rfind('\n').map_or(0, |i| i + 1);
        let indent = &last[line_start..body];
        if !indent.bytes().all(|b| matches!(b, b' ' | b'\t')) {
            return fail("invalid string: closing quote of multiline string must follow a newline");
        }
        let head = hashes + 3 + line;
        Ok(Quotes {
            mark,
            hashes,
            multi: true,
            indent: indent.to_owned(),
            head,
        })
    }

    /// Whether the content is bytes.
    pub fn is_bytes(&self) -> bool {
        self.mark == b'\''
    }

    /// The content of a piece: `first` has the opening quotes, `last` the closing ones; a piece
    /// that is not first begins with `)`, one that is not last ends with a backslash, hashes, `(`.
    pub fn content(&self, piece: &str, first: bool, last: bool) -> Result<Vec<u8>, LiteralError> {
        let start = if first { self.head } else { 1 };
        let tail = match (last, self.multi) {
            (false, _) => self.hashes + 2,
            (true, true) => self.hashes + 3 + self.indent.len(),
            (true, false) => self.hashes + 1,
        };
        let Some(mut end) = piece.len().checked_sub(tail) else {
            return fail("invalid string: unmatched quote");
        };
        if last && self.multi {
            // The newline before the closing quotes is no content.
            if end > start {
                end -= 1;
                if end > start && piece.as_bytes()[end - 1] == b'\r' {
                    end -= 1;
                }
                if end > start && self.ends_in_escape(&piece[start..end]) {
                    return fail("last newline of multiline string cannot be escaped");
                }
            } else if end < start {
                end = start;
            }
        }
        let Some(body) = piece.get(start..end) else {
            return fail("invalid string: unmatched quote");
        };
        let mut out = Vec::with_capacity(body.len());
        Body {
            quotes: self,
            text: body.as_bytes(),
            at: 0,
            high: None,
        }
        .read(&mut out, first && self.multi)?;
        Ok(out)
    }

    fn ends_in_escape(&self, body: &str) -> bool {
        let text = body.as_bytes();
        let n = text.iter().rev().take_while(|b| **b == b'#').count();
        let slashes = text[..text.len() - n]
            .iter()
            .rev()
            .take_while(|b| **b == b'\\')
            .count();
        n == self.hashes && (slashes % 2 == 1 || (self.hashes > 0 && slashes > 0))
    }
}

/// A content being read.
struct Body<'a> {
    quotes: &'a Quotes,
    text: &'a [u8],
    at: usize,
    /// The first half of a surrogate pair.
    high: Option<u32>,
}

impl Body<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn read(mut self, out: &mut Vec<u8>, line_start: bool) -> Result<(), LiteralError> {
        if line_start {
            self.skip_indent()?;
        }
        while let Some(b) = self.byte() {
            if b == b'\\' && self.hashes_follow() {
                self.at += 1 + self.quotes.hashes;
                self.escape(out)?;
                continue;
            }
            self.no_half()?;
            self.at += 1;
            match b {
                b'\r' if self.quotes.multi => {}
                b'\n' if self.quotes.multi => {
                    out.push(b);
                    self.skip_indent()?;
                }
                b'\n' => return fail("invalid syntax"),
                _ => out.push(b),
            }
        }
        self.no_half()
    }

    fn hashes_follow(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        rest.iter().take_while(|b| **b == b'#').count() >= self.quotes.hashes
    }

    fn no_half(&self) -> Result<(), LiteralError> {
        if self.high.is_some() {
            fail("unmatched surrogate pair")
        } else {
            Ok(())
        }
    }

    fn skip_indent(&mut self) -> Result<(), LiteralError> {
        let rest = &self.text[self.at..];
        let want = self.quotes.indent.as_bytes();
        if rest.starts_with(want) {
            self.at += want.len();
            return Ok(());
        }
        let line = rest.split(|b| *b == b'\n').next().unwrap_or(rest);
        if line.is_empty() || line == b"\r" {
            return Ok(());
        }
        let have = line
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        Err(LiteralError(format!(
            "invalid string: non-matching whitespace for multiline string \
             (expected {:?}, got {:?})",
            self.quotes.indent,
            String::from_utf8_lossy(&line[..have.min(want.len())]),
        )))
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), LiteralError> {
        let Some(b) = self.byte() else {
            return fail("invalid syntax");
        };
        if !matches!(b, b'u' | b'U') {
            self.no_half()?;
        }
        self.at += 1;
        let simple = match b {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'/' => b,
            b'"' | b'\'' if b == self.quotes.mark => b,
            b'\n' if self.quotes.multi => return self.skip_indent(),
            b'x' if self.quotes.is_bytes() => {
                let value = self.number(2, 16)?;
                u8::try_from(value).unwrap_or(0)
            }
            b'0'..=b'7' if self.quotes.is_bytes() => {
                self.at -= 1;
                let value = self.number(3, 8)?;
                match u8::try_from(value) {
                    Ok(b) => b,
                    Err(_) => return fail("invalid syntax"),
                }
            }
            b'u' => return self.rune(4, out),
            b'U' => return self.rune(8, out),
            _ => return fail("invalid syntax"),
        };
        out.push(simple);
        Ok(())
    }

    fn rune(&mut self, digits: usize, out: &mut Vec<u8>) -> Result<(), LiteralError> {
        let value = self.number(digits, 16)?;
        let code = match (self.high.take(), value) {
            (None, 0xd800..=0xdbff) => {
                self.high = Some(value);
                return Ok(());
            }
            (Some(high), 0xdc00..=0xdfff) => 0x1_0000 + ((high - 0xd800) << 10) + (value - 0xdc00),
            (Some(_), _) | (None, 0xdc00..=0xdfff) => return fail("unmatched surrogate pair"),
            (None, _) => value,
        };
        let Some(c) = char::from_u32(code) else {
            return fail("invalid syntax");
        };
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn number(&mut self, digits: usize, base: u32) -> Result<u32, LiteralError> {
        let mut value = 0u32;
        for _ in 0..digits {
            let digit = self.byte().and_then(|b| (b as char).to_digit(base));
            let Some(digit) = digit else {
                return fail("invalid syntax");
            };
            value = value.wrapping_mul(base).wrapping_add(digit);
            self.at += 1;
        }
        Ok(value)
    }
}

/// Content of a literal without interpolations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A string.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// The content of a string or bytes literal without interpolations.
pub fn unquote(literal: &str) -> Result<Content, LiteralError> {
    let quotes = Quotes::of(literal, literal)?;
    let content = quotes.content(literal, true, true)?;
    if quotes.is_bytes() {
        return Ok(Content::Bytes(content));
    }
    match String::from_utf8(content) {
        Ok(text) => Ok(Content::String(text)),
        Err(_) => fail("invalid UTF-8 encoding"),
    }
}

/// The content of a string literal; fails for bytes.
pub fn unquote_string(literal: &str) -> Result<String, LiteralError> {
    // The common case needs no reading.
    let inner = literal.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    if let Some(inner) = inner
        && !inner.bytes().any(|b| matches!(b, b'\\' | b'"' | b'\n'))
    {
        return Ok(inner.to_owned());
    }
    match unquote(literal)? {
        Content::String(text) => Ok(text),
        Content::Bytes(_) => fail("invalid syntax"),
    }
}
