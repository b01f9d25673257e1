//! Which found thing a path leads to: a tree of all their paths.

use super::{Step, Target};
use std::collections::HashMap;

/// The paths of all found things, as a tree.
pub(super) struct Index<S> {
    children: HashMap<(usize, S), usize>,
    /// Per tree node: what was found there, and the tree nodes below it in order.
    nodes: Vec<Entry>,
}

#[derive(Default)]
struct Entry {
    target: Option<Target>,
    below: Vec<usize>,
}

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A node or a part of it: its number, and how many steps its address has.
    Node(usize, usize),
    /// A provider or a part of it.
    Provider(usize),
    /// A struct or list that holds nodes and is none.
    Container(Vec<usize>),
    /// None of these.
    Plain,
}

impl<S> Default for Index<S> {
    fn default() -> Self {
        Self {
            children: HashMap::new(),
            nodes: Vec::new(),
        }
    }
}

impl<S: Step> Index<S> {
    /// Adds a found thing.
    pub(super) fn insert(&mut self, path: &[S], target: Target) {
        self.root();
        let mut at = 0;
        for segment in path {
            let next = self.nodes.len();
            let child = *self.children.entry((at, segment.clone())).or_insert(next);
            if child == next {
                self.nodes.push(Entry::default());
                self.nodes[at].below.push(child);
            }
            at = child;
        }
        self.nodes[at].target = Some(target);
    }

    fn root(&mut self) {
        if self.nodes.is_empty() {
            self.nodes.push(Entry::default());
        }
    }

    /// What a path leads to.
    pub(super) fn place(&self, path: &[S]) -> Place {
        let mut at = 0;
        for (depth, segment) in path.iter().enumerate() {
            let Some(child) = self.children.get(&(at, segment.clone())) else {
                return Place::Plain;
            };
            at = *child;
            match self.nodes[at].target {
                Some(Target::Node(node)) => return Place::Node(node, depth + 1),
                Some(Target::Provider(provider)) => return Place::Provider(provider),
                None => {}
            }
        }
        let below = self.below(at);
        if below.is_empty() {
            return Place::Plain;
        }
        Place::Container(below)
    }

    /// Whether anything was found below a path, and nothing at it or above.
    pub(super) fn is_container(&self, path: &[S]) -> bool {
        let mut at = 0;
        for step in path {
            match self.children.get(&(at, step.clone())) {
                Some(child) if self.nodes[*child].target.is_none() => at = *child,
                _ => return false,
            }
        }
        true
    }

    /// The nodes below a place, not looking into nodes and providers.
    fn below(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut stack = vec![at];
        while let Some(entry) = stack.pop().and_then(|at| self.nodes.get(at)) {
            match entry.target {
                Some(Target::Node(node)) => found.push(node),
                Some(Target::Provider(_)) => {}
                None => stack.extend(&entry.below),
            }
        }
        found
    }
}
