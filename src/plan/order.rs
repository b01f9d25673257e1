//! In which order nodes are worked on: along the edges, and against them for deletes.

use pravo_state::Address;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Nodes and the edges between them. A node is meant by its place in the list it was made of.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    addresses: Vec<Address>,
    places: HashMap<Address, usize>,
    upstream: Vec<Vec<usize>>,
    downstream: Vec<Vec<usize>>,
}

impl Graph {
    /// Makes a graph of nodes and the addresses that each depends on. Addresses that are no nodes
    /// of the graph, and the node itself, are left out.
    pub fn new<'a, D>(nodes: impl IntoIterator<Item = (Address, D)>) -> Self
    where
        D: IntoIterator<Item = &'a Address>,
    {
        let mut addresses = Vec::new();
        let mut wanted = Vec::new();
        for (address, dependencies) in nodes {
            addresses.push(address);
            wanted.push(dependencies);
        }
        let places: HashMap<Address, usize> = addresses
            .iter()
            .enumerate()
            .map(|(at, a)| (a.clone(), at))
            .collect();
        let mut upstream: Vec<Vec<usize>> = Vec::with_capacity(addresses.len());
        let mut downstream = vec![Vec::new(); addresses.len()];
        for (at, dependencies) in wanted.into_iter().enumerate() {
            let mut edges: Vec<usize> = dependencies
                .into_iter()
                .filter_map(|d| places.get(d).copied())
                .collect();
            edges.sort_unstable();
            edges.dedup();
            edges.retain(|up| *up != at);
            for up in &edges {
                downstream[*up].push(at);
            }
            upstream.push(edges);
        }
        Self {
            addresses,
            places,
            upstream,
            downstream,
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// The address of a node.
    pub fn address(&self, at: usize) -> &Address {
        &self.addresses[at]
    }

    /// The place of an address.
    pub fn place(&self, address: &Address) -> Option<usize> {
        self.places.get(address).copied()
    }

    /// What a node depends on directly, by place.
    pub fn upstream(&self, at: usize) -> &[usize] {
        &self.upstream[at]
    }

    /// What depends on a node directly, by place.
    pub fn downstream(&self, at: usize) -> &[usize] {
        &self.downstream[at]
    }

    /// Every node after all it depends on; where the edges leave a choice, in the order of the
    /// list.
    ///
    /// # Errors
    /// The nodes of cycles, sorted by address.
    pub fn sorted(&self) -> Result<Vec<usize>, Vec<Address>> {
        let mut waiting: Vec<usize> = self.upstream.iter().map(Vec::len).collect();
        let mut ready: BinaryHeap<Reverse<usize>> = (0..self.len())
            .filter(|at| waiting[*at] == 0)
            .map(Reverse)
            .collect();
        let mut order = Vec::with_capacity(self.len());
        while let Some(Reverse(at)) = ready.pop() {
            order.push(at);
            for down in &self.downstream[at] {
                waiting[*down] -= 1;
                if waiting[*down] == 0 {
                    ready.push(Reverse(*down));
                }
            }
        }
        if order.len() == self.len() {
            return Ok(order);
        }
        Err(self.cycles(&waiting))
    }

    /// The nodes that lie on cycles: of those that still wait, the ones that something waiting
    /// depends on, over and over.
    fn cycles(&self, waiting: &[usize]) -> Vec<Address> {
        let mut left: Vec<bool> = waiting.iter().map(|count| *count > 0).collect();
        let mut readers: Vec<usize> = (0..self.len())
            .map(|at| self.downstream[at].iter().filter(|d| left[**d]).count())
            .collect();
        let mut done: Vec<usize> = (0..self.len())
            .filter(|at| left[*at] && readers[*at] == 0)
            .collect();
        while let Some(at) = done.pop() {
            left[at] = false;
            for up in self.upstream[at].iter().filter(|up| left[**up]) {
                readers[*up] -= 1;
                if readers[*up] == 0 {
                    done.push(*up);
                }
            }
        }
        let mut addresses: Vec<Address> = (0..self.len())
            .filter(|at| left[*at])
            .map(|at| self.addresses[at].clone())
            .collect();
        addresses.sort();
        addresses
    }

    /// The given nodes and everything that depends on them, directly or not.
    pub fn reachable(&self, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
        spread(&self.downstream, from)
    }

    /// The given nodes and everything they depend on, directly or not.
    pub fn needed(&self, by: impl IntoIterator<Item = usize>) -> Vec<bool> {
        spread(&self.upstream, by)
    }
}

fn spread(edges: &[Vec<usize>], from: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open: Vec<usize> = from.into_iter().collect();
    for at in &open {
        seen[*at] = true;
    }
    while let Some(at) = open.pop() {
        for next in &edges[at] {
            if !seen[*next] {
                seen[*next] = true;
                open.push(*next);
            }
        }
    }
    seen
}

/// One step of an apply, for the purpose of order.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The node.
    pub address: &'a Address,
    /// The object is destroyed and nothing takes its place.
    pub delete: bool,
    /// What it depends on: by the recorded edges for a delete, else by the declared ones.
    pub dependencies: &'a [Address],
}

/// The graph of an apply: who waits for whom. A step waits for the steps on what it depends on.
/// A delete goes the other way: what is done to an object waits for the deletes of all that
/// depended
/// on it. `bridge` gives the dependencies of nodes that have no step, so that an order between two
/// steps holds through them.
///
/// # Errors
/// The nodes of a cycle, sorted.
pub fn apply_order(steps: &[Step<'_>], bridge: &Graph) -> Result<Vec<Vec<usize>>, Vec<Address>> {
    let places: HashMap<&Address, usize> = steps
        .iter()
        .enumerate()
        .map(|(at, s)| (s.address, at))
        .collect();
    let mut waits: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for (at, step) in steps.iter().enumerate() {
        for up in nearest(step, &places, bridge) {
            if step.delete {
                waits[up].push(at);
            } else if !steps[up].delete {
                waits[at].push(up);
            }
        }
    }
    for edges in &mut waits {
        edges.sort_unstable();
        edges.dedup();
    }
    let as_addresses: Vec<Vec<Address>> = waits
        .iter()
        .map(|edges| edges.iter().map(|e| steps[*e].address.clone()).collect())
        .collect();
    let graph = Graph::new(
        steps
            .iter()
            .zip(&as_addresses)
            .map(|(s, edges)| (s.address.clone(), edges.iter())),
    );
    graph.sorted().map(|_| waits)
}

/// The nearest steps that a step depends on, past nodes that have none.
fn nearest(step: &Step<'_>, places: &HashMap<&Address, usize>, bridge: &Graph) -> Vec<usize> {
    let mut found = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut open: Vec<&Address> = step.dependencies.iter().collect();
    while let Some(address) = open.pop() {
        if !seen.insert(address) {
            continue;
        }
        if let Some(at) = places.get(address) {
            found.push(*at);
        } else if let Some(at) = bridge.place(address) {
            open.extend(bridge.upstream(at).iter().map(|up| bridge.address(*up)));
        }
    }
    found
}

#[cfg(test)]
mod tests;
