//! The predeclared names: types, ranges, functions.

use super::context::Evaluator;
use super::error::Arg;
use super::kind::{ArcType, Code, Kind};
use super::label::Label;
use super::library::{Call, Func, Param, R};
use super::node::{Cond, Flags, Mode};
use super::program::{Expr, Op, XId};
use super::value::{Data, Val};
use super::vertex::{CloseInfo, Conjunct, EnvId, Item, Status, VId, Vertex};
use crate::number::Number;
use crate::syntax::source::Pos;

const fn func(
    name: &'static str,
    params: &'static [Param],
    result: Kind,
    call: fn(&mut Call<'_>) -> R<Val>,
) -> Func {
    Func {
        name,
        package: "",
        params,
        result,
        non_concrete: false,
        raw: false,
        added: 0,
        call,
    }
}

const INTS: &[Param] = &[Param::of(Kind::INT), Param::of(Kind::INT)];
const COUNTED: Kind = Kind(Kind::STRUCT.0 | Kind::LIST.0 | Kind::STRING.0 | Kind::BYTES.0);
const ANY: Param = Param::of(Kind::TOP);

static FUNCS: [Func; 14] = [
    func("len", &[Param::of(COUNTED)], Kind::INT, len),
    func("close", &[Param::of(Kind::STRUCT)], Kind::STRUCT, close),
    func("and", &[Param::of(Kind::LIST)], Kind::INT, and),
    Func {
        non_concrete: true,
        ..func("or", &[Param::of(Kind::LIST)], Kind::INT, or)
    },
    func("div", INTS, Kind::INT, |c| {
        int_op(c, "argument to div builtin", Number::int_div)
    }),
    func("mod", INTS, Kind::INT, |c| {
        int_op(c, "argument to mod builtin", Number::int_mod)
    }),
    func("quo", INTS, Kind::INT, |c| {
        int_op(c, "argument to quo builtin", Number::int_quo)
    }),
    func("rem", INTS, Kind::INT, |c| {
        int_op(c, "argument to rem builtin", Number::int_rem)
    }),
    Func {
        raw: true,
        added: 14,
        ..func(
            "error",
            &[Param::of(Kind::STRING)],
            Kind::BOTTOM,
            user_error,
        )
    },
    Func {
        non_concrete: true,
        ..func(
            "matchN",
            &[ANY, Param::of(Kind::INT), Param::of(Kind::LIST)],
            Kind::BOOL,
            match_n,
        )
    },
    Func {
        non_concrete: true,
        ..func("matchIf", &[ANY, ANY, ANY, ANY], Kind::BOOL, match_if)
    },
    func("__closeAll", &[ANY], Kind::TOP, close_all),
    func("__reclose", &[ANY], Kind::TOP, reclose),
    func("testExperiment", &[ANY], Kind::TOP, test_experiment),
];

fn test_experiment(c: &mut Call<'_>) -> R<Val> {
    if c.ctx.program.experiments(c.call).testing {
        return Ok(c.args[0]);
    }
    c.fail("testing experiment disabled", vec![])
}

/// The functions that need no import.
pub(crate) fn function(name: &str) -> Option<&'static Func> {
    FUNCS.iter().find(|f| f.name == name)
}

const TYPES: [(&str, Kind); 6] = [
    ("string", Kind::STRING),
    ("bytes", Kind::BYTES),
    ("bool", Kind::BOOL),
    ("int", Kind::INT),
    ("float", Kind::FLOAT),
    ("number", Kind::NUMBER),
];

const FLOAT32: &str = "3.40282346638528859811704183484516925440e+38";
const FLOAT64: &str = "1.797693134862315708145274237317043567981e+308";

/// Bounds of the predeclared ranges; an empty upper bound is none.
const RANGES: [(&str, &str, &str); 14] = [
    ("rune", "0", "1114111"),
    ("int8", "-128", "127"),
    ("int16", "-32768", "32767"),
    ("int32", "-2147483648", "2147483647"),
    ("int64", "-9223372036854775808", "9223372036854775807"),
    (
        "int128",
        "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105727",
    ),
    ("uint", "0", ""),
    ("uint8", "0", "255"),
    ("uint16", "0", "65535"),
    ("uint32", "0", "4294967295"),
    ("uint64", "0", "18446744073709551615"),
    ("uint128", "0", "340282366920938463463374607431768211455"),
    ("float32", "-", FLOAT32),
    ("float64", "-", FLOAT64),
];

