//! The order in which the fields of a struct are printed: a graph of labels that must follow each
//! other, made from the literals that contributed, sorted with the smallest name first where it
//! leaves a choice.

mod graph;

use self::graph::Graph;
use crate::eval::context::Evaluator;
use crate::eval::label::{Label, LabelKind};
use crate::eval::program::{DId, Decl, Expr, Op, SId, XId};
use crate::eval::vertex::{Item, StructInfo, VId};
use crate::syntax::source::{FileId, Pos};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// What a contribution can be recognised by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    Literal(SId),
    Decl(DId),
    Expr(XId),
}

/// The literals that something came from: almost always one.
type Owners = SmallVec<[u32; 2]>;

/// More contributions than this are found through an index.
const LINEAR: usize = 24;

/// Which literals contributions came from.
#[derive(Default)]
struct Origins {
    list: Vec<(Node, Owners)>,
    /// Where each contribution is, once there are many.
    index: FxHashMap<(u8, u32), u32>,
}

impl Origins {
    fn get(&self, node: Node) -> Option<&Owners> {
        Some(&self.list[self.find(node)?].1)
    }

    fn find(&self, node: Node) -> Option<usize> {
        if self.index.is_empty() {
            return self.list.iter().position(|(n, _)| *n == node);
        }
        self.index.get(&node.key()).map(|i| *i as usize)
    }

    fn add(&mut self, node: Node, source: u32) {
        if let Some(at) = self.find(node) {
            let owners = &mut self.list[at].1;
            if !owners.contains(&source) {
                owners.push(source);
            }
            return;
        }
        self.list.push((node, smallvec![source]));
        let last = self.list.len() as u32 - 1;
        if !self.index.is_empty() {
            self.index.insert(node.key(), last);
        } else if self.list.len() > LINEAR {
            let all = self.list.iter().zip(0..);
            self.index = all.map(|((n, _), i)| (n.key(), i)).collect();
        }
    }
}

impl Node {
    fn key(self) -> (u8, u32) {
        match self {
            Node::Literal(s) => (0, s.0),
            Node::Decl(d) => (1, d.0),
            Node::Expr(x) => (2, x.0),
        }
    }
}

/// A literal that contributed.
struct Source {
    info: StructInfo,
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

impl Evaluator {
    /// The fields of a vertex that was evaluated, in printed order; elements of lists come first.
    pub fn printed_arcs(&self, v: VId) -> Vec<VId> {
        self.printed_arcs_around(v, Around::own(v))
    }

    /// Like [`Evaluator::printed_arcs`], for what may be a disjunct.
    pub fn printed_arcs_around(&self, v: VId, around: Around) -> Vec<VId> {
        let arcs = &self.v[v.i()].arcs;
        if arcs.len() < 2 {
            return arcs.to_vec();
        }
        if around.literals == v
            && let Some(out) = self.declared_order(v)
        {
            return out;
        }
        let labels = Order::new(self, v, around).sorted();
        labels.iter().filter_map(|l| self.arc_raw(v, *l)).collect()
    }

    /// The order of the only literal, if all fields are declared in it.
    fn declared_order(&self, v: VId) -> Option<Vec<VId>> {
        let vertex = &self.v[v.i()];
        let [info] = vertex.structs.as_slice() else {
            return None;
        };
        if info.repeats > 0 {
            return None;
        }
        let arcs = vertex.arcs.as_slice();
        let mut placed = 0;
        for d in self.program.struct_decls(info.lit) {
            let Decl::Field { label, .. } = self.program.decl(*d) else {
                return None;
            };
            if arcs
                .get(placed)
                .is_some_and(|a| self.v[a.i()].label == label)
            {
                placed += 1;
            } else if !arcs[..placed]
                .iter()
                .rev()
                .any(|a| self.v[a.i()].label == label)
            {
                return None;
            }
        }
        (placed == arcs.len()).then(|| vertex.arcs.to_vec())
    }
}

struct Order<'a> {
    ev: &'a Evaluator,
    v: VId,
    around: Around,
    sources: Vec<Source>,
    owners: Origins,
    /// Labels that computed labels became, in order.
    produced: FxHashMap<DId, VecDeque<Label>>,
    graph: Graph,
}

impl<'a> Order<'a> {
    fn new(ev: &'a Evaluator, v: VId, around: Around) -> Self {
        let sources = ev.v[around.literals.i()]
            .structs
            .iter()
            .map(|info| {
                let pos = ev.program.struct_lit(info.lit).pos;
                let file = ev.sources.file_of(pos);
                Source {
                    info: *info,
                    pos,
                    file,
                    explicit: false,
                    dynamic: false,
                }
            })
            .collect();
        let owners = Origins::default();
        let produced = FxHashMap::default();
        Self {
            ev,
            v,
            around,
            sources,
            owners,
            produced,
            graph: Graph::default(),
        }
    }

    fn sorted(mut self) -> Vec<Label> {
        self.find_owners();
        self.place_by_arcs();
        self.mark_explicit();
        if !self.produced.is_empty() {
            for source in &mut self.sources {
                let decls = self.ev.program.struct_decls(source.info.lit);
                source.dynamic = decls.iter().any(|d| self.produced.contains_key(d));
            }
        }
        self.add_edges();
        let ev = self.ev;
        self.graph.sorted(|a, b| compare_labels(ev, a, b))
    }

