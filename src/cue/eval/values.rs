//! Making values and asking what they are.

use super::context::Evaluator;
use super::error::ErrId;
use super::kind::Kind;
use super::label::{Label, LabelKind};
use super::program::Op;
use super::value::{
    Bound, BoundId, BytesId, Concreteness, ConjId, Data, DisjId, Disjunction, NumId, Val,
    Validator, ValidatorId,
};
use super::vertex::{Item, VId};
use crate::number::Number;
use crate::syntax::source::Pos;

/// More places than this are not told of one value.
const MOST_PLACES: usize = 1000;

/// Longer texts are counted before they are kept.
const LONG_TEXT: usize = 1 << 12;

impl Evaluator {
    /// A number value.
    pub fn new_number(&mut self, n: Number, pos: Pos) -> Val {
        if n.is_int()
            && n.value.exponent() == 0
            && (!n.value.is_negative() || !n.value.is_zero())
            && let Some(i) = n.value.to_i64()
            && let Ok(small) = i32::try_from(i)
        {
            return Val::new(Data::Int(small), pos);
        }
        if let Some(id) = self.number_index.get(&n) {
            return Val::new(Data::Num(NumId(*id)), pos);
        }
        let id = self.numbers.len() as u32;
        self.number_index.insert(n.clone(), id);
        self.numbers.push(n);
        Val::new(Data::Num(NumId(id)), pos)
    }

    /// An int value at the current place.
    pub fn new_int(&mut self, i: i64) -> Val {
        let pos = self.reg.src;
        match i32::try_from(i) {
            Ok(small) => Val::new(Data::Int(small), pos),
            Err(_) => self.new_number(Number::int(i), pos),
        }
    }

    /// A string value at the current place.
    pub fn new_string(&mut self, s: &str) -> Val {
        let pos = self.reg.src;
        self.string_at(s, pos)
    }

    pub(crate) fn string_at(&mut self, s: &str, pos: Pos) -> Val {
        let known = self.names.len();
        if s.len() >= LONG_TEXT && !self.has_room(s.len()) {
            return Val::bare(Data::Err(self.over_limit()));
        }
        let name = self.names.intern(s);
        if s.len() < LONG_TEXT && self.names.len() > known {
            self.charge(s.len());
        }
        Val::new(Data::Str(name), pos)
    }

    /// A bytes value at the current place.
    pub fn new_bytes(&mut self, b: Vec<u8>) -> Val {
        let pos = self.reg.src;
        self.bytes_at(b, pos)
    }

    pub(crate) fn bytes_at(&mut self, b: Vec<u8>, pos: Pos) -> Val {
        if !self.has_room(b.len()) {
            return Val::bare(Data::Err(self.over_limit()));
        }
        self.bytes.push(b.into());
        Val::new(Data::Bytes(BytesId(self.bytes.len() as u32 - 1)), pos)
    }

    /// A bool value at the current place.
    pub fn new_bool(&mut self, b: bool) -> Val {
        Val::new(Data::Bool(b), self.reg.src)
    }

    pub(crate) fn new_bound(&mut self, op: Op, value: Val, pos: Pos) -> Val {
        self.bounds.push(Bound { op, value });
        Val::new(Data::Bound(BoundId(self.bounds.len() as u32 - 1)), pos)
    }

    pub(crate) fn new_conj(&mut self, values: Vec<Val>, pos: Pos) -> Val {
        self.conjs.push(values);
        Val::new(Data::Conj(ConjId(self.conjs.len() as u32 - 1)), pos)
    }

    pub(crate) fn new_disj(&mut self, d: Disjunction, pos: Pos) -> Val {
        self.disjs.push(d);
        Val::new(Data::Disj(DisjId(self.disjs.len() as u32 - 1)), pos)
    }

    pub(crate) fn new_validator(&mut self, v: Validator, pos: Pos) -> Val {
        self.validators.push(v);
        Val::new(
            Data::Validator(ValidatorId(self.validators.len() as u32 - 1)),
            pos,
        )
    }

    /// The number of a value, if it is one.
    pub fn number(&self, v: Val) -> Option<Number> {
        match v.data {
            Data::Int(i) => Some(Number::int(i64::from(i))),
            Data::Num(n) => Some(self.numbers[n.i()].clone()),
            _ => None,
        }
    }

    /// The text of a string value.
    pub fn str(&self, v: Val) -> Option<&str> {
        match v.data {
            Data::Str(n) => Some(self.names.get(n)),
            _ => None,
        }
    }

    /// The bytes of a bytes value.
    pub fn bytes_of(&self, v: Val) -> Option<&[u8]> {
        match v.data {
            Data::Bytes(b) => Some(&self.bytes[b.i()]),
            _ => None,
        }
    }

    /// A bound.
    pub fn bound(&self, b: BoundId) -> Bound {
        self.bounds[b.i()]
    }

