//! Bounds: which of two is tighter, which exclude each other, and whether a value is inside.

use std::cmp::Ordering;

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::{Code, Kind};
use super::library::R;
use super::program::Op;
use super::value::{Bound, Data, Val};
use crate::number::{Decimal, Number};

/// The comparison for "at least as tight", and the direction.
fn direction(op: Op) -> (Op, i8) {
    match op {
        Op::Greater => (Op::GreaterEqual, 1),
        Op::GreaterEqual => (Op::Greater, 1),
        Op::Less => (Op::LessEqual, -1),
        Op::LessEqual => (Op::Less, -1),
        Op::Equal => (Op::Equal, 4),
        Op::Match => (Op::Match, 2),
        Op::NotMatch => (Op::NotMatch, 3),
        _ => (Op::NotEqual, 0),
    }
}

impl Evaluator {
    /// Compares two scalars. None if the operator does not apply.
    pub(crate) fn scalar_op(&self, op: Op, a: Val, b: Val) -> Option<bool> {
        let order = self.scalar_order(a, b);
        match op {
            Op::Equal => order.map(|o| o == Some(Ordering::Equal)),
            Op::NotEqual => order.map(|o| o != Some(Ordering::Equal)),
            _ => {
                let o = order??;
                Some(match op {
                    Op::Less => o == Ordering::Less,
                    Op::LessEqual => o != Ordering::Greater,
                    Op::Greater => o == Ordering::Greater,
                    Op::GreaterEqual => o != Ordering::Less,
                    _ => return None,
                })
            }
        }
    }

    /// Order of two scalars: none if they are of different types, some none if unequal without
    /// order.
    fn scalar_order(&self, a: Val, b: Val) -> Option<Option<Ordering>> {
        Some(match (a.data, b.data) {
            (Data::Int(x), Data::Int(y)) => Some(x.cmp(&y)),
            (Data::Str(x), Data::Str(y)) if x == y => Some(Ordering::Equal),
            (Data::Str(x), Data::Str(y)) => Some(
                self.names
                    .get(x)
                    .as_bytes()
                    .cmp(self.names.get(y).as_bytes()),
            ),
            (Data::Bytes(x), Data::Bytes(y)) => Some(self.bytes[x.i()].cmp(&self.bytes[y.i()])),
            (Data::Bool(x), Data::Bool(y)) => (x == y).then_some(Ordering::Equal),
            (Data::Null, Data::Null) => Some(Ordering::Equal),
            (Data::Func(x), Data::Func(y)) => (x == y).then_some(Ordering::Equal),
            _ => {
                let (x, y) = (self.number(a)?, self.number(b)?);
                Some(x.value.order(&y.value))
            }
        })
    }

    /// What two bounds together amount to: one of them, an error, or none to keep both.
    pub(crate) fn simplify_bounds(&mut self, kind: Kind, a: Val, b: Val) -> Option<Val> {
        let (Data::Bound(x), Data::Bound(y)) = (a.data, b.data) else {
            return None;
        };
        let (x, y) = (self.bound(x), self.bound(y));
        let ((cmp, dx), (_, dy)) = (direction(x.op), direction(y.op));
        if dx == dy {
            if matches!(x.op, Op::Equal | Op::NotEqual | Op::Match | Op::NotMatch) {
                return (self.scalar_op(Op::Equal, x.value, y.value) == Some(true)).then_some(a);
            }
            return Some(if self.scalar_op(cmp, x.value, y.value) == Some(true) {
                a
            } else {
                b
            });
        }
        if dx == -dy {
            let (lo, hi) = if dx == -1 {
                ((b, y), (a, x))
            } else {
                ((a, x), (b, y))
            };
            return self.opposite_bounds(kind, lo, hi);
        }
        if x.op == Op::Equal {
            self.holds(y.op, x.value, y.value).then_some(a)
        } else if y.op == Op::Equal {
            self.holds(x.op, y.value, x.value).then_some(b)
        } else if x.op == Op::NotEqual {
            (!self.holds(y.op, x.value, y.value)).then_some(b)
        } else if y.op == Op::NotEqual {
            (!self.holds(x.op, y.value, x.value)).then_some(a)
        } else {
            None
        }
    }

    /// Whether an operator, also one that matches, holds between two scalars.
    fn holds(&mut self, op: Op, left: Val, right: Val) -> bool {
        match op {
            Op::Match | Op::NotMatch => self.match_op(op, left, right).data == Data::Bool(true),
            _ => self.scalar_op(op, left, right) == Some(true),
        }
    }

