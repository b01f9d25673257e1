//! What a conjunct does when it enters a vertex.

use super::context::Evaluator;
use super::kind::{ArcType, Kind};
use super::library::R;
use super::node::{
    Alternative, CyclicConjunct, DefaultMode, HAS_ELLIPSIS, HAS_STRUCT, PendingDisjunction,
    ReqKind, Run, Source, Subject,
};
use super::program::{Decl, Expr, Op, SId, XId};
use super::value::{Data, Val};
use super::vertex::{CloseInfo, Conjunct, Cyclic, Env, EnvId, Item, StructInfo, VId, push_few};

/// A conjunct that enters a vertex is worth so many looks.
const SCHEDULE_LOOKS: usize = 16;

impl Evaluator {
    pub(crate) fn schedule_conjuncts(&mut self, v: VId) -> R<()> {
        self.begun += 1;
        self.nm(v).initialized = true;
        self.vm(v).base = Val::CYCLE;
        let saved = std::mem::replace(&mut self.reg.vertex, v);
        let mut i = 0;
        // Conjuncts that are added meanwhile schedule themselves.
        let count = self.vx(v).conjuncts.len();
        let mut result = Ok(());
        while i < count && result.is_ok() {
            let c = self.vx(v).conjuncts[i];
            let mut info = c.info;
            if self.reg.info.cycle == Cyclic::Yes {
                info.cycle = Cyclic::Yes;
                info.refs = self.reg.info.refs;
            }
            result = self.schedule_conjunct(v, c, info);
            i += 1;
        }
        self.reg.vertex = saved;
        result
    }

    pub(crate) fn schedule_conjunct(&mut self, v: VId, c: Conjunct, info: CloseInfo) -> R<()> {
        self.looked(v, SCHEDULE_LOOKS);
        if self.is_over() {
            return Ok(());
        }
        self.nested(|e| e.schedule_item(v, c, info))
    }

    fn schedule_item(&mut self, v: VId, mut c: Conjunct, mut info: CloseInfo) -> R<()> {
        if c.info.from_def {
            self.vm(v).set_closed_recursive(true);
        }
        self.mark_non_cyclic(v, info);
        let x = match c.item {
            Item::Val(val) => return self.schedule_value(v, c, val, info),
            Item::Expr(x) => x,
            Item::Decl(d) => self.program.decl_value(d),
        };
        match self.program.expr(x) {
            Expr::Val(val) => self.schedule_value(v, c, val, info),
            Expr::Open(y) => {
                c.item = Item::Expr(y);
                c.info.opened = true;
                info.opened = true;
                self.schedule_conjunct(v, c, info)
            }
            Expr::Binary(Op::And, a, b) => self.schedule_and(v, c.env, x, (a, b), info),
            Expr::Struct(s) => {
                self.unshare(v)?;
                self.schedule_struct(v, c.env, s, info)
            }
            Expr::List(_) => {
                self.unshare(v)?;
                self.update_cyclic(v, info)?;
                let env = self.new_env(c.env, v);
                self.update_type(v, Kind::LIST, Source::Expr(x), info);
                self.schedule(v, Run::List, env, Subject::Expr(x), info)?;
                Ok(())
            }
            Expr::Disjunction(items, marked) => {
                self.unshare(v)?;
                let list = self.program.disjunct_list(items);
                let alternatives = list
                    .iter()
                    .map(|(x, d)| Alternative::new(Item::Expr(*x), marked, *d));
                let alternatives = alternatives.collect();
                self.schedule_disjunction(v, c.env, info, alternatives)?;
                self.add_evidence(v, info, 0);
                Ok(())
            }
            Expr::Field { .. }
            | Expr::ValueRef { .. }
            | Expr::DynamicRef { .. }
            | Expr::Let { .. }
            | Expr::Import(..)
            | Expr::Selector { .. }
            | Expr::Index { .. } => self
                .schedule(v, Run::Resolver, c.env, self.subject(c.item), info)
                .map(|_| ()),
            e => {
                self.unshare(v)?;
                if self.waits_in_cycle(v, e, info) {
                    let n = self.nm(v);
                    n.has_ancestor_cycle = true;
                    let arc = VId::NONE;
                    n.cyclic_conjuncts.push(CyclicConjunct { conjunct: c, arc });
                    return Ok(());
                }
                self.schedule(v, Run::Expr, c.env, self.subject(c.item), info)?;
                Ok(())
            }
        }
    }

