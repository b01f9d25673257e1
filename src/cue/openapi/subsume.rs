//! Whether one value holds everything another one does.

use crate::eval::context::Evaluator;
use crate::eval::kind::{ArcType, Kind};
use crate::eval::label::{Label, MAX_INDEX};
use crate::eval::library::R;
use crate::eval::program::Op;
use crate::eval::value::{Bound, Data, Val};
use crate::eval::vertex::{CloseInfo, Conjunct, EnvId, VId, Vertex};
use crate::print::deeper;
use crate::syntax::source::Pos;

/// How strictly values are compared.
#[derive(Clone, Copy, Default)]
struct Profile {
    /// The default stands for the smaller value.
    defaults: bool,
    /// The default stands for the larger value.
    left_default: bool,
    /// Closed structs count as open ones.
    open: bool,
}

struct Comparison<'a> {
    ev: &'a mut Evaluator,
    profile: Profile,
    /// The answer no may be wrong.
    inexact: bool,
}

/// Whether a disjunct covers a default.
pub(super) fn simplifies(ev: &mut Evaluator, a: Val, b: Val) -> R<bool> {
    let profile = Profile {
        left_default: true,
        ..Profile::default()
    };
    compare(ev, a, b, profile).map(|(yes, _)| yes)
}

/// Whether two values hold the same.
pub(super) fn equivalent(ev: &mut Evaluator, a: VId, b: VId) -> R<bool> {
    let (a, b) = (Val::bare(Data::Vertex(a)), Val::bare(Data::Vertex(b)));
    Ok(compare(ev, a, b, Profile::default())?.0 && compare(ev, b, a, Profile::default())?.0)
}

/// Whether a schema may hold what another one does.
pub(super) fn may_hold(ev: &mut Evaluator, a: VId, b: VId) -> R<bool> {
    let profile = Profile {
        defaults: true,
        open: true,
        ..Profile::default()
    };
    let (a, b) = (Val::bare(Data::Vertex(a)), Val::bare(Data::Vertex(b)));
    compare(ev, a, b, profile).map(|(yes, inexact)| yes || inexact)
}

fn compare(ev: &mut Evaluator, a: Val, b: Val, profile: Profile) -> R<(bool, bool)> {
    let mut comparison = Comparison {
        ev,
        profile,
        inexact: false,
    };
    let yes = comparison.values(a, b)?;
    Ok((yes, comparison.inexact))
}

