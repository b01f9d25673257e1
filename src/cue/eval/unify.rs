//! Bringing a vertex to where what is asked for is known.

use smallvec::{SmallVec, smallvec};

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::{ArcType, Code, Kind};
use super::library::R;
use super::limit::FAR_LOOKS;
use super::node::{Cond, Flags, Mode};
use super::value::{Data, Val};
use super::vertex::{Conjunct, Cyclic, EnvId, Item, Status, VId};

impl Evaluator {
    /// Evaluates a vertex and everything below it.
    pub fn finalize(&mut self, v: VId) {
        // Without a running task nothing can wait.
        let _ = self.finalize_inner(v);
    }

    pub(crate) fn finalize_inner(&mut self, v: VId) -> R<()> {
        let saved = self.take_err();
        let r = self.unify(v, Flags::new(Cond::ALL, Mode::Finalize).typos());
        self.reg.errs = saved;
        r.map(|_| ())
    }

    /// Finalizes a vertex; one that is under evaluation without a look at what is not allowed.
    pub(crate) fn finalize_early(&mut self, v: VId) -> R<()> {
        let saved = self.take_err();
        let typos = !self.has_state(v);
        let flags = Flags::new(Cond::ALL, Mode::Finalize);
        let r = self.unify(v, Flags { typos, ..flags });
        self.reg.errs = saved;
        r.map(|_| ())
    }

    pub(crate) fn complete_arcs_only(&mut self, v: VId) -> R<()> {
        self.unify(
            v,
            Flags::new(Cond::ALL.without(Cond::SUB_FIELDS), Mode::Finalize),
        )?;
        if self.vx(v).arc == ArcType::Pending {
            let label = self.vx(v).label;
            let pos = self.reg.src;
            self.add_errf(
                Code::Incomplete,
                pos,
                "undefined field: {}",
                vec![Arg::Label(label)],
            );
        }
        Ok(())
    }

    pub(crate) fn unify(&mut self, v: VId, flags: Flags) -> R<bool> {
        if flags.mode == Mode::Ignore {
            return Ok(false);
        }
        if self.is_over() {
            self.give_up(v);
            return Ok(true);
        }
        if !self.state(v)? {
            return Ok(true);
        }
        self.came_back |= self.has_depth_cycle(v);
        self.hold(v);
        let depth = self.n(v).eval_depth;
        let saved = (self.reg.vertex, self.reg.eval_depth);
        let r = self.deeper(v, |e| e.unify_inner(v, flags));
        (self.reg.vertex, self.reg.eval_depth) = saved;
        if self.has_state(v) {
            self.nm(v).eval_depth = depth;
            self.let_go(v);
            if self.vx(v).status == Status::Finalized {
                self.reclaim(v);
            }
        }
        r
    }

    fn unify_inner(&mut self, v: VId, flags: Flags) -> R<bool> {
        let Flags {
            cond: needs, mode, ..
        } = flags;
        let parent = self.vx(v).parent;
        if !self.vx(v).rooted() || self.child_conjuncts_known(parent)? || mode == Mode::Finalize {
            self.signal(v, Cond::ANCESTORS);
        }
        let own = needs.without(Cond::SUB_FIELDS);
        if self.vx(v).base.is_unset() {
            self.vm(v).base = Val::CYCLE;
        }
        self.update_scalar(v);
        if own == Cond::AUTO_UNBLOCK && self.n(v).meets(own) {
            return Ok(true);
        }
        if self.vx(v).status == Status::Evaluating && self.n(v).eval_depth == self.reg.eval_depth {
            let wait = matches!(mode, Mode::Finalize | Mode::Yield);
            if !wait && !needs.any(Cond::FIELD_SET) {
                return Ok(false);
            }
        }
        self.vm(v).status = Status::Evaluating;
        self.nm(v).eval_depth = self.reg.eval_depth;
        self.flush_cyclic(v)?;
        self.process(v, own, mode)?;
        if self.is_over() {
            self.give_up(v);
            return Ok(true);
        }
        if !self.has_state(v) {
            return Ok(true);
        }
        if self.vx(v).arc != ArcType::Pending
            && self.n(v).meets(Cond::ANCESTORS)
            && self.all_tasks_finished(v)
        {
            self.signal(v, Cond::ARC_TYPE);
        }
        self.reg.vertex = v;
        let w = self.deref_disjunct(v);
        if w != v {
            return Ok(self.follow_disjunct(v, w, needs));
        }
        self.update_scalar(v);
        if !self.n(v).meets(own) && mode != Mode::Finalize {
            return Ok(false);
        }
        self.settle_base(v, flags)?;
        self.complete(v, flags)
    }

