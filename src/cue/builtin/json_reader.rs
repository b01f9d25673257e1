//! JSON texts to data, with the error texts of Go's decoder.

use super::host::Data;
use super::quote::quote_go;
use crate::number::parse_literal;

/// Deepest nesting of arrays and objects.
const MAX_DEPTH: usize = 10_000;

/// What is wrong with a JSON text, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The cause in the words of Go's decoder.
    pub text: String,
    /// Offset of the byte in question.
    pub offset: usize,
}

type Read<T> = Result<T, JsonError>;

/// Reads one JSON text and nothing after it.
pub fn read_json(bytes: &[u8]) -> Read<Data> {
    let mut reader = Reader {
        bytes,
        at: 0,
        streaming: false,
    };
    let value = reader.value()?;
    reader.blanks();
    match reader.peek() {
        None => Ok(value),
        Some(_) => reader.unexpected("after top-level value"),
    }
}

/// Reads JSON texts one after the other.
pub fn read_json_stream(bytes: &[u8]) -> Read<Vec<Data>> {
    let mut reader = Reader {
        bytes,
        at: 0,
        streaming: true,
    };
    let mut out = Vec::new();
    loop {
        reader.blanks();
        if reader.peek().is_none() {
            return Ok(out);
        }
        out.push(reader.value()?);
    }
}

/// Whether the bytes are one JSON text.
pub fn is_json(bytes: &[u8]) -> bool {
    read_json(bytes).is_ok()
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    streaming: bool,
}

/// An array or object that is being read.
enum Open {
    List(Vec<Data>),
    Struct(Vec<(String, Data)>, String),
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The error for the byte (or end) at hand; the end counts as a blank within words, numbers and
    /// escapes.
    fn unexpected<T>(&self, place: &str) -> Read<T> {
        let inside = place.contains("literal") && !place.ends_with("string literal")
            || place.contains("escape");
        let byte = match self.peek() {
            Some(byte) => Some(byte),
            None if inside && !self.streaming => Some(b' '),
            None => None,
        };
        let Some(byte) = byte else {
            let text = if self.streaming {
                "unexpected EOF"
            } else {
                "unexpected end of JSON input"
            };
            return Err(JsonError {
                text: text.into(),
                offset: self.bytes.len(),
            });
        };
        let shown = match byte {
            b'\'' => r"'\''".to_owned(),
            b'"' => "'\"'".to_owned(),
            _ => {
                // bytes stand for the character of the same number
                let quoted = quote_go(&char::from(byte).to_string());
                format!("'{}'", &quoted[1..quoted.len() - 1])
            }
        };
        Err(JsonError {
            text: format!("invalid character {shown} {place}"),
            offset: self.at,
        })
    }

