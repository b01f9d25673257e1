//! Comments: which token each belongs to, and whether it is a head before it, a foot behind it or
//! stands on its line. The rules are those of the reference's reader, corners included.

use super::{Mark, Scanner, Tok, is_blank, is_break, is_break_or_end};

/// How far ahead a comment is looked for.
const WINDOW: usize = 512;

/// Comments that stand together.
#[derive(Clone, Debug, Default)]
pub(super) struct Comment {
    /// Where the search for it began.
    scan: Mark,
    /// The token it belongs to begins here.
    token: Mark,
    start: Mark,
    /// Where it ends, in characters.
    end: usize,
    head: String,
    line: String,
    foot: String,
}

/// What was found and belongs to what comes next.
#[derive(Clone, Debug, Default)]
pub(in crate::decode::yaml) struct Pending {
    pub(in crate::decode::yaml) head: String,
    pub(in crate::decode::yaml) foot: String,
    /// The head of a collection that is an element, as a whole.
    pub(in crate::decode::yaml) stem: String,
}

/// As much of a token as comments ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    #[default]
    Other,
    Value,
    FlowEntry,
    BlockEntry,
    BlockSequence,
}

impl Sort {
    pub(super) fn of(tok: &Tok) -> Self {
        match tok {
            Tok::Value => Self::Value,
            Tok::FlowEntry => Self::FlowEntry,
            Tok::BlockEntry => Self::BlockEntry,
            Tok::BlockSequence => Self::BlockSequence,
            _ => Self::Other,
        }
    }
}

/// Joins comments line by line.
fn join(all: &mut String, more: &str) {
    if !all.is_empty() {
        all.push('\n');
    }
    all.push_str(more);
}

impl Scanner<'_> {
    /// The last token but `back`, also if it was taken.
    fn last(&self, back: usize) -> Option<(Sort, Mark)> {
        let queued = self.tokens.len();
        if back < queued {
            let token = &self.tokens[queued - 1 - back];
            return Some((Sort::of(&token.tok), token.start));
        }
        self.gone.iter().rev().nth(back - queued).copied()
    }

    /// Hands the comments that belong to the next token, and to what is before it, over.
    pub(super) fn unfold(&mut self) {
        let Some(token) = self.tokens.front() else {
            return;
        };
        let ends = token.tok == Tok::BlockEnd;
        let reach = token.reach;
        while let Some(comment) = self.comments.get_mut(self.unfolded) {
            if reach < comment.token.index as isize {
                return;
            }
            if !comment.head.is_empty() {
                if ends {
                    return;
                }
                join(&mut self.pending.head, &comment.head);
            }
            if !comment.foot.is_empty() {
                join(&mut self.pending.foot, &comment.foot);
            }
            *comment = Comment::default();
            self.unfolded += 1;
        }
    }

    /// A comment behind a token on its line.
    pub(super) fn line_comment(&mut self, token: Mark) {
        if self.newlines > 0 {
            return;
        }
        let rest = &self.text[self.pos..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blanks >= WINDOW || !rest[blanks..].starts_with('#') {
            return;
        }
        for _ in 0..blanks {
            self.skip();
        }
        let start = self.mark;
        let mut line = String::new();
        while !is_break_or_end(self.cur()) {
            self.take(&mut line);
        }
        self.comments.push(Comment {
            token,
            start,
            line,
            ..Comment::default()
        });
    }

    /// Where the comments behind a token that is about to be read belong.
    pub(super) fn comment_mark(&self) -> Mark {
        let wanted = if self.flow_level > 0 { ',' } else { ':' };
        match self.last(0) {
            Some((_, start)) if self.cur() == wanted => start,
            _ => self.mark,
        }
    }

    /// Whether a comment behind the last token is the head of what follows.
    pub(super) fn heads_follow(&self) -> bool {
        matches!(self.last(0), Some((Sort::BlockEntry, _)))
    }

    /// `- # comment` above an element makes the comment its head.
    pub(super) fn lift_line_comment(&mut self) {
        let first = matches!(self.last(1), Some((Sort::BlockSequence, _)));
        let (here, broken) = (self.mark, is_break(self.cur()));
        if !first || !self.heads_follow() || broken {
            return;
        }
        let Some(comment) = self.comments.last_mut() else {
            return;
        };
        if comment.line.is_empty() {
            return;
        }
        comment.head = std::mem::take(&mut comment.line);
        if here.line > 0 && comment.start.line == here.line - 1 {
            comment.token = here;
        }
    }

    /// Where the end of a block is, of which comments may be feet: before those that are indented
    /// as it is.
    pub(super) fn block_end(&self, mut reach: isize) -> isize {
        let mut stop = reach;
        for comment in self.comments.iter().rev() {
            if (comment.end as isize) < stop {
                break;
            }
            if comment.start.column as isize == self.indent + 1 {
                reach = comment.start.index as isize;
            }
            stop = comment.scan.index as isize;
        }
        reach
    }

    /// Reads the comments from here on; the last one may be the head of what follows.
    pub(super) fn scan_comments(&mut self, scan: Mark) {
        Block::new(self, scan).read(self);
    }
}

