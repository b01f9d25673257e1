//! What happened, in past tense: the engine tells, the command line and the viewer show.

use crate::{Address, Diagnostic, TransactionId};
use std::time::Duration;

/// A call to a provider that takes its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Reads a recorded resource.
    Refresh,
    /// Reads a data source.
    Read,
    /// Creates an object.
    Create,
    /// Changes an object in place.
    Update,
    /// Deletes an object for good.
    Delete,
    /// Deletes an object whose replacement follows.
    DeleteForReplacement,
    /// Creates an object in place of another.
    Replace,
    /// Takes over an object that exists.
    Import,
    /// Opens an ephemeral resource.
    Open,
    /// Closes an ephemeral resource.
    Close,
}

/// One thing that happened in a run. No sensitive value is in any of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A provider process was started, or started again.
    ProviderStarted {
        /// The key of the instance.
        key: String,
        /// The source, with its host.
        source: String,
        /// Its version.
        version: String,
    },
    /// A phase of the command was completed: `load`, `evaluate`, `state`, `plan`, `apply`.
    PhaseCompleted {
        /// Its name.
        name: &'static str,
        /// How long it took.
        took: Duration,
        /// What it counted, in order, such as `("managed", 3)`.
        counts: Vec<(&'static str, u64)>,
    },
    /// The locks of the run were taken.
    LocksAcquired {
        /// How many.
        count: usize,
    },
    /// The transaction of the run was begun and recorded as running.
    TransactionBegun {
        /// Its name.
        txn: TransactionId,
    },
    /// A call was started.
    Started {
        /// The node.
        addr: Address,
        /// The call.
        operation: Operation,
        /// The object's `id`, if it has one that may be shown.
        id: Option<String>,
    },
    /// A call that was started goes on.
    Progressed {
        /// The node.
        addr: Address,
        /// The call.
        operation: Operation,
        /// Time since its start.
        elapsed: Duration,
    },
    /// A call was completed, and its result recorded where it has one.
    Completed {
        /// The node.
        addr: Address,
        /// The call.
        operation: Operation,
        /// Time since its start.
        elapsed: Duration,
        /// The object's `id`, if it has one that may be shown.
        id: Option<String>,
    },
    /// A call failed; its diagnostics follow as [`Event::Diagnosed`].
    Failed {
        /// The node.
        addr: Address,
        /// The call.
        operation: Operation,
        /// Time since its start.
        elapsed: Duration,
    },
    /// Something was found that a person must be told.
    Diagnosed {
        /// The node it is about, if one.
        addr: Option<Address>,
        /// What to tell.
        diagnostic: Diagnostic,
    },
    /// The person asked the run to stop: no further call starts.
    StopRequested {
        /// The calls that are still running and will be recorded.
        running: usize,
    },
    /// The transaction of the run was closed.
    TransactionClosed {
        /// Its name.
        txn: TransactionId,
    },
}
