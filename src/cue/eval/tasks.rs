//! What each kind of task does.

use super::context::Evaluator;
use super::error::Arg;
use super::kind::{ArcType, Code, Kind};
use super::label::Label;
use super::library::R;
use super::node::{Cond, Flags, Mode, Source, Subject, TaskState};
use super::program::{Decl, Elem, Expr, Op, XId};
use super::value::{Concreteness, Data, Val};
use super::vertex::{CloseInfo, Conjunct, Cyclic, Env, EnvId, Item, Status, TId, VId};

impl Evaluator {
    fn subject_expr(&self, t: TId) -> XId {
        match self.tasks[t.i()].subject {
            Subject::Expr(x) => x,
            Subject::Decl(d) => self.program.decl_value(d),
            _ => XId::NONE,
        }
    }

    pub(crate) fn task_expr(&mut self, t: TId, mode: Mode) -> R<()> {
        let x = self.subject_expr(t);
        let (val, info) = self.eval_info(x, Flags::new(Cond::SCALAR, mode))?;
        let task = self.tasks[t.i()];
        if info.cycle == Cyclic::Yes && self.vx(task.node).is_pattern() {
            return Ok(());
        }
        self.insert_value(task.node, task.env, val, info)
    }

    pub(crate) fn task_resolver(&mut self, t: TId, mode: Mode) -> R<()> {
        let x = self.subject_expr(t);
        let saved = std::mem::replace(&mut self.reg.pending_parent, false);
        let arc = self.resolve(x, Flags::new(Cond::FIELD_SET, mode))?;
        let pending = std::mem::replace(&mut self.reg.pending_parent, saved);
        if !arc.is_some() || arc == self.empty {
            if !arc.is_some() && mode == Mode::Attempt && !self.has_err() && pending {
                self.tasks[t.i()].retry = true;
            }
            return Ok(());
        }
        let task = self.tasks[t.i()];
        let mut info = self.reg.info;
        info.opened |= self.vx(arc).opened_shared() || task.info.opened;
        info.conjunct_opened |= task.info.conjunct_opened;
        let arc = self.deref_non_disjunct(arc);
        let d = self.deref_disjunct(arc);
        let (info, skip) = self.detect_cycle(task.node, d, Some(task.env), x, info);
        let busy = self.vx(d).status == Status::Evaluating;
        self.came_back |= busy || skip || info.cycle == Cyclic::Yes;
        if skip {
            return self.unshare(task.node);
        }
        if self.tasks[t.i()].defunct {
            return Ok(());
        }
        if let Some(e) = self.vx(d).base.err()
            && self.code(e) == Code::Structural
        {
            self.add_error(e);
            return Ok(());
        }
        let c = Conjunct {
            item: Item::Expr(x),
            env: task.env,
            info,
        };
        self.schedule_vertex_conjuncts(task.node, c, arc, info)
    }

    pub(crate) fn task_dynamic(&mut self, t: TId, mode: Mode) -> R<()> {
        let task = self.tasks[t.i()];
        let Subject::Decl(d) = task.subject else {
            return Ok(());
        };
        let Decl::Dynamic {
            key, arc, named, ..
        } = self.program.decl(d)
        else {
            return Ok(());
        };
        let v = task.node;
        let val = self.eval_value(key, Flags::new(Cond::SCALAR_VALUE, mode))?;
        if val.is_unset() {
            return Ok(());
        }
        let pos = self.program.pos(key);
        if let Data::Vertex(x) = val.data
            && self.vx(self.deref(x)).status == Status::Evaluating
        {
            let e = self.errf_at(
                Code::Incomplete,
                pos,
                "key value of dynamic field not yet known",
                vec![],
            );
            self.add_bottom(v, e);
            return Ok(());
        }
        if self.concreteness(val) != Concreteness::Concrete {
            let e = self.errf_at(
                Code::Incomplete,
                pos,
                "key value of dynamic field must be concrete, found {}",
                vec![Arg::Val(val)],
            );
            self.add_bottom(v, e);
            return Ok(());
        }
        let label = self.label_of(key, val);
        if label.is_int() {
            let e = self.errf_at(Code::Eval, pos, "integer fields not supported", vec![]);
            self.add_bottom(v, e);
            return Ok(());
        }
        if label == Label::NONE {
            return Ok(());
        }
        let mut env = task.env;
        if named {
            let frame = self.envs[env.i()];
            env = self.push_env(Env { label, ..frame });
        }
        let c = Conjunct {
            item: Item::Decl(d),
            env,
            info: task.info,
        };
        self.insert_arc(v, label, arc, c, task.info, true)
            .map(|_| ())
    }

    pub(crate) fn task_pattern(&mut self, t: TId) -> R<()> {
        let task = self.tasks[t.i()];
        let Subject::Decl(d) = task.subject else {
            return Ok(());
        };
        let Decl::Pattern { filter, .. } = self.program.decl(d) else {
            return Ok(());
        };
        let val = self.eval(filter, Flags::new(Cond::SCALAR_VALUE, Mode::Yield))?;
        if val.is_unset() {
            return Ok(());
        }
        let c = Conjunct {
            item: Item::Decl(d),
            env: task.env,
            info: task.info,
        };
        self.insert_pattern(task.node, val, c)
    }

