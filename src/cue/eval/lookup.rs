//! Finding a field of a vertex while the vertex may still be under evaluation.

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::{ArcType, Code, Kind};
use super::label::Label;
use super::library::R;
use super::node::{Cond, Flags, Mode, TaskState};
use super::value::Data;
use super::vertex::{Status, VId, Vertex};
use crate::syntax::source::Pos;

impl Evaluator {
    fn root_of(&self, mut v: VId) -> VId {
        while self.vx(v).parent.is_some() {
            v = self.vx(v).parent;
        }
        v
    }

    /// The one door through which a task reads a field of another vertex. 0 if there is none;
    /// then an error is recorded.
    pub(crate) fn need(&mut self, v: VId, pos: Pos, label: Label, flags: Flags) -> R<VId> {
        let mut v = self.deref(v);
        let mut state = self.state(v)?;
        if state {
            self.advance(v)?;
        }
        let w = self.deref(v);
        if w != v {
            v = w;
            state = self.state(v)?;
        }
        let found = self.arc_raw(v, label);
        let target = match found {
            Some(a) => {
                let arc = self.deref_non_rooted(a);
                if self.vx(arc).arc == ArcType::Member {
                    return Ok(a);
                }
                self.state(arc)?;
                arc
            }
            None if !state || self.n(v).meets(Cond::NEED_TASKS) => {
                self.field_error(v, pos, label);
                return Ok(VId::NONE);
            }
            None => {
                if !self.is_open_struct(v) && !self.accepts(v, label)? {
                    self.field_error(v, pos, label);
                    return Ok(VId::NONE);
                }
                let a = self.new_vertex(Vertex::new(v, label, ArcType::Pending));
                if !matches!(flags.mode, Mode::Finalize | Mode::Ignore) {
                    self.push_arc(v, a);
                }
                self.state(a)?;
                a
            }
        };
        let busy = self.has_state(target)
            && (!self.n(target).meets(Cond::NEED_TASKS) || !self.n(target).meets(Cond::ARC_TYPE));
        if busy && self.may_come(v, state, target, flags)? {
            self.came_back |= self.vx(v).status == Status::Evaluating;
            // A field that nobody has made yet is no field: who waits for it looks again.
            return Ok(found.unwrap_or(VId::NONE));
        }
        let result = found.unwrap_or(target);
        self.answer(v, target, result, pos, label)
    }

    /// Lets a vertex run what it can before one of its fields is looked up.
    fn advance(&mut self, v: VId) -> R<()> {
        let n = self.n(v);
        let own = self.combine(n.errs, self.reg.errs);
        if own.is_some() {
            let node = self.errors[own.i()].node;
            if node.is_some() && self.root_of(node) != self.root_of(v) {
                self.add_error(own);
            }
        }
        let x = self.vx(v);
        let (free, parent) = (x.dynamic() || x.label.is_let(), x.parent);
        if free || self.child_conjuncts_known(parent)? {
            self.signal(v, Cond::ANCESTORS);
        }
        if self.has_state(v) && !self.all_tasks_started(v) {
            let needs = Cond::VALUE.or(Cond::FIELD_CONJUNCTS).or(Cond::ALL_TASKS);
            self.process(v, needs, Mode::Attempt)?;
            self.update_scalar(v);
        }
        Ok(())
    }

    /// Waits for the type of an arc as far as the mode allows; true if that is not enough.
    fn may_come(&mut self, v: VId, state: bool, arc: VId, flags: Flags) -> R<bool> {
        let needs = flags.cond.or(Cond::ARC_TYPE);
        match flags.mode {
            Mode::Ignore | Mode::Attempt => {
                if self.vx(arc).arc != ArcType::Pending {
                    return Ok(false);
                }
                if flags.mode == Mode::Ignore {
                    return Ok(true);
                }
                if state {
                    if self.has_active_parent_task(v) {
                        self.reg.pending_parent = true;
                        return Ok(true);
                    }
                    let n = self.n(v);
                    if n.provided.any(Cond::ALL_TASKS) && n.counters[6] > 0 {
                        return Ok(true);
                    }
                }
                if self.has_active_parent_task(arc) {
                    self.reg.pending_parent = true;
                    return Ok(true);
                }
                self.vm(arc).arc = ArcType::NotPresent;
            }
            Mode::Yield => {
                self.process(arc, needs, Mode::Yield)?;
            }
            Mode::Finalize => {
                if matches!(self.vx(arc).arc, ArcType::Pending | ArcType::Optional) {
                    let current = self.current();
                    let running = self.n(arc).parent_tasks.iter().any(|t| {
                        self.tasks[t.i()].state == TaskState::Running && Some(*t) != current
                    });
                    if running {
                        self.process(arc, Cond::ARC_TYPE, Mode::Yield)?;
                        return Ok(false);
                    }
                }
                if needs == Cond::ARC_TYPE.or(Cond::FIELD_SET) {
                    self.unify(arc, Flags::new(needs, Mode::Finalize))?;
                } else if !self.unify(arc, Flags::new(needs, Mode::Attempt))? {
                    self.process(arc, needs, Mode::Attempt)?;
                }
                if self.vx(arc).arc == ArcType::Pending && !self.has_active_parent_task(arc) {
                    self.vm(arc).arc = ArcType::NotPresent;
                }
            }
        }
        Ok(false)
    }

