//! Evaluating expressions.

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::{Code, Kind};
use super::label::Label;
use super::library::{R, Yield};
use super::node::{Cond, Flags, Mode};
use super::program::{Expr, Op, XId};
use super::value::{Concreteness, Data, Val};
use super::vertex::{CloseInfo, Conjunct, Cyclic, Item, Status, VId};

impl Evaluator {
    pub(crate) fn eval(&mut self, x: XId, flags: Flags) -> R<Val> {
        self.eval_info(x, flags).map(|(v, _)| v)
    }

    /// Evaluates an expression; the history of what it went through comes along.
    pub(crate) fn eval_info(&mut self, x: XId, flags: Flags) -> R<(Val, CloseInfo)> {
        if let Expr::Val(v) = self.program.expr(x)
            && v.err().is_none()
        {
            if self.reg.errs.is_some() {
                return Ok((Val::bare(Data::Err(self.reg.errs)), self.reg.info));
            }
            return Ok((v, self.reg.info));
        }
        let saved = (self.reg.src, self.reg.info);
        self.reg.src = self.program.pos(x);
        let outer = self.take_err();
        let (mut val, info) = self.nested(|e| e.eval_expr(x, flags))?;
        self.reg.errs = self.combine(self.reg.errs, outer);
        if let Data::Vertex(v) = val.data {
            let e = self.bottom(v);
            if e.is_some() && !self.incomplete(e) {
                val = Val::bare(Data::Err(e));
            }
        }
        if let Some(e) = val.err() {
            let e = self.place_cycle(e);
            if self.reg.errs != e {
                self.add_error(e);
            }
        }
        if self.has_err() {
            val = Val::bare(Data::Err(self.reg.errs));
        }
        (self.reg.src, self.reg.info) = saved;
        Ok((val, info))
    }

    fn eval_expr(&mut self, x: XId, flags: Flags) -> R<(Val, CloseInfo)> {
        match self.program.expr(x) {
            Expr::Val(v) => Ok((v, self.reg.info)),
            Expr::Open(y) => {
                let (v, mut info) = self.eval_info(y, flags)?;
                info.opened = true;
                Ok((v, info))
            }
            Expr::Field { .. }
            | Expr::ValueRef { .. }
            | Expr::DynamicRef { .. }
            | Expr::Let { .. }
            | Expr::Import(..)
            | Expr::Selector { .. }
            | Expr::Index { .. } => self.eval_reference(x, flags),
            _ => {
                let v = self.evaluate(x, flags)?;
                Ok((v, self.reg.info))
            }
        }
    }

    fn evaluate(&mut self, x: XId, flags: Flags) -> R<Val> {
        match self.program.expr(x) {
            Expr::Struct(_) | Expr::List(_) => {
                let v = self.inline_of(x);
                self.complete_arcs_only(v)?;
                Ok(Val::bare(Data::Vertex(v)))
            }
            Expr::Disjunction(..) => {
                let v = self.inline_of(x);
                let saved = self.take_err();
                let r = self.unify(v, Flags::new(Cond::ALL, Mode::Finalize).typos());
                self.reg.errs = saved;
                r?;
                Ok(Val::bare(Data::Vertex(v)))
            }
            Expr::Bound(op, y) => self.eval_bound(x, op, y),
            Expr::LabelRef { up, .. } => {
                let label = self.envs[self.env_up(self.reg.env, up).i()].label;
                if label == Label::NONE {
                    return Ok(Val::bare(Data::Kind(Kind::STRING)));
                }
                let pos = self.reg.src;
                Ok(Val {
                    pos,
                    ..self.label_value(label)
                })
            }
            Expr::Slice(y, lo, hi) => self.eval_slice(y, lo, hi),
            Expr::Interpolation(bytes, parts) => self.eval_interpolation(x, bytes, parts.range()),
            Expr::Unary(op, y) => self.eval_unary(x, op, y),
            Expr::Binary(op, a, b) => self.eval_binary(x, op, a, b, flags),
            Expr::Call(fun, args) => self.eval_call(x, fun, args, flags),
            _ => Ok(Val::UNSET),
        }
    }

    fn inline_of(&mut self, x: XId) -> VId {
        let (env, info) = (self.reg.env, self.reg.info);
        self.inline_vertex([Conjunct {
            item: Item::Expr(x),
            env,
            info,
        }])
    }

