//! Definition mode: literals of one place pooled into one struct, everything else left as it is.

use super::order_of_conjuncts::Part;
use super::origin::{Attribute, add_new};
use super::printer::{Member, Printer};
use super::source::constraint;
use crate::eval::kind::{ArcType, Kind};
use crate::eval::label::Label;
use crate::eval::program::{DId, Decl, Expr, Op, SId, XId};
use crate::eval::value::{Data, Val};
use crate::eval::vertex::{Conjunct, EnvId, Item, VId};
use crate::syntax::source::Pos;
use crate::syntax::tree::{self, Decl as TreeDecl, DeclId, ExprId, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A conjunct and how many literals lie between it and the frame.
type Placed = (Part, u32);

/// A label of the pooled struct.
#[derive(Default)]
struct Pooled {
    arc: Option<ArcType>,
    vertex: VId,
    conjuncts: Vec<Placed>,
}

/// What the conjuncts of one vertex come to.
#[derive(Default)]
struct Pool {
    values: Vec<Conjunct>,
    embeds: Vec<ExprId>,
    conjuncts: Vec<ExprId>,
    /// Labels of each literal, with the count of its repetitions, for the order of fields.
    fronts: Vec<Vec<Label>>,
    literals: usize,
    fields: FxHashMap<Label, Pooled>,
    attributes: Vec<Attribute>,
    ellipsis: bool,
    data: bool,
}

impl Printer<'_> {
    /// A vertex in definition mode.
    pub(super) fn merged_vertex(&mut self, v: VId) -> ExprId {
        if self.ev.is_data(v) {
            return self.vertex(v);
        }
        let parts: Vec<Placed> = self
            .ev
            .vx(v)
            .conjuncts
            .iter()
            .map(|c| (Part::of_conjunct(self.ev, c), 0))
            .collect();
        self.nested(|p| p.merge(v, &parts))
    }

    /// A struct literal in definition mode.
    pub(super) fn merged_literal(&mut self, env: EnvId, x: XId) -> ExprId {
        self.merge(VId::default(), &[(Part::Expr(x, env, None), 0)])
    }

    /// A struct literal that is the value of a field of the vertex being printed.
    pub(super) fn merged_field(&mut self, env: EnvId, x: XId, label: Label) -> ExprId {
        let node = self.node();
        let v = if super::source::is_nothing(node) {
            None
        } else {
            self.ev.arc_raw(node, label)
        };
        self.merge(v.unwrap_or_default(), &[(Part::Expr(x, env, None), 0)])
    }

    fn merge(&mut self, v: VId, parts: &[Placed]) -> ExprId {
        self.push(v, 0);
        let mut pool = Pool::default();
        for (part, _) in parts {
            if let Part::Expr(x, ..) = part {
                self.mark_lets(*x);
            }
        }
        let has_lets = self.stack.last().is_some_and(|f| !f.members.is_empty());
        let mut seen: Vec<Part> = Vec::new();
        for (part, up) in parts {
            self.set_up(*up);
            if !seen.iter().any(|p| p.same_node(part)) {
                seen.push(*part);
                self.pool(&mut pool, v, part, false);
            }
        }
        if !super::source::is_nothing(v) {
            for a in self.ev.vx(v).arcs.clone() {
                let arc = self.ev.vx(a);
                if let Some(pooled) = pool.fields.get_mut(&arc.label) {
                    pooled.vertex = a;
                    pooled.arc = Some(arc.arc);
                }
            }
        }
        self.assemble(v, pool, has_lets)
    }

    fn set_up(&mut self, up: u32) {
        if let Some(frame) = self.top() {
            frame.up = up;
        }
    }

    fn raise(&mut self, by: i32) {
        if let Some(frame) = self.top() {
            frame.up = frame.up.saturating_add_signed(by);
        }
    }

    fn pool(&mut self, pool: &mut Pool, src: VId, part: &Part, embedded: bool) {
        self.nested(|p| match *part {
            Part::Value(v) => p.pool_value(pool, src, v),
            Part::Expr(x, env, _) => p.pool_expr(pool, src, env, x, embedded),
        });
    }

    fn pool_value(&mut self, pool: &mut Pool, src: VId, v: Val) {
        let Data::Vertex(w) = v.data else {
            if !self.drops_top(src, v) {
                self.pool_scalar(pool, Item::Val(v), EnvId::default());
            }
            return;
        };
        if let Some(e) = self.ev.vx(w).base.err()
            && (!self.ev.error(e).code.is_incomplete() || self.profile.is_final)
        {
            let item = Item::Val(Val::bare(Data::Err(e)));
            self.pool_scalar(pool, item, EnvId::default());
            return;
        }
        if !self.ev.is_data(w) {
            for c in self.ev.vx(w).conjuncts.clone() {
                let part = Part::of_conjunct(self.ev, &c);
                self.pool(pool, w, &part, false);
            }
            return;
        }
        pool.data = true;
        let base = self.ev.vx(w).base;
        if !matches!(
            base.data,
            Data::Struct | Data::List(_) | Data::Unset | Data::Vertex(_)
        ) && !self.drops_top(src, base)
        {
            self.pool_scalar(pool, Item::Val(base), EnvId::default());
        }
        for info in self.ev.vx(w).structs.clone() {
            let front: Vec<Label> = (self.ev.program.struct_decls(info.lit).iter())
                .filter_map(|d| match self.ev.program.decl(*d) {
                    Decl::Field { label, .. } => Some(label),
                    _ => None,
                })
                .collect();
            for _ in 0..=info.repeats {
                pool.fronts.push(front.clone());
            }
        }
        let up = self.stack.last().map_or(0, |f| f.up);
        for a in self.ev.vx(w).arcs.clone() {
            let (label, arc) = (self.ev.vx(a).label, self.ev.vx(a).arc);
            let value = Part::Value(Val::bare(Data::Vertex(a)));
            pool_field(pool, label, arc, (value, up));
        }
    }

    /// Whether a value is `_` beside something that says more.
    fn drops_top(&self, src: VId, v: Val) -> bool {
        let top = Data::Kind(Kind::TOP);
        v.data == top && !super::source::is_nothing(src) && self.ev.vx(src).base.data != top
    }

    fn pool_scalar(&mut self, pool: &mut Pool, item: Item, env: EnvId) {
        let info = Default::default();
        pool.values.push(Conjunct { item, env, info });
    }

    fn pool_expr(&mut self, pool: &mut Pool, src: VId, env: EnvId, x: XId, embedded: bool) {
        match self.ev.program.expr(x) {
            Expr::Struct(s) => self.pool_literal(pool, src, env, x, s),
            Expr::Val(v) if matches!(v.data, Data::Vertex(_)) => self.pool_value(pool, src, v),
            Expr::Val(v) => {
                // the expression knows how it was written
                if !self.drops_top(src, v) {
                    self.pool_scalar(pool, Item::Expr(x), env);
                }
            }
            Expr::Binary(Op::And, a, b) if !embedded => {
                self.pool(pool, src, &Part::Expr(a, env, None), false);
                self.pool(pool, src, &Part::Expr(b, env, None), false);
            }
            _ if self.is_self_contained(x) => {
                self.pool_scalar(pool, Item::Expr(x), env);
            }
            _ if embedded => {
                let x = self.expr(env, x);
                pool.embeds.push(x);
            }
            _ => {
                let x = self.expr(env, x);
                pool.conjuncts.push(x);
            }
        }
    }

    fn pool_literal(&mut self, pool: &mut Pool, src: VId, env: EnvId, x: XId, s: SId) {
        self.raise(1);
        if self.profile.attributes {
            add_new(&mut pool.attributes, self.ev.attributes_of_struct(x));
        }
        if self.is_complex(s) {
            self.push(src, 0);
            if let Some(frame) = self.top() {
                frame.up = 1;
                frame.within = true;
            }
            let x = self.adt(env, x);
            let members = self.pop();
            let lets = self.members(members);
            let x = self.with_lets(x, lets);
            pool.embeds.push(x);
            self.raise(-1);
            return;
        }
        pool.literals += 1;
        let node = self.node();
        let env = self.ev.new_env(env, node);
        let at = pool.fronts.len();
        pool.fronts.push(Vec::new());
        let mut front = Vec::new();
        for d in self.ev.program.struct_decls(s).to_vec() {
            match self.ev.program.decl(d) {
                Decl::Field { label, arc, value } => {
                    front.push(label);
                    let up = self.stack.last().map_or(0, |f| f.up);
                    pool_field(pool, label, arc, (Part::Expr(value, env, Some(d)), up));
                }
                Decl::Ellipsis => pool.ellipsis = true,
                Decl::Embed(x) => {
                    self.pool(pool, VId::default(), &Part::Expr(x, env, None), true);
                }
                Decl::Let { .. }
                | Decl::Pattern { .. }
                | Decl::Dynamic { .. }
                | Decl::Comprehension(_) => {}
            }
        }
        pool.fronts[at] = front;
        self.raise(-1);
    }

    fn with_lets(&mut self, x: ExprId, lets: Vec<DeclId>) -> ExprId {
        if lets.is_empty() {
            return x;
        }
        let mut decls = lets;
        match self.out.tree.expr(x) {
            tree::Expr::Struct { decls: own, .. } => {
                decls.extend_from_slice(self.out.tree.decl_list(own));
            }
            _ => decls.push(self.out.embed(x)),
        }
        self.out.structure(&decls)
    }

    /// Whether a literal has members that cannot be pooled.
    fn is_complex(&self, s: SId) -> bool {
        self.ev
            .program
            .struct_decls(s)
            .iter()
            .any(|d| match self.ev.program.decl(*d) {
                Decl::Pattern { .. } | Decl::Dynamic { .. } | Decl::Comprehension(_) => true,
                Decl::Field { .. } => self.ev.label_alias(*d).is_some(),
                Decl::Let { .. } | Decl::Ellipsis | Decl::Embed(_) => false,
            })
    }

    fn is_self_contained(&self, x: XId) -> bool {
        let mut work = vec![x];
        while let Some(x) = work.pop() {
            match self.ev.program.expr(x) {
                Expr::Binary(_, a, b) => work.extend([a, b]),
                Expr::Unary(_, a) | Expr::Bound(_, a) => work.push(a),
                Expr::Val(_) => {}
                _ => return false,
            }
        }
        true
    }

    /// The pooled values, unified.
    fn unified(&mut self, values: Vec<Conjunct>) -> ExprId {
        if let [one] = values.as_slice()
            && let Item::Val(v) = one.item
        {
            return self.value(v, None);
        }
        let text = values.iter().find_map(|c| self.ev.literal_of(&c.item));
        let v = self.ev.inline_vertex(values);
        self.ev.finalize(v);
        let base = self.ev.vx(v).base;
        match (base.data, text) {
            (Data::Struct | Data::List(_) | Data::Unset, _) => self.vertex(v),
            (Data::Err(e), _) if self.ev.error(e).code.is_incomplete() => self.vertex(v),
            (Data::Int(_) | Data::Num(_) | Data::Str(_) | Data::Bytes(_), Some((kind, text))) => {
                self.out.literal(kind, &text)
            }
            _ => self.value(base, Some(v)),
        }
    }

    fn assemble(&mut self, v: VId, mut pool: Pool, has_lets: bool) -> ExprId {
        self.add_attributes(&pool.attributes);
        if !pool.values.is_empty() {
            let values = std::mem::take(&mut pool.values);
            let x = self.unified(values);
            pool.embeds.push(x);
        }
        if pool.fields.is_empty() && !pool.ellipsis {
            match (
                pool.embeds.len() + pool.conjuncts.len(),
                pool.attributes.is_empty(),
            ) {
                (0, true) => {
                    if pool.literals > 0 || pool.data {
                        return self.finish(v, false);
                    }
                    self.pop();
                    return self.ident("_");
                }
                (1, true) if !has_lets => {
                    self.pop();
                    return pool
                        .conjuncts
                        .first()
                        .or(pool.embeds.first())
                        .copied()
                        .unwrap_or(ExprId(0));
                }
                (1, _) => {
                    let x = pool.conjuncts.first().or(pool.embeds.first()).copied();
                    if let Some(x) = x
                        && let tree::Expr::Struct { decls, .. } = self.out.tree.expr(x)
                    {
                        for d in self.out.tree.decl_list(decls).to_vec() {
                            self.add(Member::Decl(d));
                        }
                        return self.finish(v, false);
                    }
                }
                _ => {}
            }
        }
        for x in &pool.embeds {
            let d = self.out.embed(*x);
            self.add(Member::Decl(d));
        }
        for (label, pooled) in sorted_fields(&mut pool) {
            if !label.is_let() {
                self.pooled_field(label, &pooled);
            }
        }
        if pool.ellipsis {
            let d = self.out.decl(TreeDecl::Ellipsis { pos: Pos::NONE });
            self.add(Member::Decl(d));
        }
        let empty = self.stack.last().is_none_or(|f| f.members.is_empty());
        let whole = self.finish(v, pool.ellipsis);
        if pool.conjuncts.is_empty() {
            return whole;
        }
        if pool.literals > 0 || !empty {
            pool.conjuncts.push(whole);
        }
        self.out.chain(Op::And, &pool.conjuncts).unwrap_or(whole)
    }

    /// The members of the frame as a struct, in `close()` where that is what the value is.
    fn finish(&mut self, v: VId, ellipsis: bool) -> ExprId {
        let members = self.pop();
        let decls = self.members(members);
        let x = self.out.structure(&decls);
        let closed = !super::source::is_nothing(v) && self.ev.vx(v).closed_here();
        if closed && !ellipsis {
            let close = self.ident("close");
            return self.out.call(close, &[x]);
        }
        x
    }

    fn pooled_field(&mut self, label: Label, pooled: &Pooled) {
        let name = self.label(label);
        if label.is_definition() {
            self.in_definition += 1;
        }
        let aliases: Vec<String> = (pooled.conjuncts.iter())
            .filter_map(|(part, _)| match part {
                Part::Expr(_, _, Some(d)) => self.ev.value_alias(*d),
                _ => None,
            })
            .collect();
        let alias = aliases.first().map(|name| self.unique(name));
        let around = self.names.aliases.len();
        if let Some(alias) = &alias {
            let printed = aliases.into_iter().map(|name| (name, alias.clone()));
            self.names.aliases.extend(printed);
        }
        let mut value = self.nested(|p| p.merge(pooled.vertex, &pooled.conjuncts));
        self.names.aliases.truncate(around);
        if let Some(alias) = alias {
            value = self.out.alias(&mut self.ev.names, &alias, value);
        }
        self.link_field(pooled.vertex, value);
        if label.is_definition() {
            self.in_definition -= 1;
        }
        let decls: Vec<DId> = pooled
            .conjuncts
            .iter()
            .filter_map(|(part, _)| match part {
                Part::Expr(_, _, d) => *d,
                Part::Value(_) => None,
            })
            .collect();
        let mut attributes = Vec::new();
        if self.profile.attributes {
            for d in &decls {
                for text in self.ev.attributes_of_decl(*d) {
                    if !attributes.contains(&text) {
                        attributes.push(text);
                    }
                }
            }
        }
        let attrs = self.out.attrs(&attributes);
        let mark = constraint(pooled.arc.unwrap_or(ArcType::Member));
        let field = self.out.field(name, mark, value, attrs);
        if self.profile.docs {
            self.doc_comments_of(&decls, NodeId::Decl(field), false);
        }
        if let Some(frame) = self.top() {
            frame.fields.push((label, field));
        }
        self.add(Member::Decl(field));
    }
}