impl Evaluator {
    /// What a predeclared name means, `self` excepted.
    pub(crate) fn predeclared(&mut self, name: &str, pos: Pos) -> Option<Val> {
        let short = match name {
            "__closeAll" | "__reclose" => name,
            _ => name.strip_prefix("__").unwrap_or(name),
        };
        if name == "__no_sharing" {
            return Some(Val::new(Data::Err(super::error::ErrId::NO_SHARING), pos));
        }
        if let Some((_, k)) = TYPES.iter().find(|(n, _)| *n == short) {
            return Some(Val::new(Data::Kind(*k), pos));
        }
        let short = if name == "__test_experiment" {
            "testExperiment"
        } else {
            short
        };
        if let Some(f) = function(short) {
            return Some(Val::bare(Data::Func(self.func_id(f))));
        }
        RANGES
            .iter()
            .find(|(n, ..)| *n == short)
            .map(|(_, lo, hi)| self.range(lo, hi))
    }

    fn range(&mut self, lo: &str, hi: &str) -> Val {
        let float = lo == "-";
        let mut parts = if float {
            vec![]
        } else {
            vec![Val::bare(Data::Kind(Kind::INT))]
        };
        let low = if float {
            format!("-{hi}")
        } else {
            lo.to_owned()
        };
        for (op, text) in [(Op::GreaterEqual, low.as_str()), (Op::LessEqual, hi)] {
            let digits = text.strip_prefix('-').unwrap_or(text);
            if let Ok(n) = crate::number::parse_literal(digits) {
                let n = if text.starts_with('-') { n.neg() } else { n };
                let n = self.new_number(n, Pos::NONE);
                parts.push(self.new_bound(op, n, Pos::NONE));
            }
        }
        self.new_conj(parts, Pos::NONE)
    }

