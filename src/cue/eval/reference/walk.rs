//! The walk over the expressions of conjuncts, without recursion.

use std::collections::HashSet;

use super::guard::{Guards, opens_frame};
use super::{Extent, Reference};
use crate::eval::context::Evaluator;
use crate::eval::kind::ArcType;
use crate::eval::label::Label;
use crate::eval::node::{Cond, Flags, Mode};
use crate::eval::program::{CId, Clause, DId, Decl, Elem, Expr, Op, SId, XId};
use crate::eval::value::{Data, Val};
use crate::eval::vertex::{Conjunct, EnvId, Item, VId};

/// Where names are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Scope {
    /// In a frame of the evaluation.
    Frame(EnvId),
    /// In a literal or clause that was not evaluated by itself; the number is that of the scope
    /// around it.
    Local(u32),
}

/// An expression to look at.
#[derive(Clone, Copy)]
struct Work {
    x: XId,
    scope: Scope,
    own: bool,
    /// The vertex the expression is a conjunct of; 0 inside other expressions.
    at: VId,
}

pub(super) struct Walk<'a> {
    root: VId,
    guards: &'a Guards,
    outer: Vec<Scope>,
    work: Vec<Work>,
    guarded: HashSet<(CId, EnvId)>,
    pub(super) out: Vec<Reference>,
}

/// One step of a reference: a label, or one that is not known.
type Tail = Vec<Option<Label>>;

/// How many lets in a row are looked through.
const MAX_LETS: usize = 100;

