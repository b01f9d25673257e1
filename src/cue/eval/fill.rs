//! Values given to paths from outside, and evaluating again only what reads them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Evaluator;
use super::kind::ArcType;
use super::label::Label;
use super::package::PackageId;
use super::program::{CId, Clause, Decl, Elem, Expr, Origin, Run, SId, StructLit, XId};
use super::value::Val;
use super::vertex::{CloseInfo, Conjunct, EnvId, Item, Status, VId, Vertex};
use crate::syntax::source::Pos;
use crate::syntax::tree::DeclId;

/// A value at a path of a package.
#[derive(Clone, Debug)]
pub(crate) struct Fill {
    pub(crate) package: PackageId,
    pub(crate) path: Vec<Label>,
    /// The value inside the structs of its path.
    pub(crate) item: XId,
}

/// Which top fields of a package read which.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    /// For each top field, the top fields and lets that look at it.
    readers: FxHashMap<Label, Vec<Label>>,
    /// Top fields that may look at any other.
    of_all: Vec<Label>,
    /// Whether members of the package other than fields and lets decide its fields.
    whole: bool,
}

impl Evaluator {
    /// Adds a value at a path of a package, as if one more file of the package said so; one that
    /// was filled in at the path before is replaced. The value is data made by
    /// [`Evaluator::data_scalar`], [`Evaluator::data_struct`] and [`Evaluator::data_list`]. Only
    /// the top fields that read the one at the path are evaluated again, and those when they are
    /// asked for.
    pub fn fill(&mut self, package: PackageId, path: &[Label], value: XId) {
        let item = path.iter().rev().fold(value, |value, label| {
            let s = self.made_struct(&[(*label, value)], true);
            self.program.add_made(Expr::Struct(s), Pos::NONE)
        });
        let old = self.take_fill(package, path);
        self.fills.push(Fill { package, path: path.to_vec(), item });
        self.evaluate_again(package, path, old);
    }

    /// Takes back the value filled in at a path; false if there was none.
    pub fn clear_fill(&mut self, package: PackageId, path: &[Label]) -> bool {
        let old = self.take_fill(package, path);
        let found = old.is_some();
        if found {
            self.evaluate_again(package, path, old);
        }
        found
    }

    fn take_fill(&mut self, package: PackageId, path: &[Label]) -> Option<XId> {
        let i = self.fills.iter().position(|f| f.package == package && f.path == path)?;
        Some(self.fills.remove(i).item)
    }

    /// An expression that is a scalar.
    pub fn data_scalar(&mut self, v: Val) -> XId {
        self.program.add_made(Expr::Val(v), Pos::NONE)
    }

    /// An expression that is a list of data.
    pub fn data_list(&mut self, items: &[XId]) -> XId {
        let run = Run { start: self.program.elems.len() as u32, len: items.len() as u32 };
        self.program.elems.extend(items.iter().map(|x| Elem::Expr(*x)));
        self.program.add_made(Expr::List(run), Pos::NONE)
    }

    /// An expression that is a struct of data.
    pub fn data_struct(&mut self, fields: &[(Label, XId)]) -> XId {
        let s = self.made_struct(fields, false);
        self.program.add_made(Expr::Struct(s), Pos::NONE)
    }

    fn made_struct(&mut self, fields: &[(Label, XId)], is_file: bool) -> SId {
        let origin = Origin { tree: u32::MAX, node: DeclId(0) };
        let decls: Vec<_> = fields
            .iter()
            .map(|(label, value)| {
                let decl = Decl::Field { label: *label, arc: ArcType::Member, value: *value };
                self.program.add_decl(decl, Pos::NONE, origin)
            })
            .collect();
        let run = Run { start: self.program.decl_lists.len() as u32, len: decls.len() as u32 };
        self.program.decl_lists.extend(decls);
        self.program.structs.push(StructLit { decls: run, pos: Pos::NONE, is_file, embeds: false });
        SId(self.program.structs.len() as u32 - 1)
    }