    fn answer(&mut self, v: VId, arc: VId, result: VId, pos: Pos, label: Label) -> R<VId> {
        match self.vx(arc).arc {
            ArcType::Member => return Ok(result),
            ArcType::Required => {
                self.arc_error(
                    v,
                    pos,
                    Code::Incomplete,
                    "required field missing: {}",
                    label,
                );
                return Ok(result);
            }
            ArcType::Optional => {
                self.arc_error(
                    v,
                    pos,
                    Code::Incomplete,
                    "cannot reference optional field: {}",
                    label,
                );
                return Ok(VId::NONE);
            }
            ArcType::Pending => {
                let busy = self.n(arc).parent_tasks.iter().any(|t| {
                    matches!(
                        self.tasks[t.i()].state,
                        TaskState::Running | TaskState::Waiting | TaskState::Failed
                    )
                });
                if busy {
                    self.arc_error(v, pos, Code::Cycle, "cyclic reference to field {}", label);
                    return Ok(VId::NONE);
                }
            }
            ArcType::NotPresent => {}
        }
        self.field_error(v, pos, label);
        Ok(VId::NONE)
    }

    fn arc_error(&mut self, v: VId, pos: Pos, code: Code, template: &'static str, label: Label) {
        let m = self.message_at(pos, template, vec![Arg::Label(label)]);
        let e = self.error_at(code, m, v);
        self.add_error(e);
    }

    pub(crate) fn field_error_code(&mut self, v: VId, label: Label) -> Code {
        let own = self.bottom(v);
        if own.is_some() && own != ErrId::CYCLE {
            return self.code(own);
        }
        let errs = self.n(v).errs;
        if errs.is_some() && self.code(errs) == Code::Cycle {
            return Code::Cycle;
        }
        match self.accepts(v, label) {
            Ok(false) => Code::Eval,
            _ => Code::Incomplete,
        }
    }

    /// Records that a vertex has no such field.
    pub(crate) fn field_error(&mut self, v: VId, pos: Pos, label: Label) {
        let code = self.field_error_code(v, label);
        let m = if label.is_int() {
            let len = self.elements(v).count();
            let args = vec![Arg::Int(label.index() as i64), Arg::Int(len as i64)];
            self.message_at(pos, "index out of range [{}] with length {}", args)
        } else {
            self.message_at(pos, "undefined field: {}", vec![Arg::Label(label)])
        };
        let e = self.error_at(code, m, v);
        self.add_error(e);
    }

    pub(crate) fn is_closed_struct(&self, v: VId) -> bool {
        let x = self.vx(v);
        match x.base.data {
            Data::Vertex(_) => x.closed_recursive() && !x.has_ellipsis(),
            Data::Struct | Data::Disj(_) => x.closed_recursive() || x.closed_here(),
            _ => false,
        }
    }

    pub(crate) fn is_open_struct(&self, v: VId) -> bool {
        let x = self.vx(v);
        x.has_ellipsis() || !x.closed_here() && !self.is_closed_struct(v)
    }

    /// Whether a vertex can have a field with a label.
    pub(crate) fn accepts(&mut self, v: VId, label: Label) -> R<bool> {
        if label.always_allowed() {
            return Ok(true);
        }
        let v = self.deref(v);
        if let Data::Disj(d) = self.vx(v).base.data {
            for w in self.disjunction(d).values.clone() {
                if let Data::Vertex(w) = w.data
                    && self.accepts(w, label)?
                {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if label.is_int() {
            return Ok(match self.vx(v).base.data {
                Data::List(open) => label.index() < self.elements(v).count() || open,
                _ => self.vertex_kind(v).meets(Kind::LIST),
            });
        }
        let k = self.vertex_kind(v);
        if !k.meets(Kind::STRUCT) && (k != Kind::BOTTOM || self.vx(v).structs.is_empty()) {
            return Ok(false);
        }
        if self.is_open_struct(v) || self.arc_raw(v, label).is_some() {
            return Ok(true);
        }
        for p in self.vx(v).patterns().to_vec() {
            if self.matches_pattern(p.pattern, label)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
