//! Walking a finished value for errors: fatal ones, missing values, missing fields.

use rustc_hash::FxHashSet;

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::{ArcType, Code};
use super::library::R;
use super::value::{Data, Val};
use super::vertex::{Item, Status, VId};
use crate::syntax::source::Pos;

/// No more vertices than this are evaluated for what a message shows.
const MOST_SHOWN: usize = 10_000;

/// What a validation reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// Values must be concrete.
    pub concrete: bool,
    /// Required fields must be there.
    pub required: bool,
    /// Cycle errors are reported.
    pub no_cycles: bool,
    /// Incomplete errors are reported.
    pub incomplete: bool,
    /// All errors are reported, not only the first.
    pub all: bool,
}

struct Walk {
    config: Config,
    errs: Vec<ErrId>,
    definitions: u32,
    shared: Vec<Pos>,
    visited: FxHashSet<VId>,
}

impl Evaluator {
    /// Validates a vertex that was finalized; 0 if it is valid.
    pub fn validate(&mut self, v: VId, config: Config) -> ErrId {
        let flawless = self.is_flawless(v, config);
        let e = match flawless && !cfg!(debug_assertions) {
            true => ErrId::NONE,
            false => self.validate_inner(v, config).unwrap_or(ErrId::NONE),
        };
        debug_assert!(!flawless || !e.is_some(), "an error in no vertex");
        // What was dropped at a limit may have been anything.
        let over = self.over_limit();
        if over.is_some() {
            return over;
        }
        self.complete_messages(e);
        e
    }

    /// Whether a walk over a whole package would come across no error that it reports, and evaluate
    /// nothing on its way: there is no such error anywhere. The table of vertices is read from its
    /// start to its end, which is several times faster than a walk along the arcs.
    fn is_flawless(&self, root: VId, c: Config) -> bool {
        let fatal_only = !(c.concrete || c.required || c.no_cycles || c.incomplete);
        let whole = self.packages.iter().any(|p| p.root == root);
        if !fatal_only || !whole || self.vx(root).status != Status::Finalized {
            return false;
        }
        let fatal = |e| !matches!(self.code(e), Code::Cycle | Code::Incomplete);
        let settled = |a: &VId| self.vx(*a).arc == ArcType::Member;
        self.v.iter().all(|x| {
            !x.base.err().is_some_and(fatal)
                && (x.status == Status::Finalized || x.arcs.iter().all(settled))
        })
    }

    /// Evaluates what the messages of an error show and nothing has asked for yet.
    fn complete_messages(&mut self, e: ErrId) {
        let mut messages = self.errors[e.i()].messages.clone();
        let mut seen = FxHashSet::default();
        while let Some(m) = messages.pop() {
            if !seen.insert(m) {
                continue;
            }
            messages.extend(&self.messages[m.i()].cause);
            for arg in self.messages[m.i()].args.clone() {
                if let Arg::Val(val) = arg {
                    self.complete_optional(val);
                }
            }
        }
    }

    fn complete_optional(&mut self, val: Val) {
        let (mut work, mut seen) = (vec![val], FxHashSet::default());
        while let Some(val) = work.pop() {
            match val.data {
                Data::Disj(d) => work.extend(&self.disjunction(d).values),
                Data::Vertex(v) if seen.len() < MOST_SHOWN && seen.insert(v) => {
                    work.push(self.vx(v).base);
                    let mut next = 0;
                    // What is completed can change what there is.
                    while let Some(a) = self.vx(v).arcs.get(next).copied() {
                        next += 1;
                        if self.vx(a).arc == ArcType::Optional {
                            self.finalize(a);
                        }
                        work.push(Val::bare(Data::Vertex(a)));
                    }
                }
                _ => {}
            }
        }
    }

    pub(crate) fn validate_inner(&mut self, v: VId, config: Config) -> R<ErrId> {
        let (shared, visited) = (Vec::new(), FxHashSet::default());
        let mut walk = Walk {
            config,
            errs: Vec::new(),
            definitions: 0,
            shared,
            visited,
        };
        let saved = self.reg.vertex;
        let paths = self.alt_path.len();
        let r = self.validate_vertex(v, &mut walk);
        self.reg.vertex = saved;
        self.alt_path.truncate(paths);
        r.map(|()| self.combine_many(&walk.errs))
    }

    fn validate_vertex(&mut self, v: VId, w: &mut Walk) -> R<()> {
        let saved = self.reg.vertex;
        self.reg.vertex = v;
        self.alt_path.push(v);
        let shared = w.shared.len();
        let r = self.nested(|e| e.validate_walk(v, w));
        w.shared.truncate(shared);
        self.alt_path.pop();
        self.reg.vertex = saved;
        r
    }

