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
    Clause, Clauses, Decls, ElseKind, Expr, ExprId, Exprs, ListCommas, LitKind, NodeId, Op,
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
        let one_line = match self.tree.expr(id) {
            Expr::Struct {
                decls: Decls(run), ..
            } => run.len <= 1 && self.on_one_line(id),
            _ => false,
        };
        self.before(Some(NodeId::Expr(id)), one_line);
        stacker::maybe_grow(96 << 10, 4 << 20, || self.raw(id, least, depth));
        self.after();
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
            } => self.brackets(pos, items, commas, rbrack),
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
                    self.token(rparen, ")");
                }
            }
            Expr::Selector(x, sel) => {
                self.selector(x, sel, depth);
            }
            Expr::Index(x, index, rbrack) => {
                self.expr_at(x, HIGHEST, 1);
                // A comment behind the bracket moves to the end.
                self.word(Pos::NONE, "[");
                self.expr_at(index, 0, depth + 1);
                self.token(rbrack, "]");
            }
            Expr::Slice { x, lo, hi, rbrack } => self.slice(x, lo, hi, rbrack, depth),
            Expr::Call { fun, args, rparen } => self.call(fun, args, rparen, depth),
            Expr::Open(x, at) => {
                self.expr_at(x, HIGHEST, depth);
                self.space(noblank | nooverride);
                self.token(at, "...");
            }
            Expr::Optional(x, at) => {
                self.expr_at(x, HIGHEST, depth);
                self.space(noblank | nooverride);
                self.token(at, "?");
            }
        }
    }

    fn unary(&mut self, pos: Pos, op: Op, x: ExprId, least: u8, depth: u32) {
        if UNARY < least {
            self.token(Pos::NONE, "(");
            self.space(noblank);
            self.unary(pos, op, x, 0, depth);
            self.token(Pos::NONE, ")");
            return;
        }
        if self.out.last == Last::Operator(op) && matches!(op, Op::Add | Op::Subtract) {
            self.out.separate();
        }
        self.token(pos, op.as_str());
        self.out.last = Last::Operator(op);
        self.space(nooverride);
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

    /// The pieces and expressions of an interpolation. On one line, breaks inside are dropped.
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
            self.expr_at(*part, 0, depth + 1);
        }
        self.after();
        self.out.flat = flat;
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
            Expr::Ident(name) => self.names.get(name) == "_",
            _ => false,
        }
    }

    fn selector(&mut self, x: ExprId, sel: ExprId, depth: u32) {
        self.expr_at(x, HIGHEST, depth);
        if self.out.last == Last::Int {
            self.wish(blank);
        }
        self.token(Pos::NONE, ".");
        if starts_line(self.tree.pos(sel)) {
            self.space(indent | formfeed);
            self.expr(sel);
            self.space(unindent);
            return;
        }
        self.space(noblank);
        self.expr(sel);
    }

    fn slice(
        &mut self,
        x: ExprId,
        lo: Option<ExprId>,
        hi: Option<ExprId>,
        rbrack: Pos,
        depth: u32,
    ) {
        self.expr_at(x, HIGHEST, 1);
        self.token(Pos::NONE, "[");
        if let Some(lo) = lo {
            self.expr_at(lo, 0, depth + 1);
        }
        let binary = |id: ExprId| matches!(self.tree.expr(id), Expr::Binary(..));
        let both = lo.zip(hi).is_some_and(|(l, h)| binary(l) || binary(h));
        if depth <= 1 && both {
            self.space(blank);
            self.token(Pos::NONE, ":");
            self.space(blank);
        } else {
            self.token(Pos::NONE, ":");
        }
        if let Some(hi) = hi {
            self.expr_at(hi, 0, depth + 1);
        }
        self.token(rbrack, "]");
    }

    fn call(&mut self, fun: ExprId, args: Exprs, rparen: Pos, depth: u32) {
        let args = self.tree.list(args);
        let depth = if args.len() > 1 { depth + 1 } else { depth };
        self.expr_at(fun, HIGHEST, depth);
        self.token(Pos::NONE, "(");
        self.before(None, false);
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                self.space(comma | blank);
            }
            self.expr_at(*arg, 0, depth);
        }
        if !args.is_empty() {
            self.space(comma);
        }
        self.after();
        self.space(trailcomma | noblank);
        self.token(rparen, ")");
    }

    fn braces(&mut self, id: ExprId, decls: Decls, braces: bool, rbrace: Pos) {
        let tree = self.tree;
        let list = tree.decl_list(decls);
        let lbrace = if braces { tree.pos(id) } else { Pos::NONE };
        let known = rbrace.rel() != Rel::None;
        let mut ws = noblank;
        let mut ff = self.formfeed();
        match list.first() {
            None if !known => {
                let inner = tree
                    .comments(NodeId::Expr(id))
                    .iter()
                    .any(|c| c.position == 1);
                if !inner {
                    ff = blank | nooverride;
                }
            }
            None => {}
            Some(first) if !known || tree.decl_pos(*first).rel() == Rel::None => {
                ws |= newline | nooverride;
            }
            Some(_) => {}
        }
        self.token(lbrace, "{");
        self.out.brace_on_line = true;
        let line = self.out.lines;
        self.space(ws | ff | indent);
        self.decl_list(list);
        self.wish(unindent);
        let mut ws = noblank;
        if self.out.lines != line {
            ws |= newline;
            if self.out.last != Last::Closing {
                ws |= nooverride;
            }
        }
        self.space(ws);
        self.token(rbrace, "}");
    }

    fn brackets(&mut self, pos: Pos, items: Exprs, commas: ListCommas, rbrack: Pos) {
        self.token(pos, "[");
        self.space(noblank | indent);
        self.before(None, false);
        let list = self.tree.list(items);
        let sep = match commas {
            ListCommas::All => comma,
            ListCommas::Newlines => declcomma,
        };
        for (i, id) in list.iter().enumerate() {
            self.before(Some(NodeId::Expr(*id)), self.struct_on_one_line(*id));
            stacker::maybe_grow(96 << 10, 4 << 20, || self.raw(*id, 0, 1));
            if i + 1 < list.len() || commas == ListCommas::All {
                self.space(sep | blank);
            }
            self.after();
        }
        self.after();
        self.space(trailcomma | noblank);
        self.wish(unindent);
        self.space(noblank);
        self.token(rbrack, "]");
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
                self.space(blank);
            }
            self.clause(&clause);
            self.after();
        }
        self.after();
        self.space(blank | nooverride);
        self.expr(body);
        if let Some(part) = tree.else_part(orelse) {
            let word = match part.kind {
                ElseKind::Else => "else",
                ElseKind::Otherwise | ElseKind::Fallback => "otherwise",
            };
            self.space(blank | nooverride);
            self.token(part.pos, word);
            self.space(blank | nooverride);
            self.expr(part.body);
        }
    }

    fn name(&mut self, ident: crate::syntax::tree::Ident) {
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
                self.space(blank);
                self.space(indent);
                match key {
                    Some(key) => {
                        self.name(key);
                        self.token(Pos::NONE, ",");
                        self.space(blank);
                    }
                    None => self.skip(),
                }
                self.name(value);
                self.space(blank);
                self.token(in_pos, "in");
                self.space(blank);
                self.expr(source);
                self.out.pop_indent();
            }
            Clause::If { pos, cond } => {
                self.token(pos, "if");
                self.space(blank);
                self.space(indent);
                self.expr(cond);
                self.out.pop_indent();
            }
            Clause::Let { pos, name, value } => {
                self.keyword(pos, "let");
                self.space(blank | nooverride);
                self.space(indent);
                self.bound(name, Pos::NONE, value);
                self.out.pop_indent();
            }
            Clause::Try { pos, binding } => {
                self.keyword(pos, "try");
                if let Some((name, value)) = binding {
                    self.space(blank | nooverride);
                    self.space(indent);
                    self.bound(name, Pos::NONE, value);
                    self.out.pop_indent();
                }
            }
        }
    }

    /// `name = value`.
    pub(super) fn bound(&mut self, name: crate::syntax::tree::Ident, equal: Pos, value: ExprId) {
        self.name(name);
        self.space(nooverride | blank);
        self.token(equal, "=");
        self.space(blank);
        self.expr(value);
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