    fn follow_disjunct(&mut self, v: VId, w: VId, needs: Cond) -> bool {
        let (closed, status, errs) = {
            let w = self.vx(w);
            (w.closed_recursive(), w.status, w.child_errors())
        };
        let errs = self.combine(self.vx(v).child_errors(), errs);
        let x = self.vm(v);
        x.set_closed_recursive(closed);
        x.status = status;
        x.set_child_errors(errs);
        self.clear_arcs(v);
        status == Status::Finalized || self.n(w).meets(needs)
    }

    fn settle_base(&mut self, v: VId, flags: Flags) -> R<()> {
        if self.n(v).shared {
            if self.is_cycle(self.n(v).share_base) {
                self.nm(v).share_base = Val::UNSET;
            }
        } else {
            if self.is_cycle(self.vx(v).base) {
                self.vm(v).base = Val::UNSET;
            }
            self.validate_base(v)?;
        }
        if let Data::Vertex(w) = self.vx(v).base.data
            && self.n(v).share_cycle == Cyclic::No
        {
            if self.has_depth_cycle(w) {
                self.report_cycle(v);
                return Ok(());
            }
            self.unify(w, flags)?;
        }
        Ok(())
    }

    fn complete(&mut self, v: VId, flags: Flags) -> R<bool> {
        let Flags {
            cond: needs, mode, ..
        } = flags;
        if self.n(v).completed.any(Cond::SUB_FIELDS) {
        } else if needs.any(Cond::SUB_FIELDS) {
            if mode == Mode::Finalize && self.attempted == v && self.has_certain_typo(v) {
                self.nm(v).rejected = true;
                return Ok(true);
            }
            if !self.assert_structural_cycle(v)
                && self.vx(v).status != Status::Finalized
                && self.n(v).kind != Kind::BOTTOM
            {
                self.complete_all_arcs(v, flags)?;
            }
            if self.is_over() {
                self.give_up(v);
                return Ok(true);
            }
            if mode == Mode::Finalize {
                self.signal(v, Cond::SUB_FIELDS);
            }
            self.run_checks(v)?;
        } else if needs.any(Cond::FIELD_SET) {
            self.eval_arc_types(v, mode)?;
        }
        let err = {
            let own = self.take_err();
            self.combine(self.n(v).errs, own)
        };
        self.nm(v).errs = ErrId::NONE;
        if err.is_some() {
            let base = self.bottom(v);
            let err = self.combine(base, err);
            self.vm(v).base = Val::bare(Data::Err(err));
        }
        self.finalize_disjunctions(v);
        if mode == Mode::Attempt {
            return Ok(self.n(v).meets(needs));
        }
        let met = self.n(v).completed.and(needs);
        if met != Cond::NONE {
            self.signal(v, met);
        }
        self.finish(v, flags)
    }

    fn finish(&mut self, v: VId, flags: Flags) -> R<bool> {
        let needs = flags.cond;
        let w = self.deref(v);
        if w != v {
            return self.finish_shared(v, w, flags);
        }
        if !self.n(v).completed.any(Cond::SUB_FIELDS) {
            return Ok(self.n(v).meets(needs));
        }
        self.reg.eval_depth += 1;
        let n = self.n(v);
        let block = n.has_top && !n.has_struct;
        if n.is_def && !block {
            self.vm(v).set_closed_recursive(true);
        }
        if flags.typos {
            self.check_typos(v)?;
        }
        self.vm(v).status = Status::Finalized;
        Ok(self.n(v).meets(needs))
    }

