//! Fields of a vertex: making them, adding conjuncts, pattern constraints.

use super::context::Evaluator;
use super::error::Arg;
use super::kind::{ArcType, Code, Kind};
use super::label::Label;
use super::library::R;
use super::node::{Cond, Flags, Mode};
use super::program::Op;
use super::value::{Bound, Data, Val};
use super::vertex::{CloseInfo, Conjunct, Cyclic, Env, Item, Pattern, Status, VId, Vertex};

/// More arcs than this are found through an index.
const LINEAR: usize = 12;

impl Evaluator {
    /// The arc of a label as it is, whatever its type.
    pub(crate) fn arc_raw(&self, v: VId, label: Label) -> Option<VId> {
        let x = self.vx(v);
        let has_label = |a: &VId| self.v[a.i()].label == label;
        match x.index() {
            Some(index) => index.get(&label).copied(),
            None if x.arcs.len() > LINEAR => {
                let place = label.is_int().then(|| x.arcs.get(label.index()))?;
                place.copied().filter(has_label)
            }
            None => x.arcs.iter().copied().find(has_label),
        }
    }

    pub(crate) fn push_arc(&mut self, v: VId, arc: VId) {
        let label = self.vx(arc).label;
        let x = self.vm(v);
        x.arcs.push(arc);
        let place = x.arcs.len() - 1;
        if let Some(index) = x.index_mut() {
            index.entry(label).or_insert(arc);
        } else if place == LINEAR || place > LINEAR && label != Label::index_of(place) {
            self.index_arcs(v);
        }
    }

    /// Makes an index of the arcs of a vertex where there are many. The elements of a list are
    /// found by their place, if nothing stands between them.
    pub(crate) fn index_arcs(&mut self, v: VId) {
        self.vm(v).set_index(None);
        let arcs = &self.vx(v).arcs;
        let is_element = |(i, a): (usize, &VId)| self.v[a.i()].label == Label::index_of(i);
        if arcs.len() <= LINEAR || arcs.iter().enumerate().all(is_element) {
            return;
        }
        let mut index = rustc_hash::FxHashMap::default();
        for a in &self.vx(v).arcs {
            index.entry(self.v[a.i()].label).or_insert(*a);
        }
        self.vm(v).set_index(Some(Box::new(index)));
    }

    /// Removes arcs that never came.
    pub(crate) fn drop_absent(&mut self, v: VId) {
        let absent = |e: &Evaluator, a: &VId| e.v[a.i()].arc == ArcType::NotPresent;
        if !self.vx(v).arcs.iter().any(|a| absent(self, a)) {
            return;
        }
        let mut arcs = std::mem::take(&mut self.vm(v).arcs);
        arcs.retain(|a| {
            let gone = absent(self, a);
            if gone && self.vx(*a).status == Status::Finalized && self.n(*a).ref_count == 0 {
                self.free_state(*a);
            }
            !gone
        });
        self.vm(v).arcs = arcs;
        self.index_arcs(v);
    }

    pub(crate) fn clear_arcs(&mut self, v: VId) {
        let x = self.vm(v);
        x.set_index(None);
        for a in std::mem::take(&mut x.arcs) {
            self.discard(a);
        }
    }

    pub(crate) fn get_arc(&mut self, v: VId, label: Label, arc: ArcType) -> (VId, bool) {
        if let Some(a) = self.arc_raw(v, label) {
            if label.is_let() {
                self.vm(a).set_multi_let(true);
            }
            self.update_arc_type(a, arc);
            return (a, false);
        }
        let x = self.vx(v);
        let mut a = Vertex::new(v, label, arc);
        a.set_non_rooted(x.dynamic() || x.non_rooted());
        a.set_anonymous(x.anonymous() || x.label.is_let());
        if self.n(v).frozen.any(Cond::FIELD_SET) {
            let e = self.errf(
                "adding field {} not allowed as field set was already referenced",
                vec![Arg::Label(label)],
            );
            self.add_error(e);
            a.arc = ArcType::NotPresent;
        }
        let a = self.new_vertex(a);
        self.push_arc(v, a);
        (a, true)
    }

    pub(crate) fn update_arc_type(&mut self, a: VId, t: ArcType) {
        let x = self.vx(a);
        if x.arc == ArcType::Pending && x.state.is_some() && self.n(a).frozen.has(Cond::ARC_TYPE) {
            let (parent, label, pos) = (x.parent, x.label, self.reg.src);
            let code = self.field_error_code(parent, label);
            let m = self.message_at(pos, "cyclic reference to field {}", vec![Arg::Label(label)]);
            let e = self.error_at(code, m, parent);
            self.add_error(e);
            return;
        }
        if t >= x.arc || x.arc == ArcType::NotPresent {
            return;
        }
        let parent = x.parent;
        if parent.is_some() && self.vx(parent).arc == ArcType::Pending && self.has_state(parent) {
            // What unsharing copies runs later; nothing of it can wait here.
            let _ = self.unshare(parent);
        }
        self.vm(a).arc = t;
    }

