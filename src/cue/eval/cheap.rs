//! Disjunctions of scalars and types on vertices without fields: no copies are needed for them.

use smallvec::{SmallVec, smallvec};

use super::context::Evaluator;
use super::disjunct::join;
use super::kind::{ArcType, Kind};
use super::library::R;
use super::node::{Alternative, Cond, DefaultMode, PendingDisjunction, Run, TaskState};
use super::program::{Expr, Op, Run as Items, XId};
use super::value::{Data, DisjId, Disjunction, Val};
use super::vertex::{Cyclic, EnvId, Item, Status, VId};
use crate::syntax::source::Pos;

/// A combination of alternatives so far.
#[derive(Clone, Copy)]
struct Partial {
    val: Val,
    mode: DefaultMode,
    /// Mark of the alternative that came last.
    last: DefaultMode,
}

type Partials = SmallVec<[Partial; 4]>;

impl Evaluator {
    /// Combines all pending disjunctions of a vertex if that takes no copies. False if the general
    /// way must be taken, also where nothing survives: it makes the errors.
    pub(crate) fn cheap_disjunctions(&mut self, v: VId, list: &[PendingDisjunction]) -> R<bool> {
        if list.is_empty() || !self.is_plain(v) {
            return Ok(false);
        }
        let n = self.n(v);
        let start = if n.scalar.is_unset() {
            Val::bare(Data::Kind(n.kind))
        } else {
            n.scalar
        };
        let mut cross: Partials = smallvec![Partial {
            val: start,
            mode: n.default_mode,
            last: n.orig_default_mode,
        }];
        for d in list {
            let alternatives: Option<SmallVec<[_; 4]>> = d
                .alternatives
                .iter()
                .map(|a| self.cheap_value(a).map(|val| (val, a.mode)))
                .collect();
            let Some(alternatives) = alternatives else {
                return Ok(false);
            };
            cross = self.cheap_step(&cross, &alternatives);
            if cross.is_empty() {
                return Ok(false);
            }
        }
        self.cheap_result(v, &list[0], cross).map(|()| true)
    }

    fn cheap_step(&self, cross: &[Partial], alternatives: &[(Val, DefaultMode)]) -> Partials {
        let (mut left_drops, mut right_drops) = (true, true);
        let mut tried = Partials::new();
        for p in cross {
            for (val, mode) in alternatives {
                let Some(val) = self.cheap_unify(p.val, *val) else {
                    continue;
                };
                left_drops &= p.mode != DefaultMode::Is && p.last != DefaultMode::Is;
                right_drops &= *mode != DefaultMode::Is;
                tried.push(Partial {
                    val,
                    mode: p.mode,
                    last: *mode,
                });
            }
        }
        let mut out = Partials::new();
        for mut p in tried {
            p.mode = join(p.mode, p.last, left_drops, right_drops);
            let same = out.iter_mut().find(|q| {
                q.val.data == p.val.data
                    || self.kind(q.val) == self.kind(p.val)
                        && self.scalar_op(Op::Equal, q.val, p.val) == Some(true)
            });
            match same {
                Some(q) if p.mode == DefaultMode::Is => q.mode = DefaultMode::Is,
                Some(_) => {}
                None => out.push(p),
            }
        }
        out
    }

    /// What two scalars or types have in common; the first one if they are equal.
    pub(crate) fn cheap_unify(&self, a: Val, b: Val) -> Option<Val> {
        let k = self.kind(a) & self.kind(b);
        if k == Kind::BOTTOM {
            return None;
        }
        match (a.data, b.data) {
            (Data::Kind(x), Data::Kind(_)) if x == k => Some(a),
            (Data::Kind(_), Data::Kind(x)) if x == k => Some(b),
            (Data::Kind(_), Data::Kind(_)) => Some(Val::bare(Data::Kind(k))),
            (Data::Kind(_), _) => Some(b),
            (_, Data::Kind(_)) => Some(a),
            _ => (self.scalar_op(Op::Equal, b, a) == Some(true)).then_some(a),
        }
    }

