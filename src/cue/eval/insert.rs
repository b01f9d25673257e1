//! Inserting evaluated values: scalars, types, bounds, validators.

use super::context::Evaluator;
use super::error::ErrId;
use super::kind::{ArcType, Kind};
use super::library::R;
use super::node::{Alternative, Cond, HAS_OPEN_VALIDATOR, HAS_TOP, Run, Source, Subject};
use super::program::Op;
use super::value::{Bound, Data, FuncId, Val, Validator};
use super::vertex::{CloseInfo, Conjunct, EnvId, Item, VId};

impl Evaluator {
    pub(crate) fn insert_value(&mut self, v: VId, env: EnvId, val: Val, info: CloseInfo) -> R<()> {
        match val.data {
            Data::Unset => return Ok(()),
            Data::Vertex(x) => return self.insert_vertex(v, env, val, x, info),
            Data::Err(e) => {
                self.unshare(v)?;
                if e != ErrId::NO_SHARING {
                    self.add_bottom(v, e);
                }
                return Ok(());
            }
            Data::Func(f) => {
                self.unshare(v)?;
                if let Some(val) = self.bare_validator(f, val) {
                    return self.insert_value(v, env, val, info);
                }
            }
            _ => {}
        }
        let kind = self.kind(val);
        if !self.update_type(v, kind, Source::Val(val), info) {
            return Ok(());
        }
        match val.data {
            Data::Disj(d) => {
                self.update_cyclic(v, info)?;
                self.unshare(v)?;
                let d = self.disjunction(d).clone();
                let alternatives = d
                    .values
                    .iter()
                    .enumerate()
                    .map(|(i, w)| Alternative::new(Item::Val(*w), d.has_defaults, i < d.defaults))
                    .collect();
                self.schedule_disjunction(v, env, info, alternatives)?;
            }
            Data::Conj(c) => {
                for w in self.conjunction(c).to_vec() {
                    self.insert_value(v, env, w, info)?;
                }
            }
            Data::Kind(Kind::TOP) => {
                self.update_cyclic(v, info)?;
                self.nm(v).has_top = true;
                self.add_evidence(v, info, HAS_TOP);
            }
            Data::Kind(_) => {
                self.unshare(v)?;
                self.update_cyclic(v, info)?;
                self.add_evidence(v, info, HAS_TOP);
            }
            Data::Bound(b) => {
                if self.insert_bound(v, env, val, self.bound(b), info)? {
                    return Ok(());
                }
            }
            Data::Validator(_) => {
                if self.insert_validator(v, env, val, kind, info)? {
                    return Ok(());
                }
            }
            _ => self.insert_scalar(v, val, kind, info)?,
        }
        self.join_bounds(v, env, info)
    }

    /// Lower and upper bound may exclude each other.
    fn join_bounds(&mut self, v: VId, env: EnvId, info: CloseInfo) -> R<()> {
        let n = self.n(v);
        let (lower, upper, kind) = (n.lower, n.upper, n.kind);
        if lower.is_unset() || upper.is_unset() {
            return Ok(());
        }
        let Some(u) = self.simplify_bounds(kind, lower, upper) else {
            return Ok(());
        };
        let n = self.nm(v);
        n.lower = Val::UNSET;
        n.upper = Val::UNSET;
        self.insert_value(v, env, u, info)
    }

    fn insert_scalar(&mut self, v: VId, val: Val, kind: Kind, info: CloseInfo) -> R<()> {
        self.unshare(v)?;
        self.update_cyclic(v, info)?;
        let old = self.n(v).scalar;
        if old.is_unset() {
            let n = self.nm(v);
            n.scalar = val;
            n.scalar_group = info.def;
            self.signal(v, Cond::SCALAR);
            return Ok(());
        }
        if self.scalar_op(Op::Equal, val, old) != Some(true) {
            let (k, g) = (self.kind(old), self.n(v).scalar_group);
            self.conflict_scalars(v, (val, kind, info.def), (old, k, g));
        }
        Ok(())
    }

    fn conflict_scalars(&mut self, v: VId, new: (Val, Kind, u32), old: (Val, Kind, u32)) {
        let a = (Source::Val(new.0), new.1, old.2);
        let b = (Source::Val(old.0), old.1, new.2);
        self.conflict(v, a, b);
    }

    /// A function of one parameter that answers with a bool is a validator as it stands.
    pub(crate) fn bare_validator(&mut self, f: FuncId, val: Val) -> Option<Val> {
        let func = self.funcs[f.0 as usize];
        if func.params.len() != 1 || func.result != Kind::BOOL && func.result != Kind::BOTTOM {
            return None;
        }
        let call = super::program::XId::NONE;
        Some(self.new_validator(
            Validator {
                func: f,
                call,
                args: Vec::new(),
            },
            val.pos,
        ))
    }

