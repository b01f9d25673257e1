//! DECISIONS: pure functions from prior, desired and schema to a change. No clock, no input or
//! output.
//!
//! In the order in which a run uses them:
//!
//! - [`Plan`] and its [`Change`]s with their [`Reason`]s: what a run found it has to do.
//! - [`Summary`]: the counts of the closing lines.
//! - [`document()`]: the plan as one JSON document.

pub mod change;
pub mod closing;
pub mod decide;
pub mod document;
pub mod drift;
pub mod normal;
pub mod order;
pub mod outputs;
pub mod plan;
pub mod propose;
pub mod reach;
pub mod reason;
pub mod stale;

pub use change::{Action, Change, Order, ReadKind};
pub use closing::Summary;
pub use document::{Shown, document};
pub use outputs::{OutputAction, OutputChange, OutputValue};
pub use plan::{Frozen, Header, LeftAlone, Plan, PlanMode, PlanProvider};
pub use pravo_state::Mode;
pub use pravo_state::{AttributePath as Path, PathStep};
pub use reach::Age;
pub use reason::Reason;

#[cfg(test)]
mod schema_for_tests;