    fn eval_reference(&mut self, x: XId, flags: Flags) -> R<(Val, CloseInfo)> {
        let orig = self.resolve(x, flags)?;
        if self.has_err() || !orig.is_some() {
            return Ok((Val::UNSET, self.reg.info));
        }
        let mut arc = self.deref_non_shared(orig);
        if self.state(arc)? {
            self.reg.info = self.detect_cycle(arc, arc, None, x, self.reg.info).0;
            self.came_back |= self.reg.info.cycle == Cyclic::Yes;
            self.hold(arc);
            let r = self.reference_value(x, orig, arc, flags);
            self.let_go(arc);
            if let Some(v) = r? {
                return Ok((v, self.reg.info));
            }
        }
        arc = self.deref(arc);
        let v = self.arc_value(arc, x, flags)?;
        Ok((v, self.reg.info))
    }

    /// Brings the target of a reference to what is needed; its value if that is settled here.
    fn reference_value(&mut self, x: XId, orig: VId, arc: VId, flags: Flags) -> R<Option<Val>> {
        let needs = flags.cond.or(Cond::ARC_TYPE);
        match flags.mode {
            Mode::Ignore => Ok(None),
            Mode::Attempt => {
                self.unify(arc, Flags::new(needs, Mode::Attempt).typos())?;
                Ok(None)
            }
            Mode::Finalize => {
                self.unify(arc, Flags::new(needs, Mode::Attempt).typos())?;
                if self.has_state(arc) {
                    self.freeze(arc, needs);
                }
                Ok(None)
            }
            Mode::Yield => self.yield_value(x, orig, arc, flags, needs),
        }
    }

    fn yield_value(
        &mut self,
        x: XId,
        orig: VId,
        arc: VId,
        flags: Flags,
        needs: Cond,
    ) -> R<Option<Val>> {
        self.unify(arc, Flags::new(needs, Mode::Yield).typos())?;
        let mut evaluating = self.vx(arc).status == Status::Evaluating;
        if flags.concrete
            && orig != arc
            && self.has_state(orig)
            && self.n(orig).meets(Cond::SCALAR)
            && self.recursively_concrete(arc)
        {
            evaluating = false;
        }
        if evaluating && orig != arc && self.vx(arc).is_disjunct() {
            if flags.cond == Cond::SCALAR
                && !self.n(orig).meets(Cond::SCALAR)
                && let Some(t) = self.current()
            {
                self.nm(orig).default_attempt = self.tasks[t.i()].node;
                self.wait_for(t, orig, needs);
                return Err(Yield);
            }
            let e = self.err_val(
                Code::Cycle,
                "unresolved disjunction: {}",
                vec![Arg::Expr(x)],
            );
            return Ok(Some(e));
        }
        let mut known = self.n(arc).has_field_value || !self.is_cycle(self.vx(arc).base);
        if evaluating
            && !known
            && self.n(arc).frozen.has(Cond::SCALAR)
            && self.all_tasks_finished(arc)
        {
            self.finalize_inner(arc)?;
            known = !self.is_cycle(self.vx(arc).base);
        }
        if evaluating && !known {
            let pos = self.reg.src;
            self.add_errf(Code::Cycle, pos, "cycle with field: {}", vec![Arg::Expr(x)]);
            return Ok(None);
        }
        let v = self.arc_value(arc, x, flags)?;
        if self.vx(arc).non_rooted()
            && self.has_state(arc)
            && !self.all_tasks_finished(arc)
            && let Some(t) = self.current()
        {
            let node = self.tasks[t.i()].node;
            self.nm(node).deferred.push(arc);
        }
        Ok(Some(v))
    }

    fn recursively_concrete(&self, v: VId) -> bool {
        for a in &self.vx(v).arcs {
            let x = self.vx(*a);
            if !x.label.is_regular() {
                continue;
            }
            if x.arc == super::kind::ArcType::Required || !self.recursively_concrete(*a) {
                return false;
            }
        }
        self.concreteness(Val::bare(Data::Vertex(v))) <= Concreteness::Concrete
    }

