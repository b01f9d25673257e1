//! BYTES: where records are kept, what is atomic about it, and who holds which lock.
//!
//! - [`Objects`]: a place for objects by key, with five conditional operations. [`DirObjects`] is
//!   a directory, [`MemoryObjects`] is for tests and fails on demand; [`conformance`] is the
//!   suite that every place must pass.
//! - [`State`]: the graph of records in such a place: head, records, outputs, transactions.
//! - [`Locker`]: takes, renews and gives back the locks and reservations of a command.
//! - [`recovery`]: what a failing place did not take, in a file.
//! - [`Processes`]: whether the process behind a lock still runs.

pub mod conformance;
mod dir;
mod error;
mod locks;
mod memory;
mod objects;
mod process;
pub mod recovery;
mod state;
#[cfg(test)]
mod testing;

pub use dir::DirObjects;
pub use error::Error;
pub use locks::{
    CONFIRM_WITHIN, Ending, HeldLock, Inherit, LockLost, Locker, Purpose, RENEW_EVERY, Refusal,
    Unlocked,
};
pub use memory::{Fault, MemoryObjects};
pub use objects::{Answer, Object, Objects, Version, Written};
pub use process::{Processes, SystemProcesses};
pub use state::{Kept, OpenTransaction, Records, State};

/// Runs a piece of asynchronous work to its end on the calling thread, for callers without a
/// runtime of their own.
///
/// # Errors
/// That the system gives no runtime.
pub fn block_on<F: Future>(work: F) -> std::io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    Ok(runtime.block_on(work))
}
