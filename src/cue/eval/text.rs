//! Values in the compact form of messages, and the text of messages.

mod syntax;

use super::context::Evaluator;
use super::error::{Arg, ErrId, MsgId};
use super::label::{self, Label, LabelKind};
use super::program::XId;
use super::value::{Data, Disjunction, Val};
use super::vertex::{Item, VId};
use crate::number::Number;
use crate::syntax::format::{Node, Style, format};
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

/// A path of more labels is shown without its middle.
const MOST_LABELS: usize = 200;

/// So many labels of each end of such a path are shown.
const END_LABELS: usize = 20;

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
    /// The vertices that are being printed, also around the message this is part of.
    stack: Vec<VId>,
    nest: u32,
    /// Fields that share the value of another one show it, not its name.
    expand: bool,
}

/// What a message is printed inside of.
#[derive(Clone, Copy)]
struct Around<'a> {
    stack: &'a [VId],
    nest: u32,
}

impl Around<'static> {
    const NOTHING: Around<'static> = Around {
        stack: &[],
        nest: 0,
    };
}

impl<'a> Printer<'a> {
    fn new(e: &'a Evaluator, around: Around<'_>) -> Printer<'a> {
        Printer {
            e,
            out: String::new(),
            stack: around.stack.to_vec(),
            nest: around.nest,
            expand: false,
        }
    }
}

impl Evaluator {
    /// A value in the compact form of messages.
    pub fn compact(&self, v: Val) -> String {
        let mut p = Printer::new(self, Around::NOTHING);
        p.val(v);
        p.out
    }

    /// A value in the compact form of messages, but all of it: a message shows a field that
    /// shares the value of another one as the path of that one.
    pub fn expanded(&self, v: Val) -> String {
        let mut p = Printer {
            expand: true,
            ..Printer::new(self, Around::NOTHING)
        };
        p.val(v);
        p.out
    }

    /// An expression in the compact form of messages.
    pub fn compact_expr(&self, x: XId) -> String {
        let mut p = Printer::new(self, Around::NOTHING);
        p.expr(x);
        p.out
    }

    fn source_text(&self, x: XId) -> String {
        let Some((source, node)) = self.program.origin(x) else {
            return self.compact_expr(x);
        };
        let style = Style {
            simplify: false,
            spaces: false,
        };
        format(&source.tree, &self.names, Node::Expr(node), style)
    }

