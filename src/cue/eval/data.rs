//! Copies of values as plain data, which schemas are held against.

use rustc_hash::FxHashMap;

use super::context::Evaluator;
use super::kind::ArcType;
use super::library::R;
use super::value::{Data, Val};
use super::vertex::{NId, Status, VId};

impl Evaluator {
    /// A copy of a value as data: regular fields only, defaults taken, open.
    pub(crate) fn data_copy(&mut self, v: VId) -> R<VId> {
        let mut seen = FxHashMap::default();
        self.as_data(v, &mut seen)
    }

    fn as_data(&mut self, v: VId, seen: &mut FxHashMap<VId, VId>) -> R<VId> {
        if let Some(w) = seen.get(&v) {
            return Ok(*w);
        }
        self.finalize_inner(v)?;
        let src = self.deref(v);
        let mut x = self.vx(src).clone();
        x.label = self.vx(v).label;
        x.parent = self.vx(v).parent;
        x.arc = self.vx(v).arc;
        x.state = NId::NONE;
        x.status = Status::Finalized;
        x.set_is_data(true);
        x.set_closed_recursive(false);
        x.set_closed_here(false);
        x.set_is_shared(false);
        x.set_index(None);
        for c in &mut x.conjuncts {
            c.info.def = 0;
            c.info.embed = 0;
            c.info.outer = 0;
        }
        let arcs = std::mem::take(&mut x.arcs);
        x.base = self.data_of(x.base, seen)?;
        let w = self.new_vertex(x);
        seen.insert(v, w);
        for a in arcs {
            let x = self.vx(a);
            if x.arc == ArcType::Member && x.label.is_regular() {
                let a = stacker::maybe_grow(64 * 1024, 2 * 1024 * 1024, || self.as_data(a, seen))?;
                self.push_arc(w, a);
            }
        }
        Ok(w)
    }

    fn data_of(&mut self, base: Val, seen: &mut FxHashMap<VId, VId>) -> R<Val> {
        let Data::Disj(d) = base.data else {
            return Ok(base);
        };
        let mut d = self.disjunction(d).clone();
        if d.defaults == 1 {
            let first = d.values[0];
            return match first.data {
                Data::Vertex(x) => {
                    let x = self.as_data(x, seen)?;
                    Ok(Val::new(Data::Vertex(x), first.pos))
                }
                _ => Ok(first),
            };
        }
        if d.defaults > 1 {
            d.values.truncate(d.defaults);
        }
        for val in &mut d.values {
            if let Data::Vertex(x) = val.data {
                val.data = Data::Vertex(self.as_data(x, seen)?);
            }
        }
        Ok(self.new_disj(d, base.pos))
    }
}
