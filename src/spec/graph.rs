//! References become edges: through plain fields, containers and the configurations of providers.

mod cycle;
mod index;

use crate::Position;
use crate::segment::Segment;
use index::{Index, Place};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

pub(crate) use cycle::cycles;

/// A reference in the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// What it refers to, from the root of the package.
    pub path: Vec<Segment>,
    /// Where it stands.
    pub position: Option<Position>,
    /// Whether the value itself is the reference, or is built from it; false where only a part of
    /// the value refers to something.
    pub own: bool,
}

/// Who knows what the value at a path refers to.
pub(crate) trait References {
    /// Every reference in what contributes to the value at a path, in what is written below it
    /// too.
    fn references(&mut self, path: &[Segment]) -> Vec<Reference>;
}

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
pub(crate) struct Hit {
    /// The node.
    pub node: usize,
    /// What of it is read, below its address; empty for the whole of it.
    pub rest: Vec<Segment>,
    /// Whether it is read by the configuration of a provider.
    pub by_provider: bool,
}

/// Where references lead, with what is known already kept.
pub(crate) struct Graph {
    index: Index,
    providers: Vec<Vec<Segment>>,
    plain: HashMap<Vec<Segment>, Rc<[Hit]>>,
}

impl Graph {
    /// A graph over what was found.
    pub(crate) fn new(found: &[(Vec<Segment>, Target)]) -> Self {
        let mut index = Index::default();
        let mut providers = BTreeMap::new();
        for (path, target) in found {
            index.insert(path, *target);
            if let Target::Provider(number) = target {
                providers.insert(*number, path.clone());
            }
        }
        Self {
            index,
            providers: providers.into_values().collect(),
            plain: HashMap::new(),
        }
    }

    /// What the value at a path reads, sorted; and for each node, where the first reference stands
    /// that leads to it.
    pub(crate) fn reads(
        &mut self,
        path: &[Segment],
        source: &mut dyn References,
    ) -> (Vec<Hit>, BTreeMap<usize, Option<Position>>) {
        let mut hits = HashSet::new();
        let mut positions = BTreeMap::new();
        let mut seen: HashSet<Vec<Segment>> = HashSet::new();
        for reference in source.references(path) {
            if !seen.insert(reference.path.clone()) {
                continue;
            }
            for hit in self.follow(&reference.path, source).iter() {
                positions
                    .entry(hit.node)
                    .or_insert_with(|| reference.position.clone());
                hits.insert(hit.clone());
            }
        }
        let mut hits: Vec<Hit> = hits.into_iter().collect();
        hits.sort();
        (hits, positions)
    }

    /// The provider instances that the value at a path is built through, sorted, and whether it is
    /// built from another node.
    pub(crate) fn instances(
        &self,
        path: &[Segment],
        source: &mut dyn References,
    ) -> (Vec<usize>, bool) {
        let mut found = BTreeSet::new();
        let mut copy = false;
        let mut seen: HashSet<Vec<Segment>> = HashSet::from([path.to_vec()]);
        let mut stack = vec![path.to_vec()];
        while let Some(next) = stack.pop() {
            for reference in source.references(&next).into_iter().filter(|r| r.own) {
                let on = match self.place(&reference.path) {
                    Place::Provider(number) => {
                        found.insert(number);
                        continue;
                    }
                    Place::Node(_, length) => {
                        copy |= length == reference.path.len();
                        reference.path
                    }
                    Place::Container(_) => reference.path,
                    Place::Plain => match built_through(&reference.path) {
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
    pub(crate) fn plain_reads(
        &self,
        path: &[Segment],
        source: &mut dyn References,
    ) -> Vec<Vec<Segment>> {
        let mut seen: HashSet<Vec<Segment>> = HashSet::new();
        let mut order = Vec::new();
        let mut queue = std::collections::VecDeque::from([path.to_vec()]);
        while let Some(next) = queue.pop_front() {
            for reference in source.references(&next) {
                let plain = matches!(self.place(&reference.path), Place::Plain);
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
    fn place(&self, path: &[Segment]) -> Place {
        match (self.index.place(path), built_through(path)) {
            (Place::Node(_, length), Some(instance)) if instance.len() > length => Place::Plain,
            (place, _) => place,
        }
    }

    /// Where one path leads. Plain paths are followed without recursion: what each refers to is
    /// asked once, and an answer for a path is kept for all who refer to it.
    fn follow(&mut self, path: &[Segment], source: &mut dyn References) -> Rc<[Hit]> {
        if let Place::Node(node, length) = self.place(path) {
            let rest = path[length..].to_vec();
            let by_provider = false;
            return Rc::new([Hit {
                node,
                rest,
                by_provider,
            }]);
        }
        if let Some(hits) = self.plain.get(path) {
            return Rc::clone(hits);
        }
        let mut hits = HashSet::new();
        let mut seen: HashSet<Vec<Segment>> = HashSet::from([path.to_vec()]);
        let mut stack = vec![(path.to_vec(), false)];
        while let Some((path, by_provider)) = stack.pop() {
            if let Some(known) = self.plain.get(&path) {
                hits.extend(known.iter().cloned().map(|hit| Hit {
                    by_provider: hit.by_provider || by_provider,
                    ..hit
                }));
                continue;
            }
            let (next, by_provider) = match self.place(&path) {
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
                Place::Plain => match built_through(&path) {
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
        let mut hits: Vec<Hit> = hits.into_iter().collect();
        hits.sort();
        let hits: Rc<[Hit]> = hits.into();
        self.plain.insert(path.to_vec(), Rc::clone(&hits));
        hits
    }
}

/// The definitions of a provider's package that nodes are built from.
const BUILDERS: [&str; 4] = ["#Resource", "#Data", "#Ephemeral", "#Function"];

/// The path before the first step that names a provider's definitions: the provider, or what
/// stands for it.
fn built_through(path: &[Segment]) -> Option<&[Segment]> {
    let at = path.iter().position(|segment| match segment {
        Segment::Private(label) => BUILDERS.contains(&label.as_str()),
        _ => false,
    })?;
    (at > 0).then(|| &path[..at])
}

#[cfg(test)]
mod tests;
