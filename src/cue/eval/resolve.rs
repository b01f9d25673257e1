//! From references to vertices.

use super::context::{Evaluator, LetEntry};
use super::error::{Arg, ErrId};
use super::kind::{ArcType, Code, Kind};
use super::label::Label;
use super::library::R;
use super::node::{Cond, Flags, Mode};
use super::program::{Expr, XId};
use super::value::{Data, Val};
use super::vertex::{Conjunct, Item, VId, Vertex};
use crate::syntax::source::Pos;
use crate::syntax::tree;

impl Evaluator {
    /// The vertex a reference means; 0 if there is none, maybe with an error recorded.
    pub(crate) fn resolve(&mut self, x: XId, flags: Flags) -> R<VId> {
        match self.program.expr(x) {
            Expr::Field {
                up,
                label,
                optional,
            } => {
                let v = self.frame_vertex(up)?;
                let pos = self.program.pos(x);
                let saved = self.take_err();
                let r = self.need(v, pos, label, flags)?;
                self.reg.errs = self.combine(self.reg.errs, saved);
                Ok(self.maybe_skip(optional, r))
            }
            Expr::ValueRef { up: 0, .. } => Ok(self.reg.vertex),
            Expr::ValueRef { up, .. } => self.frame_vertex(up - 1),
            Expr::DynamicRef { up, label, .. } => self.resolve_dynamic(x, up, label, flags),
            Expr::Let { up, label } => self.resolve_let(x, up, label, flags),
            Expr::Import(i, _) => Ok(self.resolve_import(x, i)),
            Expr::Selector {
                x: y,
                sel,
                pos,
                optional,
            } => {
                let v = self.container(x, y, sel.is_regular())?;
                self.select(v, pos, sel, optional, flags)
            }
            Expr::Index {
                x: y,
                index,
                optional,
            } => {
                let v = self.container(x, y, true)?;
                let i = self.eval_value(index, Flags::SCALAR)?;
                if v == self.empty {
                    return Ok(v);
                }
                let label = self.label_of(index, i);
                if self.has_err() {
                    return Ok(VId::NONE);
                }
                let pos = self.written_index(x).unwrap_or(self.program.pos(index));
                let r = self.need(v, pos, label, flags)?;
                Ok(self.maybe_skip(optional, r))
            }
            _ => Ok(VId::NONE),
        }
    }

    /// Where the index of an expression stands, with its parentheses.
    fn written_index(&self, x: XId) -> Option<Pos> {
        let (source, node) = self.program.origin(x)?;
        match source.tree.expr(node) {
            tree::Expr::Index(_, index, _) => Some(source.tree.pos(index)),
            _ => None,
        }
    }

    fn select(&mut self, v: VId, pos: Pos, sel: Label, optional: bool, flags: Flags) -> R<VId> {
        if v == self.empty {
            return Ok(v);
        }
        let saved = self.take_err();
        let r = self.need(v, pos, sel, flags)?;
        self.reg.errs = self.combine(self.reg.errs, saved);
        Ok(self.maybe_skip(optional, r))
    }

    fn frame_vertex(&mut self, up: u32) -> R<VId> {
        let env = self.env_up(self.reg.env, up);
        let v = self.envs[env.i()].vertex;
        self.unify(v, Flags::new(Cond::ALL, Mode::Ignore))?;
        Ok(v)
    }

    fn maybe_skip(&mut self, optional: bool, arc: VId) -> VId {
        if arc.is_some() || !optional || !self.incomplete(self.reg.errs) {
            return arc;
        }
        let mut v = self.reg.vertex;
        while v.is_some() {
            if self.has_state(v) && self.n(v).try_body.is_some() {
                let body = self.n(v).try_body;
                self.nm(body).try_failed = true;
                break;
            }
            v = self.vx(v).parent;
        }
        arc
    }

    fn resolve_dynamic(&mut self, x: XId, up: u32, label: XId, flags: Flags) -> R<VId> {
        let env = self.env_up(self.reg.env, up);
        let saved = self.reg;
        self.reg.env = env;
        self.reg.errs = ErrId::NONE;
        let v = self.eval_value(label, Flags::SCALAR)?;
        self.reg.env = saved.env;
        self.reg.errs = saved.errs;
        self.reg.src = saved.src;
        let f = self.label_of(label, v);
        let pos = self.program.pos(x);
        let owner = self.envs[env.i()].vertex;
        if f == Label::NONE {
            return Ok(VId::NONE);
        }
        self.need(owner, pos, f, flags)
    }

