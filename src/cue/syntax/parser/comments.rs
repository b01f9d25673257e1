//! Which node a comment belongs to.
//!
//! Every production opens a state and closes it with its node; comments read in between hang on
//! the node, at the number of tokens taken so far. Inside lists, comments between children go to
//! the child before.

use super::Parser;
use crate::syntax::source::Rel;
use crate::syntax::token::Tok;
use crate::syntax::tree::{Comment, CommentGroup, NodeId};

/// Comments of a production that is being read.
#[derive(Default)]
pub(super) struct State {
    groups: Vec<CommentGroup>,
    pos: i16,
    last_child: Option<NodeId>,
    last_pos: i16,
    /// How many nested list contexts share this state; 0 if it is none.
    lists: u32,
}

fn position(pos: i16) -> u8 {
    pos.clamp(0, 255) as u8
}

impl State {
    /// The outermost state; the first token is not counted.
    pub(super) fn root() -> State {
        State {
            pos: -1,
            ..State::default()
        }
    }
}

impl Parser<'_> {
    fn state(&mut self) -> &mut State {
        if self.states.is_empty() {
            self.states.push(State::default());
        }
        let last = self.states.len() - 1;
        &mut self.states[last]
    }

    fn add(&mut self, mut group: CommentGroup) {
        let state = self.state();
        group.position = position(state.pos);
        state.groups.push(group);
    }

    fn attach(&mut self, node: NodeId, group: CommentGroup) {
        let groups = self.tree.comments.entry(node).or_default();
        let at = groups.partition_point(|g| g.position <= group.position);
        groups.insert(at, group);
    }

    /// Begins a node.
    pub(super) fn open(&mut self) {
        if !self.commented {
            return;
        }
        let mut child = State::default();
        let state = self.state();
        if state.lists > 0 && !state.groups.is_empty() {
            let groups = std::mem::take(&mut state.groups);
            match state.last_child {
                None => child.groups = groups,
                Some(node) => {
                    let pos = state.last_pos;
                    for mut g in groups {
                        g.position = position(pos);
                        self.attach(node, g);
                    }
                }
            }
        }
        for g in &mut child.groups {
            g.position = 0;
        }
        child.groups.extend(self.lead.take());
        self.states.push(child);
    }

    /// Sets how many tokens the current node counts already.
    pub(super) fn count(&mut self, pos: i16) {
        if self.commented {
            self.state().pos = pos;
        }
    }

    /// Ends the node begun last; without a node its comments are dropped.
    pub(super) fn close(&mut self, node: Option<NodeId>) {
        if !self.commented {
            return;
        }
        let Some(state) = self.states.pop() else {
            return;
        };
        let parent = self.state();
        if node.is_some() {
            parent.last_child = node;
        }
        parent.last_pos = state.pos;
        parent.pos = parent.pos.saturating_add(1);
        if let Some(node) = node {
            for g in state.groups {
                self.attach(node, g);
            }
        }
    }

    /// Begins a list of children.
    pub(super) fn open_list(&mut self) {
        if !self.commented {
            return;
        }
        let state = self.state();
        if state.lists > 0 {
            state.lists += 1;
        } else {
            self.states.push(State {
                lists: 1,
                ..State::default()
            });
        }
    }

    /// Ends a list of children.
    pub(super) fn close_list(&mut self) {
        if !self.commented {
            return;
        }
        let state = self.state();
        if let Some(node) = state.last_child {
            let (groups, pos) = (std::mem::take(&mut state.groups), state.last_pos);
            for mut g in groups {
                g.position = position(pos);
                self.attach(node, g);
            }
        }
        let state = self.state();
        state.lists = state.lists.saturating_sub(1);
        if state.lists == 0 {
            let groups = std::mem::take(&mut state.groups);
            self.states.pop();
            let parent = self.state();
            parent.groups.extend(groups);
            parent.pos = parent.pos.saturating_add(1);
        }
    }

    /// Takes the current token and reads the next one, with the comments before it.
    pub(super) fn next(&mut self) {
        if !self.commented {
            self.advance();
            return;
        }
        if let Some(lead) = self.lead.take() {
            self.add(lead);
        }
        let before = self.begun.then_some(self.token.start);
        self.begun = true;
        self.advance();
        let state = self.state();
        state.pos = state.pos.saturating_add(1);
        if self.tok() == Tok::Comment {
            self.comments(before);
        }
    }

    /// Whether two places lie on one line.
    fn same_line(&self, a: usize, b: usize) -> bool {
        let end = b.min(self.text.len());
        memchr::memchr(b'\n', &self.text.as_bytes()[a.min(end)..end]).is_none()
    }

    fn comments(&mut self, before: Option<usize>) {
        let mut group = None;
        if before.is_some_and(|b| self.same_line(b, self.token.start)) {
            let (mut line, end) = self.comment_group(0, Rel::Blank);
            // The newline that ends the file starts no line.
            let next = self.token.start - usize::from(self.ends_in_newline());
            line.line = !self.same_line(end, next);
            group = Some(line);
        }
        let mut rel = self.rel_to(before);
        let mut leads = false;
        while self.tok() == Tok::Comment {
            if let Some(g) = group.take() {
                self.add(g);
            }
            let (next, end) = self.comment_group(1, rel);
            rel = Rel::NewSection;
            group = Some(next);
            leads = self.newlines(end, self.token.start) == 1;
        }
        let Some(mut group) = group else { return };
        if leads && self.tok() != Tok::Eof {
            group.doc = true;
            self.lead = Some(group);
        } else {
            self.add(group);
        }
    }

    /// The white space between a token before and the current one, measured in lines.
    fn rel_to(&self, before: Option<usize>) -> Rel {
        let above = usize::from(before.is_none());
        match above + self.newlines(before.unwrap_or(0), self.token.start) {
            0 => Rel::Blank,
            1 => Rel::Newline,
            _ => Rel::NewSection,
        }
    }

    fn ends_in_newline(&self) -> bool {
        self.tok() == Tok::Eof && self.text.ends_with('\n')
    }

    fn newlines(&self, a: usize, b: usize) -> usize {
        let end = b.min(self.text.len());
        memchr::memchr_iter(b'\n', &self.text.as_bytes()[a.min(end)..end]).count()
    }

    /// Comments whose lines are at most `apart` lines apart, and the end of the last one.
    fn comment_group(&mut self, apart: usize, rel: Rel) -> (CommentGroup, usize) {
        let mut list = Vec::new();
        let mut end = self.token.start;
        while self.tok() == Tok::Comment && self.newlines(end, self.token.start) <= apart {
            let text = self.lit_text();
            let pos = match list.is_empty() {
                true => self.pos().with_rel(rel),
                false => self.pos(),
            };
            list.push(Comment { pos, text });
            end = self.token.end;
            self.advance();
        }
        (
            CommentGroup {
                doc: false,
                line: false,
                position: 0,
                list,
            },
            end,
        )
    }
}
