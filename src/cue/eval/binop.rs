//! Binary operators, and tests for errors.

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::{Code, Kind};
use super::library::{R, Yield};
use super::node::{Cond, Flags, Mode, PostCheck};
use super::program::{Op, XId};
use super::value::{Concreteness, Data, Val};
use super::vertex::{CloseInfo, Conjunct, EnvId, Item, VId};
use crate::number::{ArithmeticError, Number};
use crate::syntax::source::Pos;

const MAX_REPEAT: u64 = 1_000_000;

impl Evaluator {
    pub(crate) fn eval_binary(&mut self, x: XId, op: Op, a: XId, b: XId, flags: Flags) -> R<Val> {
        let env = self.reg.env;
        if op == Op::And {
            return self.eval_and(x, env);
        }
        if matches!(op, Op::LogicAnd | Op::LogicOr)
            && self.program.experiments(x).shortcircuit
            && self.concrete_is_possible(op, a)
        {
            let left = self.operand(a, op)?;
            if left.data == Data::Bool(op == Op::LogicOr) {
                return Ok(self.new_bool(op == Op::LogicOr));
            }
        }
        if !self.concrete_is_possible(op, a) || !self.concrete_is_possible(op, b) {
            return Ok(Val::UNSET);
        }
        if matches!(op, Op::Equal | Op::NotEqual) {
            if self.is_literal_bottom(a) {
                return self.bottom_test(x, b, op, flags);
            }
            if self.is_literal_bottom(b) {
                return self.bottom_test(x, a, op, flags);
            }
        }
        let left = self.operand(a, op)?;
        let right = self.operand(b, op)?;
        let e = self.combine_vals(left, right);
        if e.is_some() {
            return Ok(Val::bare(Data::Err(e)));
        }
        let e = self.take_err();
        if e.is_some() {
            return Ok(Val::bare(Data::Err(e)));
        }
        if left.is_unset() || right.is_unset() {
            return Ok(Val::UNSET);
        }
        {
            let at = self.program.pos(x);
            self.binary_values(at, op, left, right)
        }
    }

    fn eval_and(&mut self, x: XId, env: EnvId) -> R<Val> {
        let info = CloseInfo {
            refs: self.reg.info.refs,
            ..CloseInfo::default()
        };
        let v = self.inline_vertex([Conjunct {
            item: Item::Expr(x),
            env,
            info,
        }]);
        let owner = self.envs[env.i()].vertex;
        let dynamic = owner.is_some() && self.vx(owner).dynamic();
        if self.reg.detached == 0 && dynamic || self.reg.in_validator > 0 {
            self.finalize_inner(v)?;
        } else {
            self.complete_arcs_only(v)?;
        }
        Ok(Val::bare(Data::Vertex(v)))
    }

    /// Checks that an operand is concrete with all its fields.
    fn check_operand(&mut self, v: Val) -> R<ErrId> {
        if self.concreteness(v) > Concreteness::Concrete {
            return Ok(self
                .err_val(
                    Code::Incomplete,
                    "non-concrete value '{}'",
                    vec![Arg::Val(v)],
                )
                .err()
                .unwrap_or_default());
        }
        let Data::Vertex(x) = v.data else {
            return Ok(ErrId::NONE);
        };
        if self.kind(v).meets(Kind::COMPOSITE) {
            self.finalize_inner(x)?;
        }
        let config = super::validate::Config {
            concrete: true,
            required: true,
            ..Default::default()
        };
        self.validate_inner(x, config)
    }