    fn index_label(&mut self, v: VId, index: usize) -> Label {
        if index as i64 > super::label::MAX_INDEX {
            let e = self.errf(
                "int label out of range ({} not >=0 and <= 268435454)",
                vec![Arg::Int(index as i64)],
            );
            self.add_bottom(v, e);
        }
        Label::index_of(index)
    }

    pub(crate) fn task_list(&mut self, t: TId, mode: Mode) -> R<()> {
        let task = self.tasks[t.i()];
        let (v, x) = (task.node, self.subject_expr(t));
        let Expr::List(run) = self.program.expr(x) else {
            return Ok(());
        };
        self.update_cyclic(v, task.info)?;
        let info = CloseInfo {
            from_embed: false,
            ..task.info
        };
        let (mut index, mut comprehends, mut open) = (0, false, false);
        self.vm(v).arcs.reserve(run.len as usize);
        for at in run.range() {
            if self.is_over() {
                return Ok(());
            }
            match self.program.elems[at] {
                Elem::Comprehension(c) => {
                    comprehends = true;
                    if !self.list_comprehension(v, c, task.env, info, mode, &mut index)? {
                        return Ok(());
                    }
                }
                Elem::Ellipsis(elem, pos) => {
                    open = true;
                    self.list_tail(v, elem, pos, task.env, info, index)?;
                }
                Elem::Expr(e) => {
                    let label = self.index_label(v, index);
                    index += 1;
                    let c = Conjunct {
                        item: Item::Expr(e),
                        env: task.env,
                        info,
                    };
                    self.insert_arc(v, label, ArcType::Member, c, info, true)?;
                }
            }
        }
        if self.list_length(v, index, !open, Some(comprehends)) {
            self.update_list_type(v, Source::Expr(x), info, !open);
        }
        Ok(())
    }

    fn list_tail(
        &mut self,
        v: VId,
        elem: XId,
        pos: crate::syntax::source::Pos,
        env: EnvId,
        mut info: CloseInfo,
        index: usize,
    ) -> R<()> {
        let item = if elem.is_some() {
            Item::Expr(elem)
        } else {
            Item::Val(Val::bare(Data::Kind(Kind::TOP)))
        };
        info.set_optional();
        let bound = Val::bare(Data::Int(index as i32));
        let pattern = self.new_bound(Op::GreaterEqual, bound, pos);
        self.insert_pattern(v, pattern, Conjunct { item, env, info })
    }

    /// Splices the elements a comprehension yields; false if it failed.
    fn list_comprehension(
        &mut self,
        v: VId,
        c: super::program::CId,
        env: EnvId,
        info: CloseInfo,
        mode: Mode,
        index: &mut usize,
    ) -> R<bool> {
        let comp = self.program.comprehension(c);
        let mut envs = Vec::new();
        let err =
            self.run_comprehension(VId::NONE, env, c, Flags::new(Cond::NONE, mode), &mut envs)?;
        let mut bodies: Vec<_> = envs.into_iter().map(|e| (e, comp.body)).collect();
        if bodies.is_empty() && comp.orelse.is_some() && !err.is_some() {
            bodies.push((env, comp.orelse));
        }
        for (env, body) in bodies {
            if self.is_over() {
                return Ok(false);
            }
            let label = self.index_label(v, *index);
            *index += 1;
            let c = Conjunct {
                item: Item::Expr(body),
                env,
                info,
            };
            self.insert_arc(v, label, ArcType::Member, c, info, true)?;
        }
        if err.is_some() {
            self.add_bottom(v, err);
            return Ok(false);
        }
        Ok(true)
    }

    /// Checks the length of one more list against those before; false on a conflict.
    fn list_length(&mut self, v: VId, len: usize, closed: bool, comprehends: Option<bool>) -> bool {
        let n = self.n(v);
        let (max, was_closed) = (n.list_len, n.list_closed);
        if len < max {
            if closed {
                self.length_conflict(v, len, max);
                return false;
            }
        } else if len > max {
            if was_closed {
                self.length_conflict(v, max, len);
                return false;
            }
            self.nm(v).list_len = len;
            self.nm(v).list_closed = closed;
        } else if closed && !was_closed || comprehends == Some(false) && closed == was_closed {
            self.nm(v).list_len = len;
            self.nm(v).list_closed = closed;
        }
        true
    }

    fn length_conflict(&mut self, v: VId, a: usize, b: usize) {
        let args = vec![Arg::Int(a as i64), Arg::Int(b as i64)];
        let e = self.errf("incompatible list lengths ({} and {})", args);
        self.errors[e.i()].node = v;
        self.add_bottom(v, e);
    }