    /// The name of the predeclared range that a conjunction is, if it is one.
    pub fn range_name(&self, parts: &[Val]) -> Option<&'static str> {
        let (mut int, mut lo, mut hi) = (false, None, None);
        for p in parts {
            match p.data {
                Data::Kind(Kind::INT) if !int => int = true,
                Data::Bound(b) => {
                    let b = self.bound(b);
                    let n = self.number(b.value)?;
                    let slot = match b.op {
                        Op::GreaterEqual => &mut lo,
                        Op::LessEqual => &mut hi,
                        _ => return None,
                    };
                    if slot.replace(n).is_some() {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let lo = lo?;
        let Some(hi) = hi else {
            return (int && lo.value.is_zero()).then_some("uint");
        };
        let same = |n: &Number, text: &str| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            crate::number::parse_literal(digits).is_ok_and(|m| {
                let m = if text.starts_with('-') { m.neg() } else { m };
                n.value.order(&m.value).is_eq()
            })
        };
        RANGES[1..]
            .iter()
            .filter(|(_, l, h)| (*l == "-") != int && !h.is_empty())
            .find(|(_, l, h)| {
                same(&hi, h)
                    && if *l == "-" {
                        same(&lo, &format!("-{h}"))
                    } else {
                        same(&lo, l)
                    }
            })
            .map(|(n, ..)| *n)
    }

    fn wrap(&mut self, v: VId, info: CloseInfo) -> R<VId> {
        let conjuncts = self.vx(v).conjuncts.clone();
        let w = self.inline_vertex(conjuncts);
        if self.state(w)? {
            let item = Item::Val(Val::bare(Data::Vertex(v)));
            let c = Conjunct {
                item,
                env: EnvId::NONE,
                info: CloseInfo::default(),
            };
            self.share(w, c, v, info)?;
        }
        Ok(w)
    }
}

fn len(c: &mut Call<'_>) -> R<Val> {
    let mut v = c.args[0];
    if let Data::Vertex(x) = v.data {
        match c.ctx.vx(x).base.data {
            Data::Unset => return c.fail("unevaluated vertex", vec![]),
            Data::List(open) => {
                if open {
                    let pos = c.pos();
                    c.ctx.note_unsettled(x, pos);
                }
                let n = c.ctx.elements(x).count();
                return Ok(c.ctx.new_int(n as i64));
            }
            Data::Struct => {
                let mut n = 0;
                for a in c.ctx.vx(x).arcs.clone() {
                    if !c.ctx.vx(a).label.is_regular() {
                        continue;
                    }
                    if c.ctx.vx(a).arc != ArcType::Member && c.ctx.vx(x).status != Status::Finalized
                    {
                        c.ctx.finalize_inner(a)?;
                    }
                    if c.ctx.vx(a).arc == ArcType::Member {
                        n += 1;
                    }
                }
                return Ok(c.ctx.new_int(n));
            }
            _ => v = c.ctx.value(x),
        }
    }
    if let Some(n) = c
        .ctx
        .bytes_of(v)
        .map(<[u8]>::len)
        .or_else(|| c.ctx.str(v).map(str::len))
    {
        return Ok(c.ctx.new_int(n as i64));
    }
    let k = c.ctx.kind(v);
    if !k.meets(COUNTED) {
        return c.fail("invalid argument type {}", vec![Arg::Kind(k)]);
    }
    c.not_yet(
        "incomplete argument {} (type {})",
        vec![Arg::Val(v), Arg::Kind(k)],
    )
}

fn close(c: &mut Call<'_>) -> R<Val> {
    let Data::Vertex(s) = c.args[0].data else {
        return c.fail("struct argument must be concrete", vec![]);
    };
    let info = c.ctx.reg.info;
    let v = c.ctx.wrap(s, info)?;
    c.ctx.vm(v).set_closed_here(true);
    Ok(Val::bare(Data::Vertex(v)))
}

fn explicit_open(c: &Call<'_>, x: super::program::XId) -> bool {
    c.ctx.program.experiments(x).explicitopen
}

fn close_all(c: &mut Call<'_>) -> R<Val> {
    let x = c.expr(0);
    match c.ctx.program.expr(x) {
        Expr::Struct(_) | Expr::List(_) if explicit_open(c, x) => {}
        Expr::Struct(_) | Expr::List(_) => {
            return c.fail(
                "__closeAll may only be used when explicitopen is enabled",
                vec![],
            );
        }
        _ => return c.fail("argument must be a struct or list literal", vec![]),
    }
    let Data::Vertex(s) = c.args[0].data else {
        return c.fail("struct argument must be concrete", vec![]);
    };
    c.ctx.vm(s).set_closed_recursive(true);
    Ok(c.args[0])
}

fn reclose(c: &mut Call<'_>) -> R<Val> {
    let x = c.expr(0);
    let disabled = "__reclose may only be used when explicitopen is enabled";
    match c.ctx.program.expr(x) {
        Expr::Struct(_) | Expr::List(_) => {
            if !explicit_open(c, x) {
                return c.fail(disabled, vec![]);
            }
        }
        Expr::Call(fun, _) => {
            let is_close = match c.ctx.program.expr(fun) {
                Expr::Val(Val {
                    data: Data::Func(f),
                    ..
                }) => c.ctx.func(f).name == "close",
                _ => false,
            };
            if !is_close {
                return c.fail(
                    "argument must be a struct or list literal, or a close() call",
                    vec![],
                );
            }
            if !explicit_open(c, x) {
                return c.fail(disabled, vec![]);
            }
        }
        _ => return c.fail("argument must be a struct or list literal", vec![]),
    }
    if let Data::Vertex(s) = c.args[0].data
        && c.ctx.has_state(s)
    {
        match c.ctx.n(s).embed_closedness {
            2 => c.ctx.vm(s).set_closed_recursive(true),
            1 => c.ctx.vm(s).set_closed_here(true),
            _ => {}
        }
    }
    Ok(c.args[0])
}

/// The elements of a list argument; an error is recorded if it is none.
fn raw_elements(c: &mut Call<'_>, i: usize) -> R<Vec<VId>> {
    let list = list_of(c, i)?;
    Ok(list.map_or(Vec::new(), |x| c.ctx.elements(x).collect()))
}

fn list_of(c: &mut Call<'_>, i: usize) -> R<Option<VId>> {
    let (v, ok) = c.ctx.default_of(c.args[i])?;
    let v = if ok { v } else { c.args[i] };
    if let Data::Vertex(x) = v.data {
        let x = c.ctx.deref(x);
        if c.ctx.is_list(x) {
            return Ok(Some(x));
        }
    }
    c.ctx.type_error(v, Kind::LIST, None);
    Ok(None)
}

fn and(c: &mut Call<'_>) -> R<Val> {
    let list = raw_elements(c, 0)?;
    if list.is_empty() {
        return Ok(Val::bare(Data::Kind(Kind::TOP)));
    }
    let parts = list
        .into_iter()
        .map(|v| Val::bare(Data::Vertex(v)))
        .collect();
    Ok(c.ctx.new_conj(parts, Pos::NONE))
}

fn or(c: &mut Call<'_>) -> R<Val> {
    let list = raw_elements(c, 0)?;
    if list.is_empty() {
        return c.not_yet("empty list in call to or", vec![]);
    }
    let start = c.ctx.program.disjuncts.len() as u32;
    for v in &list {
        let x = c
            .ctx
            .program
            .add_made(Expr::Val(Val::bare(Data::Vertex(*v))), Pos::NONE);
        c.ctx.program.disjuncts.push((x, false));
    }
    let run = super::program::Run {
        start,
        len: list.len() as u32,
    };
    let x = c
        .ctx
        .program
        .add_made(Expr::Disjunction(run, false), Pos::NONE);
    let mut v = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
    let info = c.ctx.reg.info;
    v.conjuncts.push(Conjunct {
        item: Item::Expr(x),
        env: EnvId::NONE,
        info,
    });
    let v = c.ctx.new_vertex(v);
    c.ctx
        .unify(v, Flags::new(Cond::ALL, Mode::Finalize).typos())?;
    Ok(Val::bare(Data::Vertex(v)))
}

fn int_op(
    c: &mut Call<'_>,
    what: &'static str,
    f: fn(&Number, &Number) -> Option<Number>,
) -> R<Val> {
    let (x, y) = (c.args[0], c.args[1]);
    let a = c.ctx.number_of(x, Arg::Text(what.into()));
    let b = c.ctx.number_of(y, Arg::Text(what.into()));
    if c.ctx.has_err() {
        return Ok(Val::UNSET);
    }
    let pos = c.ctx.reg.src;
    match f(&a, &b) {
        Some(n) => Ok(c.ctx.new_number(n, pos)),
        None => c.fail("division by zero", vec![]),
    }
}

fn user_error(c: &mut Call<'_>) -> R<Val> {
    let x = c.expr(0);
    let mut parts = Vec::new();
    let mut more = Vec::new();
    if let Expr::Interpolation(_, list) = c.ctx.program.expr(x) {
        for part in c.ctx.program.arg_list(list).to_vec() {
            parts.push(part_of_error(c.ctx, part, &mut more)?);
        }
        c.ctx.settle(&mut parts);
    } else {
        let v = c.ctx.eval(x, Flags::new(Cond::SCALAR, Mode::Finalize))?;
        parts.push(Arg::Text(c.ctx.text_of(v).into()));
    }
    let e = c.ctx.errf("{}", vec![Arg::Parts(parts.into())]);
    c.ctx.errors[e.i()].code = Code::User;
    let m = c.ctx.errors[e.i()].messages[0];
    c.ctx.messages[m.i()].more.extend(more);
    Ok(Val::bare(Data::Err(e)))
}

/// A part of the text of an error; a struct is written when somebody reads it.
fn part_of_error(ctx: &mut Evaluator, part: XId, more: &mut Vec<Pos>) -> R<Arg> {
    if let Expr::Val(v) = ctx.program.expr(part)
        && let Some(s) = ctx.str(v)
    {
        return Ok(Arg::Text(s.into()));
    }
    let v = ctx.eval(part, Flags::new(Cond::SCALAR, Mode::Finalize))?;
    let failed = ctx.take_err().is_some();
    let plain = ctx.unwrap(v);
    let scalar = Kind::NUMBER | Kind::STRING | Kind::BYTES | Kind::BOOL;
    if failed || v.is_unset() {
        more.push(ctx.program.pos(part));
        return Ok(Arg::Expr(part));
    }
    if ctx.is_concrete(plain) && ctx.kind(plain).meets(scalar) {
        return Ok(Arg::Text(ctx.text_of(plain).into()));
    }
    ctx.positions_of(v, more);
    Ok(Arg::Val(v))
}

/// The validated value as plain data; none if it is an error.
fn own_value(c: &mut Call<'_>) -> R<Option<Val>> {
    let v = c.args[0];
    match v.data {
        Data::Vertex(x) => {
            let data = c.ctx.data_copy(x)?;
            Ok((!c.ctx.is_err(data)).then_some(Val::bare(Data::Vertex(data))))
        }
        Data::Err(_) => Ok(None),
        _ => Ok(Some(v)),
    }
}

const SCHEMA: super::validate::Config = super::validate::Config {
    concrete: false,
    required: true,
    no_cycles: false,
    incomplete: true,
    all: false,
};

fn match_n(c: &mut Call<'_>) -> R<Val> {
    if !c.ctx.reg.is_validator {
        return c.fail(
            "matchN is a validator and should not be used as a function",
            vec![],
        );
    }
    let no = Val::bare(Data::Bool(false));
    let Some(own) = own_value(c)? else {
        return Ok(no);
    };
    if c.ctx.note_cyclic() {
        let pos = c.pos();
        return Ok(c
            .ctx
            .error_val_at(Code::Structural, pos, "structural cycle", vec![]));
    }
    // An element that is an error makes the list one: the elements are still to be tried.
    let checks: Vec<VId> = match list_of(c, 2)? {
        None => Vec::new(),
        Some(list) => {
            c.ctx.finalize_inner(list)?;
            c.ctx.elements(list).collect()
        }
    };
    let (mut count, mut possible, mut errs) = (0i64, 0i64, Vec::new());
    for check in checks {
        let v = c.ctx.unify_values(own, Val::bare(Data::Vertex(check)))?;
        let e = c.ctx.validate_inner(v, SCHEMA)?;
        if !e.is_some() {
            count += 1;
            continue;
        }
        possible += i64::from(c.ctx.incomplete(e));
        errs.push(e);
    }
    match check_count(c, count, count + possible)? {
        None => Ok(Val::bare(Data::Bool(true))),
        Some(e) => {
            let open = c.ctx.incomplete(e);
            for x in errs {
                if !open || c.ctx.incomplete(x) {
                    c.ctx.add_error(x);
                }
            }
            Ok(Val::bare(Data::Err(e)))
        }
    }
}

fn unify_scalars(c: &mut Call<'_>, vals: &[Val]) -> R<VId> {
    let mut v = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
    let info = c.ctx.reg.info;
    v.conjuncts = vals
        .iter()
        .map(|x| Conjunct {
            item: Item::Val(*x),
            env: EnvId::NONE,
            info,
        })
        .collect();
    let v = c.ctx.new_vertex(v);
    c.ctx.finalize_inner(v)?;
    Ok(v)
}

fn check_count(c: &mut Call<'_>, count: i64, most: i64) -> R<Option<super::error::ErrId>> {
    let bound = c.args[1];
    let n = c.ctx.new_int(count);
    let v = unify_scalars(c, &[bound, n])?;
    if c.ctx.vx(v).base.err().is_none() {
        return Ok(None);
    }
    let plain = c.ctx.unwrap(bound);
    let e = c.ctx.errf(
        "{} matched, expected {}",
        vec![Arg::Int(count), Arg::Val(bound)],
    );
    let open = match plain.data {
        Data::Int(_) | Data::Num(_) => c
            .ctx
            .number(plain)
            .and_then(|n| n.value.to_i64())
            .is_some_and(|i| i > count && i <= most),
        Data::Bound(_) => {
            let most = c.ctx.new_int(most);
            let lo = c.ctx.new_bound(Op::GreaterEqual, n, Pos::NONE);
            let hi = c.ctx.new_bound(Op::LessEqual, most, Pos::NONE);
            let v = unify_scalars(c, &[plain, lo, hi])?;
            c.ctx.vx(v).base.err().is_none()
        }
        _ => true,
    };
    if open {
        c.ctx.errors[e.i()].code = Code::Incomplete;
    }
    Ok(Some(e))
}

fn match_if(c: &mut Call<'_>) -> R<Val> {
    if !c.ctx.reg.is_validator {
        return c.fail(
            "matchIf is a validator and should not be used as a function",
            vec![],
        );
    }
    let no = Val::bare(Data::Bool(false));
    let Some(own) = own_value(c)? else {
        return Ok(no);
    };
    if c.ctx.note_cyclic() {
        let pos = c.pos();
        return Ok(c
            .ctx
            .error_val_at(Code::Structural, pos, "structural cycle", vec![]));
    }
    let test = schema(c, 1);
    let v = c.ctx.unify_values(own, test)?;
    let failed = c.ctx.validate_inner(v, SCHEMA)?.is_some();
    let chosen = schema(c, if failed { 3 } else { 2 });
    let v = c.ctx.unify_values(own, chosen)?;
    let e = c.ctx.validate_inner(v, SCHEMA)?;
    if e.is_some() {
        Ok(Val::bare(Data::Err(e)))
    } else {
        Ok(Val::bare(Data::Bool(true)))
    }
}

fn schema(c: &mut Call<'_>, i: usize) -> Val {
    let x = c.expr(i);
    let (env, info) = (c.ctx.reg.env, c.ctx.reg.info);
    let mut v = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
    v.conjuncts.push(Conjunct {
        item: Item::Expr(x),
        env,
        info,
    });
    Val::bare(Data::Vertex(c.ctx.new_vertex(v)))
}
