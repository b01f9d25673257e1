//! The compact form of values and expressions inside messages.

use super::ranges::predeclared_name;
use super::{deeper, report};
use crate::eval::context::Evaluator;
use crate::eval::kind::Kind;
use crate::eval::label::{self, Label, LabelKind};
use crate::eval::program::{CId, Clause, DId, Decl, Elem, Expr, SId, XId};
use crate::eval::value::{Data, FuncId, Val};
use crate::eval::vertex::{Item, VId};
use crate::syntax::literal::{quote_bytes, quote_label, quote_string};

/// Longest text of one value; hostile values end with an ellipsis.
const LIMIT: usize = 1 << 20;

impl Evaluator {
    /// A value as messages show it, on one line.
    pub fn compact(&self, v: Val) -> String {
        let mut writer = Compact { ev: self, out: String::new(), stack: Vec::new() };
        writer.value(v);
        writer.out
    }

    /// An expression as messages show it, on one line.
    pub fn compact_expr(&self, x: XId) -> String {
        let mut writer = Compact { ev: self, out: String::new(), stack: Vec::new() };
        writer.expr(x);
        writer.out
    }

    /// A struct literal as messages show it, on one line.
    pub fn compact_struct(&self, s: SId) -> String {
        let mut writer = Compact { ev: self, out: String::new(), stack: Vec::new() };
        writer.struct_lit(s);
        writer.out
    }

    /// The name of a function, its package in front.
    pub fn function_name(&self, f: FuncId) -> String {
        let f = self.funcs[f.0 as usize];
        if f.package.is_empty() {
            f.name.to_owned()
        } else {
            format!("{}.{}", quote_label(f.package), f.name)
        }
    }

    /// A label as paths show it: quoted if it is no identifier.
    pub fn selector_text(&self, l: Label) -> String {
        match l.kind() {
            LabelKind::String => quote_label(self.names.get(l.name())),
            _ => label::text(&self.names, l),
        }
    }
}

pub(super) struct Compact<'a> {
    ev: &'a Evaluator,
    out: String,
    stack: Vec<VId>,
}