fn pool_field(pool: &mut Pool, label: Label, arc: ArcType, conjunct: Placed) {
    let pooled = pool.fields.entry(label).or_default();
    pooled.arc = Some(pooled.arc.map_or(arc, |old| old.min(arc)));
    pooled.conjuncts.push(conjunct);
}

/// The pooled fields in order: heads of the literals' lists first that nothing else waits for.
fn sorted_fields(pool: &mut Pool) -> Vec<(Label, Pooled)> {
    let mut fronts: Vec<std::collections::VecDeque<Label>> =
        pool.fronts.drain(..).map(Into::into).collect();
    let mut waiting: FxHashMap<Label, usize> = FxHashMap::default();
    for front in &fronts {
        for label in front.iter().skip(1) {
            *waiting.entry(*label).or_default() += 1;
        }
    }
    let mut order: Vec<Label> = Vec::new();
    let mut done: FxHashSet<Label> = FxHashSet::default();
    loop {
        fronts.retain(|f| !f.is_empty());
        if fronts.is_empty() {
            break;
        }
        let ready = fronts
            .iter()
            .position(|f| waiting.get(&f[0]).is_none_or(|n| *n == 0));
        let Some(i) = ready else {
            // a circle: the first list goes on
            waiting.insert(fronts[0][0], 0);
            continue;
        };
        let Some(label) = fronts[i].pop_front() else {
            continue;
        };
        // the last label of a list waits until nothing else can go on
        if fronts[i].len() > 1
            && let Some(n) = waiting.get_mut(&fronts[i][0])
        {
            *n = n.saturating_sub(1);
        }
        if done.insert(label) {
            order.push(label);
        }
    }
    let mut rest: Vec<Label> = pool
        .fields
        .keys()
        .copied()
        .filter(|l| !done.contains(l))
        .collect();
    rest.sort_unstable();
    order.extend(rest);
    order
        .into_iter()
        .filter_map(|l| pool.fields.remove(&l).map(|p| (l, p)))
        .collect()
}