    /// The parts of a conjunction.
    pub fn conjunction(&self, c: ConjId) -> &[Val] {
        &self.conjs[c.i()]
    }

    /// A disjunction.
    pub fn disjunction(&self, d: DisjId) -> &Disjunction {
        &self.disjs[d.i()]
    }

    /// A validator.
    pub fn validator(&self, v: ValidatorId) -> &Validator {
        &self.validators[v.i()]
    }

    pub(crate) fn bound_kind(&self, b: Bound) -> Kind {
        let k = self.kind(b.value);
        match k {
            Kind::INT | Kind::FLOAT | Kind::NUMBER => Kind::NUMBER,
            Kind::NULL if b.op == Op::NotEqual => Kind::TOP.without(Kind::NULL),
            _ => k,
        }
    }

    /// The kinds a value has or may have; empty for errors.
    pub fn kind(&self, v: Val) -> Kind {
        match v.data {
            Data::Unset | Data::Err(_) => Kind::BOTTOM,
            Data::Null => Kind::NULL,
            Data::Bool(_) => Kind::BOOL,
            Data::Int(_) => Kind::INT,
            Data::Num(n) if self.numbers[n.i()].is_int() => Kind::INT,
            Data::Num(_) => Kind::FLOAT,
            Data::Str(_) => Kind::STRING,
            Data::Bytes(_) => Kind::BYTES,
            Data::Kind(k) => k,
            Data::Bound(b) => self.bound_kind(self.bounds[b.i()]),
            Data::Conj(c) => self.conjs[c.i()]
                .iter()
                .fold(Kind::TOP, |k, v| k & self.kind(*v)),
            Data::Disj(d) => self.disjs[d.i()]
                .values
                .iter()
                .fold(Kind::BOTTOM, |k, v| k | self.kind(*v)),
            Data::Func(_) => Kind::FUNC,
            Data::Validator(x) => {
                let f = self.funcs[self.validators[x.i()].func.0 as usize];
                f.params.first().map_or(Kind::TOP, |p| p.kind)
            }
            Data::Struct => Kind::STRUCT,
            Data::List(_) => Kind::LIST,
            Data::Vertex(v) => self.vertex_kind(v),
        }
    }

    pub(crate) fn vertex_kind(&self, v: VId) -> Kind {
        let x = &self.v[v.i()];
        if x.state.is_some() && self.nodes[x.state.i()].kind == Kind::BOTTOM {
            return Kind::BOTTOM;
        }
        if !x.base.is_unset() && !self.is_cycle(x.base) {
            return self.kind(x.base);
        }
        if x.state.is_some() {
            return self.nodes[x.state.i()].kind;
        }
        Kind::TOP
    }

    pub(crate) fn concreteness(&self, v: Val) -> Concreteness {
        match v.data {
            Data::Err(_) => Concreteness::Bottom,
            Data::Kind(Kind::TOP) => Concreteness::Any,
            Data::Kind(_) => Concreteness::Type,
            Data::Bound(_) | Data::Conj(_) | Data::Disj(_) | Data::Validator(_) => {
                Concreteness::Constraint
            }
            Data::Vertex(v) => match self.v[v.i()].base.data {
                Data::Unset | Data::Struct | Data::List(_) => Concreteness::Concrete,
                _ => self.concreteness(self.v[v.i()].base),
            },
            _ => Concreteness::Concrete,
        }
    }

    pub(crate) fn is_concrete(&self, v: Val) -> bool {
        !v.is_unset() && self.concreteness(v) <= Concreteness::Concrete
    }

    /// Whether a base value is the mark of running evaluation, through aliases.
    pub(crate) fn is_cycle(&self, base: Val) -> bool {
        match base.data {
            Data::Vertex(v) => self.v[self.deref(v).i()].base.data == Val::CYCLE.data,
            data => data == Val::CYCLE.data,
        }
    }

    /// The vertex that holds the value of a vertex: follows sharing and disjuncts.
    pub fn deref(&self, mut v: VId) -> VId {
        while let Data::Vertex(w) = self.v[v.i()].base.data {
            v = w;
        }
        v
    }

    pub(crate) fn deref_disjunct(&self, mut v: VId) -> VId {
        while let Data::Vertex(w) = self.v[v.i()].base.data
            && self.v[w.i()].is_disjunct()
        {
            v = w;
        }
        v
    }

    pub(crate) fn deref_non_disjunct(&self, mut v: VId) -> VId {
        while let Data::Vertex(w) = self.v[v.i()].base.data
            && !self.v[w.i()].is_disjunct()
        {
            v = w;
        }
        v
    }

    pub(crate) fn deref_non_rooted(&self, mut v: VId) -> VId {
        while let Data::Vertex(w) = self.v[v.i()].base.data {
            let arc = &self.v[w.i()];
            if arc.is_disjunct() || self.v[v.i()].is_shared() && !arc.label.is_let() {
                return v;
            }
            v = w;
        }
        v
    }

