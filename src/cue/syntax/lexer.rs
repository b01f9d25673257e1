//! Bytes to tokens, with the commas that newlines stand for.

mod number;
mod strings;

use strings::Quote;

use super::chars::{is_digit, is_letter, is_print};
use super::error::Problem;
use super::source::Rel;
use super::token::{Tok, keyword};

/// A token and its place in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) rel: Rel,
}

/// A position in a text, reading tokens on demand.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// A newline, comment or end here stands for a comma.
    comma: bool,
    /// End of the token before, from which white space counts.
    last_end: usize,
    /// Strings whose interpolation is being read.
    quotes: Vec<Quote>,
    pub(crate) problems: Vec<Problem>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            comma: false,
            last_end: 0,
            quotes: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn byte(&self, offset: usize) -> u8 {
        self.bytes.get(offset).copied().unwrap_or(0)
    }

    fn ended(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn problem(&mut self, at: usize, text: impl Into<String>) {
        self.problems.push(Problem {
            at,
            text: text.into(),
        });
    }

    /// The next byte that is no white space, for decisions about what follows.
    pub(crate) fn peek(&self) -> u8 {
        let rest = &self.bytes[self.at..];
        rest.iter()
            .copied()
            .find(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
            .unwrap_or(0)
    }

    /// Skips white space; stops at a newline that stands for a comma.
    fn skip_space(&mut self) {
        let stop_at_newline = self.comma;
        while let Some(b) = self.bytes.get(self.at) {
            match b {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' if !stop_at_newline => self.at += 1,
                _ => break,
            }
        }
    }

    /// White space between the end of the token before and a place.
    fn rel(&self, start: usize) -> Rel {
        let gap = &self.bytes[self.last_end.min(start)..start];
        match gap {
            [] => Rel::NoSpace,
            [b' '] => Rel::Blank,
            _ => match gap.iter().filter(|b| **b == b'\n').count() {
                0 => Rel::Blank,
                1 => Rel::Newline,
                _ => Rel::NewSection,
            },
        }
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Token {
        self.skip_space();
        let start = self.at;
        if self.ended() {
            return self.at_end(start);
        }
        let b = self.bytes[start];
        if b == b'\n' {
            return self.newline(start);
        }
        if b == b'/' && self.byte(start + 1) == b'/' && self.comma {
            self.comma = false;
            return Token {
                tok: Tok::Comma,
                start,
                end: start,
                rel: Rel::Elided,
            };
        }
        let rel = self.rel(start);
        let tok = self.scan(b);
        self.last_end = self.at;
        Token {
            tok,
            start,
            end: self.token_end(tok),
            rel,
        }
    }

    /// The text of a piece of an interpolation includes the `(` that is also the next token.
    fn token_end(&self, tok: Tok) -> usize {
        if tok == Tok::Interpolation {
            self.at + 1
        } else {
            self.at
        }
    }

    fn at_end(&mut self, start: usize) -> Token {
        if std::mem::take(&mut self.comma) {
            return Token {
                tok: Tok::Comma,
                start,
                end: start,
                rel: Rel::Elided,
            };
        }
        Token {
            tok: Tok::Eof,
            start,
            end: start,
            rel: self.rel(start),
        }
    }

    /// A newline that stands for a comma, unless the line goes on with `,` or `:`.
    fn newline(&mut self, start: usize) -> Token {
        self.comma = false;
        self.skip_space();
        if matches!(self.byte(self.at), b',' | b':') && !self.ended() {
            return self.next();
        }
        Token {
            tok: Tok::Comma,
            start,
            end: start,
            rel: Rel::Elided,
        }
    }

    fn scan(&mut self, b: u8) -> Tok {
        let tok = match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'$' | b'_' => self.identifier(),
            b'#' => self.hash(),
            b'0'..=b'9' => self.number(),
            b'"' | b'\'' => self.string_start(0),
            b'@' => self.attribute(),
            b'/' if self.byte(self.at + 1) == b'/' => self.comment(),
            b'.' if self.byte(self.at + 1).is_ascii_digit() => self.number(),
            0x80.. => self.unicode(),
            _ => self.symbol(b),
        };
        self.comma = match tok {
            Tok::Comment => self.comma,
            Tok::Ident
            | Tok::Int
            | Tok::Float
            | Tok::Str
            | Tok::Bottom
            | Tok::RParen
            | Tok::RBrack
            | Tok::RBrace
            | Tok::Option
            | Tok::Ellipsis
            | Tok::Semicolon
            | Tok::Attribute => true,
            _ => tok.keyword().is_some(),
        };
        tok
    }

    fn unicode(&mut self) -> Tok {
        let c = self.char_at(self.at).unwrap_or('\u{fffd}');
        if is_letter(c) {
            return self.identifier();
        }
        if is_digit(c) {
            return self.foreign_digits();
        }
        self.illegal(c)
    }

    fn char_at(&self, offset: usize) -> Option<char> {
        self.text.get(offset..).and_then(|t| t.chars().next())
    }

    fn illegal(&mut self, c: char) -> Tok {
        let at = self.at;
        self.at += c.len_utf8();
        if c == '\u{feff}' {
            self.problem(at, "illegal byte order mark");
        } else {
            self.problem(at, format!("illegal character {}", code_point(c)));
        }
        Tok::Illegal
    }

    /// Letters, digits, `_` and `$` from here on.
    fn skip_word(&mut self) {
        loop {
            match self.byte(self.at) {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => self.at += 1,
                0x80.. => match self.char_at(self.at) {
                    Some(c) if is_letter(c) || is_digit(c) => self.at += c.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    fn identifier(&mut self) -> Tok {
        let start = self.at;
        if self.bytes[start] == b'_' {
            if self.bytes[start..].starts_with(b"_|_") {
                self.at += 3;
                return Tok::Bottom;
            }
            self.at += 1;
            if self.byte(self.at) == b'#' {
                self.at += 1;
                if self.byte(self.at).is_ascii_digit() {
                    return Tok::Ident;
                }
            }
        }
        self.skip_word();
        let word = &self.bytes[start..self.at];
        if word.starts_with(b"__") && self.byte(self.at) == b'#' {
            self.at += 1;
            self.skip_word();
            let text = &self.text[start..self.at];
            self.problem(start, format!("illegal token {text:?}"));
            return Tok::Illegal;
        }
        if word.len() <= 9 && word.len() > 1 {
            keyword(word)
        } else {
            Tok::Ident
        }
    }

    /// `#`: a definition or a raw string.
    fn hash(&mut self) -> Tok {
        let hashes = self.bytes[self.at..]
            .iter()
            .take_while(|b| **b == b'#')
            .count();
        if matches!(self.byte(self.at + hashes), b'"' | b'\'') {
            self.at += hashes;
            return self.string_start(hashes);
        }
        if hashes > 1 {
            self.at += hashes;
            return Tok::Illegal;
        }
        self.at += 1;
        if !self.byte(self.at).is_ascii_digit() {
            self.skip_word();
        }
        Tok::Ident
    }

    fn comment(&mut self) -> Tok {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let start = self.at;
        self.at += len;
        self.check_text(start, self.at);
        Tok::Comment
    }

    /// Complains about NUL and byte order marks inside strings and comments.
    fn check_text(&mut self, start: usize, end: usize) {
        let text = &self.bytes[start..end];
        if !text.iter().any(|b| *b == 0 || *b == 0xef) {
            return;
        }
        for i in start..end {
            if self.bytes[i] == 0 {
                self.problem(i, "illegal character NUL");
            } else if self.bytes[i..].starts_with(b"\xef\xbb\xbf") {
                self.problem(i, "illegal byte order mark");
            }
        }
    }

    fn symbol(&mut self, b: u8) -> Tok {
        let second = self.byte(self.at + 1);
        let (tok, len) = match (b, second) {
            (b':', _) => (Tok::Colon, 1),
            (b',', _) => (Tok::Comma, 1),
            (b'{', _) => (Tok::LBrace, 1),
            (b'}', _) => (Tok::RBrace, 1),
            (b'[', _) => (Tok::LBrack, 1),
            (b']', _) => (Tok::RBrack, 1),
            (b'(', _) => (Tok::LParen, 1),
            (b')', _) => (Tok::RParen, 1),
            (b'.', b'.') => return self.dots(),
            (b'.', _) => (Tok::Period, 1),
            (b'=', b'=') => (Tok::Equal, 2),
            (b'=', b'~') => (Tok::Match, 2),
            (b'=', _) => (Tok::Bind, 1),
            (b'!', b'=') => (Tok::NotEqual, 2),
            (b'!', b'~') => (Tok::NotMatch, 2),
            (b'!', _) => (Tok::Not, 1),
            (b'<', b'=') => (Tok::LessEqual, 2),
            (b'<', b'-') => (Tok::Arrow, 2),
            (b'<', _) => (Tok::Less, 1),
            (b'>', b'=') => (Tok::GreaterEqual, 2),
            (b'>', _) => (Tok::Greater, 1),
            (b'&', b'&') => (Tok::LogicAnd, 2),
            (b'&', _) => (Tok::And, 1),
            (b'|', b'|') => (Tok::LogicOr, 2),
            (b'|', _) => (Tok::Or, 1),
            (b'?', _) => (Tok::Option, 1),
            (b'~', _) => (Tok::Tilde, 1),
            (b'+', _) => (Tok::Add, 1),
            (b'-', _) => (Tok::Sub, 1),
            (b'*', _) => (Tok::Mul, 1),
            (b'/', _) => (Tok::Div, 1),
            (b';', _) => (Tok::Semicolon, 1),
            (0, _) => {
                self.problem(self.at, "illegal character NUL");
                return self.illegal('\0');
            }
            _ => return self.illegal(b as char),
        };
        self.at += len;
        tok
    }

    fn dots(&mut self) -> Tok {
        if self.byte(self.at + 2) == b'.' {
            self.at += 3;
            return Tok::Ellipsis;
        }
        self.problem(self.at, "illegal token '..'; expected '.'");
        self.at += 2;
        Tok::Illegal
    }

    /// `@name(` and balanced tokens up to `)`.
    fn attribute(&mut self) -> Tok {
        self.at += 1;
        if self.byte(self.at) == b'#' {
            self.at += 1;
        }
        self.skip_word();
        if self.next().tok != Tok::LParen {
            self.problem(self.at, "invalid attribute: expected '('");
            return Tok::Attribute;
        }
        let mut open = vec![Tok::RParen];
        while let Some(close) = open.last().copied() {
            match self.next().tok {
                t if t == close => {
                    open.pop();
                }
                Tok::Eof => {
                    let at = self.at;
                    while let Some(close) = open.pop() {
                        self.problem(at, format!("attribute missing '{}'", close.as_str()));
                    }
                }
                Tok::Interpolation => {
                    self.problem(self.at, "interpolation not allowed in attribute");
                    self.skip_interpolation();
                }
                Tok::LParen => open.push(Tok::RParen),
                Tok::LBrack => open.push(Tok::RBrack),
                Tok::LBrace => open.push(Tok::RBrace),
                t @ (Tok::RParen | Tok::RBrack | Tok::RBrace) => {
                    self.problem(self.at, format!("unexpected '{}'", t.as_str()));
                }
                _ => {}
            }
        }
        Tok::Attribute
    }

    /// Reads over an interpolation where none may be, to the end of its string.
    fn skip_interpolation(&mut self) {
        let depth = self.quotes.len();
        let mut parens = 0usize;
        loop {
            match self.next().tok {
                Tok::Eof => {
                    self.quotes.truncate(depth - 1);
                    return;
                }
                Tok::LParen => parens += 1,
                Tok::RParen => {
                    parens = parens.saturating_sub(1);
                    if parens == 0 && self.resume().tok != Tok::Interpolation {
                        return;
                    }
                }
                Tok::Interpolation => self.skip_interpolation(),
                _ => {}
            }
        }
    }
}

/// `U+0025 '%'`, without the glyph if it does not print.
pub(crate) fn code_point(c: char) -> String {
    if is_print(c) {
        format!("U+{:04X} '{c}'", c as u32)
    } else {
        format!("U+{:04X}", c as u32)
    }
}