    fn value(&mut self) -> Read<Data> {
        let mut stack: Vec<Open> = Vec::new();
        loop {
            self.blanks();
            let mut done = match self.peek() {
                Some(b'{') => {
                    self.at += 1;
                    match self.first_key(&mut stack)? {
                        Some(empty) => empty,
                        None => continue,
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.blanks();
                    if self.peek() == Some(b']') {
                        self.at += 1;
                        Data::List(Vec::new())
                    } else {
                        self.push(&mut stack, Open::List(Vec::new()))?;
                        continue;
                    }
                }
                _ => self.scalar()?,
            };
            // close what the value ends
            loop {
                let Some(open) = stack.pop() else {
                    return Ok(done);
                };
                self.blanks();
                match open {
                    Open::List(mut items) => {
                        items.push(done);
                        match self.peek() {
                            Some(b',') => {
                                self.at += 1;
                                stack.push(Open::List(items));
                                break;
                            }
                            Some(b']') => {
                                self.at += 1;
                                done = Data::List(items);
                            }
                            _ => return self.unexpected("after array element"),
                        }
                    }
                    Open::Struct(mut fields, key) => {
                        fields.push((key, done));
                        match self.peek() {
                            Some(b',') => {
                                self.at += 1;
                                self.blanks();
                                let key = self.key()?;
                                stack.push(Open::Struct(fields, key));
                                break;
                            }
                            Some(b'}') => {
                                self.at += 1;
                                done = Data::Struct(fields);
                            }
                            _ => return self.unexpected("after object key:value pair"),
                        }
                    }
                }
            }
        }
    }

    fn push(&self, stack: &mut Vec<Open>, open: Open) -> Read<()> {
        if stack.len() >= MAX_DEPTH {
            return Err(JsonError {
                text: "exceeded max depth".into(),
                offset: self.at,
            });
        }
        stack.push(open);
        Ok(())
    }

    /// After `{`: an empty object, or its first key pushed.
    fn first_key(&mut self, stack: &mut Vec<Open>) -> Read<Option<Data>> {
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Some(Data::Struct(Vec::new())));
        }
        let key = self.key()?;
        self.push(stack, Open::Struct(Vec::new(), key))?;
        Ok(None)
    }

    fn key(&mut self) -> Read<String> {
        if self.peek() != Some(b'"') {
            return self.unexpected("looking for beginning of object key string");
        }
        let key = self.string()?;
        self.blanks();
        if self.peek() != Some(b':') {
            return self.unexpected("after object key");
        }
        self.at += 1;
        Ok(key)
    }

    fn scalar(&mut self) -> Read<Data> {
        match self.peek() {
            Some(b'"') => Ok(Data::String(self.string()?)),
            Some(b't') => self.word("true", Data::Bool(true)),
            Some(b'f') => self.word("false", Data::Bool(false)),
            Some(b'n') => self.word("null", Data::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.unexpected("looking for beginning of value"),
        }
    }

    fn word(&mut self, word: &str, value: Data) -> Read<Data> {
        for expected in word.bytes() {
            if self.peek() != Some(expected) {
                let place = format!("in literal {word} (expecting '{}')", char::from(expected));
                return self.unexpected(&place);
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn digits(&mut self, place: &str) -> Read<()> {
        if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
            return self.unexpected(place);
        }
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Read<Data> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits("in numeric literal")?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits("after decimal point in numeric literal")?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits("in exponent of numeric literal")?;
        }
        let text = String::from_utf8_lossy(&self.bytes[start + usize::from(negative)..self.at]);
        match parse_literal(&text) {
            Ok(number) => Ok(Data::Number(if negative { number.neg() } else { number })),
            Err(cause) => Err(JsonError {
                text: cause.to_string(),
                offset: start,
            }),
        }
    }

    fn string(&mut self) -> Read<String> {
        self.at += 1;
        let mut out: Vec<u8> = Vec::new();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match String::from_utf8(out) {
                        Ok(text) => text,
                        Err(broken) => String::from_utf8_lossy(broken.as_bytes()).into_owned(),
                    });
                }
                Some(b'\\') => {
                    self.at += 1;
                    let c = self.escape()?;
                    out.extend(c.encode_utf8(&mut [0; 4]).bytes());
                }
                Some(byte) if byte >= b' ' => {
                    out.push(byte);
                    self.at += 1;
                }
                _ => return self.unexpected("in string literal"),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let c = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return self.unexpected("in string escape code"),
        };
        self.at += 1;
        Ok(c)
    }

    fn hex4(&mut self) -> Read<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(16)) else {
                return self.unexpected("in \\u hexadecimal character escape");
            };
            code = code << 4 | digit;
            self.at += 1;
        }
        Ok(code)
    }

    fn unicode(&mut self) -> Read<char> {
        let start = self.at;
        let unmatched = || JsonError {
            text: "invalid string: unmatched surrogate pair".into(),
            offset: start,
        };
        let high = self.hex4()?;
        if !(0xd800..0xe000).contains(&high) {
            return char::from_u32(high).ok_or_else(unmatched);
        }
        if high >= 0xdc00 || !self.bytes[self.at..].starts_with(b"\\u") {
            return Err(unmatched());
        }
        self.at += 2;
        let low = self.hex4()?;
        if !(0xdc00..0xe000).contains(&low) {
            return Err(unmatched());
        }
        char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)).ok_or_else(unmatched)
    }
}
