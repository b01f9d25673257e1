//! Which paths the conjuncts of a value refer to, both branches of everything included.

use rustc_hash::FxHashSet;

use super::context::Evaluator;
use super::label::Label;
use super::package::PackageId;
use super::program::{CId, Clause, DId, Decl, Elem, Expr, Op, Run, SId, XId};
use super::value::{Data, Val};
use super::vertex::{Conjunct, EnvId, Item, VId};
use crate::syntax::source::Pos;

/// A path that a value refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference {
    /// The labels from the root of the package. Where the last part is computed, the part before it.
    pub path: Vec<Label>,
    /// Where the reference stands.
    pub pos: Pos,
    /// Where the value itself refers to what leads there; the same unless it goes through others.
    pub via: Pos,
}

/// A frame of the walk.
#[derive(Clone, Debug)]
enum Frame {
    /// Fields of the value at a path of the package.
    Path(Vec<Label>),
    /// A frame of a finished evaluation.
    Env(EnvId),
    /// Names of an inline value or a clause: what they stand for is walked where it is written.
    Local,
}

/// Frames, innermost first.
type Frames = Vec<Frame>;

struct Walk<'a> {
    package: PackageId,
    root: VId,
    stop: &'a dyn Fn(&[Label]) -> bool,
    own: Vec<Label>,
    via: Option<Pos>,
    out: Vec<Reference>,
    seen: FxHashSet<Reference>,
    vertices: FxHashSet<VId>,
    lets: FxHashSet<DId>,
}

impl Evaluator {
    /// The paths that the conjuncts of the value at `path` refer to: through plain fields, lets,
    /// loops, both branches of conditions and all disjuncts. Fields of which `stop` is true are
    /// reported and not looked into; imports are neither. The package must have been evaluated as
    /// far as its fields are to be followed.
    pub fn references(&self, package: PackageId, path: &[Label], stop: &dyn Fn(&[Label]) -> bool) -> Vec<Reference> {
        let root = self.root(package);
        let mut w = Walk {
            package,
            root,
            stop,
            own: path.to_vec(),
            via: None,
            out: Vec::new(),
            seen: FxHashSet::default(),
            vertices: FxHashSet::default(),
            lets: FxHashSet::default(),
        };
        let Some(v) = self.vertex_at(root, path) else { return Vec::new() };
        self.walk_vertex(&mut w, v, path);
        w.out
    }

    fn vertex_at(&self, root: VId, path: &[Label]) -> Option<VId> {
        path.iter().try_fold(root, |v, label| self.raw_field(v, *label))
    }

    /// A field without following what a vertex shares.
    fn raw_field(&self, v: VId, label: Label) -> Option<VId> {
        self.arc_raw(self.deref_disjunct(v), label).or_else(|| self.arc_raw(self.deref(v), label))
    }

