//! Scalars in their five forms.

use super::{Mark, Scanner, Tok, fault, is_blank, is_blank_or_end, is_break, is_break_or_end};
use crate::decode::yaml::node::Bad;

/// White space inside a scalar that is folded when more text follows.
#[derive(Default)]
struct Space {
    /// Blanks on the line of the text.
    blanks: String,
    /// The first line break.
    first: String,
    /// Further ones.
    more: String,
    /// Whether there was a line break.
    broken: bool,
}

impl Space {
    fn fold_into(&mut self, out: &mut String) {
        if self.broken {
            if !self.first.starts_with('\n') {
                out.push_str(&self.first);
            } else if self.more.is_empty() {
                out.push(' ');
            }
            out.push_str(&self.more);
        } else {
            out.push_str(&self.blanks);
        }
        *self = Space::default();
    }
}

impl Scanner<'_> {
    /// Blanks and line breaks; the indentation that tabs may not stand in.
    fn space(&mut self, space: &mut Space, start: Mark, plain: bool) -> Result<(), Bad> {
        while is_blank(self.cur()) || is_break(self.cur()) {
            if is_break(self.cur()) {
                if space.broken {
                    self.take_line(&mut space.more);
                } else {
                    space.blanks.clear();
                    self.take_line(&mut space.first);
                    space.broken = true;
                }
                continue;
            }
            let outside = (self.mark.column as isize) <= self.indent;
            if plain && space.broken && outside && self.cur() == '\t' {
                let text = "found a tab character that violates indentation";
                return Err(fault(start, self.mark, text));
            }
            if space.broken {
                self.skip();
            } else {
                self.take(&mut space.blanks);
            }
        }
        Ok(())
    }

    pub(super) fn plain(&mut self) -> Result<(), Bad> {
        self.save_key()?;
        self.key_allowed = false;
        let (start, mut end) = (self.mark, self.mark);
        let (mut out, mut space) = (String::new(), Space::default());
        loop {
            if self.at_document_mark() || self.cur() == '#' {
                break;
            }
            while !is_blank_or_end(self.cur()) {
                let c = self.cur();
                if c == ':' && is_blank_or_end(self.ahead(1))
                    || self.flow_level > 0 && matches!(c, ',' | '?' | '[' | ']' | '{' | '}')
                {
                    break;
                }
                space.fold_into(&mut out);
                self.take(&mut out);
                end = self.mark;
            }
            if !is_blank(self.cur()) && !is_break(self.cur()) {
                break;
            }
            self.space(&mut space, start, true)?;
            if self.flow_level == 0 && self.mark.column as isize <= self.indent {
                break;
            }
        }
        let (text, plain) = (out, true);
        self.push(Tok::Scalar { text, plain }, start);
        if let Some(token) = self.tokens.back_mut() {
            token.end = end;
        }
        if space.broken {
            self.key_allowed = true;
        }
        Ok(())
    }

    pub(super) fn quoted(&mut self, quote: char) -> Result<(), Bad> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.mark;
        let mut out = String::new();
        self.skip();
        loop {
            if self.at_document_mark() {
                let text = "found unexpected document indicator";
                return Err(fault(start, self.mark, text));
            }
            if self.cur() == '\0' {
                let text = "found unexpected end of stream";
                return Err(fault(start, self.mark, text));
            }
            let mut space = Space::default();
            while !is_blank_or_end(self.cur()) {
                let (c, next) = (self.cur(), self.ahead(1));
                if c == quote && quote == '\'' && next == '\'' {
                    self.skip();
                    self.take(&mut out);
                } else if c == quote {
                    break;
                } else if quote == '"' && c == '\\' && is_break(next) {
                    self.skip();
                    self.skip_line();
                    space.broken = true;
                    break;
                } else if quote == '"' && c == '\\' {
                    self.escape(&mut out, start)?;
                } else {
                    self.take(&mut out);
                }
            }
            if self.cur() == quote {
                break;
            }
            self.space(&mut space, start, false)?;
            space.fold_into(&mut out);
        }
        self.skip();
        let (text, plain) = (out, false);
        self.push(Tok::Scalar { text, plain }, start);
        Ok(())
    }

    fn escape(&mut self, out: &mut String, start: Mark) -> Result<(), Bad> {
        let digits = match self.ahead(1) {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            c => {
                let Some(value) = escaped(c) else {
                    let text = "found unknown escape character";
                    return Err(fault(start, self.mark, text));
                };
                out.push(value);
                self.skip();
                self.skip();
                return Ok(());
            }
        };
        self.skip();
        self.skip();
        let hex = self.text.get(self.pos..self.pos + digits).unwrap_or("");
        if hex.len() < digits || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
            let text = "did not find expected hexdecimal number";
            return Err(fault(start, self.mark, text));
        }
        match u32::from_str_radix(hex, 16).ok().and_then(char::from_u32) {
            Some(c) => out.push(c),
            None => {
                let text = "found invalid Unicode character escape code";
                return Err(fault(start, self.mark, text));
            }
        }
        for _ in 0..digits {
            self.skip();
        }
        Ok(())
    }

    pub(super) fn block_scalar(&mut self, literal: bool) -> Result<(), Bad> {
        self.remove_key()?;
        self.key_allowed = true;
        let start = self.mark;
        self.skip();
        let (chomp, increment) = self.block_header(start)?;
        let base = self.indent.max(0) as usize;
        let mut indent = if increment > 0 { base + increment } else { 0 };
        let (mut out, mut first, mut more) = (String::new(), String::new(), String::new());
        self.block_breaks(&mut indent, &mut more, start)?;
        let mut was_blank = false;
        while self.mark.column == indent && self.cur() != '\0' {
            let blank = is_blank(self.cur());
            if !literal && first.starts_with('\n') && !was_blank && !blank {
                if more.is_empty() {
                    out.push(' ');
                }
            } else {
                out.push_str(&first);
            }
            first.clear();
            out.push_str(&std::mem::take(&mut more));
            was_blank = blank;
            while !is_break_or_end(self.cur()) {
                self.take(&mut out);
            }
            if is_break(self.cur()) {
                self.take_line(&mut first);
            }
            self.block_breaks(&mut indent, &mut more, start)?;
        }
        if chomp != '-' {
            out.push_str(&first);
        }
        if chomp == '+' {
            out.push_str(&more);
        }
        let (text, plain) = (out, false);
        self.push(Tok::Scalar { text, plain }, start);
        Ok(())
    }

    /// How the final line breaks are treated, and the indentation if it is told.
    fn block_header(&mut self, start: Mark) -> Result<(char, usize), Bad> {
        let (mut chomp, mut increment) = (' ', 0);
        for _ in 0..2 {
            match self.cur() {
                c @ ('+' | '-') if chomp == ' ' => {
                    chomp = c;
                    self.skip();
                }
                '0' if increment == 0 => {
                    let text = "found an indentation indicator equal to 0";
                    return Err(fault(start, self.mark, text));
                }
                c @ '1'..='9' if increment == 0 => {
                    increment = c as usize - '0' as usize;
                    self.skip();
                }
                _ => break,
            }
        }
        while is_blank(self.cur()) {
            self.skip();
        }
        if self.cur() == '#' {
            self.line_comment(start);
            while !is_break_or_end(self.cur()) {
                self.skip();
            }
        }
        if !is_break_or_end(self.cur()) {
            let text = "did not find expected comment or line break";
            return Err(fault(start, self.mark, text));
        }
        if is_break(self.cur()) {
            self.skip_line();
        }
        Ok((chomp, increment))
    }

    /// Empty lines of a block, and its indentation if that is still open.
    fn block_breaks(
        &mut self,
        indent: &mut usize,
        breaks: &mut String,
        start: Mark,
    ) -> Result<(), Bad> {
        let mut widest = 0;
        loop {
            while (*indent == 0 || self.mark.column < *indent) && self.cur() == ' ' {
                self.skip();
            }
            widest = widest.max(self.mark.column);
            if (*indent == 0 || self.mark.column < *indent) && self.cur() == '\t' {
                let text = "found a tab character where an indentation space is expected";
                return Err(fault(start, self.mark, text));
            }
            if !is_break(self.cur()) {
                break;
            }
            self.take_line(breaks);
        }
        if *indent == 0 {
            *indent = widest.max((self.indent + 1) as usize).max(1);
        }
        Ok(())
    }
}

fn escaped(c: char) -> Option<char> {
    Some(match c {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '\'' | '\\' => c,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}
