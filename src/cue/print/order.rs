//! The order in which the fields of a struct are printed: a graph of labels that must follow each
//! other, made from the literals that contributed, sorted with the smallest name first where it
//! leaves a choice.

mod evident;
mod graph;
mod short;

use self::graph::Graph;
use self::short::Short;
use crate::eval::context::Evaluator;
use crate::eval::label::{Label, LabelKind};
use crate::eval::program::{DId, Decl, Expr, Op, SId, XId};
use crate::eval::vertex::{Item, RefId, StructInfo, VId};
use crate::syntax::source::{FileId, Pos};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::VecDeque;

/// What literals can be joined by `&` through.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Literal(SId),
    Expr(XId),
}

/// The literals that something came from: almost always one.
type Owners = SmallVec<[u32; 2]>;

/// A contribution of a literal: one literal can come again with each run of a comprehension.
struct Source {
    info: StructInfo,
    /// Its literal, in [`Order::literals`].
    literal: u32,
}

/// A literal that contributed.
struct Literal {
    pos: Pos,
    file: Option<FileId>,
    /// Came through an explicit `&`.
    explicit: bool,
    /// Has a computed label that became a field.
    dynamic: bool,
}

/// Where the order of fields is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// The vertex whose literals count.
    pub literals: VId,
    /// The vertex whose expressions tell which literals were joined by `&`, if any does.
    pub joins: Option<VId>,
}

impl Around {
    /// The vertex itself.
    pub fn own(v: VId) -> Self {
        Self {
            literals: v,
            joins: Some(v),
        }
    }
}

/// Orders that were found before. Many structs are made from the same literals in the same way;
/// their fields are in the same order.
#[derive(Default, Debug)]
pub(super) struct Orders {
    known: FxHashMap<Box<[u32]>, Box<[u32]>>,
    key: Vec<u32>,
    /// How often an order was known.
    hits: usize,
}

/// Structs of more fields or literals are too rarely alike.
const ALIKE: usize = 24;

/// After so many orders, most of which were used but once, no more are remembered.
const TRIED: usize = 256;

/// The fields of a struct.
pub(super) type Arcs = SmallVec<[VId; 8]>;

impl Orders {
    /// Like [`Evaluator::printed_arcs`], for what may be a disjunct. Only one evaluator may be
    /// asked about, and only as long as it reads no more sources.
    pub(super) fn printed_arcs(&mut self, ev: &Evaluator, v: VId, around: Around) -> Arcs {
        if let Some(out) = ev.evident_order(v, around) {
            return out;
        }
        let arcs = &ev.v[v.i()].arcs;
        let few = ev.v[around.literals.i()].structs.len() <= ALIKE && arcs.len() <= ALIKE;
        let remember = few && (self.known.len() < TRIED || self.hits > self.known.len());
        if !remember {
            return ev.found_order(v, around).1;
        }
        self.note_key(ev, v, around);
        if let Some(order) = self.known.get(self.key.as_slice()) {
            self.hits += 1;
            return order.iter().map(|at| arcs[*at as usize]).collect();
        }
        let (order, out) = ev.found_order(v, around);
        let key = self.key.as_slice().into();
        self.known.insert(key, order.as_slice().into());
        out
    }

    /// Everything an order follows from: literals with their comprehension runs, fields with what
    /// declares them and how it came, and the expressions that join literals.
    fn note_key(&mut self, ev: &Evaluator, v: VId, around: Around) {
        let key = &mut self.key;
        key.clear();
        let structs = ev.v[around.literals.i()].structs.as_slice();
        for (i, info) in structs.iter().enumerate() {
            // runs are alike if the same literals share one
            let first = structs.iter().position(|s| s.run == info.run).unwrap_or(i);
            let run = if info.run == 0 { 0 } else { first as u32 + 1 };
            key.extend([info.lit.0, info.repeats, run]);
        }
        for a in &ev.v[v.i()].arcs {
            let arc = &ev.v[a.i()];
            key.extend([u32::MAX, arc.label.bits()]);
            for c in &arc.conjuncts {
                if let Item::Decl(d) = c.item {
                    let reference = ev.outermost(c.info.refs).unwrap_or(XId::NONE);
                    key.extend([d.0, reference.0]);
                }
            }
        }
        key.push(u32::MAX);
        if let Some(joins) = around.joins {
            key.extend(ev.conjuncts(joins).iter().map(|c| ev.conjunct_expr(c).0));
        }
    }
}

