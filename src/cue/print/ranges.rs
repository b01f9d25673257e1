//! Bounds with numbers.

use crate::eval::context::Evaluator;
use crate::eval::value::{Bound, Data, Val};
use crate::number::Number;

/// The bound if the value is one with a number.
pub(super) fn number_bound(ev: &Evaluator, v: Val) -> Option<(Bound, Number)> {
    let Data::Bound(id) = v.data else {
        return None;
    };
    let bound = ev.bound(id);
    Some((bound, ev.number(bound.value)?))
}