impl Compact<'_> {
    fn text(&mut self, text: &str) {
        if self.out.len() < LIMIT {
            self.out.push_str(text);
        }
    }

    fn list<T: Copy>(&mut self, items: &[T], separator: &str, f: fn(&mut Self, T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            f(self, *item);
        }
    }

    fn label(&mut self, l: Label) {
        match l.kind() {
            LabelKind::Hidden | LabelKind::HiddenDefinition => {
                let name = label::text(&self.ev.names, l);
                let package = label::suffix(&self.ev.names, l).to_owned();
                self.text(&name);
                if package != "_" {
                    self.text(&format!("({package})"));
                }
            }
            LabelKind::Let => {
                let name = label::text(&self.ev.names, l);
                let number = label::suffix(&self.ev.names, l).to_owned();
                self.text(&format!("{name}#{number}"));
            }
            _ => {
                let text = self.ev.selector_text(l);
                self.text(&text);
            }
        }
    }

    fn path(&mut self, v: VId) {
        for (i, l) in self.ev.path(v).into_iter().enumerate() {
            if i > 0 {
                self.text(".");
            }
            self.label(l);
        }
    }

    pub(super) fn value(&mut self, v: Val) {
        let ev = self.ev;
        match v.data {
            Data::Unset => {}
            Data::Null => self.text("null"),
            Data::Bool(b) => self.text(if b { "true" } else { "false" }),
            Data::Int(_) | Data::Num(_) => {
                let text = ev.number(v).map_or_else(String::new, |n| n.text());
                self.text(&text);
            }
            Data::Str(_) => self.text(&quote_string(ev.str(v).unwrap_or_default())),
            Data::Bytes(_) => self.text(&quote_bytes(ev.bytes_of(v).unwrap_or_default())),
            Data::Kind(k) => self.text(&k.to_string()),
            Data::Bound(b) => {
                let bound = ev.bound(b);
                self.text(bound.op.as_str());
                self.value(bound.value);
            }
            Data::Conj(c) => {
                let parts = ev.conjunction(c);
                match predeclared_name(ev, parts) {
                    Some(name) => self.text(name),
                    None => self.list(parts, " & ", Self::value),
                }
            }
            Data::Disj(d) => {
                let d = ev.disjunction(d);
                for (i, v) in d.values.iter().enumerate() {
                    if i > 0 {
                        self.text(" | ");
                    }
                    if i < d.defaults {
                        self.text("*");
                    }
                    self.value(*v);
                }
            }
            Data::Func(f) => self.text(&ev.function_name(f)),
            Data::Validator(id) => {
                let validator = ev.validator(id);
                self.text(&ev.function_name(validator.func));
                self.text("(");
                self.list(&validator.args, ", ", Self::argument);
                self.text(")");
            }
            Data::Struct => self.text("struct"),
            Data::List(_) => self.text("list"),
            Data::Err(e) => {
                let text = report::short_text(ev, e);
                self.text(&format!("_|_({text})"));
            }
            Data::Vertex(v) => deeper(|| self.vertex(v)),
        }
    }

    /// An argument: a vertex with a place shows as its path.
    fn argument(&mut self, v: Val) {
        match v.data {
            Data::Vertex(x) if self.ev.v[x.i()].label != Label::NONE => self.path(x),
            _ => self.value(v),
        }
    }

    fn vertex(&mut self, v: VId) {
        let x = &self.ev.v[v.i()];
        match x.base.data {
            Data::Unset => {
                for (i, c) in x.conjuncts.iter().enumerate() {
                    if i > 0 {
                        self.text(" & ");
                    }
                    match c.item {
                        Item::Val(v) => self.value(v),
                        Item::Expr(x) => self.expr(x),
                        Item::Decl(d) => self.expr(self.ev.program.decl_value(d)),
                    }
                }
            }
            Data::Struct => self.within(v, |w| {
                w.text("{");
                w.list(&w.ev.v[v.i()].arcs.clone(), ",", Self::arc);
                w.text("}");
            }),
            Data::List(_) => self.within(v, |w| {
                w.text("[");
                let items: Vec<VId> = w.ev.elements(v).collect();
                w.list(&items, ",", Self::vertex);
                w.text("]");
            }),
            Data::Vertex(_) => self.shared(v),
            _ => self.value(x.base),
        }
    }

    fn arc(&mut self, a: VId) {
        let x = &self.ev.v[a.i()];
        if x.label.is_let() {
            self.text("let ");
            self.label(x.label);
            self.text(if x.multi_let { "m=" } else { "=" });
            match x.conjuncts.first() {
                Some(c) if x.multi_let => self.expr(self.ev.conjunct_expr(c)),
                _ => self.vertex(a),
            }
            return;
        }
        self.label(x.label);
        self.text(x.arc.suffix());
        self.text(":");
        deeper(|| self.vertex(a));
    }

    /// A vertex that points at another one.
    fn shared(&mut self, v: VId) {
        let from = self.ev.deref_disjunct(v);
        let to = self.ev.deref(from);
        let x = &self.ev.v[from.i()];
        if x.is_shared && !self.ev.v[to.i()].arcs.is_empty() {
            self.text("~(");
            self.path(to);
            self.text(")");
            return;
        }
        deeper(|| self.vertex(to));
    }

    fn within(&mut self, v: VId, f: impl FnOnce(&mut Self)) {
        if self.stack.contains(&v) {
            self.text("value at path '");
            self.path(v);
            self.text("'");
            return;
        }
        self.stack.push(v);
        f(self);
        self.stack.pop();
    }

    pub(super) fn expr(&mut self, x: XId) {
        deeper(|| self.expr_inner(x));
    }

    fn optional(&mut self, optional: bool) {
        if optional {
            self.text("?");
        }
    }

    fn expr_inner(&mut self, x: XId) {
        let program = &self.ev.program;
        match program.expr(x) {
            Expr::Val(v) => self.value(v),
            Expr::Struct(s) => self.struct_lit(s),
            Expr::List(run) => {
                self.text("[");
                self.list(program.elem_list(run), ",", Self::elem);
                self.text("]");
            }
            Expr::Bound(op, y) | Expr::Unary(op, y) => {
                self.text(op.as_str());
                self.expr(y);
            }
            Expr::Field { label, optional, .. } => {
                self.label(label);
                self.optional(optional);
            }
            Expr::ValueRef { label, .. } => self.label(label),
            Expr::LabelRef { label, .. } | Expr::Let { label, .. } => {
                let name = label::text(&self.ev.names, label);
                self.text(&name);
            }
            Expr::DynamicRef { label, .. } => self.expr(label),
            Expr::Import(i, _) => {
                let path = program.imports[i as usize].path.clone();
                self.text(&quote_label(&path));
            }
            Expr::Selector { x, sel, optional, .. } => {
                self.expr(x);
                self.text(".");
                self.label(sel);
                self.optional(optional);
            }
            Expr::Index { x, index, optional } => {
                self.expr(x);
                self.text("[");
                self.expr(index);
                self.text("]");
                self.optional(optional);
            }
            Expr::Slice(x, low, high) => {
                self.expr(x);
                self.text("[");
                if low.is_some() {
                    self.expr(low);
                }
                self.text(":");
                if high.is_some() {
                    self.expr(high);
                }
                self.text("]");
            }
            Expr::Interpolation(bytes, run) => self.interpolation(bytes, program.arg_list(run)),
            Expr::Binary(op, a, b) => self.binary(op, a, b),
            Expr::Open(x) => {
                self.expr(x);
                self.text("...");
            }
            Expr::Call(fun, run) => {
                self.expr(fun);
                self.text("(");
                self.list(program.arg_list(run), ", ", Self::expr);
                self.text(")");
            }
            Expr::Disjunction(run, _) => {
                self.text("(");
                for (i, (x, marked)) in program.disjunct_list(run).iter().enumerate() {
                    if i > 0 {
                        self.text("|");
                    }
                    if *marked {
                        self.text("*");
                    }
                    self.expr(*x);
                }
                self.text(")");
            }
        }
    }

    /// A chain of binary operators: left spines are walked in a loop, as they may be long.
    fn binary(&mut self, op: crate::eval::program::Op, a: XId, b: XId) {
        let mut spine = vec![(op, b)];
        let mut left = a;
        while let Expr::Binary(op, a, b) = self.ev.program.expr(left) {
            spine.push((op, b));
            left = a;
        }
        self.text(&"(".repeat(spine.len()));
        self.expr(left);
        for (op, right) in spine.into_iter().rev() {
            self.text(&format!(" {} ", op.as_str()));
            self.expr(right);
            self.text(")");
        }
    }

    fn interpolation(&mut self, bytes: bool, parts: &[XId]) {
        let quote = if bytes { "'" } else { "\"" };
        self.text(quote);
        for (i, part) in parts.iter().enumerate() {
            if i % 2 == 0 {
                let text = match self.ev.program.expr(*part) {
                    Expr::Val(v) => match (self.ev.str(v), self.ev.bytes_of(v)) {
                        (Some(text), _) => text.to_owned(),
                        (_, Some(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
                        _ => String::new(),
                    },
                    _ => String::new(),
                };
                self.text(&text);
            } else {
                self.text("\\(");
                self.expr(*part);
                self.text(")");
            }
        }
        self.text(quote);
    }

    pub(super) fn struct_lit(&mut self, s: SId) {
        self.text("{");
        self.list(self.ev.program.struct_decls(s), ",", Self::decl);
        self.text("}");
    }

    fn decl(&mut self, d: DId) {
        match self.ev.program.decl(d) {
            Decl::Field { label, arc, value } => {
                self.label(label);
                self.text(arc.suffix());
                self.text(":");
                self.expr(value);
            }
            Decl::Let { label, multi, value } => {
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
            Decl::Dynamic { key, arc, value, .. } => {
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

    fn elem(&mut self, e: Elem) {
        match e {
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

    fn name(&mut self, l: Label) {
        let name = label::text(&self.ev.names, l);
        self.text(&name);
    }

    fn comprehension(&mut self, c: CId) {
        let c = self.ev.program.comprehension(c);
        for clause in self.ev.program.clause_list(c.clauses) {
            match *clause {
                Clause::For { key, value, source, .. } => {
                    self.text("for ");
                    self.name(key);
                    self.text(", ");
                    self.name(value);
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
                    self.name(label);
                    self.text(" = ");
                    self.expr(value);
                    self.text(" ");
                }
                Clause::Try { label, value, .. } => {
                    self.text("try ");
                    if value.is_some() {
                        self.name(label);
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

/// Whether a set of kinds is written as a type name of its own.
pub(super) fn is_single(kind: Kind) -> bool {
    kind.count() == 1
}
