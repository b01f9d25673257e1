//! Orders of fields that follow from few literals without a graph.

use super::Arcs;
use crate::eval::context::Evaluator;
use crate::eval::label::Label;
use crate::eval::program::{Decl, Expr, Op, SId, XId};
use crate::eval::vertex::{Item, VId};
use crate::syntax::source::Pos;
use smallvec::SmallVec;
use std::cmp::Ordering;

impl Evaluator {
    /// The order of the only literal that declares fields, if all are declared in it.
    pub(super) fn declared_order(&self, v: VId) -> Option<Arcs> {
        let vertex = &self.v[v.i()];
        let mut declaring = vertex
            .structs
            .iter()
            .filter(|s| !self.declares_nothing(s.lit));
        let (info, None) = (declaring.next()?, declaring.next()) else {
            return None;
        };
        if info.repeats > 0 {
            return None;
        }
        let arcs = vertex.arcs.as_slice();
        let mut placed = 0;
        for d in self.program.struct_decls(info.lit) {
            let label = match self.program.decl(*d) {
                Decl::Field { label, .. } => label,
                Decl::Ellipsis | Decl::Pattern { .. } => continue,
                _ => return None,
            };
            if arcs
                .get(placed)
                .is_some_and(|a| self.v[a.i()].label == label)
            {
                placed += 1;
            } else if !arcs[..placed]
                .iter()
                .rev()
                .any(|a| self.v[a.i()].label == label)
            {
                return None;
            }
        }
        (placed == arcs.len()).then(|| Arcs::from_slice(arcs))
    }

    /// The order of the first of two literals, if it declares all fields, and the other one some of
    /// them in the same order: what it adds to the graph is there already.
    pub(super) fn led_order(&self, v: VId) -> Option<Arcs> {
        let vertex = &self.v[v.i()];
        let [one, other] = vertex.structs.as_slice() else {
            return None;
        };
        let plain = |lit| !self.program.struct_lit(lit).embeds;
        let repeat = one.repeats + other.repeats > 0 || one.lit == other.lit;
        if repeat || !plain(one.lit) || !plain(other.lit) {
            return None;
        }
        let (a, b) = (self.place_of(v, one.lit)?, self.place_of(v, other.lit)?);
        let (first, second) = match self.sources.compare(a.pos, b.pos) {
            Ordering::Less => (a, b),
            Ordering::Greater => (b, a),
            Ordering::Equal => return None,
        };
        if a.reference.is_some() && a.reference == b.reference {
            return None;
        }
        // One that is joined by itself would come behind all of the first.
        if self.is_joined(v, second) && !self.is_joined(v, first) {
            return None;
        }
        let (first, second) = (first.lit, second.lit);
        let mut arcs = Arcs::new();
        let mut later = self.labels(second).peekable();
        for label in self.labels(first) {
            let label = label?;
            if arcs.iter().any(|a| self.v[a.i()].label == label) {
                return None;
            }
            if later.peek() == Some(&Some(label)) {
                later.next();
            }
            arcs.extend(self.arc_raw(v, label));
        }
        let all = later.next().is_none() && arcs.len() == vertex.arcs.len();
        all.then_some(arcs)
    }

    /// Whether a literal, or the reference to it, is joined by an explicit `&`.
    fn is_joined(&self, v: VId, place: Place) -> bool {
        let mut work: SmallVec<[XId; 8]> = self.v[v.i()]
            .conjuncts
            .iter()
            .map(|c| self.conjunct_expr(c))
            .collect();
        while let Some(x) = work.pop() {
            let Expr::Binary(Op::And, a, b) = self.program.expr(x) else {
                continue;
            };
            let is = |side| {
                self.program.expr(side) == Expr::Struct(place.lit) || place.reference == Some(side)
            };
            if is(a) || is(b) {
                return true;
            }
            work.extend([a, b]);
        }
        false
    }

    /// The labels of the fields of a literal, none for one that is computed.
    fn labels(&self, lit: SId) -> impl Iterator<Item = Option<Label>> {
        let decls = self.program.struct_decls(lit).iter();
        decls.filter_map(|d| match self.program.decl(*d) {
            Decl::Field { label, .. } => Some(Some(label)),
            Decl::Dynamic { .. } => Some(None),
            _ => None,
        })
    }

    /// Where a literal stands, if all its fields came through one reference, or through none.
    fn place_of(&self, v: VId, lit: SId) -> Option<Place> {
        let mut place: Option<Place> = None;
        for a in &self.v[v.i()].arcs {
            for c in &self.v[a.i()].conjuncts {
                let Item::Decl(d) = c.item else { continue };
                if self.program.decl_struct(d) != lit {
                    continue;
                }
                let reference = self.outermost(c.info.refs);
                if place.is_some_and(|place| place.reference != reference) {
                    return None;
                }
                let pos = match reference {
                    Some(x) => self.program.pos(x),
                    None => self.program.decl_pos(d),
                };
                if !pos.is_valid() {
                    return None;
                }
                place = Some(Place {
                    lit,
                    pos,
                    reference,
                });
            }
        }
        place
    }

    /// Whether a literal has no fields of its own: patterns and `...` have no place among them.
    fn declares_nothing(&self, lit: SId) -> bool {
        let decls = self.program.struct_decls(lit);
        let mut decls = decls.iter().map(|d| self.program.decl(*d));
        decls.all(|d| matches!(d, Decl::Pattern { .. } | Decl::Ellipsis))
    }
}

/// Where a literal stands.
#[derive(Clone, Copy)]
struct Place {
    lit: SId,
    /// Where the reference to it stands, or its last field.
    pos: Pos,
    /// The outermost reference that led to it.
    reference: Option<XId>,
}
