//! Comments between tokens.

use super::space::{blank, declcomma, formfeed, newline, newsection, nooverride, vtab};
use super::{Formatter, Frame, space};
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{CommentGroup, NodeId};

impl Formatter<'_> {
    /// Begins a node, or a list of nodes.
    pub(super) fn before(&mut self, node: Option<NodeId>, on_one_line: bool) {
        self.stack.push(self.current);
        let node_sep = self.current.node_sep;
        self.current = Frame {
            node,
            printed: 0,
            pos: 0,
            node_sep,
            parent_sep: node_sep,
        };
        if node.is_some() {
            if on_one_line && node_sep != blank {
                self.current.node_sep = blank;
            }
            self.visit_comments();
        }
    }

    /// Ends a node or list.
    pub(super) fn after(&mut self) {
        self.current.pos = i32::MAX;
        self.visit_comments();
        if let Some(frame) = self.stack.pop() {
            self.current = frame;
        }
        self.current.pos += 1;
        self.visit_comments();
    }

    /// Counts a token that is not there.
    pub(super) fn skip(&mut self) {
        self.current.pos += 1;
        self.visit_comments();
    }

    /// Prints the comments that are due.
    pub(super) fn visit_comments(&mut self) {
        let Some(node) = self.current.node else {
            return;
        };
        if !self.tree.has_comments() {
            return;
        }
        let mut printed = false;
        while let Some(group) = self.tree.comments(node).get(self.current.printed) {
            if i32::from(group.position) > self.current.pos {
                return;
            }
            self.current.printed += 1;
            if printed {
                self.wish(newsection);
            }
            printed = true;
            self.comment(group);
        }
    }

    fn comment(&mut self, group: &CommentGroup) {
        let rel = match group.list.first() {
            _ if group.line => Rel::Blank,
            Some(first) => first.pos.rel(),
            None => return,
        };
        match rel {
            Rel::Blank | Rel::Elided => {
                self.wish(blank);
                self.out.allowed &= !(newline | newsection | formfeed | declcomma);
            }
            Rel::NoSpace => self.out.allowed &= !(newline | newsection | formfeed | declcomma),
            Rel::None | Rel::Newline | Rel::NewSection => {}
        }
        if group.doc && self.out.written {
            self.wish(newline);
        }
        for c in &group.list {
            if !self.out.at_line_start() {
                self.wish(vtab);
            }
            self.out.pos(c.pos);
            let text = self.tree.text(c.text).trim_end_matches(['\r', ' ', '\t']);
            self.out.text(text, space::Last::Other);
            self.out.after_comment = true;
            self.wish(newline);
            if group.doc {
                self.wish(nooverride);
            }
        }
    }

    pub(super) fn wish(&mut self, ws: u32) {
        self.out.wish(ws);
    }

    /// White space, then comments that are due here.
    pub(super) fn space(&mut self, ws: u32) {
        self.out.wish(ws);
        self.visit_comments();
    }

    /// A token that counts.
    pub(super) fn token(&mut self, pos: Pos, text: &str) {
        self.out.pos(pos);
        self.out.text(text, last(text));
        self.current.pos += 1;
        self.visit_comments();
    }

    /// A keyword that must not touch what is before it.
    pub(super) fn keyword(&mut self, pos: Pos, text: &str) {
        self.out.pos(pos);
        self.out.separate();
        self.token(Pos::NONE, text);
    }

    /// Text that does not count: a name or literal whose node counts for itself.
    pub(super) fn word(&mut self, pos: Pos, text: &str) {
        self.out.pos(pos);
        self.out.text(text, last(text));
        self.visit_comments();
    }
}

fn last(text: &str) -> space::Last {
    match text {
        "}" | "]" => space::Last::Closing,
        _ => space::Last::Other,
    }
}
