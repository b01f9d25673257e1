//! Expressions to tokens.

use super::Formatter;
use super::place::starts_line;
use super::space::{
    Last, blank, comma, declcomma, formfeed, indent, newline, noblank, nooverride, trailcomma,
    unindent,
};
use crate::syntax::literal::Quotes;
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{
    Args, Clause, Clauses, Decls, ElseKind, Ends, Expr, ExprId, Exprs, ListCommas, LitKind, NodeId,
    Op,
};
use std::borrow::Cow;

/// Binds tighter than every binary operator.
const UNARY: u8 = 8;
const HIGHEST: u8 = 9;

impl Formatter<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        self.expr_at(id, 0, 1);
    }

    /// An expression as an operand of an operator of precedence `least`, `depth` levels deep.
    pub(super) fn expr_at(&mut self, id: ExprId, least: u8, depth: u32) {
        let alone = matches!(self.tree.expr(id), Expr::Ident(_) | Expr::Literal(..));
        if alone && !self.tree.has_comments() {
            return self.raw(id, least, depth);
        }
        self.before(Some(NodeId::Expr(id)), self.struct_on_one_line(id));
        self.raw_grown(id, least, depth);
        self.after();
    }

    fn raw_grown(&mut self, id: ExprId, least: u8, depth: u32) {
        match self.tree.expr(id) {
            Expr::Ident(_) | Expr::Literal(..) => self.raw(id, least, depth),
            _ => stacker::maybe_grow(96 << 10, 4 << 20, || self.raw(id, least, depth)),
        }
    }

    pub(super) fn raw(&mut self, id: ExprId, least: u8, depth: u32) {
        let tree = self.tree;
        let pos = tree.pos(id);
        match tree.expr(id) {
            Expr::Bad | Expr::Bottom => self.token(pos, "_|_"),
            Expr::Ident(name) => self.word(pos, self.names.get(name)),
            Expr::Literal(kind, _) => self.literal(id, kind, pos),
            Expr::Interpolation(parts) => {
                self.interpolation(tree.list(parts), depth);
            }
            Expr::Struct {
                decls,
                braces,
                rbrace,
            } => self.braces(id, decls, braces, rbrace),
            Expr::List {
                items,
                commas,
                rbrack,
            } => self.brackets(id, items, commas, rbrack),
            Expr::Ellipsis(of) => self.ellipsis(pos, of),
            Expr::Comprehension {
                clauses,
                body,
                orelse,
            } => {
                self.comprehension(clauses, body, orelse);
            }
            Expr::Alias(a) => {
                let text = self.names.get(a.name);
                self.before(None, false);
                self.token(pos, text);
                self.after();
                self.token(a.equal, "=");
                self.expr(a.expr);
            }
            Expr::Unary(op, x) => self.unary(pos, op, x, least, depth),
            Expr::Binary(..) => self.binary(id, least, depth),
            Expr::Paren(x, rparen) => {
                if matches!(tree.expr(x), Expr::Paren(..)) {
                    self.expr_at(x, 0, depth);
                } else {
                    self.token(pos, "(");
                    self.expr_at(x, 0, depth.saturating_sub(1).max(1));
                    self.closing(rparen, ")");
                }
            }
            Expr::Selector(x, sel) => {
                self.selector(x, sel, depth);
            }
            Expr::Index(x, index, rbrack) => {
                self.expr_at(x, HIGHEST, 1);
                self.token(self.gap_behind(x), "[");
                self.expr_at(index, 0, depth + 1);
                self.closing(rbrack, "]");
            }
            Expr::Slice { x, ends, rbrack } => self.slice(x, ends, rbrack, depth),
            Expr::Call { fun, args, rparen } => self.call(fun, args, rparen, depth),
            Expr::Open(x, at) => {
                self.expr_at(x, HIGHEST, depth);
                self.wish(noblank | nooverride);
                self.token(at, "...");
            }
            Expr::Optional(x, at) => {
                self.expr_at(x, HIGHEST, depth);
                self.wish(noblank | nooverride);
                self.token(at, "?");
            }
        }
    }

    fn unary(&mut self, pos: Pos, op: Op, x: ExprId, least: u8, depth: u32) {
        if UNARY < least {
            self.token(Pos::NONE, "(");
            self.wish(noblank);
            self.unary(pos, op, x, 0, depth);
            self.token(Pos::NONE, ")");
            return;
        }
        if let Last::Operator(before) = self.out.last
            && merges(before, op)
        {
            self.out.separate();
        }
        self.token(pos, op.as_str());
        self.out.last = Last::Operator(op);
        self.wish(nooverride);
        self.expr_at(x, UNARY, depth);
    }

    fn literal(&mut self, id: ExprId, kind: LitKind, pos: Pos) {
        let Expr::Literal(_, text) = self.tree.expr(id) else {
            return;
        };
        let text = self.tree.text(text);
        let shown = match kind {
            LitKind::String | LitKind::Bytes => reindent(text, self.out.indent),
            LitKind::Int => int(text),
            LitKind::Float => float(text),
            LitKind::Piece => Cow::Owned(text.replace('\r', "")),
            _ => Cow::Borrowed(text),
        };
        self.word(pos, &shown);
        if kind == LitKind::Int {
            self.out.last = Last::Int;
        }
    }

    /// The pieces and expressions of an interpolation. In a literal on one line it does not count
    /// that something inside begins a line.
    fn interpolation(&mut self, parts: &[ExprId], depth: u32) {
        let multi = parts.first().is_some_and(|p| match self.tree.expr(*p) {
            Expr::Literal(_, text) => {
                let text = self.tree.text(text).trim_start_matches('#');
                text.starts_with("\"\"\"") || text.starts_with("'''")
            }
            _ => false,
        });
        let flat = self.out.flat;
        self.out.flat |= !multi;
        self.before(None, false);
        for (i, part) in parts.iter().enumerate() {
            // The first piece stands where the literal stands.
            self.out.flat = flat || (!multi && i > 0);
            if multi && self.breaks_alone(parts, i) {
                self.wish(newline | nooverride);
            }
            self.expr_at(*part, 0, depth + 1);
        }
        self.after();
        self.out.flat = flat;
    }

    /// Whether a line must end before a part, because one ends on the other side of the
    /// expression.
    fn breaks_alone(&self, parts: &[ExprId], i: usize) -> bool {
        let x = if i % 2 == 1 { i } else { i.wrapping_sub(1) };
        if x >= parts.len() - 1 {
            return false;
        }
        let before = self.break_between(parts[x - 1], parts[x]);
        let after = self.break_between(parts[x], parts[x + 1]);
        match before.zip(after) {
            Some((before, after)) => before != after && (x == i) == after,
            None => false,
        }
    }

    fn ellipsis(&mut self, pos: Pos, of: Option<ExprId>) {
        self.token(pos, "...");
        if let Some(of) = of
            && !self.is_top(of)
        {
            self.expr(of);
        }
    }

    fn is_top(&self, id: ExprId) -> bool {
        match self.tree.expr(id) {
            Expr::Ident(name) => self.names.is_blank(name),
            _ => false,
        }
    }

    /// Says whether the selector is on a line of its own.
    fn selector(&mut self, x: ExprId, sel: ExprId, depth: u32) -> bool {
        self.expr_at(x, HIGHEST, depth);
        if self.out.last == Last::Int {
            self.wish(blank);
        }
        self.token(Pos::NONE, ".");
        if starts_line(self.tree.pos(sel)) && !self.out.flat {
            self.wish(indent | formfeed);
            self.expr(sel);
            self.wish(unindent);
            return true;
        }
        self.wish(noblank);
        self.expr(sel);
        false
    }

    fn slice(&mut self, x: ExprId, ends: Ends, rbrack: Pos, depth: u32) {
        let [lo, hi] = self.tree.ends(ends);
        self.expr_at(x, HIGHEST, 1);
        self.token(self.gap_behind(x), "[");
        if let Some(lo) = lo {
            self.expr_at(lo, 0, depth + 1);
        }
        let binary = |id: ExprId| matches!(self.tree.expr(id), Expr::Binary(..));
        let both = lo.zip(hi).is_some_and(|(l, h)| binary(l) || binary(h));
        if depth <= 1 && both {
            self.wish(blank);
            self.token(Pos::NONE, ":");
            self.wish(blank);
        } else {
            self.token(Pos::NONE, ":");
        }
        if let Some(hi) = hi {
            self.expr_at(hi, 0, depth + 1);
        }
        self.closing(rbrack, "]");
    }

    fn call(&mut self, fun: ExprId, args: Args, rparen: Pos, depth: u32) {
        let args = self.tree.args(args);
        let depth = if args.len() > 1 { depth + 1 } else { depth };
        let breaks = match self.tree.expr(fun) {
            Expr::Selector(x, sel) => self.selector(x, sel, depth),
            _ => {
                self.expr_at(fun, HIGHEST, depth);
                false
            }
        };
        self.token(self.gap_behind(fun), "(");
        self.before(None, false);
        for arg in args {
            self.before(Some(NodeId::Expr(*arg)), self.struct_on_one_line(*arg));
            self.raw_grown(*arg, 0, depth);
            self.wish(comma | blank);
            self.after();
        }
        self.after();
        self.wish(trailcomma | noblank);
        self.closing(rparen, ")");
        if breaks {
            self.wish(unindent);
        }
    }

    fn braces(&mut self, id: ExprId, decls: Decls, braces: bool, rbrace: Pos) {
        let tree = self.tree;
        let list = tree.decl_list(decls);
        let lbrace = if braces { tree.pos(id) } else { Pos::NONE };
        let mut ws = noblank;
        let mut ff = self.formfeed();
        match list.first() {
            None => {
                if !self.comment_inside(id) {
                    ff = blank | nooverride;
                }
            }
            Some(first) => {
                let known = self.out.rel(tree.decl_pos(*first)) != Rel::None;
                if rbrace.rel() == Rel::None || !known {
                    ws |= newline | nooverride;
                }
            }
        }
        self.token(lbrace, "{");
        self.out.brace_on_line = true;
        let line = self.out.lines;
        self.wish(ws | ff | indent);
        self.decl_list(list);
        self.wish(unindent);
        let mut ws = noblank;
        if self.out.lines != line {
            ws |= newline;
            if self.out.last != Last::Closing {
                ws |= nooverride;
            }
        }
        self.wish(ws);
        self.closing(rbrace, "}");
    }

    /// Whether a literal has comments between its brackets.
    fn comment_inside(&self, id: ExprId) -> bool {
        let mut comments = self.tree.comments(NodeId::Expr(id)).iter();
        comments.any(|c| c.position == 1)
    }

    fn brackets(&mut self, id: ExprId, items: Exprs, commas: ListCommas, rbrack: Pos) {
        let list = self.tree.list(items);
        self.token(self.tree.pos(id), "[");
        self.wish(noblank | indent);
        if list.is_empty() && !self.comment_inside(id) {
            self.wish(blank | nooverride);
        }
        self.before(None, false);
        for (i, item) in list.iter().enumerate() {
            if i > 0 && commas == ListCommas::Newlines {
                self.wish(declcomma);
            }
            self.element(*item, commas);
        }
        self.after();
        self.wish(trailcomma | noblank);
        self.visit_comments();
        self.wish(unindent | noblank);
        self.closing(rbrack, "]");
    }

    /// An element; the comments behind its start come after its comma.
    fn element(&mut self, id: ExprId, commas: ListCommas) {
        let tree = self.tree;
        self.before(Some(NodeId::Expr(id)), self.struct_on_one_line(id));
        let behind = self.comments_behind(id);
        match tree.expr(id) {
            Expr::Ellipsis(Some(of)) if !self.is_top(of) => {
                self.token(tree.pos(id), "...");
                self.raw_grown(of, 0, 1);
            }
            _ => self.raw_grown(id, 0, 1),
        }
        if commas == ListCommas::All {
            self.wish(comma | blank);
        }
        self.comments(&behind);
        self.after();
    }

    fn struct_on_one_line(&self, id: ExprId) -> bool {
        match self.tree.expr(id) {
            Expr::Struct {
                decls: Decls(run), ..
            } => run.len <= 1 && self.on_one_line(id),
            _ => false,
        }
    }

    pub(super) fn comprehension(
        &mut self,
        clauses: Clauses,
        body: ExprId,
        orelse: Option<std::num::NonZeroU32>,
    ) {
        self.before(None, false);
        let tree = self.tree;
        for (i, (id, clause)) in tree.clause_list(clauses).enumerate() {
            self.before(Some(NodeId::Clause(id)), false);
            if i > 0 {
                self.wish(blank);
            }
            self.clause(&clause);
            self.after();
        }
        self.after();
        self.wish(blank | nooverride);
        self.expr(body);
        if let Some(part) = tree.else_part(orelse) {
            let word = match part.kind {
                ElseKind::Else => "else",
                ElseKind::Otherwise | ElseKind::Fallback => "otherwise",
            };
            self.wish(blank | nooverride);
            self.token(part.pos, word);
            self.wish(blank | nooverride);
            self.expr(part.body);
        }
    }

    pub(super) fn name(&mut self, ident: crate::syntax::tree::Ident) {
        self.before(None, false);
        let text = self.names.get(ident.name);
        self.token(ident.pos, text);
        self.after();
    }

    fn clause(&mut self, clause: &Clause) {
        match *clause {
            Clause::For {
                pos,
                key,
                value,
                in_pos,
                source,
            } => {
                self.token(pos, "for");
                self.wish(blank);
                self.wish(indent);
                match key {
                    Some(key) => {
                        self.name(key);
                        self.token(Pos::NONE, ",");
                        self.wish(blank);
                    }
                    None => self.skip(),
                }
                self.name(value);
                self.wish(blank);
                self.token(in_pos, "in");
                self.wish(blank);
                self.expr(source);
                self.out.pop_indent();
            }
            Clause::If { pos, cond } => {
                self.token(pos, "if");
                self.wish(blank);
                self.wish(indent);
                self.expr(cond);
                self.out.pop_indent();
            }
            Clause::Let { pos, name, value } => {
                self.keyword(pos, "let");
                self.wish(blank | nooverride);
                self.wish(indent);
                self.bound(name, Pos::NONE, value);
                self.out.pop_indent();
            }
            Clause::Try { pos, binding } => {
                self.keyword(pos, "try");
                if let Some((name, value)) = binding {
                    self.wish(blank | nooverride);
                    self.wish(indent);
                    self.bound(name, Pos::NONE, value);
                    self.out.pop_indent();
                }
            }
        }
    }

    /// `name = value`.
    pub(super) fn bound(&mut self, name: crate::syntax::tree::Ident, equal: Pos, value: ExprId) {
        self.name(name);
        self.wish(nooverride | blank);
        self.token(equal, "=");
        self.wish(blank);
        self.expr(value);
    }
}

