//! Values taken apart: what a value was made of, and where it was taken from.

use super::{Done, Stop};
use crate::builtin::Data as Plain;

use crate::eval::context::Evaluator;
use crate::eval::error::ErrId;
use crate::eval::kind::{ArcType, Kind};
use crate::eval::label::{Label, MAX_INDEX};
use crate::eval::library::R;
use crate::eval::node::{Cond, Flags, Mode, ReqKind};
use crate::eval::program::{Decl, Expr, XId};
use crate::eval::value::{Data, Val};
use crate::eval::vertex::{CloseInfo, Conjunct, EnvId, Item, Status, VId, Vertex};
use crate::print::{DataError, DataStyle, Profile, print_value, to_data};
use crate::syntax::format::Style;
use crate::syntax::source::Pos;

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A field or element.
    Label(Label),
    /// Any field, or any element.
    Any,
}

pub(super) fn kind(ev: &Evaluator, v: VId) -> Kind {
    ev.vertex_kind(v)
}

/// The error of a value.
pub(super) fn error(ev: &Evaluator, v: VId) -> ErrId {
    ev.bottom(v)
}

/// Whether a value is concrete; an error is, if nothing can remove it.
pub(super) fn is_concrete(ev: &Evaluator, v: VId) -> bool {
    let e = ev.bottom(v);
    if e.is_some() {
        return !ev.incomplete(e);
    }
    ev.is_concrete(Val::bare(Data::Vertex(ev.deref(v))))
}

/// Whether a value is concrete and neither struct nor list.
pub(super) fn is_scalar(ev: &Evaluator, v: VId) -> bool {
    is_concrete(ev, v) && !matches!(kind(ev, v), Kind::STRUCT | Kind::LIST)
}

/// The default, and whether it is another value.
pub(super) fn default(ev: &mut Evaluator, v: VId) -> (VId, bool) {
    let d = ev.default_vertex(v);
    (d, d != ev.deref(v))
}

/// A value without what it was made of.
pub(super) fn eval(ev: &mut Evaluator, v: VId) -> VId {
    let v = ev.deref(v);
    let mut copy = ev.vx(v).clone();
    copy.set_is_data(true);
    copy.state = crate::eval::vertex::NId::NONE;
    copy.status = Status::Finalized;
    ev.new_vertex(copy)
}

/// Data of a value, its default taken.
pub(super) fn data(ev: &mut Evaluator, v: VId) -> Done<Plain> {
    let (v, _) = default(ev, v);
    to_data(ev, Val::bare(Data::Vertex(v)), DataStyle::default()).map_err(|e| match e {
        DataError::Error(e) => Stop::Error(e),
        DataError::NotData(e) if e.incomplete => Stop::Lacking(e.text),
        DataError::NotData(e) => Stop::Text(e.text, Pos::NONE),
    })
}

/// The text of a value.
pub(super) fn text(ev: &mut Evaluator, v: VId) -> String {
    let value = ev.value(ev.deref(v));
    let function = match value.data {
        Data::Func(f) => Some((f, "")),
        Data::Validator(x) if ev.validator(x).args.is_empty() => Some((ev.validator(x).func, "()")),
        _ => None,
    };
    if let Some((f, end)) = function {
        let f = ev.func(f);
        return format!("{}.{}{end}", f.package, f.name);
    }
    let style = Style {
        simplify: false,
        spaces: true,
    };
    let text = print_value(ev, value, &Profile::eval("_"), style);
    // One of too many parts is the error of the whole.
    let text = text.unwrap_or_default();
    text.trim_end().to_owned()
}

/// The name of a function with its package.
pub(super) fn function(ev: &Evaluator, v: VId) -> String {
    let f = match ev.value(ev.deref(v)).data {
        Data::Func(f) => f,
        Data::Validator(x) => ev.validator(x).func,
        _ => return String::new(),
    };
    let f = ev.func(f);
    format!("{}.{}", f.package, f.name)
}

/// Regular fields, required ones among them, in printed order; definitions too if wanted.
pub(super) fn fields(ev: &mut Evaluator, v: VId, definitions: bool) -> Vec<VId> {
    all_fields(ev, v, definitions)
        .into_iter()
        .filter(|a| ev.arc_type(*a) != ArcType::Optional)
        .collect()
}

/// As [`fields`], with optional ones.
pub(super) fn all_fields(ev: &mut Evaluator, v: VId, definitions: bool) -> Vec<VId> {
    let (v, _) = default(ev, v);
    let arcs = ev.printed_arcs(v);
    arcs.into_iter()
        .filter(|a| {
            let (label, arc) = (ev.label(*a), ev.arc_type(*a));
            arc <= ArcType::Optional
                && (label.is_string() || definitions && label.is_definition() && !label.is_hidden())
        })
        .collect()
}

