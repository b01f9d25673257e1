//! Blocks, flows, keys and documents.

use super::{MAX_DEPTH, Mark, Scanner, SimpleKey, Tok, Token, fault};
use crate::decode::yaml::node::Bad;

impl Scanner<'_> {
    /// Ends the blocks that are indented more than a column.
    pub(super) fn unroll(&mut self, column: isize, scan: Mark) {
        if self.flow_level > 0 {
            return;
        }
        let mut reach = scan.index as isize - 1;
        while self.indent > column {
            reach = self.block_end(reach);
            self.push(Tok::BlockEnd, self.mark);
            if let Some(token) = self.tokens.back_mut() {
                token.reach = reach;
            }
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    /// Begins a block if the column is right of the current one; its token goes before a key that
    /// was already read.
    fn roll(
        &mut self,
        column: usize,
        before: Option<usize>,
        tok: Tok,
        at: Mark,
    ) -> Result<(), Bad> {
        if self.flow_level > 0 || self.indent >= column as isize {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = column as isize;
        if self.indents.len() > MAX_DEPTH {
            let began = self.keys.last().map_or(at, |k| k.mark);
            return Err(fault(began, self.mark, "exceeded max depth of 10000"));
        }
        let token = Token::at(tok, at);
        match before {
            Some(number) => self.tokens.insert(number - self.taken, token),
            None => self.tokens.push_back(token),
        }
        Ok(())
    }

    pub(super) fn save_key(&mut self) -> Result<(), Bad> {
        if !self.key_allowed {
            return Ok(());
        }
        let required = self.flow_level == 0 && self.indent == self.mark.column as isize;
        self.remove_key()?;
        if let Some(key) = self.keys.last_mut() {
            *key = SimpleKey {
                possible: true,
                required,
                token: self.taken + self.tokens.len(),
                mark: self.mark,
            };
        }
        Ok(())
    }

    pub(super) fn remove_key(&mut self) -> Result<(), Bad> {
        let here = self.mark;
        let Some(key) = self.keys.last_mut() else {
            return Ok(());
        };
        if key.possible && key.required {
            return Err(fault(key.mark, here, "could not find expected ':'"));
        }
        key.possible = false;
        Ok(())
    }

    pub(super) fn stream_end(&mut self) -> Result<(), Bad> {
        if self.mark.column != 0 {
            self.mark.column = 0;
            self.mark.line += 1;
            self.mark.line_start = self.pos;
        }
        self.unroll(-1, self.mark);
        self.remove_key()?;
        self.key_allowed = false;
        self.ended = true;
        self.push(Tok::StreamEnd, self.mark);
        Ok(())
    }

    pub(super) fn document_mark(&mut self, tok: Tok) -> Result<(), Bad> {
        self.unroll(-1, self.mark);
        self.remove_key()?;
        self.key_allowed = false;
        let start = self.mark;
        for _ in 0..3 {
            self.skip();
        }
        self.push(tok, start);
        Ok(())
    }

    pub(super) fn flow_start(&mut self, tok: Tok) -> Result<(), Bad> {
        self.save_key()?;
        self.keys.push(SimpleKey::default());
        self.flow_level += 1;
        if self.flow_level > MAX_DEPTH {
            let text = "exceeded max depth of 10000";
            return Err(fault(Mark::default(), self.mark, text));
        }
        self.key_allowed = true;
        self.push_char(tok);
        Ok(())
    }

    pub(super) fn flow_end(&mut self, tok: Tok) -> Result<(), Bad> {
        self.remove_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            self.keys.pop();
        }
        self.key_allowed = false;
        self.push_char(tok);
        Ok(())
    }

    pub(super) fn flow_entry(&mut self) -> Result<(), Bad> {
        self.remove_key()?;
        self.key_allowed = true;
        self.push_char(Tok::FlowEntry);
        Ok(())
    }

    pub(super) fn block_entry(&mut self) -> Result<(), Bad> {
        if self.flow_level == 0 {
            if !self.key_allowed {
                let text = "block sequence entries are not allowed in this context";
                return Err(fault(self.mark, self.mark, text));
            }
            self.roll(self.mark.column, None, Tok::BlockSequence, self.mark)?;
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.push_char(Tok::BlockEntry);
        Ok(())
    }

    pub(super) fn key(&mut self) -> Result<(), Bad> {
        if self.flow_level == 0 {
            if !self.key_allowed {
                let text = "mapping keys are not allowed in this context";
                return Err(fault(self.mark, self.mark, text));
            }
            self.roll(self.mark.column, None, Tok::BlockMapping, self.mark)?;
        }
        self.remove_key()?;
        self.key_allowed = self.flow_level == 0;
        self.push_char(Tok::Key);
        Ok(())
    }

    pub(super) fn value(&mut self) -> Result<(), Bad> {
        let last = self.keys.len() - 1;
        if self.key_is_valid(last)? {
            let key = self.keys[last];
            let token = Token::at(Tok::Key, key.mark);
            self.tokens.insert(key.token - self.taken, token);
            self.roll(
                key.mark.column,
                Some(key.token),
                Tok::BlockMapping,
                key.mark,
            )?;
            self.keys[last].possible = false;
            self.key_allowed = false;
        } else {
            if self.flow_level == 0 {
                if !self.key_allowed {
                    let text = "mapping values are not allowed in this context";
                    return Err(fault(self.mark, self.mark, text));
                }
                self.roll(self.mark.column, None, Tok::BlockMapping, self.mark)?;
            }
            self.key_allowed = self.flow_level == 0;
        }
        self.push_char(Tok::Value);
        Ok(())
    }
}
