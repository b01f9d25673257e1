//! The whole of what a run found it has to do.

use crate::outputs::OutputValue;
use crate::{Change, OutputChange, Reason, Summary};
use pravo_state::{Address, Data, Mode, Revision};
use std::collections::BTreeMap;

/// Whether a plan makes the infrastructure match the specification or takes it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanMode {
    /// Match the specification.
    Apply,
    /// Destroy every node of the state.
    Destroy,
}

impl PlanMode {
    /// The word in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Apply => "apply",
            Self::Destroy => "destroy",
        }
    }
}

/// Who made the plan, when and of what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The time, RFC 3339 in UTC.
    pub created: String,
    /// The command line, as it is recorded.
    pub command: String,
    /// The label of who acts, if any.
    pub actor: Option<String>,
    /// The label of why, if any.
    pub reason: Option<String>,
    /// The lineage of the state.
    pub lineage: String,
    /// The tags of the specification, as typed (`name=value` or `name`).
    pub tags: Vec<String>,
    /// Whether the system variables were injected.
    pub inject_vars: bool,
    /// The fingerprint of the specification's files.
    pub fingerprint: String,
    /// Apply or destroy.
    pub mode: PlanMode,
    /// Which records were read: the value of `-refresh`.
    pub refresh: String,
}

/// A provider instance that the plan used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanProvider {
    /// The key of the instance.
    pub key: String,
    /// The address of the provider, with host.
    pub source: String,
    /// The version of the plugin.
    pub version: String,
}

/// A node of the specification that the plan left as it is.
#[derive(Clone, Debug)]
pub struct LeftAlone {
    /// The node.
    pub address: Address,
    /// Resource or data source.
    pub mode: Mode,
    /// The provider's name of its type.
    pub type_name: String,
    /// Whether it was not planned at all; else it went to its provider and stays as it is.
    pub skipped: bool,
    /// Why, in the order of the texts.
    pub reasons: Vec<Reason>,
}

/// What the apply needs of a change besides what is shown: what the provider was asked and what
/// it answered.
#[derive(Clone, Debug, Default)]
pub struct Frozen {
    /// The configuration object, with unknown parts; null for a delete.
    pub config: Data,
    /// The object that the plan started from; null without one.
    pub prior: Data,
    /// The planned object; for a data source that was read, its answer.
    pub planned: Data,
    /// The provider's private data of the prior object.
    pub private: Vec<u8>,
    /// The private data of the provider's plan.
    pub planned_private: Vec<u8>,
    /// The schema version of these objects.
    pub schema_version: i64,
    /// The object is to be replaced because an earlier create of it failed.
    pub tainted: bool,
    /// The hash of the configuration, when that is wholly known.
    pub config_hash: Option<String>,
}

/// The whole plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who, when, of what.
    pub header: Header,
    /// The provider instances that the plan used, sorted by key.
    pub providers: Vec<PlanProvider>,
    /// What happens: declared nodes in the order of the specification, then removed ones by
    /// address.
    pub changes: Vec<Change>,
    /// Everything else that is declared, in the order of the specification.
    pub left_alone: Vec<LeftAlone>,
    /// Every declared node, in the order of the specification: how entries are interleaved.
    pub order: Vec<Address>,
    /// The outputs that change, by name.
    pub outputs: BTreeMap<String, OutputChange>,
    /// Every output as it will be, by name.
    pub all_outputs: BTreeMap<String, OutputValue>,
    /// The counts.
    pub summary: Summary,
    /// Warnings about the plan, one line each. Nobody has told them yet.
    pub warnings: Vec<String>,
    /// The record of every node that the plan changes.
    pub expects: BTreeMap<Address, Revision>,
    /// The record of everything that those read, transitively.
    pub reads: BTreeMap<Address, Revision>,
    /// What the apply needs of each change.
    pub frozen: BTreeMap<Address, Frozen>,
}

impl Plan {
    /// Whether the plan changes an object or an output: exit code 2 of `-detailed-exitcode`, and
    /// whether an apply asks.
    pub fn has_changes(&self) -> bool {
        self.changes.iter().any(Change::is_change) || !self.outputs.is_empty()
    }

    /// Whether an apply of the plan writes nothing at all.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.outputs.is_empty()
    }

    /// Whether anything of the plan is shown: changes, reads or outputs.
    pub fn shows_anything(&self) -> bool {
        self.has_changes() || self.changes.iter().any(|c| c.heading(false).is_some())
    }

    /// The change of that node.
    pub fn change(&self, address: &Address) -> Option<&Change> {
        self.changes.iter().find(|c| c.address == *address)
    }

    /// Whether it is the plan of a destroy.
    pub fn is_destroy(&self) -> bool {
        self.header.mode == PlanMode::Destroy
    }
}