    /// Makes what reads a path be evaluated anew. `old` is a fill that is gone.
    fn evaluate_again(&mut self, package: PackageId, path: &[Label], old: Option<XId>) {
        let root = self.root(package);
        if !self.readers.contains_key(&package) {
            let readers = self.find_readers(root);
            self.readers.insert(package, readers);
        }
        self.set_fills(package, root, old);
        let whole = self.readers[&package].whole || path.is_empty();
        if whole || self.vx(root).status != Status::Finalized {
            self.start_anew(package, root);
            return;
        }
        let dirty = self.dirty_fields(package, path[0]);
        for label in dirty {
            if let Some(a) = self.arc_raw(root, label) {
                self.reset(a, old);
            }
        }
        self.lets.clear();
        let x = self.vm(root);
        x.status = Status::Unprocessed;
        x.base = Val::UNSET;
        x.child_errors = super::error::ErrId::NONE;
        x.structs.clear();
        self.free_state(root);
    }

    /// Gives the root the conjuncts of its files and fills.
    fn set_fills(&mut self, package: PackageId, root: VId, old: Option<XId>) {
        let fills: Vec<XId> = self.fills.iter().filter(|f| f.package == package).map(|f| f.item).collect();
        let conjuncts = &mut self.vm(root).conjuncts;
        conjuncts.retain(|c| match c.item {
            Item::Expr(x) => Some(x) != old && !fills.contains(&x),
            _ => true,
        });
        let (env, info) = (EnvId::NONE, CloseInfo::default());
        conjuncts.extend(fills.into_iter().map(|x| Conjunct { item: Item::Expr(x), env, info }));
    }

    fn start_anew(&mut self, package: PackageId, root: VId) {
        let mut fresh = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        fresh.conjuncts = self.vx(root).conjuncts.clone();
        let root = self.new_vertex(fresh);
        self.packages[package.0 as usize].root = root;
        self.lets.clear();
    }

    /// Puts a top field back to before its evaluation; its conjuncts stay, those of `old` go.
    fn reset(&mut self, a: VId, old: Option<XId>) {
        self.free_state(a);
        let gone = old.and_then(|x| match self.program.expr(x) {
            Expr::Struct(s) => self.program.struct_decls(s).first().copied(),
            _ => None,
        });
        let x = self.vx(a);
        let mut fresh = Vertex::new(x.parent, x.label, x.arc);
        fresh.multi_let = x.multi_let;
        fresh.conjuncts = x.conjuncts.clone();
        fresh.conjuncts.retain(|c| gone.is_none() || c.item != Item::Decl(gone.unwrap_or_default()));
        *self.vm(a) = fresh;
    }

    /// The top fields whose value may change with that of one of them, itself included.
    fn dirty_fields(&self, package: PackageId, label: Label) -> FxHashSet<Label> {
        let r = &self.readers[&package];
        let mut out = FxHashSet::default();
        let mut todo = vec![label];
        todo.extend(r.of_all.iter().copied());
        while let Some(l) = todo.pop() {
            if out.insert(l) {
                todo.extend(r.readers.get(&l).into_iter().flatten().copied());
            }
        }
        out
    }

    fn find_readers(&self, root: VId) -> Readers {
        let mut r = Readers::default();
        for c in &self.vx(root).conjuncts {
            let Expr::Struct(s) = self.program.expr(self.conjunct_expr(c)) else {
                r.whole = true;
                continue;
            };
            for d in self.program.struct_decls(s) {
                let (label, value) = match self.program.decl(*d) {
                    Decl::Field { label, value, .. } | Decl::Let { label, value, .. } => (label, value),
                    Decl::Ellipsis => continue,
                    _ => {
                        r.whole = true;
                        continue;
                    }
                };
                let mut scan = Scan { e: self, reads: FxHashSet::default(), all: false };
                scan.expr(value, 0);
                if scan.all {
                    r.of_all.push(label);
                }
                for l in scan.reads {
                    r.readers.entry(l).or_default().push(label);
                }
            }
        }
        r
    }
}

