//! Number tokens.

use super::Lexer;
use crate::syntax::token::Tok;

impl Lexer<'_> {
    /// A number from its first digit or dot.
    pub(super) fn number(&mut self) -> Tok {
        let start = self.at;
        if self.bytes[start] == b'0' {
            match self.byte(start + 1) {
                b'x' | b'X' => return self.based(start, "hexadecimal", |b| b.is_ascii_hexdigit()),
                b'b' => return self.based(start, "binary", |b| matches!(b, b'0' | b'1')),
                b'o' => return self.based(start, "octal", |b| matches!(b, b'0'..=b'7')),
                _ => {}
            }
        }
        let mut float = false;
        if self.bytes[start] == b'0' && self.byte(start + 1) == b'_' {
            self.at += 1;
        } else if self.bytes[start] != b'.' {
            self.digits(|b| b.is_ascii_digit());
        }
        let whole = &self.bytes[start..self.at];
        let leading_zero = whole.len() > 1 && whole[0] == b'0';
        if self.byte(self.at) == b'.' && self.byte(self.at + 1) != b'.' {
            float = true;
            self.at += 1;
            self.digits(|b| b.is_ascii_digit());
        }
        match self.byte(self.at) {
            b'K' | b'M' | b'G' | b'T' | b'P' => {
                self.at += 1;
                if self.byte(self.at) == b'i' {
                    self.at += 1;
                }
                if leading_zero && !float {
                    self.problem(start, "illegal integer number");
                }
                return Tok::Int;
            }
            b'e' | b'E' => {
                float = true;
                self.exponent();
            }
            _ => {}
        }
        if leading_zero && !float {
            self.problem(start, "illegal integer number");
        }
        if float { Tok::Float } else { Tok::Int }
    }

    fn exponent(&mut self) {
        self.at += 1;
        if matches!(self.byte(self.at), b'+' | b'-') {
            self.at += 1;
        }
        if self.byte(self.at).is_ascii_digit() {
            self.digits(|b| b.is_ascii_digit());
        } else {
            self.problem(self.at, "illegal exponent in number");
        }
    }

    fn based(&mut self, start: usize, kind: &str, digit: fn(u8) -> bool) -> Tok {
        self.at += 2;
        let first = self.at;
        self.digits(digit);
        if self.at == first {
            self.problem(start, format!("illegal {kind} number"));
        }
        Tok::Int
    }

    /// Digits with single `_` between them.
    fn digits(&mut self, digit: fn(u8) -> bool) {
        let mut underscore = false;
        loop {
            match self.byte(self.at) {
                b'_' if underscore => {
                    self.problem(self.at, "illegal '_' in number");
                    self.at += 1;
                }
                b'_' => {
                    underscore = true;
                    self.at += 1;
                }
                b if digit(b) => {
                    underscore = false;
                    self.at += 1;
                }
                _ => break,
            }
        }
        if underscore {
            self.problem(self.at - 1, "illegal '_' in number");
        }
    }

    /// Digits of other scripts start a number that no base accepts.
    pub(super) fn foreign_digits(&mut self) -> Tok {
        let c = self.char_at(self.at).unwrap_or('\u{fffd}');
        self.illegal(c)
    }
}
