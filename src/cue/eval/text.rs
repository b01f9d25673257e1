//! Values and expressions in the compact form of messages, and the text of messages.

use super::context::Evaluator;
use super::error::{Arg, ErrId, MsgId};
use super::label::{self, Label, LabelKind};
use super::program::{CId, Clause, DId, Decl, Elem, Expr, Run, SId, XId};
use super::value::{Data, Disjunction, Val};
use super::vertex::{Item, VId};
use crate::number::Number;
use crate::syntax::literal::{quote_bytes, quote_label, quote_string};
use crate::syntax::names::Names;

/// A label as it appears in paths: quoted if it is no identifier.
pub(crate) fn selector(names: &Names, label: Label) -> String {
    match label.kind() {
        LabelKind::String => quote_label(names.get(label.name())),
        _ => label::text(names, label),
    }
}

/// Why a number is no 64-bit integer.
pub(crate) fn int64_error(n: &Number) -> String {
    let text = n.text();
    if n.value.is_integral() {
        format!("{text}: greater than max int64")
    } else {
        format!("{text}: has fractional part")
    }
}

/// Errors inside values inside errors print so far.
const MAX_NEST: u32 = 4;

/// Text of bytes, each run of what is no UTF-8 replaced by one character.
pub(crate) fn valid_utf8(bytes: &[u8]) -> String {
    let mut out = String::new();
    let mut after_valid = true;
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        after_valid |= !chunk.valid().is_empty();
        if !chunk.invalid().is_empty() && after_valid {
            out.push(char::REPLACEMENT_CHARACTER);
            after_valid = false;
        }
    }
    out
}

struct Printer<'a> {
    e: &'a Evaluator,
    out: String,
    stack: Vec<VId>,
    nest: u32,
}

impl<'a> Printer<'a> {
    fn new(e: &'a Evaluator, nest: u32) -> Printer<'a> {
        Printer {
            e,
            out: String::new(),
            stack: Vec::new(),
            nest,
        }
    }
}

impl Evaluator {
    /// A value in the compact form of messages.
    pub fn compact(&self, v: Val) -> String {
        let mut p = Printer::new(self, 0);
        p.val(v);
        p.out
    }

    /// An expression in the compact form of messages.
    pub fn compact_expr(&self, x: XId) -> String {
        let mut p = Printer::new(self, 0);
        p.expr(x);
        p.out
    }

    fn source_text(&self, x: XId) -> String {
        let Some((source, node)) = self.program.origin(x) else {
            return self.compact_expr(x);
        };
        super::source_text::text(&source.tree, node, &self.names)
            .unwrap_or_else(|| self.compact_expr(x))
    }

    fn arg_text(&self, a: &Arg, nest: u32) -> String {
        let mut p = Printer::new(self, nest);
        match a {
            Arg::Val(v) => p.val(*v),
            Arg::Expr(x) => p.expr(*x),
            Arg::Struct(s) => p.struct_lit(*s),
            Arg::Source(x) => return self.source_text(*x),
            Arg::Label(l) => return self.label_text(*l),
            Arg::Kind(k) => return k.to_string(),
            Arg::Op(op) => return op.as_str().into(),
            Arg::Text(t) => return t.to_string(),
            Arg::Int(i) => return i.to_string(),
            Arg::Func(f) => {
                let f = self.func(*f);
                return match f.package {
                    "" => f.name.into(),
                    package if package.contains('/') => format!("\"{package}\".{}", f.name),
                    package => format!("{package}.{}", f.name),
                };
            }
            Arg::Err(e) => return self.nested_error(*e, nest),
        }
        p.out
    }

    /// The text of a message without path, positions and cause.
    pub fn message_text(&self, m: MsgId) -> String {
        self.nested_message(m, 0)
    }

    fn nested_message(&self, m: MsgId, nest: u32) -> String {
        let m = &self.messages[m.i()];
        let mut args = m.args.iter();
        let mut out = String::new();
        let mut parts = m.template.split("{}");
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            if let Some(a) = args.next() {
                out.push_str(&self.arg_text(a, nest));
            }
            out.push_str(part);
        }
        out
    }

    /// The text of a message and of what it wraps: `outer: inner`.
    pub fn full_text(&self, m: MsgId) -> String {
        self.nested_full(m, 0)
    }

    fn nested_full(&self, m: MsgId, nest: u32) -> String {
        let mut out = self.nested_message(m, nest);
        if let Some(first) = self.messages[m.i()].cause.first() {
            out.push_str(": ");
            out.push_str(&self.nested_full(*first, nest));
        }
        out
    }

    /// The text of an error as part of another message.
    pub fn error_text(&self, e: ErrId) -> String {
        self.nested_error(e, 0)
    }

    fn nested_error(&self, e: ErrId, nest: u32) -> String {
        let list = &self.errors[e.i()].messages;
        let Some(first) = list.first() else {
            return String::new();
        };
        let m = &self.messages[first.i()];
        let mut out = String::new();
        if !m.no_path && !m.path.is_empty() {
            let path: Vec<String> = m.path.iter().map(|l| self.label_text(*l)).collect();
            out = format!("{}: ", path.join("."));
        }
        out.push_str(&self.nested_full(*first, nest + 1));
        if list.len() > 1 {
            out.push_str(&format!(" (and {} more errors)", list.len() - 1));
        }
        out
    }
}

