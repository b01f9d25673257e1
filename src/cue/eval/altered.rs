//! Copies of finished values with parts left out or replaced, for showing.

use rustc_hash::FxHashMap;

use super::context::Evaluator;
use super::label::Label;
use super::value::{Data, Val};
use super::vertex::{NId, Status, VId, Vertex};

/// What is shown instead of the value at a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Instead {
    /// Nothing: the field is left out.
    Nothing,
    /// Another value.
    Value(Val),
}

/// The parts below one vertex.
#[derive(Default)]
struct Parts {
    instead: Option<Instead>,
    below: FxHashMap<Label, Parts>,
}

impl Evaluator {
    /// A copy of a finished vertex in which some fields are left out or have another value. Paths
    /// are from the vertex; those that do not exist are passed over. The vertex itself stays as it
    /// is, and shares all that is not on such a path.
    pub fn altered(&mut self, v: VId, parts: &[(Vec<Label>, Instead)]) -> VId {
        let mut top = Parts::default();
        for (path, instead) in parts {
            let at = path
                .iter()
                .fold(&mut top, |at, label| at.below.entry(*label).or_default());
            at.instead = Some(*instead);
        }
        self.altered_vertex(v, &top)
    }

    fn altered_vertex(&mut self, v: VId, parts: &Parts) -> VId {
        let holder = self.default_vertex(v);
        let mut copy = self.vx(holder).clone();
        copy.state = NId::NONE;
        copy.status = Status::Finalized;
        copy.label = self.vx(v).label;
        copy.set_index(None);
        let mut arcs = Vec::with_capacity(copy.arcs.len());
        for arc in copy.arcs {
            let label = self.vx(arc).label;
            match parts.below.get(&label) {
                None => arcs.push(arc),
                Some(Parts {
                    instead: Some(Instead::Nothing),
                    ..
                }) => {}
                Some(Parts {
                    instead: Some(Instead::Value(val)),
                    ..
                }) => {
                    arcs.push(self.replaced(arc, *val));
                }
                Some(inner) => arcs.push(self.altered_vertex(arc, inner)),
            }
        }
        copy.arcs = arcs.into();
        let copy = self.new_vertex(copy);
        self.index_arcs(copy);
        copy
    }

    fn replaced(&mut self, arc: VId, val: Val) -> VId {
        let old = self.vx(arc);
        let mut fresh = Vertex::new(old.parent, old.label, old.arc);
        fresh.conjuncts = old.conjuncts.clone();
        fresh.base = Val {
            data: val.data,
            pos: old.base.pos,
        };
        fresh.status = Status::Finalized;
        debug_assert!(!matches!(val.data, Data::Vertex(_)));
        self.new_vertex(fresh)
    }
}
