//! The names that a value mentions, which made-up names keep away from.

pub(super) mod links;
mod lots;
pub(super) mod walk;

use self::lots::Lots;
use super::printer::Printer;
use crate::eval::label::{self, Label, LabelKind};
use crate::eval::program::{CId, Clause, DId, Decl, Elem, Expr, XId};
use crate::eval::value::{Data, Val};
use crate::eval::vertex::{EnvId, Item, VId};
use crate::syntax::literal::unquote_string;
use crate::syntax::names::Names as Interned;
use crate::syntax::tree::{self, ExprId, LitKind, Tree};
use rustc_hash::FxHashSet;

/// Names that are taken.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Where they are looked for, the first time that one is asked for.
    pub(super) root: Option<VId>,
    taken: FxHashSet<String>,
    lots: Lots,
    /// Lets that are referred to, and those that are declared beside the references.
    referred: FxHashSet<Label>,
    declared: FxHashSet<Label>,
    /// Aliases of values that are being printed: as written and as printed.
    pub(super) aliases: Vec<(String, String)>,
}

enum Work {
    Vertex(VId),
    Expr(XId),
    Decl(DId),
    Comprehension(CId),
}

impl Printer<'_> {
    /// A name that nothing else has: the wished one if it is free.
    pub(super) fn unique(&mut self, name: &str) -> String {
        self.note_root();
        let Names { taken, lots, .. } = &mut self.names;
        lots.first(name, |name| taken.insert(name.to_owned()))
    }

    /// Takes a name, if it is free.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        self.note_root();
        self.names.taken.insert(name.to_owned())
    }

    /// The name of a let that is about to be declared. One that stands outside of what is printed
    /// keeps its name.
    pub(super) fn unique_let(&mut self, label: Label) -> String {
        self.note_root();
        let name = label::text(&self.ev.names, label);
        let outside = self.names.referred.contains(&label) && !self.names.declared.contains(&label);
        if outside { name } else { self.unique(&name) }
    }

    /// The name that the alias of a value is printed with.
    pub(super) fn printed_alias(&self, name: String) -> String {
        let known = self.names.aliases.iter().rev().find(|(n, _)| *n == name);
        known.map_or(name, |(_, printed)| printed.clone())
    }

    /// The name of a label of a pattern, or the label where it is known.
    pub(super) fn label_reference(&mut self, env: EnvId, up: u32, name: Label) -> ExprId {
        let frame = self.ev.env_up(env, up);
        let found = self.ev.envs[frame.i()].label;
        if found != Label::NONE {
            let v = self.ev.label_value(found);
            return self.value(v, None);
        }
        if !self.is_in_pattern(up) {
            return self.ident("string");
        }
        let name = self.printed_alias(label::text(&self.ev.names, name));
        self.ident(&name)
    }

    pub(super) fn note_root(&mut self) {
        if let Some(v) = self.names.root.take() {
            self.note_names(v);
        }
    }

    /// Notes the names below a vertex as they are written.
    pub(super) fn note_names(&mut self, v: VId) {
        let mut work = vec![Work::Vertex(v)];
        let mut seen = FxHashSet::default();
        while let Some(next) = work.pop() {
            match next {
                Work::Vertex(v) if self.ev.is_data(v) || !seen.insert(v) => {}
                Work::Vertex(v) => {
                    for c in &self.ev.vx(v).conjuncts {
                        match c.item {
                            Item::Val(v) => value(v, &mut work),
                            Item::Expr(x) => work.push(Work::Expr(x)),
                            Item::Decl(d) => work.push(Work::Expr(self.ev.program.decl_value(d))),
                        }
                    }
                }
                Work::Expr(x) => self.names_of_expr(x, &mut work),
                Work::Decl(d) => self.names_of_decl(d, &mut work),
                Work::Comprehension(c) => self.names_of_comprehension(c, &mut work),
            }
        }
    }

    fn take(&mut self, label: Label) {
        if label != Label::NONE && label.kind() != LabelKind::Int {
            let name = label::text(&self.ev.names, label);
            self.names.taken.insert(name);
        }
    }

    fn names_of_expr(&mut self, x: XId, work: &mut Vec<Work>) {
        let program = &self.ev.program;
        match program.expr(x) {
            Expr::Val(v) => value(v, work),
            Expr::Struct(s) => {
                let decls = program.struct_decls(s).iter();
                work.extend(decls.map(|d| Work::Decl(*d)));
            }
            Expr::List(run) => {
                for e in program.elem_list(run) {
                    match *e {
                        Elem::Expr(x) | Elem::Ellipsis(x, _) if x.is_some() => {
                            work.push(Work::Expr(x));
                        }
                        Elem::Comprehension(c) => work.push(Work::Comprehension(c)),
                        _ => {}
                    }
                }
            }
            Expr::Index { x, index, .. } => work.extend([Work::Expr(x), Work::Expr(index)]),
            Expr::Selector { x, sel, .. } => {
                work.push(Work::Expr(x));
                self.take(sel);
            }
            Expr::Field { label, .. } | Expr::ValueRef { label, .. } => self.take(label),
            Expr::Import(_, label) => self.take(label),
            Expr::Let { label, .. } => {
                self.names.referred.insert(label);
            }
            Expr::LabelRef { .. } | Expr::DynamicRef { .. } => {}
            _ => {
                let mut operands = Vec::new();
                program.push_operands(x, &mut operands);
                work.extend(operands.into_iter().map(Work::Expr));
            }
        }
    }

    fn names_of_decl(&mut self, d: DId, work: &mut Vec<Work>) {
        match self.ev.program.decl(d) {
            Decl::Field { label, value, .. } => {
                self.take(label);
                work.push(Work::Expr(value));
            }
            Decl::Let { label, value, .. } => {
                self.names.declared.insert(label);
                work.push(Work::Expr(value));
            }
            Decl::Pattern { filter, value, .. } => {
                work.extend([Work::Expr(filter), Work::Expr(value)]);
            }
            Decl::Dynamic { key, value, .. } => {
                work.extend([Work::Expr(key), Work::Expr(value)]);
            }
            Decl::Comprehension(c) => work.push(Work::Comprehension(c)),
            Decl::Embed(x) => work.push(Work::Expr(x)),
            Decl::Ellipsis => {}
        }
    }

    fn names_of_comprehension(&mut self, c: CId, work: &mut Vec<Work>) {
        let comprehension = self.ev.program.comprehension(c);
        for clause in self.ev.program.clause_list(comprehension.clauses).to_vec() {
            match clause {
                Clause::For { key, value, .. } => {
                    self.take(key);
                    self.take(value);
                }
                Clause::If { cond, .. } => work.push(Work::Expr(cond)),
                Clause::Let { label, value, .. } | Clause::Try { label, value, .. } => {
                    self.take(label);
                    if value.is_some() {
                        work.push(Work::Expr(value));
                    }
                }
            }
        }
        work.push(Work::Expr(comprehension.body));
        if comprehension.orelse.is_some() {
            work.push(Work::Expr(comprehension.orelse));
        }
    }
}

fn value(v: Val, work: &mut Vec<Work>) {
    if let Data::Vertex(v) = v.data {
        work.push(Work::Vertex(v));
    }
}

/// The names that a declaration gives: of its label and aliases.
pub(super) fn declared(tree: &Tree, names: &Interned, d: tree::Decl) -> Vec<String> {
    let mut out = Vec::new();
    match d {
        tree::Decl::Let { name, .. } => out.push(names.get(name.name).to_owned()),
        tree::Decl::Field(f) => {
            let mut label = f.label;
            if let tree::Expr::Alias(a) = tree.expr(label) {
                out.push(names.get(a.name).to_owned());
                label = a.expr;
            }
            match tree.expr(label) {
                tree::Expr::Ident(name) => out.push(names.get(name).to_owned()),
                tree::Expr::Literal(LitKind::String, text) => {
                    out.extend(unquote_string(tree.text(text)));
                }
                _ => {}
            }
        }
        _ => {}
    }
    out
}
