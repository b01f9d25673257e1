//! String and bytes tokens, and the pieces of interpolations.

use super::{Lexer, Token, code_point};
use crate::syntax::source::Rel;
use crate::syntax::token::Tok;

/// How an open string was quoted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    mark: u8,
    hashes: usize,
    multi: bool,
    /// Where the string starts.
    start: usize,
    /// The longest indentation that all lines so far share: offset and length.
    indent: Option<(usize, usize)>,
}

impl Lexer<'_> {
    /// A string from its quote on; `hashes` stood before it.
    pub(super) fn string_start(&mut self, hashes: usize) -> Tok {
        let mark = self.bytes[self.at];
        let start = self.at - hashes;
        let mut quote = Quote {
            mark,
            hashes,
            multi: false,
            start,
            indent: None,
        };
        self.at += 1;
        if self.byte(self.at) != mark {
            return self.string(quote, start);
        }
        if self.byte(self.at + 1) != mark {
            if self.hashes_at(self.at + 1) >= hashes {
                self.at += 1 + hashes;
                return Tok::Str;
            }
            return self.string(quote, start);
        }
        // Three quotes: a multi-line string, or a raw string of one quote.
        self.at += 2;
        let line = match (self.byte(self.at), self.byte(self.at + 1)) {
            (b'\n', _) => 1,
            (b'\r', b'\n') => 2,
            _ => 0,
        };
        if line > 0 {
            quote.multi = true;
            self.at += line;
            return self.string_after_newline(quote, start);
        }
        if hashes > 0 && self.hashes_at(self.at) >= hashes {
            self.at += hashes;
            return Tok::Str;
        }
        let marks = &self.text[start..self.at];
        self.problem(
            start,
            format!("expected newline after multiline quote {marks}"),
        );
        Tok::Str
    }

    fn hashes_at(&self, offset: usize) -> usize {
        self.bytes[offset..]
            .iter()
            .take_while(|b| **b == b'#')
            .count()
    }

    /// Goes on with the string whose interpolation has just ended; the last token was its `)`.
    pub(crate) fn resume(&mut self) -> Token {
        let start = self.at.saturating_sub(1);
        let Some(quote) = self.quotes.pop() else {
            return Token {
                tok: Tok::Str,
                start,
                end: self.at,
                rel: Rel::NoSpace,
            };
        };
        let tok = self.string(quote, start);
        self.comma = tok == Tok::Str;
        self.last_end = self.at;
        Token {
            tok,
            start,
            end: self.token_end(tok),
            rel: Rel::NoSpace,
        }
    }

    /// The inside of a string; problems with its end are reported at `start`.
    fn string(&mut self, quote: Quote, start: usize) -> Tok {
        let from = self.at;
        let tok = loop {
            let rest = &self.bytes[self.at..];
            let special = |b: &u8| *b == quote.mark || *b == b'\\' || *b == b'\n';
            let Some(n) = rest.iter().position(special) else {
                self.at = self.bytes.len();
                self.problem(start, "string literal not terminated");
                break Tok::Str;
            };
            self.at += n;
            match self.bytes[self.at] {
                b'\n' if !quote.multi => {
                    self.problem(start, "string literal not terminated");
                    break Tok::Str;
                }
                b'\n' => {
                    self.at += 1;
                    self.check_text(from, self.at);
                    return self.string_after_newline(quote, start);
                }
                b'\\' => {
                    self.at += 1;
                    if self.escape(&quote) {
                        self.quotes.push(quote);
                        break Tok::Interpolation;
                    }
                }
                _ => {
                    self.at += 1;
                    if !quote.multi && self.hashes_at(self.at) >= quote.hashes {
                        self.at += quote.hashes;
                        break Tok::Str;
                    }
                }
            }
        };
        self.check_text(from, self.at);
        tok
    }

    /// The start of a line of a multi-line string: its indentation, and maybe the end.
    fn string_after_newline(&mut self, mut quote: Quote, start: usize) -> Tok {
        loop {
            let line = self.at;
            while matches!(self.byte(self.at), b' ' | b'\t') {
                self.at += 1;
            }
            let indent = self.at - line;
            let here = self.byte(self.at);
            let triple = [quote.mark; 3];
            if self.bytes[self.at..].starts_with(&triple)
                && self.hashes_at(self.at + 3) >= quote.hashes
            {
                let closing = &self.bytes[line..self.at];
                self.at += 3 + quote.hashes;
                let shared = quote
                    .indent
                    .map(|(from, len)| &self.bytes[from..from + len]);
                if shared.is_some_and(|s| !s.starts_with(closing)) {
                    self.problem(quote.start, "non-matching whitespace for multiline strings");
                }
                return Tok::Str;
            }
            if indent == 0 && here == b'\n' {
                self.at += 1;
                continue;
            }
            quote.indent = Some(self.shared_indent(quote.indent, line, indent));
            return self.string(quote, start);
        }
    }

    fn shared_indent(
        &self,
        before: Option<(usize, usize)>,
        line: usize,
        len: usize,
    ) -> (usize, usize) {
        let Some((from, old)) = before else {
            return (line, len);
        };
        let (a, b) = (&self.bytes[from..from + old], &self.bytes[line..line + len]);
        (from, a.iter().zip(b).take_while(|(x, y)| x == y).count())
    }

    /// After a backslash. Says whether an interpolation begins; then the text ends before its `(`,
    /// which the token includes.
    fn escape(&mut self, quote: &Quote) -> bool {
        if self.hashes_at(self.at) < quote.hashes {
            return false;
        }
        self.at += quote.hashes;
        let at = self.at;
        let (digits, base, max) = match self.byte(at) {
            b'(' => return true,
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'/' => {
                self.at += 1;
                return false;
            }
            b if b == quote.mark => {
                self.at += 1;
                return false;
            }
            b'0'..=b'7' => {
                if quote.mark == b'"' {
                    self.problem(at, "octal escape not allowed in string literal");
                    return false;
                }
                (3, 8, 255)
            }
            b'x' => {
                if quote.mark == b'"' {
                    self.problem(at, "hexadecimal escape not allowed in string literal");
                    return false;
                }
                self.at += 1;
                (2, 16, 255)
            }
            b'u' => {
                self.at += 1;
                (4, 16, 0x10_ffff)
            }
            b'U' => {
                self.at += 1;
                (8, 16, 0x10_ffff)
            }
            _ if self.ended() => {
                self.problem(at, "escape sequence not terminated");
                return false;
            }
            _ => {
                self.problem(at, "unknown escape sequence");
                return false;
            }
        };
        self.escape_digits(at, digits, base, max);
        false
    }

    fn escape_digits(&mut self, start: usize, count: usize, base: u32, max: u64) {
        let mut value = 0u64;
        for _ in 0..count {
            let Some(c) = self.char_at(self.at) else {
                self.problem(self.at, "escape sequence not terminated");
                return;
            };
            let Some(digit) = c.to_digit(base) else {
                let text = format!("illegal character {} in escape sequence", code_point(c));
                self.problem(self.at, text);
                return;
            };
            value = value * u64::from(base) + u64::from(digit);
            self.at += 1;
        }
        if value > max {
            self.problem(start, "escape sequence is invalid Unicode code point");
        }
    }
}