/// Looks for the names of the file that an expression uses.
struct Scan<'a> {
    e: &'a Evaluator,
    reads: FxHashSet<Label>,
    all: bool,
}

impl Scan<'_> {
    fn expr(&mut self, x: XId, depth: u32) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.inner(x, depth));
    }

    fn name(&mut self, up: u32, label: Label, depth: u32) {
        if up >= depth {
            self.reads.insert(label);
        }
    }

    fn inner(&mut self, x: XId, depth: u32) {
        let p = &self.e.program;
        match p.expr(x) {
            Expr::Val(_) | Expr::LabelRef { .. } | Expr::Import(..) => {}
            Expr::Struct(s) => {
                for d in p.struct_decls(s) {
                    match p.decl(*d) {
                        Decl::Field { value, .. } | Decl::Let { value, .. } => self.expr(value, depth + 1),
                        Decl::Pattern { filter, value, .. } => {
                            self.expr(filter, depth + 1);
                            self.expr(value, depth + 1);
                        }
                        Decl::Dynamic { key, value, .. } => {
                            self.expr(key, depth + 1);
                            self.expr(value, depth + 1);
                        }
                        Decl::Comprehension(c) => self.comprehension(c, depth + 1),
                        Decl::Embed(x) => self.expr(x, depth + 1),
                        Decl::Ellipsis => {}
                    }
                }
            }
            Expr::List(run) => {
                for e in p.elem_list(run) {
                    match *e {
                        Elem::Expr(x) => self.expr(x, depth + 1),
                        Elem::Comprehension(c) => self.comprehension(c, depth + 1),
                        Elem::Ellipsis(x, _) => self.expr(x, depth + 1),
                    }
                }
            }
            Expr::Field { up, label, .. } | Expr::Let { up, label } => self.name(up, label, depth),
            Expr::ValueRef { up, .. } => self.all |= up > depth,
            Expr::DynamicRef { up, label, .. } => {
                self.all |= up >= depth;
                self.expr(label, depth.saturating_sub(up));
            }
            Expr::Selector { x, .. } | Expr::Open(x) | Expr::Bound(_, x) | Expr::Unary(_, x) => self.expr(x, depth),
            Expr::Index { x, index, .. } => {
                self.expr(x, depth);
                self.expr(index, depth);
            }
            Expr::Slice(a, b, c) => [a, b, c].into_iter().for_each(|x| self.expr(x, depth)),
            Expr::Binary(_, a, b) => {
                self.expr(a, depth);
                self.expr(b, depth);
            }
            Expr::Interpolation(_, run) => p.arg_list(run).iter().for_each(|x| self.expr(*x, depth)),
            Expr::Call(f, run) => {
                self.expr(f, depth);
                p.arg_list(run).iter().for_each(|x| self.expr(*x, depth));
            }
            Expr::Disjunction(run, _) => p.disjunct_list(run).iter().for_each(|(x, _)| self.expr(*x, depth)),
        }
    }

    fn comprehension(&mut self, c: CId, depth: u32) {
        let comp = self.e.program.comprehension(c);
        let mut inner = depth;
        for clause in self.e.program.clause_list(comp.clauses) {
            match *clause {
                Clause::If { cond, .. } => self.expr(cond, inner),
                Clause::For { source: x, .. } | Clause::Let { value: x, .. } => {
                    self.expr(x, inner);
                    inner += 1;
                }
                Clause::Try { value, .. } if value.is_some() => {
                    self.expr(value, inner);
                    inner += 1;
                }
                Clause::Try { .. } => {}
            }
        }
        self.expr(comp.body, inner);
        self.expr(comp.orelse, depth);
    }
}
