//! Values taken apart into what they were made of.

use super::subsume::simplifies;
use super::view::{allowed, alone, default, is_bare, is_concrete, kind, remake};
use crate::eval::context::Evaluator;
use crate::eval::kind::{ArcType, Kind};
use crate::eval::library::R;
use crate::eval::program::{self, Decl, Expr, StructLit, XId};
use crate::eval::value::{Data, Val};
use crate::eval::vertex::{EnvId, Item, VId, Vertex};
use crate::syntax::source::Pos;

/// How a value is made of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Made {
    /// It has no parts but itself.
    Whole,
    /// A conjunction.
    And,
    /// A disjunction.
    Or,
    /// A bound or an operator, its parts being the operands.
    Op(program::Op),
    /// A function, followed by its arguments.
    Call,
    /// A reference.
    Reference,
    /// Something else.
    Other,
}

/// What a value was made of.
pub(super) fn split(ev: &mut Evaluator, v: VId) -> R<(Made, Vec<VId>)> {
    if is_bare(ev, v) {
        let value = ev.value(v);
        return split_value(ev, v, value);
    }
    let conjuncts = ev.vx(v).conjuncts.clone();
    let c = match &conjuncts[..] {
        [one] => *one,
        many => {
            let mut parts = Vec::with_capacity(many.len());
            for c in many {
                let (parent, label) = (ev.vx(v).parent, ev.vx(v).label);
                let mut x = Vertex::new(parent, label, ArcType::Member);
                x.conjuncts.push(*c);
                let part = ev.new_vertex(x);
                ev.finalize_inner(part)?;
                parts.push(part);
            }
            return Ok((Made::And, parts));
        }
    };
    match c.item {
        Item::Val(Val {
            data: Data::Vertex(w),
            ..
        }) => split(ev, w),
        Item::Val(value) => split_value(ev, v, value),
        _ => {
            let x = ev.conjunct_expr(&c);
            split_expr(ev, v, c.env, x)
        }
    }
}

fn split_value(ev: &mut Evaluator, v: VId, value: Val) -> R<(Made, Vec<VId>)> {
    let (made, items) = match value.data {
        Data::Bound(b) => {
            let b = ev.bound(b);
            (Made::Op(b.op), vec![b.value])
        }
        Data::Conj(c) => (Made::And, ev.conjunction(c).to_vec()),
        Data::Disj(d) => {
            let d = ev.disjunction(d).clone();
            let (marked, others) = d.values.split_at(d.defaults);
            let mut items = Vec::new();
            for x in marked {
                if !covered(ev, *x, others)? {
                    items.push(*x);
                }
            }
            items.extend(others);
            let made = if items.len() > 1 {
                Made::Or
            } else {
                Made::Whole
            };
            (made, items)
        }
        Data::Validator(id) => {
            let validator = ev.validator(id).clone();
            let mut items = vec![Val::bare(Data::Func(validator.func))];
            items.extend(validator.args);
            (Made::Call, items)
        }
        _ => return Ok((Made::Whole, vec![v])),
    };
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        parts.push(remake(ev, v, EnvId::NONE, Item::Val(item))?);
    }
    Ok((made, parts))
}

