//! What was printed a while ago: most of what comes again comes again soon.

use crate::syntax::tree::ExprId;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// How many are remembered, as a power of two; each has but one place.
const PLACES: u32 = 12;

/// The nodes of what looks alike wherever it stands.
#[derive(Debug)]
pub(in crate::print) struct Recent<K> {
    /// Empty until there is a first one.
    places: Vec<Option<(K, ExprId)>>,
}

impl<K: Copy + Eq + Hash> Recent<K> {
    pub(in crate::print) fn new() -> Recent<K> {
        Recent { places: Vec::new() }
    }

    fn place(key: K) -> usize {
        (FxBuildHasher.hash_one(key) >> (u64::BITS - PLACES)) as usize
    }

    pub(in crate::print) fn get(&self, key: K) -> Option<ExprId> {
        let known = self.places.get(Self::place(key)).copied().flatten();
        known.filter(|(k, _)| *k == key).map(|(_, node)| node)
    }

    pub(in crate::print) fn insert(&mut self, key: K, node: ExprId) {
        if self.places.is_empty() {
            self.places = vec![None; 1 << PLACES];
        }
        self.places[Self::place(key)] = Some((key, node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_put_there_last() {
        let mut recent = Recent::new();
        assert_eq!(recent.get(7u32), None);
        for key in 0..5 << PLACES {
            recent.insert(key, ExprId(key));
            assert_eq!(recent.get(key), Some(ExprId(key)));
            assert!(recent.get(key / 2).is_none_or(|node| node.0 == key / 2));
        }
        recent.insert(7, ExprId(0));
        assert_eq!(recent.get(7), Some(ExprId(0)));
        assert_eq!(recent.places.len(), 1 << PLACES);
    }
}