    /// The value of a binary operator on evaluated operands.
    pub(crate) fn binary_values(&mut self, at: Pos, op: Op, left: Val, right: Val) -> R<Val> {
        let (lk, rk) = (self.kind(left), self.kind(right));
        for (side, v) in [(true, left), (false, right)] {
            let e = self.check_operand(v)?;
            if e.is_some() {
                let code = self.code(e);
                let args = vec![Arg::Op(op), Arg::Kind(lk), Arg::Err(e)];
                let template = if side {
                    "invalid left-hand value to '{}' (type {}): {}"
                } else {
                    "invalid right-hand value to '{}' (type {}): {}"
                };
                return Ok(self.err_val(code, template, args));
            }
        }
        let e = self.combine_vals(left, right);
        if e.is_some() {
            return Ok(Val::bare(Data::Err(e)));
        }
        let answer = match op {
            Op::Equal | Op::NotEqual => self.equality(at, op, (left, lk), (right, rk))?,
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                let (a, b) = (self.unwrap(left), self.unwrap(right));
                let ordered = Kind::NUMBER | Kind::STRING | Kind::BYTES;
                if lk.meets(ordered) {
                    self.scalar_op(op, a, b).map(|r| self.new_bool(r))
                } else {
                    None
                }
            }
            Op::LogicAnd | Op::LogicOr => {
                let a = self.bool_of(left, op);
                let decided = a == (op == Op::LogicOr);
                let r = if decided { a } else { self.bool_of(right, op) };
                Some(self.checked(|e| e.new_bool(r)))
            }
            Op::Match | Op::NotMatch => Some(self.match_op(op, left, right)),
            Op::Add => self.add(left, right, op),
            Op::Subtract => Some(self.arithmetic(left, right, op, Number::sub)),
            Op::Multiply => self.multiply((left, lk), (right, rk), op),
            Op::Divide if lk.meets(Kind::NUMBER) && rk.meets(Kind::NUMBER) => {
                Some(self.arithmetic(left, right, op, Number::quo))
            }
            _ => None,
        };
        if let Some(v) = answer {
            return Ok(v);
        }
        let args = vec![
            Arg::Val(left),
            Arg::Val(right),
            Arg::Op(op),
            Arg::Kind(lk),
            Arg::Kind(rk),
        ];
        Ok(self.err_val(
            Code::Eval,
            "invalid operands {} and {} to '{}' (type {} and {})",
            args,
        ))
    }

    /// A value, or the errors recorded so far.
    fn checked(&mut self, make: impl FnOnce(&mut Evaluator) -> Val) -> Val {
        let e = self.take_err();
        if e.is_some() {
            Val::bare(Data::Err(e))
        } else {
            make(self)
        }
    }

    fn equality(
        &mut self,
        at: Pos,
        op: Op,
        (left, lk): (Val, Kind),
        (right, rk): (Val, Kind),
    ) -> R<Option<Val>> {
        let want = op == Op::Equal;
        let numbers = lk.meets(Kind::NUMBER) && rk.meets(Kind::NUMBER);
        let structs = self.experiments_at(at).structcmp;
        if !numbers && lk != rk {
            if structs || lk == Kind::NULL || rk == Kind::NULL {
                return Ok(Some(self.new_bool(!want)));
            }
            return Ok(None);
        }
        let same = match lk {
            Kind::LIST => self.equal(left, right, super::equal::REGULAR)?,
            Kind::STRUCT if structs => self.equal(left, right, super::equal::REGULAR)?,
            Kind::STRUCT | Kind::FUNC => return Ok(None),
            _ => {
                let (a, b) = (self.unwrap(left), self.unwrap(right));
                match self.scalar_op(Op::Equal, a, b) {
                    Some(same) => same,
                    None => return Ok(None),
                }
            }
        };
        Ok(Some(self.new_bool(same == want)))
    }

    pub(crate) fn bool_of(&mut self, v: Val, op: Op) -> bool {
        self.condition(v, Some(Arg::Op(op)))
    }

    /// The bool of a value; an error is recorded for others.
    pub(crate) fn condition(&mut self, v: Val, what: Option<Arg>) -> bool {
        let v = self.unwrap(v);
        match v.data {
            Data::Bool(b) => b,
            _ => {
                self.type_error(v, Kind::BOOL, what);
                false
            }
        }
    }

    pub(crate) fn match_op(&mut self, op: Op, left: Val, right: Val) -> Val {
        let re = self.regexp_of(right);
        let l = self.unwrap(left);
        let text = match self.str(l) {
            Some(s) => s.as_bytes().to_vec(),
            None => {
                self.type_error(l, Kind::STRING, Some(Arg::Op(op)));
                Vec::new()
            }
        };
        let found = re.is_some_and(|re| re(&text));
        self.checked(|e| e.new_bool(found == (op == Op::Match)))
    }

    /// The compiled form of a regular expression; an error is recorded if it is none.
    pub(crate) fn regexp_of(&mut self, v: Val) -> Option<std::sync::Arc<super::library::Matcher>> {
        let v = self.unwrap(v);
        let name = match v.data {
            Data::Str(n) => n,
            Data::Bytes(b) => {
                let text = String::from_utf8_lossy(&self.bytes[b.i()]).into_owned();
                self.names.intern(&text)
            }
            _ => {
                self.type_error(v, Kind::STRING | Kind::BYTES, None);
                return None;
            }
        };
        if !self.regexps.contains_key(&name) {
            let re = self
                .library
                .regexp(self.names.get(name))
                .map(std::sync::Arc::new);
            self.regexps.insert(name, re);
        }
        match self.regexps[&name].clone() {
            Ok(re) => Some(re),
            Err(text) => {
                let e = self.errf("invalid regexp: {}", vec![Arg::Text(text.into())]);
                self.add_error(e);
                None
            }
        }
    }

    /// The number of an operand; an error is recorded for others.
    pub(crate) fn number_of(&mut self, v: Val, what: Arg) -> Number {
        let v = self.unwrap(v);
        match self.number(v) {
            Some(n) => n,
            None => {
                self.type_error(v, Kind::NUMBER, Some(what));
                Number::int(0)
            }
        }
    }

    fn arithmetic(
        &mut self,
        left: Val,
        right: Val,
        op: Op,
        f: fn(&Number, &Number) -> Result<Number, ArithmeticError>,
    ) -> Val {
        let a = self.number_of(left, Arg::Op(op));
        let b = self.number_of(right, Arg::Op(op));
        match f(&a, &b) {
            Ok(n) => {
                let pos = self.reg.src;
                self.checked(|e| e.new_number(n, pos))
            }
            Err(_) if self.has_err() => self.checked(|_| Val::UNSET),
            Err(err) => {
                let text = Arg::Text(err.to_string().into());
                self.err_val(Code::Eval, "failed arithmetic: {}", vec![text])
            }
        }
    }

    fn add(&mut self, left: Val, right: Val, op: Op) -> Option<Val> {
        let (lk, rk) = (self.kind(left), self.kind(right));
        if lk.meets(Kind::NUMBER) && rk.meets(Kind::NUMBER) {
            return Some(self.arithmetic(left, right, op, Number::add));
        }
        let (a, b) = (self.unwrap(left), self.unwrap(right));
        match (a.data, b.data) {
            (Data::Str(x), Data::Str(y)) => {
                let s = format!("{}{}", self.names.get(x), self.names.get(y));
                Some(self.new_string(&s))
            }
            (Data::Bytes(x), Data::Bytes(y)) => {
                let joined = [&*self.bytes[x.i()], &*self.bytes[y.i()]].concat();
                Some(self.new_bytes(joined))
            }
            _ if lk == Kind::LIST && rk == Kind::LIST => Some(self.err_val(
                Code::Eval,
                "Addition of lists is superseded by list.Concat; see https://cuelang.org/e/v0.11-list-arithmetic",
                vec![],
            )),
            _ => None,
        }
    }

    fn multiply(
        &mut self,
        (left, lk): (Val, Kind),
        (right, rk): (Val, Kind),
        op: Op,
    ) -> Option<Val> {
        if lk.meets(Kind::NUMBER) && rk.meets(Kind::NUMBER) {
            return Some(self.arithmetic(left, right, op, Number::mul));
        }
        let (text, count) = if lk == Kind::INT {
            (right, left)
        } else {
            (left, right)
        };
        let (tk, ck) = (self.kind(text), self.kind(count));
        if ck != Kind::INT {
            return None;
        }
        let text = self.unwrap(text);
        match text.data {
            Data::Str(s) => {
                let n = self.repeat_count(count, "string multiplication");
                if !self.would_fit(self.names.get(s).len().saturating_mul(n)) {
                    return Some(Val::bare(Data::Err(self.over_limit())));
                }
                let s = self.names.get(s).repeat(n);
                Some(self.checked(|e| e.new_string(&s)))
            }
            Data::Bytes(b) => {
                let n = self.repeat_count(count, "bytes multiplication");
                if !self.would_fit(self.bytes[b.i()].len().saturating_mul(n)) {
                    return Some(Val::bare(Data::Err(self.over_limit())));
                }
                let b = self.bytes[b.i()].repeat(n);
                Some(self.checked(|e| e.new_bytes(b)))
            }
            _ if tk == Kind::LIST => Some(self.err_val(
                Code::Eval,
                "Multiplication of lists is superseded by list.Repeat; see https://cuelang.org/e/v0.11-list-arithmetic",
                vec![],
            )),
            _ => None,
        }
    }

    fn repeat_count(&mut self, v: Val, what: &'static str) -> usize {
        let n = self.uint(v, what);
        if n > MAX_REPEAT {
            let args = vec![
                Arg::Text(what.into()),
                Arg::Text(n.to_string().into()),
                Arg::Int(MAX_REPEAT as i64),
            ];
            let e = self.errf("{} count {} exceeds limit of {}", args);
            self.add_error(e);
            return 0;
        }
        n as usize
    }

    /// `x == _|_` or `x != _|_`.
    fn bottom_test(&mut self, test: XId, x: XId, op: Op, flags: Flags) -> R<Val> {
        let env = self.reg.env;
        let outer = self.take_err();
        let src = std::mem::replace(&mut self.reg.src, self.program.pos(test));
        self.reg.in_validator += 1;
        let r = self.bottom_test_inner(x, op, flags, env);
        self.reg.in_validator -= 1;
        let r = r?;
        self.reg.errs = outer;
        self.reg.src = src;
        match r {
            Ok(b) => Ok(self.checked(|e| e.new_bool(b))),
            Err(e) => {
                self.add_error(e);
                Ok(Val::UNSET)
            }
        }
    }

    fn bottom_test_inner(
        &mut self,
        x: XId,
        op: Op,
        flags: Flags,
        env: EnvId,
    ) -> R<Result<bool, ErrId>> {
        let is_error = op == Op::Equal;
        let v = self.eval(x, Flags::new(Cond::NEED_TASKS, Mode::Finalize))?;
        let (d, _) = self.default_of(v)?;
        let mut u = self.unwrap(d);
        if self.kind(u).meets(Kind::COMPOSITE) {
            u = v;
        }
        match u.data {
            Data::Unset => Ok(Ok(!is_error)),
            Data::Err(e) => self.test_of_error(e, x, env, is_error),
            Data::Vertex(w) => {
                if self.has_depth_cycle(w) {
                    self.repeat_later(env, x, true);
                    return Ok(Ok(is_error));
                }
                self.finalize_inner(w)?;
                let w = self.deref(w);
                let plain = self.unwrap(Val::bare(Data::Vertex(w)));
                let fatal = plain.err().is_some_and(|e| !self.incomplete(e));
                Ok(Ok(fatal == is_error))
            }
            _ => {
                let open = self.concreteness(u) > Concreteness::Concrete;
                if self.kind(u).meets(Kind::COMPOSITE) && open && !flags.late {
                    return Ok(Err(ErrId::CYCLE));
                }
                self.repeat_later(env, x, false);
                self.eval(x, Flags::new(Cond::NEED_TASKS, Mode::Yield))?;
                Ok(Ok(open == is_error))
            }
        }
    }

    fn test_of_error(
        &mut self,
        e: ErrId,
        x: XId,
        env: EnvId,
        is_error: bool,
    ) -> R<Result<bool, ErrId>> {
        match self.code(e) {
            Code::Cycle => return Ok(Err(e)),
            Code::Incomplete => {
                let node = self.errors[e.i()].node;
                if node.is_some() && self.has_state(node) {
                    let n = self.n(node);
                    if n.started
                        && !n.meets(Cond::VALUE)
                        && n.provided.any(Cond::VALUE)
                        && let Some(t) = self.current()
                    {
                        self.wait_for(t, node, Cond::VALUE);
                        return Err(Yield);
                    }
                }
                self.note_unsettled(node, self.program.pos(x));
                self.eval(
                    x,
                    Flags {
                        late: true,
                        ..Flags::new(Cond::ALL, Mode::Ignore)
                    },
                )?;
                self.repeat_later(env, x, true);
            }
            _ => {}
        }
        Ok(Ok(is_error))
    }

    fn repeat_later(&mut self, env: EnvId, expr: XId, expect_error: bool) {
        let owner = self.envs[env.i()].vertex;
        if owner.is_some() && self.has_state(owner) {
            self.nm(owner).post_checks.push(PostCheck {
                env,
                expr,
                expect_error,
            });
        }
    }

    /// Notes that a result depends on something that is not settled, if that is asked for.
    pub(crate) fn note_unsettled(&mut self, source: VId, pos: Pos) {
        self.came_back = true;
        if self.unsettled.is_none() {
            return;
        }
        let reader = self.path(self.reg.vertex);
        let source = if source.is_some() {
            self.path(source)
        } else {
            Vec::new()
        };
        let note = super::context::Unsettled {
            reader,
            source,
            pos,
        };
        if let Some(list) = &mut self.unsettled
            && !list.contains(&note)
        {
            list.push(note);
        }
    }
}
