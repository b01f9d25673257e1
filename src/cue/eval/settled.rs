//! Values that can be read off: what is made of settled values needs no tasks and no working
//! state.

use std::io::Write;

use super::context::Evaluator;
use super::kind::ArcType;
use super::label::Label;
use super::program::{Expr, Run, XId};
use super::value::{Data, Val};
use super::vertex::{EnvId, Status, VId};

impl Evaluator {
    /// The vertex with a settled value that a reference means, with everything on the way to it as
    /// settled as it takes. Nothing is evaluated for it, and nothing is recorded.
    pub(super) fn settled_vertex(&self, x: XId, env: EnvId) -> Option<VId> {
        let v = self.deref(self.settled_path(x, env)?);
        (self.vx(v).status == Status::Finalized).then_some(v)
    }

    fn settled_path(&self, x: XId, env: EnvId) -> Option<VId> {
        match self.program.expr(x) {
            Expr::Field {
                up,
                label,
                optional: false,
            } => self.present_arc(self.envs[self.env_up(env, up).i()].vertex, label),
            Expr::Selector {
                x,
                sel,
                optional: false,
                ..
            } => self.present_arc(self.settled_path(x, env)?, sel),
            Expr::Index {
                x,
                index,
                optional: false,
            } => {
                let v = self.settled_path(x, env)?;
                self.present_arc(v, self.settled_label(index, env)?)
            }
            _ => None,
        }
    }

    /// A field that is there for certain, of a struct that is not chosen from alternatives.
    fn present_arc(&self, v: VId, label: Label) -> Option<VId> {
        let v = self.deref(v);
        let x = self.vx(v);
        if x.base.err().is_some() || self.n(v).has_disjunction {
            return None;
        }
        let a = self.arc_raw(v, label)?;
        let x = self.vx(a);
        let loops = x.anonymous() && x.dynamic() && matches!(x.base.data, Data::Vertex(_));
        (x.arc == ArcType::Member || loops).then_some(a)
    }

    fn settled_label(&self, x: XId, env: EnvId) -> Option<Label> {
        match self.settled_scalar(x, env)? {
            Data::Str(name) => Some(Label::string(name)),
            Data::Int(i) => usize::try_from(i).ok().map(Label::index_of),
            _ => None,
        }
    }

    /// A settled scalar. A text that is made of others is only found if it is known as a name.
    fn settled_scalar(&self, x: XId, env: EnvId) -> Option<Data> {
        let data = match self.program.expr(x) {
            Expr::Val(val) => val.data,
            Expr::Interpolation(false, parts) => {
                let mut text = Vec::with_capacity(32);
                self.push_settled_parts(parts, env, &mut text)?;
                let text = std::str::from_utf8(&text).ok()?;
                return self.names.lookup(text).map(Data::Str);
            }
            Expr::Call(fun, args) => return self.settled_division(fun, args, env),
            _ => self.vx(self.settled_vertex(x, env)?).base.data,
        };
        matches!(data, Data::Bool(_) | Data::Int(_) | Data::Str(_)).then_some(data)
    }

    /// A whole division of small numbers.
    fn settled_division(&self, fun: XId, args: Run, env: EnvId) -> Option<Data> {
        let Expr::Val(Val {
            data: Data::Func(f),
            ..
        }) = self.program.expr(fun)
        else {
            return None;
        };
        let &[x, y] = self.program.arg_list(args) else {
            return None;
        };
        let f = self.func(f);
        if !f.package.is_empty() {
            return None;
        }
        let (Data::Int(x), Data::Int(y)) =
            (self.settled_scalar(x, env)?, self.settled_scalar(y, env)?)
        else {
            return None;
        };
        let result = match f.name {
            "div" => x.checked_div_euclid(y)?,
            "mod" => x.checked_rem_euclid(y)?,
            "quo" => x.checked_div(y)?,
            "rem" => x.checked_rem(y)?,
            _ => return None,
        };
        Some(Data::Int(result))
    }

    /// Adds the text of an interpolation to a text, if all its parts are settled.
    pub(super) fn push_settled_parts(
        &self,
        parts: Run,
        env: EnvId,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let from = out.len();
        let mut parts = self.program.arg_list(parts).iter();
        let all = parts.try_for_each(|part| self.push_settled(*part, env, out));
        if all.is_none() {
            out.truncate(from);
        }
        all
    }

    /// Adds the text of a settled scalar to a text.
    pub(super) fn push_settled(&self, x: XId, env: EnvId, out: &mut Vec<u8>) -> Option<()> {
        match self.program.expr(x) {
            Expr::Interpolation(false, parts) => self.push_settled_parts(parts, env, out),
            _ => {
                match self.settled_scalar(x, env)? {
                    Data::Bool(true) => out.extend_from_slice(b"true"),
                    Data::Bool(false) => out.extend_from_slice(b"false"),
                    Data::Int(i) => write!(out, "{i}").ok()?,
                    Data::Str(name) => out.extend_from_slice(self.names.get(name).as_bytes()),
                    _ => return None,
                }
                Some(())
            }
        }
    }
}