    fn insert_vertex(
        &mut self,
        v: VId,
        env: EnvId,
        val: Val,
        x: VId,
        mut info: CloseInfo,
    ) -> R<()> {
        let (here, recursive) = (self.vx(x).closed_here(), self.vx(x).closed_recursive());
        if here || recursive {
            if here {
                self.vm(v).set_closed_here(true);
            } else {
                self.vm(v).set_closed_recursive(true);
            }
            if !self.is_from_disjunction(x) {
                let pos = self.pos_of(val);
                info = self.add_resolver(v, pos, x, info, false);
            }
        }
        if self.vx(x).base.data == Data::Struct {
            self.nm(v).a_struct = true;
            self.update_type(v, Kind::STRUCT, Source::Val(val), info);
        }
        if !self.is_data(x) {
            self.update_cyclic(v, info)?;
            let c = Conjunct {
                item: Item::Val(val),
                env,
                info,
            };
            return self.schedule_vertex_conjuncts(v, c, x, info);
        }
        let base = self.vx(x).base;
        match base.data {
            Data::List(_) => {
                self.update_cyclic(v, info)?;
                self.schedule(v, Run::ListVertex, env, Subject::Vertex(x), info)?;
            }
            Data::Struct => {
                for a in self.vx(x).arcs.clone() {
                    let (label, arc) = (self.vx(a).label, self.vx(a).arc);
                    if arc != ArcType::Member {
                        continue;
                    }
                    let item = Item::Val(Val::bare(Data::Vertex(a)));
                    self.insert_arc(
                        v,
                        label,
                        arc,
                        Conjunct {
                            item,
                            env: EnvId::NONE,
                            info,
                        },
                        info,
                        true,
                    )?;
                }
                let structs = self.vx(x).structs.clone();
                self.vm(v).structs.extend(structs);
            }
            _ => self.insert_value(v, env, base, info)?,
        }
        Ok(())
    }

    fn is_from_disjunction(&self, mut x: VId) -> bool {
        loop {
            let vertex = self.vx(x);
            if vertex.is_disjunct() {
                return true;
            }
            match vertex.base.data {
                Data::Vertex(y) => x = y,
                Data::Disj(_) => return true,
                _ => return false,
            }
        }
    }

    /// True if nothing is left to do.
    fn insert_bound(&mut self, v: VId, env: EnvId, val: Val, b: Bound, info: CloseInfo) -> R<bool> {
        self.unshare(v)?;
        self.update_cyclic(v, info)?;
        let kind = self.n(v).kind;
        match b.op {
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                let lower = matches!(b.op, Op::Greater | Op::GreaterEqual);
                let old = if lower {
                    self.n(v).lower
                } else {
                    self.n(v).upper
                };
                let mut new = val;
                if !old.is_unset()
                    && let Some(w) = self.simplify_bounds(kind, val, old)
                {
                    if w.err().is_some() {
                        return self.insert_value(v, env, w, info).map(|()| true);
                    }
                    new = w;
                }
                let n = self.nm(v);
                if lower {
                    n.lower = new;
                } else {
                    n.upper = new;
                }
                return Ok(false);
            }
            Op::Equal | Op::NotEqual => {
                self.add_evidence(v, info, HAS_OPEN_VALIDATOR | HAS_TOP);
                if self.bound_kind(b).meets(Kind::COMPOSITE) {
                    self.nm(v).has_top = true;
                }
            }
            _ => {}
        }
        let mut found = false;
        for c in std::mem::take(&mut self.nm(v).checks) {
            let mut keep = true;
            if let Item::Val(y) = c.item
                && let Data::Bound(_) = y.data
                && let Some(w) = self.simplify_bounds(kind, val, y)
            {
                if self.identical(w, y) {
                    found = true;
                } else if self.identical(w, val) {
                    keep = false;
                }
            }
            if keep {
                self.nm(v).checks.push(c);
            }
        }
        if !found {
            self.nm(v).checks.push(Conjunct {
                item: Item::Val(val),
                env,
                info,
            });
        }
        Ok(true)
    }

    /// True if nothing is left to do.
    fn insert_validator(
        &mut self,
        v: VId,
        env: EnvId,
        val: Val,
        kind: Kind,
        info: CloseInfo,
    ) -> R<bool> {
        self.unshare(v)?;
        let Data::Validator(id) = val.data else {
            return Ok(true);
        };
        if kind.meets(Kind::COMPOSITE) {
            let open = self.funcs[self.validator(id).func.0 as usize].non_concrete;
            self.add_evidence(
                v,
                info,
                if open {
                    HAS_OPEN_VALIDATOR | HAS_TOP
                } else {
                    HAS_TOP
                },
            );
        }
        let new = Conjunct {
            item: Item::Val(val),
            env,
            info,
        };
        for (i, check) in self.n(v).checks.clone().into_iter().enumerate() {
            if let Item::Val(y) = check.item
                && self.same_validator(val, y)?
            {
                // Comparing evaluates the arguments, which may have finished this very value.
                if let Some(old) = self.nm(v).checks.get_mut(i) {
                    *old = new;
                }
                return Ok(true);
            }
        }
        self.nm(v).checks.push(new);
        if kind == Kind::TOP {
            self.nm(v).has_top = true;
        }
        self.update_type(v, kind, Source::Val(val), info);
        Ok(false)
    }

    fn same_validator(&mut self, a: Val, b: Val) -> R<bool> {
        let (Data::Validator(a), Data::Validator(b)) = (a.data, b.data) else {
            return Ok(false);
        };
        if a == b {
            return Ok(true);
        }
        let (x, y) = (self.validator(a).clone(), self.validator(b).clone());
        if x.func != y.func || x.args.len() != y.args.len() {
            return Ok(false);
        }
        for (p, q) in x.args.iter().zip(&y.args) {
            for w in [p, q] {
                if let Data::Vertex(w) = w.data {
                    self.finalize_inner(w)?;
                }
            }
            if !self.equal(*p, *q, super::equal::STRUCTURAL)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
