//! Nodes that depend on each other in a circle.

use std::collections::BTreeSet;

/// The groups of nodes that depend on each other in a circle, each sorted; `edges` holds the
/// direct dependencies of each node, and a node that depends on itself is a group of its own.
pub(crate) fn cycles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        edges,
        number: vec![0; edges.len()],
        low: vec![0; edges.len()],
        open: vec![false; edges.len()],
        path: Vec::new(),
        next: 1,
        groups: Vec::new(),
    };
    for node in 0..edges.len() {
        if search.number[node] == 0 {
            search.visit(node);
        }
    }
    search.groups.sort();
    search.groups
}

/// Tarjan's search for strongly connected components, with a stack of its own.
struct Search<'a> {
    edges: &'a [Vec<usize>],
    number: Vec<usize>,
    low: Vec<usize>,
    open: Vec<bool>,
    path: Vec<usize>,
    next: usize,
    groups: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn enter(&mut self, node: usize) {
        self.number[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.open[node] = true;
        self.path.push(node);
    }

    fn visit(&mut self, start: usize) {
        self.enter(start);
        let mut stack = vec![(start, 0)];
        while let Some((node, edge)) = stack.pop() {
            let Some(&target) = self.edges[node].get(edge) else {
                self.leave(node);
                if let Some((parent, _)) = stack.last() {
                    self.low[*parent] = self.low[*parent].min(self.low[node]);
                }
                continue;
            };
            stack.push((node, edge + 1));
            if self.number[target] == 0 {
                self.enter(target);
                stack.push((target, 0));
            } else if self.open[target] {
                self.low[node] = self.low[node].min(self.number[target]);
            }
        }
    }

    fn leave(&mut self, node: usize) {
        if self.low[node] != self.number[node] {
            return;
        }
        let mut group = BTreeSet::new();
        while let Some(member) = self.path.pop() {
            self.open[member] = false;
            group.insert(member);
            if member == node {
                break;
            }
        }
        if group.len() > 1 || self.edges[node].contains(&node) {
            self.groups.push(group.into_iter().collect());
        }
    }
}