    fn finish_shared(&mut self, v: VId, w: VId, flags: Flags) -> R<bool> {
        self.clear_arcs(v);
        self.vm(v).set_child_errors(ErrId::NONE);
        if !self.n(v).completed.any(Cond::SUB_FIELDS) {
            if self.vx(w).status == Status::Unprocessed {
                self.unify(
                    w,
                    Flags {
                        typos: false,
                        ..flags
                    },
                )?;
            }
            return Ok(self.n(v).meets(flags.cond));
        }
        let (closed, ellipsis, status) = {
            let w = self.vx(w);
            (w.closed_recursive(), w.has_ellipsis(), w.status)
        };
        let x = self.vm(v);
        x.set_closed_recursive(x.closed_recursive() || closed);
        x.set_has_ellipsis(x.has_ellipsis() || ellipsis);
        x.status = status;
        self.finalize_sharing(v)?;
        if self.is_above(v, w) || self.target_in_cycle(w)? {
            self.report_cycle(v);
            return Ok(true);
        }
        self.unify(w, flags)?;
        self.shorten(v);
        Ok(true)
    }

    /// Lets a vertex point past a target that is shared itself, so that chains stay short.
    fn shorten(&mut self, v: VId) {
        if let Data::Vertex(w) = self.vx(v).base.data
            && self.vx(w).is_shared()
            && self.vx(w).status == Status::Finalized
            && let Data::Vertex(next) = self.vx(w).base.data
            && !self.vx(next).is_disjunct()
        {
            self.vm(v).base.data = Data::Vertex(next);
        }
    }

    /// Checks that see the whole struct or list.
    fn run_checks(&mut self, v: VId) -> R<()> {
        let val = self.value(v);
        if val.is_unset() || !self.is_concrete(val) {
            return Ok(());
        }
        // A function that asks for a value that is in error already says nothing of its own.
        let mut mute = None;
        for c in std::mem::take(&mut self.nm(v).checks) {
            let Item::Val(check) = c.item else { continue };
            if self.wants_a_value(check) && *mute.get_or_insert(self.n(v).errs.is_some()) {
                continue;
            }
            let e = self.validate_check(check, c, Val::bare(Data::Vertex(v)))?;
            self.add_bottom(v, e);
        }
        Ok(())
    }

    /// Whether a check is a function that is given concrete values alone.
    fn wants_a_value(&self, check: Val) -> bool {
        match check.data {
            Data::Validator(id) => !self.funcs[self.validator(id).func.0 as usize].non_concrete,
            _ => false,
        }
    }

    pub(crate) fn validate_check(&mut self, check: Val, c: Conjunct, val: Val) -> R<ErrId> {
        let saved = (self.reg.src, self.reg.info, self.reg.env);
        self.reg.src = check.pos;
        self.reg.info = c.info;
        self.reg.env = c.env;
        let r = match check.data {
            Data::Bound(_) => self.validate_bound(check, val),
            Data::Validator(_) => self.validate_validator(check, val),
            _ => Ok(ErrId::NONE),
        };
        (self.reg.src, self.reg.info, self.reg.env) = saved;
        r
    }

    pub(crate) fn update_scalar(&mut self, v: VId) {
        let scalar = self.n(v).scalar;
        if scalar.is_unset() || self.is_err(v) && !self.is_cycle(self.vx(v).base) {
            return;
        }
        let disjunct = match self.vx(v).base.data {
            Data::Vertex(w) => self.vx(w).is_disjunct(),
            _ => false,
        };
        if !disjunct {
            self.vm(v).base = scalar;
        }
        self.signal(v, Cond::SCALAR);
    }

