//! The white space between tokens: wishes gather and are resolved when a token comes.

#![allow(non_upper_case_globals, reason = "wishes read like words")]

use std::ops::{Deref, DerefMut};

use super::table::{Level, Table};
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::Op;

pub(super) const blank: u32 = 1 << 1;
/// End of a cell of the table.
pub(super) const vtab: u32 = 1 << 2;
pub(super) const noblank: u32 = 1 << 3;
/// The source has no say.
pub(super) const nooverride: u32 = 1 << 4;
/// A comma.
pub(super) const comma: u32 = 1 << 5;
/// The comma only if a line ends here.
pub(super) const trailcomma: u32 = 1 << 6;
/// A comma unless a line ends here.
pub(super) const declcomma: u32 = 1 << 7;
pub(super) const newline: u32 = 1 << 8;
/// A newline that ends the table.
pub(super) const formfeed: u32 = 1 << 9;
/// An empty line.
pub(super) const newsection: u32 = 1 << 10;
pub(super) const indent: u32 = 1 << 11;
pub(super) const unindent: u32 = 1 << 12;
/// The indentation of this entry has taken effect.
const indented: u32 = 1 << 13;

const breaks: u32 = newline | newsection | formfeed;

/// What the last text was, as far as the next one depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Last {
    Other,
    /// `}` or `]`.
    Closing,
    /// An integer, which a dot must not follow.
    Int,
    /// An operator that could merge with the next.
    Operator(Op),
}

/// What the next text depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// The wishes for what comes next.
    pub(super) allowed: u32,
    indents: Vec<u32>,
    pub(super) indent: usize,
    pub(super) last: Last,
    /// A comment was printed last: the line must end.
    pub(super) after_comment: bool,
    /// `{` stands on the current line.
    pub(super) brace_on_line: bool,
    pub(super) written: bool,
    /// White space was written last.
    space_before: bool,
    /// Breaks of the source before nodes do not count.
    pub(super) flat: bool,
}

/// The output so far and the wishes for what comes next.
pub(super) struct Space {
    state: State,
    /// Lines begun.
    pub(super) lines: usize,
    table: Table,
}

impl Deref for Space {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Space {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Space {
    /// Nothing yet, with room for so many bytes.
    pub(super) fn new(level: Level, room: usize) -> Space {
        Space {
            state: State {
                allowed: nooverride,
                indents: Vec::new(),
                indent: 0,
                last: Last::Other,
                after_comment: false,
                brace_on_line: false,
                written: false,
                space_before: true,
                flat: false,
            },
            lines: 0,
            table: Table::new(level, String::with_capacity(room)),
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.table.flush();
        self.table.out
    }

    /// Drops what was written, as if the line ended in `}` and the wishes followed it.
    pub(super) fn restart(&mut self, level: Level, allowed: u32) -> State {
        // What was wished for came before the members that are left out.
        let wish = self.allowed;
        self.emit(wish);
        let mut room = std::mem::take(&mut self.table.out);
        room.clear();
        self.table = Table::new(level, room);
        self.allowed = allowed;
        self.last = Last::Closing;
        self.after_comment = false;
        self.brace_on_line = false;
        self.written = true;
        self.space_before = false;
        self.state.clone()
    }

    /// Takes what was written, and what the next text depends on.
    pub(super) fn cut(&mut self, level: Level) -> (String, State) {
        let rest = Space::new(level, 0);
        let cut = std::mem::replace(self, rest);
        let state = cut.state.clone();
        (cut.finish(), state)
    }

    pub(super) fn at_line_start(&self) -> bool {
        self.table.at_line_start()
    }

    pub(super) fn wish(&mut self, ws: u32) {
        self.allowed |= ws;
    }

    /// The source's view of the white space before a token that a node begins with.
    pub(super) fn rel(&self, pos: Pos) -> Rel {
        match pos.rel() {
            Rel::Newline | Rel::NewSection if self.flat => Rel::None,
            rel => rel,
        }
    }

    /// Takes the source's view of the white space before a token.
    pub(super) fn pos(&mut self, pos: Pos) {
        let rel = self.rel(pos);
        if rel == Rel::None || self.allowed & nooverride != 0 {
            return;
        }
        let mut wish = self.allowed;
        match rel {
            Rel::NoSpace => wish &= !breaks,
            Rel::Blank => wish = (wish | blank) & !breaks,
            Rel::Newline => wish |= newline,
            Rel::NewSection => wish |= newsection,
            Rel::Elided | Rel::None => {}
        }
        if self.after_comment {
            wish |= newline;
        }
        self.emit(wish);
        self.allowed = 0;
    }

    /// Writes text after the white space wished for.
    pub(super) fn text(&mut self, text: &str, last: Last) {
        let wish = self.allowed;
        self.emit(wish);
        self.allowed = 0;
        self.after_comment = false;
        self.last = last;
        if !text.is_empty() {
            self.written = true;
            self.space_before = false;
        }
        self.table.text(text);
    }

    /// Keeps the next text from touching the one before.
    pub(super) fn separate(&mut self) {
        if !self.space_before {
            self.allowed |= blank;
        }
    }

    /// The end of a file: exactly one newline.
    pub(super) fn end(&mut self) {
        self.allowed = 0;
        self.break_line(false);
    }

    fn emit(&mut self, ws: u32) {
        if ws & comma != 0 && (ws & breaks != 0 || ws & trailcomma == 0) {
            self.table.text(",");
        }
        if ws & indent != 0 {
            self.indents.push(indent);
        }
        if ws & unindent != 0 {
            self.pop_indent();
        }
        if ws & newsection != 0 {
            self.maybe_indent(ws);
            self.table.end_line(true);
            self.lines += 1;
            self.break_line(true);
        } else if ws & formfeed != 0 {
            self.maybe_indent(ws);
            self.break_line(true);
        } else if ws & newline != 0 {
            self.maybe_indent(ws);
            self.break_line(false);
        } else if ws & declcomma != 0 {
            self.table.text(", ");
            self.space_before = true;
        } else if ws & noblank != 0 {
        } else if ws & vtab != 0 {
            self.table.end_cell();
            self.space_before = true;
        } else if ws & blank != 0 {
            self.table.text(" ");
            self.space_before = true;
        }
    }

    fn break_line(&mut self, ends_table: bool) {
        self.brace_on_line = false;
        self.space_before = true;
        self.table.end_line(ends_table);
        self.lines += 1;
        self.table.indent(self.indent);
    }

    /// Ends an indentation without waiting for the next token.
    pub(super) fn pop_indent(&mut self) {
        if let Some(ws) = self.indents.pop()
            && ws & indented != 0
        {
            self.indent -= 1;
        }
    }

    fn maybe_indent(&mut self, ws: u32) {
        if ws & unindent != 0 {
            return;
        }
        if let Some(last) = self.indents.last_mut()
            && *last & indented == 0
            && *last & indent != 0
        {
            *last |= indented;
            self.indent += 1;
        }
    }
}
