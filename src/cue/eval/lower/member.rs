//! Members of structs and files.

use super::scope::{Frame, Step, Target};
use super::{Lowerer, label};
use crate::eval::kind::ArcType;
use crate::eval::label::Label;
use crate::eval::program::{DId, Decl, Expr, Op, XId};
use crate::syntax::source::Pos;
use crate::syntax::tree::{self, Constraint, DeclId, ExprId, Field};

impl Lowerer<'_> {
    /// The label of a field without its alias, and the alias.
    fn split_label(&self, x: ExprId) -> (ExprId, Option<tree::Alias>) {
        match self.tree.expr(x) {
            tree::Expr::Alias(a) => (a.expr, Some(a)),
            _ => (x, None),
        }
    }

    /// Binds the names that a member declares in its struct. Whether any is an alias or a let.
    pub(super) fn declare(&mut self, d: DeclId) -> bool {
        match self.tree.decl(d) {
            tree::Decl::Field(f) => {
                let (label, alias) = self.split_label(f.label);
                let pattern = matches!(self.tree.expr(label), tree::Expr::List { .. });
                if let Some(a) = alias
                    && !pattern
                {
                    self.bind(a.name, Target::Alias(d));
                }
                if let Some(a) = self.tree.extra(&f).alias
                    && !pattern
                {
                    if let Some(l) = a.label
                        && !self.is_blank(l.name)
                    {
                        self.bind(l.name, Target::FieldLabel(d));
                    }
                    if !self.is_blank(a.field.name) {
                        self.bind(a.field.name, Target::Alias(d));
                    }
                }
                if let tree::Expr::Ident(name) = self.tree.expr(label) {
                    self.bind(name, Target::Field);
                }
                alias.is_some() || self.tree.extra(&f).alias.is_some()
            }
            tree::Decl::Let { name, .. } => {
                self.bind(name.name, Target::Let);
                true
            }
            tree::Decl::Embed(x) => matches!(self.tree.expr(x), tree::Expr::Alias(_)),
            _ => false,
        }
    }

    /// Notes the aliases and lets of a struct, to find those that nothing uses.
    pub(super) fn mark_alias(&mut self, d: DeclId) {
        match self.tree.decl(d) {
            tree::Decl::Field(f) => {
                let (_, alias) = self.split_label(f.label);
                if let Some(a) = alias {
                    let pos = self.tree.pos(f.label);
                    self.add_alias(a.name, pos, pos, None, Label::NONE);
                }
                if let Some(a) = self.tree.extra(&f).alias
                    && !self.is_blank(a.field.name)
                {
                    self.add_alias(a.field.name, a.tilde, a.field.pos, None, Label::NONE);
                }
            }
            tree::Decl::Let {
                let_pos,
                name,
                value,
                ..
            } => {
                self.e.let_count += 1;
                let number = self.e.let_count;
                let label = label::unique_let(&mut self.e.names, name.name, number);
                self.add_alias(name.name, let_pos, name.pos, Some(value), label);
            }
            tree::Decl::Embed(x) if matches!(self.tree.expr(x), tree::Expr::Alias(_)) => {
                let pos = self.tree.pos(x);
                let text =
                    "old-style alias no longer supported: use let clause; use cue fix to update.";
                self.fail(pos, text, vec![]);
            }
            _ => {}
        }
    }

    /// Lowers the label of an aliased dynamic field, which references to the alias repeat.
    pub(super) fn dynamic_alias(&mut self, d: DeclId) {
        let tree::Decl::Field(f) = self.tree.decl(d) else {
            return;
        };
        let (label, alias) = self.split_label(f.label);
        let name = match (alias, self.tree.extra(&f).alias) {
            (Some(a), _) => a.name,
            (None, Some(a)) if !self.is_blank(a.field.name) => a.field.name,
            _ => return,
        };
        let inner = match self.tree.expr(label) {
            tree::Expr::Paren(x, _) => x,
            tree::Expr::Interpolation(_) => label,
            _ => return,
        };
        let x = self.expr(inner);
        if let Some(a) = self.stack.last_mut().and_then(|f| f.aliases.get_mut(&name)) {
            a.lowered = x;
        }
    }

    pub(super) fn label_text(&self, x: ExprId) -> String {
        match self.tree.expr(x) {
            tree::Expr::Ident(name) => self.e.names.get(name).to_owned(),
            tree::Expr::Literal(_, t) => {
                let text = self.tree.text(t);
                match crate::syntax::literal::unquote_string(text) {
                    Ok(s) if crate::syntax::literal::quote_label(&s) == s => s,
                    _ => text.to_owned(),
                }
            }
            tree::Expr::List { .. } => "[]".into(),
            tree::Expr::Interpolation(_) => "?".into(),
            _ => "<unknown>".into(),
        }
    }

    /// Lowers an expression as the value of a field.
    fn labelled(&mut self, d: DeclId, label: ExprId, x: ExprId) -> XId {
        let Some(top) = self.stack.last_mut() else {
            return XId::NONE;
        };
        let label = top.label.replace(Step::Label(label));
        let saved = (label, top.field.replace(d));
        let out = self.expr(x);
        if let Some(top) = self.stack.last_mut() {
            (top.label, top.field) = saved;
        }
        out
    }

    fn add_decl(&mut self, decl: Decl, pos: Pos, d: DeclId) -> DId {
        let origin = Some((self.index, d));
        self.e.program.add_decl(decl, pos, origin)
    }

    /// Lowers a member; true if it embeds something.
    pub(super) fn member(&mut self, d: DeclId) -> Option<(DId, bool)> {
        let pos = self.tree.decl_pos(d);
        match self.tree.decl(d) {
            tree::Decl::Field(f) => self.field(d, f).map(|d| (d, false)),
            tree::Decl::Let { name, value, .. } => {
                let k = self.stack.len() - 1;
                let a = self.stack[k].aliases.get(&name.name)?;
                let (label, cached) = (a.label, a.lowered);
                let value = if cached.is_some() {
                    cached
                } else {
                    self.lower_let(k, name.name, value)
                };
                let multi = self.stack[k]
                    .aliases
                    .get(&name.name)
                    .is_some_and(|a| a.uses_loop);
                Some((
                    self.add_decl(
                        Decl::Let {
                            label,
                            multi,
                            value,
                        },
                        pos,
                        d,
                    ),
                    false,
                ))
            }
            tree::Decl::Embed(x) => {
                if matches!(self.tree.expr(x), tree::Expr::Alias(_)) {
                    return None;
                }
                let x = self.expr(x);
                Some((self.add_decl(Decl::Embed(x), pos, d), true))
            }
            tree::Decl::Comprehension(x) => {
                let c = self.comprehension(x, false)?;
                Some((self.add_decl(Decl::Comprehension(c), pos, d), true))
            }
            tree::Decl::Attribute(_) => {
                let v = *self.inject.get(&d)?.first()?;
                let x = self.e.program.add_made(Expr::Val(v), v.pos);
                Some((self.add_decl(Decl::Embed(x), pos, d), true))
            }
            tree::Decl::Ellipsis { .. } => Some((self.add_decl(Decl::Ellipsis, pos, d), false)),
            tree::Decl::Bad { .. } | tree::Decl::Package { .. } | tree::Decl::Import(_) => None,
        }
    }

    fn field(&mut self, d: DeclId, f: Field) -> Option<DId> {
        let pos = self.tree.decl_pos(d);
        let (label, alias) = self.split_label(f.label);
        let extra = self.tree.extra(&f);
        let arc = match f.constraint {
            Constraint::None => ArcType::Member,
            Constraint::Optional => ArcType::Optional,
            Constraint::Required => ArcType::Required,
        };
        let pattern = match self.tree.expr(label) {
            tree::Expr::List { items, .. } => Some(*self.tree.list(items).first()?),
            _ => None,
        };
        if pattern.is_some() {
            self.stack
                .push(self.pattern_scope(d, alias, extra.alias, pattern));
        }
        // The value is lowered in the frame of the struct; the names of a pattern are above it.
        let value = self.field_value(d, label, f.value, pattern.is_some());
        let value = self.injected(d, value);
        let filter = pattern.map(|p| {
            let p = match self.tree.expr(p) {
                tree::Expr::Alias(a) => a.expr,
                _ => p,
            };
            self.expr(p)
        });
        if pattern.is_some() {
            self.stack.pop();
        }
        let decl = match (self.tree.expr(label), filter) {
            (_, Some(filter)) => {
                let label = self.pattern_label(pattern, extra.alias);
                Decl::Pattern {
                    filter,
                    value,
                    label,
                }
            }
            (computed @ (tree::Expr::Paren(..) | tree::Expr::Interpolation(_)), _) => {
                let key = match computed {
                    tree::Expr::Paren(key, _) => key,
                    _ => label,
                };
                let key = self.expr(key);
                let named = extra.alias.is_some_and(|a| a.label.is_some());
                Decl::Dynamic {
                    key,
                    arc,
                    value,
                    named,
                }
            }
            // A number with an alias is read, but is no field.
            (tree::Expr::Literal(tree::LitKind::Int | tree::LitKind::Float, _), _)
                if alias.is_some() =>
            {
                return None;
            }
            _ => {
                let label = self.fixed_label(label);
                if label == Label::NONE {
                    self.fail(pos, "cannot use _ as label", vec![]);
                    return None;
                }
                Decl::Field { label, arc, value }
            }
        };
        Some(self.add_decl(decl, pos, d))
    }

    /// The names that the value of a pattern sees.
    fn pattern_scope(
        &self,
        d: DeclId,
        alias: Option<tree::Alias>,
        postfix: Option<tree::PostfixAlias>,
        pattern: Option<ExprId>,
    ) -> Frame {
        let mut frame = Frame::new(0);
        if let Some(a) = alias {
            frame.names.insert(a.name, Target::PatternField(d));
        }
        if let Some(p) = pattern
            && let tree::Expr::Alias(a) = self.tree.expr(p)
        {
            frame.names.insert(a.name, Target::PatternLabel(d));
        }
        if let Some(a) = postfix {
            if let Some(l) = a.label {
                frame.names.insert(l.name, Target::PatternLabel(d));
            }
            frame.names.insert(a.field.name, Target::PatternField(d));
        }
        frame
    }

    fn pattern_label(
        &mut self,
        pattern: Option<ExprId>,
        postfix: Option<tree::PostfixAlias>,
    ) -> Label {
        let name = match pattern.map(|p| self.tree.expr(p)) {
            Some(tree::Expr::Alias(a)) => Some(a.name),
            _ => postfix.and_then(|a| a.label).map(|l| l.name),
        };
        let id = self.around.id.clone();
        name.map_or(Label::NONE, |n| {
            label::identifier(&mut self.e.names, n, &id)
        })
    }

    fn field_value(&mut self, d: DeclId, label: ExprId, x: ExprId, in_pattern: bool) -> XId {
        let tree::Expr::Alias(a) = self.tree.expr(x) else {
            return if in_pattern {
                self.below(d, label, x)
            } else {
                self.labelled(d, label, x)
            };
        };
        let mut frame = Frame::new(0);
        frame.names.insert(a.name, Target::Value(d));
        self.stack.push(frame);
        let pos = self.tree.pos(x);
        self.add_alias(a.name, pos, pos, None, Label::NONE);
        let value = self.labelled(d, label, a.expr);
        self.pop();
        value
    }

    /// Lowers the value of a pattern: the frame below the names of the pattern is the field's.
    fn below(&mut self, d: DeclId, label: ExprId, x: ExprId) -> XId {
        let k = self.stack.len() - 2;
        let saved = (
            self.stack[k].label.replace(Step::Label(label)),
            self.stack[k].field.replace(d),
        );
        let out = self.expr(x);
        (self.stack[k].label, self.stack[k].field) = saved;
        out
    }

    /// A value given from outside is unified with the one written.
    fn injected(&mut self, d: DeclId, value: XId) -> XId {
        let mut value = value;
        for v in self.inject.get(&d).cloned().unwrap_or_default() {
            let pos = self.e.program.pos(value);
            let program = &mut self.e.program;
            let given = program.add_made(Expr::Val(v), v.pos);
            value = program.add_made(Expr::Binary(Op::And, value, given), pos);
        }
        value
    }
}