    /// Decides the value of a vertex from what its conjuncts said, before its fields.
    fn validate_base(&mut self, v: VId) -> R<()> {
        let n = self.n(v);
        let mut mark = n.a_struct;
        if !mark && !self.vx(v).structs.is_empty() {
            mark = n.kind.meets(Kind::STRUCT) && !n.has_top
                || self.vx(v).arcs.iter().any(|a| {
                    let a = self.vx(*a);
                    a.label.is_regular() && a.arc != ArcType::Optional
                });
        }
        if self.vx(v).base.is_unset() && mark {
            // No struct has bounds: one that meets some has a field that does not fit.
            self.vm(v).base = Val::bare(Data::Struct);
            return Ok(());
        }
        let val = self.value(self.deref(v));
        if val.is_unset() || !self.is_concrete(val) {
            let base = self.validators(v);
            self.vm(v).base = base;
            return Ok(());
        }
        for bound in [self.n(v).lower, self.n(v).upper] {
            if bound.is_unset() {
                continue;
            }
            let c = Conjunct {
                item: Item::Val(bound),
                env: EnvId::NONE,
                info: Default::default(),
            };
            let e = self.validate_check(bound, c, val)?;
            if e.is_some() {
                let extra = [self.pos_of(bound), self.pos_of(val)];
                let messages = self.errors[e.i()].messages.clone();
                self.looked(v, 2 * messages.len());
                for m in messages {
                    self.messages[m.i()].more.extend(extra);
                }
                self.add_bottom(v, e);
            }
        }
        Ok(())
    }

    /// The value of a vertex that has no concrete one: bounds, checks, and its kind.
    pub(crate) fn validators(&mut self, v: VId) -> Val {
        let n = self.n(v);
        let (lower, upper, kind) = (n.lower, n.upper, n.kind);
        let mut parts: Vec<Val> = [lower, upper]
            .into_iter()
            .filter(|b| !b.is_unset())
            .collect();
        for c in self.n(v).checks.clone() {
            let Item::Val(check) = c.item else { continue };
            if let Data::Bound(b) = check.data
                && self.bound(b).op == super::program::Op::NotEqual
            {
                let out = |e: &mut Evaluator, b: Val| {
                    !b.is_unset() && e.simplify_bounds(kind, b, check).is_some()
                };
                if out(self, upper) || out(self, lower) {
                    continue;
                }
            }
            parts.push(check);
        }
        let all = parts.iter().fold(Kind::TOP, |k, p| k & self.kind(*p));
        if !all.within(kind) {
            let pos = self.source_pos(self.n(v).kind_src);
            parts.push(Val::new(Data::Kind(kind), pos));
        }
        match parts.len() {
            0 => Val::bare(Data::Kind(kind)),
            1 => parts[0],
            _ => self.new_conj(parts, crate::syntax::source::Pos::NONE),
        }
    }

    fn source_pos(&self, s: super::node::Source) -> crate::syntax::source::Pos {
        match s {
            super::node::Source::Val(v) => self.pos_of(v),
            super::node::Source::Expr(x) => self.program.pos(x),
            super::node::Source::Struct(s) => self.program.struct_lit(s).pos,
            super::node::Source::None => crate::syntax::source::Pos::NONE,
        }
    }

    fn complete_all_arcs(&mut self, v: VId, flags: Flags) -> R<()> {
        self.complete_node_tasks(v, Mode::Finalize)?;
        self.reg.eval_depth += 1;
        let typos = flags.typos && !self.n(v).has_disjunction;
        let flags = Flags { typos, ..flags };
        let mut left = SmallVec::new();
        let mut i = 0;
        while let Some(a) = self.vx(v).arcs.get(i).copied()
            && !self.is_over()
        {
            i += 1;
            if self.is_left_out(v, a) {
                continue;
            }
            if self.vx(a).arc == ArcType::Optional && !self.eager_optional {
                left.push(a);
            } else {
                self.complete_arc(v, a, flags)?;
            }
        }
        self.complete_left(v, left, flags)?;
        self.reg.eval_depth -= 1;
        self.drop_absent(v);
        let mut failed = Vec::new();
        for a in &self.vx(v).arcs {
            let x = self.vx(*a);
            if !x.label.is_let() && x.arc <= ArcType::Required {
                let e = self.bottom(*a);
                if e.is_some() {
                    failed.push(e);
                }
            }
        }
        if !failed.is_empty() {
            self.add_child_errors(v, &failed);
        }
        self.repeat_bottom_tests(v)?;
        self.finalize_sharing(v)
    }

