//! A table that is a list while it is short, as most tables here are.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::hash::Hash;

/// More entries than this are found through an index.
const LINEAR: usize = 16;

/// Entries by key, numbered in the order in which they came.
pub(super) struct Short<K, V> {
    entries: SmallVec<[(K, V); 8]>,
    /// Where each key is, once there are many.
    index: FxHashMap<K, u32>,
}

impl<K, V> Default for Short<K, V> {
    fn default() -> Self {
        Self {
            entries: SmallVec::new(),
            index: FxHashMap::default(),
        }
    }
}

impl<K: Copy + Eq + Hash, V> Short<K, V> {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn key(&self, at: u32) -> K {
        self.entries[at as usize].0
    }

    pub(super) fn at(&self, at: u32) -> &V {
        &self.entries[at as usize].1
    }

    pub(super) fn at_mut(&mut self, at: u32) -> &mut V {
        &mut self.entries[at as usize].1
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.entries.iter_mut().map(|(k, v)| (&*k, v))
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, v)| v)
    }

    pub(super) fn find(&self, key: K) -> Option<u32> {
        if self.entries.len() <= LINEAR {
            let at = self.entries.iter().position(|(k, _)| *k == key)?;
            return Some(at as u32);
        }
        self.index.get(&key).copied()
    }

    /// The number of a key, made if it is new.
    pub(super) fn entry(&mut self, key: K, make: impl FnOnce() -> V) -> u32 {
        if let Some(at) = self.find(key) {
            return at;
        }
        let at = self.entries.len() as u32;
        self.entries.push((key, make()));
        if self.entries.len() == LINEAR + 1 {
            self.index = self.entries.iter().map(|(k, _)| *k).zip(0..).collect();
        } else if self.entries.len() > LINEAR {
            self.index.insert(key, at);
        }
        at
    }
}
