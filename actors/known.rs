//! The records as a run knows them: as they were loaded, and what the run wrote since.

use pravo_state::{Address, Record};
use pravo_store::{Kept, Records};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Records by address. Cloning is cheap; a clone does not see later changes.
#[derive(Clone, Default)]
pub(crate) struct Known {
    loaded: Arc<Records>,
    newer: Arc<BTreeMap<Address, Kept<Record>>>,
}

impl Known {
    pub(crate) fn new(records: Records) -> Self {
        Self {
            loaded: Arc::new(records),
            newer: Arc::default(),
        }
    }

    pub(crate) fn get(&self, address: &Address) -> Option<&Kept<Record>> {
        self.newer.get(address).or_else(|| self.loaded.get(address))
    }

    pub(crate) fn put(&mut self, kept: Kept<Record>) {
        Arc::make_mut(&mut self.newer).insert(kept.addr.clone(), kept);
    }

    /// All records, by address.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Kept<Record>> {
        self.loaded
            .iter()
            .map(|(address, kept)| self.newer.get(address).unwrap_or(kept))
    }

    pub(crate) fn len(&self) -> usize {
        self.loaded.len()
    }
}