    fn complete_arc(&mut self, v: VId, a: VId, flags: Flags) -> R<()> {
        let settled = flags.mode == Mode::Finalize && !self.n(v).is_disjunct;
        if !settled || !self.finish_leaf(a) {
            self.unify(a, flags)?;
        }
        if self.vx(a).arc == ArcType::Pending {
            self.update_arc_type(a, ArcType::NotPresent);
            self.vm(a).arc = ArcType::NotPresent;
            return Ok(());
        }
        self.check_field_fits(v, a);
        if self.is_unchecked_root(v) && self.vx(a).status == Status::Finalized {
            self.free_arc_state(a);
        }
        Ok(())
    }

    /// Completes the fields that were left because they were optional, and are not any more.
    fn complete_left(&mut self, v: VId, mut left: SmallVec<[VId; 8]>, flags: Flags) -> R<()> {
        while let Some(i) = left
            .iter()
            .position(|a| self.vx(*a).arc != ArcType::Optional)
        {
            let a = left.remove(i);
            self.complete_arc(v, a, flags)?;
        }
        Ok(())
    }

    /// Reports a regular field beside an embedded value that is no struct.
    fn check_field_fits(&mut self, v: VId, a: VId) {
        let (arc, label) = (self.vx(a).arc, self.vx(a).label);
        if arc > ArcType::Required || !label.is_string() || self.n(v).kind.meets(Kind::STRUCT) {
            return;
        }
        if self.is_err(v) || self.is_err(a) {
            return;
        }
        let pos = self.pos_of(self.value(a));
        let val = self.value(v);
        let label = Arg::Text(format!("{:?}", super::label::text(&self.names, label)).into());
        let e = self.errf_at(
            Code::Eval,
            pos,
            "cannot combine regular field {} with {}",
            vec![label, Arg::Val(val)],
        );
        self.errors[e.i()].node = v;
        self.add_bottom(v, e);
    }

    fn repeat_bottom_tests(&mut self, v: VId) -> R<()> {
        for c in std::mem::take(&mut self.nm(v).post_checks) {
            let saved = self.reg;
            self.reg.env = c.env;
            self.reg.errs = ErrId::NONE;
            let pos = self.program.pos(c.expr);
            self.reg.src = pos;
            let flags = Flags {
                late: true,
                ..Flags::new(Cond::ALL, Mode::Ignore)
            };
            let r = self
                .eval(c.expr, flags)
                .and_then(|val| self.default_of(val));
            let val = self.unwrap(r.map(|(val, _)| val)?);
            if val.err().is_some() != c.expect_error {
                let e = self.errf_at(
                    Code::Cycle,
                    pos,
                    "circular dependency in evaluation of conditionals: {} changed after evaluation",
                    vec![Arg::Expr(c.expr)],
                );
                self.errors[e.i()].node = v;
                let old = self.value(v).err().unwrap_or(ErrId::NONE);
                let e = self.combine(old, e);
                self.vm(v).base = Val::bare(Data::Err(e));
                self.vm(v).status = Status::Finalized;
            }
            self.reg = saved;
        }
        Ok(())
    }

    fn eval_arc_types(&mut self, v: VId, mode: Mode) -> R<()> {
        let mut i = 0;
        while let Some(a) = self.vx(v).arcs.get(i).copied() {
            i += 1;
            if self.vx(a).arc != ArcType::Pending {
                continue;
            }
            self.unify(a, Flags::new(Cond::ARC_TYPE, mode))?;
            if self.vx(a).arc == ArcType::Pending {
                self.vm(a).arc = ArcType::NotPresent;
            }
        }
        Ok(())
    }

    /// Keeps the working state of a vertex until it is let go.
    pub(crate) fn hold(&mut self, v: VId) {
        self.nm(v).ref_count += 1;
    }

