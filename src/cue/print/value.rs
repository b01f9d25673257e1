//! Evaluated values to syntax: what is known is written out, what is not yet known as its source.

use super::build::line_group;
use super::order::Around;
use super::order_of_conjuncts::{Part, sort_parts};
use super::origin::Attribute;
use super::printer::{Member, Printer};
use super::ranges::number_bound;
use super::report::comment_text;
use crate::eval::context::Evaluator;
use crate::eval::error::ErrId;
use crate::eval::kind::{ArcType, Kind};
use crate::eval::label::{self, Label, LabelKind};
use crate::eval::program::{Expr, Op};
use crate::eval::value::{Data, Disjunction, Val};
use crate::eval::vertex::{Conjunct, Item, VId};
use crate::number::Number;
use crate::syntax::literal::{Form, is_identifier, quote_bytes, quote_multi};
use crate::syntax::source::Rel;
use crate::syntax::tree::{self, Constraint, ExprId, LitKind, NodeId};
use md5::{Digest, Md5};
use std::cmp::Ordering;

impl Printer<'_> {
    pub(super) fn vertex(&mut self, v: VId) -> ExprId {
        self.repeated += self.stack.len();
        if self.has_no_room(v) {
            return self.ident("_");
        }
        if self
            .stack
            .iter()
            .any(|f| f.node == v && v != VId::default())
        {
            return self.ident("_");
        }
        let x = self.ev.vx(v);
        if x.is_leaf() && !self.profile.attributes {
            return self.leaf(v, x.base);
        }
        self.nested(|p| p.vertex_inner(v))
    }

    /// The value of a field without working state: literals, types and disjunctions of these.
    fn leaf(&mut self, v: VId, base: Val) -> ExprId {
        let field = |c: &Conjunct| matches!(c.item, Item::Decl(_));
        let fields = self.ev.vx(v).conjuncts.iter().all(field);
        let plain = fields && !self.profile.docs;
        if plain && let Some(x) = self.leaves.get(base.data) {
            if let tree::Expr::Literal(_, text) = self.out.tree.expr(x) {
                self.repeated += text.len as usize;
            }
            return x;
        }
        let alike = self.is_alike_anywhere(base);
        let framed = !alike || matches!(base.data, Data::Disj(_));
        if framed {
            self.push(v, 1);
        }
        let value = self.value(base, Some(v));
        if framed {
            let members = self.pop();
            self.take_back(members);
        }
        if plain && alike {
            self.leaves.insert(base.data, value);
        }
        value
    }

    /// Whether the text of a value does not depend on where it stands: blocks of text are
    /// indented.
    fn is_alike_anywhere(&self, v: Val) -> bool {
        match v.data {
            Data::Null | Data::Bool(_) | Data::Int(_) | Data::Num(_) | Data::Kind(_) => true,
            Data::Str(name) => !self.ev.names.get(name).contains('\n'),
            Data::Disj(d) => {
                let values = &self.ev.disjunction(d).values;
                values.iter().all(|v| self.is_alike_anywhere(*v))
            }
            _ => false,
        }
    }

    fn vertex_inner(&mut self, v: VId) -> ExprId {
        let attributes = if self.profile.attributes {
            self.ev.member_attributes(v)
        } else {
            Vec::new()
        };
        self.push(v, 1);
        for i in 0..self.ev.vx(v).conjuncts.len() {
            let x = self.ev.conjunct_expr(&self.ev.vx(v).conjuncts[i]);
            self.mark_lets(x);
        }
        let lets = self.stack.last().map_or(0, |f| f.members.len());
        let (found, composite) = self.known(v, &attributes);
        if composite {
            let members = self.pop();
            let decls = self.members(members);
            return self.out.structure(&decls);
        }
        let result = match found {
            Some(x) => x,
            None => self.source_form(v),
        };
        let members = self.pop();
        let decls = self.members(members);
        if lets > 0 && !decls.is_empty() {
            // lets that a value refers to need a struct around them: back to the source as a whole
            return self.merged_vertex(v);
        }
        result
    }

    /// The printed value if it is known; or that the frame holds it as a struct.
    fn known(&mut self, v: VId, attributes: &[Attribute]) -> (Option<ExprId>, bool) {
        let base = self.ev.vx(v).base;
        let wide = self.shows_members(v) || !attributes.is_empty();
        match base.data {
            Data::Unset => (None, false),
            Data::Struct => {
                self.composite(v, attributes, true);
                (None, true)
            }
            Data::List(_) if wide => {
                self.composite(v, attributes, false);
                let list = self.list(v);
                self.embed(list);
                (None, true)
            }
            Data::List(_) => (Some(self.list(v)), false),
            Data::Err(e) => self.error(v, e, attributes),
            _ if wide => {
                let x = self.value(base, None);
                self.embed(x);
                self.composite(v, attributes, false);
                (None, true)
            }
            _ => (Some(self.value(base, Some(v))), false),
        }
    }

    fn error(&mut self, v: VId, e: ErrId, attributes: &[Attribute]) -> (Option<ExprId>, bool) {
        let x = self.ev.vx(v);
        let (optional, bare) = (x.arc == ArcType::Optional, x.conjuncts.is_empty());
        let child = self.ev.error(e).child_error && !x.arcs.is_empty();
        if optional {
            return (None, false);
        }
        if self.profile.errors && child {
            let list = x
                .arcs
                .first()
                .is_some_and(|a| self.ev.vx(*a).label.is_int());
            if list && !self.shows_members(v) && attributes.is_empty() {
                return (Some(self.list(v)), false);
            }
            self.composite(v, attributes, true);
            if list {
                let list = self.list(v);
                self.embed(list);
            }
            return (None, true);
        }
        if !self.ev.error(e).code.is_incomplete() || bare || self.profile.is_final {
            return (Some(self.bottom(e)), false);
        }
        (None, false)
    }

    fn shows_members(&self, v: VId) -> bool {
        let p = self.profile;
        (p.definitions || p.hidden)
            && self.ev.vx(v).arcs.iter().any(|a| {
                let label = self.ev.vx(*a).label;
                label.is_definition() && p.definitions || label.is_hidden() && p.hidden
            })
    }

    fn embed(&mut self, x: ExprId) {
        let d = self.out.embed(x);
        self.add(Member::Decl(d));
    }

    /// The members of a struct, into the frame.
    fn composite(&mut self, v: VId, attributes: &[Attribute], regular: bool) {
        self.add_attributes(attributes);
        let around = self.around.get(&v).copied().unwrap_or(Around::own(v));
        for a in self.orders.printed_arcs(self.ev, v, around) {
            let arc = self.ev.vx(a);
            let (label, kind) = (arc.label, arc.arc);
            let shown = match label.kind() {
                LabelKind::String => regular,
                LabelKind::Definition => self.profile.definitions,
                LabelKind::Hidden | LabelKind::HiddenDefinition => {
                    let package = label::suffix(&self.ev.names, label);
                    self.profile.hidden && package == self.profile.package
                }
                _ => false,
            };
            if shown && (kind != ArcType::Optional || self.profile.optional) {
                if kind == ArcType::Optional {
                    self.ev.finalize(a);
                }
                self.member(a, label, kind);
            }
        }
    }

    fn member(&mut self, a: VId, label: Label, kind: ArcType) {
        let name = self.shared_label(label);
        if label.is_definition() {
            self.in_definition += 1;
        }
        let (owner, target) = (self.ev.deref_non_disjunct(a), self.ev.deref(a));
        if owner != target {
            let around = Around {
                literals: target,
                joins: Some(owner),
            };
            self.around.insert(target, around);
        }
        let value = self.vertex(target);
        if label.is_definition() {
            self.in_definition -= 1;
        }
        let constraint = match kind {
            ArcType::Required => Constraint::Required,
            ArcType::Optional => Constraint::Optional,
            _ => Constraint::None,
        };
        let attributes = if self.profile.attributes {
            self.ev.field_attribute_texts(a)
        } else {
            Vec::new()
        };
        let attrs = self.out.attrs(&attributes);
        let field = self.out.field(name, constraint, value, attrs);
        if self.profile.docs {
            self.doc_comments(a, NodeId::Decl(field));
        }
        if let Some(frame) = self.top() {
            frame.fields.push((label, field));
        }
        self.add(Member::Decl(field));
    }

    fn list(&mut self, v: VId) -> ExprId {
        let elements: Vec<VId> = self.ev.elements(v).collect();
        let mut items: Vec<ExprId> = Vec::with_capacity(elements.len());
        for a in elements {
            let x = self.vertex(a);
            if self.profile.docs {
                self.doc_comments(a, NodeId::Expr(x));
            }
            items.push(x);
        }
        self.out.list(&items)
    }

    /// Everything a vertex was made of, unevaluated.
    fn source_form(&mut self, v: VId) -> ExprId {
        let mut parts: Vec<Part> = Vec::new();
        for c in &self.ev.vx(v).conjuncts {
            let part = Part::of_conjunct(self.ev, c);
            if !parts.iter().any(|p| p.same_node(&part)) {
                parts.push(part);
            }
        }
        sort_parts(self.ev, &mut parts);
        let operands: Vec<ExprId> = parts.iter().map(|part| self.part(part)).collect();
        match self.out.chain(Op::And, &operands) {
            Some(x) => x,
            None => self.ident("_"),
        }
    }

    fn default_of(&mut self, v: Val) -> Val {
        if !self.profile.take_defaults {
            return v;
        }
        let Data::Disj(d) = v.data else {
            return v;
        };
        let d = self.ev.disjunction(d);
        match d.defaults {
            1 => {
                let first = d.values[0];
                self.mark_disjunct(first);
                first
            }
            _ => v,
        }
    }

    fn mark_disjunct(&mut self, v: Val) {
        if let Data::Vertex(x) = v.data {
            // the expressions around a disjunction say nothing of its disjuncts
            self.around.insert(
                x,
                Around {
                    literals: x,
                    joins: None,
                },
            );
        }
    }

    /// An evaluated value. `owner` is the vertex it is the value of, whose literal may be shown.
    pub(super) fn value(&mut self, v: Val, owner: Option<VId>) -> ExprId {
        let v = self.default_of(v);
        match v.data {
            Data::Vertex(x) => {
                let x = if self.profile.take_defaults {
                    self.ev.default_vertex(x)
                } else {
                    x
                };
                self.vertex(x)
            }
            Data::Null => self.out.literal(LitKind::Null, "null"),
            Data::Bool(true) => self.out.literal(LitKind::True, "true"),
            Data::Bool(false) => self.out.literal(LitKind::False, "false"),
            Data::Int(_) | Data::Num(_) | Data::Str(_) | Data::Bytes(_) => {
                if let Some((kind, text)) = owner.and_then(|o| self.ev.basic_literal(o)) {
                    return self.out.literal(kind, &text);
                }
                self.scalar(v)
            }
            Data::Kind(k) => {
                let text = if k == Kind::TOP {
                    "_".to_owned()
                } else {
                    k.to_string()
                };
                self.ident(&text)
            }
            Data::Bound(b) => {
                let bound = self.ev.bound(b);
                let value = self.value(bound.value, None);
                self.out.unary(bound.op, value)
            }
            Data::Conj(c) => {
                let parts = self.ev.conjunction(c).to_vec();
                self.conjunction(&parts)
            }
            Data::Disj(d) => {
                let d = self.ev.disjunction(d).clone();
                self.disjunction(&d)
            }
            Data::Func(f) => {
                let f = self.ev.func(f);
                self.function(f.package, f.name)
            }
            Data::Validator(id) => {
                let validator = self.ev.validator(id).clone();
                let f = self.ev.func(validator.func);
                let fun = self.function(f.package, f.name);
                let args: Vec<ExprId> = validator
                    .args
                    .iter()
                    .map(|a| self.value(*a, None))
                    .collect();
                self.out.call(fun, &args)
            }
            Data::Err(e) => self.bottom(e),
            Data::Unset | Data::Struct | Data::List(_) => self.ident("_"),
        }
    }

    /// A value as a vertex of its own.
    fn bare(&mut self, v: Val) -> ExprId {
        match v.data {
            Data::Vertex(x) => self.vertex(x),
            _ => {
                self.push(VId::default(), 1);
                let x = self.value(v, None);
                self.pop();
                x
            }
        }
    }

    pub(super) fn scalar(&mut self, v: Val) -> ExprId {
        if let Some(number) = self.ev.number(v) {
            if !number.value.is_finite() {
                // no literal of the language: only a trailing point is completed
                let mut text = number.token();
                if text.ends_with('.') {
                    text.push('0');
                }
                return self.out.literal(LitKind::Int, &text);
            }
            let token = number.token();
            // an int with an exponent is written like a float
            let int = number.is_int() && !token.contains('E');
            return self
                .out
                .literal(if int { LitKind::Int } else { LitKind::Float }, &token);
        }
        let indent = |p: &Self| "\t".repeat(p.stack.len());
        if let Some(bytes) = self.ev.bytes_of(v) {
            let text = if bytes.contains(&b'\n') {
                quote_multi(bytes, Form::Bytes, &indent(self))
            } else {
                quote_bytes(bytes)
            };
            return self.out.literal(LitKind::Bytes, &text);
        }
        let content = self.ev.str(v).unwrap_or_default();
        if content.contains('\n') {
            let text = quote_multi(content.as_bytes(), Form::String, &indent(self));
            return self.out.literal(LitKind::String, &text);
        }
        self.out.string(content)
    }

    pub(super) fn ident(&mut self, name: &str) -> ExprId {
        self.out.ident(&mut self.ev.names, name)
    }

    /// A label before a colon, one for all fields that have it if it needs no quotes.
    fn shared_label(&mut self, l: Label) -> ExprId {
        if let Some(x) = self.bare_labels.get(l) {
            return x;
        }
        let x = self.label(l);
        if matches!(self.out.tree.expr(x), tree::Expr::Ident(_)) {
            self.bare_labels.insert(l, x);
        }
        x
    }

    /// The text of a label. Hidden names of packages that are written in place are told apart by
    /// their packages.
    pub(super) fn name_of(&self, l: Label) -> String {
        let name = label::text(&self.ev.names, l);
        if !self.profile.inline || !l.is_hidden() {
            return name;
        }
        match self.ev.names.get(l.name()).split_once('\0') {
            Some((_, package)) => {
                if matches!(package, "" | "_") || package == self.profile.package {
                    return name;
                }
                let hash = Md5::digest(super::pivot::bare_path(package).as_bytes());
                let hash: String = hash[..4].iter().map(|b| format!("{b:02X}")).collect();
                format!("{name}_{hash}")
            }
            None => name,
        }
    }

    /// A label as it stands before a colon or after a point.
    pub(super) fn label(&mut self, l: Label) -> ExprId {
        if matches!(l.kind(), LabelKind::String | LabelKind::Definition) {
            let name = self.ev.names.get(l.name());
            let bare = !l.is_string()
                || !name.is_empty() && !name.starts_with(['#', '_']) && is_identifier(name);
            if bare {
                return self.out.expr(tree::Expr::Ident(l.name()));
            }
            return self.out.string(name);
        }
        let name = self.name_of(l);
        match l.kind() {
            LabelKind::Int => self.out.literal(LitKind::Int, &name),
            _ => self.ident(&name),
        }
    }

    fn function(&mut self, package: &str, name: &str) -> ExprId {
        if package.is_empty() {
            let x = self.ident(name);
            self.predeclared.push(x);
            return x;
        }
        let short = package.rsplit('/').next().unwrap_or(package).to_owned();
        let x = self.ident(&short);
        self.import(x, (None, package.to_owned()));
        let sel = self.ident(name);
        self.out.expr(tree::Expr::Selector(x, sel))
    }

    pub(super) fn bottom(&mut self, e: ErrId) -> ExprId {
        let x = self.out.expr(tree::Expr::Bottom);
        let text = comment_text(self.ev, e);
        if !text.is_empty() {
            let line = format!("// {text}");
            self.out
                .comment(NodeId::Expr(x), &[line], Rel::Blank, line_group());
        }
        x
    }

    fn disjunction(&mut self, d: &Disjunction) -> ExprId {
        let (count, defaults) = match d.defaults {
            0 => (d.values.len(), 0),
            n if self.profile.take_defaults => (n, 0),
            n => (d.values.len(), n),
        };
        let mut operands = Vec::with_capacity(count);
        for (i, v) in d.values[..count].iter().enumerate() {
            self.mark_disjunct(*v);
            let x = self.bare(*v);
            operands.push(if i < defaults {
                self.out.unary(Op::Multiply, x)
            } else {
                x
            });
        }
        match self.out.chain(Op::Or, &operands) {
            Some(x) => x,
            None => self.ident("_"),
        }
    }

    fn conjunction(&mut self, parts: &[Val]) -> ExprId {
        match parts {
            [] => return self.ident("_"),
            [one] => return self.value_expr(*one),
            _ => {}
        }
        if let Some(name) = self.ev.range_name(parts) {
            return self.ident(name);
        }
        let mut bounds = Simplified::default();
        let mut rest: Vec<Val> = parts
            .iter()
            .copied()
            .filter(|p| !bounds.take(self.ev, *p))
            .collect();
        let mut operands = Vec::new();
        match bounds.finish(self) {
            Some(mut simplified) => operands.append(&mut simplified),
            None => rest = parts.to_vec(),
        }
        let mut rest: Vec<Part> = rest.into_iter().map(Part::of_value).collect();
        sort_parts(self.ev, &mut rest);
        for part in rest {
            if let Part::Value(v) = part {
                operands.push(self.bare(v));
            }
        }
        match self.out.chain(Op::And, &operands) {
            Some(x) => x,
            None => self.ident("_"),
        }
    }

    fn value_expr(&mut self, v: Val) -> ExprId {
        match v.data {
            Data::Vertex(x) => self.merged_vertex(x),
            _ => self.value(v, None),
        }
    }
}

