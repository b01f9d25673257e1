//! Comments between tokens.

use super::space::{blank, declcomma, formfeed, newline, newsection, nooverride, vtab};
use super::{Formatter, Frame, space};
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{CommentGroup, Expr, ExprId, NodeId};

impl<'a> Formatter<'a> {
    /// Begins a node, or a list of nodes.
    pub(super) fn before(&mut self, node: Option<NodeId>, on_one_line: bool) {
        self.stack.push(self.current);
        let node_sep = self.current.node_sep;
        self.current = Frame {
            comments: &[],
            pos: 0,
            node_sep,
            parent_sep: node_sep,
        };
        if let Some(node) = node {
            if on_one_line {
                self.current.node_sep = blank;
            }
            if self.tree.has_comments() {
                self.current.comments = self.tree.comments(node);
                self.visit_comments();
            }
        }
    }

    /// Ends a node or list.
    pub(super) fn after(&mut self) {
        self.current.pos = i32::MAX;
        self.visit_comments();
        if let Some(frame) = self.stack.pop() {
            self.current = frame;
        }
        self.skip();
    }

    /// Counts a token that is not there.
    pub(super) fn skip(&mut self) {
        self.current.pos += 1;
        self.visit_comments();
    }

    /// Prints the comments that are due.
    pub(super) fn visit_comments(&mut self) {
        let mut printed = false;
        while let Some((group, rest)) = self.current.comments.split_first() {
            if i32::from(group.position) > self.current.pos {
                return;
            }
            self.current.comments = rest;
            if printed {
                self.wish(newsection);
            }
            printed = true;
            self.comment(group);
        }
    }

    /// Takes the comments of an element that were written behind its start, to print them behind
    /// its comma; the others are not due any more.
    pub(super) fn comments_behind(&mut self, id: ExprId) -> Vec<&'a CommentGroup> {
        let tree = self.tree;
        if !tree.has_comments() || !tree.pos(id).is_valid() {
            return Vec::new();
        }
        self.current.comments = &[];
        let behind = |id: ExprId| {
            let start = tree.pos(id);
            let groups = tree.comments(NodeId::Expr(id)).iter();
            groups.filter(move |g| g.list.first().is_some_and(|c| start < c.pos))
        };
        let of = match tree.expr(id) {
            Expr::Ellipsis(of) => of,
            _ => None,
        };
        behind(id).chain(of.into_iter().flat_map(behind)).collect()
    }

    /// Prints comments one after the other.
    pub(super) fn comments(&mut self, groups: &[&CommentGroup]) {
        for (i, group) in groups.iter().enumerate() {
            if i > 0 {
                self.wish(newsection);
            }
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
            let text = self.tree.text(c.text).trim_end_matches('\r');
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

    /// A token that counts.
    pub(super) fn token(&mut self, pos: Pos, text: &str) {
        self.out.pos(pos);
        self.out.text(text, last(text));
        self.current.pos += 1;
    }

    /// The end of something in brackets. It is no node that begins here.
    pub(super) fn closing(&mut self, pos: Pos, text: &str) {
        let flat = std::mem::replace(&mut self.out.flat, false);
        self.token(pos, text);
        self.out.flat = flat;
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
    }
}

fn last(text: &str) -> space::Last {
    match text {
        "}" | "]" => space::Last::Closing,
        _ => space::Last::Other,
    }
}
