//! The rule for maps whose change asks for a replacement: `keepers` of random, `triggers` of null.

use crate::kit::{Change, Field, Modifier, Presence};
use pravo_state::Data;
use std::collections::BTreeMap;

/// An optional map of texts by that rule.
pub(crate) fn keepers_field(name: &'static str) -> Field {
    Field::text_map(name, Presence::Optional)
        .modifier(Modifier::ReplaceIf(asks_for_replacement))
        .about("Any texts. A change of them makes a new object.")
}

/// Whether the configured map differs from the prior one by more than entries of null: an entry
/// that was not there and is null changes nothing, and null and empty maps are alike.
pub(crate) fn asks_for_replacement(change: &Change<'_>) -> bool {
    let none = BTreeMap::new();
    let (config, prior) = (
        entries(change.config).unwrap_or(&none),
        entries(change.prior).unwrap_or(&none),
    );
    let changed = config.iter().any(|(key, value)| match prior.get(key) {
        Some(before) => before != value || *value == Data::Unknown,
        None => !value.is_null(),
    });
    changed || prior.keys().any(|key| !config.contains_key(key))
}

fn entries(data: &Data) -> Option<&BTreeMap<String, Data>> {
    match data {
        Data::Map(entries) => Some(entries),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
