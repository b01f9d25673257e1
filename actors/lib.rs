//! MOTION: the actors of a run, and [`Session`], which starts them.
//!
//! | Actor | How many | Asked by | Its end means |
//! |---|---|---|---|
//! | `Planner` | 1 | the session | the run fails; what it wrote is recorded |
//! | `Evaluator` | 1, on its own thread | planner, nodes | the run fails before more is applied |
//! | `Node` | 1 for each reached node and wave | nobody; told by nodes upstream | this node failed, what depends on it is blocked |
//! | `Provider` | 1 for each instance that is needed | nodes | calls in flight fail; results are unknown and read first |
//! | `Lock` | 1 for each apply, for all its locks | planner, nodes | the whole apply makes no further change |
//! | `Transaction` | 1 for each plan and apply | planner, nodes | nothing more is applied |
//!
//! Asking goes down this list only: planner, node, then evaluator, provider, lock, transaction.
//! Nodes tell nodes, along the edges. A record is kept before anything downstream hears of it.
//! Nothing is restarted.

mod estate;
mod evaluator;
mod halt;
mod install;
mod known;
mod lock;
mod node;
mod planner;
pub mod plugin;
mod provider;
mod run;
mod session;
mod specified;
mod supervision;
mod transaction;
mod world;

pub use estate::Installed;
pub use install::{Found, Installer};
pub use plugin::{Processes, schema_of};
pub use run::{Applied, Class, RunError};
pub use session::{Job, Loaded, Options, Session};
pub use specified::Specified;

/// Where plugins are looked for and how they are started, for whoever starts a session.
pub mod plugins {
    pub use pravo_provider::{
        Bundled, ConfigPlaces, LaunchOptions, Located, Options, Origin, warm_up,
    };
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
