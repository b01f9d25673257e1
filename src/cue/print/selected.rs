//! What an expression given on a command line stands for.

use crate::eval::context::Evaluator;
use crate::eval::error::ErrId;
use crate::eval::label::Label;
use crate::eval::program::{Expr, XId};
use crate::eval::value::{Data, Val};
use crate::eval::vertex::{EnvId, Item, VId};

/// The outcome of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selected {
    /// A value to print or validate: the vertex that a reference leads to, an evaluated scalar, or an
    /// error that more information could remove.
    Value(Val),
    /// A fatal error that stands for the value.
    Error(ErrId),
}

impl Evaluator {
    /// The value of an expression that [`Evaluator::eval_in`] made a vertex of. A reference leads to its
    /// target, so that paths of errors are those of the target.
    pub fn selected(&mut self, v: VId) -> Selected {
        self.finalize(v);
        if let Some(target) = self.selected_target(v) {
            self.finalize(target);
            return match self.vx(target).base.data {
                Data::Err(e) if !self.error(e).code.is_incomplete() => Selected::Error(e),
                _ => Selected::Value(Val::bare(Data::Vertex(target))),
            };
        }
        let base = self.vx(v).base;
        match base.data {
            Data::Err(e) if !self.error(e).code.is_incomplete() => Selected::Error(e),
            Data::Struct | Data::List(_) | Data::Unset => {
                Selected::Value(Val::bare(Data::Vertex(v)))
            }
            _ => Selected::Value(base),
        }
    }

    fn selected_target(&mut self, v: VId) -> Option<VId> {
        let [c] = self.vx(v).conjuncts.as_slice() else {
            return None;
        };
        let Item::Expr(x) = c.item else {
            return None;
        };
        let env = c.env;
        self.static_target(env, x)
    }

    /// The vertex that a reference means, if plain lookups lead to a field. Imported packages lead nowhere.
    pub(super) fn static_target(&mut self, env: EnvId, x: XId) -> Option<VId> {
        let member = |ev: &Self, owner: VId, label: Label| {
            let found = ev
                .arc_raw(owner, label)
                .or_else(|| ev.field(owner, label))?;
            (ev.vx(found).arc == crate::eval::kind::ArcType::Member).then_some(found)
        };
        match self.program.expr(x) {
            Expr::Field { up, label, .. } => {
                let frame = self.env_up(env, up);
                let owner = self.envs[frame.i()].vertex;
                member(self, owner, label)
            }
            Expr::ValueRef { up, .. } => {
                let frame = self.env_up(env, up.saturating_sub(1));
                let owner = self.envs[frame.i()].vertex;
                (owner.is_some() && owner != self.empty).then_some(owner)
            }
            Expr::Selector { x, sel, .. } => {
                let base = self.static_target(env, x)?;
                member(self, base, sel)
            }
            Expr::Index { x, index, .. } => {
                let base = self.static_target(env, x)?;
                let index = self.evaluate_in(env, index);
                let label = match index.data {
                    Data::Int(i) => Label::index_of(usize::try_from(i).ok()?),
                    Data::Str(name) => Label::string(name),
                    _ => return None,
                };
                member(self, base, label)
            }
            _ => None,
        }
    }
}