impl Evaluator {
    /// The fields of a vertex that was evaluated, in printed order; elements of lists come first.
    pub fn printed_arcs(&self, v: VId) -> Vec<VId> {
        let around = Around::own(v);
        let arcs = self.evident_order(v, around);
        arcs.unwrap_or_else(|| self.found_order(v, around).1)
            .into_vec()
    }

    /// The order where there is no question: of a single field, of one literal that declares all,
    /// or of one that comes before another.
    fn evident_order(&self, v: VId, around: Around) -> Option<Arcs> {
        let arcs = &self.v[v.i()].arcs;
        if arcs.len() < 2 {
            return Some(Arcs::from_slice(arcs));
        }
        if around.literals != v {
            return None;
        }
        let declared = self.declared_order(v);
        if declared.is_some() || around.joins != Some(v) {
            return declared;
        }
        let led = self.led_order(v);
        debug_assert!(
            led.as_ref()
                .is_none_or(|led| *led == self.found_order(v, around).1),
            "the order of the graph"
        );
        led
    }

    /// The order that the literals lead to: places among the fields, and the fields.
    fn found_order(&self, v: VId, around: Around) -> (Sorted, Arcs) {
        let arcs = &self.v[v.i()].arcs;
        let mut order = Order::new(self, v, around).sorted();
        order.retain(|at| (*at as usize) < arcs.len());
        let out = order.iter().map(|at| arcs[*at as usize]).collect();
        (order, out)
    }

    /// The outermost reference of the history of a conjunct.
    fn outermost(&self, history: RefId) -> Option<XId> {
        let mut reference = self.reference(history)?;
        while let Some(next) = self.reference(reference.next) {
            reference = next;
        }
        Some(reference.expr)
    }
}

struct Order<'a> {
    ev: &'a Evaluator,
    v: VId,
    around: Around,
    sources: SmallVec<[Source; 4]>,
    literals: Short<SId, Literal>,
    /// Literals behind references and embedded expressions.
    owners: Short<Node, Owners>,
    /// Labels that computed labels became, in order.
    produced: FxHashMap<DId, VecDeque<Label>>,
    graph: Graph,
}

impl<'a> Order<'a> {
    fn new(ev: &'a Evaluator, v: VId, around: Around) -> Self {
        let structs = &ev.v[around.literals.i()].structs;
        let mut literals = Short::default();
        let sources = structs
            .iter()
            .map(|info| Source {
                info: *info,
                literal: literals.entry(info.lit, || Literal {
                    pos: ev.program.struct_lit(info.lit).pos,
                    file: None,
                    explicit: false,
                    dynamic: false,
                }),
            })
            .collect();
        Self {
            ev,
            v,
            around,
            sources,
            literals,
            owners: Short::default(),
            produced: FxHashMap::default(),
            graph: Graph::default(),
        }
    }

    /// The places of the fields among the arcs; what comes behind them is no field.
    fn sorted(mut self) -> Sorted {
        self.find_embedded();
        self.place_by_arcs();
        self.mark_explicit();
        let ev = self.ev;
        for (lit, literal) in self.literals.iter_mut() {
            literal.file = ev.sources.file_of(literal.pos);
            if !self.produced.is_empty() {
                let decls = ev.program.struct_decls(*lit);
                literal.dynamic = decls.iter().any(|d| self.produced.contains_key(d));
            }
        }
        self.add_edges();
        self.graph.sorted(|a, b| compare_labels(ev, a, b))
    }

