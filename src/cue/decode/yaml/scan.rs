//! Text to tokens. Where a key, a collection or a document begins is found here, from columns.

mod collections;
mod comments;
mod scalars;
mod small;

use super::node::Bad;
use comments::{Comment, Pending, Sort};
use std::collections::VecDeque;

/// Deepest nesting of collections.
const MAX_DEPTH: usize = 10_000;
/// How far from its beginning a key may have its colon, in characters.
const MAX_KEY: usize = 1024;

/// A place; line and column count characters from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// Characters before it.
    pub(super) index: usize,
    pub(super) line: usize,
    pub(super) column: usize,
    /// Where its line begins, in bytes.
    pub(super) line_start: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    StreamEnd,
    Version(u32, u32),
    TagDirective { handle: String, prefix: String },
    DocumentStart,
    DocumentEnd,
    BlockSequence,
    BlockMapping,
    BlockEnd,
    FlowSequence,
    FlowSequenceEnd,
    FlowMapping,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    Tag { handle: String, suffix: String },
    Scalar { text: String, plain: bool },
}

/// A token with its ends.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) start: Mark,
    pub(super) end: Mark,
    /// Comments that begin up to here belong to it or what is before it.
    reach: isize,
}

impl Token {
    /// A token that takes no room.
    fn at(tok: Tok, mark: Mark) -> Token {
        Token {
            tok,
            start: mark,
            end: mark,
            reach: mark.index as isize,
        }
    }
}

/// Where a key may have begun whose colon is still to come.
#[derive(Clone, Copy, Debug, Default)]
struct SimpleKey {
    possible: bool,
    required: bool,
    token: usize,
    mark: Mark,
}

/// The scanner.
pub(super) struct Scanner<'a> {
    text: &'a str,
    pos: usize,
    mark: Mark,
    tokens: VecDeque<Token>,
    /// Tokens taken so far.
    taken: usize,
    /// Column of the innermost block; -1 outside of any.
    indent: isize,
    indents: Vec<isize>,
    flow_level: usize,
    key_allowed: bool,
    keys: Vec<SimpleKey>,
    ended: bool,
    comments: Vec<Comment>,
    /// How many of the comments were handed over.
    unfolded: usize,
    /// What was handed over and not taken yet.
    pub(super) pending: Pending,
    /// Line breaks since the last character that is none and no blank.
    newlines: usize,
    /// The last tokens that were taken.
    gone: [(Sort, Mark); 2],
}

