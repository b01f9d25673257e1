//! References become edges: through plain fields, containers and the configurations of providers.
//!
//! A path is a list of steps of any type; in a specification they are the evaluator's labels.

mod cycle;
mod index;

use index::{Index, Place};
use pravo_cue::syntax::source::Pos;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

pub(crate) use cycle::cycles;

/// A reference in the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference<S> {
    /// What it refers to, from the root of the package.
    pub path: Vec<S>,
    /// Where it stands.
    pub position: Pos,
    /// Whether the value itself is the reference, or is built from it; false where only a part of
    /// the value refers to something.
    pub own: bool,
}

/// Who knows what the value at a path refers to.
pub(crate) trait References<S> {
    /// Every reference in what contributes to the value at a path, in what is written below it
    /// too.
    fn references(&mut self, path: &[S]) -> Vec<Reference<S>>;

    /// Whether a step names the definitions of a provider that nodes are built from, such as
    /// `#Resource`.
    fn builds(&self, step: &S) -> bool;
}

/// What a step of a path must be able to do.
pub(crate) trait Step: Clone + Eq + Hash + Ord {}

impl<S: Clone + Eq + Hash + Ord> Step for S {}

/// What discovery found at a path, as far as references care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A node, by its number: references end there.
    Node(usize),
    /// A provider, by its number: who refers to it reads what its configuration reads.
    Provider(usize),
}

/// What a reference leads to in the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Hit<S> {
    /// The node.
    pub node: usize,
    /// What of it is read, below its address; empty for the whole of it.
    pub rest: Vec<S>,
    /// Whether it is read by the configuration of a provider.
    pub by_provider: bool,
}

/// Where references lead, with what is known already kept.
pub(crate) struct Graph<S> {
    index: Index<S>,
    nodes: Vec<Vec<S>>,
    providers: Vec<Vec<S>>,
    plain: HashMap<Vec<S>, Arc<[Hit<S>]>>,
}

impl<S: Step> Graph<S> {
    /// A graph over what was found.
    pub(crate) fn new(found: &[(Vec<S>, Target)]) -> Self {
        let mut index = Index::default();
        let mut nodes = BTreeMap::new();
        let mut providers = BTreeMap::new();
        for (path, target) in found {
            index.insert(path, *target);
            match target {
                Target::Node(number) => nodes.insert(*number, path.clone()),
                Target::Provider(number) => providers.insert(*number, path.clone()),
            };
        }
        Self {
            index,
            nodes: nodes.into_values().collect(),
            providers: providers.into_values().collect(),
            plain: HashMap::new(),
        }
    }

    /// The path of a node; its number is that of its target.
    pub(crate) fn node(&self, number: usize) -> &[S] {
        &self.nodes[number]
    }

    /// Whether a struct or list at a path holds nodes and is none.
    pub(crate) fn is_container(&self, path: &[S]) -> bool {
        self.index.is_container(path)
    }

    /// What the value at a path reads, sorted; and for each node, where the first reference stands
    /// that leads to it.
    pub(crate) fn reads(
        &mut self,
        path: &[S],
        source: &mut dyn References<S>,
    ) -> (Vec<Hit<S>>, BTreeMap<usize, Pos>) {
        let mut hits = HashSet::new();
        let mut positions = BTreeMap::new();
        let mut seen: HashSet<Vec<S>> = HashSet::new();
        for reference in source.references(path) {
            if !seen.insert(reference.path.clone()) {
                continue;
            }
            for hit in self.follow(&reference.path, source).iter() {
                positions.entry(hit.node).or_insert(reference.position);
                hits.insert(hit.clone());
            }
        }
        let mut hits: Vec<Hit<S>> = hits.into_iter().collect();
        hits.sort();
        (hits, positions)
    }