/// The tightest bounds of a conjunction.
#[derive(Default)]
struct Simplified {
    int: bool,
    low: Option<(Op, Val, Number)>,
    high: Option<(Op, Val, Number)>,
}

impl Simplified {
    /// Whether the part goes into the bounds.
    fn take(&mut self, ev: &Evaluator, v: Val) -> bool {
        if let Data::Kind(k) = v.data {
            // only the scalar kinds count, so a union of them is none
            let int = k == Kind::INT;
            self.int |= int;
            return int;
        }
        let Some((bound, number)) = number_bound(ev, v) else {
            return false;
        };
        let tighter = |old: &Option<(Op, Val, Number)>, wanted: &[Ordering]| {
            old.as_ref()
                .is_none_or(|(_, _, n)| wanted.contains(&n.value.order(&number.value)))
        };
        let new = Some((bound.op, v, number.clone()));
        match bound.op {
            Op::Greater if tighter(&self.low, &[Ordering::Less, Ordering::Equal]) => self.low = new,
            Op::GreaterEqual if tighter(&self.low, &[Ordering::Less]) => self.low = new,
            Op::Less if tighter(&self.high, &[Ordering::Greater, Ordering::Equal]) => {
                self.high = new;
            }
            Op::LessEqual if tighter(&self.high, &[Ordering::Greater]) => self.high = new,
            Op::Greater | Op::GreaterEqual | Op::Less | Op::LessEqual => {}
            _ => return false,
        }
        true
    }

