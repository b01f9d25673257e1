//! Calls of functions, and functions as validators.

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::{Code, Kind};
use super::library::{Call, Func, R};
use super::node::{Cond, Flags, Mode};
use super::program::{Run, XId};
use super::value::{Data, FuncId, Val, Validator, ValidatorId};
use super::vertex::{Conjunct, EnvId, Item};

impl Evaluator {
    /// The id of a function of the library.
    pub(crate) fn func_id(&mut self, f: &'static Func) -> FuncId {
        if let Some(id) = self.func_index.get(&(f.package, f.name)) {
            return *id;
        }
        let id = FuncId(self.funcs.len() as u32);
        self.funcs.push(f);
        self.func_index.insert((f.package, f.name), id);
        id
    }

    /// A function by its id.
    pub fn func(&self, f: FuncId) -> &'static Func {
        self.funcs[f.0 as usize]
    }

    pub(crate) fn eval_call(&mut self, x: XId, fun: XId, args: Run, flags: Flags) -> R<Val> {
        let f = self.eval_value(fun, Flags::SCALAR)?;
        match f.data {
            Data::Func(id) => self.call_func(x, id, args, flags),
            Data::Validator(v) => {
                let (func, called) = {
                    let v = self.validator(v);
                    (v.func, v.call.is_some())
                };
                if called {
                    let e = self.errf(
                        "cannot call previously called validator {}",
                        vec![Arg::Expr(fun)],
                    );
                    self.add_error(e);
                    return Ok(Val::UNSET);
                }
                if self.is_validator(func, args.len as usize) {
                    let pos = self.program.pos(x);
                    return Ok(self.new_validator(
                        Validator {
                            func,
                            call: x,
                            args: Vec::new(),
                        },
                        pos,
                    ));
                }
                self.call_func(x, func, args, flags)
            }
            _ => {
                let kind = self.kind(f);
                let args = vec![Arg::Expr(fun), Arg::Kind(kind)];
                if !self.is_concrete(f) && kind.meets(Kind::FUNC) {
                    let pos = self.program.pos(fun);
                    self.add_errf(
                        Code::Incomplete,
                        pos,
                        "cannot call non-concrete value {} (type {})",
                        args,
                    );
                } else {
                    let e = self.errf("cannot call non-function {} (type {})", args);
                    self.add_error(e);
                }
                Ok(Val::UNSET)
            }
        }
    }

    fn is_validator(&self, f: FuncId, args: usize) -> bool {
        let f = self.func(f);
        f.params.get(args).is_some_and(|p| p.default.is_empty())
            && args + 1 == f.params.len()
            && f.result.within(Kind::BOOL)
    }

    fn call_func(&mut self, x: XId, id: FuncId, args: Run, flags: Flags) -> R<Val> {
        let f = self.func(id);
        if f.raw {
            if !self.check_count(x, f, args.len as usize) {
                return Ok(Val::UNSET);
            }
            return (f.call)(&mut Call {
                ctx: self,
                args: Vec::new(),
                call: x,
                is_validator: false,
                func: f,
            });
        }
        let saved = (self.reg.info.from_def, self.reg.info.from_embed);
        self.reg.info.from_def = false;
        self.reg.info.from_embed = false;
        let values = self.call_args(f, args, flags)?;
        let r = match values {
            None => Ok(Val::UNSET),
            Some(args) if self.is_validator(id, args.len()) => {
                let pos = self.program.pos(x);
                Ok(self.new_validator(
                    Validator {
                        func: id,
                        call: x,
                        args,
                    },
                    pos,
                ))
            }
            Some(args) => self.call_with(x, f, args),
        };
        (self.reg.info.from_def, self.reg.info.from_embed) = saved;
        r
    }

    /// The evaluated arguments; none after an error.
    fn call_args(&mut self, f: &'static Func, args: Run, flags: Flags) -> R<Option<Vec<Val>>> {
        let mut values = Vec::new();
        for i in args.range() {
            let a = self.program.args[i];
            let saved = self.take_err();
            let val = if f.non_concrete {
                self.eval(a, flags)?
            } else {
                let cond = flags
                    .cond
                    .or(Cond::FIELD_SET)
                    .or(Cond::SCALAR)
                    .or(Cond::DISJUNCTION);
                self.eval_value(a, Flags { cond, ..flags })?
            };
            match val.data {
                Data::Unset => {}
                Data::Err(e) => self.add_error(e),
                _ => values.push(val),
            }
            self.reg.errs = self.combine(saved, self.reg.errs);
        }
        Ok((!self.has_err() && values.len() == args.len as usize).then_some(values))
    }

    fn call_with(&mut self, x: XId, f: &'static Func, args: Vec<Val>) -> R<Val> {
        let result = self.run_func(x, f, args, false)?;
        match result.data {
            Data::Err(e) => {
                let pos = self.program.pos(x);
                let name = Arg::Text(qualified(f).into());
                let m = self.message_at(pos, "error in call to {}", vec![name]);
                Ok(Val::bare(Data::Err(self.wrap_error(e, m))))
            }
            _ => Ok(result),
        }
    }

    fn check_count(&mut self, x: XId, f: &'static Func, count: usize) -> bool {
        let want = f.params.len();
        let template = if count > want {
            "too many arguments in call to {} (have {}, want {})"
        } else if f.params.get(count).is_some_and(|p| p.default.is_empty()) {
            "not enough arguments in call to {} (have {}, want {})"
        } else {
            return true;
        };
        let pos = self.program.pos(x);
        let id = self.func_id(f);
        let args = vec![Arg::Func(id), Arg::Int(count as i64), Arg::Int(want as i64)];
        self.add_errf(Code::Eval, pos, template, args);
        false
    }

    /// Checks the arguments and runs a function. A value that is an error is the function's own.
    pub(crate) fn run_func(
        &mut self,
        x: XId,
        f: &'static Func,
        mut args: Vec<Val>,
        is_validator: bool,
    ) -> R<Val> {
        if !self.check_count(x, f, args.len()) {
            return Ok(Val::UNSET);
        }
        for p in &f.params[args.len()..] {
            let x = self.snippet("", p.default);
            let v = self.eval_snippet(x)?;
            args.push(v);
        }
        for (i, arg) in args.iter_mut().enumerate() {
            let plain = match arg.data {
                Data::Vertex(v) => self.value(v),
                _ => *arg,
            };
            if plain.err().is_some() {
                return Ok(plain);
            }
            let (p, k) = (&f.params[i], self.kind(*arg));
            if !p.kind.meets(k) {
                let pos = self.pos_of(*arg);
                let id = self.func_id(f);
                let list = vec![
                    Arg::Val(*arg),
                    Arg::Kind(k),
                    Arg::Kind(p.kind),
                    Arg::Int(i as i64 + 1),
                    Arg::Func(id),
                ];
                self.add_errf(
                    Code::Eval,
                    pos,
                    "cannot use {} (type {}) as {} in argument {} to {}",
                    list,
                );
                return Ok(Val::UNSET);
            }
            if !p.constraint.is_empty() {
                match self.constrain(f, i, *arg)? {
                    Some(v) => *arg = v,
                    None => return Ok(Val::UNSET),
                }
            }
        }
        let saved = (self.reg.is_validator, self.reg.info);
        self.reg.is_validator = is_validator;
        self.reg.info.from_embed = false;
        self.reg.info.from_def = false;
        let r = (f.call)(&mut Call {
            ctx: self,
            args,
            call: x,
            is_validator,
            func: f,
        });
        (self.reg.is_validator, self.reg.info) = saved;
        r
    }

    fn constrain(&mut self, f: &'static Func, i: usize, arg: Val) -> R<Option<Val>> {
        let constraint = f.params[i].constraint;
        let x = self.snippet("", constraint);
        let (env, info) = (EnvId::NONE, self.reg.info);
        let items = [Item::Expr(x), Item::Val(arg)];
        let n = self.inline_vertex(items.map(|item| Conjunct { item, env, info }));
        self.finalize_inner(n)?;
        if !self.is_err(n) {
            return Ok(Some(Val::bare(Data::Vertex(n))));
        }
        let pos = self.pos_of(arg);
        let id = self.func_id(f);
        let list = vec![
            Arg::Val(arg),
            Arg::Text(constraint.into()),
            Arg::Int(i as i64 + 1),
            Arg::Func(id),
        ];
        self.add_errf(
            Code::Eval,
            pos,
            "cannot use {} as {} in argument {} to {}",
            list,
        );
        Ok(None)
    }

    /// The value of an expression of the library itself.
    pub(crate) fn eval_snippet(&mut self, x: XId) -> R<Val> {
        let saved = self.reg;
        self.reg.env = EnvId::NONE;
        self.reg.errs = ErrId::NONE;
        let v = self.eval_value(x, Flags::new(Cond::ALL, Mode::Finalize));
        self.reg = saved;
        v
    }

    pub(crate) fn validate_validator(&mut self, check: Val, val: Val) -> R<ErrId> {
        let Data::Validator(id) = check.data else {
            return Ok(ErrId::NONE);
        };
        let v = self.validator(id).clone();
        let f = self.func(v.func);
        let mut args = vec![val];
        args.extend(v.args.iter().copied());
        let r = self.run_func(v.call, f, args, true)?;
        let cause = match r.data {
            // What the function recorded stays recorded.
            Data::Bool(true) | Data::Unset => return Ok(ErrId::NONE),
            Data::Err(e) => e,
            _ => ErrId::NONE,
        };
        let plain = self.unwrap(val);
        if let Some(e) = plain.err() {
            return Ok(e);
        }
        Ok(self.unsatisfied(val, check.pos, id, cause))
    }

    fn unsatisfied(
        &mut self,
        val: Val,
        pos: crate::syntax::source::Pos,
        id: ValidatorId,
        cause: ErrId,
    ) -> ErrId {
        let v = self.validator(id).clone();
        let f = self.func(v.func);
        let mut name = qualified(f);
        if !f.non_concrete && !v.args.is_empty() {
            let list: Vec<String> = v.args.iter().map(|a| self.compact(*a)).collect();
            name = format!("{name}({})", list.join(", "));
        }
        let m = self.message_at(
            pos,
            "invalid value {} (does not satisfy {})",
            vec![Arg::Val(val), Arg::Text(name.into())],
        );
        let mut more = Vec::new();
        let own = self.pos_of(val);
        more.push(own);
        more.extend(v.args.iter().map(|a| self.pos_of(*a)));
        self.messages[m.i()].more.extend(more);
        if cause.is_some() {
            return self.wrap_error(cause, m);
        }
        self.error_of(Code::Eval, m)
    }

    /// Unifies two values the way validators of schemas do.
    pub fn unify_values(&mut self, a: Val, b: Val) -> R<super::vertex::VId> {
        let at = self.reg.vertex;
        let mut x = super::vertex::Vertex::new(
            super::vertex::VId::NONE,
            super::label::Label::NONE,
            super::kind::ArcType::Member,
        );
        if at.is_some() {
            x.parent = self.vx(at).parent;
            x.label = self.vx(at).label;
        }
        let v = self.new_vertex(x);
        self.bare_state(v);
        for src in [a, b] {
            let mut info = self.reg.info;
            info.from_def = false;
            if let Data::Vertex(w) = src.data {
                info = self.split_scope(v, info);
                let mut p = w;
                while p.is_some() {
                    if self.vx(p).label.is_definition() {
                        info.top_def = true;
                        break;
                    }
                    p = self.vx(p).parent;
                }
            }
            let c = Conjunct {
                item: Item::Val(src),
                env: EnvId::NONE,
                info,
            };
            self.vm(v).conjuncts.push(c);
        }
        self.nm(v).drop_parent_reqs = true;
        if at.is_some() && self.has_state(at) {
            self.nm(v).has_non_cyclic = self.n(at).has_non_cyclic;
        }
        self.finalize_inner(v)?;
        Ok(v)
    }
}

