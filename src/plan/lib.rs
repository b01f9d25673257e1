//! DECISIONS: pure functions from prior, desired and schema to a change. No clock, no input or output.
//!
//! In the order in which a run uses them:
//!
//! - [`Plan`] and its [`Change`]s with their [`Reason`]s: what a run found it has to do.
//! - [`Summary`]: the counts of the closing lines.
//! - [`document()`]: the plan as one JSON document.

pub mod change;
pub mod closing;
pub mod document;
pub mod outputs;
pub mod path;
pub mod plan;
pub mod reason;

pub use change::{Action, Change, Mode, Order, ReadKind};
pub use closing::Summary;
pub use document::{Shown, document};
pub use outputs::{OutputAction, OutputChange};
pub use path::{Path, PathStep};
pub use plan::{Expected, Header, LeftAlone, Plan, PlanMode, PlanProvider};
pub use reason::Reason;
