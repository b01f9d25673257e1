//! Lines of a document: headers, and keys with values.

use super::{Bad, bad, shown};

/// One part of a dotted key.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) at: usize,
}

/// A value; the place is that of its first byte.
#[derive(Clone, Debug)]
pub(super) enum Value {
    String(String, usize),
    Int(String, usize),
    Float(String, usize),
    Bool(bool),
    Date(String),
    Time(String),
    LocalDateTime(String),
    DateTime(String),
    Array(Vec<Value>),
    Table(Vec<(Vec<Key>, Value)>, usize),
}

/// A line that says something.
#[derive(Clone, Debug)]
pub(super) enum Line {
    Table(Vec<Key>),
    ArrayTable(Vec<Key>),
    Field(Vec<Key>, Value),
}

/// Reads a document line by line.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    first: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Parser<'a> {
        Parser {
            text,
            pos: 0,
            first: true,
        }
    }

    pub(super) fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + ahead).copied()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or("")
    }

    fn char(&self) -> char {
        self.rest().chars().next().unwrap_or('\0')
    }

    fn space(&mut self) {
        while matches!(self.byte(0), Some(b' ' | b'\t')) {
            self.pos += 1;
        }
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Bad> {
        match self.byte(0) {
            None => bad(
                self.pos,
                format!(
                    "expected character {} but the document ended here",
                    char::from(wanted)
                ),
            ),
            Some(b) if b != wanted => bad(
                self.pos,
                format!("expected character {}", char::from(wanted)),
            ),
            Some(_) => {
                self.pos += 1;
                Ok(())
            }
        }
    }

    fn newline(&mut self) -> Result<(), Bad> {
        match self.byte(0) {
            Some(b'\n') => self.pos += 1,
            Some(b'\r') => match self.byte(1) {
                None => return bad(self.pos, "windows new line expected"),
                Some(b'\n') => self.pos += 2,
                Some(_) => return bad(self.pos, "windows new line should be \\r\\n"),
            },
            _ => {
                let byte = char::from(self.byte(0).unwrap_or(0));
                return bad(
                    self.pos,
                    format!("expected newline but got {}", shown(byte)),
                );
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), Bad> {
        self.pos += 1;
        loop {
            match self.byte(0) {
                None | Some(b'\n') => return Ok(()),
                Some(b'\r') if self.byte(1) == Some(b'\n') => return Ok(()),
                Some(b) if is_control(b) || b == b'\r' => {
                    return bad(self.pos, "invalid character in comment");
                }
                Some(_) => self.pos += self.char().len_utf8(),
            }
        }
    }

    /// The next line that says something.
    pub(super) fn line(&mut self) -> Result<Option<Line>, Bad> {
        loop {
            if self.pos >= self.text.len() {
                return Ok(None);
            }
            if !self.first {
                self.newline()?;
                if self.pos >= self.text.len() {
                    return Ok(None);
                }
            }
            let line = self.expression()?;
            self.first = false;
            if line.is_some() {
                return Ok(line);
            }
        }
    }

    fn expression(&mut self) -> Result<Option<Line>, Bad> {
        self.space();
        let line = match self.byte(0) {
            None | Some(b'\n' | b'\r') => return Ok(None),
            Some(b'#') => {
                self.comment()?;
                return Ok(None);
            }
            Some(b'[') if self.byte(1) == Some(b'[') => {
                self.pos += 2;
                self.space();
                let key = self.key()?;
                self.space();
                self.expect(b']')?;
                self.expect(b']')?;
                Line::ArrayTable(key)
            }
            Some(b'[') => {
                self.pos += 1;
                self.space();
                let key = self.key()?;
                self.space();
                self.expect(b']')?;
                Line::Table(key)
            }
            Some(_) => {
                let (key, value) = self.field()?;
                Line::Field(key, value)
            }
        };
        self.space();
        if self.byte(0) == Some(b'#') {
            self.comment()?;
        }
        Ok(Some(line))
    }

    fn field(&mut self) -> Result<(Vec<Key>, Value), Bad> {
        let start = self.pos;
        let key = self.key()?;
        self.space();
        if self.byte(0).is_none() {
            let text = "expected = after a key, but the document ends there";
            return bad(start, text);
        }
        self.expect(b'=')?;
        self.space();
        Ok((key, self.value()?))
    }

    fn key(&mut self) -> Result<Vec<Key>, Bad> {
        let mut parts = vec![self.simple_key()?];
        loop {
            self.space();
            if self.byte(0) != Some(b'.') {
                return Ok(parts);
            }
            self.pos += 1;
            self.space();
            parts.push(self.simple_key()?);
        }
    }

    fn simple_key(&mut self) -> Result<Key, Bad> {
        let at = self.pos;
        let name = match self.byte(0) {
            None => return bad(at, "expected key but found none"),
            Some(b'\'') => self.literal_string()?,
            Some(b'"') => self.basic_string()?,
            Some(b) if is_key(b) => {
                while self.byte(0).is_some_and(is_key) {
                    self.pos += 1;
                }
                self.text[at..self.pos].to_owned()
            }
            Some(b) => {
                let text = format!("invalid character at start of key: {}", char::from(b));
                return bad(at, text);
            }
        };
        Ok(Key { name, at })
    }

    fn value(&mut self) -> Result<Value, Bad> {
        let at = self.pos;
        let rest = self.rest();
        Ok(match self.byte(0) {
            None => return bad(at, "expected value, not eof"),
            Some(b'"') if rest.starts_with("\"\"\"") => Value::String(self.basic_lines()?, at),
            Some(b'"') => Value::String(self.basic_string()?, at),
            Some(b'\'') if rest.starts_with("'''") => Value::String(self.literal_lines()?, at),
            Some(b'\'') => Value::String(self.literal_string()?, at),
            Some(b't') => self.word("true")?,
            Some(b'f') => self.word("false")?,
            Some(b'[') => stacker::maybe_grow(64 << 10, 2 << 20, || self.array())?,
            Some(b'{') => stacker::maybe_grow(64 << 10, 2 << 20, || self.inline_table())?,
            Some(_) => self.number_or_time()?,
        })
    }

    fn word(&mut self, word: &str) -> Result<Value, Bad> {
        if !self.rest().starts_with(word) {
            return bad(self.pos, format!("expected '{word}'"));
        }
        self.pos += word.len();
        Ok(Value::Bool(word == "true"))
    }

    /// White space, comments and line breaks.
    fn loose_space(&mut self) -> Result<(), Bad> {
        loop {
            self.space();
            if self.byte(0) == Some(b'#') {
                self.comment()?;
            }
            match self.byte(0) {
                Some(b'\n' | b'\r') => self.newline()?,
                _ => return Ok(()),
            }
        }
    }

    fn array(&mut self) -> Result<Value, Bad> {
        let start = self.pos;
        self.pos += 1;
        let mut items = Vec::new();
        while self.byte(0).is_some() {
            self.loose_space()?;
            match self.byte(0) {
                None => return bad(start, "array is incomplete"),
                Some(b']') => break,
                Some(b',') if items.is_empty() => {
                    return bad(self.pos, "array cannot start with comma");
                }
                Some(b',') => {
                    self.pos += 1;
                    self.loose_space()?;
                }
                Some(_) if !items.is_empty() => {
                    return bad(self.pos, "array elements must be separated by commas");
                }
                Some(_) => {}
            }
            if self.byte(0) == Some(b']') {
                break;
            }
            items.push(self.value()?);
            self.loose_space()?;
        }
        self.expect(b']')?;
        Ok(Value::Array(items))
    }

    fn inline_table(&mut self) -> Result<Value, Bad> {
        let at = self.pos;
        self.pos += 1;
        let mut fields = Vec::new();
        while self.byte(0).is_some() {
            let before = self.pos;
            self.space();
            match self.byte(0) {
                None => return bad(before, "inline table is incomplete"),
                Some(b'}') => break,
                Some(_) if !fields.is_empty() => {
                    self.expect(b',')?;
                    self.space();
                }
                Some(_) => {}
            }
            fields.push(self.field()?);
        }
        self.expect(b'}')?;
        Ok(Value::Table(fields, at))
    }

    fn number_or_time(&mut self) -> Result<Value, Bad> {
        let at = self.pos;
        let rest = self.rest().as_bytes();
        match rest[0] {
            c @ (b'i' | b'n') => {
                let word = if c == b'i' { "inf" } else { "nan" };
                if !self.rest().starts_with(word) {
                    return bad(at, format!("expected '{word}'"));
                }
                self.pos += 3;
                return Ok(Value::Float(word.to_owned(), at));
            }
            b'+' | b'-' => return self.number(),
            _ => {}
        }
        if rest.len() >= 3 {
            for (i, b) in rest.iter().take(5).enumerate() {
                if b.is_ascii_digit() {
                    continue;
                }
                if i == 2 && *b == b':' || i == 4 && *b == b'-' {
                    return Ok(self.time());
                }
                break;
            }
        }
        self.number()
    }

    fn time(&mut self) -> Value {
        let bytes = self.rest().as_bytes();
        let (mut date, mut time, mut zone, mut space) = (false, false, false, false);
        let mut i = 0;
        while let Some(b) = bytes.get(i) {
            match b {
                b'0'..=b'9' => {}
                b'-' => {
                    date = true;
                    zone |= i >= 8;
                }
                b'T' | b't' | b':' | b'.' => time = true,
                b'+' | b'Z' | b'z' => zone = true,
                b' ' if !space && bytes.get(i + 1).is_some_and(u8::is_ascii_digit) => {
                    i += if i + 2 >= bytes.len() { 1 } else { 2 };
                    space = true;
                    time = true;
                }
                _ => break,
            }
            i += 1;
        }
        let text = self.rest()[..i.min(bytes.len())].to_owned();
        self.pos += text.len();
        match (time, date, zone) {
            (true, true, true) => Value::DateTime(text),
            (true, true, false) => Value::LocalDateTime(text),
            (true, false, _) => Value::Time(text),
            _ => Value::Date(text),
        }
    }

    fn number(&mut self) -> Result<Value, Bad> {
        let at = self.pos;
        let bytes = self.rest().as_bytes();
        let taken = |n: usize| self.text[at..at + n].to_owned();
        if bytes.len() > 2 && bytes[0] == b'0' && !matches!(bytes[1], b'.' | b'e' | b'E') {
            let valid: fn(u8) -> bool = match bytes[1] {
                b'x' => |b| b.is_ascii_hexdigit() || b == b'_',
                b'o' => |b| matches!(b, b'0'..=b'7' | b'_'),
                b'b' => |b| matches!(b, b'0' | b'1' | b'_'),
                _ => |_| false,
            };
            let prefix = if matches!(bytes[1], b'x' | b'o' | b'b') {
                2
            } else {
                1
            };
            let digits = bytes[prefix..].iter().take_while(|b| valid(**b)).count();
            let text = taken(prefix + digits);
            self.pos += text.len();
            return Ok(Value::Int(text, at));
        }
        let (mut i, mut float) = (0, false);
        while let Some(b) = bytes.get(i) {
            match b {
                b'0'..=b'9' | b'+' | b'-' | b'_' => {}
                b'.' | b'e' | b'E' => float = true,
                b'i' | b'n' => {
                    let word: &[u8] = if *b == b'i' { b"inf" } else { b"nan" };
                    if !bytes[i..].starts_with(word) {
                        let c = char::from(*b);
                        let text =
                            format!("unexpected character '{c}' while scanning for a number");
                        return bad(at + i, text);
                    }
                    let text = taken(i + 3);
                    self.pos += text.len();
                    return Ok(Value::Float(text, at));
                }
                _ => break,
            }
            i += 1;
        }
        if i == 0 {
            return bad(at, "incomplete number");
        }
        let text = taken(i);
        self.pos += i;
        Ok(if float {
            Value::Float(text, at)
        } else {
            Value::Int(text, at)
        })
    }
}

fn is_key(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')
}

/// Characters that may not stand in texts and comments.
pub(super) fn is_control(b: u8) -> bool {
    matches!(b, 0..=8 | 0xb | 0xc | 0xe..=0x1f | 0x7f)
}