    fn arg_text(&self, a: &Arg, around: Around<'_>) -> String {
        let mut p = Printer::new(self, around);
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
            Arg::Err(e) => return self.nested_error(*e, around),
            Arg::Parts(parts) => {
                return parts.iter().map(|a| self.arg_text(a, around)).collect();
            }
        }
        p.out
    }

    /// The text of a message without path, positions and cause.
    pub fn message_text(&self, m: MsgId) -> String {
        self.nested_message(m, Around::NOTHING)
    }

    fn nested_message(&self, m: MsgId, around: Around<'_>) -> String {
        let m = &self.messages[m.i()];
        let mut args = m.args.iter();
        let mut out = String::new();
        let mut parts = m.template.split("{}");
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            if let Some(a) = args.next() {
                out.push_str(&self.arg_text(a, around));
            }
            out.push_str(part);
        }
        out
    }

    /// The text of a message and of what it wraps: `outer: inner`.
    pub fn full_text(&self, m: MsgId) -> String {
        self.nested_full(m, Around::NOTHING)
    }

    fn nested_full(&self, m: MsgId, around: Around<'_>) -> String {
        let mut out = self.nested_message(m, around);
        if let Some(first) = self.messages[m.i()].cause.first() {
            out.push_str(": ");
            out.push_str(&self.nested_full(*first, around));
        }
        out
    }

    /// The path that a message is told with: its own, or that of its cause.
    pub fn message_path(&self, m: MsgId) -> &[Label] {
        let message = &self.messages[m.i()];
        match message.cause.first() {
            _ if !message.no_path && !message.path.is_empty() => &message.path,
            Some(cause) => self.message_path(*cause),
            None => &[],
        }
    }

    /// The labels of a path as messages show them: of a very long one both ends.
    pub fn path_texts(&self, path: &[Label]) -> Vec<String> {
        let text = |l: &Label| self.label_text(*l);
        if path.len() <= MOST_LABELS {
            return path.iter().map(text).collect();
        }
        let (first, last) = (&path[..END_LABELS], &path[path.len() - END_LABELS..]);
        let left_out = std::iter::once("…".to_owned());
        first
            .iter()
            .map(text)
            .chain(left_out)
            .chain(last.iter().map(text))
            .collect()
    }

    /// The text of an error as part of another message.
    pub fn error_text(&self, e: ErrId) -> String {
        self.nested_error(e, Around::NOTHING)
    }

    fn nested_error(&self, e: ErrId, around: Around<'_>) -> String {
        let list = &self.errors[e.i()].messages;
        let Some(first) = list.first() else {
            return String::new();
        };
        let path = self.message_path(*first);
        let mut out = String::new();
        if !path.is_empty() {
            out = format!("{}: ", self.path_texts(path).join("."));
        }
        out.push_str(&self.nested_full(*first, around));
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
        let mut labels = Vec::new();
        let mut at = v;
        loop {
            let x = self.e.vx(at);
            labels.push(x.label);
            let p = x.parent;
            if !p.is_some() || self.e.vx(p).label == Label::NONE {
                break;
            }
            at = p;
        }
        for (i, l) in labels.into_iter().rev().enumerate() {
            if i > 0 {
                self.text(".");
            }
            if l == Label::NONE {
                self.text("_");
            } else {
                self.label(l);
            }
        }
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
                let text = self.e.arg_text(&Arg::Func(f), Around::NOTHING);
                self.text(&text);
            }
            Data::Validator(x) => {
                let x = self.e.validator(x).clone();
                let text = self.e.arg_text(&Arg::Func(x.func), Around::NOTHING);
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
                let around = Around {
                    stack: &self.stack,
                    nest: self.nest + 1,
                };
                let text = self.e.nested_error(e, around);
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
            Data::Vertex(_) => self.redirected(v),
            _ => self.val(x.base),
        }
    }

    /// A vertex that stands for another one: a name where a field shares its value, the value
    /// itself where a disjunct won, and that value once only.
    fn redirected(&mut self, v: VId) {
        let e = self.e;
        if self.expand {
            let target = e.deref(v);
            if self.push(target) {
                self.stack.pop();
                self.vertex_or_nested(target);
            }
            return;
        }
        let mut v = v;
        while let Data::Vertex(w) = e.vx(v).base.data
            && e.vx(w).is_disjunct()
        {
            v = w;
        }
        let (target, x) = (e.deref(v), e.vx(v));
        let points = matches!(x.base.data, Data::Vertex(_));
        let t = e.vx(target);
        let internal = t.non_rooted() || t.anonymous() || t.dynamic();
        if x.is_shared() && !internal && points && !t.arcs.is_empty() {
            self.shared(target);
        } else if self.push(target) {
            self.vertex_or_nested(target);
            self.stack.pop();
        } else {
            if let Data::Vertex(w) = x.base.data {
                self.shared(w);
                self.text(" =>");
            }
            self.shared(target);
        }
    }

    fn shared(&mut self, v: VId) {
        self.text("~(");
        self.path(v);
        self.text(")");
    }

    fn vertex_or_nested(&mut self, v: VId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.vertex(v));
    }

    fn arc(&mut self, a: VId) {
        let x = self.e.vx(a);
        if x.label.is_let() {
            self.text("let ");
            self.label(x.label);
            if x.multi_let() {
                self.text("m");
            }
            self.text("=");
            if x.multi_let()
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
}
