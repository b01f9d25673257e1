//! Closedness: groups of conjuncts, what each group requires, and which fields have evidence.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::context::{Evaluator, Group};
use super::error::ErrId;
use super::kind::ArcType;
use super::label::Label;
use super::library::R;
use super::limit::FAR_LOOKS;
use super::node::{
    Evidence, Evidences, HAS_ELLIPSIS, HAS_OPEN_VALIDATOR, HAS_STRUCT, HAS_TOP, ReqKind, ReqSet,
    ReqSets, Requirement,
};
use super::program::{Expr, Op, SId, XId};
use super::value::{Data, Val};
use super::vertex::{CloseInfo, Item, VId};
use crate::syntax::source::Pos;

/// A walk that takes more looks notes where it was.
const FEW_LOOKS: usize = 64;

/// A search for a group through all that others lie in.
struct Walk {
    group: u32,
    looked: usize,
    /// Groups that do not lie in it.
    without: FxHashSet<u32>,
}

/// Lists of more entries than this are compared through a set.
const FEW_ENTRIES: usize = 16;

/// Adds what a list does not have yet. How much was looked at for that.
fn add_missing<T: Copy, K: Eq + std::hash::Hash>(
    list: &mut ThinVec<T>,
    more: ThinVec<T>,
    key: impl Fn(&T) -> K,
) -> usize {
    let looks = list.len() + more.len();
    if looks <= FEW_ENTRIES {
        for x in more {
            if !list.iter().any(|y| key(y) == key(&x)) {
                list.push(x);
            }
        }
    } else {
        let mut known: FxHashSet<K> = list.iter().map(&key).collect();
        list.extend(more.into_iter().filter(|x| known.insert(key(x))));
    }
    looks
}

impl Evaluator {
    fn new_group(&mut self, pos: Pos) -> u32 {
        self.groups.push(Group { parent: 0, pos });
        self.groups.len() as u32 - 1
    }

    /// Says that whatever lies in group `to` lies in group `from` as well.
    pub(crate) fn replace_group(&mut self, v: VId, from: u32, to: u32) {
        if from == 0 || from == to {
            return;
        }
        if from < to && self.groups[to as usize].parent == 0 {
            self.groups[to as usize].parent = from;
            return;
        }
        let n = self.nm(v);
        n.req_sets = None;
        n.replaced.push((from, to));
    }

    pub(crate) fn add_evidence(&mut self, v: VId, info: CloseInfo, flags: u8) {
        let n = self.nm(v);
        match n.evidence.iter_mut().find(|e| e.id == info.def) {
            Some(e) => e.flags |= flags,
            None => n.evidence.push(Evidence {
                id: info.def,
                embed: info.embed,
                flags,
            }),
        }
    }

    /// The group of conjuncts that a reference at `pos` to vertex `target` brings into `v`.
    pub(crate) fn add_resolver(
        &mut self,
        v: VId,
        pos: Pos,
        target: VId,
        mut info: CloseInfo,
        ignore: bool,
    ) -> CloseInfo {
        self.looked(v, self.n(v).reqs.len());
        let t = self.vx(target);
        let (recursive, here) = (t.closed_recursive(), t.closed_here());
        let close_outer = info.from_def && info.from_embed && !info.opened && !info.conjunct_opened;
        if close_outer && !ignore {
            let mut outer = info.outer;
            for r in self.nm(v).reqs.iter_mut().rev() {
                if r.id == outer && outer != 0 {
                    r.ignore = false;
                    r.recursive |= recursive;
                    outer = r.parent;
                }
            }
        }
        let ignore = if ignore || info.opened {
            true
        } else if info.embed != 0 || info.outer == 0 {
            !(info.from_def || here || recursive)
        } else {
            info.from_embed
        };
        let mut id = 0;
        if let Some(r) = self.nm(v).reqs.iter_mut().find(|r| r.target == target) {
            id = r.id;
            if r.ignore && !ignore {
                r.ignore = false;
                r.parent = info.outer;
                r.embed = info.embed;
            }
        }
        if id == 0 || info.embed != 0 {
            let next = self.new_group(pos);
            if id != 0 {
                self.replace_group(v, next, id);
            }
            id = next;
            self.nm(v).reqs.push(Requirement {
                target,
                id,
                parent: info.outer,
                embed: info.embed,
                ignore,
                kind: ReqKind::Reference,
                recursive,
                conjunct_opened: info.conjunct_opened,
            });
        }
        let from = info.def;
        info.def = id;
        self.replace_group(v, from, id);
        info
    }