    fn walk_vertex(&self, w: &mut Walk<'_>, v: VId, path: &[Label]) {
        if !w.vertices.insert(v) {
            return;
        }
        for c in &self.vx(v).conjuncts {
            self.walk_conjunct(w, c, path);
        }
        // Members that no literal of the conjuncts names: made by comprehensions above.
        for a in self.vx(self.deref_disjunct(v)).arcs.clone() {
            let label = self.vx(a).label;
            if label.is_let() {
                continue;
            }
            let mut path = path.to_vec();
            path.push(label);
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.walk_vertex(w, a, &path));
        }
    }

    fn walk_conjunct(&self, w: &mut Walk<'_>, c: &Conjunct, path: &[Label]) {
        if let Item::Decl(d) = c.item
            && self.is_foreign_decl(w, d)
        {
            return;
        }
        let x = self.conjunct_expr(c);
        if x.is_some() {
            let frames = self.frames_of(c.env);
            self.walk_value(w, x, &frames, Some(path));
        }
    }

    fn frames_of(&self, mut env: EnvId) -> Frames {
        let mut out = Vec::new();
        while env.is_some() {
            out.push(Frame::Env(env));
            env = self.envs[env.i()].up;
        }
        out
    }

    fn is_foreign_decl(&self, w: &Walk<'_>, d: DId) -> bool {
        let own = &self.packages[w.package.0 as usize].id;
        self.program.decl_origin(d).is_some_and(|(s, _)| s.package != *own)
    }

    fn is_foreign(&self, w: &Walk<'_>, x: XId) -> bool {
        let own = &self.packages[w.package.0 as usize].id;
        self.program.origin(x).is_some_and(|(s, _)| s.package != *own)
    }

    /// Walks an expression that is the value of a path, or an operand (then without path).
    fn walk_value(&self, w: &mut Walk<'_>, x: XId, frames: &[Frame], path: Option<&[Label]>) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.walk_expr(w, x, frames, path));
    }

    fn walk_expr(&self, w: &mut Walk<'_>, x: XId, frames: &[Frame], path: Option<&[Label]>) {
        if self.is_foreign(w, x) {
            return;
        }
        match self.program.expr(x) {
            Expr::Val(_) | Expr::LabelRef { .. } | Expr::Import(..) => {}
            Expr::Struct(s) => self.walk_struct(w, s, frames, path),
            Expr::List(run) => self.walk_list(w, run, frames, path),
            Expr::Binary(Op::And, a, b) => {
                self.walk_value(w, a, frames, path);
                self.walk_value(w, b, frames, path);
            }
            Expr::Disjunction(items, _) => {
                for (x, _) in self.program.disjunct_list(items) {
                    self.walk_value(w, *x, frames, path);
                }
            }
            Expr::Open(y) => self.walk_value(w, y, frames, path),
            Expr::Bound(_, y) | Expr::Unary(_, y) => self.walk_value(w, y, frames, None),
            Expr::Binary(_, a, b) => {
                self.walk_value(w, a, frames, None);
                self.walk_value(w, b, frames, None);
            }
            Expr::Slice(y, lo, hi) => {
                for x in [y, lo, hi].into_iter().filter(|x| x.is_some()) {
                    self.walk_value(w, x, frames, None);
                }
            }
            Expr::Interpolation(_, parts) => self.walk_all(w, parts, frames),
            Expr::Call(fun, args) => {
                self.walk_value(w, fun, frames, None);
                self.walk_all(w, args, frames);
            }
            Expr::Field { .. }
            | Expr::ValueRef { .. }
            | Expr::DynamicRef { .. }
            | Expr::Let { .. }
            | Expr::Selector { .. }
            | Expr::Index { .. } => self.walk_reference(w, x, frames),
        }
    }

    fn walk_all(&self, w: &mut Walk<'_>, run: Run, frames: &[Frame]) {
        for x in self.program.arg_list(run) {
            self.walk_value(w, *x, frames, None);
        }
    }

    fn inner(frames: &[Frame], own: Option<&[Label]>) -> Frames {
        let mut out = vec![own.map_or(Frame::Local, |p| Frame::Path(p.to_vec()))];
        out.extend_from_slice(frames);
        out
    }

    fn walk_struct(&self, w: &mut Walk<'_>, s: SId, frames: &[Frame], path: Option<&[Label]>) {
        let frames = Self::inner(frames, path);
        for d in self.program.struct_decls(s) {
            match self.program.decl(*d) {
                Decl::Field { label, value, .. } => {
                    let own = path.map(|p| [p, &[label]].concat());
                    self.walk_value(w, value, &frames, own.as_deref());
                }
                Decl::Pattern { filter, value, .. } => {
                    self.walk_value(w, filter, &frames, None);
                    self.walk_value(w, value, &frames, path);
                }
                Decl::Dynamic { key, value, .. } => {
                    self.walk_value(w, key, &frames, None);
                    self.walk_value(w, value, &frames, path);
                }
                Decl::Comprehension(c) => self.walk_comprehension(w, c, &frames, path),
                Decl::Embed(x) => self.walk_value(w, x, &frames, path),
                // A let counts where it is used.
                Decl::Let { .. } | Decl::Ellipsis => {}
            }
        }
    }

    fn walk_list(&self, w: &mut Walk<'_>, run: Run, frames: &[Frame], path: Option<&[Label]>) {
        let frames = Self::inner(frames, path);
        for (i, e) in self.program.elem_list(run).iter().enumerate() {
            match *e {
                Elem::Expr(x) => {
                    let own = path.map(|p| [p, &[Label::index_of(i)]].concat());
                    self.walk_value(w, x, &frames, own.as_deref());
                }
                Elem::Comprehension(c) => self.walk_comprehension(w, c, &frames, path),
                Elem::Ellipsis(x, _) if x.is_some() => self.walk_value(w, x, &frames, path),
                Elem::Ellipsis(..) => {}
            }
        }
    }

    fn walk_comprehension(&self, w: &mut Walk<'_>, c: CId, frames: &[Frame], path: Option<&[Label]>) {
        let comp = self.program.comprehension(c);
        let mut inner = frames.to_vec();
        for clause in self.program.clause_list(comp.clauses) {
            let (x, binds) = match *clause {
                Clause::If { cond, .. } => (cond, false),
                Clause::For { source, .. } => (source, true),
                Clause::Let { value, .. } => (value, true),
                Clause::Try { value, .. } => (value, value.is_some()),
            };
            if x.is_some() {
                self.walk_value(w, x, &inner, None);
            }
            if binds {
                inner.insert(0, Frame::Local);
            }
        }
        self.walk_value(w, comp.body, &inner, path);
        if comp.orelse.is_some() {
            self.walk_value(w, comp.orelse, frames, path);
        }
    }

    /// Reports a reference. What it selects by computed indexes is walked as well.
    fn walk_reference(&self, w: &mut Walk<'_>, x: XId, frames: &[Frame]) {
        match self.static_path(w, x, frames) {
            Some((path, true)) => self.report_reference(w, x, path),
            Some((path, false)) => {
                self.report_reference(w, x, path);
                self.walk_indexes(w, x, frames);
            }
            None => self.walk_indexes(w, x, frames),
        }
    }

    /// Walks the computed indexes of a chain, and the operand it starts from.
    fn walk_indexes(&self, w: &mut Walk<'_>, mut x: XId, frames: &[Frame]) {
        loop {
            match self.program.expr(x) {
                Expr::Selector { x: y, .. } => x = y,
                Expr::Index { x: y, index, .. } => {
                    self.walk_value(w, index, frames, None);
                    x = y;
                }
                Expr::Field { .. } | Expr::ValueRef { .. } | Expr::Import(..) => return,
                Expr::Let { up, label } => return self.walk_let(w, up, label, frames),
                Expr::DynamicRef { up, label, .. } => {
                    let frames = frames.get(up as usize..).unwrap_or_default();
                    return self.walk_value(w, label, frames, None);
                }
                _ => return self.walk_value(w, x, frames, None),
            }
        }
    }

    fn walk_let(&self, w: &mut Walk<'_>, up: u32, label: Label, frames: &[Frame]) {
        let Some(d) = self.let_decls.get(&label).copied() else { return };
        if w.lets.insert(d) {
            let frames = frames.get(up as usize..).unwrap_or_default();
            self.walk_value(w, self.program.decl_value(d), frames, None);
        }
    }

    /// The path a chain means, and whether all of it; none for what is local or imported.
    fn static_path(&self, w: &Walk<'_>, x: XId, frames: &[Frame]) -> Option<(Vec<Label>, bool)> {
        match self.program.expr(x) {
            Expr::Field { up, label, .. } => {
                self.frame_path(w, frames.get(up as usize)?, Some(label)).map(|p| (p, true))
            }
            Expr::ValueRef { up: 0, .. } => None,
            Expr::ValueRef { up, .. } => {
                self.frame_path(w, frames.get(up as usize - 1)?, None).map(|p| (p, true))
            }
            Expr::DynamicRef { up, .. } => {
                self.frame_path(w, frames.get(up as usize)?, None).map(|p| (p, false))
            }
            Expr::Selector { x: y, sel, .. } => {
                let (mut path, whole) = self.static_path(w, y, frames)?;
                if whole {
                    path.push(sel);
                }
                Some((path, whole))
            }
            Expr::Index { x: y, index, .. } => {
                let (mut path, whole) = self.static_path(w, y, frames)?;
                match self.program.expr(index) {
                    Expr::Val(Val { data: Data::Int(i), .. }) if whole && i >= 0 => {
                        path.push(Label::index_of(i as usize));
                        Some((path, true))
                    }
                    Expr::Val(Val { data: Data::Str(s), .. }) if whole => {
                        path.push(Label::string(s));
                        Some((path, true))
                    }
                    _ => Some((path, false)),
                }
            }
            _ => None,
        }
    }

    fn frame_path(&self, w: &Walk<'_>, frame: &Frame, label: Option<Label>) -> Option<Vec<Label>> {
        match frame {
            Frame::Local => None,
            Frame::Path(p) => Some(p.iter().copied().chain(label).collect()),
            Frame::Env(env) => {
                let v = self.envs[env.i()].vertex;
                let x = self.vx(v);
                if x.dynamic && x.anonymous {
                    // A round of a loop: its value is the element.
                    let arc = x.arcs.iter().find(|a| Some(self.vx(**a).label) == label)?;
                    let target = self.rooted(w, self.deref(*arc))?;
                    return Some(target);
                }
                let path = self.rooted(w, v)?;
                Some(path.into_iter().chain(label).collect())
            }
        }
    }

    /// The path of a vertex if it lies in the package.
    fn rooted(&self, w: &Walk<'_>, v: VId) -> Option<Vec<Label>> {
        let mut top = v;
        while self.vx(top).parent.is_some() {
            top = self.vx(top).parent;
        }
        (self.same(top, w.root)).then(|| self.path(v))
    }

    fn report_reference(&self, w: &mut Walk<'_>, x: XId, path: Vec<Label>) {
        let pos = self.program.pos(x);
        let via = w.via.unwrap_or(pos);
        let inside = path.starts_with(&w.own);
        let r = Reference { path: path.clone(), pos, via };
        if !inside && w.seen.insert(r.clone()) {
            w.out.push(r);
        }
        if inside || (0..=path.len()).any(|n| (w.stop)(&path[..n])) {
            return;
        }
        // The longest part that exists stands for the rest.
        let (mut v, mut n) = (w.root, 0);
        while n < path.len() && let Some(next) = self.raw_field(v, path[n]) {
            v = next;
            n += 1;
        }
        if n > 0 {
            let saved = w.via;
            w.via = Some(via);
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.walk_vertex(w, v, &path[..n]));
            w.via = saved;
        }
    }
}