/// Comments that are being read.
struct Block {
    scan: Mark,
    token: Mark,
    after_value: bool,
    start: Mark,
    indent: usize,
    text: String,
    first_empty: bool,
    recent_empty: bool,
    /// The line on which a comment is still a foot of what is before.
    foot_line: Option<usize>,
    line: usize,
    column: usize,
}

impl Block {
    fn new(s: &Scanner<'_>, scan: Mark) -> Self {
        let mut token = s.last(0).unwrap_or_default();
        if token.0 == Sort::FlowEntry {
            token = s.last(1).unwrap_or(token);
        }
        let line = s.mark.line + 1;
        let below = usize::from(s.newlines == 0 && s.mark.column > 1);
        Self {
            scan,
            token: token.1,
            after_value: token.0 == Sort::Value,
            start: Mark::default(),
            indent: s.indent.max(0) as usize,
            text: String::new(),
            first_empty: s.newlines <= 1,
            recent_empty: false,
            foot_line: (scan.line > 0).then(|| (line + below).saturating_sub(s.newlines)),
            line: s.mark.line,
            column: s.mark.column,
        }
    }

    fn here(&self, index: usize) -> Mark {
        Mark {
            index,
            line: self.line,
            column: self.column,
            line_start: 0,
        }
    }

    /// What was read is a foot of what stands before it.
    fn foot(&mut self, s: &mut Scanner<'_>, end: usize) {
        s.comments.push(Comment {
            scan: self.scan,
            token: self.token,
            start: self.start,
            end,
            foot: std::mem::take(&mut self.text),
            ..Comment::default()
        });
        self.scan = self.here(end);
        self.token = self.scan;
    }

    fn is_dedented(&self) -> bool {
        self.start.column < self.indent + 1
    }

    /// An empty line, or the end of a flow or of all.
    fn gap(&mut self, s: &mut Scanner<'_>, end: usize, close: bool, at_end: bool) {
        let follows = Some(self.start.line) == self.foot_line && !self.after_value;
        if close || self.first_empty && (follows || self.is_dedented()) {
            if !self.text.is_empty() {
                if self.is_dedented() {
                    self.token = self.start;
                }
                self.foot(s, end);
            }
        } else if !self.text.is_empty() && !at_end {
            self.text.push('\n');
        }
    }

    fn read(mut self, s: &mut Scanner<'_>) {
        let mut peek = 0;
        while peek < WINDOW {
            self.column += 1;
            let c = s
                .text
                .as_bytes()
                .get(s.pos + peek)
                .map_or('\0', |b| char::from(*b));
            let end = s.mark.index + peek;
            let close = s.flow_level > 0 && matches!(c, ']' | '}');
            if is_blank(c) {
                peek += 1;
                continue;
            }
            if close || is_break_or_end(c) {
                if close || !self.recent_empty {
                    self.gap(s, end, close, c == '\0');
                }
                if !is_break(c) {
                    break;
                }
                self.first_empty = false;
                self.recent_empty = true;
                self.column = 0;
                self.line += 1;
                peek += 1;
                continue;
            }
            if !self.text.is_empty()
                && self.column < self.indent + 1
                && self.column != self.start.column
            {
                self.foot(s, end);
            }
            if c != '#' {
                break;
            }
            if self.text.is_empty() {
                self.start = self.here(end);
            } else {
                self.text.push('\n');
            }
            self.recent_empty = false;
            self.take(s, end);
            // the line break behind the comment is passed over
            peek = 1;
            self.column = 0;
            self.line = s.mark.line;
            self.indent = s.indent.max(0) as usize;
        }
        if !self.text.is_empty() {
            s.comments.push(Comment {
                scan: self.scan,
                token: self.start,
                start: self.start,
                end: (s.mark.index + peek).saturating_sub(1),
                head: self.text,
                ..Comment::default()
            });
        }
    }

    /// Consumes everything up to the end of the line of a comment that begins at an index.
    fn take(&mut self, s: &mut Scanner<'_>, index: usize) {
        loop {
            let from = s.mark.index >= index;
            if is_break_or_end(s.cur()) {
                if from {
                    return;
                }
                s.skip_line();
            } else if from {
                s.take(&mut self.text);
            } else {
                s.skip();
            }
        }
    }
}