impl Comparison<'_> {
    fn values(&mut self, a: Val, b: Val) -> R<bool> {
        deeper(|| self.values_inner(a, b))
    }

    fn values_inner(&mut self, a: Val, mut b: Val) -> R<bool> {
        if a.data == b.data {
            return Ok(true);
        }
        if self.profile.defaults {
            b = self.default(b);
        }
        match (a.data, b.data) {
            (_, Data::Err(e)) => return Ok(!self.ev.incomplete(e)),
            (Data::Vertex(x), Data::Vertex(y)) => return self.vertices(x, y),
            (_, Data::Vertex(y)) => {
                let base = self.ev.base(y);
                if !matches!(base.data, Data::Struct | Data::List(_) | Data::Unset) {
                    return self.values(a, base);
                }
            }
            (Data::Conj(_), Data::Conj(_)) | (Data::Disj(_), Data::Disj(_)) => {}
            (_, Data::Conj(c)) => {
                for y in self.ev.conjunction(c).to_vec() {
                    if self.values(a, y)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            (_, Data::Disj(d)) => {
                for y in self.ev.disjunction(d).values.clone() {
                    if !self.values(a, y)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            _ => {}
        }
        self.by_left(a, b)
    }

    fn by_left(&mut self, a: Val, b: Val) -> R<bool> {
        Ok(match a.data {
            Data::Kind(Kind::TOP) => true,
            Data::Kind(k) => self.ev.kind(b).within(k),
            Data::Bound(x) => {
                let x = self.ev.bound(x);
                self.bound(x, b)?
            }
            Data::Validator(_) => {
                let c = Conjunct {
                    item: crate::eval::vertex::Item::Val(a),
                    env: EnvId::NONE,
                    info: CloseInfo::default(),
                };
                let saved = self.ev.take_err();
                let failed = self.ev.validate_check(a, c, b)?;
                let recorded = self.ev.take_err();
                self.ev.reg.errs = saved;
                !failed.is_some() && !recorded.is_some()
            }
            Data::Null => self.ev.kind(b) == Kind::NULL,
            Data::Bool(_) | Data::Int(_) | Data::Num(_) | Data::Str(_) | Data::Bytes(_) => {
                self.ev.kind(a) == self.ev.kind(b)
                    && self.ev.is_concrete(b)
                    && self.ev.scalar_op(Op::Equal, a, b) == Some(true)
            }
            Data::Vertex(x) => {
                let base = self.ev.base(x);
                if matches!(base.data, Data::Struct | Data::List(_) | Data::Unset) {
                    return Ok(false);
                }
                self.values(base, b)?
            }
            Data::Conj(c) => {
                let parts = self.ev.conjunction(c).to_vec();
                self.conjunction(&parts, b)?
            }
            Data::Disj(_) => self.disjunction(a, b)?,
            _ => false,
        })
    }

    fn conjunction(&mut self, parts: &[Val], b: Val) -> R<bool> {
        let others = match b.data {
            Data::Conj(d) => self.ev.conjunction(d).to_vec(),
            _ => vec![b],
        };
        for x in parts {
            let mut found = false;
            for y in &others {
                found = found || self.values(*x, *y)?;
            }
            if !found {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn disjunction(&mut self, mut a: Val, b: Val) -> R<bool> {
        if self.profile.left_default {
            a = self.default(a);
        }
        let Data::Disj(d) = a.data else {
            return self.values(a, b);
        };
        let x = self.ev.disjunction(d).clone();
        let Data::Disj(e) = b.data else {
            for y in x.values {
                if self.values(y, b)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        };
        let y = self.ev.disjunction(e).clone();
        for (i, w) in y.values.iter().enumerate() {
            let mut found = false;
            for (j, v) in x.values.iter().enumerate() {
                let comparable = j < x.defaults || i >= y.defaults;
                found = found || comparable && self.values(*v, *w)?;
            }
            if !found {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn default(&mut self, v: Val) -> Val {
        match v.data {
            Data::Vertex(x) => Val::new(Data::Vertex(self.ev.default_vertex(x)), v.pos),
            _ => self.ev.plain_default(v),
        }
    }

    fn holds(&mut self, op: Op, a: Val, b: Val) -> R<bool> {
        let saved = self.ev.take_err();
        let r = self.ev.binary_values(Pos::NONE, op, a, b)?;
        self.ev.reg.errs = saved;
        Ok(r.data == Data::Bool(true))
    }

    fn bound(&mut self, x: Bound, v: Val) -> R<bool> {
        let y = match v.data {
            Data::Bound(y) => self.ev.bound(y),
            Data::Int(_) | Data::Num(_) | Data::Str(_) | Data::Bool(_) => {
                return self.holds(x.op, v, x.value);
            }
            _ => return Ok(false),
        };
        let (kx, ky) = (self.ev.bound_kind(x), self.ev.bound_kind(y));
        if !self.ev.is_concrete(y.value) || !(kx & ky).within(kx) {
            return Ok(false);
        }
        let op = match (x.op, y.op) {
            (Op::Greater, Op::GreaterEqual) => Op::Less,
            (Op::Greater | Op::GreaterEqual, Op::Greater | Op::GreaterEqual) => Op::LessEqual,
            (Op::Less, Op::LessEqual) => Op::Greater,
            (Op::Less | Op::LessEqual, Op::Less | Op::LessEqual) => Op::GreaterEqual,
            (Op::NotEqual, Op::NotEqual) => Op::Equal,
            (Op::NotEqual, Op::GreaterEqual) => Op::Less,
            (Op::NotEqual, Op::Greater) => Op::LessEqual,
            (Op::NotEqual, Op::Less) => Op::GreaterEqual,
            (Op::NotEqual, Op::LessEqual) => Op::Greater,
            (Op::Match, Op::Match) | (Op::NotMatch, Op::NotMatch) => Op::Equal,
            _ => return Ok(false),
        };
        self.holds(op, x.value, y.value)
    }

    fn vertices(&mut self, x: VId, mut y: VId) -> R<bool> {
        if x == y {
            return Ok(true);
        }
        if self.ev.arc_type(x) < self.ev.arc_type(y) {
            return Ok(false);
        }
        if self.profile.defaults {
            y = self.ev.default_vertex(y);
        }
        let e = self.ev.bottom(y);
        if e.is_some() {
            return Ok(!self.ev.incomplete(e));
        }
        let is_final = super::view::is_bare(self.ev, y);
        match self.ev.base(x).data {
            Data::Err(_) | Data::Unset => return Ok(false),
            Data::List(_) => {
                return Ok(self.ev.is_list(y) && self.lists(x, y)?);
            }
            Data::Struct if self.ev.base(y).data != Data::Struct => return Ok(false),
            Data::Struct => {}
            _ => {
                let (base, other) = (self.ev.base(x), self.ev.value(y));
                if !self.values(base, other)? {
                    return Ok(false);
                }
                if is_final {
                    return Ok(true);
                }
            }
        }
        self.structs(x, y, is_final)
    }

    fn structs(&mut self, x: VId, y: VId, is_final: bool) -> R<bool> {
        let closed = self.ev.is_closed_struct(x) && !self.profile.open;
        let other_closed =
            self.profile.defaults || self.ev.is_closed_struct(y) && !self.profile.open;
        if closed && !other_closed {
            return Ok(false);
        }
        let (own, other) = (self.ev.vx(x).arcs.clone(), self.ev.vx(y).arcs.clone());
        for a in own {
            if !self.field(a, y)? {
                return Ok(false);
            }
        }
        for b in other {
            let label = self.ev.label(b);
            if self.ev.arc_raw(x, label).is_some() {
                continue;
            }
            if !self.ev.accepts(x, label)? {
                if self.profile.open {
                    continue;
                }
                return Ok(false);
            }
            if let Some(a) = self.constrained(x, label)?
                && !self.vertices(a, b)?
            {
                return Ok(false);
            }
        }
        self.patterns(x, y, is_final)
    }

    /// Whether a field of one struct holds what the other struct has there.
    fn field(&mut self, a: VId, y: VId) -> R<bool> {
        let label = self.ev.label(a);
        let constraint = self.ev.arc_type(a) != ArcType::Member;
        if constraint && self.ev.vertex_kind(a) == Kind::TOP {
            return Ok(true);
        }
        let b = match self.ev.arc_raw(y, label) {
            Some(b) => self.ev.deref(b),
            None if !constraint => return Ok(false),
            None => {
                if !self.ev.accepts(y, label)? || super::view::is_bare(self.ev, y) {
                    return Ok(true);
                }
                match self.constrained(y, label)? {
                    Some(b) => b,
                    None => self.open_field(label)?,
                }
            }
        };
        self.values(Val::bare(Data::Vertex(a)), Val::bare(Data::Vertex(b)))
    }

    fn open_field(&mut self, label: Label) -> R<VId> {
        let v = self
            .ev
            .new_vertex(Vertex::new(VId::NONE, label, ArcType::Member));
        self.ev.finalize_inner(v)?;
        Ok(v)
    }

    /// What the patterns of a struct or list demand of a label.
    fn constrained(&mut self, v: VId, label: Label) -> R<Option<VId>> {
        let mut x = Vertex::new(VId::NONE, label, ArcType::Member);
        for p in self.ev.vx(v).patterns().to_vec() {
            if self.ev.matches_pattern(p.pattern, label)? {
                let conjuncts = &self.ev.vx(p.constraint).conjuncts;
                x.conjuncts.extend(conjuncts.iter().copied());
            }
        }
        if x.conjuncts.is_empty() {
            return Ok(None);
        }
        let v = self.ev.new_vertex(x);
        self.ev.finalize_inner(v)?;
        Ok(Some(v))
    }

    fn patterns(&mut self, x: VId, y: VId, is_final: bool) -> R<bool> {
        let (own, others) = (
            self.ev.vx(x).patterns().to_vec(),
            self.ev.vx(y).patterns().to_vec(),
        );
        if own.is_empty() {
            return Ok(true);
        }
        if others.is_empty() {
            return Ok(self.ev.is_closed_struct(y) || self.ev.is_closed_list(y) || is_final);
        }
        if own.len() > others.len() {
            self.inexact = true;
            return Ok(false);
        }
        for p in &own {
            let mut found = false;
            for q in &others {
                if !self.ev.equal(p.pattern, q.pattern, 0)? {
                    continue;
                }
                self.ev.finalize_inner(p.constraint)?;
                self.ev.finalize_inner(q.constraint)?;
                let (a, b) = (Data::Vertex(p.constraint), Data::Vertex(q.constraint));
                if !self.values(Val::bare(a), Val::bare(b))? {
                    return Ok(false);
                }
                found = true;
                break;
            }
            if !found {
                self.inexact = true;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn lists(&mut self, x: VId, y: VId) -> R<bool> {
        let closed = self.ev.is_closed_list(x);
        if !super::view::is_bare(self.ev, y) && closed && !self.ev.is_closed_list(y) {
            return Ok(false);
        }
        let own: Vec<VId> = self.ev.elements(x).collect();
        let others: Vec<VId> = self.ev.elements(y).collect();
        if own.len() > others.len() || own.len() < others.len() && closed {
            return Ok(false);
        }
        if own.len() < others.len() {
            let rest = Label::index_of(MAX_INDEX as usize + 1);
            let a = match self.constrained(x, rest)? {
                Some(a) => a,
                None => self.open_field(rest)?,
            };
            for b in &others[own.len()..] {
                if !self.vertices(a, *b)? {
                    return Ok(false);
                }
            }
        }
        for (a, b) in own.iter().zip(&others) {
            if !self.vertices(*a, *b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