    fn find_conjunct(&self, v: VId, c: &Conjunct) -> Option<Conjunct> {
        self.vx(v)
            .conjuncts
            .iter()
            .copied()
            .find(|x| same_item(x.item, c.item) && self.same_env(x.env, c.env))
    }

    fn same_env(&self, a: super::vertex::EnvId, b: super::vertex::EnvId) -> bool {
        let (x, y) = (self.envs[a.i()], self.envs[b.i()]);
        a == b || x.up == y.up && x.vertex == y.vertex
    }

    fn add_to_arc(
        &mut self,
        a: VId,
        c: Conjunct,
        info: CloseInfo,
        arc: ArcType,
        check: bool,
    ) -> R<bool> {
        if self.vx(a).status == Status::Finalized || self.is_over() {
            return Ok(false);
        }
        // Each is some bytes: a long row of them is not in the cache.
        self.looked(a, 4 * self.vx(a).conjuncts.len());
        let old = check.then(|| self.find_conjunct(a, &c)).flatten();
        if old.is_some() || arc == ArcType::Pending || self.vx(a).arc == ArcType::Pending {
            self.bare_state(a);
        } else if !self.has_state(a) {
            self.place(a);
            self.update_arc_type(a, arc);
            self.vm(a).conjuncts.push(c);
            return Ok(true);
        }
        self.mark_non_cyclic(a, info);
        self.update_arc_type(a, arc);
        match old {
            None => self.vm(a).conjuncts.push(c),
            Some(old) if old.info.def != 0 => self.replace_group(a, info.def, old.info.def),
            Some(_) => {}
        }
        if self.n(a).initialized {
            self.schedule_conjunct(a, c, info)?;
        }
        let mut i = 0;
        while let Some(r) = self.n(a).notify.get(i).copied() {
            i += 1;
            if self.has_state(r.vertex) && self.vx(r.vertex).status != Status::Finalized {
                if !self.n(r.vertex).initialized {
                    self.state(r.vertex)?;
                }
                self.schedule_conjunct(r.vertex, c, r.info)?;
            }
        }
        Ok(old.is_none())
    }

    pub(crate) fn insert_arc(
        &mut self,
        v: VId,
        label: Label,
        arc: ArcType,
        c: Conjunct,
        info: CloseInfo,
        check: bool,
    ) -> R<VId> {
        let (a, _) = self.get_arc(v, label, arc);
        let saved = std::mem::replace(&mut self.reg.vertex, a);
        let r = self.insert_into(v, a, arc, c, info, check);
        self.reg.vertex = saved;
        r.map(|()| a)
    }

    fn insert_into(
        &mut self,
        v: VId,
        a: VId,
        arc: ArcType,
        c: Conjunct,
        info: CloseInfo,
        check: bool,
    ) -> R<()> {
        if !self.add_to_arc(a, c, info, arc, check)? {
            return Ok(());
        }
        let label = self.vx(a).label;
        let mut i = 0;
        while let Some(p) = self.vx(v).patterns().get(i).cloned() {
            i += 1;
            self.looked(a, 4);
            if self.matches_pattern(p.pattern, label)? {
                for c in self.vx(p.constraint).conjuncts.clone() {
                    self.add_constraint(a, arc, c, check)?;
                }
            }
        }
        Ok(())
    }

    fn add_constraint(&mut self, a: VId, arc: ArcType, mut c: Conjunct, check: bool) -> R<()> {
        let label = self.vx(a).label;
        let env = self.envs[c.env.i()];
        c.env = self.push_env(Env { label, ..env });
        self.add_to_arc(a, c, c.info, arc, check).map(|_| ())
    }

    pub(crate) fn insert_pattern(&mut self, v: VId, pattern: Val, c: Conjunct) -> R<()> {
        if !self.insert_constraint(v, pattern, c)? {
            return Ok(());
        }
        let mut i = 0;
        while let Some(a) = self.vx(v).arcs.get(i).copied() {
            i += 1;
            let (label, arc) = (self.vx(a).label, self.vx(a).arc);
            self.looked(a, 4);
            if arc != ArcType::Pending && self.matches_pattern(pattern, label)? {
                self.add_constraint(a, arc, c, true)?;
            }
        }
        Ok(())
    }

