//! What an expression given on a command line stands for.

use crate::eval::context::Evaluator;
use crate::eval::label::Label;
use crate::eval::program::{Expr, XId};
use crate::eval::value::Data;
use crate::eval::vertex::{EnvId, Item, VId};

impl Evaluator {
    /// The vertex to print or validate for an expression that [`Evaluator::eval_in`] made one of:
    /// the
    /// target of a reference, so that paths of errors are those of the target, else the vertex
    /// itself.
    pub fn selected(&mut self, v: VId) -> VId {
        self.finalize(v);
        match self.selected_target(v) {
            Some(target) => {
                self.finalize(target);
                target
            }
            None => v,
        }
    }

    /// Whether a vertex is the value of an expression on its own, not of a package or field.
    pub(super) fn is_expression(&self, v: VId) -> bool {
        let x = self.vx(v);
        !x.parent.is_some()
            && x.label == Label::NONE
            && x.conjuncts.iter().all(|c| match c.item {
                Item::Expr(x) => match self.program.expr(x) {
                    Expr::Struct(s) => !self.program.struct_lit(s).is_file,
                    _ => true,
                },
                _ => false,
            })
    }

    /// Whether the value of a vertex has no fields, elements or alias.
    pub(super) fn is_value_alone(&self, v: VId) -> bool {
        !matches!(
            self.vx(v).base.data,
            Data::Struct | Data::List(_) | Data::Unset | Data::Vertex(_)
        )
    }

    fn selected_target(&mut self, v: VId) -> Option<VId> {
        let [c] = self.vx(v).conjuncts[..] else {
            return None;
        };
        let Item::Expr(x) = c.item else {
            return None;
        };
        let env = c.env;
        self.static_target(env, x)
    }

    /// The vertex that a reference means, if plain lookups lead to a field. Imported packages
    /// lead nowhere.
    pub(super) fn static_target(&mut self, env: EnvId, x: XId) -> Option<VId> {
        self.target(env, x, false)
    }

    /// As [`Evaluator::static_target`]; with `imports` through packages that are not of the
    /// standard library as well.
    pub(super) fn target(&mut self, env: EnvId, x: XId, imports: bool) -> Option<VId> {
        let member = |ev: &Self, owner: VId, label: Label| {
            let found = ev
                .arc_raw(owner, label)
                .or_else(|| ev.field(owner, label))?;
            let x = ev.vx(found);
            match x.base.data {
                // the value of a round of a loop stands for the element itself
                Data::Vertex(element) if x.anonymous() && x.dynamic() => Some(element),
                _ => (x.arc == crate::eval::kind::ArcType::Member).then_some(found),
            }
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
                let base = self.target(env, x, imports)?;
                member(self, base, sel)
            }
            Expr::Index { x, index, .. } => {
                let base = self.target(env, x, imports)?;
                let index = self.evaluate_in(env, index, true);
                let label = match index.data {
                    Data::Int(i) => Label::index_of(usize::try_from(i).ok()?),
                    Data::Str(name) => Label::string(name),
                    _ => return None,
                };
                member(self, base, label)
            }
            Expr::Import(i, _) if imports => {
                let import = &self.program.imports[i as usize];
                let package = import.package.filter(|_| import.path.contains('.'))?;
                let root = self.packages[package as usize].root;
                self.finalize(root);
                Some(root)
            }
            _ => None,
        }
    }
}
