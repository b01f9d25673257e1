//! Reference cycles and structural cycles.

use super::context::Evaluator;
use super::error::ErrId;
use super::kind::Code;
use super::library::R;
use super::node::{CyclicConjunct, Flags, Mode, Run, Subject, TaskState};
use super::program::{Elem, Expr, XId};
use super::value::{Data, Val};
use super::vertex::{CloseInfo, Conjunct, Cyclic, EnvId, Item, RefNode, Status, VId};

impl Evaluator {
    /// Whether a vertex is being evaluated at a shallower depth.
    pub(crate) fn has_depth_cycle(&self, v: VId) -> bool {
        if !self.has_state(v) || self.vx(v).status == Status::Finalized {
            return false;
        }
        let depth = self.n(v).eval_depth;
        depth > 0 && depth < self.reg.eval_depth
    }

    fn has_ancestor(&mut self, v: VId, arc: VId) -> bool {
        if self.has_depth_cycle(arc) {
            return true;
        }
        self.is_ancestor(v, arc)
    }

    fn is_ancestor(&mut self, v: VId, arc: VId) -> bool {
        let (mut p, mut up) = (self.vx(v).parent, 0);
        while p.is_some() && !self.same(p, arc) {
            up += 1;
            p = self.vx(p).parent;
        }
        self.looked(v, super::limit::FAR_LOOKS * up);
        p.is_some()
    }

    fn has_disjunct_conjunct(&self, v: VId) -> bool {
        self.vx(v).conjuncts.iter().any(|c| match c.item {
            Item::Val(val) => matches!(val.data, Data::Disj(_)),
            _ => matches!(
                self.program.expr(self.conjunct_expr(c)),
                Expr::Disjunction(..)
            ),
        })
    }

    /// The history of a conjunct after one more reference; true if the conjunct is dropped.
    pub(crate) fn detect_cycle(
        &mut self,
        v: VId,
        arc: VId,
        env: Option<EnvId>,
        x: XId,
        mut info: CloseInfo,
    ) -> (CloseInfo, bool) {
        if self.has_ancestor(v, arc) {
            return self.mark_cyclic(v, arc, env, x, info);
        }
        let n = self.n(v);
        if n.has_non_cyclic && info.cycle == Cyclic::Maybe {
            return (info, false);
        }
        let mut chain = false;
        let mut id = info.refs;
        let (target, node) = (self.origin_of(arc), self.origin_of(v));
        while id.is_some() {
            let r = self.refs[id.i()];
            id = r.next;
            let (origin, aliases) = self.origin_behind(r.arc);
            self.looked(v, super::limit::FAR_LOOKS * (1 + aliases));
            if origin == target {
                if self.origin_of(r.node) == node {
                    return (info, true);
                }
                let n = self.n(v);
                if info.cycle == Cyclic::Optional && n.has_non_cyclic {
                    info.cycle = Cyclic::Maybe;
                    if r.depth == n.depth {
                        return (info, true);
                    }
                    info.refs = super::vertex::RefId::NONE;
                    return (info, false);
                }
                let final_arc = self.vx(self.deref(arc)).status == Status::Finalized;
                let feeding = self.vx(v).dynamic() && !final_arc && self.has_disjunct_conjunct(arc);
                if r.expr != x && n.has_non_cycle && n.has_non_cyclic && !feeding {
                    continue;
                }
                return self.mark_cyclic_path(v, arc, env, x, info);
            }
            if r.expr == x && self.vx(arc).non_rooted() {
                let (origin, aliases) = self.origin_behind(r.node);
                self.looked(v, super::limit::FAR_LOOKS * aliases);
                if origin == node {
                    if chain || self.is_chain_step(v, env, &r) {
                        chain = true;
                        continue;
                    }
                    return self.mark_cyclic_path(v, arc, env, x, info);
                }
                let p = self.vx(arc).parent;
                if self.vx(r.arc).non_rooted()
                    && p.is_some()
                    && self.vx(p).dynamic()
                    && !self.vx(p).parent.is_some()
                    && self.n(p).has_ancestor_cycle
                {
                    return self.mark_cyclic(v, arc, env, x, info);
                }
            }
        }
        let depth = self.n(v).depth;
        info.refs = self.new_ref(RefNode {
            expr: x,
            arc: target,
            node,
            next: info.refs,
            depth,
        });
        (info, false)
    }

    fn is_chain_step(&self, v: VId, env: Option<EnvId>, r: &RefNode) -> bool {
        let Some(env) = env else { return false };
        let owner = self.envs[env.i()].vertex;
        if !owner.is_some() {
            return false;
        }
        let parent = self.vx(r.arc).parent;
        self.same(owner, v) || parent.is_some() && self.same(owner, parent)
    }

    fn mark_cyclic(
        &mut self,
        v: VId,
        arc: VId,
        env: Option<EnvId>,
        x: XId,
        mut info: CloseInfo,
    ) -> (CloseInfo, bool) {
        info.cycle = Cyclic::Yes;
        let n = self.nm(v);
        n.has_cyclic_conjunct = true;
        n.has_ancestor_cycle = true;
        match env {
            Some(env) if !n.has_non_cycle => {
                let conjunct = Conjunct {
                    item: Item::Expr(x),
                    env,
                    info,
                };
                n.cyclic_conjuncts.push(CyclicConjunct { conjunct, arc });
                (info, true)
            }
            _ => (info, false),
        }
    }