    fn insert_constraint(&mut self, v: VId, pattern: Val, c: Conjunct) -> R<bool> {
        let mut found = VId::NONE;
        for p in self.vx(v).patterns().to_vec() {
            if self.equal(p.pattern, pattern, 0)? {
                found = p.constraint;
                break;
            }
        }
        if found.is_some() {
            if let Some(old) = self.find_conjunct(found, &c) {
                self.replace_group(v, c.info.def, old.info.def);
                return Ok(false);
            }
        } else {
            let mut x = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
            x.set_is_pattern(true);
            found = self.new_vertex(x);
            let constraint = found;
            let p = Pattern {
                pattern,
                constraint,
            };
            self.vm(v).patterns_mut().push(p);
        }
        self.vm(found).conjuncts.push(c);
        Ok(true)
    }

    pub(crate) fn matches_pattern(&mut self, pattern: Val, label: Label) -> R<bool> {
        if pattern.is_unset() || !label.is_regular() {
            return Ok(false);
        }
        if let Data::Vertex(p) = pattern.data {
            self.unify(p, Flags::new(Cond::SCALAR, Mode::Finalize))?;
        }
        let pattern = self.unwrap(pattern);
        let k = if label.is_string() {
            Kind::STRING
        } else {
            Kind::INT
        };
        if let Some(e) = pattern.err() {
            if !k.meets(self.kind(pattern)) && e != super::error::ErrId::CYCLE {
                return Ok(false);
            }
        } else if !k.meets(self.kind(pattern)) {
            return Ok(false);
        }
        match pattern.data {
            Data::Err(_) => {
                self.add_errf(Code::Eval, pattern.pos, "cyclic pattern constraint", vec![]);
                Ok(false)
            }
            Data::Kind(x) => Ok(k.within(x)),
            Data::Bound(b) => {
                let b = self.bound(b);
                self.label_in_bound(b, label)
            }
            Data::Int(_) | Data::Num(_) => {
                let i = self.number(pattern).and_then(|n| n.value.to_i64());
                Ok(label.is_int() && i == Some(label.index() as i64))
            }
            Data::Str(s) => Ok(label.is_string() && label.name() == s),
            Data::Conj(c) => {
                for p in self.conjunction(c).to_vec() {
                    if !self.matches_pattern(p, label)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Data::Disj(d) => {
                for p in self.disjunction(d).values.clone() {
                    if self.matches_pattern(p, label)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => {
                let label = self.label_value(label);
                let items = [Item::Val(pattern), Item::Val(label)];
                let (env, info) = (self.reg.env, self.reg.info);
                let n = self.inline_vertex(items.map(|item| Conjunct { item, env, info }));
                self.finalize_inner(n)?;
                Ok(!self.is_err(n))
            }
        }
    }

    fn label_in_bound(&mut self, b: Bound, label: Label) -> R<bool> {
        let kind = self.bound_kind(b);
        let fits = match kind {
            Kind::STRING => label.is_string(),
            Kind::NUMBER => label.is_int(),
            _ => true,
        };
        if !fits {
            return Ok(false);
        }
        let value = self.label_value(label);
        if matches!(b.op, Op::Match | Op::NotMatch) && self.str(b.value).is_some() {
            let saved = self.take_err();
            let r = self.binary_values(crate::syntax::source::Pos::NONE, b.op, value, b.value)?;
            let failed = r.err().unwrap_or_else(|| self.take_err());
            self.reg.errs = self.combine(saved, failed);
            return Ok(r.data == Data::Bool(true));
        }
        match self.scalar_op(b.op, value, b.value) {
            Some(r) => Ok(r),
            None => Ok(b.op == Op::NotEqual),
        }
    }

    pub(crate) fn inline_vertex(&mut self, conjuncts: impl IntoIterator<Item = Conjunct>) -> VId {
        let mut x = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        x.set_dynamic(true);
        x.conjuncts = conjuncts.into_iter().collect();
        x.set_anonymous(self.reg.detached > 0);
        let v = self.new_vertex(x);
        if let Some(t) = self.current() {
            let owner = self.tasks[t.i()].node;
            if self.has_state(owner) {
                self.nm(owner).temporaries.push(v);
            }
        }
        v
    }

    pub(crate) fn mark_non_cyclic(&mut self, v: VId, info: CloseInfo) {
        if info.cycle <= Cyclic::Optional {
            self.nm(v).has_non_cyclic = true;
        }
    }
}

#[inline]
fn same_item(a: Item, b: Item) -> bool {
    match (a, b) {
        (Item::Val(x), Item::Val(y)) => {
            x.data == y.data && x.pos == y.pos && !matches!(x.data, Data::Unset)
        }
        _ => a == b,
    }
}