    /// Notes what a literal came from; all literals that did.
    fn own(&mut self, node: Node, literal: u32) -> &Owners {
        let at = self.owners.entry(node, Owners::new);
        let owners = self.owners.at_mut(at);
        if !owners.contains(&literal) {
            owners.push(literal);
        }
        owners
    }

    /// The embedded expressions of the literals.
    fn embedded(&self, lit: SId) -> impl Iterator<Item = XId> + 'a {
        let program = &self.ev.program;
        let decls = match program.struct_lit(lit).embeds {
            true => program.struct_decls(lit),
            false => &[],
        };
        decls.iter().filter_map(|d| match program.decl(*d) {
            Decl::Embed(x) => Some(x),
            _ => None,
        })
    }

    fn find_embedded(&mut self) {
        for at in 0..self.literals.len() as u32 {
            for x in self.embedded(self.literals.key(at)) {
                self.own(self.node_of(x), at);
            }
        }
    }

    fn node_of(&self, x: XId) -> Node {
        match self.ev.program.expr(x) {
            Expr::Struct(s) => Node::Literal(s),
            _ => Node::Expr(x),
        }
    }

    /// A literal stands where its last field was declared, or where the reference to it stands.
    fn place_by_arcs(&mut self) {
        let ev = self.ev;
        // The reference of the conjunct before, and its literal: most fields come together.
        let mut moved = None;
        for a in &ev.v[self.v.i()].arcs {
            let arc = &ev.v[a.i()];
            self.graph.add(arc.label);
            for c in &arc.conjuncts {
                let Item::Decl(d) = c.item else {
                    continue;
                };
                if matches!(ev.program.decl(d), Decl::Dynamic { .. }) {
                    self.produced.entry(d).or_default().push_back(arc.label);
                }
                let Some(literal) = self.literals.find(ev.program.decl_struct(d)) else {
                    continue;
                };
                let reference = ev.outermost(c.info.refs);
                if moved == Some((reference, literal)) {
                    continue;
                }
                moved = None;
                let pos = ev.program.decl_pos(d);
                if pos.is_valid() {
                    self.literals.at_mut(literal).pos = pos;
                }
                let Some(expr) = reference else {
                    continue;
                };
                let pos = ev.program.pos(expr);
                let owners: Owners = self.own(Node::Expr(expr), literal).clone();
                if pos.is_valid() {
                    for literal in owners {
                        self.literals.at_mut(literal).pos = pos;
                    }
                    moved = Some((reference, literal));
                }
            }
        }
    }

    fn mark_explicit(&mut self) {
        let ev = self.ev;
        let own = self.around.joins.map_or(&[][..], |v| ev.conjuncts(v));
        let mut work: SmallVec<[XId; 8]> = own.iter().map(|c| ev.conjunct_expr(c)).collect();
        for at in 0..self.literals.len() as u32 {
            work.extend(self.embedded(self.literals.key(at)));
        }
        while let Some(x) = work.pop() {
            let Expr::Binary(Op::And, a, b) = ev.program.expr(x) else {
                continue;
            };
            for side in [a, b] {
                let node = self.node_of(side);
                if let Node::Literal(lit) = node
                    && let Some(at) = self.literals.find(lit)
                {
                    self.literals.at_mut(at).explicit = true;
                }
                if let Some(found) = self.owners.find(node) {
                    for literal in self.owners.at(found) {
                        self.literals.at_mut(*literal).explicit = true;
                    }
                }
                work.push(side);
            }
        }
    }

    fn literal(&self, source: usize) -> &Literal {
        self.literals.at(self.sources[source].literal)
    }

    /// Literals in source order, those of one comprehension run round by round.
    fn roots(&self) -> SmallVec<[usize; 4]> {
        let mut order: SmallVec<[usize; 4]> = (0..self.sources.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (self.literal(*a), self.literal(*b));
            let missing = (!a.pos.is_valid()).cmp(&!b.pos.is_valid());
            missing
                .then_with(|| self.ev.sources.compare(a.pos, b.pos))
                .then_with(|| a.dynamic.cmp(&b.dynamic))
        });
        let mut out = SmallVec::with_capacity(order.len());
        let mut i = 0;
        while i < order.len() {
            let first = self.sources[order[i]].info;
            let mut end = i + 1;
            if first.run != 0 {
                while end < order.len() && self.sources[order[end]].info.run == first.run {
                    end += 1;
                }
            }
            for _ in 0..=first.repeats {
                out.extend_from_slice(&order[i..end]);
            }
            i = end;
        }
        out
    }

    /// Neighbours at one place together; explicit neighbours of one file together.
    fn batches(&self) -> SmallVec<[(bool, Batch); 4]> {
        let mut out: SmallVec<[(bool, Batch); 4]> = SmallVec::new();
        let mut add = |batch: Batch| {
            let explicit = batch.len() > 1 || self.literal(batch[0]).explicit;
            match out.last_mut() {
                Some((true, last))
                    if explicit && self.literal(last[0]).file == self.literal(batch[0]).file =>
                {
                    last.extend(batch);
                }
                _ => out.push((explicit, batch)),
            }
        };
        let mut batch = Batch::new();
        for root in self.roots() {
            let joins = batch.first().is_none_or(|first| {
                let (first, root) = (self.literal(*first), self.literal(root));
                first.pos == root.pos && !root.dynamic
            });
            if !joins {
                add(std::mem::take(&mut batch));
            }
            batch.push(root);
        }
        if !batch.is_empty() {
            add(batch);
        }
        out
    }

    fn add_edges(&mut self) {
        let mut previous = Nodes::new();
        let mut file = None;
        for (i, (explicit, batch)) in self.batches().into_iter().enumerate() {
            let own = self.literal(batch[0]).file;
            if i > 0 && file != own {
                previous.clear();
            }
            file = own;
            let mut next = Nodes::new();
            for root in batch {
                next.extend(self.chain(root, explicit, &previous));
            }
            previous = next;
        }
    }

    /// Adds the labels of a literal one after the other; returns the last ones.
    fn chain(&mut self, root: usize, explicit: bool, previous: &[u32]) -> Nodes {
        let ev = self.ev;
        let mut current = Nodes::from_slice(previous);
        let (pos, file) = (self.literal(root).pos, self.literal(root).file);
        for d in ev.program.struct_decls(self.sources[root].info.lit) {
            let label = match ev.program.decl(*d) {
                Decl::Field { label, .. } => label,
                Decl::Dynamic { .. } => {
                    match self.produced.get_mut(d).and_then(VecDeque::pop_front) {
                        Some(label) => label,
                        None => continue,
                    }
                }
                _ => continue,
            };
            let node = self.graph.add(label);
            if let Some(placed) = self.graph.placed(node) {
                let same_file = self.literal(placed).file == file;
                if placed == root || (!explicit && pos.is_valid() && same_file) {
                    continue;
                }
            }
            self.graph.place(node, root);
            for before in &current {
                self.graph.edge(*before, node);
            }
            current.clear();
            current.push(node);
        }
        current
    }
}

/// Places of fields among the arcs.
type Sorted = SmallVec<[u32; 8]>;

/// Contributions that stand together.
type Batch = SmallVec<[usize; 2]>;

/// Nodes of the graph.
type Nodes = SmallVec<[u32; 4]>;

/// Elements by index, then fields by the bytes of their names.
fn compare_labels(ev: &Evaluator, a: Label, b: Label) -> Ordering {
    match (a.kind(), b.kind()) {
        (LabelKind::Int, LabelKind::Int) => a.index().cmp(&b.index()),
        (LabelKind::Int, _) => Ordering::Less,
        (_, LabelKind::Int) => Ordering::Greater,
        _ => ev
            .names
            .get(a.name())
            .as_bytes()
            .cmp(ev.names.get(b.name()).as_bytes()),
    }
}
