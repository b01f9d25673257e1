//! Strings in their four forms.

use super::parse::{Parser, is_control};
use super::{Bad, bad, shown};

impl Parser<'_> {
    pub(super) fn literal_string(&mut self) -> Result<String, Bad> {
        let start = self.pos + 1;
        let mut i = start;
        loop {
            match self.text.as_bytes().get(i) {
                None => return bad(self.text.len(), "unterminated literal string"),
                Some(b'\'') => break,
                Some(b'\n' | b'\r') => return bad(i, "literal strings cannot have new lines"),
                Some(b) if is_control(*b) => return bad(i, "invalid character"),
                Some(_) => i += 1,
            }
        }
        self.pos = i + 1;
        Ok(self.text[start..i].to_owned())
    }

    /// Where a text in triple quotes ends: the end of its content.
    fn end_of_lines(&mut self, quote: u8) -> Result<(usize, bool), Bad> {
        let bytes = self.text.as_bytes();
        let triple = [quote; 3];
        let basic = quote == b'"';
        let (mut i, mut escaped) = (self.pos + 3, false);
        while let Some(b) = bytes.get(i) {
            match *b {
                b if b == quote && bytes[i..].starts_with(&triple) => {
                    let more = bytes[i + 3..].iter().take_while(|b| **b == quote).count();
                    if more > 2 {
                        let (name, q) = if basic {
                            ("basic", "\"\"\"")
                        } else {
                            ("literal", "'''")
                        };
                        return bad(i + 2, format!("{q} not allowed in multiline {name} string"));
                    }
                    self.pos = i + 3 + more;
                    return Ok((i + more, escaped));
                }
                b'\\' if basic => {
                    if i + 1 >= bytes.len() {
                        return bad(bytes.len(), "need a character after \\");
                    }
                    escaped = true;
                    i += 2;
                }
                b'\r' => match bytes.get(i + 1) {
                    None => return bad(bytes.len(), "need a \\n after \\r"),
                    Some(b'\n') => i += 2,
                    Some(_) => return bad(i, "need a \\n after \\r"),
                },
                b if !basic && is_control(b) => return bad(i, "invalid character"),
                _ => i += 1,
            }
        }
        let text = if basic {
            "multiline basic string not terminated by \"\"\""
        } else {
            "multiline literal string not terminated by '''"
        };
        bad(bytes.len(), text)
    }

    /// A line break right after the quotes does not count.
    fn begin_of_lines(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        if rest.starts_with('\n') {
            start + 1
        } else if rest.starts_with("\r\n") {
            start + 2
        } else {
            start
        }
    }

    pub(super) fn literal_lines(&mut self) -> Result<String, Bad> {
        let start = self.begin_of_lines(self.pos + 3);
        let (end, _) = self.end_of_lines(b'\'')?;
        Ok(self.text[start.min(end)..end].to_owned())
    }

    pub(super) fn basic_lines(&mut self) -> Result<String, Bad> {
        let start = self.begin_of_lines(self.pos + 3);
        let (end, escaped) = self.end_of_lines(b'"')?;
        self.content(start.min(end), end, escaped, true)
    }

    pub(super) fn basic_string(&mut self) -> Result<String, Bad> {
        let bytes = self.text.as_bytes();
        let start = self.pos + 1;
        let (mut i, mut escaped) = (start, false);
        loop {
            match bytes.get(i) {
                None => return bad(bytes.len(), "basic string not terminated by \""),
                Some(b'"') => break,
                Some(b'\n' | b'\r') => return bad(i, "basic strings cannot have new lines"),
                Some(b'\\') => {
                    if i + 1 >= bytes.len() {
                        return bad(i, "need a character after \\");
                    }
                    escaped = true;
                    i += 2;
                }
                Some(_) => i += 1,
            }
        }
        self.pos = i + 1;
        self.content(start, i, escaped, false)
    }

    fn content(&self, start: usize, end: usize, escaped: bool, lines: bool) -> Result<String, Bad> {
        let text = &self.text[..end];
        if !escaped {
            return match text.as_bytes()[start..].iter().position(|b| is_control(*b)) {
                Some(i) => bad(start + i, "invalid UTF-8"),
                None => Ok(text[start..].to_owned()),
            };
        }
        let mut out = String::new();
        let mut i = start;
        while let Some(c) = text[i..].chars().next() {
            if c != '\\' {
                if c.is_ascii() && is_control(c as u8) {
                    return bad(i, format!("invalid character {}", shown(c)));
                }
                out.push(c);
                i += c.len_utf8();
                continue;
            }
            if lines && let Some(next) = joined(text, i) {
                i = next;
                continue;
            }
            i = escape(text, i + 1, &mut out)?;
        }
        Ok(out)
    }
}

/// Where the text goes on after a backslash at the end of a line.
fn joined(text: &str, backslash: usize) -> Option<usize> {
    let after = &text[backslash + 1..];
    let blanks = after.trim_start_matches([' ', '\t']);
    let blanks = blanks.strip_prefix('\r').unwrap_or(blanks);
    if !blanks.starts_with('\n') {
        return None;
    }
    Some(text.len() - after.trim_start_matches([' ', '\t', '\r', '\n']).len())
}

/// Reads what follows a backslash.
fn escape(text: &str, at: usize, out: &mut String) -> Result<usize, Bad> {
    let c = text[at..].chars().next().unwrap_or('\0');
    let digits = match c {
        'u' => 4,
        'U' => 8,
        _ => {
            out.push(match c {
                '"' | '\\' => c,
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'e' => '\u{1b}',
                _ => {
                    let byte = char::from(text.as_bytes().get(at).copied().unwrap_or(0));
                    return bad(at, format!("invalid escaped character {}", shown(byte)));
                }
            });
            return Ok(at + 1);
        }
    };
    let rest = &text.as_bytes()[at + 1..];
    if rest.len() < digits {
        let text = format!("unicode point needs {digits} character, not {}", rest.len());
        return bad(at + 1, text);
    }
    if let Some(i) = rest[..digits].iter().position(|b| !b.is_ascii_hexdigit()) {
        return bad(at + 1 + i, "non-hex character");
    }
    let code = u32::from_str_radix(&text[at + 1..at + 1 + digits], 16).unwrap_or(u32::MAX);
    match char::from_u32(code) {
        Some(c) => out.push(c),
        None => return bad(at + 1, "escape sequence is invalid Unicode code point"),
    }
    Ok(at + 1 + digits)
}
