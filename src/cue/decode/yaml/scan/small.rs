//! Directives, anchors, aliases and tags.

use super::{
    Mark, Scanner, Tok, fault, is_blank, is_blank_or_end, is_break, is_break_or_end, is_word,
};
use crate::decode::yaml::node::Bad;

impl Scanner<'_> {
    fn wrong<T>(&self, start: Mark, text: &str) -> Result<T, Bad> {
        Err(fault(start, self.mark, text))
    }

    fn blanks(&mut self) {
        while is_blank(self.cur()) {
            self.skip();
        }
    }

    fn word(&mut self) -> String {
        let mut out = String::new();
        while is_word(self.cur()) {
            self.take(&mut out);
        }
        out
    }

    pub(super) fn directive(&mut self) -> Result<(), Bad> {
        self.unroll(-1, self.mark);
        self.remove_key()?;
        self.key_allowed = false;
        let start = self.mark;
        self.skip();
        let name = self.word();
        if name.is_empty() {
            return self.wrong(start, "could not find expected directive name");
        }
        if !is_blank_or_end(self.cur()) {
            return self.wrong(start, "found unexpected non-alphabetical character");
        }
        let tok = match name.as_str() {
            "YAML" => self.version(start)?,
            "TAG" => self.tag_directive(start)?,
            _ => return self.wrong(start, "found unknown directive name"),
        };
        self.push(tok, start);
        self.blanks();
        if self.cur() == '#' {
            while !is_break_or_end(self.cur()) {
                self.skip();
            }
        }
        if !is_break_or_end(self.cur()) {
            return self.wrong(start, "did not find expected comment or line break");
        }
        if is_break(self.cur()) {
            self.skip_line();
        }
        Ok(())
    }

    fn version(&mut self, start: Mark) -> Result<Tok, Bad> {
        self.blanks();
        let major = self.version_number(start)?;
        if self.cur() != '.' {
            return self.wrong(start, "did not find expected digit or '.' character");
        }
        self.skip();
        Ok(Tok::Version(major, self.version_number(start)?))
    }

    fn version_number(&mut self, start: Mark) -> Result<u32, Bad> {
        let mut digits = String::new();
        while self.cur().is_ascii_digit() {
            if digits.len() == 2 {
                return self.wrong(start, "found extremely long version number");
            }
            self.take(&mut digits);
        }
        match digits.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.wrong(start, "did not find expected version number"),
        }
    }

    fn tag_directive(&mut self, start: Mark) -> Result<Tok, Bad> {
        self.blanks();
        let handle = self.tag_handle(true, start)?;
        if !is_blank(self.cur()) {
            return self.wrong(start, "did not find expected whitespace");
        }
        self.blanks();
        let prefix = self.uri(String::new(), start)?;
        if !is_blank_or_end(self.cur()) {
            return self.wrong(start, "did not find expected whitespace or line break");
        }
        Ok(Tok::TagDirective { handle, prefix })
    }

    pub(super) fn anchor(&mut self) -> Result<(), Bad> {
        self.save_key()?;
        self.key_allowed = false;
        let (start, alias) = (self.mark, self.cur() == '*');
        self.skip();
        let name = self.word();
        let after = self.cur();
        let fits = is_blank_or_end(after)
            || matches!(after, '?' | ':' | ',' | ']' | '}' | '%' | '@' | '`');
        if name.is_empty() || !fits {
            let text = "did not find expected alphabetic or numeric character";
            return self.wrong(start, text);
        }
        let tok = if alias {
            Tok::Alias(name)
        } else {
            Tok::Anchor(name)
        };
        self.push(tok, start);
        Ok(())
    }

    pub(super) fn tag(&mut self) -> Result<(), Bad> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.mark;
        let (mut handle, mut suffix);
        if self.ahead(1) == '<' {
            self.skip();
            self.skip();
            handle = String::new();
            suffix = self.uri(String::new(), start)?;
            if self.cur() != '>' {
                return self.wrong(start, "did not find the expected '>'");
            }
            self.skip();
        } else {
            handle = self.tag_handle(false, start)?;
            if handle.len() > 1 && handle.ends_with('!') {
                suffix = self.uri(String::new(), start)?;
            } else {
                suffix = self.uri(std::mem::take(&mut handle), start)?;
                handle = "!".to_owned();
                if suffix.is_empty() {
                    std::mem::swap(&mut handle, &mut suffix);
                }
            }
        }
        if !is_blank_or_end(self.cur()) {
            return self.wrong(start, "did not find expected whitespace or line break");
        }
        self.push(Tok::Tag { handle, suffix }, start);
        Ok(())
    }

    fn tag_handle(&mut self, directive: bool, start: Mark) -> Result<String, Bad> {
        if self.cur() != '!' {
            return self.wrong(start, "did not find expected '!'");
        }
        let mut out = String::new();
        self.take(&mut out);
        out.push_str(&self.word());
        if self.cur() == '!' {
            self.take(&mut out);
        } else if directive && out != "!" {
            return self.wrong(start, "did not find expected '!'");
        }
        Ok(out)
    }

    /// The rest of a tag after what its handle already took.
    fn uri(&mut self, head: String, start: Mark) -> Result<String, Bad> {
        let mut bytes: Vec<u8> = head.get(1..).unwrap_or("").as_bytes().to_vec();
        let mut found = !head.is_empty();
        loop {
            let c = self.cur();
            if c == '%' {
                let digits = self.text.get(self.pos + 1..self.pos + 3);
                match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
                    Some(byte) => bytes.push(byte),
                    None => return self.wrong(start, "did not find URI escaped octet"),
                }
                for _ in 0..3 {
                    self.skip();
                }
            } else if is_word(c) || ";/?:@&=+$,.!~*'()[]".contains(c) {
                bytes.push(c as u8);
                self.skip();
            } else {
                break;
            }
            found = true;
        }
        if !found {
            return self.wrong(start, "did not find expected tag URI");
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(_) => self.wrong(start, "found an incorrect leading UTF-8 octet"),
        }
    }
}
