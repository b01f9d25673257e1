//! Which units read what: the index from a path to the units that refer to it.

use super::{ArcType, Graph, Label, Path, View};
use std::collections::{BTreeSet, HashMap};

/// A part of the specification that can be evaluated again alone.
struct Unit {
    path: Path,
}

/// All units, and who refers to which path.
pub(super) struct Readers {
    units: Vec<Unit>,
    children: HashMap<(usize, Label), usize>,
    places: Vec<Place>,
}

/// A step on the way to a path that somebody refers to.
#[derive(Default)]
struct Place {
    below: Vec<usize>,
    readers: Vec<usize>,
}

impl Readers {
    /// Looks at everything that the package says once.
    pub(super) fn new(view: &mut View, graph: &Graph<Label>) -> Self {
        let mut readers = Self {
            units: Vec::new(),
            children: HashMap::new(),
            places: vec![Place::default()],
        };
        let root = view.root();
        let mut stack = vec![(Path::new(), root)];
        while let Some((path, v)) = stack.pop() {
            let container = graph.is_container(&path);
            let references = if container {
                for arc in view.ev.arcs(v).to_vec() {
                    if view.ev.arc_type(arc) == ArcType::Member {
                        let mut below = path.clone();
                        below.push(view.ev.label(arc));
                        stack.push((below, arc));
                    }
                }
                view.own_references(&path)
            } else {
                view.all_references(&path)
            };
            for reference in references {
                let place = readers.place(&reference);
                let unit = readers.units.len();
                readers.places[place].readers.push(unit);
            }
            readers.units.push(Unit { path });
        }
        readers
    }

    fn place(&mut self, path: &[Label]) -> usize {
        let mut at = 0;
        for label in path {
            let next = self.places.len();
            let child = *self.children.entry((at, *label)).or_insert(next);
            if child == next {
                self.places.push(Place::default());
                self.places[at].below.push(child);
            }
            at = child;
        }
        at
    }

    /// The paths of all units that have to be reset when the values at some paths change: these,
    /// and who reads them, directly or through others, as far as it was evaluated. Nothing when
    /// that is the whole package.
    pub(super) fn stale(&self, view: &View, changed: &[Path]) -> Option<BTreeSet<Path>> {
        let mut stale: BTreeSet<Path> = changed.iter().cloned().collect();
        let mut seen = vec![false; self.units.len()];
        let mut queue: Vec<Path> = stale.iter().cloned().collect();
        while let Some(path) = queue.pop() {
            for reader in self.readers(&path) {
                if std::mem::replace(&mut seen[reader], true) {
                    continue;
                }
                let unit = &self.units[reader];
                if unit.path.is_empty() {
                    return None;
                }
                let untouched = match view.vertex(&unit.path) {
                    Some(v) => view.ev.is_untouched(v),
                    None => true,
                };
                if untouched {
                    continue;
                }
                stale.insert(unit.path.clone());
                queue.push(unit.path.clone());
            }
        }
        Some(stale)
    }

    /// The units that refer to a path, to something above it or to something below it.
    fn readers(&self, path: &[Label]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = 0;
        for label in path {
            let Some(child) = self.children.get(&(at, *label)) else {
                return found;
            };
            at = *child;
            found.extend_from_slice(&self.places[at].readers);
        }
        let mut stack = self.places[at].below.clone();
        while let Some(at) = stack.pop() {
            found.extend_from_slice(&self.places[at].readers);
            stack.extend_from_slice(&self.places[at].below);
        }
        found
    }
}
