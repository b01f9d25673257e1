//! What a plan wave finds, as it goes along.

use super::walk::Reads;
use crate::estate::Estate;
use crate::known::Known;
use crate::node::plan::{Entry, Planned, Report};
use crate::run::RunError;
use pravo_plan::reach::ReadCause;
use pravo_plan::{Action, Frozen, ReadKind, Reason};
use pravo_state::{Address, Data, Lock, Mode, Outputs, Time};
use pravo_store::{Kept, Records};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What is known when a plan wave has ended.
pub(super) struct Findings {
    pub(super) now: Time,
    pub(super) records: Known,
    pub(super) locks: Vec<Kept<Lock>>,
    pub(super) outputs: Option<Outputs>,
    /// Which records were read in this plan, why, and what that said.
    pub(super) reads: Reads,
    /// Entries of declared nodes, by place.
    pub(super) entries: HashMap<usize, Entry>,
    /// Entries of nodes that go, by address.
    pub(super) gone: BTreeMap<Address, Entry>,
    /// Nodes at which a provider looked and that stay as they are, with the reasons.
    pub(super) same: HashMap<usize, Vec<Reason>>,
    pub(super) warnings: BTreeMap<Address, Vec<String>>,
}

impl Findings {
    pub(super) fn new(
        now: Time,
        records: Records,
        locks: Vec<Kept<Lock>>,
        outputs: Option<Outputs>,
    ) -> Self {
        Self {
            now,
            records: Known::new(records),
            locks,
            outputs,
            reads: HashMap::new(),
            entries: HashMap::new(),
            gone: BTreeMap::new(),
            same: HashMap::new(),
            warnings: BTreeMap::new(),
        }
    }

    /// Forgets what another walk will find out anew. What was read stays read.
    pub(super) fn start_over(&mut self) {
        self.entries.clear();
        self.gone.clear();
        self.same.clear();
    }

    pub(super) fn is_read(&self, address: &Address) -> bool {
        self.reads.contains_key(address)
    }

    /// Takes what a node read, whatever else became of it.
    pub(super) fn note_read(&mut self, report: &Report, cause: Option<&ReadCause>) {
        if let Some(found) = report.read
            && self.records.get(&report.address).is_some()
        {
            let cause = cause.cloned().unwrap_or(ReadCause::Older);
            self.reads.insert(report.address.clone(), (cause, found));
        }
        if let Some(kept) = &report.kept {
            self.records.put(kept.clone());
        }
        if !report.warnings.is_empty() {
            let all = self.warnings.entry(report.address.clone()).or_default();
            all.extend(report.warnings.iter().cloned());
        }
    }

    pub(super) fn removed(&mut self, address: &Address, planned: Planned) {
        if let Planned::Entry(entry) = planned {
            self.gone.insert(address.clone(), *entry);
        }
    }

    /// A node of which only the edges differ: its record is written, its object is not looked at.
    pub(super) fn edges(&mut self, estate: &Estate, place: usize) -> Result<(), RunError> {
        let node = &estate.nodes[place];
        let Some(record) = self.records.get(&node.decl.address) else {
            return Ok(());
        };
        let object = node.typed.object(record).map_err(|problem| {
            RunError::failed(format!("the record of {}: {problem}", record.addr))
        })?;
        let mut reasons = vec![Reason::DependenciesChanged];
        if node.decl.mode == Mode::Managed {
            reasons.push(Reason::RefreshSkipped);
        }
        let private = record
            .private
            .as_ref()
            .map(|p| p.bytes().to_vec())
            .unwrap_or_default();
        let frozen = Frozen {
            prior: object.clone(),
            planned: object.clone(),
            private: private.clone(),
            planned_private: private,
            schema_version: record.schema_version,
            config_hash: Some(record.config_hash.clone()),
            ..Frozen::default()
        };
        let entry = Entry {
            before: Some(object.clone()),
            after: Some(object),
            drifted: record.is_marked(),
            ..bare(Action::NoOp, reasons, frozen)
        };
        self.entries.insert(place, entry);
        Ok(())
    }

    /// A data source whose answer an earlier walk has.
    pub(super) fn answered(
        &mut self,
        estate: &Estate,
        place: usize,
        (config, hash, answer): (Data, String, Arc<Data>),
    ) {
        let node = &estate.nodes[place];
        let record = self.records.get(&node.decl.address);
        let recorded = record.and_then(|record| node.typed.object(record).ok());
        let same_hash = record.is_some_and(|record| record.config_hash == hash);
        let same = recorded.as_ref() == Some(answer.as_ref());
        if same && same_hash {
            self.same
                .insert(place, vec![Reason::Refreshed(false), Reason::Skipped]);
            return;
        }
        let (read, reason) = match (&recorded, same) {
            (None, _) => (Some(ReadKind::First), Reason::New),
            (Some(_), false) => (Some(ReadKind::Differs), Reason::DataDiffers),
            (Some(_), true) => {
                let was = record.map(|r| r.config_hash.clone()).unwrap_or_default();
                (None, Reason::SpecificationChanged(was, hash.clone()))
            }
        };
        let action = if read.is_some() {
            Action::Read
        } else {
            Action::NoOp
        };
        let frozen = Frozen {
            config,
            planned: answer.as_ref().clone(),
            schema_version: node.typed.schema.version,
            config_hash: Some(hash),
            ..Frozen::default()
        };
        let entry = Entry {
            before: recorded,
            after: Some(answer.as_ref().clone()),
            read,
            ..bare(action, vec![reason], frozen)
        };
        self.entries.insert(place, entry);
    }

    /// What can't be asked before the apply: a data source that waits, or a new resource whose
    /// provider waits.
    pub(super) fn deferred(
        &mut self,
        estate: &Estate,
        place: usize,
        (config, planned, reasons): (Data, Data, Vec<Reason>),
    ) {
        let node = &estate.nodes[place];
        let data = node.decl.mode == Mode::Data;
        let recorded = self
            .records
            .get(&node.decl.address)
            .filter(|_| data)
            .and_then(|record| node.typed.object(record).ok());
        let frozen = Frozen {
            config,
            planned: planned.clone(),
            schema_version: node.typed.schema.version,
            ..Frozen::default()
        };
        let action = if data { Action::Read } else { Action::Create };
        let entry = Entry {
            before: recorded,
            after: Some(planned),
            read: data.then_some(ReadKind::Deferred),
            ..bare(action, reasons, frozen)
        };
        self.entries.insert(place, entry);
    }
}

/// An entry without objects.
fn bare(action: Action, reasons: Vec<Reason>, frozen: Frozen) -> Entry {
    Entry {
        action,
        before: None,
        after: None,
        reasons,
        requires_replace: Vec::new(),
        write_only_set: Vec::new(),
        read: None,
        gone: false,
        drifted: false,
        frozen,
    }
}
