//! Where nodes lie in their source.

use super::Formatter;
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{Decl, DeclId, Expr, ExprId, LitKind};

/// A token was on a new line in its source.
pub(super) fn starts_line(pos: Pos) -> bool {
    pos.rel() >= Rel::Newline
}

/// Nothing is known of the token, or it was on a new line.
pub(super) fn unpositioned_or_starts_line(pos: Pos) -> bool {
    pos.rel() == Rel::None || starts_line(pos)
}

impl Formatter<'_> {
    /// The place after an expression; 0 if it is not known.
    fn end(&self, id: ExprId) -> u32 {
        let tree = self.tree;
        let mut id = id;
        loop {
            id = match tree.expr(id) {
                Expr::Struct { rbrace, .. } if rbrace.is_valid() => return rbrace.place() + 1,
                Expr::Struct { decls, .. } => {
                    let Some(last) = tree.decl_list(decls).last() else {
                        return 0;
                    };
                    match tree.decl(*last) {
                        Decl::Field(f) => match tree.attr_list(tree.extra(&f).attrs).last() {
                            Some((_, a)) => return a.pos.place() + a.text.len,
                            None => f.value,
                        },
                        _ => return self.decl_end(*last),
                    }
                }
                Expr::List { rbrack: p, .. }
                | Expr::Paren(_, p)
                | Expr::Index(_, _, p)
                | Expr::Slice { rbrack: p, .. }
                | Expr::Call { rparen: p, .. } => {
                    return if p.is_valid() { p.place() + 1 } else { 0 };
                }
                Expr::Unary(_, x) | Expr::Binary(_, _, x, _) | Expr::Selector(_, x) => x,
                Expr::Alias(a) => a.expr,
                Expr::Comprehension { body, orelse, .. } => match tree.else_part(orelse) {
                    Some(part) => part.body,
                    None => body,
                },
                Expr::Ellipsis(Some(x)) => x,
                Expr::Interpolation(parts) => match tree.list(parts).last() {
                    Some(last) => *last,
                    None => return 0,
                },
                Expr::Open(_, p) => return p.plus(3).place(),
                Expr::Optional(_, p) => return p.plus(1).place(),
                Expr::Literal(_, text) => {
                    let place = tree.pos(id).place();
                    return if place == 0 { 0 } else { place + text.len };
                }
                Expr::Ident(name) => {
                    let place = tree.pos(id).place();
                    let len = self.names.get(name).len() as u32;
                    return if place == 0 { 0 } else { place + len };
                }
                Expr::Bad | Expr::Bottom | Expr::Ellipsis(None) => {
                    return tree.pos(id).place();
                }
            }
        }
    }

    fn decl_end(&self, id: DeclId) -> u32 {
        match self.tree.decl(id) {
            Decl::Let { value, .. } | Decl::Embed(value) | Decl::Comprehension(value) => {
                self.end(value)
            }
            Decl::Attribute(a) => {
                let a = self.tree.attr(a);
                a.pos.place() + a.text.len
            }
            _ => self.tree.decl_pos(id).place(),
        }
    }

    /// The source's view of the white space behind an expression that something follows directly.
    pub(super) fn gap_behind(&self, id: ExprId) -> Pos {
        let place = match self.tree.expr(id) {
            Expr::Bottom => self.tree.pos(id).plus(3).place(),
            _ => self.end(id),
        };
        let Some(at) = place.checked_sub(self.tree.base.max(1)) else {
            return Pos::NONE;
        };
        match self.tree.source.as_bytes().get(at as usize) {
            Some(b' ' | b'\t' | b'\r') => Pos::wish(Rel::Blank),
            Some(_) => Pos::wish(Rel::NoSpace),
            None => Pos::NONE,
        }
    }

    /// Whether the source has a line break between the end of an expression and the start of the
    /// next.
    pub(super) fn break_between(&self, first: ExprId, next: ExprId) -> Option<bool> {
        let tree = self.tree;
        let (end, start) = (self.end(first), tree.pos(next).place());
        let from = end.checked_sub(tree.base.max(1))? as usize;
        let to = start.checked_sub(tree.base.max(1))? as usize;
        let gap = tree.source.as_bytes().get(from..to)?;
        Some(memchr::memchr(b'\n', gap).is_some())
    }

    /// Whether an expression begins and ends on one line of the source.
    pub(super) fn on_one_line(&self, id: ExprId) -> bool {
        let tree = self.tree;
        let (start, end) = (tree.pos(id).place(), self.end(id));
        let (Some(start), Some(end)) = (start.checked_sub(tree.base), end.checked_sub(tree.base))
        else {
            return false;
        };
        if tree.pos(id).place() == 0 {
            return false;
        }
        let text = tree.source.as_bytes().get(start as usize..end as usize);
        text.is_some_and(|t| memchr::memchr(b'\n', t).is_none())
    }

    /// Whether an expression ends in something that spans lines.
    pub(super) fn ends_in_block(&self, id: ExprId) -> bool {
        let tree = self.tree;
        let mut id = id;
        loop {
            id = match tree.expr(id) {
                Expr::Struct { .. } | Expr::List { .. } => return true,
                Expr::Literal(LitKind::String | LitKind::Bytes, text) => {
                    return memchr::memchr(b'\n', tree.text(text).as_bytes()).is_some();
                }
                Expr::Unary(_, x)
                | Expr::Index(x, ..)
                | Expr::Selector(x, _)
                | Expr::Paren(x, _)
                | Expr::Open(x, _)
                | Expr::Optional(x, _) => x,
                Expr::Binary(_, x, y, _) => {
                    if !matches!(tree.expr(y), Expr::Ident(_)) && self.ends_in_block(y) {
                        return true;
                    }
                    x
                }
                Expr::Call { args, .. } => {
                    return tree.args(args).iter().any(|a| self.ends_in_block(*a));
                }
                _ => return false,
            }
        }
    }
}