    pub(crate) fn new_requirement(
        &mut self,
        v: VId,
        pos: Pos,
        mut info: CloseInfo,
        kind: ReqKind,
    ) -> CloseInfo {
        let id = self.new_group(pos);
        self.replace_group(v, info.def, id);
        let parent = info.def;
        info.def = id;
        match kind {
            ReqKind::Embedding => info.embed = id,
            ReqKind::Struct | ReqKind::Reference => info.outer = id,
        }
        let target = self.empty;
        self.nm(v).reqs.push(Requirement {
            target,
            id,
            parent,
            embed: info.embed,
            ignore: true,
            kind,
            recursive: info.from_def,
            conjunct_opened: false,
        });
        info
    }

    /// The group of something embedded. Comprehensions have no expression.
    pub(crate) fn embed(
        &mut self,
        v: VId,
        x: Option<XId>,
        pos: Pos,
        mut info: CloseInfo,
    ) -> CloseInfo {
        if self.explicit_open(pos) {
            return info;
        }
        info.from_embed = true;
        if let Some(x) = x
            && let Expr::Binary(op, ..) = self.program.expr(x)
            && op != Op::And
        {
            return info;
        }
        self.new_requirement(v, pos, info, ReqKind::Embedding)
    }

    fn explicit_open(&self, pos: Pos) -> bool {
        self.experiments_at(pos).explicitopen
    }

    /// The group of a literal that embeds something.
    pub(crate) fn split_struct(&mut self, v: VId, s: SId, info: CloseInfo) -> CloseInfo {
        let lit = self.program.struct_lit(s);
        if self.explicit_open(lit.pos) || info.outer != 0 || info.from_embed || lit.is_file {
            return info;
        }
        self.new_requirement(v, lit.pos, info, ReqKind::Struct)
    }

    pub(crate) fn split_scope(&mut self, v: VId, info: CloseInfo) -> CloseInfo {
        self.new_requirement(v, Pos::NONE, info, ReqKind::Struct)
    }

    pub(crate) fn set_embed_closedness(&mut self, v: VId, arc: VId) {
        let a = self.vx(arc);
        let (recursive, here) = (a.closed_recursive(), a.closed_here());
        let n = self.nm(v);
        if recursive {
            n.embed_closedness = 2;
        } else if here && n.embed_closedness < 1 {
            n.embed_closedness = 1;
        }
    }

    fn flatten_replaced(&mut self, v: VId) {
        let mut flat = Vec::new();
        let (mut p, mut up) = (v, 0);
        while p.is_some() && self.has_state(p) {
            up += 1;
            flat.extend_from_slice(&self.n(p).replaced);
            p = self.vx(p).parent;
        }
        flat.sort_by_key(|r| std::cmp::Reverse(r.1));
        self.looked(v, FAR_LOOKS * up + flat.len() * 2);
        self.nm(v).flat_replaced = Some(flat);
    }

    fn contains(&mut self, v: VId, group: u32, child: u32) -> bool {
        self.find_inside(v, group, [child], |_| true)
    }

    fn contains_any(&mut self, v: VId, group: u32, evidence: &[Evidence]) -> bool {
        self.find_inside(v, group, evidence.iter().map(|e| e.id), |_| true)
    }

    /// Goes through those of some groups that lie in a group, by their number in the list, until
    /// one is found.
    fn find_inside(
        &mut self,
        v: VId,
        group: u32,
        children: impl IntoIterator<Item = u32>,
        mut found: impl FnMut(usize) -> bool,
    ) -> bool {
        if self.n(v).flat_replaced.is_none() {
            self.flatten_replaced(v);
        }
        let over = self.is_over();
        let flat = self.n(v).flat_replaced.as_deref().unwrap_or_default();
        let (mut any, mut looked) = (false, 0);
        for (i, child) in children.into_iter().enumerate() {
            let (inside, looks) = if over {
                (true, 0)
            } else if flat.is_empty() {
                self.within(group, child)
            } else {
                let (inside, looks) = self.within_replaced(flat, group, child);
                (inside, looks * (4 + flat.len().ilog2() as usize))
            };
            looked += looks;
            any = inside && found(i);
            if any {
                break;
            }
        }
        self.looked(v, looked);
        any
    }