    /// The value of a resolved vertex as far as it is known.
    fn arc_value(&mut self, v: VId, x: XId, flags: Flags) -> R<Val> {
        let undefined = self.vx(v).arc != super::kind::ArcType::Member
            || self.vx(v).base.is_unset()
            || self.vx(v).base.data == Val::CYCLE.data;
        if undefined {
            self.came_back |= self.vx(v).status == Status::Evaluating;
            self.unify(v, flags)?;
            if self.vx(v).arc == super::kind::ArcType::Pending {
                return Ok(self.pending_value(v, x));
            }
        }
        if self.has_state(v) {
            let n = self.n(v);
            if n.errs.is_some() && !self.incomplete(n.errs) {
                return Ok(Val::bare(Data::Err(n.errs)));
            }
            if !n.scalar.is_unset() && self.is_cycle(self.vx(v).base) {
                return Ok(n.scalar);
            }
        }
        match self.vx(v).base.data {
            Data::Err(e) if self.incomplete(e) => {
                self.add_error(e);
                Ok(Val::UNSET)
            }
            Data::Err(_) => Ok(self.vx(v).base),
            Data::Unset => Ok(if self.has_state(v) {
                self.validators(v)
            } else {
                Val::UNSET
            }),
            _ => Ok(Val::bare(Data::Vertex(v))),
        }
    }

    fn pending_value(&mut self, v: VId, x: XId) -> Val {
        if self.vx(v).status == Status::Evaluating {
            let mut p = v;
            while self.vx(p).parent.is_some() && self.vx(p).arc == super::kind::ArcType::Pending {
                p = self.vx(p).parent;
            }
            let val = self.err_val(Code::Cycle, "cycle with field {}", vec![Arg::Expr(x)]);
            if let Some(e) = val.err() {
                self.errors[e.i()].node = p;
            }
            self.vm(p).base = val;
            return val;
        }
        let label = self.vx(v).label;
        let pos = self.reg.src;
        self.add_errf(
            Code::Incomplete,
            pos,
            "undefined field: {}",
            vec![Arg::Label(label)],
        );
        Val::UNSET
    }

    /// The value of an expression with defaults taken, looked through vertices.
    pub(crate) fn eval_value(&mut self, x: XId, mut flags: Flags) -> R<Val> {
        flags.concrete = true;
        let v = self.eval(x, flags)?;
        let (v, _) = self.default_of(v)?;
        Ok(self.unwrap(v))
    }

    /// Takes the default; false (and an error recorded) if a choice is left.
    pub(crate) fn default_of(&mut self, v: Val) -> R<(Val, bool)> {
        let mut v = v;
        loop {
            let d = match v.data {
                Data::Vertex(x) => match self.vx(x).base.data {
                    Data::Disj(d) => d,
                    Data::Vertex(_) => {
                        v = self.vx(x).base;
                        continue;
                    }
                    _ => return Ok((v, true)),
                },
                Data::Disj(d) => d,
                _ => return Ok((v, true)),
            };
            let dj = self.disjunction(d);
            if dj.defaults != 1 {
                let val = Val::bare(Data::Disj(d));
                let kind = self.kind(val);
                let pos = self.reg.src;
                self.add_errf(
                    Code::Incomplete,
                    pos,
                    "unresolved disjunction {} (type {})",
                    vec![Arg::Val(val), Arg::Kind(kind)],
                );
                return Ok((Val::UNSET, false));
            }
            v = dj.values[0];
        }
    }

    /// An operand: concrete, with defaults taken.
    pub(crate) fn operand(&mut self, x: XId, op: Op) -> R<Val> {
        let saved = std::mem::replace(&mut self.reg.errs, ErrId::NONE);
        let src = self.reg.src;
        self.reg.src = self.program.pos(x);
        let w = self.eval(x, Flags::SCALAR)?;
        self.reg.errs = saved;
        self.reg.src = src;
        let (w, ok) = self.default_of(w)?;
        if !ok {
            return Ok(w);
        }
        let v = self.unwrap(w);
        if self.is_concrete(v) {
            return Ok(v);
        }
        let args = vec![Arg::Val(w), Arg::Op(op)];
        Ok(self.err_val(
            Code::Incomplete,
            "non-concrete value {} in operand to {}",
            args,
        ))
    }

