//! Is a plan still true, record by record.

use crate::Plan;
use pravo_state::record::{Fit, Revision};
use pravo_state::{Address, Record};

/// A record that is not as the plan expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The node.
    pub address: Address,
    /// What stands in the state now.
    pub found: Revision,
    /// What the plan was made against.
    pub expected: Revision,
    /// The plan only reads it.
    pub read_only: bool,
}

impl std::fmt::Display for Stale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let address = &self.address;
        if self.found.fit(&self.expected) == Fit::Recreated {
            write!(
                f,
                "{address} was removed and created again since the plan was made"
            )?;
        } else {
            write!(
                f,
                "{address} changed in state (revision {}, plan expected {})",
                self.found.count, self.expected.count
            )?;
        }
        if self.read_only {
            f.write_str("; the plan reads it")?;
        }
        Ok(())
    }
}

/// The records that moved since the plan was made, in the order of the specification, then removed
/// ones by address. `current` gives what stands in the state now.
pub fn stale<'a>(plan: &Plan, current: impl Fn(&Address) -> Option<&'a Record>) -> Vec<Stale> {
    let mut found = Vec::new();
    let judge = |address: &Address, expected: &Revision, read_only: bool| {
        let now = current(address).map_or_else(Revision::none, Record::at);
        (now.fit(expected) != Fit::Same).then(|| Stale {
            address: address.clone(),
            found: now,
            expected: expected.clone(),
            read_only,
        })
    };
    found.extend(plan.expects.iter().filter_map(|(a, e)| judge(a, e, false)));
    found.extend(plan.reads.iter().filter_map(|(a, e)| judge(a, e, true)));
    let places: std::collections::HashMap<&Address, usize> = plan
        .order
        .iter()
        .enumerate()
        .map(|(at, a)| (a, at))
        .collect();
    found.sort_by(|a, b| {
        let place = |s: &Stale| places.get(&s.address).copied().unwrap_or(usize::MAX);
        (place(a), &a.address).cmp(&(place(b), &b.address))
    });
    found
}

#[cfg(test)]
mod tests;
