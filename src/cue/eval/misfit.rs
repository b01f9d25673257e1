//! Alternatives that certainly fail, found before a copy is made for them.
//!
//! Only what is written out is looked at: literals, types, lists and structs of fixed fields. The
//! errors of what is dropped here are made when no alternative is left.

use smallvec::SmallVec;

use super::context::Evaluator;
use super::kind::{ArcType, Kind};
use super::label::Label;
use super::node::{Mode, Run, TaskState};
use super::program::{Decl, Elem, Expr, Run as Items, SId};
use super::value::Val;
use super::vertex::{Item, VId};

/// Labels of fields that are not allowed unless an alternative says so.
type Labels = SmallVec<[Label; 4]>;

/// A vertex that alternatives are held against.
pub(crate) struct Fit {
    v: VId,
    /// Whether fields that a closed struct does not allow are told from others by now.
    typos: bool,
    /// Found when they are asked for.
    missing: Option<Labels>,
}

impl Evaluator {
    /// What alternatives of a disjunction are to fit to. Nothing if they are tried anyway.
    pub(crate) fn fit(&self, v: VId, mode: Mode) -> Option<Fit> {
        let n = self.n(v);
        let failed = self.is_err(v) && !self.is_cycle(self.vx(v).base);
        if self.exact > 0 || n.shared || n.errs.is_some() || failed {
            return None;
        }
        let done =
            |t: &super::node::Task| t.run == Run::Disjunctions || t.state >= TaskState::Success;
        let typos = mode == Mode::Finalize && n.tasks.iter().all(|t| done(&self.tasks[t.i()]));
        Some(Fit {
            v,
            typos,
            missing: None,
        })
    }

    /// Whether an alternative fails there.
    pub(crate) fn is_misfit(&mut self, fit: &mut Fit, item: Item) -> bool {
        let v = fit.v;
        let x = match item {
            Item::Val(val) => return self.is_misfit_value(v, val),
            Item::Expr(x) => x,
            Item::Decl(d) => self.program.decl_value(d),
        };
        match self.program.expr(x) {
            Expr::Val(val) => self.is_misfit_value(v, val),
            Expr::List(elems) => self.is_misfit_list(v, elems),
            Expr::Struct(s) if !self.program.struct_lit(s).embeds => {
                !self.has_kind(v, Kind::STRUCT)
                    || self.is_misfit_struct(v, s)
                    || fit.typos && self.leaves_typos(fit, s)
            }
            _ => false,
        }
    }

    fn has_kind(&self, v: VId, kind: Kind) -> bool {
        self.n(v).kind & kind != Kind::BOTTOM
    }

    fn is_misfit_value(&self, v: VId, val: Val) -> bool {
        let Some(val) = self.cheap_literal(val) else {
            return false;
        };
        let known = self.n(v).scalar;
        !self.has_kind(v, self.kind(val))
            || !known.is_unset()
                && self.is_concrete(known)
                && self.cheap_unify(known, val).is_none()
    }

    fn is_misfit_list(&self, v: VId, elems: Items) -> bool {
        if !self.has_kind(v, Kind::LIST) {
            return true;
        }
        let elems = self.program.elem_list(elems);
        if !elems.iter().all(|e| matches!(e, Elem::Expr(_))) {
            return false;
        }
        let count = self.elements(v).count();
        count > elems.len() || self.is_closed_list(v) && count < elems.len()
    }

    /// Whether a field of a literal is another scalar than the one that is known.
    fn is_misfit_struct(&self, v: VId, s: SId) -> bool {
        self.program.struct_decls(s).iter().any(|d| {
            let Decl::Field {
                label,
                arc: ArcType::Member,
                value,
            } = self.program.decl(*d)
            else {
                return false;
            };
            let Expr::Val(val) = self.program.expr(value) else {
                return false;
            };
            let field = self
                .arc_raw(v, label)
                .filter(|a| self.vx(*a).arc == ArcType::Member);
            field.is_some_and(|a| {
                let known = if self.has_state(a) {
                    self.n(a).scalar
                } else {
                    self.vx(a).base
                };
                let literal = self.cheap_literal(val);
                self.is_concrete(known)
                    && self.cheap_literal(known).is_some()
                    && literal.is_some_and(|val| self.cheap_unify(known, val).is_none())
            })
        })
    }

    /// Whether a field that a closed struct does not allow is none of a literal either.
    fn leaves_typos(&mut self, fit: &mut Fit, s: SId) -> bool {
        let fixed = |d: Decl| matches!(d, Decl::Field { .. } | Decl::Let { .. });
        let decls = self.program.struct_decls(s);
        if !decls.iter().all(|d| fixed(self.program.decl(*d))) {
            return false;
        }
        let missing = match fit.missing.take() {
            Some(missing) => missing,
            None => self.certain_typos(fit.v),
        };
        let decls = self.program.struct_decls(s);
        let says = |l: &Label| {
            let mut decls = decls.iter().map(|d| self.program.decl(*d));
            decls.any(|d| matches!(d, Decl::Field { label, .. } if label == *l))
        };
        let left = missing.iter().any(|l| !says(l));
        fit.missing = Some(missing);
        left
    }
}