    /// Whether an expression is a call that would only go round a structural cycle.
    fn waits_in_cycle(&self, v: VId, e: Expr, info: CloseInfo) -> bool {
        let n = self.n(v);
        let Expr::Call(_, args) = e else { return false };
        info.cycle == Cyclic::Yes
            && !n.has_non_cycle
            && !n.has_non_cyclic
            && self
                .program
                .arg_list(args)
                .iter()
                .any(|a| self.has_reference(*a))
    }

    fn schedule_and(
        &mut self,
        v: VId,
        env: EnvId,
        x: XId,
        (a, b): (XId, XId),
        mut info: CloseInfo,
    ) -> R<()> {
        if info.opened {
            info.opened = false;
            info.conjunct_opened = true;
            info.from_embed = true;
            let pos = self.program.pos(x);
            info = self.new_requirement(v, pos, info, ReqKind::Embedding);
        }
        for item in [Item::Expr(a), Item::Expr(b)] {
            self.schedule_conjunct(v, Conjunct { item, env, info }, info)?;
        }
        Ok(())
    }

    fn subject(&self, item: Item) -> Subject {
        match item {
            Item::Expr(x) => Subject::Expr(x),
            Item::Decl(d) => Subject::Expr(self.program.decl_value(d)),
            Item::Val(_) => Subject::None,
        }
    }

    fn schedule_value(&mut self, v: VId, c: Conjunct, val: Val, info: CloseInfo) -> R<()> {
        let Data::Vertex(x) = val.data else {
            return self.insert_value(v, c.env, val, info);
        };
        if self.is_data(x) {
            self.unshare(v)?;
            return self.insert_value(v, c.env, val, info);
        }
        let mut info = info;
        if self.vx(x).closed_here() {
            self.vm(v).set_closed_here(true);
            let pos = self.pos_of(val);
            info = self.add_resolver(v, pos, x, info, false);
        }
        self.schedule_vertex_conjuncts(v, c, x, info)
    }

    pub(crate) fn schedule_disjunction(
        &mut self,
        v: VId,
        env: EnvId,
        mut info: CloseInfo,
        alternatives: Vec<Alternative>,
    ) -> R<()> {
        info.set_optional();
        if self.n(v).disjunctions.is_empty() {
            self.schedule(
                v,
                Run::Disjunctions,
                EnvId::NONE,
                Subject::None,
                CloseInfo::default(),
            )?;
        }
        let n = self.nm(v);
        n.disjunctions.push(PendingDisjunction {
            env,
            info,
            alternatives,
        });
        n.has_disjunction = true;
        Ok(())
    }

    /// Whether evaluating an expression may look at a reference.
    fn has_reference(&self, x: XId) -> bool {
        match self.program.expr(x) {
            Expr::Val(_) => false,
            Expr::Binary(_, a, b) => self.has_reference(a) || self.has_reference(b),
            Expr::Unary(_, a) => self.has_reference(a),
            Expr::Call(_, args) => self
                .program
                .arg_list(args)
                .iter()
                .any(|a| self.has_reference(*a)),
            Expr::List(run) => self.program.elem_list(run).iter().any(|e| match e {
                super::program::Elem::Expr(x) => self.has_reference(*x),
                _ => false,
            }),
            _ => true,
        }
    }

    fn run_of(&self, mut env: EnvId) -> u32 {
        while env.is_some() {
            let Env { up, run, .. } = self.envs[env.i()];
            if run != 0 {
                return run;
            }
            env = up;
        }
        0
    }

