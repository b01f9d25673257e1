//! Single expressions beside a package, as `-e` gives them.

use std::sync::Arc;

use super::context::{Evaluator, Registers};
use super::error::{ErrId, MsgId};
use super::kind::{ArcType, Code};
use super::label::Label;
use super::node::{Cond, Flags, Mode};
use super::package::PackageId;
use super::program::XId;
use super::value::{Data, Val};
use super::vertex::{CloseInfo, Conjunct, EnvId, Item, Status, VId, Vertex};
use crate::syntax::tree::Tree;

impl Evaluator {
    /// The value of an expression whose names are looked up in a package after all others. A
    /// reference is the vertex it leads to, at its own path; anything else is evaluated. The
    /// messages are errors of names and literals.
    pub fn expression_in(&mut self, p: PackageId, tree: Arc<Tree>) -> Result<VId, Vec<MsgId>> {
        self.expression_within(p, self.root(p), tree)
    }

    /// As [`Evaluator::expression_in`], with names looked up in a value instead of the whole
    /// package.
    pub fn expression_within(
        &mut self,
        p: PackageId,
        root: VId,
        tree: Arc<Tree>,
    ) -> Result<VId, Vec<MsgId>> {
        let x = self.lower_in(p, root, tree)?;
        let root = self.deref(root);
        let env = self.new_env(EnvId::NONE, root);
        let saved = std::mem::replace(
            &mut self.reg,
            Registers {
                env,
                ..Registers::default()
            },
        );
        let flags = Flags::new(Cond::NEED_FIELD_SET, Mode::Finalize);
        let found = if self.is_reference(x) {
            self.resolve(x, flags).map(|v| Val::bare(Data::Vertex(v)))
        } else {
            self.eval(x, flags)
        };
        let err = self.reg.errs;
        self.reg = saved;
        let mut value = match found {
            // What a required field would be is no value.
            Ok(_) if err.is_some() => Val::bare(Data::Err(err)),
            Ok(v) if v.data == Data::Vertex(VId::NONE) => Val::bare(Data::Err(err)),
            Ok(v) => v,
            Err(_) => Val::bare(Data::Err(err)),
        };
        if let Data::Vertex(v) = value.data {
            self.finalize(v);
            let e = self.structural_beneath(v);
            if !e.is_some() {
                return Ok(v);
            }
            value = Val::bare(Data::Err(e));
        }
        let mut v = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        v.base = value;
        v.status = Status::Finalized;
        Ok(self.new_vertex(v))
    }

    /// The errors beneath a vertex, if they are structural cycles: no reference leads to it.
    fn structural_beneath(&self, v: VId) -> ErrId {
        let e = self.vx(v).child_errors();
        if e.is_some() && self.code(e) == Code::Structural {
            return e;
        }
        ErrId::NONE
    }

    /// A struct with fields of those names and values, as if it were written down.
    pub fn struct_of(&mut self, fields: Vec<(String, Val)>) -> Val {
        let fields: Vec<(Label, XId)> = fields
            .into_iter()
            .map(|(name, v)| (self.string_label(&name), self.data_scalar(v)))
            .collect();
        let item = Item::Expr(self.data_struct(&fields));
        let mut v = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        v.conjuncts.push(Conjunct {
            item,
            env: EnvId::NONE,
            info: CloseInfo::default(),
        });
        Val::bare(Data::Vertex(self.new_vertex(v)))
    }
}