    pub(crate) fn task_list_vertex(&mut self, t: TId) -> R<()> {
        let task = self.tasks[t.i()];
        let Subject::Vertex(list) = task.subject else {
            return Ok(());
        };
        let v = task.node;
        let elems: Vec<_> = self.elements(list).collect();
        let closed = self.is_closed_list(list);
        if !self.list_length(v, elems.len(), closed, None) {
            return Ok(());
        }
        for a in elems {
            if self.is_over() {
                return Ok(());
            }
            let label = self.vx(a).label;
            let conjuncts = self.vx(a).conjuncts.clone();
            if conjuncts.is_empty() {
                let item = Item::Val(Val::bare(Data::Vertex(a)));
                let c = Conjunct {
                    item,
                    env: EnvId::NONE,
                    info: task.info,
                };
                self.insert_arc(v, label, ArcType::Member, c, task.info, true)?;
            }
            for c in conjuncts {
                self.insert_arc(v, label, ArcType::Member, c, task.info, true)?;
            }
        }
        self.update_list_type(
            v,
            Source::Val(Val::bare(Data::Vertex(list))),
            task.info,
            closed,
        );
        Ok(())
    }

    fn update_list_type(&mut self, v: VId, src: Source, info: CloseInfo, closed: bool) {
        if self.n(v).kind == Kind::BOTTOM {
            return;
        }
        let open = match self.vx(v).base.data {
            Data::List(open) => open,
            _ => true,
        };
        self.vm(v).base = Val::bare(Data::List(open && !closed));
        if self.n(v).kind != Kind::LIST {
            self.update_type(v, Kind::LIST, src, info);
        }
    }

    pub(crate) fn task_comprehension(&mut self, t: TId) -> R<()> {
        let task = self.tasks[t.i()];
        let Subject::Comp(c) = task.subject else {
            return Ok(());
        };
        let v = task.node;
        let comp = self.program.comprehension(c);
        let mut envs = Vec::new();
        let err = self.run_comprehension(
            v,
            task.env,
            c,
            Flags::new(Cond::ALL, Mode::Ignore),
            &mut envs,
        )?;
        if err.is_some() {
            if self.incomplete(err) {
                self.tasks[t.i()].err = err;
            } else {
                self.add_bottom(v, err);
            }
            return Ok(());
        }
        self.tasks[t.i()].inserting = true;
        let r = self.insert_bodies(v, task.env, comp, envs, task.info);
        self.tasks[t.i()].inserting = false;
        r
    }

    fn insert_bodies(
        &mut self,
        v: VId,
        env: EnvId,
        comp: super::program::Comprehension,
        envs: Vec<EnvId>,
        info: CloseInfo,
    ) -> R<()> {
        if envs.is_empty() && comp.orelse.is_some() {
            let c = Conjunct {
                item: Item::Expr(comp.orelse),
                env,
                info,
            };
            return self.schedule_conjunct(v, c, info);
        }
        for env in envs {
            let c = Conjunct {
                item: Item::Expr(comp.body),
                env,
                info,
            };
            self.schedule_conjunct(v, c, info)?;
        }
        Ok(())
    }

    /// What a comprehension may add; its fixed labels become pending fields.
    pub(crate) fn contribution(&mut self, v: VId, t: TId, x: XId) -> R<Cond> {
        self.nested(|e| e.contribution_inner(v, t, x))
    }

    fn contribution_inner(&mut self, v: VId, t: TId, x: XId) -> R<Cond> {
        let Expr::Struct(s) = self.program.expr(x) else {
            return Ok(Cond::VALUE.or(Cond::FIELD_CONJUNCTS).or(Cond::ALL_TASKS));
        };
        let mut completes = Cond::ALL_TASKS;
        for i in self.program.struct_lit(s).decls.range() {
            let d = self.program.decl_lists[i];
            completes = completes.or(match self.program.decl(d) {
                Decl::Field { label, value, .. } => {
                    let (arc, _) = self.get_arc(v, label, ArcType::Pending);
                    if self.bare_state(arc) {
                        self.nm(arc).parent_tasks.push(t);
                        self.contribution(arc, t, value)?;
                    }
                    Cond::NONE
                }
                Decl::Let { .. } => {
                    self.vm(v).set_multi_let(true);
                    Cond::FIELD_CONJUNCTS
                }
                Decl::Pattern { .. } | Decl::Ellipsis | Decl::Dynamic { .. } => {
                    Cond::FIELD_CONJUNCTS
                }
                Decl::Comprehension(c) => {
                    self.contribution(v, t, self.program.comprehension(c).body)?
                }
                Decl::Embed(x) => match self.program.expr(x) {
                    Expr::Val(_) => Cond::VALUE,
                    _ => self.contribution(v, t, x)?,
                },
            });
        }
        Ok(completes)
    }

    pub(crate) fn task_disjunctions(&mut self, t: TId) -> R<()> {
        let v = self.tasks[t.i()].node;
        let err = self.process_disjunctions(v)?;
        if err.is_some() && self.tasks[t.i()].state != TaskState::Waiting {
            self.tasks[t.i()].err = err;
        }
        Ok(())
    }
}