    fn opposite_bounds(
        &mut self,
        kind: Kind,
        (lo, x): (Val, Bound),
        (hi, y): (Val, Bound),
    ) -> Option<Val> {
        if let (Some(a), Some(b)) = (self.number(x.value), self.number(y.value)) {
            return self.number_bounds(kind, (lo, x.op, &a), (hi, y.op, &b));
        }
        let template = match (x.value.data, y.value.data) {
            (Data::Str(_), Data::Str(_)) if kind == Kind::STRING => {
                "incompatible string bounds {} and {}"
            }
            (Data::Bytes(_), Data::Bytes(_)) if kind == Kind::BYTES => {
                "incompatible bytes bounds {} and {}"
            }
            _ => return None,
        };
        match self.scalar_order(x.value, y.value)?? {
            Ordering::Less => None,
            Ordering::Equal if x.op == Op::GreaterEqual && y.op == Op::LessEqual => None,
            _ => Some(self.err_val(Code::Eval, template, vec![Arg::Val(hi), Arg::Val(lo)])),
        }
    }

    fn number_bounds(
        &mut self,
        kind: Kind,
        lo: (Val, Op, &Number),
        hi: (Val, Op, &Number),
    ) -> Option<Val> {
        let (a, b) = (&lo.2.value, &hi.2.value);
        if !a.is_finite() || !b.is_finite() {
            return None;
        }
        let ints = !kind.meets(Kind::FLOAT);
        let (mut from, mut to) = (a.clone(), b.clone());
        if ints && a.exponent() < 0 {
            from = round(a, lo.1 == Op::GreaterEqual);
        }
        if ints && b.exponent() < 0 {
            to = round(b, hi.1 != Op::LessEqual);
        }
        if to.sign() > 0 && from.sign() <= 0 && to.exponent() >= 0 && to.digits() > 1 {
            return None;
        }
        let diff = to.sub(&from).ok()?;
        let clash = |e: &mut Evaluator| {
            let template = if kind == Kind::INT {
                "incompatible integer bounds {} and {}"
            } else {
                "incompatible number bounds {} and {}"
            };
            Some(e.err_val(Code::Eval, template, vec![Arg::Val(hi.0), Arg::Val(lo.0)]))
        };
        if diff.is_negative() && !diff.is_zero() {
            return clash(self);
        }
        let closed = lo.1 == Op::GreaterEqual && hi.1 == Op::LessEqual;
        match diff.to_i64() {
            Some(1) if ints && lo.1 == Op::Greater && hi.1 == Op::Less => {
                let args = vec![Arg::Val(lo.0), Arg::Val(hi.0)];
                Some(self.err_val(Code::Eval, "incompatible integer bounds {} and {}", args))
            }
            Some(0) if !closed && diff.is_zero() => clash(self),
            _ => None,
        }
    }

    pub(crate) fn validate_bound(&mut self, check: Val, val: Val) -> R<ErrId> {
        let Data::Bound(b) = check.data else {
            return Ok(ErrId::NONE);
        };
        let b = self.bound(b);
        if self.has_err() {
            return Ok(self.take_err());
        }
        let plain = self.unwrap(val);
        let scalar = !matches!(plain.data, Data::Vertex(_) | Data::Err(_))
            && !matches!(b.op, Op::Match | Op::NotMatch);
        let r = match if scalar {
            self.scalar_op(b.op, plain, b.value)
        } else {
            None
        } {
            Some(r) => Val::bare(Data::Bool(r)),
            None => self.binary_values(check.pos, b.op, val, b.value)?,
        };
        match r.data {
            Data::Err(e) => Ok(e),
            Data::Bool(true) => Ok(ErrId::NONE),
            _ => {
                let args = vec![Arg::Val(val), Arg::Val(check)];
                let e = self.errf("invalid value {} (out of bound {})", args);
                Ok(e)
            }
        }
    }
}

/// Rounds to an integer, up or down.
fn round(d: &Decimal, up: bool) -> Decimal {
    let Some(t) = d.truncated() else {
        return d.clone();
    };
    let one = Decimal::from_i64(1);
    match t.order(d) {
        Ordering::Less if up => t.add(&one).unwrap_or(t),
        Ordering::Greater if !up => t.sub(&one).unwrap_or(t),
        _ => t,
    }
}