    fn schedule_struct(&mut self, v: VId, env: EnvId, s: SId, info: CloseInfo) -> R<()> {
        self.update_cyclic(v, info)?;
        self.add_evidence(v, info, HAS_STRUCT);
        let inner = self.new_env(env, v);
        self.nm(v).has_struct = true;
        let run = self.run_of(env);
        let n = self.n(v);
        let looks = self.vx(v).structs.len() + n.reqs.len() + n.evidence.len();
        self.looked(v, looks);
        let structs = &mut self.vm(v).structs;
        match structs.iter_mut().find(|i| i.lit == s) {
            Some(i) => i.repeats += 1,
            None => push_few(
                structs,
                StructInfo {
                    lit: s,
                    repeats: 0,
                    run,
                },
            ),
        }
        let lit = self.program.struct_lit(s);
        let info = if lit.embeds {
            self.split_struct(v, s, info)
        } else {
            info
        };
        let arcs = &mut self.vm(v).arcs;
        if arcs.capacity() == 0 {
            arcs.reserve_exact(lit.decls.len as usize);
        }
        let mut ellipsis = false;
        for i in lit.decls.range() {
            let d = self.program.decl_lists[i];
            ellipsis |= self.program.decl(d) == Decl::Ellipsis;
            self.schedule_decl(v, inner, s, d, info)?;
        }
        if ellipsis {
            self.vm(v).set_has_ellipsis(true);
            self.add_evidence(v, info, HAS_ELLIPSIS);
        }
        if !lit.embeds {
            self.is_struct(v, s, info);
        }
        Ok(())
    }

    fn is_struct(&mut self, v: VId, s: SId, info: CloseInfo) {
        self.nm(v).a_struct = true;
        self.update_type(v, Kind::STRUCT, Source::Struct(s), info);
    }

    fn schedule_decl(
        &mut self,
        v: VId,
        env: EnvId,
        s: SId,
        d: super::program::DId,
        info: CloseInfo,
    ) -> R<()> {
        let item = Item::Decl(d);
        let mut sub = info;
        sub.from_embed = false;
        match self.program.decl(d) {
            Decl::Field { label, arc, .. } => {
                if label.is_string() && arc == ArcType::Member {
                    self.is_struct(v, s, info);
                }
                if arc == ArcType::Optional {
                    sub.set_optional();
                }
                self.insert_arc(
                    v,
                    label,
                    arc,
                    Conjunct {
                        item,
                        env,
                        info: sub,
                    },
                    sub,
                    true,
                )?;
            }
            Decl::Let { label, multi, .. } => {
                let a = self.insert_arc(
                    v,
                    label,
                    ArcType::Member,
                    Conjunct {
                        item,
                        env,
                        info: sub,
                    },
                    sub,
                    true,
                )?;
                let x = self.vm(a);
                x.set_multi_let(x.multi_let() || multi);
            }
            Decl::Comprehension(c) => {
                let info = self.embed(v, None, self.program.comprehension(c).pos, info);
                self.schedule(v, Run::Comprehension, env, Subject::Comp(c), info)?;
            }
            Decl::Ellipsis => {}
            Decl::Dynamic { arc, .. } => {
                if arc == ArcType::Member {
                    self.is_struct(v, s, info);
                }
                self.schedule(v, Run::Dynamic, env, Subject::Decl(d), sub)?;
            }
            Decl::Pattern { .. } => {
                sub.set_optional();
                self.schedule(v, Run::Pattern, env, Subject::Decl(d), sub)?;
            }
            Decl::Embed(x) => {
                let info = self.embed(v, Some(x), self.program.pos(x), info);
                self.schedule_conjunct(
                    v,
                    Conjunct {
                        item: Item::Expr(x),
                        env,
                        info,
                    },
                    info,
                )?;
            }
        }
        Ok(())
    }

