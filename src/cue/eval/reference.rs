//! Which paths the conjuncts of a value refer to, read from the program and the frames they are
//! evaluated in.

mod guard;
mod walk;

use std::collections::HashSet;

use super::context::Evaluator;
use super::label::Label;
use super::vertex::VId;
use crate::syntax::source::Pos;

pub use guard::Guards;

/// A reference to a path of the same package.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference {
    /// The path from the root of the package, as far as it is known without evaluating more.
    pub path: Vec<Label>,
    /// Where it stands.
    pub pos: Pos,
    /// Whether the value itself is the reference, or has it as conjunct, alternative or embedding;
    /// false for references in its fields, arguments, operands and conditions.
    pub own: bool,
}

/// How far below a vertex references are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Own,
    Regular,
    All,
}

impl Evaluator {
    /// What the value at a path refers to, in the order of discovery: in every conjunct and in
    /// those of its regular fields and elements, in all branches, loop sources, conditions and
    /// bodies. Loops and conditions that a field stands in count as its own. References into
    /// imported packages are left out. A path that does not exist stands for the nearest one above
    /// it that does.
    pub fn references(&mut self, guards: &Guards, root: VId, path: &[Label]) -> Vec<Reference> {
        self.walk_references(guards, root, path, Extent::Regular)
    }

    /// As [`Evaluator::references`], with those of definitions, hidden fields and lets below.
    pub fn all_references(&mut self, guards: &Guards, root: VId, path: &[Label]) -> Vec<Reference> {
        self.walk_references(guards, root, path, Extent::All)
    }

    /// As [`Evaluator::references`], but without those of fields and elements that are vertices of
    /// their own: what decides which fields there are, and what the value itself is.
    pub fn own_references(&mut self, guards: &Guards, root: VId, path: &[Label]) -> Vec<Reference> {
        self.walk_references(guards, root, path, Extent::Own)
    }

    fn walk_references(
        &mut self,
        guards: &Guards,
        root: VId,
        path: &[Label],
        extent: Extent,
    ) -> Vec<Reference> {
        let v = self.nearest(root, path);
        let mut walk = walk::Walk::new(root, guards);
        walk.vertex(self, v, extent);
        let mut seen = HashSet::new();
        let mut out = walk.out;
        out.retain(|r| seen.insert(r.clone()));
        out
    }

    /// The vertex at a path, or the deepest one on the way to it.
    fn nearest(&self, root: VId, path: &[Label]) -> VId {
        let mut v = root;
        for label in path {
            match self.arc_raw(self.deref(v), *label) {
                Some(arc) => v = arc,
                None => break,
            }
        }
        v
    }
}