/// Whether one of some values holds all that another does.
fn covered(ev: &mut Evaluator, x: Val, others: &[Val]) -> R<bool> {
    for n in others {
        if simplifies(ev, *n, x)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn split_expr(ev: &mut Evaluator, v: VId, env: EnvId, x: XId) -> R<(Made, Vec<VId>)> {
    let (made, items) = match ev.program.expr(x) {
        Expr::Val(value) => return split_value(ev, v, value),
        Expr::Binary(program::Op::And, a, b) => (Made::And, vec![a, b]),
        Expr::Binary(op, a, b) => (Made::Op(op), vec![a, b]),
        Expr::Unary(op, a) | Expr::Bound(op, a) => (Made::Op(op), vec![a]),
        Expr::Open(a) => (Made::Other, vec![a]),
        Expr::Disjunction(run, _) => return alternatives(ev, v, env, run),
        Expr::Interpolation(..) | Expr::Index { .. } | Expr::Slice(..) => {
            return Ok((Made::Other, Vec::new()));
        }
        Expr::Field { .. } | Expr::Selector { .. } => return Ok((Made::Reference, Vec::new())),
        Expr::Call(f, args) => return split_call(ev, v, env, (f, args)),
        Expr::Struct(s) => return split_struct(ev, v, env, s),
        _ => return Ok((Made::Whole, vec![v])),
    };
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        parts.push(remake(ev, v, env, Item::Expr(item))?);
    }
    Ok((made, parts))
}

/// The alternatives of a disjunction, without those marked ones that another one covers.
fn alternatives(ev: &mut Evaluator, v: VId, env: EnvId, run: program::Run) -> R<(Made, Vec<VId>)> {
    let list = ev.program.disjunct_list(run).to_vec();
    let mut parts = Vec::new();
    for (x, marked) in &list {
        if *marked && hidden_default(ev, v, env, *x, &list)? {
            continue;
        }
        parts.push(remake(ev, v, env, Item::Expr(*x))?);
    }
    let made = if parts.len() > 1 {
        Made::Or
    } else {
        Made::Whole
    };
    Ok((made, parts))
}

fn hidden_default(ev: &mut Evaluator, v: VId, env: EnvId, x: XId, list: &[(XId, bool)]) -> R<bool> {
    let own = alone(ev, v, env, Item::Expr(x))?;
    if !allowed(ev, v, own)? {
        return Ok(true);
    }
    for (n, marked) in list {
        let other = alone(ev, v, env, Item::Expr(*n))?;
        if !allowed(ev, v, other)? || *marked {
            continue;
        }
        let (other, own) = (Data::Vertex(other), Data::Vertex(own));
        if simplifies(ev, Val::bare(other), Val::bare(own))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn split_call(
    ev: &mut Evaluator,
    v: VId,
    env: EnvId,
    (f, args): (XId, program::Run),
) -> R<(Made, Vec<VId>)> {
    let args = ev.program.arg_list(args).to_vec();
    let function = remake(ev, v, env, Item::Expr(f))?;
    let name = match ev.value(ev.deref(function)).data {
        Data::Func(f) if ev.func(f).package.is_empty() => ev.func(f).name,
        _ => "",
    };
    if let ([list], "and" | "or") = (args.as_slice(), name) {
        let list = remake(ev, v, env, Item::Expr(*list))?;
        let (list, _) = default(ev, list);
        let parts: Vec<VId> = ev.elements(list).collect();
        let made = match (parts.is_empty(), name) {
            (true, _) => return Ok((Made::Whole, vec![v])),
            (_, "and") => Made::And,
            _ => Made::Or,
        };
        return Ok((made, parts));
    }
    let mut parts = vec![function];
    for a in args {
        parts.push(remake(ev, v, env, Item::Expr(a))?);
    }
    Ok((Made::Call, parts))
}

/// A struct literal with embedded values: these, and the literal without them.
fn split_struct(ev: &mut Evaluator, v: VId, env: EnvId, s: program::SId) -> R<(Made, Vec<VId>)> {
    let decls = ev.program.struct_decls(s).to_vec();
    let embedded = |ev: &Evaluator, d| match ev.program.decl(d) {
        Decl::Embed(x) if !matches!(ev.program.expr(x), Expr::Val(_)) => Some(x),
        _ => None,
    };
    let (embeds, fields): (Vec<_>, Vec<_>) = decls
        .iter()
        .copied()
        .partition(|d| embedded(ev, *d).is_some());
    if embeds.is_empty() {
        return Ok((Made::Whole, vec![v]));
    }
    let rest = if fields.is_empty() {
        None
    } else {
        Some(without_embeds(ev, v, env, (s, fields))?)
    };
    let inner = ev.new_env(env, rest.unwrap_or(v));
    let mut parts = Vec::new();
    for d in embeds {
        let Some(x) = embedded(ev, d) else { continue };
        let part = alone(ev, v, inner, Item::Expr(x))?;
        ev.vm(part).parent = ev.vx(v).parent;
        parts.push(part);
    }
    parts.extend(rest);
    match parts.as_slice() {
        [one] => split(ev, *one),
        _ => Ok((Made::And, parts)),
    }
}

fn without_embeds(
    ev: &mut Evaluator,
    v: VId,
    env: EnvId,
    (s, mut fields): (program::SId, Vec<program::DId>),
) -> R<VId> {
    let lit = ev.program.struct_lit(s);
    let k = kind(ev, v);
    if k != Kind::STRUCT && k != Kind::BOTTOM && is_concrete(ev, v) {
        let x = ev.data_scalar(Val::bare(Data::Kind(k)));
        let d = ev.program.add_decl(Decl::Embed(x), Pos::NONE, None);
        fields.insert(0, d);
    }
    let start = ev.program.decl_lists.len() as u32;
    let len = fields.len() as u32;
    ev.program.decl_lists.extend(fields);
    ev.program.structs.push(StructLit {
        decls: program::Run { start, len },
        ..lit
    });
    let s = program::SId(ev.program.structs.len() as u32 - 1);
    let x = ev.program.add_made(Expr::Struct(s), lit.pos);
    let rest = alone(ev, v, env, Item::Expr(x))?;
    ev.vm(rest).parent = ev.vx(v).parent;
    Ok(rest)
}
