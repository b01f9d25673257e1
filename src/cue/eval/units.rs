//! Evaluating again what a filled value changes, one vertex at a time, in place.
//!
//! [`Evaluator::fill`] starts a whole package anew. Here only single vertices do: each forgets its
//! value and everything below, keeps what its ancestors said about it, and is evaluated when
//! somebody asks. Who has to be reset is the caller's decision: the vertex that is filled, and
//! every one that reads it, directly or through others ([`Evaluator::references`] says which).

use rustc_hash::FxHashSet;

use super::context::Evaluator;
use super::label::{Label, LabelKind};
use super::program::{Elem, Expr, Run, XId};
use super::value::{Data, Val};
use super::vertex::{CloseInfo, Conjunct, EnvId, Item, Status, VId, Vertex};
use crate::eval::kind::{ArcType, Kind};
use crate::eval::package::PackageId;
use crate::syntax::source::Pos;

/// The values that were filled into vertices of a package.
#[derive(Clone, Debug, Default)]
pub struct Units {
    made: FxHashSet<XId>,
}

/// A value for a vertex or something below it.
#[derive(Clone, Debug)]
pub struct UnitFill {
    /// The path below the vertex that is reset, or below the root; empty for the vertex itself.
    pub below: Vec<Label>,
    /// The value, as for [`Evaluator::fill`].
    pub value: XId,
}

impl Evaluator {
    /// Whether the vertex at a path can be reset alone: nothing above it is shared with another
    /// vertex or chosen from alternatives.
    pub fn is_unit(&self, root: VId, path: &[Label]) -> bool {
        self.unit(root, path).is_some()
    }

    /// Whether a vertex was not looked at since it was made or reset.
    pub fn is_untouched(&self, v: VId) -> bool {
        let x = self.vx(v);
        x.status == Status::Unprocessed && !x.state.is_some()
    }

    /// Resets the vertex at a path. What was filled into it or below it before is replaced by the
    /// fills given. False, and nothing happens, if the path does not lead to a unit.
    pub fn reset_unit(
        &mut self,
        units: &mut Units,
        root: VId,
        path: &[Label],
        fills: &[UnitFill],
    ) -> bool {
        let Some(v) = self.unit(root, path) else {
            return false;
        };
        if self.vx(v).state.is_some() {
            self.finalize(v);
        }
        self.discard_below(v);
        self.free_state(v);
        let old = self.vx(v);
        let mut fresh = Vertex::new(old.parent, old.label, old.arc);
        fresh.set_multi_let(old.multi_let());
        fresh.set_dynamic(old.dynamic());
        let kept = old.conjuncts.iter().copied();
        fresh.conjuncts = kept
            .filter(|c| !units.made.contains(&self.conjunct_expr(c)))
            .collect();
        for fill in fills {
            units.made.insert(fill.value);
            let x = fill
                .below
                .iter()
                .rev()
                .fold(fill.value, |x, label| self.around(units, *label, x));
            let (env, info) = (EnvId::NONE, CloseInfo::default());
            fresh.conjuncts.push(Conjunct {
                item: Item::Expr(x),
                env,
                info,
            });
        }
        *self.vm(v) = fresh;
        self.lets.clear();
        true
    }

    /// Makes the room of what was reset usable again, once all are reset that read it.
    pub fn recycle(&mut self) {
        let mut discarded = std::mem::take(&mut self.discarded);
        discarded.sort_unstable();
        discarded.dedup();
        for v in discarded {
            self.free_state(v);
            *self.vm(v) = Vertex::new(VId::NONE, Label::NONE, ArcType::NotPresent);
            self.free_vertices.push(v);
        }
    }

    /// Notes what hangs on a vertex alone: its fields, its constraints and the alternatives that
    /// were tried for it.
    fn discard_below(&mut self, v: VId) {
        let mut list = vec![v];
        while let Some(v) = list.pop() {
            let x = self.vx(v);
            let start = list.len();
            let own = |a: &VId| self.vx(*a).parent == v;
            list.extend(x.arcs.iter().copied().filter(own));
            list.extend(x.patterns().iter().map(|p| p.constraint));
            let tried = |w: VId| {
                let w = self.vx(w);
                w.is_disjunct() && w.parent == x.parent && w.label == x.label
            };
            match x.base.data {
                Data::Vertex(w) if tried(w) => list.push(w),
                Data::Disj(d) => {
                    let values = &self.disjunction(d).values;
                    list.extend(values.iter().filter_map(|val| match val.data {
                        Data::Vertex(w) if tried(w) => Some(w),
                        _ => None,
                    }));
                }
                _ => {}
            }
            self.discarded.extend_from_slice(&list[start..]);
        }
    }

    /// Starts the whole package anew with the fills given, which replace all earlier ones. The
    /// package has another root then.
    pub fn restart(&mut self, units: &mut Units, package: PackageId, fills: &[UnitFill]) {
        let old = self.vx(self.root(package)).conjuncts.clone();
        let mut root = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        let written = |c: &Conjunct| !units.made.contains(&self.conjunct_expr(c));
        root.conjuncts = old.into_iter().filter(written).collect();
        for fill in fills {
            units.made.insert(fill.value);
            let x = fill
                .below
                .iter()
                .rev()
                .fold(fill.value, |x, label| self.around(units, *label, x));
            let (env, info) = (EnvId::NONE, CloseInfo::default());
            root.conjuncts.push(Conjunct {
                item: Item::Expr(x),
                env,
                info,
            });
        }
        let root = self.new_vertex(root);
        self.packages[package.0 as usize].root = root;
        self.lets.clear();
    }

    fn around(&mut self, units: &mut Units, label: Label, x: XId) -> XId {
        let outer = if label.kind() == LabelKind::Int {
            let top = self.data_scalar(Val::bare(Data::Kind(Kind::TOP)));
            let mut items = vec![top; label.index()];
            items.push(x);
            self.open_list(&items)
        } else {
            self.data_struct(&[(label, x)])
        };
        units.made.insert(outer);
        outer
    }

    fn open_list(&mut self, items: &[XId]) -> XId {
        let program = &mut self.program;
        let run = Run {
            start: program.elems.len() as u32,
            len: items.len() as u32 + 1,
        };
        program.elems.extend(items.iter().map(|x| Elem::Expr(*x)));
        program.elems.push(Elem::Ellipsis(XId::NONE, Pos::NONE));
        program.add_made(Expr::List(run), Pos::NONE)
    }

    /// The vertex itself at a path, if no step above it is an alias or one of several alternatives.
    fn unit(&self, root: VId, path: &[Label]) -> Option<VId> {
        let mut v = root;
        for label in path {
            if matches!(self.vx(v).base.data, Data::Vertex(_)) {
                return None;
            }
            v = self.arc_raw(v, *label)?;
        }
        Some(v)
    }
}