impl Printer<'_> {
    fn text(&mut self, s: &str) {
        self.out.push_str(s);
    }

    fn label(&mut self, l: Label) {
        let text = match l.kind() {
            LabelKind::Hidden | LabelKind::HiddenDefinition => {
                let package = label::suffix(&self.e.names, l);
                let name = label::text(&self.e.names, l);
                if package == "_" {
                    name
                } else {
                    format!("{name}({package})")
                }
            }
            LabelKind::Let => {
                format!(
                    "{}#{}",
                    label::text(&self.e.names, l),
                    label::suffix(&self.e.names, l)
                )
            }
            _ => selector(&self.e.names, l),
        };
        self.text(&text);
    }

    fn ident(&mut self, l: Label) {
        let text = label::text(&self.e.names, l);
        self.text(&text);
    }

    fn push(&mut self, v: VId) -> bool {
        if self.stack.contains(&v) {
            self.text("value at path '");
            self.path(v);
            self.text("'");
            return false;
        }
        self.stack.push(v);
        true
    }

    fn path(&mut self, v: VId) {
        let path: Vec<String> = self
            .e
            .path(v)
            .into_iter()
            .map(|l| self.e.label_text(l))
            .collect();
        self.text(&path.join("."));
    }

    fn val(&mut self, v: Val) {
        match v.data {
            Data::Unset => self.text("_"),
            Data::Null => self.text("null"),
            Data::Bool(b) => self.text(if b { "true" } else { "false" }),
            Data::Int(_) | Data::Num(_) => {
                let text = self.e.number(v).map(|n| n.text()).unwrap_or_default();
                self.text(&text);
            }
            Data::Str(n) => {
                let text = quote_string(self.e.names.get(n));
                self.text(&text);
            }
            Data::Bytes(_) => {
                let text = quote_bytes(self.e.bytes_of(v).unwrap_or_default());
                self.text(&text);
            }
            Data::Kind(k) => self.text(&k.to_string()),
            Data::Bound(b) => {
                let b = self.e.bound(b);
                self.text(b.op.as_str());
                self.val(b.value);
            }
            Data::Conj(c) => {
                let parts = self.e.conjunction(c);
                if let Some(name) = self.e.range_name(parts) {
                    self.text(name);
                    return;
                }
                for (i, p) in parts.iter().enumerate() {
                    if i > 0 {
                        self.text(" & ");
                    }
                    self.val(*p);
                }
            }
            Data::Disj(d) => self.disjunction(self.e.disjunction(d)),
            Data::Func(f) => {
                let text = self.e.arg_text(&Arg::Func(f), 0);
                self.text(&text);
            }
            Data::Validator(x) => {
                let x = self.e.validator(x).clone();
                let text = self.e.arg_text(&Arg::Func(x.func), 0);
                self.text(&text);
                self.text("(");
                for (i, a) in x.args.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.argument(*a);
                }
                self.text(")");
            }
            Data::Struct => self.text("struct"),
            Data::List(_) => self.text("list"),
            Data::Err(_) if self.nest >= MAX_NEST => self.text("_|_"),
            Data::Err(e) => {
                let text = self.e.nested_error(e, self.nest);
                self.text("_|_(");
                self.text(&text);
                self.text(")");
            }
            Data::Vertex(x) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.vertex(x)),
        }
    }

    fn argument(&mut self, v: Val) {
        if let Data::Vertex(x) = v.data
            && self.e.vx(x).label != Label::NONE
        {
            return self.path(x);
        }
        self.val(v);
    }

    fn disjunction(&mut self, d: &Disjunction) {
        for (i, v) in d.values.iter().enumerate() {
            if i > 0 {
                self.text(" | ");
            }
            if i < d.defaults {
                self.text("*");
            }
            self.val(*v);
        }
    }

    fn vertex(&mut self, v: VId) {
        let x = self.e.vx(v);
        match x.base.data {
            Data::Unset => {
                for (i, c) in x.conjuncts.iter().enumerate() {
                    if i > 0 {
                        self.text(" & ");
                    }
                    match c.item {
                        Item::Val(w) => self.val(w),
                        _ => self.expr(self.e.conjunct_expr(c)),
                    }
                }
            }
            Data::Struct => {
                if !self.push(v) {
                    return;
                }
                self.text("{");
                for (i, a) in x.arcs.iter().enumerate() {
                    if i > 0 {
                        self.text(",");
                    }
                    self.arc(*a);
                }
                self.text("}");
                self.stack.pop();
            }
            Data::List(_) => {
                if !self.push(v) {
                    return;
                }
                self.text("[");
                let elems: Vec<VId> = self.e.elements(v).collect();
                for (i, a) in elems.into_iter().enumerate() {
                    if i > 0 {
                        self.text(",");
                    }
                    self.vertex_or_nested(a);
                }
                self.text("]");
                self.stack.pop();
            }
            Data::Vertex(_) => {
                let w = self.e.deref(v);
                if self.push(w) {
                    // The stack holds the target while it prints itself below another entry.
                    self.stack.pop();
                    self.vertex_or_nested(w);
                }
            }
            _ => self.val(x.base),
        }
    }

    fn vertex_or_nested(&mut self, v: VId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.vertex(v));
    }

    fn arc(&mut self, a: VId) {
        let x = self.e.vx(a);
        if x.label.is_let() {
            self.text("let ");
            self.label(x.label);
            if x.multi_let {
                self.text("m");
            }
            self.text("=");
            if x.multi_let
                && let Some(c) = x.conjuncts.first()
            {
                return self.expr(self.e.conjunct_expr(c));
            }
        } else {
            self.label(x.label);
            self.text(x.arc.suffix());
            self.text(":");
        }
        self.vertex_or_nested(a);
    }

    fn expr(&mut self, x: XId) {
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

    fn struct_lit(&mut self, s: SId) {
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
