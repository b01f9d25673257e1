//! Structure sharing: a vertex with one conjunct, a reference, points at its target.

use super::context::Evaluator;
use super::library::R;
use super::value::{Data, Val};
use super::vertex::{CloseInfo, Conjunct, Cyclic, VId};

impl Evaluator {
    /// Undoes sharing, and forbids it from now on.
    pub(crate) fn unshare(&mut self, v: VId) -> R<()> {
        self.nm(v).no_sharing = true;
        if !self.n(v).shared {
            return Ok(());
        }
        self.nm(v).shared = false;
        let x = self.vm(v);
        x.set_is_shared(false);
        x.set_opened_shared(false);
        let Data::Vertex(target) = x.base.data else {
            return Ok(());
        };
        self.vm(v).base = self.n(v).share_base;
        let infos = self.n(v).shared_infos.clone();
        if let Some(c) = self.n(v).share_conjunct {
            for info in infos {
                self.schedule_vertex_conjuncts(v, c, target, info)?;
            }
        }
        self.count_shared(v);
        Ok(())
    }

    fn count_shared(&mut self, v: VId) {
        if self.n(v).share_decremented {
            return;
        }
        self.nm(v).share_decremented = true;
        for info in self.n(v).shared_infos.clone() {
            self.add_evidence(v, info, 0);
        }
    }

    pub(crate) fn finalize_sharing(&mut self, v: VId) -> R<()> {
        self.count_shared(v);
        if !self.n(v).shared {
            return Ok(());
        }
        if let Data::Vertex(w) = self.vx(v).base.data {
            if self.n(v).share_cycle == Cyclic::No {
                self.finalize_inner(w)?;
            }
            let parent = self.n(w).parent;
            if self.has_state(w) && parent.is_some() {
                self.vm(w).parent = parent;
            }
        }
        Ok(())
    }

    pub(crate) fn add_shared(&mut self, v: VId, info: CloseInfo) {
        let n = self.nm(v);
        if n.shared_infos.is_empty() || n.share_cycle < info.cycle {
            n.share_cycle = info.cycle;
        }
        n.shared_infos.push(info);
    }

    fn is_detached(&self, mut v: VId) -> bool {
        while v.is_some() {
            if self.vx(v).rooted() {
                return false;
            }
            let attached = self.n(v).parent;
            v = if self.has_state(v) && attached.is_some() {
                attached
            } else {
                self.vx(v).parent
            };
        }
        true
    }

    pub(crate) fn share(&mut self, v: VId, c: Conjunct, arc: VId, info: CloseInfo) -> R<()> {
        self.nm(v).share_base = self.vx(v).base;
        self.vm(v).base = Val::bare(Data::Vertex(arc));
        self.vm(v).set_is_shared(true);
        let n = self.nm(v);
        n.shared = true;
        n.share_conjunct = Some(c);
        self.add_shared(v, info);
        self.vm(v)
            .set_opened_shared(info.opened || info.conjunct_opened);
        let a = self.vx(arc);
        let may_attach = !a.label.is_let() && !a.anonymous();
        if self.is_detached(arc) && may_attach && self.state(arc)? {
            self.nm(arc).parent = v;
        }
        Ok(())
    }

    pub(crate) fn share_if_possible(
        &mut self,
        v: VId,
        c: Conjunct,
        arc: VId,
        info: CloseInfo,
    ) -> bool {
        let (x, a, n) = (self.vx(v), self.vx(arc), self.n(v));
        let inline = x.non_rooted() || x.dynamic();
        if !x.arcs.is_empty()
            || a.non_rooted()
            || a.dynamic()
            || info.cycle == Cyclic::Yes && inline
            || n.no_sharing
            || n.shared
            || self.reg.errs.is_some()
            || x.closed_recursive() && !a.closed_recursive()
            || a.label.is_let()
        {
            return false;
        }
        self.share(v, c, arc, info).is_ok()
    }
}