/// Whether it is not known what a value was made of, as it is not of alternatives.
pub(super) fn is_bare(ev: &Evaluator, v: VId) -> bool {
    ev.is_data(v) || ev.vx(v).is_disjunct()
}

/// The conjunct of a value, if it has just one.
fn single(ev: &Evaluator, v: VId) -> Option<Conjunct> {
    match &ev.vx(v).conjuncts[..] {
        [one] => Some(*one),
        _ => None,
    }
}

/// A value in the place of another one: made of one part of it.
pub(super) fn remake(ev: &mut Evaluator, base: VId, env: EnvId, item: Item) -> R<VId> {
    let val = match item {
        Item::Val(v) => Some(v),
        Item::Expr(x) => match ev.program.expr(x) {
            Expr::Val(v) => Some(v),
            _ => None,
        },
        Item::Decl(_) => None,
    };
    if let Some(Val {
        data: Data::Vertex(w),
        ..
    }) = val
        && ev.vx(w).status != Status::Unprocessed
    {
        return Ok(w);
    }
    let v = alone(ev, base, env, item)?;
    ev.vm(v).parent = ev.vx(base).parent;
    Ok(v)
}

/// A value with one conjunct and the label of another, that stands nowhere.
pub(super) fn alone(ev: &mut Evaluator, base: VId, env: EnvId, item: Item) -> R<VId> {
    let mut x = Vertex::new(VId::NONE, ev.vx(base).label, ArcType::Member);
    x.conjuncts.push(Conjunct {
        item,
        env,
        info: CloseInfo::default(),
    });
    let v = ev.new_vertex(x);
    ev.finalize_inner(v)?;
    Ok(v)
}

/// The root and path that a value is taken from, if it is a reference.
pub(super) fn reference(ev: &mut Evaluator, v: VId) -> R<Option<(VId, Vec<Step>)>> {
    if is_bare(ev, v) {
        return Ok(None);
    }
    let Some(c) = single(ev, v) else {
        return Ok(None);
    };
    let mut x = ev.conjunct_expr(&c);
    if let Expr::Struct(s) = ev.program.expr(x)
        && ev.program.struct_lit(s).is_file
        && let [d] = ev.program.struct_decls(s)
        && let Decl::Embed(y) = ev.program.decl(*d)
    {
        x = y;
    }
    let Some((root, path)) = reference_of(ev, c.env, x)? else {
        return Ok(None);
    };
    ev.finalize_inner(root)?;
    Ok((!path.is_empty()).then_some((root, path)))
}

fn path_to(ev: &Evaluator, v: VId) -> (VId, Vec<Step>) {
    let mut path = Vec::new();
    let mut root = v;
    while ev.vx(root).parent.is_some() {
        path.push(Step::Label(ev.vx(root).label));
        root = ev.vx(root).parent;
    }
    path.reverse();
    (root, path)
}

fn reference_of(ev: &mut Evaluator, env: EnvId, x: XId) -> R<Option<(VId, Vec<Step>)>> {
    let up_vertex = |ev: &Evaluator, up| ev.envs[ev.env_up(env, up).i()].vertex;
    let (mut at, step) = match ev.program.expr(x) {
        Expr::Field { up, label, .. } => (path_to(ev, up_vertex(ev, up)), Some(label)),
        Expr::LabelRef { up, .. } => (path_to(ev, up_vertex(ev, up)), None),
        Expr::DynamicRef { up, label, .. } => {
            let outer = ev.env_up(env, up);
            let name = remake(ev, ev.envs[outer.i()].vertex, outer, Item::Expr(label))?;
            let label = label_of(ev, name);
            (path_to(ev, up_vertex(ev, up)), label)
        }
        Expr::Import(..) => {
            let saved = ev.reg;
            ev.reg.env = env;
            let root = ev.resolve(x, Flags::new(Cond::NEED_FIELD_SET, Mode::Finalize));
            ev.reg = saved;
            let root = root?;
            return Ok(root.is_some().then(|| (root, Vec::new())));
        }
        Expr::Selector { x: y, sel, .. } => match reference_of(ev, env, y)? {
            Some(at) => (at, Some(sel)),
            None => return Ok(None),
        },
        Expr::Index { x: y, index, .. } => {
            let Some(at) = reference_of(ev, env, y)? else {
                return Ok(None);
            };
            let name = remake(ev, at.0, env, Item::Expr(index))?;
            let label = label_of(ev, name);
            (at, label)
        }
        _ => return Ok(None),
    };
    at.1.extend(step.map(Step::Label));
    Ok(Some(at))
}