impl Call<'_> {
    /// The expression of an argument as written, counted without the validated value; 0 if none.
    pub fn expr(&self, i: usize) -> XId {
        let i = if self.is_validator {
            i.wrapping_sub(1)
        } else {
            i
        };
        match self.ctx.program.expr(self.call) {
            super::program::Expr::Call(_, args) => self
                .ctx
                .program
                .arg_list(args)
                .get(i)
                .copied()
                .unwrap_or_default(),
            _ => XId::NONE,
        }
    }

    /// Where the call stands.
    pub fn pos(&self) -> crate::syntax::source::Pos {
        self.ctx.program.pos(self.call)
    }

    /// An error as the result of the function.
    pub fn fail(&mut self, template: &'static str, args: Vec<Arg>) -> R<Val> {
        Ok(self.ctx.err_val(Code::Eval, template, args))
    }

    /// An error that more information could remove.
    pub fn not_yet(&mut self, template: &'static str, args: Vec<Arg>) -> R<Val> {
        Ok(self.ctx.err_val(Code::Incomplete, template, args))
    }

    /// An error whose text the function made.
    pub fn fail_text(&mut self, text: &str) -> R<Val> {
        self.fail("{}", vec![Arg::Text(text.into())])
    }
}

/// The name of a function with the import path of its package.
pub fn qualified(f: &Func) -> String {
    if f.package.is_empty() {
        f.name.to_owned()
    } else {
        format!("{}.{}", f.package, f.name)
    }
}
