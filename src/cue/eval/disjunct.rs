//! Disjunctions: trying the alternatives, defaults, merging equal results, errors.

use super::context::Evaluator;
use super::error::{Arg, Bottom, ErrId, MsgId};
use super::kind::{ArcType, Code};
use super::library::R;
use super::limit::TEXT_LOOKS;
use super::node::{Cond, DefaultMode, Flags, Mode, PendingDisjunction, Run, TaskState};
use super::value::{Data, Disjunction, Val};
use super::vertex::{Conjunct, Item, Status, VId};
use crate::syntax::source::Pos;
use rustc_hash::FxHashSet;
use thin_vec::ThinVec;

/// What came of trying the alternatives of a disjunction.
#[derive(Default)]
struct Tried {
    done: Vec<VId>,
    /// Whether one that is left stands on a default, and whether one is a default itself.
    keeps_left: bool,
    keeps_right: bool,
    /// Alternatives that were dropped before they were tried, or early, and whose errors are not
    /// known.
    rejected: Vec<usize>,
}

impl Evaluator {
    /// Looks at the conjuncts of all fields; false if a field has an error already.
    fn init_arcs(&mut self, v: VId) -> R<bool> {
        let mut i = 0;
        while let Some(a) = self.vx(v).arcs.get(i).copied() {
            i += 1;
            if self.vx(a).arc == ArcType::Optional && !self.eager_optional {
                continue;
            }
            let state = self.state(a)?;
            if state && self.n(a).errs.is_some() {
                if self.vx(a).arc == ArcType::Member {
                    return Ok(false);
                }
            } else if !self.nested(|e| e.init_arcs(a))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_deferred_comprehension(&self, v: VId) -> bool {
        let mut p = v;
        while p.is_some() {
            if self.vx(p).is_disjunct() {
                return self.n(p).tasks.iter().any(|t| {
                    let t = &self.tasks[t.i()];
                    t.run == Run::Comprehension && t.completes == Cond::ALL_TASKS
                });
            }
            p = self.vx(p).parent;
        }
        false
    }

    fn outer_run_mode(&self, v: VId) -> Option<Mode> {
        let mut p = v;
        while p.is_some() {
            if self.vx(p).is_disjunct() {
                return if self.has_state(p) {
                    self.n(p).run_mode
                } else {
                    Some(Mode::Finalize)
                };
            }
            p = self.vx(p).parent;
        }
        None
    }

    fn attempt_mode(&self, v: VId, outer: Option<Mode>, last: bool) -> Mode {
        match outer {
            Some(_) if !last => Mode::Attempt,
            Some(Mode::Attempt) if self.has_deferred_comprehension(v) => Mode::Finalize,
            Some(mode) => mode,
            None if last => Mode::Finalize,
            None => Mode::Attempt,
        }
    }

    pub(crate) fn process_disjunctions(&mut self, v: VId) -> R<ErrId> {
        let list = std::mem::take(&mut self.nm(v).disjunctions);
        if list.is_empty() {
            // They were taken by what is being evaluated further up.
            return Ok(ErrId::NONE);
        }
        if self.cheap_disjunctions(v, &list)? {
            return Ok(ErrId::NONE);
        }
        if !self.init_arcs(v)? {
            return Ok(self.node_error(v));
        }
        let outer = self.outer_run_mode(v);
        let mut cross = vec![v];
        let count = list.len();
        for (i, mut d) in list.into_iter().enumerate() {
            let mode = self.attempt_mode(v, outer, i + 1 == count);
            let depth = self.n(v).eval_depth;
            self.nm(v).eval_depth = self.reg.eval_depth;
            let results = self.cross_product(v, &cross, &mut d, mode);
            self.nm(v).eval_depth = depth;
            let results = results?;
            if results.is_empty() {
                return Ok(self.collect_errors(v, &d));
            }
            for p in std::mem::replace(&mut cross, results) {
                if p != v && !cross.contains(&p) {
                    self.free_copy(p);
                }
            }
        }
        if let [one] = cross.as_slice() {
            let one = *one;
            return Ok(self.single_result(v, one));
        }
        self.nm(v).disjuncts.extend(cross);
        let (mut defaults, mut completed) = (0, Cond::NONE);
        for d in self.n(v).disjuncts.clone() {
            if self.n(d).default_mode == DefaultMode::Is {
                defaults += 1;
                completed = self.n(d).completed;
            }
        }
        if defaults == 1 {
            self.signal(v, completed);
        }
        Ok(ErrId::NONE)
    }

    fn single_result(&mut self, v: VId, one: VId) -> ErrId {
        self.vm(v).base = Val::bare(Data::Vertex(one));
        if self.n(v).default_mode == DefaultMode::Maybe {
            self.nm(v).default_mode = self.n(one).default_mode;
        }
        let attempt = self.n(v).default_attempt;
        if attempt.is_some() && self.n(v).default_mode != DefaultMode::Is {
            let e = self.default_cycle("ambiguous default elimination by referencing {}", attempt);
            self.vm(v).base = Val::bare(Data::Err(e));
            return e;
        }
        ErrId::NONE
    }

    fn default_cycle(&mut self, template: &'static str, attempt: VId) -> ErrId {
        let path = self.path_texts(&self.path(attempt));
        let mark = self.more_pos.len();
        let mut more = Vec::new();
        self.positions_of(Val::bare(Data::Vertex(attempt)), &mut more);
        self.more_pos.extend(more);
        let pos = self.reg.src;
        let e = self.errf_at(
            Code::Cycle,
            pos,
            template,
            vec![Arg::Text(path.join(".").into())],
        );
        self.more_pos.truncate(mark);
        e
    }

    fn cross_product(
        &mut self,
        v: VId,
        cross: &[VId],
        d: &mut PendingDisjunction,
        mode: Mode,
    ) -> R<Vec<VId>> {
        let mut tried = Tried::default();
        for p in cross.iter().copied() {
            self.init_arcs(p)?;
            tried.rejected.clear();
            let mut fit = self.fit(p, mode);
            for j in 0..d.alternatives.len() {
                let item = d.alternatives[j].item;
                if fit.as_mut().is_some_and(|fit| self.is_misfit(fit, item)) {
                    tried.rejected.push(j);
                    continue;
                }
                self.attempt(v, p, (&mut *d, j), mode, &mut tried)?;
            }
        }
        if let Some(p) = cross.last()
            && tried.done.is_empty()
        {
            self.exact += 1;
            let r = std::mem::take(&mut tried.rejected)
                .into_iter()
                .try_for_each(|j| self.attempt(v, *p, (&mut *d, j), mode, &mut tried));
            self.exact -= 1;
            r?;
        }
        // Alternatives of what was a list before are open or closed together.
        let flags = match self.vx(v).base.data {
            Data::List(_) => super::equal::STRUCTURAL | super::equal::ANY_LENGTH,
            _ => super::equal::STRUCTURAL,
        };
        self.combine_results(tried, flags)
    }

    /// Tries one alternative on `p`, a partial result for `v`.
    fn attempt(
        &mut self,
        v: VId,
        p: VId,
        (d, j): (&mut PendingDisjunction, usize),
        mode: Mode,
        tried: &mut Tried,
    ) -> R<()> {
        let alt = d.alternatives[j];
        let mut env = d.env;
        if p != v {
            env = self.env_in_copy(env, p);
        }
        let c = Conjunct {
            item: alt.item,
            env,
            info: d.info,
        };
        match self.try_disjunct(p, c, alt.mode, mode, v)? {
            Err(ErrId::NONE) => tried.rejected.push(j),
            Err(e) => {
                if self.code(e) == Code::User {
                    self.nm(v).user_errs.push(e);
                }
                if self.incomplete(e) {
                    self.note_unsettled(self.errors[e.i()].node, self.reg.src);
                }
                d.alternatives[j].err = e;
            }
            Ok(r) => {
                let n = self.n(p);
                tried.keeps_left |=
                    n.default_mode == DefaultMode::Is || n.orig_default_mode == DefaultMode::Is;
                tried.keeps_right |= alt.mode == DefaultMode::Is;
                tried.done.push(r);
            }
        }
        Ok(())
    }

    fn combine_results(&mut self, tried: Tried, flags: u8) -> R<Vec<VId>> {
        let (left_drops, right_drops) = (!tried.keeps_left, !tried.keeps_right);
        let mut out: Vec<VId> = Vec::new();
        let mut definite = false;
        for r in tried.done {
            let (own, orig) = (self.n(r).default_mode, self.n(r).orig_default_mode);
            let nested = self.n(r).disjuncts.clone();
            if nested.is_empty() {
                self.nm(r).default_mode = join(own, orig, left_drops, right_drops);
                self.append_disjunct(&mut out, r, flags)?;
                continue;
            }
            for x in nested {
                let m = orig.max(self.n(x).default_mode);
                let m = join(own, m, left_drops, false);
                self.nm(x).default_mode = m;
                definite |= m != DefaultMode::Maybe;
                self.append_disjunct(&mut out, x, flags)?;
            }
        }
        if definite {
            for r in &out {
                let n = self.nm(*r);
                if n.default_mode == DefaultMode::Maybe {
                    n.default_mode = DefaultMode::Not;
                }
            }
        }
        Ok(out)
    }

    /// Evaluates a copy of `p` with one alternative added. The error is none if the alternative was
    /// dropped before it was evaluated.
    fn try_disjunct(
        &mut self,
        p: VId,
        c: Conjunct,
        alt: DefaultMode,
        mode: Mode,
        orig: VId,
    ) -> R<Result<VId, ErrId>> {
        if self.step(orig) {
            return Ok(Err(self.over_limit()));
        }
        let saved_blocking = std::mem::take(&mut self.blocking);
        let saved = (self.vx(orig).base, self.vx(p).base);
        let r = self.try_inner(p, c, alt, mode, orig);
        self.vm(p).base = saved.1;
        if !self.vx(orig).is_disjunct() {
            self.vm(orig).base = saved.0;
        }
        self.blocking = saved_blocking;
        r
    }

    fn try_inner(
        &mut self,
        p: VId,
        c: Conjunct,
        alt: DefaultMode,
        mode: Mode,
        orig: VId,
    ) -> R<Result<VId, ErrId>> {
        self.nm(p).blocking.clear();
        let d = self.copy_subtree(p)?;
        if !self.vx(orig).is_disjunct() {
            self.vm(orig).base = Val::bare(Data::Vertex(d));
        }
        self.nm(d).run_mode = Some(mode);
        self.vm(p).base = Val::bare(Data::Vertex(d));
        self.vm(d).status = Status::Unprocessed;
        let env = self.env_in_copy(c.env, d);
        let c = Conjunct { env, ..c };
        self.schedule_conjunct(d, c, c.info)?;
        let default_mode = self.n(p).default_mode;
        let n = self.nm(d);
        n.default_mode = default_mode;
        n.orig_default_mode = alt;
        self.hold(d);
        let outer = std::mem::replace(&mut self.attempted, d);
        let r = self.unify(d, Flags::new(Cond::ALL, mode).typos());
        self.attempted = outer;
        r?;
        self.let_go(d);
        if self.n(d).rejected {
            self.free_copy(d);
            return Ok(Err(ErrId::NONE));
        }
        let err = self.all_errors(d)?;
        if err.is_some() && err != ErrId::CYCLE {
            self.free_copy(d);
            return Ok(Err(err));
        }
        let orig_mode = self.n(d).orig_default_mode;
        let d = self.deref_disjunct(d);
        self.nm(d).orig_default_mode = orig_mode;
        Ok(Ok(d))
    }

    fn free_copy(&mut self, d: VId) {
        let mut list = vec![d];
        while let Some(v) = list.pop() {
            list.extend(
                self.vx(v)
                    .arcs
                    .iter()
                    .copied()
                    .filter(|a| self.v[a.i()].parent == v),
            );
            if self.n(v).ref_count == 0 {
                self.free_state(v);
            }
        }
    }

    fn node_error(&mut self, v: VId) -> ErrId {
        let base = self.bottom(v);
        if base.is_some() && base != ErrId::CYCLE {
            return base;
        }
        if self.vx(v).child_errors().is_some() {
            return self.vx(v).child_errors();
        }
        let errs = self.n(v).errs;
        if errs.is_some() { errs } else { self.reg.errs }
    }

    /// The error of a vertex or of its direct fields and theirs, as far as they have state.
    fn all_errors(&mut self, v: VId) -> R<ErrId> {
        let e = self.node_error(v);
        if e.is_some() {
            return Ok(e);
        }
        for a in self.vx(v).arcs.clone() {
            let x = self.vx(a);
            if x.arc > ArcType::Required || x.label.is_let() {
                return Ok(ErrId::NONE);
            }
            if self.state(a)? {
                let e = self.nested(|e| e.all_errors(a))?;
                if e.is_some() {
                    return Ok(e);
                }
            }
        }
        Ok(ErrId::NONE)
    }

    fn append_disjunct(&mut self, list: &mut Vec<VId>, x: VId, flags: u8) -> R<()> {
        self.looked(x, list.len());
        for y in list.iter().copied() {
            if y == x || self.is_over() {
                return Ok(());
            }
            if !self.same_disjunct(x, y, flags)? {
                continue;
            }
            let (dx, dy) = (self.deref(x), self.deref(y));
            if self.is_closed_list(dx) && self.is_list(dy) {
                self.vm(dy).base.data = Data::List(false);
            }
            if self.n(x).default_mode == DefaultMode::Is {
                self.nm(y).default_mode = DefaultMode::Is;
            }
            self.merge_evidence(y, x);
            self.free_copy(x);
            return Ok(());
        }
        list.push(x);
        Ok(())
    }

    fn same_disjunct(&mut self, x: VId, y: VId, flags: u8) -> R<bool> {
        let (dx, dy) = (self.deref(x), self.deref(y));
        let done = |e: &Evaluator, v: VId| e.vx(v).status == Status::Finalized;
        if done(self, dx) && done(self, dy) {
            let (a, b) = (Val::bare(Data::Vertex(dx)), Val::bare(Data::Vertex(dy)));
            return self.equal(a, b, flags);
        }
        if !self.equal_partial(x, y)? {
            return Ok(false);
        }
        let a = self.partial_value(x, dx);
        let b = self.partial_value(x, dy);
        let plain = |v: Val| !matches!(v.data, Data::Struct | Data::List(_) | Data::Unset);
        Ok(!plain(a) || !plain(b) || self.equal(a, b, super::equal::STRUCTURAL)?)
    }

    fn partial_value(&mut self, x: VId, d: VId) -> Val {
        let base = self.vx(d).base;
        if base.is_unset() || self.is_cycle(base) {
            self.validators(x)
        } else {
            base
        }
    }

    fn equal_partial(&mut self, x: VId, y: VId) -> R<bool> {
        self.looked(x, 160);
        let (sx, sy) = (self.state(x)?, self.state(y)?);
        if !sx && !sy {
            let (a, b) = (Val::bare(Data::Vertex(x)), Val::bare(Data::Vertex(y)));
            return self.equal(a, b, super::equal::STRUCTURAL);
        }
        if sx != sy || !self.equal_node(x, y)? {
            return Ok(false);
        }
        let (px, py) = (
            self.vx(x).patterns().to_vec(),
            self.vx(y).patterns().to_vec(),
        );
        if px.len() != py.len() {
            return Ok(false);
        }
        for (a, b) in px.iter().zip(&py) {
            self.finalize_inner(a.constraint)?;
            self.finalize_inner(b.constraint)?;
            let (a, b) = (Data::Vertex(a.constraint), Data::Vertex(b.constraint));
            if !self.equal(Val::bare(a), Val::bare(b), super::equal::STRUCTURAL)? {
                return Ok(false);
            }
        }
        if self.vx(x).arcs.len() != self.vx(y).arcs.len() {
            return Ok(false);
        }
        for a in self.vx(x).arcs.clone() {
            match self.arc_raw(y, self.vx(a).label) {
                Some(b) if self.nested(|e| e.equal_partial(a, b))? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn equal_node(&mut self, x: VId, y: VId) -> R<bool> {
        let (a, b) = (self.n(x), self.n(y));
        if a.kind != b.kind || a.has_top != b.has_top || a.checks.len() != b.checks.len() {
            return Ok(false);
        }
        let ready = |e: &Evaluator, n: &super::node::Node, m: &super::node::Node| {
            n.tasks
                .iter()
                .map(|t| &e.tasks[t.i()])
                .filter(|t| t.state == TaskState::Ready)
                .all(|t| m.tasks.iter().any(|u| e.tasks[u.i()].subject == t.subject))
        };
        if !ready(self, a, b) || !ready(self, b, a) {
            return Ok(false);
        }
        let mut pairs = vec![(a.scalar, b.scalar), (a.lower, b.lower), (a.upper, b.upper)];
        for (c, d) in a.checks.iter().zip(&b.checks) {
            if let (Item::Val(c), Item::Val(d)) = (c.item, d.item) {
                pairs.push((c, d));
            }
        }
        for (p, q) in pairs {
            let same = p.data == q.data
                || !p.is_unset() && !q.is_unset() && self.equal(p, q, super::equal::STRUCTURAL)?;
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Turns the surviving disjuncts into the value of the vertex.
    pub(crate) fn finalize_disjunctions(&mut self, v: VId) {
        let list = self.n(v).disjuncts.clone();
        if list.is_empty() {
            let cheap = self.n(v).cheap_disjunction;
            if !cheap.is_unset() && !self.is_err(v) {
                self.vm(v).base = cheap;
            }
            return;
        }
        if self.all_failed(v, &list) {
            let worst = self.n(v).disjunct_errs.iter().map(|e| self.code(*e)).max();
            let code = worst.unwrap_or(Code::Incomplete).max(Code::Eval);
            let e = self.disjunct_error(v, code);
            self.vm(v).base = Val::bare(Data::Err(e));
            self.vm(v).status = Status::Finalized;
            return;
        }
        let d = self.defaults_first(list);
        let attempt = self.n(v).default_attempt;
        self.vm(v).base = if !attempt.is_some() || d.defaults == 1 {
            self.new_disj(d, Pos::NONE)
        } else {
            let template = "cycle across unresolved disjunction referenced by {}";
            Val::bare(Data::Err(self.default_cycle(template, attempt)))
        };
        let x = self.vm(v);
        x.set_index(None);
        x.set_child_errors(ErrId::NONE);
        for a in std::mem::take(&mut x.arcs) {
            self.release(a);
        }
    }

    /// Collects the errors of disjuncts; whether all have one.
    fn all_failed(&mut self, v: VId, list: &[VId]) -> bool {
        let mut failed = 0;
        for x in list {
            let own = self.take_err();
            let e = self.combine(self.n(*x).errs, own);
            if !e.is_some() {
                continue;
            }
            failed += 1;
            let user = self.code(e) == Code::User;
            let n = self.nm(v);
            let errs = if user {
                &mut n.user_errs
            } else {
                &mut n.disjunct_errs
            };
            errs.push(e);
        }
        failed == list.len()
    }

    fn defaults_first(&self, list: ThinVec<VId>) -> Disjunction {
        let (mut values, mut defaults, mut has_defaults) = (Vec::new(), 0, false);
        for x in list {
            let mode = self.n(x).default_mode;
            has_defaults |= mode != DefaultMode::Maybe;
            values.push(Val::bare(Data::Vertex(x)));
            if mode == DefaultMode::Is {
                let last = values.len() - 1;
                values.swap(defaults, last);
                defaults += 1;
            }
        }
        Disjunction {
            values,
            defaults,
            has_defaults,
        }
    }

    fn collect_errors(&mut self, v: VId, d: &PendingDisjunction) -> ErrId {
        let mut code = Code::Eval;
        for alt in &d.alternatives {
            if alt.err.is_some() && self.code(alt.err) != Code::User {
                code = code.max(self.code(alt.err));
                self.nm(v).disjunct_errs.push(alt.err);
            }
        }
        self.disjunct_error(v, code)
    }

    fn disjunct_error(&mut self, v: VId, code: Code) -> ErrId {
        let failed = std::mem::take(&mut self.nm(v).disjunct_errs);
        let user = std::mem::take(&mut self.nm(v).user_errs);
        let mut messages = self.select_errors(&failed);
        let mut more = Vec::new();
        if !user.is_empty() {
            if let Some(m) = messages.first() {
                more.extend(self.messages[m.i()].more.iter().copied());
            }
            messages = self.select_errors(&user);
        }
        self.unique_messages(&mut messages);
        let pos = self.reg.src;
        match messages.len() {
            0 => messages.push(self.message_at(pos, "empty disjunction", vec![])),
            1 => self.messages[messages[0].i()].more.extend(more),
            k => {
                let m = self.message_at(
                    pos,
                    "{} errors in empty disjunction:",
                    vec![Arg::Int(k as i64)],
                );
                self.messages[m.i()].more.extend(more);
                messages.insert(0, m);
            }
        }
        self.push_error(Bottom {
            code,
            messages,
            node: v,
            has_recursive: false,
            child_error: false,
            close_check: false,
            list: false,
        })
    }

    fn unique_messages(&mut self, list: &mut Vec<MsgId>) {
        if list.len() < 2 || self.is_over() {
            return;
        }
        let mut looks = 0;
        let mut seen = FxHashSet::default();
        list.retain(|m| {
            let x = &self.messages[m.i()];
            let text = self.full_text(*m);
            looks += x.path.len() + TEXT_LOOKS * text.len();
            seen.insert((x.pos, x.path.clone(), text))
        });
        self.looked(self.reg.vertex, looks);
    }

    fn select_errors(&self, list: &[ErrId]) -> Vec<MsgId> {
        let mut out = Vec::new();
        if list.len() <= 2 {
            for e in list {
                out.extend(self.errors[e.i()].messages.iter().copied());
            }
            return out;
        }
        let mut kept = Vec::new();
        let mut incomplete = false;
        for e in list {
            if !incomplete && self.incomplete(*e) {
                kept.clear();
                incomplete = true;
            }
            kept.push(*e);
        }
        let mut positions = Vec::new();
        for e in kept {
            let b = &self.errors[e.i()];
            let Some(first) = b.messages.first() else {
                continue;
            };
            let m = &self.messages[first.i()];
            let new = std::iter::once(m.pos)
                .chain(m.more.iter().copied())
                .find(|p| !positions.contains(p));
            if let Some(p) = new {
                positions.push(p);
                out.extend(b.messages.iter().copied());
            }
        }
        out
    }
}

pub(super) fn join(a: DefaultMode, b: DefaultMode, drop_a: bool, drop_b: bool) -> DefaultMode {
    let a = if drop_a { DefaultMode::Maybe } else { a };
    let b = if drop_b { DefaultMode::Maybe } else { b };
    a.max(b)
}
