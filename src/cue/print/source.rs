//! Unevaluated expressions to syntax.

mod interpolation;

use super::order_of_conjuncts::{Part, sort_parts};
use super::printer::{LetState, Member, Printer};
use crate::eval::kind::ArcType;
use crate::eval::label::{self, Label};
use crate::eval::program::{CId, Clause, Comprehension, DId, Decl, Elem, Expr, Op, SId, XId};
use crate::eval::value::Data;
use crate::eval::vertex::{EnvId, VId};
use crate::syntax::literal::is_identifier;
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{
    self, Constraint, Decl as TreeDecl, DeclId, ElseKind, ExprId, Ident, NodeId,
};
use smallvec::{SmallVec, smallvec};

impl Printer<'_> {
    /// Notes the lets that literals of an expression declare, so that references may use them.
    pub(super) fn mark_lets(&mut self, x: XId) {
        let mut work: SmallVec<[XId; 8]> = smallvec![x];
        while let Some(x) = work.pop() {
            match self.ev.program.expr(x) {
                Expr::Struct(s) => {
                    let lit = self.ev.program.struct_lit(s);
                    if !lit.embeds && !lit.names {
                        continue;
                    }
                    for i in lit.decls.range() {
                        match self.ev.program.decl(self.ev.program.decl_lists[i]) {
                            Decl::Let { label, value, .. } => {
                                let i = self.lets.len();
                                self.lets.push(LetState {
                                    value,
                                    printed: None,
                                });
                                self.current_lets.insert(label, i);
                                self.add(Member::Let(i));
                            }
                            Decl::Embed(x) => work.push(x),
                            Decl::Field { label, .. } => {
                                if let Some((alias, _)) =
                                    self.ev.label_alias(self.ev.program.decl_lists[i])
                                {
                                    self.aliases.insert((alias, label));
                                }
                            }
                            _ => {}
                        }
                    }
                }
                Expr::Binary(_, a, b) => work.extend([b, a]),
                Expr::Unary(_, a) | Expr::Open(a) | Expr::Bound(_, a) => work.push(a),
                Expr::Selector { x, .. } => work.push(x),
                Expr::Index { x, index, .. } => work.extend([index, x]),
                Expr::Call(f, run) => {
                    work.extend(self.ev.program.arg_list(run).iter().rev().copied());
                    work.push(f);
                }
                Expr::Interpolation(_, run) => {
                    work.extend(self.ev.program.arg_list(run).iter().rev().copied());
                }
                Expr::List(run) => {
                    let list = self.ev.program.elem_list(run).iter().rev();
                    work.extend(list.filter_map(|e| match e {
                        Elem::Expr(x) | Elem::Ellipsis(x, _) => x.is_some().then_some(*x),
                        Elem::Comprehension(_) => None,
                    }));
                }
                Expr::Disjunction(run, _) => {
                    work.extend(
                        self.ev
                            .program
                            .disjunct_list(run)
                            .iter()
                            .rev()
                            .map(|(x, _)| *x),
                    );
                }
                _ => {}
            }
        }
    }

    pub(super) fn part(&mut self, part: &Part) -> ExprId {
        match *part {
            Part::Value(v) => match v.data {
                Data::Vertex(x) => self.merged_vertex(x),
                _ => self.value(v, None),
            },
            Part::Expr(x, env, _) => self.expr(env, x),
        }
    }

    /// An operand: values are not written out in its place.
    pub(super) fn inner(&mut self, env: EnvId, x: XId) -> ExprId {
        self.in_expression += 1;
        let out = self.expr(env, x);
        self.in_expression -= 1;
        out
    }

    pub(super) fn expr(&mut self, env: EnvId, x: XId) -> ExprId {
        if self.has_no_room(self.node()) {
            return self.ident("_");
        }
        self.nested(|p| p.expr_inner(env, x))
    }

    fn expr_inner(&mut self, env: EnvId, x: XId) -> ExprId {
        match self.ev.program.expr(x) {
            Expr::Val(v) => match v.data {
                Data::Vertex(x) => self.merged_vertex(x),
                _ => self.value(v, None),
            },
            Expr::Struct(_) => self.merged_literal(env, x),
            _ => self.adt(env, x),
        }
    }

    /// An expression as it is written, struct literals too.
    pub(super) fn adt(&mut self, env: EnvId, x: XId) -> ExprId {
        match self.ev.program.expr(x) {
            Expr::Val(_) => self.expr(env, x),
            Expr::Struct(s) => self.literal_as_is(env, s),
            Expr::List(run) => {
                let node = self.node();
                let env = self.ev.new_env(env, node);
                let elements = self.ev.program.elem_list(run).to_vec();
                let items: Vec<ExprId> = elements.into_iter().map(|e| self.elem(env, e)).collect();
                self.out.list(&items)
            }
            Expr::Bound(op, y) | Expr::Unary(op, y) => {
                let y = self.inner(env, y);
                self.out.unary(op, y)
            }
            Expr::Open(y) => {
                let y = self.inner(env, y);
                self.out.expr(tree::Expr::Open(y, Pos::NONE))
            }
            Expr::Binary(op @ (Op::And | Op::Or), ..) => self.sorted_chain(env, op, x),
            Expr::Binary(..) => self.operators(env, x),
            Expr::Interpolation(bytes, run) => self.interpolation(env, bytes, run),
            Expr::Slice(y, low, high) => {
                let lo = low.is_some().then(|| self.inner(env, low));
                let hi = high.is_some().then(|| self.inner(env, high));
                let x = self.inner(env, y);
                let ends = self.out.tree.push_ends([lo, hi]);
                self.out.expr(tree::Expr::Slice {
                    x,
                    ends,
                    rbrack: Pos::NONE,
                })
            }
            Expr::Call(fun, run) => {
                let fun = self.inner(env, fun);
                let list = self.ev.program.arg_list(run).to_vec();
                let args: Vec<ExprId> = list.into_iter().map(|a| self.inner(env, a)).collect();
                self.out.call(fun, &args)
            }
            Expr::Disjunction(run, _) => {
                let mut operands = Vec::new();
                for (x, marked) in self.ev.program.disjunct_list(run).to_vec() {
                    let x = self.expr(env, x);
                    operands.push(if marked {
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
            _ => self.reference(env, x),
        }
    }

    /// A chain of arithmetic or comparison; its left spine is walked in a loop, as it may be long.
    fn operators(&mut self, env: EnvId, x: XId) -> ExprId {
        let mut spine = Vec::new();
        let mut left = x;
        while let Expr::Binary(op, a, b) = self.ev.program.expr(left) {
            if matches!(op, Op::And | Op::Or) {
                break;
            }
            spine.push((op, b));
            left = a;
        }
        let mut out = self.inner(env, left);
        for (op, right) in spine.into_iter().rev() {
            let right = self.inner(env, right);
            out = self.out.binary(op, out, right);
        }
        out
    }

    fn sorted_chain(&mut self, env: EnvId, op: Op, x: XId) -> ExprId {
        let mut parts = Vec::new();
        let mut work = vec![x];
        while let Some(x) = work.pop() {
            match self.ev.program.expr(x) {
                Expr::Binary(o, a, b) if o == op => work.extend([b, a]),
                Expr::Val(v) if !matches!(v.data, Data::Conj(_)) => {
                    parts.push(Part::Value(v));
                }
                _ => parts.push(Part::Expr(x, env, None)),
            }
        }
        sort_parts(self.ev, &mut parts);
        let mut operands = Vec::new();
        for part in parts {
            if !part.is_top(self.ev) {
                self.in_expression += 1;
                operands.push(self.part(&part));
                self.in_expression -= 1;
            }
        }
        match self.out.chain(op, &operands) {
            Some(x) => x,
            None => self.ident("_"),
        }
    }

    /// A literal as it is written: fields are not pooled with those of others.
    fn literal_as_is(&mut self, env: EnvId, s: SId) -> ExprId {
        let node = self.node();
        let env = self.ev.new_env(env, node);
        let mut decls = Vec::new();
        for d in self.ev.program.struct_decls(s).to_vec() {
            let Some(decl) = self.decl(env, d) else {
                continue;
            };
            let node = match self.out.tree.decl(decl) {
                TreeDecl::Embed(x) => Some(NodeId::Expr(x)),
                TreeDecl::Comprehension(_) => None,
                _ => Some(NodeId::Decl(decl)),
            };
            if self.profile.docs
                && let Some(node) = node
            {
                let docs = self.ev.own_docs(d);
                self.put_docs(docs, node);
            }
            decls.push(decl);
        }
        self.out.structure(&decls)
    }

    fn attributes_of(&mut self, d: DId) -> tree::Attrs {
        let texts = self.ev.attributes_of_decl(d);
        self.out.attrs(&texts)
    }

    /// A declaration; none for lets, which stand where something refers to them.
    pub(super) fn decl(&mut self, env: EnvId, d: DId) -> Option<DeclId> {
        Some(match self.ev.program.decl(d) {
            Decl::Embed(x) => {
                let x = self.expr(env, x);
                self.out.embed(x)
            }
            Decl::Ellipsis => self.out.decl(TreeDecl::Ellipsis { pos: Pos::NONE }),
            Decl::Comprehension(c) => {
                let x = self.comprehension(env, c);
                self.out.decl(TreeDecl::Comprehension(x))
            }
            Decl::Let { .. } => return None,
            Decl::Field { label, arc, value } => {
                let name = self.written_label(label, d);
                let is_literal = matches!(self.ev.program.expr(value), Expr::Struct(_));
                let value = match is_literal {
                    true => self.merged_field(env, value, label),
                    false => self.expr(env, value),
                };
                if is_literal {
                    self.link_member(label, value);
                }
                let value = self.with_value_alias(d, value);
                let attrs = self.attributes_of(d);
                let field = self.out.field(name, constraint(arc), value, attrs);
                if let Some(frame) = self.top() {
                    frame.fields.push((label, field));
                }
                field
            }
            Decl::Pattern {
                filter,
                value,
                label,
            } => {
                let mut filter = self.inner(env, filter);
                let outside = self.names.aliases.len();
                if label != Label::NONE {
                    let written = label::text(&self.ev.names, label);
                    let name = self.unique(&written);
                    filter = self.out.alias(&mut self.ev.names, &name, filter);
                    self.names.aliases.push((written, name));
                }
                let name = self.out.list(&[filter]);
                let field = self.valued(env, name, ArcType::Member, value, d);
                self.names.aliases.truncate(outside);
                field
            }
            Decl::Dynamic {
                key, arc, value, ..
            } => {
                let name = self.key(env, key);
                self.valued(env, name, arc, value, d)
            }
        })
    }

    /// A value with the alias it was declared with.
    fn with_value_alias(&mut self, d: DId, value: ExprId) -> ExprId {
        match self.ev.value_alias(d) {
            Some(alias) => self.out.alias(&mut self.ev.names, &alias, value),
            None => value,
        }
    }

    /// A label with the alias it was declared with.
    fn written_label(&mut self, label: Label, d: DId) -> ExprId {
        match self.ev.label_alias(d) {
            None => self.label(label),
            Some((alias, text)) => {
                let x = match text {
                    Some((kind, text)) => self.out.literal(kind, &text),
                    None => self.label(label),
                };
                self.out.alias(&mut self.ev.names, &alias, x)
            }
        }
    }

    /// A pattern constraint or computed field, which its value may refer to.
    fn valued(&mut self, env: EnvId, name: ExprId, arc: ArcType, value: XId, d: DId) -> DeclId {
        let attrs = self.attributes_of(d);
        let placeholder = self.ident("_");
        let field = self.out.field(name, constraint(arc), placeholder, attrs);
        if let Some((alias, _)) = self.ev.label_alias(d)
            && let Some(frame) = self.top()
        {
            frame.dynamic.push((alias, field));
        }
        let before = self.top().and_then(|f| f.pattern.replace(field));
        let value = self.expr(env, value);
        let value = self.with_value_alias(d, value);
        if let Some(frame) = self.top() {
            frame.pattern = before;
        }
        if let TreeDecl::Field(mut f) = self.out.tree.decl(field) {
            f.value = value;
            self.out.tree.decl_nodes[field.0 as usize] = TreeDecl::Field(f);
        }
        field
    }

    /// The label of a computed field: literals and interpolations as they are, others in
    /// parentheses.
    fn key(&mut self, env: EnvId, key: XId) -> ExprId {
        let known = self.ev.evaluate_in(env, key, false);
        let x = match known.data {
            Data::Str(_) => self.scalar(known),
            _ => self.inner(env, key),
        };
        match self.out.tree.expr(x) {
            tree::Expr::Interpolation(_) | tree::Expr::Literal(..) => x,
            _ => self.out.paren(x),
        }
    }

    fn elem(&mut self, env: EnvId, e: Elem) -> ExprId {
        match e {
            Elem::Expr(x) => self.expr(env, x),
            Elem::Comprehension(c) => self.comprehension(env, c),
            Elem::Ellipsis(x, _) => {
                let of = x.is_some().then(|| self.expr(env, x));
                self.out.expr(tree::Expr::Ellipsis(of))
            }
        }
    }

    fn name(&mut self, l: Label) -> Ident {
        let text = label::text(&self.ev.names, l);
        Ident {
            name: self.ev.names.intern(&text),
            pos: Pos::NONE,
        }
    }

    /// What a clause takes its names from, and a frame for the one or two names that it declares.
    /// The reference looks such names up as if they stood behind the clause.
    fn clause_source(&mut self, env: &mut EnvId, source: XId) -> ExprId {
        let empty = self.ev.empty;
        *env = self.ev.new_env(*env, empty);
        let source = self.inner(*env, source);
        self.push(empty, 1);
        source
    }

    fn comprehension(&mut self, env: EnvId, c: CId) -> ExprId {
        let c = self.ev.program.comprehension(c);
        let (outer, depth) = (env, self.stack.len());
        let mut env = env;
        let mut clauses = Vec::new();
        let rels = self.ev.clause_spaces(&c);
        for (i, clause) in self
            .ev
            .program
            .clause_list(c.clauses)
            .to_vec()
            .into_iter()
            .enumerate()
        {
            let pos = Pos::wish(rels.get(i).copied().unwrap_or(Rel::None));
            let named = self.ev.names_key(&c, i);
            clauses.push(self.clause(&mut env, clause, named, pos));
        }
        let mut body = self.expr(env, c.body);
        if !matches!(self.out.tree.expr(body), tree::Expr::Struct { .. }) {
            let embedded = self.out.embed(body);
            body = self.out.structure(&[embedded]);
        }
        while self.stack.len() > depth {
            self.pop();
        }
        let orelse = c.orelse.is_some().then(|| self.expr(outer, c.orelse));
        let orelse = orelse.and_then(|body| {
            // what is no struct is lost
            let is_struct = matches!(self.out.tree.expr(body), tree::Expr::Struct { .. });
            let kind = match clauses.as_slice() {
                [tree::Clause::If { .. } | tree::Clause::Try { .. }] => ElseKind::Else,
                _ => ElseKind::Otherwise,
            };
            is_struct.then(|| self.out.else_part(kind, body)).flatten()
        });
        let place = Pos::wish(rels.first().copied().unwrap_or(Rel::None));
        let clauses = self.out.clauses(clauses);
        let out = self.out.expr_at(
            tree::Expr::Comprehension {
                clauses,
                body,
                orelse,
            },
            place,
        );
        if self.profile.docs {
            self.comprehension_docs(&c, out);
        }
        out
    }

    /// Comments of a comprehension and of its clauses.
    fn comprehension_docs(&mut self, c: &Comprehension, out: ExprId) {
        let tree::Expr::Comprehension { clauses, .. } = self.out.tree.expr(out) else {
            return;
        };
        let clauses: Vec<_> = self.out.tree.clause_list(clauses).map(|c| c.0).collect();
        let (own, of_clauses) = self.ev.comprehension_docs(c);
        self.put_docs(own, NodeId::Expr(out));
        for (clause, docs) in clauses.into_iter().zip(of_clauses) {
            self.put_docs(docs, NodeId::Clause(clause));
        }
    }

    /// A clause; `env` becomes what follows it is evaluated in. `named` tells whether a loop names
    /// its key even if that is `_`.
    fn clause(&mut self, env: &mut EnvId, clause: Clause, named: bool, pos: Pos) -> tree::Clause {
        match clause {
            Clause::For {
                key, value, source, ..
            } => {
                let source = self.clause_source(env, source);
                let key = (key != Label::NONE || named).then(|| self.name(key));
                let value = self.name(value);
                tree::Clause::For {
                    pos,
                    key,
                    value,
                    in_pos: Pos::NONE,
                    source,
                }
            }
            Clause::If { cond, .. } => tree::Clause::If {
                pos,
                cond: self.inner(*env, cond),
            },
            Clause::Let { label, value, .. } => {
                let value = self.clause_source(env, value);
                tree::Clause::Let {
                    pos,
                    name: self.name(label),
                    value,
                }
            }
            Clause::Try { label, value, .. } => {
                let binding = if value.is_some() {
                    let value = self.clause_source(env, value);
                    Some((self.name(label), value))
                } else {
                    None
                };
                tree::Clause::Try { pos, binding }
            }
        }
    }

    /// References and what selects from them.
    fn reference(&mut self, env: EnvId, x: XId) -> ExprId {
        if let Some(out) = self.pivoted(env, x) {
            return out;
        }
        match self.ev.program.expr(x) {
            Expr::Field {
                up,
                label,
                optional,
            } => {
                let name = self.field_name(x, up, label);
                let out = self.ident(&name);
                // An alias leads to the field that has it.
                if name == self.name_of(label) {
                    self.link_name(env, up, label, out);
                }
                self.optional(out, optional)
            }
            Expr::ValueRef { label, .. } => {
                let name = self.printed_alias(label::text(&self.ev.names, label));
                self.ident(&name)
            }
            Expr::LabelRef { up, label } => self.label_reference(env, up, label),
            Expr::DynamicRef { name, .. } => {
                let name = label::text(&self.ev.names, name);
                self.alias_dynamic(&name);
                self.ident(&name)
            }
            Expr::Let { label, .. } => self.let_reference(env, label),
            Expr::Import(i, label) => {
                let path = self.ev.program.imports[i as usize].path.clone();
                let implied = implied_name(&path);
                let name = self.name_of_import(i, label);
                let entry = ((name != implied).then(|| name.clone()), path);
                let out = self.ident(&name);
                self.import(out, entry);
                out
            }
            Expr::Selector {
                x, sel, optional, ..
            } => {
                let x = self.inner(env, x);
                let sel = self.label(sel);
                let out = self.out.expr(tree::Expr::Selector(x, sel));
                self.optional(out, optional)
            }
            Expr::Index { x, index, optional } => {
                let x = self.inner(env, x);
                let index = self.inner(env, index);
                let out = self.out.index(x, index);
                self.optional(out, optional)
            }
            _ => self.ident("_"),
        }
    }

    /// The name that a package is imported by.
    pub(super) fn name_of_import(&self, i: u32, label: Label) -> String {
        if label == Label::NONE {
            implied_name(&self.ev.program.imports[i as usize].path)
        } else {
            label::text(&self.ev.names, label)
        }
    }

    /// Gives a computed field the alias that something refers to it by.
    fn alias_dynamic(&mut self, name: &str) {
        let frames = self.stack.iter();
        let found = frames.flat_map(|f| &f.dynamic).rfind(|(n, _)| n == name);
        if let Some((_, field)) = found.cloned() {
            self.out.alias_label(&mut self.ev.names, field, name);
        }
    }

    fn optional(&mut self, x: ExprId, optional: bool) -> ExprId {
        if optional {
            self.out.expr(tree::Expr::Optional(x, Pos::NONE))
        } else {
            x
        }
    }

    /// The name of a field that is referred to; an alias where the label is no identifier.
    fn field_name(&mut self, x: XId, up: u32, label: Label) -> String {
        let name = self.name_of(label);
        if let Some(written) = self.ev.written_name(x)
            && written != name
            && self.aliases.contains(&(written.clone(), label))
        {
            return written;
        }
        let frame = self.frame_at(up);
        if let Some(i) = frame
            && let Some((_, alias)) = self.stack[i].aliases.iter().find(|(l, _)| *l == label)
        {
            return alias.clone();
        }
        if is_identifier(&name) {
            return name;
        }
        let written = self.ev.written_name(x).unwrap_or_else(|| "X".to_owned());
        let alias = self.unique(&written);
        if let Some(i) = frame {
            self.stack[i].aliases.push((label, alias.clone()));
        }
        alias
    }

    fn let_reference(&mut self, env: EnvId, label: Label) -> ExprId {
        let Some(i) = self.current_lets.get(&label).copied() else {
            return self.let_value(env, label);
        };
        let name = match self.lets[i].printed.clone() {
            Some((name, _)) => name,
            None => {
                let name = self.unique_let(label);
                let placeholder = self.ident("_");
                self.lets[i].printed = Some((name.clone(), placeholder));
                let value = self.expr(env, self.lets[i].value);
                self.lets[i].printed = Some((name.clone(), value));
                name
            }
        };
        self.ident(&name)
    }

    /// The value of a let that no printed literal declares.
    fn let_value(&mut self, env: EnvId, label: Label) -> ExprId {
        let mut frame = env;
        while frame.is_some() {
            let owner = self.ev.envs[frame.i()].vertex;
            if let Some(arc) = self.ev.arc_raw(owner, label)
                && let Some(c) = self.ev.vx(arc).conjuncts.first().copied()
            {
                let x = self.ev.conjunct_expr(&c);
                return self.expr(c.env, x);
            }
            frame = self.ev.envs[frame.i()].up;
        }
        let name = label::text(&self.ev.names, label);
        self.ident(&name)
    }
}

/// The mark of a field.
pub(super) fn constraint(arc: ArcType) -> Constraint {
    match arc {
        ArcType::Required => Constraint::Required,
        ArcType::Optional => Constraint::Optional,
        _ => Constraint::None,
    }
}

/// The name that an import path gives its package.
fn implied_name(path: &str) -> String {
    let (path, qualifier) = match path.rsplit_once(':') {
        Some((path, name)) => (path, Some(name)),
        None => (path, None),
    };
    if let Some(name) = qualifier {
        return name.to_owned();
    }
    let path = path.split('@').next().unwrap_or(path);
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// Whether a vertex is one of the evaluator's own, without a place.
pub(super) fn is_nothing(v: VId) -> bool {
    v == VId::default()
}
