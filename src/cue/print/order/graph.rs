//! A graph of labels, sorted so that edges point forward; labels on a circle stand together by
//! name.

use crate::eval::label::Label;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

struct Vertex {
    label: Label,
    /// The literal that placed the label last.
    placed: Option<usize>,
    out: SmallVec<[u32; 2]>,
}

#[derive(Default)]
pub(super) struct Graph {
    vertices: Vec<Vertex>,
    /// Where each label is, once there are many.
    index: FxHashMap<Label, u32>,
}

/// More labels than this are found through an index.
const LINEAR: usize = 16;

impl Graph {
    fn find(&self, label: Label) -> Option<u32> {
        if self.index.is_empty() {
            let at = self.vertices.iter().position(|v| v.label == label)?;
            return Some(at as u32);
        }
        self.index.get(&label).copied()
    }

    pub(super) fn node(&mut self, label: Label) -> u32 {
        if let Some(node) = self.find(label) {
            return node;
        }
        let node = self.vertices.len() as u32;
        self.vertices.push(Vertex {
            label,
            placed: None,
            out: SmallVec::new(),
        });
        if !self.index.is_empty() {
            self.index.insert(label, node);
        } else if self.vertices.len() > LINEAR {
            let all = self.vertices.iter().zip(0..);
            self.index = all.map(|(v, i)| (v.label, i)).collect();
        }
        node
    }

    /// The literal that placed a label, if one did.
    pub(super) fn placed(&self, label: Label) -> Option<usize> {
        self.vertices[self.find(label)? as usize].placed
    }

    pub(super) fn place(&mut self, label: Label, by: usize) {
        let node = self.node(label);
        self.vertices[node as usize].placed = Some(by);
    }

    pub(super) fn edge(&mut self, from: Label, to: Label) {
        let (from, to) = (self.node(from), self.node(to));
        let out = &mut self.vertices[from as usize].out;
        if out.last() != Some(&to) {
            out.push(to);
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
        self.without_circles(&by_name, &rank)
            .unwrap_or_else(|| self.with_circles(&by_name, &rank))
    }

    /// The order if no label must follow itself: every label is a component of its own.
    fn without_circles(&self, by_name: &[u32], rank: &[u32]) -> Option<Vec<Label>> {
        let mut waiting = vec![0u32; by_name.len()];
        for to in self.vertices.iter().flat_map(|v| &v.out) {
            waiting[*to as usize] += 1;
        }
        let mut ready: BinaryHeap<Reverse<u32>> = (0..by_name.len())
            .filter(|node| waiting[*node] == 0)
            .map(|node| Reverse(rank[node]))
            .collect();
        let mut out = Vec::with_capacity(by_name.len());
        while let Some(Reverse(next)) = ready.pop() {
            let vertex = &self.vertices[by_name[next as usize] as usize];
            out.push(vertex.label);
            for to in &vertex.out {
                waiting[*to as usize] -= 1;
                if waiting[*to as usize] == 0 {
                    ready.push(Reverse(rank[*to as usize]));
                }
            }
        }
        (out.len() == by_name.len()).then_some(out)
    }

    fn with_circles(&self, by_name: &[u32], rank: &[u32]) -> Vec<Label> {
        let component = self.components();
        let count = component.iter().max().map_or(0, |c| *c as usize + 1);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for node in by_name {
            members[component[*node as usize] as usize].push(rank[*node as usize]);
        }
        let mut waiting = vec![0u32; count];
        let mut between = FxHashSet::default();
        let edges = self
            .vertices
            .iter()
            .zip(0u32..)
            .flat_map(|(v, from)| v.out.iter().map(move |to| (from, *to)));
        for (from, to) in edges {
            let (from, to) = (component[from as usize], component[to as usize]);
            if from != to && between.insert((from, to)) {
                waiting[to as usize] += 1;
            }
        }
        let mut out_of: Vec<Vec<u32>> = vec![Vec::new(); count];
        for &(from, to) in &between {
            out_of[from as usize].push(to);
        }
        let mut ready: BinaryHeap<Reverse<(Vec<u32>, u32)>> = BinaryHeap::new();
        let mut push = |c: u32| ready.push(Reverse((members[c as usize].clone(), c)));
        (0..count as u32)
            .filter(|c| waiting[*c as usize] == 0)
            .for_each(&mut push);
        let mut out = Vec::with_capacity(by_name.len());
        while let Some(Reverse((ranks, c))) = ready.pop() {
            out.extend(ranks.iter().map(|r| self.label(by_name[*r as usize])));
            for next in &out_of[c as usize] {
                waiting[*next as usize] -= 1;
                if waiting[*next as usize] == 0 {
                    let ranks = members[*next as usize].clone();
                    ready.push(Reverse((ranks, *next)));
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
