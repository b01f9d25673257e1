//! The judgement on one node whose dependencies are all settled.

use super::{Desk, ProviderNow, Settled, Task, Verdict};
use crate::estate::Estate;
use pravo_plan::reach::{self, Look, Present, ReadCause};
use pravo_plan::{Reason, propose};
use pravo_spec::SpecErrors;
use pravo_state::{Address, Data, Mode, Record, hash};
use std::sync::Arc;

impl Desk {
    pub(super) fn judge(&mut self, place: usize) -> Verdict {
        let estate = Arc::clone(&self.estate);
        let upstream = estate.graph.upstream(place);
        if upstream
            .iter()
            .any(|up| matches!(self.books[*up].settled, Settled::Failed))
        {
            return Verdict::Blocked;
        }
        self.books[place].inputs = self.inputs(place);
        if let Some(verdict) = self.judge_remembered(place) {
            return verdict;
        }
        match self.judge_configured(place) {
            Ok(verdict) => verdict,
            Err(errors) => Verdict::Failed(errors),
        }
    }

    fn judge_configured(&mut self, place: usize) -> Result<Verdict, SpecErrors> {
        let estate = Arc::clone(&self.estate);
        let node = &estate.nodes[place];
        let address = &node.decl.address;
        let config = self.desire(address)?;
        let block = &node.typed.schema.block;
        let hash = if config.is_wholly_known() {
            let made = hash::config_hash(&config, block, &[]);
            Some(made.map_err(|problem| SpecErrors::one(format!("{address}: {problem}")))?)
        } else {
            None
        };
        if let Some(hash) = &hash {
            self.prove(place, hash);
        }
        let provider = self.provider(&node.decl.provider_key)?;
        let waits_for = self.pending_upstream(place);
        let record = self.record(place);
        let present = present(&estate, place, hash.as_deref(), &waits_for);
        let drift = self.input.drifted.contains(address);
        let causes = reach::causes(record, &present, drift);
        if node.decl.mode == Mode::Data {
            return Ok(self.judge_data(place, config, hash, causes, provider));
        }
        if !provider.is_known() && !causes.is_empty() {
            if record.is_some() {
                let on = estate.instances[&provider.key].dependencies.clone();
                return Ok(Verdict::Waits {
                    provider: provider.key,
                    on,
                });
            }
            let planned = propose::proposed_new(block, &Data::Unknown, &config);
            return Ok(Verdict::Deferred {
                config,
                planned,
                causes,
            });
        }
        let digest = provider.is_known().then_some(provider.digest.as_deref());
        let read = record.and_then(|record| self.resource_read(place, record, &causes, digest));
        if !provider.is_known() {
            return Ok(Verdict::Skipped);
        }
        Ok(untouched(&causes, read.as_ref()).unwrap_or_else(|| {
            Verdict::Reach(Box::new(Task {
                config,
                hash,
                causes,
                read,
                provider,
            }))
        }))
    }

    /// Why the record of a resource has to be read, if it has to.
    pub(super) fn resource_read(
        &self,
        place: usize,
        record: &Record,
        causes: &[Reason],
        provider_config: Option<Option<&str>>,
    ) -> Option<ReadCause> {
        let node = &self.estate.nodes[place];
        let address = &node.decl.address;
        if self.input.read.contains(address) {
            return None;
        }
        let look = Look {
            age: &node.age,
            own_age: node.own_age,
            looked_at: !causes.is_empty(),
            lock: self.input.left_locks.get(address),
            provider_config,
        };
        reach::read_cause(record, &look, self.input.now)
    }

    /// Why a data source has to be read although its configuration is as recorded, if it has to.
    pub(super) fn data_read(&self, place: usize) -> Option<ReadCause> {
        let node = &self.estate.nodes[place];
        let refreshed_at = self.record(place).and_then(|record| record.refreshed_at);
        let lock = self.input.left_locks.get(&node.decl.address);
        match lock.and_then(reach::lock_left) {
            Some(left) => Some(ReadCause::Forced(left)),
            None => {
                let older = node.age.is_older(refreshed_at, self.input.now);
                older.then_some(ReadCause::Older)
            }
        }
    }

    fn judge_data(
        &self,
        place: usize,
        config: Data,
        hash: Option<String>,
        mut causes: Vec<Reason>,
        provider: ProviderNow,
    ) -> Verdict {
        let node = &self.estate.nodes[place];
        let address = &node.decl.address;
        let pending = self.pending_upstream(place);
        let Some(hash) = hash.filter(|_| pending.is_empty() && provider.is_known()) else {
            if causes.is_empty() {
                causes.push(Reason::InputsUnknown(pending));
            }
            let block = &node.typed.schema.block;
            let planned = propose::proposed_new(block, &Data::Unknown, &config);
            return Verdict::Deferred {
                config,
                planned,
                causes,
            };
        };
        if let Some((asked, answer)) = self.input.answers.get(address)
            && *asked == hash
        {
            return Verdict::Answered {
                config,
                hash,
                answer: Arc::clone(answer),
            };
        }
        let read = self.data_read(place);
        untouched(&causes, read.as_ref()).unwrap_or_else(|| {
            Verdict::Reach(Box::new(Task {
                config,
                hash: Some(hash),
                causes,
                read: Some(read.unwrap_or(ReadCause::Older)),
                provider,
            }))
        })
    }

    /// The direct dependencies that an apply has to change first, sorted.
    fn pending_upstream(&self, place: usize) -> Vec<Address> {
        let upstream = self.estate.graph.upstream(place);
        let pending = upstream.iter().filter(|up| self.books[**up].pending);
        let mut addresses: Vec<Address> = pending
            .map(|up| self.estate.nodes[*up].decl.address.clone())
            .collect();
        addresses.sort();
        addresses
    }
}

/// The verdict on a node that nobody has to work on.
pub(super) fn untouched(causes: &[Reason], read: Option<&ReadCause>) -> Option<Verdict> {
    match (causes, read) {
        ([], None) => Some(Verdict::Skipped),
        ([Reason::DependenciesChanged], None) => Some(Verdict::Edges),
        _ => None,
    }
}

/// A node as it is declared now.
pub(super) fn present<'a>(
    estate: &'a Estate,
    place: usize,
    config_hash: Option<&'a str>,
    waits_for: &'a [Address],
) -> Present<'a> {
    let node = &estate.nodes[place];
    Present {
        mode: node.decl.mode,
        kind: &node.decl.kind,
        source: &node.decl.source,
        provider_key: &node.decl.provider_key,
        provider_version: estate.version(&node.decl.source),
        schema_version: node.typed.schema.version,
        config_hash,
        waits_for,
        dependencies: &node.dependencies,
    }
}