    fn within_replaced(&self, flat: &[(u32, u32)], group: u32, child: u32) -> (bool, usize) {
        let mut walk = Walk {
            group,
            looked: 1,
            without: FxHashSet::default(),
        };
        let found = self.contains_rec(flat, (child, child), 0, &mut walk);
        (found, walk.looked)
    }

    /// Whether a group lies in another where none was replaced, and how many were looked at. What a
    /// group lies in was opened before it, so its number is smaller.
    fn within(&self, group: u32, child: u32) -> (bool, usize) {
        let (mut p, mut looked) = (child, 1);
        while p > group {
            looked += 1;
            p = self.groups[p as usize].parent;
        }
        let inside = p == group && (group != 0 || child == 0);
        (inside, FAR_LOOKS / 2 * looked)
    }

    fn contains_rec(
        &self,
        flat: &[(u32, u32)],
        (child, start): (u32, u32),
        depth: u32,
        walk: &mut Walk,
    ) -> bool {
        if depth > 200 || walk.without.contains(&child) {
            return false;
        }
        let mut at = 0;
        let mut p = child;
        while p != 0 {
            if p == walk.group {
                return true;
            }
            at += flat[at..].partition_point(|r| r.1 > p);
            while at < flat.len() && flat[at].1 == p {
                let from = flat[at].0;
                at += 1;
                if from != child && self.contains_rec(flat, (from, start), depth + 1, walk) {
                    return true;
                }
            }
            walk.looked += 1;
            p = self.groups[p as usize].parent;
            if p == start || p < walk.group && at == flat.len() {
                break;
            }
        }
        if walk.looked > FEW_LOOKS {
            walk.without.insert(child);
        }
        p == 0 && child == walk.group
    }

    fn req_sets(&mut self, v: VId) -> ReqSets {
        if let Some(sets) = &self.n(v).req_sets {
            return sets.clone();
        }
        let parent = self.vx(v).parent;
        let mut sets = ReqSets::new();
        if parent.is_some() && !self.n(v).drop_parent_reqs && self.has_state(parent) {
            sets = self.nested(|e| e.req_sets(parent));
        }
        for s in &mut sets {
            s.ignored |= s.once;
        }
        let inherited = sets.len();
        let own: SmallVec<[Requirement; 4]> = SmallVec::from_slice(&self.n(v).reqs);
        for r in own {
            if r.ignore && r.kind == ReqKind::Reference || sets.iter().any(|s| s.id == r.id) {
                continue;
            }
            let once = r.kind != ReqKind::Embedding
                && (self.vx(r.target).closed_here() || !r.ignore && !r.recursive);
            sets.push(ReqSet {
                id: r.id,
                parent: r.parent,
                embed: r.embed,
                kind: r.kind,
                once,
                ignored: r.ignore,
                removed: false,
                conjunct_opened: r.conjunct_opened,
            });
            if r.parent != 0 && !r.ignore {
                let mut outer = r.parent;
                for s in sets[..inherited].iter_mut().rev() {
                    if outer != 0 && s.id == outer {
                        s.once = !r.recursive && (s.ignored || s.once);
                        s.ignored = false;
                        outer = s.parent;
                    }
                }
            }
        }
        self.looked(v, inherited + sets.len() * (1 + self.n(v).reqs.len()));
        self.filter_sets(v, parent, &mut sets);
        self.nm(v).req_sets = Some(sets.clone());
        sets
    }

    fn filter_sets(&mut self, v: VId, parent: VId, sets: &mut ReqSets) {
        if sets.is_empty() {
            return;
        }
        let evidence = self.evidence(v);
        if self.vx(v).label.always_allowed() {
            sets.retain(|s| self.contains_any(v, s.id, &evidence));
        }
        let above = if parent.is_some() {
            self.evidence(parent)
        } else {
            Evidences::new()
        };
        sets.retain(|s| self.keep_set(v, s, &evidence, &above));
    }

    fn keep_set(
        &mut self,
        v: VId,
        s: &mut ReqSet,
        evidence: &[Evidence],
        above: &[Evidence],
    ) -> bool {
        let (mut flags, mut any) = (0, false);
        self.find_inside(v, s.id, evidence.iter().map(|e| e.id), |i| {
            any = true;
            let e = &evidence[i];
            flags |= if e.id < s.id {
                e.flags & !HAS_STRUCT
            } else {
                e.flags
            };
            false
        });
        if flags & HAS_TOP != 0 && flags & HAS_STRUCT == 0 || flags & HAS_OPEN_VALIDATOR != 0 {
            return false;
        }
        if any && s.kind != ReqKind::Struct {
            return true;
        }
        let id = self.ellipsis_of(v, s.id, above);
        if id != 0 && (!any || !self.contains_any(v, id, evidence)) {
            s.removed = true;
        }
        true
    }