/// A fault that the scanner finds: its own place counts only if what it happened in began on the
/// first line.
fn fault(context: Mark, problem: Mark, text: &str) -> Bad {
    let line = if context.line > 0 {
        context.line
    } else {
        problem.line
    };
    Bad {
        line: if line > 0 { line + 1 } else { 0 },
        text: text.to_owned(),
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Blank, line break or the end.
fn is_blank_or_end(c: char) -> bool {
    c == '\0' || is_blank(c) || is_break(c)
}

fn is_break_or_end(c: char) -> bool {
    c == '\0' || is_break(c)
}

/// Letters of anchors and handles.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner {
            text,
            pos: 0,
            mark: Mark::default(),
            tokens: VecDeque::new(),
            taken: 0,
            indent: -1,
            indents: Vec::new(),
            flow_level: 0,
            key_allowed: true,
            keys: vec![SimpleKey::default()],
            ended: false,
            comments: Vec::new(),
            unfolded: 0,
            pending: Pending::default(),
            newlines: 0,
            gone: [Default::default(); 2],
        }
    }

    fn cur(&self) -> char {
        self.text[self.pos..].chars().next().unwrap_or('\0')
    }

    /// The character some characters on; only used after ASCII ones.
    fn ahead(&self, n: usize) -> char {
        self.text
            .get(self.pos + n..)
            .and_then(|t| t.chars().next())
            .unwrap_or('\0')
    }

    fn skip(&mut self) {
        let c = self.cur();
        if !is_blank(c) {
            self.newlines = 0;
        }
        self.pos += c.len_utf8();
        self.mark.index += 1;
        self.mark.column += 1;
    }

    fn take(&mut self, into: &mut String) {
        into.push(self.cur());
        self.skip();
    }

    fn skip_line(&mut self) {
        self.take_line(&mut String::new());
    }

    /// A line break, as it counts in a scalar.
    fn take_line(&mut self, into: &mut String) {
        let c = self.cur();
        if c == '\r' && self.ahead(1) == '\n' {
            self.pos += 2;
            self.mark.index += 2;
            into.push('\n');
        } else {
            self.pos += c.len_utf8();
            self.mark.index += 1;
            into.push(match c {
                '\r' | '\n' | '\u{85}' => '\n',
                other => other,
            });
        }
        self.newlines += 1;
        self.mark.column = 0;
        self.mark.line += 1;
        self.mark.line_start = self.pos;
    }

    /// Whether a `---` or `...` stands here as a line of its own.
    fn at_document_mark(&self) -> bool {
        self.mark.column == 0
            && (self.text[self.pos..].starts_with("---")
                || self.text[self.pos..].starts_with("..."))
            && is_blank_or_end(self.ahead(3))
    }

    /// The next token.
    pub(super) fn peek(&mut self) -> Result<&Token, Bad> {
        self.fetch_more()?;
        self.unfold();
        Ok(&self.tokens[0])
    }

    /// Takes the token last looked at.
    pub(super) fn next(&mut self) -> Result<Token, Bad> {
        self.fetch_more()?;
        self.taken += 1;
        let token = self.tokens.pop_front().expect("fetch_more leaves tokens");
        self.gone = [self.gone[1], (Sort::of(&token.tok), token.start)];
        Ok(token)
    }

    /// Two tokens are read ahead, and more as long as the next one may turn out to be a key.
    fn fetch_more(&mut self) -> Result<(), Bad> {
        loop {
            if self.tokens.len() > 2 || self.ended && !self.tokens.is_empty() {
                let head = self.taken;
                match self
                    .keys
                    .iter()
                    .rposition(|k| k.possible && k.token == head)
                {
                    None => return Ok(()),
                    Some(i) => {
                        if self.ended || !self.key_is_valid(i)? {
                            return Ok(());
                        }
                    }
                }
            }
            self.fetch()?;
        }
    }

    fn key_is_valid(&mut self, i: usize) -> Result<bool, Bad> {
        let key = self.keys[i];
        if !key.possible {
            return Ok(false);
        }
        if key.mark.line < self.mark.line || key.mark.index + MAX_KEY < self.mark.index {
            if key.required {
                return Err(fault(key.mark, self.mark, "could not find expected ':'"));
            }
            self.keys[i].possible = false;
            return Ok(false);
        }
        Ok(true)
    }

    fn skip_to_token(&mut self) {
        let scan = self.mark;
        loop {
            if self.mark.column == 0 && self.cur() == '\u{feff}' {
                self.skip();
            }
            while self.cur() == ' '
                || (self.flow_level > 0 || !self.key_allowed) && self.cur() == '\t'
            {
                self.skip();
            }
            self.lift_line_comment();
            if self.cur() == '#' {
                self.scan_comments(scan);
            }
            if !is_break(self.cur()) {
                return;
            }
            self.skip_line();
            if self.flow_level == 0 {
                self.key_allowed = true;
            }
        }
    }

    fn fetch(&mut self) -> Result<(), Bad> {
        let scan = self.mark;
        self.skip_to_token();
        self.unroll(self.mark.column as isize, scan);
        let (c, next) = (self.cur(), self.ahead(1));
        if c == '\0' {
            return self.stream_end();
        }
        if self.mark.column == 0 && c == '%' {
            return self.directive();
        }
        if self.at_document_mark() {
            let tok = if c == '-' {
                Tok::DocumentStart
            } else {
                Tok::DocumentEnd
            };
            return self.document_mark(tok);
        }
        let mark = self.comment_mark();
        self.fetch_content(c, next)?;
        if !self.heads_follow() {
            self.line_comment(mark);
        }
        Ok(())
    }

    fn fetch_content(&mut self, c: char, next: char) -> Result<(), Bad> {
        let (flow, wide) = (self.flow_level > 0, is_blank_or_end(next));
        match c {
            '[' => self.flow_start(Tok::FlowSequence),
            '{' => self.flow_start(Tok::FlowMapping),
            ']' => self.flow_end(Tok::FlowSequenceEnd),
            '}' => self.flow_end(Tok::FlowMappingEnd),
            ',' => self.flow_entry(),
            '-' if wide => self.block_entry(),
            '?' if flow || wide => self.key(),
            ':' if flow || wide => self.value(),
            '*' | '&' => self.anchor(),
            '!' => self.tag(),
            '|' | '>' if !flow => self.block_scalar(c == '|'),
            '\'' | '"' => self.quoted(c),
            '-' if !is_blank(next) => self.plain(),
            '?' | ':' if !flow => self.plain(),
            '-' | '?' | ':' | '#' | '|' | '>' | '%' | '@' | '`' => self.cannot_start(),
            c if is_blank_or_end(c) => self.cannot_start(),
            _ => self.plain(),
        }
    }

    fn cannot_start(&mut self) -> Result<(), Bad> {
        let text = "found character that cannot start any token";
        Err(fault(self.mark, self.mark, text))
    }

    fn push(&mut self, tok: Tok, start: Mark) {
        let end = self.mark;
        let reach = start.index as isize;
        self.tokens.push_back(Token {
            tok,
            start,
            end,
            reach,
        });
    }

    /// A token of one character.
    fn push_char(&mut self, tok: Tok) {
        let start = self.mark;
        self.skip();
        self.push(tok, start);
    }
}