    /// The provider instances that the value at a path is built through, sorted, and whether it is
    /// built from another node.
    pub(crate) fn instances(
        &self,
        path: &[S],
        source: &mut dyn References<S>,
    ) -> (Vec<usize>, bool) {
        let mut found = BTreeSet::new();
        let mut copy = false;
        let mut seen: HashSet<Vec<S>> = HashSet::from([path.to_vec()]);
        let mut stack = vec![path.to_vec()];
        while let Some(next) = stack.pop() {
            for reference in source.references(&next).into_iter().filter(|r| r.own) {
                let on = match self.place(&reference.path, source) {
                    Place::Provider(number) => {
                        found.insert(number);
                        continue;
                    }
                    Place::Node(_, length) => {
                        copy |= length == reference.path.len();
                        reference.path
                    }
                    Place::Container(_) => reference.path,
                    Place::Plain => match built_through(&reference.path, source) {
                        Some(instance) => instance.to_vec(),
                        None => reference.path,
                    },
                };
                if seen.insert(on.clone()) {
                    stack.push(on);
                }
            }
        }
        (found.into_iter().collect(), copy)
    }

    /// The plain paths that a value reads, directly or through each other, nearest first.
    pub(crate) fn plain_reads(&self, path: &[S], source: &mut dyn References<S>) -> Vec<Vec<S>> {
        let mut seen: HashSet<Vec<S>> = HashSet::new();
        let mut order = Vec::new();
        let mut queue = std::collections::VecDeque::from([path.to_vec()]);
        while let Some(next) = queue.pop_front() {
            for reference in source.references(&next) {
                let plain = matches!(self.place(&reference.path, source), Place::Plain);
                if plain && seen.insert(reference.path.clone()) {
                    order.push(reference.path.clone());
                    queue.push_back(reference.path);
                }
            }
        }
        order
    }

    /// What a path leads to. A provider that was handed into a node, as in `x.#on.#Resource.t`, is
    /// no part of the node.
    fn place(&self, path: &[S], source: &dyn References<S>) -> Place {
        match (self.index.place(path), built_through(path, source)) {
            (Place::Node(_, length), Some(instance)) if instance.len() > length => Place::Plain,
            (place, _) => place,
        }
    }

    /// Where one path leads. Plain paths are followed without recursion: what each refers to is
    /// asked once, and an answer for a path is kept for all who refer to it.
    fn follow(&mut self, path: &[S], source: &mut dyn References<S>) -> Arc<[Hit<S>]> {
        if let Place::Node(node, length) = self.place(path, source) {
            let rest = path[length..].to_vec();
            let by_provider = false;
            return Arc::new([Hit {
                node,
                rest,
                by_provider,
            }]);
        }
        if let Some(hits) = self.plain.get(path) {
            return Arc::clone(hits);
        }
        let mut hits = HashSet::new();
        let mut seen: HashSet<Vec<S>> = HashSet::from([path.to_vec()]);
        let mut stack = vec![(path.to_vec(), false)];
        while let Some((path, by_provider)) = stack.pop() {
            if let Some(known) = self.plain.get(&path) {
                hits.extend(known.iter().cloned().map(|hit| Hit {
                    by_provider: hit.by_provider || by_provider,
                    ..hit
                }));
                continue;
            }
            let (next, by_provider) = match self.place(&path, source) {
                Place::Node(node, length) => {
                    let rest = path[length..].to_vec();
                    hits.insert(Hit {
                        node,
                        rest,
                        by_provider,
                    });
                    continue;
                }
                Place::Container(nodes) => {
                    hits.extend(nodes.into_iter().map(|node| Hit {
                        node,
                        rest: Vec::new(),
                        by_provider,
                    }));
                    continue;
                }
                Place::Provider(number) => (self.providers[number].clone(), true),
                Place::Plain => match built_through(&path, source) {
                    Some(instance) => (instance.to_vec(), true),
                    None => (path, by_provider),
                },
            };
            for reference in source.references(&next) {
                if seen.insert(reference.path.clone()) {
                    stack.push((reference.path, by_provider));
                }
            }
        }
        let mut hits: Vec<Hit<S>> = hits.into_iter().collect();
        hits.sort();
        let hits: Arc<[Hit<S>]> = hits.into();
        self.plain.insert(path.to_vec(), Arc::clone(&hits));
        hits
    }
}

/// The path before the first step that names a provider's definitions: the provider, or what
/// stands for it.
fn built_through<'a, S>(path: &'a [S], source: &dyn References<S>) -> Option<&'a [S]> {
    let at = path.iter().position(|step| source.builds(step))?;
    (at > 0).then(|| &path[..at])
}

#[cfg(test)]
mod tests;
