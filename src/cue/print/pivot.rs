//! Values printed without what surrounds them.

use super::printer::Printer;
use crate::eval::program::XId;
use crate::eval::vertex::{EnvId, VId};
use crate::syntax::tree::ExprId;

#[derive(Debug, Default)]
pub(super) struct Pivot;

impl Printer<'_> {
    pub(super) fn start(&mut self, _v: VId) {}
    pub(super) fn pivoted(&mut self, _env: EnvId, _x: XId) -> Option<ExprId> {
        None
    }
    pub(super) fn complete_pivot(&mut self) {}
}