/// Whether two operators read as something else without a blank between them.
fn merges(before: Op, op: Op) -> bool {
    match op {
        Op::Add => before == op,
        Op::Subtract => matches!(before, Op::Subtract | Op::Less),
        Op::Match | Op::Equal => matches!(before, Op::Less | Op::Greater | Op::Not),
        _ => false,
    }
}

/// A multi-line literal with the indentation of its place.
fn reindent(text: &str, level: usize) -> Cow<'_, str> {
    if level >= 6 || !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let Ok(quotes) = Quotes::of(text, text) else {
        return Cow::Borrowed(text);
    };
    let want = "\t".repeat(level + 1);
    if !quotes.multi || (quotes.indent == want && !text.contains('\r')) {
        return Cow::Owned(text.replace('\r', ""));
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (i, line) in text.split('\n').enumerate() {
        let line = line.trim_end_matches('\r');
        if i == 0 {
            out.push_str(line);
            continue;
        }
        out.push('\n');
        let rest = line.strip_prefix(quotes.indent.as_str()).unwrap_or(line);
        if !rest.is_empty() {
            out.push_str(&want);
            out.push_str(rest);
        }
    }
    Cow::Owned(out)
}

fn int(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if bytes.len() > 1 && bytes[0] == b'0' && bytes[1].is_ascii_digit() && !text.contains('.') {
        return Cow::Owned(format!("0o{}", &text[1..]));
    }
    match text.find('.') {
        Some(at) if bytes.get(at + 1).is_some_and(|b| *b > b'9') => {
            Cow::Owned(format!("{}0{}", &text[..=at], &text[at + 1..]))
        }
        _ => Cow::Borrowed(text),
    }
}

fn float(text: &str) -> Cow<'_, str> {
    let digit_at = |i: usize| text.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
    let padded = match text.find('.') {
        Some(0) => format!("0{text}"),
        Some(at) if !digit_at(at + 1) => format!("{}.0{}", &text[..at], &text[at + 1..]),
        _ if text.contains('E') => text.to_owned(),
        _ => return Cow::Borrowed(text),
    };
    Cow::Owned(padded.to_ascii_lowercase())
}