    /// The type and both bounds; nothing unless both are there.
    fn finish(self, p: &mut Printer<'_>) -> Option<Vec<ExprId>> {
        let (low, high) = (self.low?, self.high?);
        let mut out = Vec::new();
        let mut show_low = true;
        if self.int {
            let sign = low.2.value.sign();
            out.push(p.ident(if sign < 0 { "int" } else { "uint" }));
            show_low = !(sign == 0 && low.0 == Op::GreaterEqual);
        }
        if show_low {
            out.push(p.value(low.1, None));
        }
        out.push(p.value(high.1, None));
        Some(out)
    }
}

impl Evaluator {
    /// The literal that a vertex consists of, as written; only where a conjunct is the literal
    /// itself and no field around it, as in list elements.
    pub(super) fn basic_literal(&self, v: VId) -> Option<(LitKind, String)> {
        let conjuncts = self.vx(v).conjuncts.iter();
        conjuncts.into_iter().find_map(|c| match c.item {
            Item::Expr(x) => match self.program.expr(x) {
                // an element that a function handed on
                Expr::Val(Val {
                    data: Data::Vertex(inner),
                    ..
                }) if inner != v => self.basic_literal(inner),
                _ => self.literal_of(&c.item),
            },
            _ => None,
        })
    }

    /// The literal that a conjunct is, as written.
    pub(super) fn literal_of(&self, item: &Item) -> Option<(LitKind, String)> {
        let Item::Expr(x) = *item else {
            return None;
        };
        if !matches!(self.program.expr(x), Expr::Val(_)) {
            return None;
        }
        let (source, node) = self.program.origin(x)?;
        match source.tree.expr(node) {
            tree::Expr::Literal(kind, text) if kind != LitKind::Piece => {
                Some((kind, source.tree.text(text).to_owned()))
            }
            _ => None,
        }
    }
}