    /// Ends a hold. The state may be another one since, or none: a finished vertex that is given up
    /// loses its state, whoever holds it.
    pub(crate) fn let_go(&mut self, v: VId) {
        if self.has_state(v) {
            let n = self.nm(v);
            n.ref_count = n.ref_count.saturating_sub(1);
        }
    }

    /// Frees working state that nothing needs any more: that of the children of a finished vertex.
    fn reclaim(&mut self, v: VId) {
        let n = self.n(v);
        if n.ref_count > 0 || n.is_disjunct {
            return;
        }
        for t in std::mem::take(&mut self.nm(v).temporaries) {
            self.release(t);
        }
        for i in 0..self.vx(v).arcs.len() {
            let a = self.vx(v).arcs[i];
            self.free_arc_state(a);
        }
        let x = self.vx(v);
        let late = |p: VId| self.vx(p).status == Status::Finalized && !self.has_state(p);
        if !x.parent.is_some() || x.label.is_let() || late(x.parent) {
            self.free_arc_state(v);
        }
    }

    pub(crate) fn free_arc_state(&mut self, a: VId) {
        if !self.has_state(a) || self.n(a).ref_count > 0 || self.n(a).is_disjunct {
            return;
        }
        if self.vx(a).status == Status::Finalized && self.n(a).has_disjunction
            || self.deref_disjunct(a) != a
        {
            self.release(a);
        }
        self.free_state(a);
    }

    /// Whether a vertex is a root whose fields are not checked against anything closed, so that
    /// their working state is not needed once they are finished.
    fn is_unchecked_root(&self, v: VId) -> bool {
        !self.vx(v).parent.is_some() && self.n(v).reqs.is_empty() && !self.n(v).is_disjunct
    }

    /// Frees the working state of a subtree that is not used any more, and of the alternatives in
    /// it.
    pub(crate) fn release(&mut self, v: VId) {
        let mut list: SmallVec<[VId; 16]> = smallvec![v];
        while let Some(v) = list.pop() {
            self.looked(v, FAR_LOOKS + self.vx(v).arcs.len());
            if self.is_over() {
                return;
            }
            if self.n(v).ref_count > 0 {
                continue;
            }
            if self.vx(v).status == Status::Finalized {
                self.push_alternatives(v, &mut list);
                self.free_state(v);
            }
            self.push_own_arcs(v, &mut list);
        }
    }

    /// Frees the working state of fields that a value has no more: it is another vertex's now.
    pub(crate) fn discard(&mut self, v: VId) {
        let mut list: SmallVec<[VId; 16]> = smallvec![v];
        while let Some(v) = list.pop() {
            self.looked(v, FAR_LOOKS + self.vx(v).arcs.len());
            if self.is_over() {
                return;
            }
            if self.n(v).ref_count > 0 {
                continue;
            }
            self.push_alternatives(v, &mut list);
            if self.n(v).blocking.is_empty() {
                self.free_state(v);
            }
            self.push_own_arcs(v, &mut list);
        }
    }

    fn push_own_arcs(&self, v: VId, list: &mut SmallVec<[VId; 16]>) {
        let own = |a: &VId| self.v[a.i()].parent == v && !self.v[a.i()].is_leaf();
        list.extend(self.vx(v).arcs.iter().copied().filter(own));
    }

    /// The copies that alternatives of a vertex were tried in, as far as they have working state.
    fn push_alternatives(&self, v: VId, list: &mut SmallVec<[VId; 16]>) {
        let copy = |w: VId| self.vx(w).is_disjunct() && self.has_state(w);
        match self.vx(v).base.data {
            Data::Vertex(w) if copy(w) => list.push(w),
            Data::Disj(d) => {
                list.extend(
                    self.disjunction(d)
                        .values
                        .iter()
                        .filter_map(|val| match val.data {
                            Data::Vertex(w) if copy(w) => Some(w),
                            _ => None,
                        }),
                )
            }
            _ => {}
        }
        list.extend(self.n(v).disjuncts.iter().copied().filter(|w| copy(*w)));
    }
}
