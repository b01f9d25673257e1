//! Resolving identifiers.

use super::scope::{Alias, Step, Target};
use super::{Lowerer, label};
use crate::eval::error::Arg;
use crate::eval::label::Label;
use crate::eval::program::{Expr, Import, XId};
use crate::eval::value::{Data, Val};
use crate::syntax::binding::import_name;
use crate::syntax::names::Name;
use crate::syntax::source::Pos;
use crate::syntax::tree::{self, DeclId, ExprId, LitKind, SpecId};

impl Lowerer<'_> {
    pub(super) fn declare_imports(&mut self) {
        let specs: Vec<SpecId> = self.tree.imports().map(|(id, _)| id).collect();
        for id in specs {
            if let Some(name) = import_name(&self.tree, &self.e.names, id) {
                let name = self.e.names.intern(&name);
                self.bind(name, Target::Import(id));
            }
        }
    }

    pub(super) fn bind(&mut self, name: Name, target: Target) {
        if let Some(top) = self.stack.last_mut() {
            top.names.entry(name).or_insert(target);
        }
    }

    pub(super) fn is_blank(&self, name: Name) -> bool {
        self.e.names.is_blank(name)
    }

    /// Adds an alias to the frame on top.
    pub(super) fn add_alias(
        &mut self,
        name: Name,
        pos: Pos,
        at: Pos,
        source: Option<ExprId>,
        label: Label,
    ) {
        if self.is_blank(name) {
            self.fail(at, "cannot use _ as alias or let clause", vec![]);
            return;
        }
        let alias = Alias {
            pos,
            used: false,
            label,
            source,
            seen: false,
            lowered: XId::NONE,
            uses_loop: false,
        };
        if let Some(top) = self.stack.last_mut() {
            top.aliases.entry(name).or_insert(alias);
        }
    }

    fn find(&self, name: Name) -> Option<(usize, Target)> {
        if self.is_blank(name) {
            return None;
        }
        for (k, f) in self.stack.iter().enumerate().rev() {
            if let Some(t) = f.names.get(&name)
                && !self.hidden.contains(&(k, name))
            {
                return Some((k, *t));
            }
        }
        None
    }

    /// Frames at evaluation between the current place and frame `k`.
    fn up_to(&self, k: usize) -> u32 {
        self.stack[k + 1..].iter().map(|f| f.up).sum()
    }

    /// Frames between the current place and the frame in which a field is being lowered.
    fn up_to_field(&self, d: DeclId) -> u32 {
        let k = self
            .stack
            .iter()
            .rposition(|f| f.field == Some(d))
            .unwrap_or(0);
        self.up_to(k)
    }

    fn mark_used(&mut self, name: Name) {
        for f in self.stack.iter_mut().rev() {
            if let Some(a) = f.aliases.get_mut(&name) {
                a.used = true;
                return;
            }
        }
    }

    pub(super) fn identifier(&mut self, x: ExprId, name: Name) -> XId {
        let pos = self.tree.pos(x);
        let found = self.find(name);
        if self.is_blank(name) {
            return self.val(Data::Kind(crate::eval::kind::Kind::TOP), x);
        }
        let Some((k, target)) = found else {
            return self.unbound(x, name, pos);
        };
        let id = self.around.id.clone();
        let own = label::identifier(&mut self.e.names, name, &id);
        if self.stack[k].is_loop {
            self.uses_loop = true;
        }
        match target {
            Target::Field | Target::Variable => {
                let up = self.up_to(k);
                self.add(
                    Expr::Field {
                        up,
                        label: own,
                        optional: false,
                    },
                    pos,
                    x,
                )
            }
            Target::Import(spec) => self.import(x, own, spec),
            Target::Let => self.let_reference(x, k, name),
            Target::Alias(d) => self.alias_reference(x, k, name, own, d),
            Target::FieldLabel(d) => self.label_constant(x, d),
            Target::PatternLabel(d) => {
                let up = self.up_to_field(d);
                self.add(Expr::LabelRef { up, label: own }, pos, x)
            }
            Target::PatternField(d) => {
                self.mark_used(name);
                let up = self.up_to_field(d);
                let label = self.add(Expr::LabelRef { up: 0, label: own }, pos, x);
                self.add(
                    Expr::DynamicRef {
                        up,
                        label,
                        name: own,
                    },
                    pos,
                    x,
                )
            }
            Target::Value(d) => {
                self.mark_used(name);
                let up = self.up_to_field(d);
                self.add(Expr::ValueRef { up, label: own }, pos, x)
            }
        }
    }

    fn label_constant(&mut self, x: ExprId, d: DeclId) -> XId {
        let tree::Decl::Field(f) = self.tree.decl(d) else {
            return XId::NONE;
        };
        match self.tree.expr(f.label) {
            tree::Expr::Ident(name) => {
                let text = self.e.names.get(name);
                if text.starts_with('_') || text.starts_with('#') {
                    let pos = self.tree.pos(f.label);
                    return self.fail(
                        pos,
                        "label alias cannot reference definition or hidden field",
                        vec![],
                    );
                }
                self.val(Data::Str(name), x)
            }
            tree::Expr::Literal(..) => self.expr(f.label),
            _ => {
                let up = self.up_to_field(d);
                let id = self.around.id.clone();
                let tree::Expr::Ident(name) = self.tree.expr(x) else {
                    return XId::NONE;
                };
                let label = label::identifier(&mut self.e.names, name, &id);
                let pos = self.tree.pos(x);
                self.add(Expr::LabelRef { up, label }, pos, x)
            }
        }
    }

    fn alias_reference(&mut self, x: ExprId, k: usize, name: Name, own: Label, d: DeclId) -> XId {
        let pos = self.tree.pos(x);
        let lowered = match self.stack[k].aliases.get_mut(&name) {
            Some(a) => {
                a.used = true;
                a.lowered
            }
            None => XId::NONE,
        };
        let up = self.up_to(k);
        let tree::Decl::Field(f) = self.tree.decl(d) else {
            return XId::NONE;
        };
        let label = match self.tree.expr(f.label) {
            tree::Expr::Alias(a) => a.expr,
            _ => f.label,
        };
        match self.tree.expr(label) {
            tree::Expr::Ident(_) | tree::Expr::Literal(..) => {
                let label = self.fixed_label(label);
                self.add(
                    Expr::Field {
                        up,
                        label,
                        optional: false,
                    },
                    pos,
                    x,
                )
            }
            _ if !lowered.is_some() => self.fail(pos, "cyclic reference in field alias", vec![]),
            _ => self.add(
                Expr::DynamicRef {
                    up,
                    label: lowered,
                    name: own,
                },
                pos,
                x,
            ),
        }
    }

    fn let_reference(&mut self, x: ExprId, k: usize, name: Name) -> XId {
        let pos = self.tree.pos(x);
        let Some(a) = self.stack[k].aliases.get_mut(&name) else {
            return XId::NONE;
        };
        a.used = true;
        let (label, source, seen, cached) = (a.label, a.source, a.seen, a.lowered);
        if !seen {
            a.seen = true;
            a.source = None;
            if cached.is_some() {
                self.uses_loop |= self.stack[k].aliases[&name].uses_loop;
            } else if let Some(value) = source {
                self.lower_let(k, name, value);
            }
        } else if source.is_none() && !cached.is_some() {
            return self.fail(pos, "cyclic references in let clause or alias", vec![]);
        }
        let up = self.up_to(k);
        self.add(Expr::Let { up, label }, pos, x)
    }

    /// Lowers the value of a let of frame `k` as if from there.
    pub(super) fn lower_let(&mut self, k: usize, name: Name, value: ExprId) -> XId {
        let above = self.stack.split_off(k + 1);
        let hidden = self.hidden.clone();
        self.hidden.retain(|(f, _)| *f < k);
        self.hidden.push((k, name));
        let saved = std::mem::replace(&mut self.uses_loop, false);
        let (label, field) = (self.stack[k].label.take(), self.stack[k].field.take());
        self.stack[k].label = Some(Step::Words("let[]"));
        let x = self.expr(value);
        self.stack[k].label = label;
        self.stack[k].field = field;
        let uses = self.uses_loop;
        self.uses_loop |= saved;
        self.hidden = hidden;
        self.stack.extend(above);
        if let Some(a) = self.stack[k].aliases.get_mut(&name) {
            a.lowered = x;
            a.uses_loop = uses;
        }
        x
    }

    fn import(&mut self, x: ExprId, name: Label, spec: SpecId) -> XId {
        let pos = self.tree.pos(x);
        let text = self.tree.text(self.tree.spec(spec).path).to_owned();
        let path = crate::syntax::literal::unquote_string(&text).unwrap_or(text);
        let package = self.around.imports.get(&path).copied();
        let first = path.split('/').next().unwrap_or_default();
        if package.is_none() && first.contains('.') {
            let arg = Arg::Text(format!("{path:?}").into());
            self.fail(pos, "import {} not found", vec![arg]);
        }
        self.import_expr(x, pos, name, Import { path, package })
    }

    fn import_expr(&mut self, x: ExprId, pos: Pos, name: Label, import: Import) -> XId {
        let imports = &mut self.e.program.imports;
        let same = |i: &Import| i.path == import.path && i.package == import.package;
        let index = imports.iter().position(same).unwrap_or(imports.len());
        if index == imports.len() {
            imports.push(import);
        }
        self.add(Expr::Import(index as u32, name), pos, x)
    }

    fn unbound(&mut self, x: ExprId, name: Name, pos: Pos) -> XId {
        let id = self.around.id.clone();
        let own = label::identifier(&mut self.e.names, name, &id);
        let up: u32 = self.stack.iter().map(|f| f.up).sum();
        if self.around.fields.contains(&own) {
            return self.add(
                Expr::Field {
                    up,
                    label: own,
                    optional: false,
                },
                pos,
                x,
            );
        }
        let text = self.e.names.get(name).to_owned();
        if let Some(v) = self.around.scope {
            if self.in_scope(v, own) {
                return self.add(
                    Expr::Field {
                        up,
                        label: own,
                        optional: false,
                    },
                    pos,
                    x,
                );
            }
            if let Some(p) = crate::builtin::by_short_name(&text) {
                let import = Import {
                    path: p.path.to_owned(),
                    package: None,
                };
                return self.import_expr(x, pos, own, import);
            }
        }
        if matches!(text.as_str(), "self" | "__self") {
            if !self.tree.experiments.aliasv2 {
                let arg = Arg::Text(format!("{text:?}").into());
                return self.fail(
                    pos,
                    "predeclared identifier {} requires @experiment(aliasv2)",
                    vec![arg],
                );
            }
            return self.add(Expr::ValueRef { up: 1, label: own }, pos, x);
        }
        match self.e.predeclared(&text, pos) {
            Some(v) => {
                if let Some(x) = self.too_new(v, pos) {
                    return x;
                }
                self.add(Expr::Val(v), pos, x)
            }
            None => {
                let arg = self.quoted(name);
                self.fail(pos, "reference {} not found", vec![arg])
            }
        }
    }

    /// Whether a value has a field of that name; lets are of its files alone.
    fn in_scope(&self, v: crate::eval::vertex::VId, own: Label) -> bool {
        let arcs = self.e.arcs(v);
        arcs.iter().any(|a| self.e.vx(*a).label == own)
    }

    /// An error if the language version of the file has no such function.
    fn too_new(&mut self, v: Val, pos: Pos) -> Option<XId> {
        let Data::Func(f) = v.data else { return None };
        let f = self.e.func(f);
        if f.added == 0 || self.tree.minor >= f.added || self.tree.minor == 0 {
            return None;
        }
        let args = vec![
            Arg::Text(format!("{:?}", f.name).into()),
            Arg::Text(format!("v0.{}.0", self.tree.minor).into()),
            Arg::Text(format!("\"v0.{}.0\"", f.added).into()),
        ];
        let template = "builtin {} is not available in version {}; it was added in version {}";
        Some(self.fail(pos, template, args))
    }

    /// The label of a field that is an identifier or a literal.
    pub(super) fn fixed_label(&mut self, x: ExprId) -> Label {
        match self.tree.expr(x) {
            tree::Expr::Ident(name) => {
                let id = self.around.id.clone();
                label::identifier(&mut self.e.names, name, &id)
            }
            tree::Expr::Literal(LitKind::Null | LitKind::True | LitKind::False, t) => {
                let text = self.tree.text(t).to_owned();
                Label::string(self.e.names.intern(&text))
            }
            tree::Expr::Literal(_, t) => {
                let text = self.tree.text(t).to_owned();
                let content = match crate::syntax::literal::unquote(&text) {
                    Ok(crate::syntax::literal::Content::String(s)) => s,
                    Ok(crate::syntax::literal::Content::Bytes(b)) => {
                        String::from_utf8_lossy(&b).into_owned()
                    }
                    Err(e) => {
                        let pos = self.tree.pos(x);
                        self.fail(
                            pos,
                            "invalid string label: {}",
                            vec![Arg::Text(e.to_string().into())],
                        );
                        return Label::NONE;
                    }
                };
                Label::string(self.e.names.intern(&label::normalised(&content)))
            }
            _ => Label::NONE,
        }
    }
}