impl<'a> Walk<'a> {
    pub(super) fn new(root: VId, guards: &'a Guards) -> Walk<'a> {
        Walk {
            root,
            guards,
            outer: Vec::new(),
            work: Vec::new(),
            guarded: HashSet::new(),
            out: Vec::new(),
        }
    }

    /// Walks the conjuncts of a vertex, and those of its arcs, as far as asked.
    pub(super) fn vertex(&mut self, ev: &mut Evaluator, top: VId, extent: Extent) {
        let mut stack = vec![top];
        while let Some(v) = stack.pop() {
            let conjuncts = ev.vx(v).conjuncts.clone();
            for c in &conjuncts {
                self.conjunct(ev, c, v, v == top);
            }
            self.run(ev);
            if extent == Extent::Own {
                return;
            }
            let holder = ev.deref_disjunct(v);
            let arcs = ev.vx(holder).arcs.iter().rev().copied();
            let below = arcs.filter(|a| {
                let arc = ev.vx(*a);
                (extent == Extent::All || arc.label.is_regular())
                    && matches!(arc.arc, ArcType::Member | ArcType::Required)
            });
            stack.extend(below);
        }
    }

    fn conjunct(&mut self, ev: &Evaluator, c: &Conjunct, at: VId, own: bool) {
        let x = ev.conjunct_expr(c);
        if let Item::Decl(d) = c.item {
            self.decl_guards(ev, d, c.env);
            if let Decl::Dynamic { key, .. } = ev.program.decl(d) {
                self.push(key, Scope::Frame(c.env));
            }
        }
        if x.is_some() {
            self.work.push(Work {
                x,
                scope: Scope::Frame(c.env),
                own,
                at,
            });
        }
    }

    /// The sources and conditions of the comprehensions a declaration stands in.
    fn decl_guards(&mut self, ev: &Evaluator, d: DId, env: EnvId) {
        let mut next = self.guards.of_decl(d);
        let mut env = env;
        while let Some(guard) = next {
            env = ev.env_up(env, guard.frames);
            let clauses = ev.program.comprehension(guard.comprehension).clauses;
            for clause in ev.program.clause_list(clauses).to_vec().iter().rev() {
                if opens_frame(clause) {
                    env = ev.env_up(env, 1);
                }
                if self.guarded.insert((guard.comprehension, env)) || !opens_frame(clause) {
                    self.clause(clause, Scope::Frame(env));
                }
            }
            next = self.guards.of_comprehension(guard.comprehension);
        }
    }

    fn clause(&mut self, clause: &Clause, scope: Scope) {
        self.push(clause.value(), scope);
    }

    fn push(&mut self, x: XId, scope: Scope) {
        if x.is_some() {
            self.work.push(Work {
                x,
                scope,
                own: false,
                at: VId::NONE,
            });
        }
    }

    fn local(&mut self, scope: Scope) -> Scope {
        self.outer.push(scope);
        Scope::Local(self.outer.len() as u32 - 1)
    }

    fn run(&mut self, ev: &mut Evaluator) {
        while let Some(work) = self.work.pop() {
            self.expression(ev, work);
        }
    }

    fn expression(&mut self, ev: &mut Evaluator, work: Work) {
        let Work { x, scope, own, at } = work;
        if ev.is_reference(x) {
            self.reference(ev, work);
            return;
        }
        match ev.program.expr(x) {
            Expr::Struct(s) => self.structure(ev, s, work),
            Expr::List(run) => self.list(ev, run, work),
            Expr::Binary(Op::And, a, b) => {
                self.work.push(Work { x: b, ..work });
                self.work.push(Work { x: a, ..work });
            }
            Expr::Disjunction(run, _) => {
                let list = ev.program.disjunct_list(run).iter().rev();
                self.work.extend(list.map(|(x, _)| Work {
                    x: *x,
                    scope,
                    own,
                    at,
                }));
            }
            Expr::Open(y) => self.work.push(Work { x: y, ..work }),
            Expr::Bound(_, y) | Expr::Unary(_, y) => self.push(y, scope),
            Expr::Binary(_, a, b) => {
                self.push(b, scope);
                self.push(a, scope);
            }
            Expr::Slice(y, lo, hi) => {
                for x in [hi, lo, y] {
                    self.push(x, scope);
                }
            }
            Expr::Interpolation(_, run) => {
                for x in ev.program.arg_list(run).to_vec().into_iter().rev() {
                    self.push(x, scope);
                }
            }
            Expr::Call(f, run) => {
                for x in ev.program.arg_list(run).to_vec().into_iter().rev() {
                    self.push(x, scope);
                }
                self.push(f, scope);
            }
            _ => {}
        }
    }

    /// A struct literal. Its fields are walked as arcs where it is a conjunct of a vertex.
    fn structure(&mut self, ev: &mut Evaluator, s: SId, work: Work) {
        let decls = ev.program.struct_decls(s).to_vec();
        let mut inner = None;
        for d in decls.into_iter().rev() {
            let decl = ev.program.decl(d);
            if work.at.is_some() && self.is_arc(ev, work.at, decl) {
                continue;
            }
            let scope = *inner.get_or_insert_with(|| self.literal_scope(ev, work));
            match decl {
                Decl::Field { value, .. } => self.push(value, scope),
                Decl::Let { value, .. } if !work.at.is_some() => self.push(value, scope),
                Decl::Let { .. } | Decl::Ellipsis => {}
                Decl::Pattern { filter, value, .. } => {
                    let local = self.local(scope);
                    self.push(value, local);
                    self.push(filter, scope);
                }
                Decl::Dynamic { key, value, .. } => {
                    self.push(value, scope);
                    self.push(key, scope);
                }
                Decl::Comprehension(c) => {
                    let skip = work.at.is_some() && self.fired(ev, work.at, c);
                    self.comprehension(ev, c, Work { scope, ..work }, skip);
                }
                Decl::Embed(x) => self.work.push(Work { x, scope, ..work }),
            }
        }
    }

    fn literal_scope(&mut self, ev: &mut Evaluator, work: Work) -> Scope {
        match work.scope {
            Scope::Frame(env) if work.at.is_some() => {
                Scope::Frame(ev.new_env(env, ev.deref_disjunct(work.at)))
            }
            scope => self.local(scope),
        }
    }

    /// Whether a declaration is an arc of the vertex, so that its value is walked there.
    fn is_arc(&self, ev: &Evaluator, at: VId, decl: Decl) -> bool {
        let holder = ev.deref_disjunct(at);
        match decl {
            Decl::Field { label, arc, .. } => {
                !label.is_regular()
                    || arc == ArcType::Optional
                    || ev
                        .arc_raw(holder, label)
                        .is_some_and(|a| !ev.vx(a).conjuncts.is_empty())
            }
            Decl::Dynamic { .. } => !ev.vx(holder).arcs.is_empty(),
            _ => false,
        }
    }

    /// Whether a comprehension brought arcs to a vertex: then these are walked, in their frames.
    fn fired(&self, ev: &Evaluator, at: VId, c: CId) -> bool {
        let holder = ev.deref_disjunct(at);
        ev.vx(holder).arcs.iter().any(|a| {
            ev.vx(*a)
                .conjuncts
                .iter()
                .any(|conjunct| match conjunct.item {
                    Item::Decl(d) => self.guards.of_decl(d).is_some_and(|g| g.comprehension == c),
                    _ => false,
                })
        })
    }

    fn comprehension(&mut self, ev: &Evaluator, c: CId, work: Work, skip_body: bool) {
        let comp = ev.program.comprehension(c);
        let mut scope = work.scope;
        for clause in ev.program.clause_list(comp.clauses).to_vec() {
            self.clause(&clause, scope);
            if opens_frame(&clause) {
                scope = self.local(scope);
            }
        }
        if comp.orelse.is_some() {
            self.work.push(Work {
                x: comp.orelse,
                at: VId::NONE,
                ..work
            });
        }
        if !skip_body {
            self.work.push(Work {
                x: comp.body,
                scope,
                own: work.own,
                at: VId::NONE,
            });
        }
    }

    /// A list literal. Its elements are walked as arcs where it is a conjunct of a vertex.
    fn list(&mut self, ev: &mut Evaluator, run: crate::eval::program::Run, work: Work) {
        let holder = ev.deref_disjunct(work.at);
        let arcs = work.at.is_some() && !ev.vx(holder).arcs.is_empty();
        let scope = self.local(work.scope);
        let inner = Work {
            scope,
            own: false,
            at: VId::NONE,
            ..work
        };
        for elem in ev.program.elem_list(run).to_vec().into_iter().rev() {
            match elem {
                Elem::Expr(_) if arcs => {}
                Elem::Expr(x) | Elem::Ellipsis(x, _) => self.push(x, scope),
                Elem::Comprehension(c) => self.comprehension(ev, c, inner, arcs),
            }
        }
    }

    /// A reference: the path it has, and what its indices refer to.
    fn reference(&mut self, ev: &mut Evaluator, work: Work) {
        let pos = ev.program.pos(work.x);
        let mut tail = Tail::new();
        if let Some(mut path) = self.base(ev, work, &mut tail) {
            let known = tail.iter().rev().map_while(|label| *label);
            path.extend(known);
            if !path.is_empty() {
                self.out.push(Reference {
                    path,
                    pos,
                    own: work.own,
                });
            }
        }
    }

    /// The path that a chain of selectors and indices starts from; the steps after it go to
    /// `tail`, last first.
    fn base(&mut self, ev: &mut Evaluator, work: Work, tail: &mut Tail) -> Option<Vec<Label>> {
        let Work {
            mut x, mut scope, ..
        } = work;
        let mut lets = 0;
        loop {
            match ev.program.expr(x) {
                Expr::Selector { x: y, sel, .. } => {
                    tail.push(Some(sel));
                    x = y;
                }
                Expr::Index { x: y, index, .. } => {
                    self.push(index, scope);
                    tail.push(index_label(ev, index, scope));
                    x = y;
                }
                Expr::Field { up, label, .. } | Expr::Let { up, label } => {
                    let frame = self.frame(ev, scope, up)?;
                    match self.named(ev, frame, label) {
                        Named::Path(path) => return Some(path),
                        Named::Nothing => return None,
                        Named::Bound(bound, env) => {
                            lets += 1;
                            if lets > MAX_LETS {
                                return None;
                            }
                            (x, scope) = (bound, Scope::Frame(env));
                        }
                    }
                }
                Expr::ValueRef { up, .. } => {
                    let frame = self.frame(ev, scope, up.checked_sub(1)?)?;
                    return self.path(ev, frame);
                }
                Expr::DynamicRef { up, label, .. } => {
                    let frame = self.frame(ev, scope, up)?;
                    self.push(label, scope);
                    tail.push(None);
                    return self.path(ev, frame);
                }
                Expr::Import(..) | Expr::LabelRef { .. } => return None,
                _ => {
                    self.work.push(Work {
                        x,
                        scope,
                        own: work.own,
                        at: VId::NONE,
                    });
                    return None;
                }
            }
        }
    }

    /// The vertex of a frame, counted outwards; none for literals that were not evaluated.
    fn frame(&self, ev: &Evaluator, mut scope: Scope, up: u32) -> Option<VId> {
        let mut left = up;
        loop {
            match scope {
                Scope::Frame(env) => {
                    let env = ev.env_up(env, left);
                    return env.is_some().then(|| ev.envs[env.i()].vertex);
                }
                Scope::Local(_) if left == 0 => return None,
                Scope::Local(outer) => {
                    scope = self.outer[outer as usize];
                    left -= 1;
                }
            }
        }
    }

    fn named(&self, ev: &Evaluator, frame: VId, label: Label) -> Named {
        let arc = ev.arc_raw(ev.deref(frame), label);
        let bound = |arc: VId| {
            let c = ev.vx(arc).conjuncts.first()?;
            let x = ev.conjunct_expr(c);
            x.is_some().then_some(Named::Bound(x, c.env))
        };
        if label.is_let() {
            return arc.and_then(bound).unwrap_or(Named::Nothing);
        }
        if let Some(arc) = arc
            && ev.vx(arc).anonymous()
        {
            if let Data::Vertex(target) = ev.vx(arc).base.data
                && let Some(path) = self.path(ev, target)
            {
                return Named::Path(path);
            }
            return bound(arc).unwrap_or(Named::Nothing);
        }
        match self.path(ev, frame) {
            Some(mut path) => {
                path.push(label);
                Named::Path(path)
            }
            None => Named::Nothing,
        }
    }

    /// The path of a vertex of the package itself.
    fn path(&self, ev: &Evaluator, v: VId) -> Option<Vec<Label>> {
        let mut at = v;
        while ev.vx(at).parent.is_some() {
            if ev.vx(at).anonymous() {
                return None;
            }
            at = ev.vx(at).parent;
        }
        (at == self.root).then(|| ev.path(v))
    }
}

/// What a name stands for.
enum Named {
    /// A field.
    Path(Vec<Label>),
    /// An expression that a let or loop clause binds, in its frame.
    Bound(XId, EnvId),
    /// Something without path.
    Nothing,
}

/// The label an index stands for, if it is a constant or its frame is one of the evaluation.
fn index_label(ev: &mut Evaluator, index: XId, scope: Scope) -> Option<Label> {
    let val = match (ev.program.expr(index), scope) {
        (Expr::Val(val), _) => val,
        (_, Scope::Frame(env)) => evaluate(ev, index, env)?,
        _ => return None,
    };
    match val.data {
        Data::Str(name) => Some(Label::string(name)),
        Data::Int(i) => Some(Label::index_of(usize::try_from(i).ok()?)),
        _ => None,
    }
}

/// The value of an expression in a frame; none if it has an error or has to wait.
fn evaluate(ev: &mut Evaluator, x: XId, env: EnvId) -> Option<Val> {
    let saved = ev.reg;
    ev.reg = super::super::context::Registers {
        env,
        ..Default::default()
    };
    let val = ev.eval_value(x, Flags::new(Cond::SCALAR, Mode::Finalize));
    let clean = !ev.has_err();
    ev.reg = saved;
    val.ok().filter(|_| clean)
}
