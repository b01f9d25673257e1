//! Conjunctions of bounds that are written with a predeclared name, such as `uint8`.

use crate::eval::context::Evaluator;
use crate::eval::kind::Kind;
use crate::eval::program::Op;
use crate::eval::value::{Bound, Data, Val};
use crate::number::{Decimal, Number, parse_decimal};
use std::cmp::Ordering;

/// Name, smallest and largest value of the sized integer types.
const INTS: &[(&str, &str, &str)] = &[
    ("int8", "-128", "127"),
    ("int16", "-32768", "32767"),
    ("int32", "-2147483648", "2147483647"),
    ("int64", "-9223372036854775808", "9223372036854775807"),
    (
        "int128",
        "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105727",
    ),
    ("uint8", "0", "255"),
    ("uint16", "0", "65535"),
    ("uint32", "0", "4294967295"),
    ("uint64", "0", "18446744073709551615"),
    ("uint128", "0", "340282366920938463463374607431768211455"),
];

/// Name, smallest and largest value of the sized float types.
const FLOATS: &[(&str, &str, &str)] = &[
    (
        "float32",
        "-3.40282346638528859811704183484516925440e+38",
        "3.40282346638528859811704183484516925440e+38",
    ),
    (
        "float64",
        "-1.797693134862315708145274237317043567981e+308",
        "1.797693134862315708145274237317043567981e+308",
    ),
];

fn equals(decimal: &Decimal, text: &str) -> bool {
    parse_decimal(text).is_some_and(|d| d.order(decimal) == Ordering::Equal)
}

/// The bound if the value is one with a number.
pub(super) fn number_bound(ev: &Evaluator, v: Val) -> Option<(Bound, Number)> {
    let Data::Bound(id) = v.data else {
        return None;
    };
    let bound = ev.bound(id);
    Some((bound, ev.number(bound.value)?))
}

/// The predeclared name of exactly these parts, in any order.
pub(super) fn predeclared_name(ev: &Evaluator, parts: &[Val]) -> Option<&'static str> {
    let (mut int, mut low, mut high) = (false, None, None);
    for part in parts {
        if part.data == Data::Kind(Kind::INT) && !int {
            int = true;
            continue;
        }
        let (bound, number) = number_bound(ev, *part)?;
        let side = match bound.op {
            Op::GreaterEqual => &mut low,
            Op::LessEqual => &mut high,
            _ => return None,
        };
        if side.replace(number.value).is_some() {
            return None;
        }
    }
    let low = low?;
    let Some(high) = high else {
        return (int && low.is_zero()).then_some("uint");
    };
    let table = if int { INTS } else { FLOATS };
    table.iter().find(|(_, l, h)| equals(&low, l) && equals(&high, h)).map(|(name, _, _)| *name)
}