    fn find_owners(&mut self) {
        let program = &self.ev.program;
        let decls = |s: &Source| program.struct_decls(s.info.lit).len() + 1;
        self.owners
            .list
            .reserve(self.sources.iter().map(decls).sum());
        for i in 0..self.sources.len() {
            let lit = self.sources[i].info.lit;
            self.owners.add(Node::Literal(lit), i as u32);
            for d in program.struct_decls(lit) {
                match program.decl(*d) {
                    Decl::Embed(x) => self.owners.add(self.node_of(x), i as u32),
                    _ => self.owners.add(Node::Decl(*d), i as u32),
                }
            }
        }
    }

    fn node_of(&self, x: XId) -> Node {
        match self.ev.program.expr(x) {
            Expr::Struct(s) => Node::Literal(s),
            _ => Node::Expr(x),
        }
    }

    fn move_to(&mut self, sources: &Owners, pos: Pos) {
        let file = self.ev.sources.file_of(pos);
        for i in sources {
            self.sources[*i as usize].pos = pos;
            self.sources[*i as usize].file = file;
        }
    }

    /// A literal stands where its last field was declared, or where the reference to it stands.
    fn place_by_arcs(&mut self) {
        let ev = self.ev;
        for a in &ev.v[self.v.i()].arcs {
            let arc = &ev.v[a.i()];
            self.graph.node(arc.label);
            for c in &arc.conjuncts {
                let Item::Decl(d) = c.item else {
                    continue;
                };
                if matches!(ev.program.decl(d), Decl::Dynamic { .. }) {
                    self.produced.entry(d).or_default().push_back(arc.label);
                }
                let Some(found) = self.owners.get(Node::Decl(d)).cloned() else {
                    continue;
                };
                let pos = ev.program.decl_pos(d);
                if pos.is_valid() {
                    self.move_to(&found, pos);
                }
                let Some(mut reference) = ev.reference(c.info.refs) else {
                    continue;
                };
                while let Some(next) = ev.reference(reference.next) {
                    reference = next;
                }
                let node = Node::Expr(reference.expr);
                for i in found {
                    self.owners.add(node, i);
                }
                let pos = ev.program.pos(reference.expr);
                if pos.is_valid()
                    && let Some(all) = self.owners.get(node).cloned()
                {
                    self.move_to(&all, pos);
                }
            }
        }
    }

    fn mark_explicit(&mut self) {
        let ev = self.ev;
        let own = self.around.joins.map_or(&[][..], |v| ev.conjuncts(v));
        let mut work: Vec<XId> = own.iter().map(|c| ev.conjunct_expr(c)).collect();
        for source in &self.sources {
            for d in ev.program.struct_decls(source.info.lit) {
                if let Decl::Embed(x) = ev.program.decl(*d) {
                    work.push(x);
                }
            }
        }
        while let Some(x) = work.pop() {
            let Expr::Binary(Op::And, a, b) = ev.program.expr(x) else {
                continue;
            };
            for side in [a, b] {
                if let Some(found) = self.owners.get(self.node_of(side)) {
                    for i in found {
                        self.sources[*i as usize].explicit = true;
                    }
                }
                work.push(side);
            }
        }
    }

    /// Literals in source order, those of one comprehension run round by round.
    fn roots(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sources.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.sources[*a], &self.sources[*b]);
            let missing = (!a.pos.is_valid()).cmp(&!b.pos.is_valid());
            missing
                .then_with(|| self.ev.sources.compare(a.pos, b.pos))
                .then_with(|| a.dynamic.cmp(&b.dynamic))
        });
        let mut out = Vec::with_capacity(order.len());
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
    fn batches(&self) -> Vec<(bool, Vec<usize>)> {
        let mut out: Vec<(bool, Vec<usize>)> = Vec::new();
        let mut add = |batch: Vec<usize>| {
            let explicit = batch.len() > 1 || self.sources[batch[0]].explicit;
            match out.last_mut() {
                Some((true, last))
                    if explicit && self.sources[last[0]].file == self.sources[batch[0]].file =>
                {
                    last.extend(batch);
                }
                _ => out.push((explicit, batch)),
            }
        };
        let mut batch: Vec<usize> = Vec::new();
        for root in self.roots() {
            let joins = batch.first().is_none_or(|first| {
                self.sources[*first].pos == self.sources[root].pos && !self.sources[root].dynamic
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
        let mut previous: Vec<Label> = Vec::new();
        let mut file = None;
        for (i, (explicit, batch)) in self.batches().into_iter().enumerate() {
            let own = self.sources[batch[0]].file;
            if i > 0 && file != own {
                previous.clear();
            }
            file = own;
            let mut next = Vec::new();
            for root in batch {
                next.extend(self.chain(root, explicit, &previous));
            }
            previous = next;
        }
    }

    /// Adds the labels of a literal one after the other; returns the last ones.
    fn chain(&mut self, root: usize, explicit: bool, previous: &[Label]) -> SmallVec<[Label; 4]> {
        let ev = self.ev;
        let mut current = SmallVec::from_slice(previous);
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
            let source = &self.sources[root];
            let (pos, file) = (source.pos, source.file);
            if let Some(placed) = self.graph.placed(label) {
                let same_file = self.sources[placed].file == file;
                if placed == root || (!explicit && pos.is_valid() && same_file) {
                    continue;
                }
            }
            self.graph.place(label, root);
            for before in &current {
                self.graph.edge(*before, label);
            }
            current.clear();
            current.push(label);
        }
        current
    }
}

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
