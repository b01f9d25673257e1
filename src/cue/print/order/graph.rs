//! A graph of labels, sorted so that edges point forward; labels on a circle stand together by
//! name.

use super::Sorted;
use super::short::Short;
use crate::eval::label::Label;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

#[derive(Default)]
struct Vertex {
    /// The contribution that placed the label last.
    placed: Option<usize>,
    out: SmallVec<[u32; 2]>,
}

/// Labels, numbered in the order in which they came.
#[derive(Default)]
pub(super) struct Graph {
    vertices: Short<Label, Vertex>,
}

/// Of so many labels the next ready one is looked for among all that are ready.
const FEW: usize = 16;

impl Graph {
    /// The node of a label, made if it is new.
    pub(super) fn add(&mut self, label: Label) -> u32 {
        self.vertices.entry(label, Vertex::default)
    }

    /// The contribution that placed a label, if one did.
    pub(super) fn placed(&self, node: u32) -> Option<usize> {
        self.vertices.at(node).placed
    }

    pub(super) fn place(&mut self, node: u32, by: usize) {
        self.vertices.at_mut(node).placed = Some(by);
    }

    pub(super) fn edge(&mut self, from: u32, to: u32) {
        let out = &mut self.vertices.at_mut(from).out;
        if out.last() != Some(&to) {
            out.push(to);
        }
    }

    /// How many edges lead to each node.
    fn waiting(&self) -> SmallVec<[u32; FEW]> {
        let mut waiting: SmallVec<[u32; FEW]> = SmallVec::from_elem(0, self.vertices.len());
        for to in self.vertices.values().flat_map(|v| &v.out) {
            waiting[*to as usize] += 1;
        }
        waiting
    }

    /// All nodes: always the ready component with the smallest labels next.
    pub(super) fn sorted(&self, compare: impl Fn(Label, Label) -> Ordering) -> Sorted {
        let key = |node: u32| self.vertices.key(node);
        if self.vertices.len() <= FEW
            && let Some(out) = self.few_without_circles(|a, b| compare(key(a), key(b)))
        {
            return out;
        }
        // ranks by name make components comparable as lists of numbers
        let mut by_name: Vec<u32> = (0..self.vertices.len() as u32).collect();
        by_name.sort_by(|a, b| compare(key(*a), key(*b)));
        let mut rank = vec![0u32; by_name.len()];
        for (i, node) in by_name.iter().enumerate() {
            rank[*node as usize] = i as u32;
        }
        self.without_circles(&by_name, &rank)
            .unwrap_or_else(|| self.with_circles(&by_name, &rank))
    }

    /// Like [`Graph::without_circles`]: where there are few, names are compared only where
    /// several are ready.
    fn few_without_circles(&self, compare: impl Fn(u32, u32) -> Ordering) -> Option<Sorted> {
        let mut waiting = self.waiting();
        let mut ready: SmallVec<[u32; FEW]> = (0..waiting.len() as u32)
            .filter(|node| waiting[*node as usize] == 0)
            .collect();
        let mut out = Sorted::with_capacity(waiting.len());
        while let Some(next) = (0..ready.len()).min_by(|a, b| compare(ready[*a], ready[*b])) {
            let node = ready.swap_remove(next);
            out.push(node);
            for to in &self.vertices.at(node).out {
                waiting[*to as usize] -= 1;
                if waiting[*to as usize] == 0 {
                    ready.push(*to);
                }
            }
        }
        (out.len() == waiting.len()).then_some(out)
    }

    /// The order if no label must follow itself: every label is a component of its own.
    fn without_circles(&self, by_name: &[u32], rank: &[u32]) -> Option<Sorted> {
        let mut waiting = self.waiting();
        let mut ready: BinaryHeap<Reverse<u32>> = (0..by_name.len())
            .filter(|node| waiting[*node] == 0)
            .map(|node| Reverse(rank[node]))
            .collect();
        let mut out = Sorted::with_capacity(by_name.len());
        while let Some(Reverse(next)) = ready.pop() {
            let node = by_name[next as usize];
            out.push(node);
            for to in &self.vertices.at(node).out {
                waiting[*to as usize] -= 1;
                if waiting[*to as usize] == 0 {
                    ready.push(Reverse(rank[*to as usize]));
                }
            }
        }
        (out.len() == by_name.len()).then_some(out)
    }

    fn with_circles(&self, by_name: &[u32], rank: &[u32]) -> Sorted {
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
            .values()
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
        let mut out = Sorted::with_capacity(by_name.len());
        while let Some(Reverse((ranks, c))) = ready.pop() {
            out.extend(ranks.iter().map(|r| by_name[*r as usize]));
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
                if let Some(&next) = self.vertices.at(*node).out.get(*edge) {
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