    fn resolve_let(&mut self, x: XId, up: u32, label: Label, flags: Flags) -> R<VId> {
        let env = self.env_up(self.reg.env, up);
        let owner = self.envs[env.i()].vertex;
        let pos = self.program.pos(x);
        let arc = self.need(owner, pos, label, flags)?;
        if !arc.is_some() {
            return Ok(arc);
        }
        let e = self.bottom(arc);
        let state = self.state(arc)?;
        if !self.vx(arc).multi_let() && (!e.is_some() && !state || e == ErrId::CYCLE) {
            return Ok(arc);
        }
        let Some(c) = self.vx(arc).conjuncts.first().copied() else {
            return Ok(arc);
        };
        let expr = self.conjunct_expr(&c);
        if !expr.is_some() {
            return Ok(arc);
        }
        let key = (env, expr, arc);
        let found = self.lets.get(&key).copied();
        if let Some(entry) = found {
            let cyclic = self.is_cycle(self.vx(entry.vertex).base);
            let open = self.vx(arc).status != super::vertex::Status::Finalized;
            if !(cyclic && open && !entry.recomputed) {
                return Ok(entry.vertex);
            }
        }
        let mut v = Vertex::new(self.vx(arc).parent, label, ArcType::Member);
        v.set_dynamic(e.is_some() && self.code(e) == Code::Structural);
        v.conjuncts.push(Conjunct {
            item: Item::Expr(expr),
            env,
            info: c.info,
        });
        let vertex = self.new_vertex(v);
        self.lets.insert(
            key,
            LetEntry {
                vertex,
                recomputed: found.is_some(),
            },
        );
        Ok(vertex)
    }

    /// The struct or list that a selector or index looks into.
    fn container(&mut self, orig: XId, x: XId, scalar: bool) -> R<VId> {
        let saved = self.reg.info.from_def;
        if !self.is_reference(x) {
            self.reg.info.from_def = false;
        }
        let r = self.container_inner(orig, x, scalar);
        self.reg.info.from_def = saved;
        r
    }

    pub(crate) fn is_reference(&self, x: XId) -> bool {
        matches!(
            self.program.expr(x),
            Expr::Field { .. }
                | Expr::ValueRef { .. }
                | Expr::DynamicRef { .. }
                | Expr::Let { .. }
                | Expr::Import(..)
                | Expr::Selector { .. }
                | Expr::Index { .. }
        )
    }

    fn container_inner(&mut self, orig: XId, x: XId, scalar: bool) -> R<VId> {
        let v = self.unified(x, Flags::new(Cond::NEED_FIELD_SET, Mode::Yield))?;
        let pos = self.program.pos(x);
        let Some((mut val, node)) = self.look_into(v, scalar)? else {
            return Ok(self.empty);
        };
        if let Some(n) = node
            && !self.is_cycle(self.vx(n).base)
        {
            val = self.value(n);
        }
        match val.data {
            Data::Unset => {
                let args = vec![Arg::Expr(orig), Arg::Expr(x)];
                self.add_errf(
                    Code::Incomplete,
                    pos,
                    "{} undefined ({} is incomplete)",
                    args,
                );
                Ok(self.empty)
            }
            Data::Err(e) => {
                self.add_error(e);
                Ok(self.empty)
            }
            Data::Vertex(w) => {
                if self.vx(w).non_rooted() {
                    self.complete_arcs_only(w)?;
                }
                Ok(node.unwrap_or(w))
            }
            _ => {
                let kind = self.kind(val);
                if kind.meets(Kind::STRUCT) {
                    let args = vec![Arg::Expr(orig), Arg::Expr(x), Arg::Kind(kind)];
                    let template = "{} undefined as {} is incomplete (type {})";
                    self.add_errf(Code::Incomplete, pos, template, args);
                    return Ok(self.empty);
                }
                if node.is_none() {
                    let args = vec![Arg::Source(x), Arg::Kind(kind)];
                    let template = "invalid operand {} (found {}, want list or struct)";
                    self.add_errf(Code::Eval, pos, template, args);
                    return Ok(self.empty);
                }
                Ok(node.unwrap_or(self.empty))
            }
        }
    }

    /// Takes the default and looks through; the vertex if there is one. None after an error.
    fn look_into(&mut self, v: Val, scalar: bool) -> R<Option<(Val, Option<VId>)>> {
        let (mut v, ok) = self.default_of(v)?;
        if !ok {
            return Ok(None);
        }
        if scalar {
            let w = self.unwrap(v);
            if !self.is_cycle(w) {
                v = w;
            }
        }
        let node = match v.data {
            Data::Vertex(n) => Some(n),
            _ => None,
        };
        Ok(Some((v, node)))
    }

