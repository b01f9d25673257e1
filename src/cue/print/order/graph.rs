//! A graph of labels, sorted so that edges point forward; labels on a circle stand together by
//! name.

use crate::eval::label::Label;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

struct Vertex {
    label: Label,
    /// The literal that placed the label last.
    placed: Option<usize>,
    out: Vec<u32>,
}

#[derive(Default)]
pub(super) struct Graph {
    vertices: Vec<Vertex>,
    index: FxHashMap<Label, u32>,
    edges: FxHashSet<(u32, u32)>,
}

impl Graph {
    pub(super) fn node(&mut self, label: Label) -> u32 {
        *self.index.entry(label).or_insert_with(|| {
            self.vertices.push(Vertex {
                label,
                placed: None,
                out: Vec::new(),
            });
            self.vertices.len() as u32 - 1
        })
    }

    /// The literal that placed a label, if one did.
    pub(super) fn placed(&self, label: Label) -> Option<usize> {
        self.vertices[*self.index.get(&label)? as usize].placed
    }

    pub(super) fn place(&mut self, label: Label, by: usize) {
        let node = self.node(label);
        self.vertices[node as usize].placed = Some(by);
    }

    pub(super) fn edge(&mut self, from: Label, to: Label) {
        let (from, to) = (self.node(from), self.node(to));
        if self.edges.insert((from, to)) {
            self.vertices[from as usize].out.push(to);
        }
    }

    /// All labels: always the ready component with the smallest labels next.
    pub(super) fn sorted(&self, compare: impl Fn(Label, Label) -> Ordering) -> Vec<Label> {
        // ranks by name make components comparable as lists of numbers
        let mut by_name: Vec<u32> = (0..self.vertices.len() as u32).collect();
        by_name.sort_by(|a, b| compare(self.label(*a), self.label(*b)));
        let mut rank = vec![0u32; by_name.len()];
        for (i, node) in by_name.iter().enumerate() {
            rank[*node as usize] = i as u32;
        }
        let component = self.components();
        let count = component.iter().max().map_or(0, |c| *c as usize + 1);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for node in &by_name {
            members[component[*node as usize] as usize].push(rank[*node as usize]);
        }
        let mut waiting = vec![0u32; count];
        let mut between = FxHashSet::default();
        for &(from, to) in &self.edges {
            let (from, to) = (component[from as usize], component[to as usize]);
            if from != to && between.insert((from, to)) {
                waiting[to as usize] += 1;
            }
        }
        let mut out_of: Vec<Vec<u32>> = vec![Vec::new(); count];
        for &(from, to) in &between {
            out_of[from as usize].push(to);
        }
        let mut ready: BinaryHeap<std::cmp::Reverse<(Vec<u32>, u32)>> = BinaryHeap::new();
        let mut push = |c: u32| ready.push(std::cmp::Reverse((members[c as usize].clone(), c)));
        (0..count as u32)
            .filter(|c| waiting[*c as usize] == 0)
            .for_each(&mut push);
        let mut out = Vec::with_capacity(by_name.len());
        while let Some(std::cmp::Reverse((ranks, c))) = ready.pop() {
            out.extend(ranks.iter().map(|r| self.label(by_name[*r as usize])));
            for next in &out_of[c as usize] {
                waiting[*next as usize] -= 1;
                if waiting[*next as usize] == 0 {
                    let ranks = members[*next as usize].clone();
                    ready.push(std::cmp::Reverse((ranks, *next)));
                }
            }
        }
        out
    }

    fn label(&self, node: u32) -> Label {
        self.vertices[node as usize].label
    }

    /// The strongly connected component of each node (Tarjan, without recursion).
    fn components(&self) -> Vec<u32> {
        const NEW: u32 = u32::MAX;
        let n = self.vertices.len();
        let (mut index, mut low) = (vec![NEW; n], vec![0u32; n]);
        let mut component = vec![NEW; n];
        let (mut counter, mut count) = (0u32, 0u32);
        let mut open: Vec<u32> = Vec::new();
        // a node and how many of its edges were followed
        let mut walk: Vec<(u32, usize)> = Vec::new();
        for start in 0..n as u32 {
            if index[start as usize] != NEW {
                continue;
            }
            walk.push((start, 0));
            while let Some((node, edge)) = walk.last_mut() {
                let i = *node as usize;
                if *edge == 0 {
                    index[i] = counter;
                    low[i] = counter;
                    counter += 1;
                    open.push(*node);
                }
                if let Some(&next) = self.vertices[i].out.get(*edge) {
                    *edge += 1;
                    let j = next as usize;
                    if index[j] == NEW {
                        walk.push((next, 0));
                    } else if component[j] == NEW {
                        low[i] = low[i].min(index[j]);
                    }
                    continue;
                }
                if low[i] == index[i] {
                    while let Some(member) = open.pop() {
                        component[member as usize] = count;
                        if member as usize == i {
                            break;
                        }
                    }
                    count += 1;
                }
                let done = low[i];
                walk.pop();
                if let Some((parent, _)) = walk.last() {
                    let p = *parent as usize;
                    low[p] = low[p].min(done);
                }
            }
        }
        component
    }
}
