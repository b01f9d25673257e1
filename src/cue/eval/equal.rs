//! Equality of values: by meaning for `==`, by structure for merging disjuncts.

use super::context::Evaluator;
use super::kind::ArcType;
use super::library::R;
use super::program::Op;
use super::value::{Data, Val};
use super::vertex::VId;

/// Optional fields count, defaults are not taken.
pub(crate) const STRUCTURAL: u8 = 1;
/// Only regular fields count.
pub(crate) const REGULAR: u8 = 2;
/// Whether the list itself is open does not count.
pub(crate) const ANY_LENGTH: u8 = 4;

impl Evaluator {
    pub(crate) fn equal(&mut self, a: Val, b: Val, flags: u8) -> R<bool> {
        let (mut a, mut b) = (a, b);
        if flags & STRUCTURAL == 0 {
            a = self.plain_default(a);
            b = self.plain_default(b);
        }
        match (a.data, b.data) {
            (Data::Vertex(x), Data::Vertex(y)) => {
                self.looked(x, 8 + self.vx(x).arcs.len() + self.vx(y).arcs.len());
                // A value that holds itself has no end.
                if self.is_over() {
                    return Ok(false);
                }
                self.nested(|e| e.equal_vertices(x, y, flags))
            }
            (Data::Vertex(x), _) => self.equal_to_plain(x, b, flags),
            (_, Data::Vertex(y)) => self.equal_to_plain(y, a, flags),
            _ => self.equal_terminal(a, b, flags),
        }
    }

    fn equal_to_plain(&mut self, x: VId, v: Val, flags: u8) -> R<bool> {
        let base = self.vx(self.deref(x)).base;
        match base.data {
            Data::Struct | Data::List(_) | Data::Unset | Data::Vertex(_) => Ok(false),
            _ => self.equal_terminal(base, v, flags),
        }
    }

    fn equal_vertices(&mut self, x: VId, y: VId, flags: u8) -> R<bool> {
        if self.vx(x).arc != self.vx(y).arc {
            return Ok(false);
        }
        let (x, y) = (self.deref(x), self.deref(y));
        if x == y {
            return Ok(true);
        }
        if self.vertex_kind(x) != self.vertex_kind(y) {
            return Ok(false);
        }
        let structural = flags & STRUCTURAL != 0;
        if structural
            && (self.is_closed_struct(x) != self.is_closed_struct(y)
                || flags & ANY_LENGTH == 0 && self.is_closed_list(x) != self.is_closed_list(y))
        {
            return Ok(false);
        }
        let flags = flags & !ANY_LENGTH;
        let most = if structural {
            ArcType::Optional
        } else {
            ArcType::Required
        };
        let counts = |e: &Evaluator, a: VId| {
            let a = e.vx(a);
            a.arc <= most && (flags & REGULAR == 0 || a.label.is_regular())
        };
        for a in self.vx(x).arcs.clone() {
            if !counts(self, a) {
                continue;
            }
            let Some(b) = self.arc_raw(y, self.vx(a).label) else {
                return Ok(false);
            };
            if self.vx(a).arc != self.vx(b).arc {
                return Ok(false);
            }
            if self.vx(a).arc == ArcType::Optional {
                self.finalize_inner(a)?;
                self.finalize_inner(b)?;
            }
            let (a, b) = (Val::bare(Data::Vertex(a)), Val::bare(Data::Vertex(b)));
            if !self.equal(a, b, flags)? {
                return Ok(false);
            }
        }
        for b in self.vx(y).arcs.clone() {
            if counts(self, b)
                && !self
                    .arc_raw(x, self.vx(b).label)
                    .is_some_and(|a| counts(self, a))
            {
                return Ok(false);
            }
        }
        let (a, b) = (self.vx(x).base, self.vx(y).base);
        let mark = |v: Val| matches!(v.data, Data::Struct | Data::List(_) | Data::Unset);
        if mark(a) && mark(b) {
            return Ok(true);
        }
        self.equal_terminal(a, b, flags)
    }

    fn equal_terminal(&mut self, a: Val, b: Val, flags: u8) -> R<bool> {
        if a.data == b.data {
            return Ok(true);
        }
        let lists = match (a.data, b.data) {
            (Data::Err(_), Data::Err(_)) => return Ok(true),
            (Data::Bound(x), Data::Bound(y)) => {
                let (x, y) = (self.bound(x), self.bound(y));
                return Ok(x.op == y.op && self.equal(x.value, y.value, flags)?);
            }
            (Data::Conj(x), Data::Conj(y)) => {
                (self.conjunction(x).to_vec(), self.conjunction(y).to_vec())
            }
            (Data::Disj(x), Data::Disj(y)) => (
                self.disjunction(x).values.clone(),
                self.disjunction(y).values.clone(),
            ),
            (Data::Validator(x), Data::Validator(y)) => {
                let (x, y) = (self.validator(x).clone(), self.validator(y).clone());
                if x.func != y.func {
                    return Ok(false);
                }
                (x.args, y.args)
            }
            (Data::Kind(_), _) | (_, Data::Kind(_)) => return Ok(false),
            _ => return Ok(self.scalar_op(Op::Equal, a, b) == Some(true)),
        };
        self.looked(self.reg.vertex, lists.0.len() + lists.1.len());
        if lists.0.len() != lists.1.len() {
            return Ok(false);
        }
        for (p, q) in lists.0.iter().zip(&lists.1) {
            if !self.equal(*p, *q, flags)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The default of a value if it has exactly one, else the value.
    pub(crate) fn plain_default(&self, v: Val) -> Val {
        match v.data {
            Data::Vertex(x) => {
                let x = self.deref(x);
                match self.vx(x).base.data {
                    Data::Disj(_) => self.plain_default(self.vx(x).base),
                    _ => Val::new(Data::Vertex(x), v.pos),
                }
            }
            Data::Disj(d) if self.disjunction(d).defaults == 1 => {
                self.plain_default(self.disjunction(d).values[0])
            }
            _ => v,
        }
    }
}