    fn eval_bound(&mut self, x: XId, op: Op, y: XId) -> R<Val> {
        let v = self.eval_value(y, Flags::SCALAR)?;
        if v.is_unset() || v.err().is_some() {
            return Ok(v);
        }
        let k = self.kind(v);
        let equality = matches!(op, Op::Equal | Op::NotEqual);
        let pos = self.program.pos(y);
        let concrete = self.concreteness(v) <= Concreteness::Concrete;
        match k {
            Kind::INT | Kind::FLOAT | Kind::NUMBER | Kind::STRING | Kind::BYTES => {}
            Kind::NULL | Kind::STRUCT | Kind::LIST => {
                if !equality {
                    let args = vec![Arg::Kind(k), Arg::Op(op)];
                    return Ok(self.error_val_at(
                        Code::Eval,
                        pos,
                        "cannot use {} for bound {}",
                        args,
                    ));
                }
            }
            _ => {
                let mut mask = Kind::NUMBER | Kind::STRING | Kind::BYTES;
                if equality {
                    mask = mask | Kind::NULL | Kind::COMPOSITE;
                }
                if k.meets(mask) {
                    self.non_concrete_bound(y, op);
                    return Ok(Val::UNSET);
                }
                let args = vec![Arg::Val(v), Arg::Kind(k), Arg::Op(op)];
                return Ok(self.error_val_at(
                    Code::Eval,
                    pos,
                    "invalid value {} (type {}) for bound {}",
                    args,
                ));
            }
        }
        if !concrete {
            if matches!(self.program.expr(y), Expr::Val(_)) {
                return Ok(self.err_val(Code::Eval, "bound has fixed non-concrete value", vec![]));
            }
            self.non_concrete_bound(y, op);
            return Ok(Val::UNSET);
        }
        let pos = self.program.pos(x);
        Ok(self.new_bound(op, v, pos))
    }

    fn non_concrete_bound(&mut self, y: XId, op: Op) {
        let args = vec![Arg::Expr(y), Arg::Op(op)];
        let none = crate::syntax::source::Pos::NONE;
        self.add_errf(
            Code::Incomplete,
            none,
            "non-concrete value {} for bound {}",
            args,
        );
    }

    pub(crate) fn error_val_at(
        &mut self,
        code: Code,
        pos: crate::syntax::source::Pos,
        template: &'static str,
        args: Vec<Arg>,
    ) -> Val {
        Val::bare(Data::Err(self.errf_at(code, pos, template, args)))
    }

    fn slice_ends(&mut self, lo: XId, hi: XId, len: u64) -> R<Option<(u64, u64)>> {
        let (mut from, mut to) = (0, len);
        if lo.is_some() {
            let v = self.eval_value(lo, Flags::SCALAR)?;
            from = self.uint(v, "slice index");
        }
        if hi.is_some() {
            let v = self.eval_value(hi, Flags::SCALAR)?;
            to = self.uint(v, "slice index");
            if to > len {
                let e = self.errf("index {} out of range", vec![Arg::Int(to as i64)]);
                self.add_error(e);
                return Ok(None);
            }
        }
        if from > to {
            let args = vec![Arg::Int(from as i64), Arg::Int(to as i64)];
            let e = self.errf("invalid slice index: {} > {}", args);
            self.add_error(e);
            return Ok(None);
        }
        Ok(Some((from, to)))
    }

    fn eval_slice(&mut self, x: XId, lo: XId, hi: XId) -> R<Val> {
        let v = self.eval_value(x, Flags::new(Cond::FIELD_SET, Mode::Yield))?;
        if v.is_unset() {
            let pos = self.reg.src;
            self.add_errf(
                Code::Incomplete,
                pos,
                "non-concrete slice subject {}",
                vec![Arg::Expr(x)],
            );
            return Ok(v);
        }
        if let Data::Vertex(list) = v.data
            && self.is_list(list)
        {
            let elems: Vec<_> = self.vx(list).arcs.to_vec();
            let Some((from, to)) = self.slice_ends(lo, hi, elems.len() as u64)? else {
                return Ok(Val::UNSET);
            };
            return Ok(self.slice_list(list, &elems[from as usize..to as usize]));
        }
        if let Some(b) = self.bytes_of(v).map(<[u8]>::to_vec) {
            let Some((from, to)) = self.slice_ends(lo, hi, b.len() as u64)? else {
                return Ok(Val::UNSET);
            };
            return Ok(self.new_bytes(b[from as usize..to as usize].to_vec()));
        }
        if v.err().is_some() {
            return Ok(v);
        }
        let args = vec![Arg::Val(v), Arg::Kind(self.kind(v))];
        Ok(self.err_val(Code::Eval, "cannot slice {} (type {})", args))
    }