    pub(crate) fn deref_non_shared(&self, v: VId) -> VId {
        if self.n(v).shared && self.v[v.i()].state.is_some() {
            v
        } else {
            self.deref(v)
        }
    }

    /// The original of a vertex copied for a disjunct, after following aliases.
    pub(crate) fn origin_of(&self, v: VId) -> VId {
        self.origin_behind(v).0
    }

    /// The same, and how many aliases led to it.
    pub(crate) fn origin_behind(&self, mut v: VId) -> (VId, usize) {
        let mut aliases = 0;
        while let Data::Vertex(w) = self.v[v.i()].base.data {
            v = w;
            aliases += 1;
        }
        let u = self.v[v.i()].underlying;
        (if u.is_some() { u } else { v }, aliases)
    }

    pub(crate) fn same(&self, a: VId, b: VId) -> bool {
        a == b || self.origin_of(a) == self.origin_of(b)
    }

    /// The value of a vertex as a value: the vertex itself for structs and lists.
    pub fn value(&self, v: VId) -> Val {
        let base = self.v[v.i()].base;
        match base.data {
            Data::Struct | Data::List(_) => Val::new(Data::Vertex(v), base.pos),
            _ => base,
        }
    }

    /// Looks through vertices at the value.
    pub(crate) fn unwrap(&self, v: Val) -> Val {
        let Data::Vertex(x) = v.data else { return v };
        let x = self.deref(x);
        let vertex = &self.v[x.i()];
        if vertex.state.is_some() && self.is_cycle(vertex.base) {
            let n = self.n(x);
            if n.errs.is_some() && !self.incomplete(n.errs) {
                return Val::bare(Data::Err(n.errs));
            }
            if !n.scalar.is_unset() {
                return n.scalar;
            }
        }
        self.value(x)
    }

    /// The error of a vertex, through aliases.
    pub(crate) fn bottom(&self, v: VId) -> ErrId {
        self.v[self.deref(v).i()].base.err().unwrap_or(ErrId::NONE)
    }

    pub(crate) fn is_err(&self, v: VId) -> bool {
        self.bottom(v).is_some()
    }

    pub(crate) fn is_data(&self, v: VId) -> bool {
        let x = &self.v[v.i()];
        x.is_data() || x.conjuncts.is_empty()
    }

    pub(crate) fn is_list(&self, v: VId) -> bool {
        matches!(self.v[v.i()].base.data, Data::List(_))
    }

    pub(crate) fn is_closed_list(&self, v: VId) -> bool {
        self.v[v.i()].base.data == Data::List(false)
    }

    /// The elements of a list vertex, in order.
    pub fn elements(&self, v: VId) -> impl Iterator<Item = VId> + '_ {
        self.v[v.i()]
            .arcs
            .iter()
            .copied()
            .filter(|a| self.v[a.i()].label.is_int())
    }

    /// Where a value was written.
    pub(crate) fn pos_of(&self, mut v: Val) -> Pos {
        while let Data::Vertex(x) = v.data {
            v = self.v[x.i()].base;
            if matches!(v.data, Data::Struct | Data::List(_) | Data::Unset) {
                return Pos::NONE;
            }
        }
        v.pos
    }

    /// Adds all places a value comes from. How much was looked at for that.
    pub(crate) fn positions_of(&self, v: Val, out: &mut Vec<Pos>) -> usize {
        let most = out.len() + MOST_PLACES;
        let mut looked = 0;
        let mut item = Item::Val(v);
        // Vertices whose conjuncts are gone through, and how far.
        let mut inside: Vec<(VId, usize)> = Vec::new();
        while out.len() < most {
            looked += 1;
            match item {
                Item::Val(v) => {
                    let pos = self.pos_of(v);
                    if pos.is_valid() {
                        out.push(pos);
                    }
                    if let Data::Vertex(x) = v.data {
                        inside.push((x, 0));
                    }
                }
                Item::Expr(x) => out.push(self.program.pos(x)),
                Item::Decl(d) => out.push(self.program.pos(self.program.decl_value(d))),
            }
            item = loop {
                let Some((x, at)) = inside.last_mut() else {
                    return looked;
                };
                *at += 1;
                match self.v[x.i()].conjuncts.get(*at - 1) {
                    Some(c) => break c.item,
                    None => inside.pop(),
                };
            };
        }
        looked
    }

    /// The value of a label: a string or an int.
    pub(crate) fn label_value(&mut self, label: Label) -> Val {
        match label.kind() {
            LabelKind::Int => Val::bare(Data::Int(label.index() as i32)),
            LabelKind::String | LabelKind::Definition => Val::bare(Data::Str(label.name())),
            _ => {
                let text = super::label::text(&self.names, label);
                self.string_at(&text, Pos::NONE)
            }
        }
    }

    /// Whether two values are the same table entry.
    pub(crate) fn identical(&self, a: Val, b: Val) -> bool {
        a.data == b.data
    }
}
