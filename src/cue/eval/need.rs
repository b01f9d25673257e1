//! The top-level fields of a package that expressions can read, by the names that stand in them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Evaluator;
use super::label::{self, Label};
use super::package::PackageId;
use super::program::{CId, Clause, DId, Decl, Elem, Expr, Program, XId};
use super::validate::Config;
use super::vertex::{Item, VId};
use crate::syntax::tree::{self, Tree};

/// The fields of a root that are evaluated with it, while others are left alone.
#[derive(Debug)]
pub(crate) struct Needed {
    root: VId,
    fields: FxHashSet<Label>,
}

impl Evaluator {
    /// Evaluates the top-level fields of a package that expressions can read, in their order and to
    /// their ends, so that each expression comes to what it comes to beside the whole package.
    /// Names decide: a field that any needed one mentions, in whatever scope, is needed. Everything
    /// is evaluated where a package has more at the top than fields, lets and patterns, where
    /// something names a struct around it, and where an error is found or an evaluation comes back
    /// to where it was: who reads a field first can show in both. The root is another one then.
    pub fn finalize_for(&mut self, p: PackageId, expressions: &[Arc<Tree>]) -> VId {
        let root = self.root(p);
        let Some(fields) = self.needed_fields(p, expressions) else {
            self.finalize(root);
            return root;
        };
        self.needed = Some(Needed { root, fields });
        self.came_back = false;
        self.finalize(root);
        let needed = self.needed.take();
        if needed.is_none_or(|n| self.is_over() || self.suffice(&n)) {
            return root;
        }
        for i in 0..self.packages.len() {
            self.evaluate_again(PackageId(i as u32));
        }
        let root = self.root(p);
        self.finalize(root);
        root
    }

    /// Whether fields hold no error of any kind and were found without coming back, or are all that
    /// there are.
    fn suffice(&mut self, needed: &Needed) -> bool {
        let config = Config {
            incomplete: true,
            no_cycles: true,
            ..Config::default()
        };
        let arcs = self.vx(needed.root).arcs.clone();
        let is_needed = |e: &Self, a: VId| needed.fields.contains(&e.vx(a).label);
        let sound = |e: &mut Self, a| !is_needed(e, a) || !e.validate(a, config).is_some();
        arcs.iter().all(|a| is_needed(self, *a))
            || !self.came_back && arcs.iter().all(|a| sound(self, *a))
    }

    /// Whether a field is not evaluated with the vertex it belongs to.
    pub(crate) fn is_left_out(&self, v: VId, arc: VId) -> bool {
        self.needed
            .as_ref()
            .is_some_and(|n| n.root == v && !n.fields.contains(&self.vx(arc).label))
    }

    fn needed_fields(&mut self, p: PackageId, trees: &[Arc<Tree>]) -> Option<FxHashSet<Label>> {
        let id = self.package_id(p).to_owned();
        let mut named = Vec::new();
        for tree in trees {
            for x in &tree.exprs {
                let tree::Expr::Ident(name) = *x else {
                    continue;
                };
                if matches!(self.names.get(name), "self" | "__self") {
                    return None;
                }
                named.push(label::identifier(&mut self.names, name, &id));
            }
        }
        let mut files = Vec::new();
        for c in &self.vx(self.root(p)).conjuncts {
            let Item::Expr(x) = c.item else { return None };
            let Expr::Struct(s) = self.program.expr(x) else {
                return None;
            };
            files.extend_from_slice(self.program.struct_decls(s));
        }
        let mut search = Search::new(&self.program, &files)?;
        named.into_iter().for_each(|label| search.name(label));
        search.found()
    }
}

/// A search for all fields that others mention.
struct Search<'a> {
    program: &'a Program,
    /// What stands at the top under a name.
    top: FxHashMap<Label, Vec<XId>>,
    found: FxHashSet<Label>,
    /// What is to be looked through.
    left: Vec<XId>,
    /// Whether a package that was loaded is mentioned. Who reads a field of it first may show, so
    /// that all are needed that mention any.
    packages: bool,
}

impl<'a> Search<'a> {
    /// None if something at the top has no name.
    fn new(program: &'a Program, decls: &[DId]) -> Option<Self> {
        let mut search = Search {
            program,
            top: FxHashMap::default(),
            found: FxHashSet::default(),
            left: Vec::new(),
            packages: false,
        };
        for d in decls {
            match program.decl(*d) {
                Decl::Field { label, value, .. } | Decl::Let { label, value, .. } => {
                    search.top.entry(label).or_default().push(value);
                }
                Decl::Pattern { filter, value, .. } => search.left.extend([filter, value]),
                Decl::Ellipsis => {}
                Decl::Dynamic { .. } | Decl::Comprehension(_) | Decl::Embed(_) => return None,
            }
        }
        Some(search)
    }

    fn name(&mut self, label: Label) {
        if let Some(values) = self.top.get(&label)
            && self.found.insert(label)
        {
            self.left.extend(values);
        }
    }

    /// None if a value names a struct around it.
    fn found(mut self) -> Option<FxHashSet<Label>> {
        while let Some(x) = self.left.pop() {
            match self.program.expr(x) {
                Expr::Field { label, .. } | Expr::Let { label, .. } => self.name(label),
                Expr::ValueRef { .. } => return None,
                Expr::Import(i, _) if self.is_loaded(i) => self.name_all_with_packages(),
                _ => self.program.push_parts(x, &mut self.left),
            }
        }
        Some(self.found)
    }

    fn is_loaded(&self, import: u32) -> bool {
        self.program.imports[import as usize].package.is_some()
    }

    fn name_all_with_packages(&mut self) {
        if std::mem::replace(&mut self.packages, true) {
            return;
        }
        let mut with = Vec::new();
        for (label, values) in &self.top {
            let mut left = values.clone();
            while let Some(x) = left.pop() {
                if matches!(self.program.expr(x), Expr::Import(i, _) if self.is_loaded(i)) {
                    with.push(*label);
                    break;
                }
                self.program.push_parts(x, &mut left);
            }
        }
        with.into_iter().for_each(|label| self.name(label));
    }
}

impl Program {
    /// The expressions that an expression is made of, one level down; of literals those of all
    /// their members. Absent ones are 0.
    fn push_parts(&self, x: XId, out: &mut Vec<XId>) {
        match self.expr(x) {
            Expr::Struct(s) => {
                for d in self.struct_decls(s) {
                    self.push_decl(*d, out);
                }
            }
            Expr::List(run) => {
                for elem in self.elem_list(run) {
                    match *elem {
                        Elem::Expr(x) | Elem::Ellipsis(x, _) => out.push(x),
                        Elem::Comprehension(c) => self.push_comprehension(c, out),
                    }
                }
            }
            Expr::Selector { x, .. } | Expr::DynamicRef { label: x, .. } => out.push(x),
            Expr::Index { x, index, .. } => out.extend([x, index]),
            _ => self.push_operands(x, out),
        }
    }

    fn push_decl(&self, d: DId, out: &mut Vec<XId>) {
        match self.decl(d) {
            Decl::Pattern { filter: x, .. } | Decl::Dynamic { key: x, .. } => out.push(x),
            Decl::Comprehension(c) => self.push_comprehension(c, out),
            _ => {}
        }
        out.push(self.decl_value(d));
    }

    fn push_comprehension(&self, c: CId, out: &mut Vec<XId>) {
        let comp = self.comprehension(c);
        out.extend([comp.body, comp.orelse]);
        out.extend(self.clause_list(comp.clauses).iter().map(Clause::value));
    }
}
