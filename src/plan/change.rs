//! What a plan does with one node.

use crate::{Path, Reason};
use pravo_state::schema::Block;
use pravo_state::{Address, Data, Mode};
use std::sync::Arc;

/// What an apply of the plan does with the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// The object is made.
    Create,
    /// The object is changed in place.
    Update,
    /// The object is destroyed and made again.
    Replace,
    /// The object is destroyed.
    Delete,
    /// A data source: it is read in the apply, or its answer is written.
    Read,
    /// The record goes, the object stays.
    Forget,
    /// Nothing happens to the object; an entry stands for a record that has to be written.
    NoOp,
}

impl Action {
    /// The word in documents, transactions and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Read => "read",
            Self::Forget => "forget",
            Self::NoOp => "no-op",
        }
    }

    /// Whether it changes an object or takes it out of pravo's hands.
    pub fn is_change(self) -> bool {
        !matches!(self, Self::Read | Self::NoOp)
    }
}

/// Which half of a replacement comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The old object goes before the new one is made.
    #[default]
    DeleteFirst,
    /// The new object is made before the old one goes.
    CreateFirst,
}

/// Why the action of a data source is a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadKind {
    /// It waits for the apply: its configuration or a dependency is not settled before.
    Deferred,
    /// It was read in the plan and its answer differs from its record.
    Differs,
    /// It was read in the plan for the first time.
    First,
}

/// One entry of a plan.
#[derive(Clone, Debug)]
pub struct Change {
    /// The node.
    pub address: Address,
    /// Resource or data source.
    pub mode: Mode,
    /// The provider's name of its type.
    pub type_name: String,
    /// What happens.
    pub action: Action,
    /// The key of the provider instance.
    pub provider: String,
    /// Why, in the order of the texts: causes, refresh, consequences.
    pub reasons: Vec<Reason>,
    /// Attributes that the provider cannot change in place and that change.
    pub requires_replace: Vec<Path>,
    /// The object as it is; nothing before a create and for a first read.
    pub before: Option<Data>,
    /// The object as it will be, with unknown parts; nothing after a delete. Write-only values
    /// are null in it.
    pub after: Option<Data>,
    /// Attributes that the configuration sets and that are never recorded.
    pub write_only_set: Vec<Path>,
    /// The schema of both sides: which values are sensitive, which lists are sets.
    pub schema: Arc<Block>,
    /// Why a data source is read; nothing for a resource.
    pub read: Option<ReadKind>,
    /// The record was read from the provider in this plan.
    pub refreshed: bool,
    /// A read, now or earlier, found the object to differ from the record or to be gone.
    pub drifted: bool,
    /// The object is gone, as a read found.
    pub gone: bool,
    /// The node is not wanted any more: its record goes, with its object or alone.
    pub removed: bool,
    /// The direct dependencies, sorted.
    pub dependencies: Vec<Address>,
    /// The nodes that depend on it directly, sorted.
    pub dependents: Vec<Address>,
    /// Which half of a replacement comes first.
    pub order: Order,
    /// Warnings about this node, one line each.
    pub warnings: Vec<String>,
}

impl Change {
    /// Whether the read waits for the apply.
    pub fn deferred(&self) -> bool {
        self.read == Some(ReadKind::Deferred)
    }

    /// The heading after `# ADDR (TYPE) `; nothing for an entry that is not shown.
    /// `destroy` is whether the whole plan is one of a destroy.
    pub fn heading(&self, destroy: bool) -> Option<&'static str> {
        Some(match self.action {
            Action::Create if self.gone => "will be created (the object is gone)",
            Action::Create => "will be created",
            Action::Update => "will be updated in place",
            Action::Replace if self.reasons.contains(&Reason::ReplacementRequested) => {
                "will be replaced, as requested"
            }
            Action::Replace => "must be replaced",
            Action::Delete if destroy => "will be destroyed",
            Action::Delete => "will be destroyed (not in the specification)",
            Action::Read => match self.read {
                Some(ReadKind::Differs) => "was read and differs from its record",
                Some(ReadKind::First) => "was read",
                _ => "will be read (configuration depends on values known after apply)",
            },
            Action::Forget => "will be forgotten; the object stays",
            Action::NoOp => return None,
        })
    }

    /// Whether the entry changes an object: what `-detailed-exitcode` and a prompt ask.
    pub fn is_change(&self) -> bool {
        self.action.is_change()
    }
}