    fn cheap_result(&mut self, v: VId, d: &PendingDisjunction, out: Partials) -> R<()> {
        if let [p] = out[..] {
            let n = self.nm(v);
            if n.default_mode == DefaultMode::Maybe {
                n.default_mode = p.mode;
            }
            return self.insert_value(v, d.env, p.val, d.info);
        }
        let defaults = out.iter().filter(|p| p.mode == DefaultMode::Is).count();
        self.nm(v).cheap_disjunction = self.cheap_disjunction(out);
        if defaults == 1 {
            self.signal(v, Cond::SCALAR);
        }
        Ok(())
    }

    fn cheap_disjunction(&mut self, mut out: Partials) -> Val {
        let has_defaults = out.iter().any(|p| p.mode != DefaultMode::Maybe);
        let mut defaults = 0;
        for i in 0..out.len() {
            if out[i].mode == DefaultMode::Is {
                out.swap(defaults, i);
                defaults += 1;
            }
        }
        let values = out.into_iter().map(|p| p.val).collect();
        let d = Disjunction {
            values,
            defaults,
            has_defaults,
        };
        self.new_disj(d, Pos::NONE)
    }

    /// Whether a vertex is nothing but kinds and a scalar, with all other tasks done.
    fn is_plain(&self, v: VId) -> bool {
        let (n, x) = (self.n(v), self.vx(v));
        let busy = n.tasks.iter().any(|t| {
            let t = &self.tasks[t.i()];
            t.run != Run::Disjunctions && t.state < TaskState::Success
        });
        x.arcs.is_empty()
            && x.patterns().is_empty()
            && x.structs.is_empty()
            && !x.is_disjunct()
            && n.lower.is_unset()
            && n.upper.is_unset()
            && n.checks.is_empty()
            && n.cyclic_conjuncts.is_empty()
            && !n.errs.is_some()
            && !n.default_attempt.is_some()
            && !self.reg.errs.is_some()
            && !busy
    }

    /// Finishes a field whose conjuncts are literals, types and disjunctions of these, or are read
    /// off others that are finished, without working state. False if the general way must be taken,
    /// also where they conflict.
    pub(crate) fn finish_leaf(&mut self, a: VId) -> bool {
        let x = self.vx(a);
        let fresh = x.status == Status::Unprocessed && x.base.is_unset() && !x.state.is_some();
        if !fresh || x.arc > ArcType::Required || x.label.is_let() {
            return false;
        }
        let from_def = x.conjuncts.iter().any(|c| c.info.from_def);
        let outer = std::mem::replace(&mut self.reg.vertex, a);
        let val = self.leaf_value(a);
        self.reg.vertex = outer;
        let Some(val) = val else {
            return false;
        };
        self.begun += 1;
        let x = self.vm(a);
        x.base = val;
        x.status = Status::Finalized;
        x.set_closed_recursive(x.closed_recursive() || from_def);
        x.set_is_leaf(true);
        true
    }

    fn leaf_value(&mut self, a: VId) -> Option<Val> {
        let mut start = Val::bare(Data::Kind(Kind::TOP));
        let (mut choice, mut referred) = (None, None);
        let several = self.vx(a).conjuncts.len() > 1;
        for i in 0..self.vx(a).conjuncts.len() {
            let c = self.vx(a).conjuncts[i];
            if c.info.cycle > Cyclic::Optional || c.info.opened || c.info.conjunct_opened {
                return None;
            }
            let x = self.conjunct_expr(&c);
            let val = match self.program.expr(x) {
                Expr::Disjunction(items, marked) => {
                    if choice.replace((x, items, marked)).is_some() {
                        return None;
                    }
                    continue;
                }
                Expr::Interpolation(false, parts) => {
                    let mut text = Vec::with_capacity(32);
                    self.push_settled_parts(parts, c.env, &mut text)?;
                    let pos = self.program.pos(x);
                    self.string_at(std::str::from_utf8(&text).ok()?, pos)
                }
                // Alone, a reference would share what it refers to.
                Expr::Field { .. } | Expr::Selector { .. } | Expr::Index { .. } if several => {
                    let val = self.settled_leaf(x, c.env)?;
                    if let Data::Disj(d) = val.data {
                        if referred.replace(d).is_some() {
                            return None;
                        }
                        continue;
                    }
                    val
                }
                _ => self.cheap_item(c.item)?,
            };
            let both = self.is_concrete(start) && self.is_concrete(val);
            let joined = self.cheap_unify(start, val)?;
            if both || joined.data != start.data && joined.data != val.data {
                return None;
            }
            start = joined;
        }
        let val = match choice {
            Some((x, items, marked)) => self.leaf_choice(start, x, items, marked)?,
            None => Some(start).filter(|s| s.data != Data::Kind(Kind::TOP))?,
        };
        let alike = referred.is_none_or(|d| self.is_like(val, d));
        alike.then_some(val)
    }