fn label_of(ev: &mut Evaluator, v: VId) -> Option<Label> {
    let value = ev.value(ev.deref(v));
    match value.data {
        Data::Str(name) => Some(Label::string(name)),
        Data::Int(i) => usize::try_from(i).ok().map(Label::index_of),
        _ => None,
    }
}

/// The value a reference leads to; the value itself if it is none.
pub(super) fn dereference(ev: &mut Evaluator, v: VId) -> Done<VId> {
    let Some(c) = single(ev, v) else {
        return Ok(v);
    };
    let x = ev.conjunct_expr(&c);
    if !x.is_some() || !ev.is_reference(x) {
        return Ok(v);
    }
    let saved = ev.reg;
    ev.reg.env = c.env;
    ev.reg.vertex = v;
    ev.reg.errs = ErrId::NONE;
    let found = ev.resolve(x, Flags::new(Cond::NEED_FIELD_SET, Mode::Finalize));
    let errs = ev.reg.errs;
    ev.reg = saved;
    let found = found?;
    if !found.is_some() {
        return Err(Stop::Error(errs));
    }
    ev.finalize_inner(found)?;
    Ok(found)
}

/// Whether a closed value allows all fields of another.
pub(super) fn allowed(ev: &mut Evaluator, parent: VId, v: VId) -> R<bool> {
    if !ev.is_closed_list(parent) && ev.is_open_struct(parent) {
        return Ok(true);
    }
    for a in ev.arcs(v).to_vec() {
        let label = ev.label(a);
        if !ev.accepts(parent, label)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Two values as one, of which a third one has to allow all fields.
pub(super) fn unify_accept(ev: &mut Evaluator, a: VId, b: VId, accept: VId) -> Done<VId> {
    let v = ev.new_vertex(Vertex::new(VId::NONE, Label::NONE, ArcType::Member));
    ev.bare_state(v);
    for part in [a, b] {
        let info = CloseInfo::default();
        let info = ev.new_requirement(v, Pos::NONE, info, ReqKind::Embedding);
        let item = Item::Val(Val::bare(Data::Vertex(part)));
        let env = EnvId::NONE;
        ev.vm(v).conjuncts.push(Conjunct { item, env, info });
    }
    ev.finalize_inner(v)?;
    ev.vm(v).parent = ev.vx(a).parent;
    ev.vm(v).label = ev.vx(a).label;
    if !ev.is_err(v) && !allowed(ev, accept, v)? {
        return Err(Stop::Text("field not allowed".to_owned(), Pos::NONE));
    }
    Ok(v)
}

/// Whether a pattern holds for a field of any name, or for an element of any index.
fn matches_any(ev: &mut Evaluator, pattern: Val, element: bool) -> R<bool> {
    if element {
        let label = Label::index_of(MAX_INDEX as usize + 1);
        return ev.matches_pattern(pattern, label);
    }
    if let Data::Vertex(p) = pattern.data {
        ev.finalize_inner(p)?;
    }
    Ok(match ev.unwrap(pattern).data {
        Data::Kind(k) => Kind::STRING.within(k),
        Data::Disj(d) => {
            let values = ev.disjunction(d).values.clone();
            let mut any = false;
            for x in values {
                any |= matches_any(ev, x, element)?;
            }
            any
        }
        _ => false,
    })
}

/// The constraint of fields of any name, or of elements of any index, if there is one.
pub(super) fn any(ev: &mut Evaluator, v: VId, element: bool) -> R<Option<VId>> {
    let holder = ev.deref(v);
    let wanted = if element { Kind::LIST } else { Kind::STRUCT };
    if !kind(ev, holder).meets(wanted) {
        return Ok(None);
    }
    let mut conjuncts = Vec::new();
    for p in ev.vx(holder).patterns().to_vec() {
        if matches_any(ev, p.pattern, element)? {
            conjuncts.extend(ev.vx(p.constraint).conjuncts.iter().copied());
        }
    }
    if conjuncts.is_empty() {
        if !ev.has_ellipsis(holder) {
            return Ok(None);
        }
        conjuncts.push(Conjunct {
            item: Item::Val(Val::bare(Data::Kind(Kind::TOP))),
            env: EnvId::NONE,
            info: CloseInfo::default(),
        });
    }
    let mut x = Vertex::new(v, Label::NONE, ArcType::Member);
    x.conjuncts = conjuncts.into_iter().collect();
    let v = ev.new_vertex(x);
    ev.finalize_inner(v)?;
    Ok(Some(v))
}