    fn mark_cyclic_path(
        &mut self,
        v: VId,
        arc: VId,
        env: Option<EnvId>,
        x: XId,
        mut info: CloseInfo,
    ) -> (CloseInfo, bool) {
        info.cycle = Cyclic::Yes;
        let n = self.nm(v);
        n.has_cyclic_conjunct = true;
        match env {
            Some(env) if !n.has_non_cyclic && !n.has_non_cycle => {
                let conjunct = Conjunct {
                    item: Item::Expr(x),
                    env,
                    info,
                };
                n.cyclic_conjuncts.push(CyclicConjunct { conjunct, arc });
                (info, true)
            }
            _ => (info, false),
        }
    }

    /// A conjunct that says something arrived; one that is not cyclic releases those that are.
    pub(crate) fn update_cyclic(&mut self, v: VId, info: CloseInfo) -> R<()> {
        self.nm(v).has_field_value = true;
        if info.cycle == Cyclic::Yes {
            return Ok(());
        }
        self.nm(v).has_non_cycle = true;
        for c in std::mem::take(&mut self.nm(v).cyclic_conjuncts) {
            self.release_cyclic(v, c, c.conjunct.info)?;
        }
        Ok(())
    }

    fn release_cyclic(&mut self, v: VId, c: CyclicConjunct, info: CloseInfo) -> R<()> {
        if c.arc.is_some() {
            self.schedule_vertex_conjuncts(v, c.conjunct, c.arc, info)
        } else {
            self.schedule_conjunct(v, Conjunct { info, ..c.conjunct }, info)
        }
    }

    /// Conjuncts that waited for one without a cycle are used if nothing else is there.
    pub(crate) fn flush_cyclic(&mut self, v: VId) -> R<()> {
        if self.n(v).cyclic_conjuncts.is_empty() || !self.n(v).tasks.is_empty() {
            return Ok(());
        }
        self.nm(v).has_non_cyclic = true;
        let mut kept = Vec::new();
        for c in std::mem::take(&mut self.nm(v).cyclic_conjuncts) {
            let safe = match c.conjunct.item {
                Item::Val(_) => true,
                _ => self.is_safe_to_flush(self.conjunct_expr(&c.conjunct)),
            };
            if !safe {
                kept.push(c);
                continue;
            }
            let info = CloseInfo {
                cycle: Cyclic::No,
                ..c.conjunct.info
            };
            self.release_cyclic(v, c, info)?;
        }
        self.nm(v).cyclic_conjuncts = kept.into();
        Ok(())
    }

    fn is_safe_to_flush(&self, x: XId) -> bool {
        match self.program.expr(x) {
            Expr::LabelRef { .. } | Expr::Val(_) => true,
            Expr::Binary(_, a, b) => self.is_safe_to_flush(a) && self.is_safe_to_flush(b),
            Expr::Unary(_, a) => self.is_safe_to_flush(a),
            Expr::Call(_, args) | Expr::Interpolation(_, args) => self
                .program
                .arg_list(args)
                .iter()
                .all(|a| self.is_safe_to_flush(*a)),
            Expr::List(run) => self.program.elem_list(run).iter().all(|e| match e {
                Elem::Expr(x) => self.is_safe_to_flush(*x),
                _ => true,
            }),
            _ => false,
        }
    }

    pub(crate) fn assert_structural_cycle(&mut self, v: VId) -> bool {
        self.nm(v).cyclic_conjuncts.clear();
        if self.n(v).only_cyclic() {
            self.report_cycle(v);
            return true;
        }
        false
    }

    pub(crate) fn report_cycle(&mut self, v: VId) {
        self.came_back = true;
        let pos = self.reg.src;
        let m = self.message_at(pos, "structural cycle", vec![]);
        let e = self.error_at(Code::Structural, m, v);
        let old = self.value(v).err().unwrap_or(ErrId::NONE);
        let e = self.combine(old, e);
        self.vm(v).base = Val::bare(Data::Err(e));
        self.vm(v).arcs.clear();
        self.vm(v).set_index(None);
    }

    /// Whether a shared target waits for something that is being evaluated further up.
    pub(crate) fn target_in_cycle(&mut self, w: VId) -> R<bool> {
        if !self.has_state(w) {
            return Ok(false);
        }
        for t in self.n(w).tasks.clone() {
            let task = self.tasks[t.i()];
            let (TaskState::Ready, Run::Resolver, Subject::Expr(x)) =
                (task.state, task.run, task.subject)
            else {
                continue;
            };
            let saved = self.reg;
            self.reg.env = task.env;
            self.reg.info = task.info;
            self.reg.errs = ErrId::NONE;
            let arc = self.resolve(x, Flags::new(super::node::Cond::FIELD_SET, Mode::Ignore));
            self.reg = saved;
            let arc = arc?;
            if arc.is_some() && arc != self.empty {
                let arc = self.deref_non_disjunct(arc);
                if self.has_depth_cycle(arc) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    pub(crate) fn is_above(&mut self, v: VId, w: VId) -> bool {
        self.has_ancestor(v, w)
    }
}