    /// The scalar, or the choice of such, that a reference to a finished field means. A type is
    /// told with the place it was written at, which is not always that of the field.
    fn settled_leaf(&self, x: XId, env: EnvId) -> Option<Val> {
        let v = self.vx(self.settled_vertex(x, env)?);
        let known = v.is_leaf() && !matches!(v.base.data, Data::Kind(_));
        known.then_some(v.base)
    }

    /// Whether a value is a disjunction of the same alternatives in the same order, without
    /// defaults: both together are either.
    fn is_like(&self, val: Val, other: DisjId) -> bool {
        let Data::Disj(d) = val.data else {
            return false;
        };
        let (a, b) = (self.disjunction(d), self.disjunction(other));
        let data = |v: &Val| v.data;
        !a.has_defaults
            && !b.has_defaults
            && a.values.iter().map(data).eq(b.values.iter().map(data))
    }

    /// What a literal or type and a disjunction of such have in common.
    fn leaf_choice(&mut self, mut start: Val, x: XId, items: Items, marked: bool) -> Option<Val> {
        let alone = start.data == Data::Kind(Kind::TOP);
        if alone && let Some(val) = self.plain_disjunctions.get(&x) {
            return Some(*val);
        }
        if let Data::Kind(k) = start.data {
            start = Val::bare(Data::Kind(k));
        }
        let mut alternatives: SmallVec<[_; 4]> = SmallVec::new();
        for (x, default) in self.program.disjunct_list(items) {
            let item = Item::Expr(*x);
            let mode = Alternative::new(item, marked, *default).mode;
            alternatives.push((self.cheap_item(item)?, mode));
        }
        let none = DefaultMode::Maybe;
        let start = Partial {
            val: start,
            mode: none,
            last: none,
        };
        let out = self.cheap_step(&[start], &alternatives);
        match out[..] {
            [] => None,
            [p] => Some(p.val).filter(|val| self.is_concrete(*val)),
            _ => {
                let val = self.cheap_disjunction(out);
                if alone {
                    self.plain_disjunctions.insert(x, val);
                }
                Some(val)
            }
        }
    }

    fn cheap_value(&self, a: &Alternative) -> Option<Val> {
        match a.item {
            Item::Decl(_) => None,
            item => self.cheap_item(item),
        }
    }

    fn cheap_item(&self, item: Item) -> Option<Val> {
        let x = match item {
            Item::Val(val) => return self.cheap_literal(val),
            Item::Expr(x) => x,
            Item::Decl(d) => self.program.decl_value(d),
        };
        match self.program.expr(x) {
            Expr::Val(val) => self.cheap_literal(val),
            _ => None,
        }
    }

    /// A scalar or a type.
    pub(crate) fn cheap_literal(&self, val: Val) -> Option<Val> {
        match val.data {
            Data::Null
            | Data::Bool(_)
            | Data::Int(_)
            | Data::Num(_)
            | Data::Str(_)
            | Data::Bytes(_) => Some(val),
            Data::Kind(k) if k != Kind::TOP => Some(val),
            // An element that a function handed on.
            Data::Vertex(v) if self.vx(v).is_leaf() => {
                Some(self.vx(v).base).filter(|base| self.is_concrete(*base))
            }
            _ => None,
        }
    }
}