    /// What an expression refers to or evaluates to, with its fields known.
    fn unified(&mut self, x: XId, flags: Flags) -> R<Val> {
        let src = std::mem::replace(&mut self.reg.src, self.program.pos(x));
        let outer = self.take_err();
        let mut val = if self.is_reference(x) {
            self.unified_reference(x, flags)?
        } else {
            match self.program.expr(x) {
                Expr::Val(v) => v,
                _ => self.eval_plain(x, flags)?,
            }
        };
        self.reg.errs = self.combine(self.reg.errs, outer);
        if let Data::Vertex(v) = val.data {
            let e = self.bottom(v);
            if e.is_some() && !self.incomplete(e) {
                val = Val::bare(Data::Err(e));
            }
        }
        if let Some(e) = val.err() {
            let e = self.place_cycle(e);
            self.add_error(e);
        }
        if self.has_err() {
            val = Val::bare(Data::Err(self.reg.errs));
        }
        self.reg.src = src;
        Ok(val)
    }

    fn eval_plain(&mut self, x: XId, flags: Flags) -> R<Val> {
        let info = self.reg.info;
        let v = self.eval(x, flags)?;
        self.reg.info = info;
        Ok(v)
    }

    fn unified_reference(&mut self, x: XId, flags: Flags) -> R<Val> {
        let v = self.resolve(x, flags)?;
        if self.has_err() || !v.is_some() {
            return Ok(Val::UNSET);
        }
        let v = self.deref(v);
        if self.state(v)? {
            self.hold(v);
            let r = self.process_container(v);
            self.let_go(v);
            r?;
        }
        Ok(Val::bare(Data::Vertex(v)))
    }

    fn process_container(&mut self, v: VId) -> R<()> {
        if self.reg.info.cycle != super::vertex::Cyclic::Yes {
            self.nm(v).has_non_cycle = true;
        }
        let needs = Cond::ARC_TYPE.or(Cond::FIELD_SET);
        self.process(v, needs, Mode::Yield)?;
        if !self.n(v).disjuncts.is_empty() || !self.n(v).cheap_disjunction.is_unset() {
            self.unify(v, Flags::new(needs, Mode::Yield))?;
        }
        Ok(())
    }

    /// What a loop ranges over; the empty vertex after an error.
    pub(crate) fn loop_source(&mut self, x: XId) -> R<VId> {
        let needs = Cond::NEED_FIELD_SET;
        self.reg.detached += 1;
        let v = self.unified(x, Flags::new(needs, Mode::Attempt));
        self.reg.detached -= 1;
        let v = v?;
        if let Data::Vertex(n) = v.data {
            self.unify(n, Flags::new(needs, Mode::Finalize).typos())?;
        }
        let pos = self.program.pos(x);
        let Some((mut val, node)) = self.look_into(v, true)? else {
            return Ok(self.empty);
        };
        if let Some(n) = node
            && !self.is_cycle(self.vx(n).base)
        {
            val = self.value(n);
        }
        let kind = self.kind(val);
        match val.data {
            Data::Unset => {
                self.add_errf(
                    Code::Incomplete,
                    pos,
                    "cannot range over {} (incomplete)",
                    vec![Arg::Expr(x)],
                );
                return Ok(self.empty);
            }
            Data::Err(e) => {
                self.add_error(e);
                return Ok(self.empty);
            }
            Data::Vertex(_) => {}
            _ if !kind.meets(Kind::COMPOSITE) && node.is_none() => {
                let template = "cannot range over {} (found {}, want list or struct)";
                self.add_errf(
                    Code::Eval,
                    pos,
                    template,
                    vec![Arg::Source(x), Arg::Kind(kind)],
                );
                return Ok(self.empty);
            }
            _ => {}
        }
        let mixed = kind.meets(Kind::COMPOSITE) && kind != Kind::STRUCT && kind != Kind::LIST;
        if mixed || !matches!(val.data, Data::Vertex(_)) {
            let template = "cannot range over {} (incomplete type {})";
            self.add_errf(
                Code::Incomplete,
                pos,
                template,
                vec![Arg::Expr(x), Arg::Kind(kind)],
            );
            return Ok(self.empty);
        }
        Ok(node.unwrap_or(self.empty))
    }

    fn resolve_import(&mut self, x: XId, i: u32) -> VId {
        let import = self.program.imports[i as usize].clone();
        let v = match import.package {
            Some(p) => self.package_root(p),
            None => self.standard_package(&import.path),
        };
        if !v.is_some() {
            let pos = self.program.pos(x);
            let path = Arg::Text(format!("{:?}", import.path).into());
            self.add_errf(Code::Eval, pos, "cannot find package {}", vec![path]);
        }
        v
    }
}
