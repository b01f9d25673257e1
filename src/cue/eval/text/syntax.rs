//! Expressions in the compact form of messages.

use super::Printer;
use crate::eval::label::Label;
use crate::eval::program::{CId, Clause, DId, Decl, Elem, Expr, Run, SId, XId};
use crate::syntax::literal::quote_label;

impl Printer<'_> {
    pub(super) fn expr(&mut self, x: XId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_inner(x));
    }

    fn expr_inner(&mut self, x: XId) {
        match self.e.program.expr(x) {
            Expr::Val(v) => self.val(v),
            Expr::Struct(s) => self.struct_lit(s),
            Expr::List(run) => {
                self.text("[");
                for (i, e) in self.e.program.elem_list(run).iter().enumerate() {
                    if i > 0 {
                        self.text(",");
                    }
                    match *e {
                        Elem::Expr(x) => self.expr(x),
                        Elem::Comprehension(c) => self.comprehension(c),
                        Elem::Ellipsis(x, _) => {
                            self.text("...");
                            if x.is_some() {
                                self.expr(x);
                            }
                        }
                    }
                }
                self.text("]");
            }
            Expr::Bound(op, y) | Expr::Unary(op, y) => {
                self.text(op.as_str());
                self.expr(y);
            }
            Expr::Field {
                label, optional, ..
            } => {
                self.label(label);
                self.mark(optional);
            }
            Expr::ValueRef { label, .. } => self.label(label),
            Expr::LabelRef { label, .. } | Expr::Let { label, .. } => self.ident(label),
            Expr::DynamicRef { label, .. } => self.expr(label),
            Expr::Import(i, _) => {
                let text = quote_label(&self.e.program.imports[i as usize].path);
                self.text(&text);
            }
            Expr::Selector { .. } | Expr::Index { .. } | Expr::Slice(..) => self.postfix(x),
            Expr::Interpolation(bytes, parts) => self.interpolation(bytes, parts),
            Expr::Binary(op, a, b) => {
                self.text("(");
                self.expr(a);
                self.text(" ");
                self.text(op.as_str());
                self.text(" ");
                self.expr(b);
                self.text(")");
            }
            Expr::Open(y) => {
                self.expr(y);
                self.text("...");
            }
            Expr::Call(fun, args) => self.call(fun, args),
            Expr::Disjunction(items, _) => self.alternatives(items),
        }
    }

    fn postfix(&mut self, x: XId) {
        match self.e.program.expr(x) {
            Expr::Selector {
                x, sel, optional, ..
            } => {
                self.expr(x);
                self.text(".");
                self.label(sel);
                self.mark(optional);
            }
            Expr::Index { x, index, optional } => {
                self.expr(x);
                self.text("[");
                self.expr(index);
                self.text("]");
                self.mark(optional);
            }
            Expr::Slice(x, lo, hi) => {
                self.expr(x);
                self.text("[");
                if lo.is_some() {
                    self.expr(lo);
                }
                self.text(":");
                if hi.is_some() {
                    self.expr(hi);
                }
                self.text("]");
            }
            _ => {}
        }
    }

    fn mark(&mut self, optional: bool) {
        if optional {
            self.text("?");
        }
    }

    fn interpolation(&mut self, bytes: bool, parts: Run) {
        let quote = if bytes { "'" } else { "\"" };
        self.text(quote);
        for (i, p) in self.e.program.arg_list(parts).iter().enumerate() {
            if i % 2 == 1 {
                self.text("\\(");
                self.expr(*p);
                self.text(")");
            } else if let Expr::Val(v) = self.e.program.expr(*p) {
                let text = match self.e.str(v) {
                    Some(s) => s.to_owned(),
                    None => {
                        String::from_utf8_lossy(self.e.bytes_of(v).unwrap_or_default()).into_owned()
                    }
                };
                self.text(&text);
            }
        }
        self.text(quote);
    }

    fn call(&mut self, fun: XId, args: Run) {
        self.expr(fun);
        self.text("(");
        for (i, a) in self.e.program.arg_list(args).iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.expr(*a);
        }
        self.text(")");
    }

    fn alternatives(&mut self, items: Run) {
        self.text("(");
        for (i, (x, default)) in self.e.program.disjunct_list(items).iter().enumerate() {
            if i > 0 {
                self.text("|");
            }
            if *default {
                self.text("*");
            }
            self.expr(*x);
        }
        self.text(")");
    }

    pub(super) fn struct_lit(&mut self, s: SId) {
        self.text("{");
        for (i, d) in self.e.program.struct_decls(s).iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            self.decl(*d);
        }
        self.text("}");
    }

    fn decl(&mut self, d: DId) {
        match self.e.program.decl(d) {
            Decl::Field { label, arc, value } => {
                self.label(label);
                self.text(arc.suffix());
                self.text(":");
                self.expr(value);
            }
            Decl::Let {
                label,
                multi,
                value,
            } => {
                self.text("let ");
                self.label(label);
                self.text(if multi { "m=" } else { "=" });
                self.expr(value);
            }
            Decl::Pattern { filter, value, .. } => {
                self.text("[");
                self.expr(filter);
                self.text("]:");
                self.expr(value);
            }
            Decl::Dynamic {
                key, arc, value, ..
            } => {
                self.expr(key);
                self.text(arc.suffix());
                self.text(":");
                self.expr(value);
            }
            Decl::Ellipsis => self.text("..."),
            Decl::Comprehension(c) => self.comprehension(c),
            Decl::Embed(x) => self.expr(x),
        }
    }

    fn comprehension(&mut self, c: CId) {
        let c = self.e.program.comprehension(c);
        for clause in self.e.program.clause_list(c.clauses) {
            match *clause {
                Clause::For {
                    key, value, source, ..
                } => {
                    self.text("for ");
                    self.ident(key);
                    self.text(", ");
                    self.ident(value);
                    self.text(" in ");
                    self.expr(source);
                    self.text(" ");
                }
                Clause::If { cond, .. } => {
                    self.text("if ");
                    self.expr(cond);
                    self.text(" ");
                }
                Clause::Let { label, value, .. } => {
                    self.text("let ");
                    self.ident(label);
                    self.text(" = ");
                    self.expr(value);
                    self.text(" ");
                }
                Clause::Try { label, value, .. } => {
                    self.text("try ");
                    if label != Label::NONE {
                        self.ident(label);
                        self.text(" = ");
                        self.expr(value);
                        self.text(" ");
                    }
                }
            }
        }
        self.expr(c.body);
        if c.orelse.is_some() {
            self.text(" else ");
            self.expr(c.orelse);
        }
    }
}