    fn slice_list(&mut self, list: VId, elems: &[VId]) -> Val {
        let n = self.inline_vertex(Vec::new());
        self.vm(n).base = Val::bare(Data::List(false));
        for (i, a) in elems.iter().enumerate() {
            let mut arc = self.vx(*a).clone();
            arc.parent = n;
            arc.label = Label::index_of(i);
            if self.has_state(*a) {
                // The element is still under evaluation: the copy stands for it.
                arc.state = super::vertex::NId::NONE;
                arc.arcs.clear();
                arc.set_index(None);
                arc.base = Val::bare(Data::Vertex(*a));
                arc.set_is_shared(true);
                arc.status = Status::Finalized;
            }
            let arc = self.new_vertex(arc);
            self.push_arc(n, arc);
        }
        let _ = list;
        self.vm(n).status = Status::Finalized;
        Val::bare(Data::Vertex(n))
    }

    fn eval_interpolation(&mut self, x: XId, bytes: bool, parts: std::ops::Range<usize>) -> R<Val> {
        let mut out = Vec::with_capacity(32);
        for i in parts {
            let part = self.program.args[i];
            if !bytes && self.push_settled(part, self.reg.env, &mut out).is_some() {
                continue;
            }
            let v = self.eval_value(part, Flags::SCALAR)?;
            match self.bytes_of(v) {
                Some(b) if bytes => out.extend_from_slice(b),
                _ => {
                    let s = self.text_of(v);
                    out.extend_from_slice(s.as_bytes());
                }
            }
        }
        let pos = self.program.pos(x);
        let e = self.take_err();
        if e.is_some() {
            let m = self.message_at(pos, "invalid interpolation", vec![]);
            let e = self.wrap_error(e, m);
            // Such an error belongs to the place of its cause.
            for m in self.errors[e.i()].messages.clone() {
                let message = &mut self.messages[m.i()];
                (message.path, message.no_path) = (Vec::new(), true);
            }
            return Ok(Val::bare(Data::Err(e)));
        }
        if bytes {
            return Ok(self.bytes_at(out, pos));
        }
        let s = String::from_utf8(out).unwrap_or_else(|e| super::text::valid_utf8(e.as_bytes()));
        Ok(self.string_at(&s, pos))
    }

    fn eval_unary(&mut self, x: XId, op: Op, y: XId) -> R<Val> {
        if !self.concrete_is_possible(op, y) {
            return Ok(Val::UNSET);
        }
        let v = self.eval_value(y, Flags::SCALAR)?;
        if v.is_unset() || v.err().is_some() {
            return Ok(v);
        }
        let k = self.kind(v);
        let expected = match (op, v.data) {
            (Op::Not, Data::Bool(b)) => return Ok(self.new_bool(!b)),
            (Op::Not, _) => Kind::BOOL,
            (op, _) => {
                if let Some(n) = self.number(v) {
                    if op == Op::Add {
                        return Ok(v);
                    }
                    let pos = self.program.pos(x);
                    return Ok(self.new_number(n.neg(), pos));
                }
                Kind::NUMBER
            }
        };
        if k.meets(expected) {
            let pos = self.program.pos(y);
            let args = vec![Arg::Expr(y), Arg::Op(op), Arg::Kind(k)];
            self.add_errf(
                Code::Incomplete,
                pos,
                "operand {} of '{}' not concrete (was {})",
                args,
            );
            return Ok(Val::UNSET);
        }
        let args = vec![Arg::Expr(x), Arg::Op(op), Arg::Kind(k)];
        Ok(self.err_val(Code::Eval, "invalid operation {} ({} {})", args))
    }

    /// Whether an operand can be concrete at all; else an error is recorded.
    pub(crate) fn concrete_is_possible(&mut self, op: Op, x: XId) -> bool {
        if self.can_be_concrete(x) {
            return true;
        }
        let args = vec![Arg::Expr(x), Arg::Op(op)];
        let none = crate::syntax::source::Pos::NONE;
        let m = self.message_at(
            none,
            "invalid operand {} ('{}' requires concrete value)",
            args,
        );
        let e = self.error_of(Code::Eval, m);
        self.add_error(e);
        false
    }

    pub(crate) fn can_be_concrete(&self, x: XId) -> bool {
        match self.program.expr(x) {
            Expr::Bound(..) => false,
            Expr::Val(v) => v.err().is_some() || self.concreteness(v) == Concreteness::Concrete,
            _ => true,
        }
    }

    pub(crate) fn note_cyclic(&self) -> bool {
        self.reg.info.cycle == Cyclic::Yes
    }
}