    pub(crate) fn schedule_vertex_conjuncts(
        &mut self,
        v: VId,
        c: Conjunct,
        arc: VId,
        mut info: CloseInfo,
    ) -> R<()> {
        let (open, label) = {
            let a = self.vx(arc);
            (!a.closed_recursive() && !a.closed_here(), a.label)
        };
        if open && info.embed != 0 {
            info.from_def = false;
        }
        let opened = c.info.opened || c.info.conjunct_opened;
        if opened {
            self.set_embed_closedness(v, arc);
        }
        if self.same(v, arc) {
            if self.n(v).shared {
                self.add_shared(v, info);
            }
            return Ok(());
        }
        if self.share_if_possible(v, c, arc, info) {
            self.state(arc)?;
            return Ok(());
        }
        let expr = self.conjunct_expr(&c);
        let pos = match c.item {
            Item::Val(val) => self.pos_of(val),
            _ => self.program.pos(expr),
        };
        if self.is_definition_ref(expr) || label.is_definition() || info.top_def {
            if opened {
                self.nm(v).embed_closedness = 2;
            }
            self.nm(v).is_def = true;
            info.from_def = true;
            info.top_def = false;
            info = self.add_resolver(v, pos, arc, info, false);
        } else {
            info = self.add_resolver(v, pos, arc, info, true);
        }
        self.looked(v, self.n(v).arc_map.len());
        if self.n(v).arc_map.contains(&arc) {
            return Ok(());
        }
        self.nm(v).arc_map.push(arc);
        let parent = self.vx(arc).parent;
        let x = self.vx(v);
        if parent.is_some() && (!x.non_rooted() || x.dynamic()) {
            let known = !self.state(parent)?
                || self
                    .n(parent)
                    .meets(super::node::Cond::NEED_FIELD_CONJUNCTS);
            if self.bare_state(arc) && !known {
                self.add_notify(arc, v, info);
            }
        }
        let mut i = 0;
        while let Some(c) = self.vx(arc).conjuncts.get(i).copied() {
            self.schedule_conjunct(v, c, info)?;
            i += 1;
        }
        if self.bare_state(arc) {
            self.nm(v).to_complete = true;
        }
        Ok(())
    }

    fn add_notify(&mut self, arc: VId, v: VId, info: CloseInfo) {
        let n = self.n(arc);
        if n.initialized && n.meets(super::node::Cond::ANCESTORS)
            || n.notify.iter().any(|r| r.vertex == v)
        {
            return;
        }
        self.nm(arc)
            .notify
            .push(super::node::Receiver { vertex: v, info });
    }

    /// Whether the path of a reference passes a definition.
    pub(crate) fn is_definition_ref(&self, mut x: XId) -> bool {
        loop {
            match self.program.expr(x) {
                Expr::Field { label, .. } => return label.is_definition(),
                Expr::Selector { sel, .. } if sel.is_definition() => return true,
                Expr::Selector { x: y, .. } | Expr::Index { x: y, .. } => x = y,
                _ => return false,
            }
        }
    }

    /// Narrows the kind of a vertex; false if nothing is left.
    pub(crate) fn update_type(&mut self, v: VId, k: Kind, src: Source, info: CloseInfo) -> bool {
        self.add_evidence(v, info, 0);
        let n = self.n(v);
        let kind = n.kind & k;
        if n.kind == Kind::BOTTOM || k == Kind::BOTTOM {
            return false;
        }
        if kind == Kind::BOTTOM {
            let old = (n.kind_src, n.kind, n.kind_group);
            self.conflict(v, old, (src, k, info.def));
        }
        let n = self.nm(v);
        if n.kind != kind || n.kind_src == Source::None {
            n.kind_src = src;
        }
        n.kind = kind;
        n.kind_group = info.def;
        kind != Kind::BOTTOM
    }
}

impl CloseInfo {
    pub(crate) fn set_optional(&mut self) {
        if self.cycle == Cyclic::No {
            self.cycle = Cyclic::Optional;
        }
    }
}

impl Alternative {
    pub(crate) fn new(item: Item, has_defaults: bool, is_default: bool) -> Alternative {
        let mode = match (has_defaults, is_default) {
            (false, _) => DefaultMode::Maybe,
            (true, true) => DefaultMode::Is,
            (true, false) => DefaultMode::Not,
        };
        Alternative {
            item,
            mode,
            err: super::error::ErrId::NONE,
        }
    }
}