    fn ellipsis_of(&mut self, v: VId, group: u32, evidence: &[Evidence]) -> u32 {
        for e in evidence {
            if e.flags & HAS_ELLIPSIS != 0 && self.contains(v, group, e.id) {
                return e.id;
            }
        }
        0
    }

    fn evidence_for_all(&mut self, a: VId, sets: &[ReqSet], evidence: &[Evidence]) -> bool {
        sets.iter()
            .all(|s| s.ignored || s.removed || self.evidence_for_one(a, sets, s, evidence))
    }

    fn evidence_for_one(
        &mut self,
        a: VId,
        all: &[ReqSet],
        s: &ReqSet,
        evidence: &[Evidence],
    ) -> bool {
        if self.contains_any(a, s.id, evidence) {
            return true;
        }
        let lookup = |id: u32| {
            if id == 0 {
                None
            } else {
                all.iter().find(|s| s.id == id).copied()
            }
        };
        let Some(embed) = lookup(s.embed) else {
            return false;
        };
        if s.conjunct_opened && s.parent == 0 {
            return !evidence.iter().any(|e| self.contains(a, embed.id, e.embed));
        }
        let outer = lookup(s.parent);
        for e in evidence {
            if self.contains(a, embed.id, e.embed) {
                continue;
            }
            if s.parent == 0 {
                if embed.parent != 0 && lookup(embed.parent).is_none() {
                    continue;
                }
                return true;
            }
            let Some(outer) = outer else { return true };
            if outer.removed || self.contains(a, outer.id, e.id) {
                return true;
            }
        }
        false
    }

    /// Reports the fields of a complete vertex that a closed struct does not allow.
    pub(crate) fn check_typos(&mut self, v0: VId) -> R<()> {
        let v = self.deref(v0);
        if self.vx(v).arcs.is_empty() || self.is_over() {
            return Ok(());
        }
        if let Some(e) = self.vx(v).base.err()
            && !self.errors[e.i()].close_check
        {
            return Ok(());
        }
        let mut sets = self.req_sets(v0);
        if sets.is_empty() {
            return Ok(());
        }
        let own = self.evidence(v0);
        let mut failed = Vec::new();
        for s in &mut sets {
            if self.ellipsis_of(v0, s.id, &own) != 0 {
                s.removed = true;
            }
        }
        for i in 0..self.vx(v).arcs.len() {
            let arc = self.vx(v).arcs[i];
            let label = self.vx(arc).label;
            let a = self.deref_disjunct(arc);
            if !self.has_state(a) && !self.vx(a).is_leaf() {
                continue;
            }
            if let Some(e) = self.vx(a).base.err()
                && !self.errors[e.i()].close_check
            {
                continue;
            }
            let left = self.vx(a).arc == ArcType::Optional && !self.n(a).initialized;
            if label.always_allowed() || left {
                continue;
            }
            let (at, evidence) = self.evidence_of(a);
            if self.evidence_for_all(at, &sets, &evidence) {
                continue;
            }
            let e = self.not_allowed(a);
            if e.is_some() && self.vx(a).arc <= ArcType::Required {
                failed.push(e);
            }
        }
        if !failed.is_empty() {
            let err = self.combine_many(&failed);
            self.add_child_error(v0, err);
        }
        Ok(())
    }

    /// Whether a vertex whose tasks are done, and whose fields may not be evaluated, has a field
    /// that a closed struct will not allow: what the conjuncts of the field refer to lies in
    /// their own groups, so that it gives no evidence they do not give.
    pub(crate) fn has_certain_typo(&mut self, v: VId) -> bool {
        if self.exact > 0 || self.n(v).shared || self.is_err(v) {
            return false;
        }
        let sets = self.sets_of_typos(v);
        !sets.is_empty()
            && (0..self.vx(v).arcs.len()).any(|i| self.is_certain_typo(self.vx(v).arcs[i], &sets))
    }