    fn report(&mut self, w: &mut Walk, e: ErrId) {
        if !w.config.all || !self.errors[e.i()].child_error {
            w.errs.push(e);
        }
    }

    fn validate_walk(&mut self, v: VId, w: &mut Walk) -> R<()> {
        if self.vx(v).is_shared()
            && let Some(c) = self.vx(v).conjuncts.last()
        {
            let pos = match c.item {
                Item::Val(val) => self.pos_of(val),
                _ => self.program.pos(self.conjunct_expr(c)),
            };
            w.shared.push(pos);
        }
        let mut x = self.deref(v);
        if x != v && (w.definitions > 0 || !w.visited.insert(x)) {
            return Ok(());
        }
        let e = self.bottom(x);
        if e.is_some() {
            let c = w.config;
            let open = w.definitions == 0;
            let report = match self.code(e) {
                Code::Cycle => (c.concrete || c.required) && open || c.no_cycles,
                Code::Incomplete => c.incomplete || c.concrete && open,
                _ => true,
            };
            if report {
                self.report(w, e);
            }
            if !self.errors[e.i()].has_recursive {
                return Ok(());
            }
        } else if w.config.concrete && w.definitions == 0 {
            x = self.default_vertex(x);
            let val = Val::bare(Data::Vertex(x));
            if !self.is_concrete(val) {
                let val = self.value(x);
                let pos = self.reg.src;
                let m = self.message_at(pos, "incomplete value {}", vec![Arg::Val(val)]);
                let shared = w.shared.clone();
                self.messages[m.i()].more.extend(shared);
                let e = self.error_at(Code::Incomplete, m, VId::NONE);
                self.report(w, e);
            }
        }
        let mut next = 0;
        while let Some(a) = self.vx(x).arcs.get(next).copied() {
            next += 1;
            self.validate_arc(x, a, w)?;
            if !w.config.all && !w.errs.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn validate_arc(&mut self, x: VId, a: VId, w: &mut Walk) -> R<()> {
        if self.vx(a).arc == ArcType::Required && w.config.required && w.definitions == 0 {
            let e = self.missing_field(a, &w.shared);
            self.report(w, e);
            return Ok(());
        }
        if self.vx(a).label.is_let() {
            return Ok(());
        }
        if self.vx(a).arc != ArcType::Member {
            if self.vx(x).status == Status::Finalized {
                return Ok(());
            }
            self.finalize_inner(a)?;
            if self.vx(a).arc != ArcType::Member {
                return Ok(());
            }
        }
        if self.vx(a).label.is_regular() {
            return self.validate_vertex(a, w);
        }
        w.definitions += 1;
        let r = self.validate_vertex(a, w);
        w.definitions -= 1;
        r
    }

    fn missing_field(&mut self, a: VId, shared: &[Pos]) -> ErrId {
        let saved = std::mem::replace(&mut self.reg.vertex, a);
        self.alt_path.push(a);
        let pos = self.reg.src;
        let m = self.message_at(pos, "field is required but not present", vec![]);
        self.alt_path.pop();
        self.reg.vertex = saved;
        let mut more = shared.to_vec();
        for c in &self.vx(a).conjuncts {
            if let Item::Decl(d) = c.item
                && let super::program::Decl::Field {
                    arc: ArcType::Required,
                    ..
                } = self.program.decl(d)
            {
                more.push(self.program.decl_pos(d));
            }
        }
        self.messages[m.i()].more.extend(more);
        self.error_at(Code::Incomplete, m, a)
    }

    /// The vertex of the default, where a value has exactly one; the vertex itself otherwise.
    pub fn default_vertex(&mut self, v: VId) -> VId {
        let v = self.deref(v);
        match self.vx(v).base.data {
            Data::Disj(d) => {
                let d = self.disjunction(d).clone();
                match d.defaults {
                    0 => v,
                    1 => match d.values[0].data {
                        Data::Vertex(w) => self.default_vertex(w),
                        _ => self.with_base(v, d.values[0]),
                    },
                    n => {
                        let values = d.values[..n].to_vec();
                        let d = super::value::Disjunction {
                            values,
                            defaults: 0,
                            has_defaults: false,
                        };
                        let base = self.new_disj(d, Pos::NONE);
                        self.with_base(v, base)
                    }
                }
            }
            Data::List(true) => self.with_base(v, Val::bare(Data::List(false))),
            _ => v,
        }
    }

    /// A finished copy of a vertex with another value.
    fn with_base(&mut self, v: VId, base: Val) -> VId {
        let mut x = self.vx(v).clone();
        x.base = base;
        x.state = super::vertex::NId::NONE;
        x.status = Status::Finalized;
        self.new_vertex(x)
    }
}
