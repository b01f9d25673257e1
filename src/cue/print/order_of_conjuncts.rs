//! The order in which the parts of a conjunction are printed: by sort of expression, then by place.

use crate::eval::context::Evaluator;
use crate::eval::kind::Kind;
use crate::eval::program::{DId, Expr, XId};
use crate::eval::value::{Data, Val};
use crate::eval::vertex::{Conjunct, EnvId, Item};
use crate::syntax::source::Pos;
use std::cmp::Ordering;

/// A part of a conjunction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// An expression in its environment; the declaration it is the value of, if it is one.
    Expr(XId, EnvId, Option<DId>),
    /// An evaluated value.
    Value(Val),
}

impl Part {
    pub(super) fn of_value(v: Val) -> Self {
        Self::Value(v)
    }

    pub(super) fn of_conjunct(ev: &Evaluator, c: &Conjunct) -> Self {
        match c.item {
            Item::Val(v) => Self::Value(v),
            Item::Expr(x) => Self::Expr(x, c.env, None),
            Item::Decl(d) => Self::Expr(ev.program.decl_value(d), c.env, Some(d)),
        }
    }

    pub(super) fn same_node(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Expr(a, ..), Self::Expr(b, ..)) => a == b,
            (Self::Value(a), Self::Value(b)) => a == b && a.pos == b.pos,
            _ => false,
        }
    }

    /// Whether it is `_`.
    pub(super) fn is_top(&self, ev: &Evaluator) -> bool {
        let v = match *self {
            Self::Value(v) => v,
            Self::Expr(x, ..) => match ev.program.expr(x) {
                Expr::Val(v) => v,
                _ => return false,
            },
        };
        v.data == Data::Kind(Kind::TOP)
    }

    fn rank(&self, ev: &Evaluator) -> u32 {
        match *self {
            Self::Value(v) => value_rank(v),
            Self::Expr(x, ..) => match ev.program.expr(x) {
                Expr::Val(v) => value_rank(v),
                Expr::Field { .. } => 2,
                Expr::Struct(_) | Expr::List(_) => 500,
                _ => 25,
            },
        }
    }

    /// Where it is written; nothing for what evaluation made.
    fn place(&self, ev: &Evaluator) -> Option<Pos> {
        let pos = match *self {
            Self::Value(v) => match v.data {
                Data::Conj(_) | Data::Vertex(_) => Pos::NONE,
                _ => v.pos,
            },
            Self::Expr(x, ..) => match ev.program.expr(x) {
                // A predeclared range is written nowhere, which is behind all places.
                Expr::Val(v) if matches!(v.data, Data::Conj(_)) => return Some(Pos::NONE),
                _ => ev.program.pos(x),
            },
        };
        pos.is_valid().then_some(pos)
    }
}

fn value_rank(v: Val) -> u32 {
    match v.data {
        Data::Kind(Kind::TOP) => 0,
        Data::Kind(_) => 1,
        Data::Null
        | Data::Bool(_)
        | Data::Int(_)
        | Data::Num(_)
        | Data::Str(_)
        | Data::Bytes(_) => 10,
        Data::Bound(_) => 20,
        _ => 25,
    }
}

/// Sorts stably. Parts without place compare equal to all of their rank, so this is no total order
/// and the parts are inserted one by one.
pub(super) fn sort_parts(ev: &Evaluator, parts: &mut [Part]) {
    let after = |a: &Part, b: &Part| {
        let by_rank = a.rank(ev).cmp(&b.rank(ev));
        let by_place = match (a.place(ev), b.place(ev)) {
            (Some(x), Some(y)) if x.is_valid() && y.is_valid() => ev.sources.compare(x, y),
            (Some(x), Some(y)) => y.is_valid().cmp(&x.is_valid()),
            _ => Ordering::Equal,
        };
        by_rank.then(by_place) == Ordering::Greater
    };
    for i in 1..parts.len() {
        let mut j = i;
        while j > 0 && after(&parts[j - 1], &parts[j]) {
            parts.swap(j, j - 1);
            j -= 1;
        }
    }
}