    /// The labels of such fields of a vertex that gets more conjuncts.
    pub(crate) fn certain_typos<L: FromIterator<Label>>(&mut self, v: VId) -> L {
        let n = self.n(v);
        let known = (n.req_sets.clone(), n.flat_replaced.clone());
        let sets = self.sets_of_typos(v);
        let count = if sets.is_empty() {
            0
        } else {
            self.vx(v).arcs.len()
        };
        let typos = (0..count).filter_map(|i| {
            let a = self.vx(v).arcs[i];
            self.is_certain_typo(a, &sets).then(|| self.vx(a).label)
        });
        let typos = typos.collect();
        let n = self.nm(v);
        (n.req_sets, n.flat_replaced) = known;
        typos
    }

    fn sets_of_typos(&mut self, v: VId) -> ReqSets {
        if self.vx(v).arcs.is_empty() {
            return ReqSets::new();
        }
        let mut sets = self.req_sets(v);
        let own = self.evidence(v);
        sets.retain(|s| !s.ignored && !s.removed && s.embed == 0);
        sets.retain(|s| self.ellipsis_of(v, s.id, &own) == 0);
        sets
    }

    fn is_certain_typo(&mut self, a: VId, sets: &[ReqSet]) -> bool {
        let x = self.vx(a);
        if x.arc > ArcType::Required || x.label.always_allowed() {
            return false;
        }
        let mut groups: SmallVec<[u32; 8]> = x.conjuncts.iter().map(|c| c.info.def).collect();
        let (at, evidence) = self.evidence_of(a);
        groups.extend(evidence.iter().map(|e| e.id));
        let known = at != a || self.n(a).flat_replaced.is_some();
        let typo = sets
            .iter()
            .any(|s| !groups.iter().any(|g| self.contains(at, s.id, *g)));
        if !known {
            self.nm(a).flat_replaced = None;
        }
        typo
    }

    /// The evidence at a field, and the vertex whose groups it is to be looked up in. Without
    /// working state that is what its conjuncts say themselves.
    fn evidence_of(&self, a: VId) -> (VId, Evidences) {
        if self.has_state(a) {
            return (a, self.evidence(a));
        }
        let x = self.vx(a);
        let evidence = x.conjuncts.iter().map(|c| Evidence {
            id: c.info.def,
            embed: c.info.embed,
            flags: 0,
        });
        (x.parent, evidence.collect())
    }

    fn evidence(&self, v: VId) -> Evidences {
        Evidences::from_slice(&self.n(v).evidence)
    }

    fn not_allowed(&mut self, a: VId) -> ErrId {
        if self.vx(a).arc == ArcType::Pending || self.has_err() {
            return ErrId::NONE;
        }
        let mark = self.more_pos.len();
        let mut more = Vec::new();
        for c in &self.vx(a).conjuncts {
            match c.item {
                Item::Decl(d) => more.push(self.program.decl_pos(d)),
                Item::Expr(x) => more.push(self.program.pos(x)),
                Item::Val(val) => {
                    self.positions_of(val, &mut more);
                }
            }
        }
        self.more_pos.extend(more);
        let saved = std::mem::replace(&mut self.reg.vertex, a);
        let e = self.errf("field not allowed", vec![]);
        self.reg.vertex = saved;
        self.more_pos.truncate(mark);
        self.errors[e.i()].close_check = true;
        self.errors[e.i()].node = a;
        self.vm(a).base = Val::bare(Data::Err(e));
        self.vm(a).status = super::vertex::Status::Finalized;
        if self.has_state(a) {
            self.nm(a).kind = super::kind::Kind::BOTTOM;
        }
        e
    }

    /// Gives evidence of a merged disjunct to the one that stays.
    pub(crate) fn merge_evidence(&mut self, keep: VId, gone: VId) {
        if !self.has_state(keep) || !self.has_state(gone) {
            return;
        }
        let evidence = self.n(gone).evidence.clone();
        let n = self.nm(keep);
        let mut looks = add_missing(&mut n.evidence, evidence, |e| e.id);
        let replaced = self.n(gone).replaced.clone();
        let n = self.nm(keep);
        let count = n.replaced.len();
        looks += add_missing(&mut n.replaced, replaced, |r| *r);
        if n.replaced.len() > count {
            n.flat_replaced = None;
        }
        self.looked(keep, looks);
        for b in self.vx(gone).arcs.clone() {
            if let Some(a) = self.arc_raw(keep, self.vx(b).label) {
                self.merge_evidence(a, b);
            }
        }
    }
}
