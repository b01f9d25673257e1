//! Locks and reservations: taken whole or not at all, renewed, given back, reclaimed.
//!
//! A lock is an object that only its maker knows the nonce of. It is made by a create that must
//! find nothing, and taken over, renewed and released by writes that must find the very bytes
//! that were read, so of commands that race one wins, and a former holder changes nothing.

mod all;
mod by_hand;
mod one;
#[cfg(test)]
mod tests;

pub use by_hand::Unlocked;

use crate::{Error, Kept, Processes, State, Version};
use pravo_state::{
    Address, Holder, Lock, LockKind, Outside, Standing, Status, TransactionId, hash, name,
};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How often a running command renews its locks.
pub const RENEW_EVERY: Duration = Duration::from_secs(120);

/// How old the last confirmation of a lock may be when a provider is called.
pub const CONFIRM_WITHIN: Duration = Duration::from_secs(300);

/// What locks are taken for.
#[derive(Clone, Debug, Default)]
pub struct Purpose {
    /// The transaction that will write the nodes; nothing for the instant of a plan.
    pub txn: Option<TransactionId>,
    /// Which locks that a stopped apply left may be taken over.
    pub inherit: Inherit,
    /// How long to keep trying while somebody holds one.
    pub patience: Duration,
}

/// Which stale locks with a transaction, the trace of an apply that stopped, may be taken over.
#[derive(Clone, Debug, Default)]
pub enum Inherit {
    /// All of them.
    #[default]
    Any,
    /// Those of the transactions that the plan warns of.
    Only(BTreeSet<TransactionId>),
}

/// A lock that this command holds.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldLock {
    /// The lock as it was last written.
    pub lock: Lock,
    /// What it was taken over from: an own reservation, or what a dead command left.
    pub previous: Option<Lock>,
    version: Version,
}

impl HeldLock {
    /// The transaction of an apply that stopped while it held this node.
    pub fn inherited(&self) -> Option<&TransactionId> {
        self.previous.as_ref()?.txn.as_ref()
    }
}

/// What becomes of a node when its lock is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The work on the node is done: nothing stays. It ends an own reservation.
    Done,
    /// A plan wrote the node: an own reservation is put back, the trace of a stopped apply is
    /// gone.
    Written,
    /// Nothing was done: an own reservation, or the trace of a stopped apply, is put back.
    Nothing,
}

/// Why locks were not given.
#[derive(Debug)]
pub enum Refusal {
    /// Somebody holds one.
    Held {
        /// The lock of the smallest address that is held.
        lock: Box<Lock>,
        /// How many other needed nodes are held as well.
        others: usize,
    },
    /// An apply that stopped left its lock on a node, and the plan does not know of it.
    Left {
        /// That lock.
        lock: Box<Lock>,
    },
    /// The state could not be read or written.
    State(Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held { lock, others } => {
                f.write_str(&lock.refusal())?;
                match others {
                    0 => Ok(()),
                    1 => f.write_str("; 1 other node is held as well"),
                    others => write!(f, "; {others} other nodes are held as well"),
                }
            }
            Self::Left { lock } => {
                let addr = &lock.addr;
                write!(f, "{addr} was left locked by an apply that stopped")?;
                match &lock.txn {
                    Some(txn) => write!(f, " (txn {txn})"),
                    None => Ok(()),
                }
            }
            Self::State(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::State(error)
    }
}

/// Why a held lock can't be counted on any more.
#[derive(Debug)]
pub enum LockLost {
    /// It is not there, or somebody else's.
    Lost {
        /// The node.
        addr: Address,
        /// The lock that is there now.
        by: Option<Box<Lock>>,
    },
    /// The state did not answer, so nobody knows.
    Unconfirmed(Error),
}

impl fmt::Display for LockLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost { addr, by: None } => write!(f, "lock lost: {addr} is not held any more"),
            Self::Lost { addr, by: Some(by) } => {
                let Holder { command, pid, .. } = &by.holder;
                let (host, who) = (by.holder.host.name(), by.holder.who());
                write!(
                    f,
                    "lock lost: {addr} is now held by {command} (pid {pid} on {host}, {who})"
                )
            }
            Self::Unconfirmed(error) => write!(f, "the locks cannot be confirmed: {error}"),
        }
    }
}

impl std::error::Error for LockLost {}

/// Takes and gives back the locks of one command. Cloning it is cheap.
#[derive(Clone)]
pub struct Locker {
    state: State,
    processes: Arc<dyn Processes>,
    outside: Arc<dyn Outside>,
    holder: Arc<Holder>,
}

impl Locker {
    /// The locks of a command on a state that was opened for writing. Host, process number and
    /// start of the holder are those of this process.
    pub fn new(
        state: State,
        processes: Arc<dyn Processes>,
        outside: Arc<dyn Outside>,
        holder: Holder,
    ) -> Self {
        let pid = std::process::id();
        let holder = Holder {
            host: processes.host(),
            pid,
            pid_start: processes.start_of(pid).filter(|start| !start.is_empty()),
            ..holder
        };
        Self {
            state,
            processes,
            outside,
            holder: Arc::new(holder),
        }
    }

    /// Who holds, with this process filled in.
    pub fn holder(&self) -> &Holder {
        &self.holder
    }

    /// The state whose nodes are locked.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether somebody holds the lock, judged by its fields and by the processes of this machine.
    pub fn standing(&self, lock: &Lock) -> Standing {
        let Holder {
            host,
            pid,
            pid_start,
            ..
        } = &lock.holder;
        let liveness = self.processes.liveness(host, *pid, pid_start.as_deref());
        lock.standing(liveness, self.outside.now())
    }

    /// Whether the node is reserved for another actor.
    pub fn is_reserved_by_other(&self, lock: &Lock) -> bool {
        lock.kind == LockKind::Reservation
            && !lock.is_reserved_by(self.holder.who())
            && self.standing(lock) != Standing::Stale
    }

    /// Whether a transaction is recorded as running though nothing of it lives: no lock of it in
    /// `locks`, and not its process.
    pub fn is_interrupted(
        &self,
        transaction: &pravo_state::Transaction,
        locks: &[Kept<Lock>],
    ) -> bool {
        if transaction.status != Status::Running {
            return false;
        }
        let mut own = locks
            .iter()
            .filter(|lock| lock.txn.as_ref() == Some(&transaction.id));
        if own.any(|lock| self.standing(lock) != Standing::Stale) {
            return false;
        }
        let Holder {
            host,
            pid,
            pid_start,
            ..
        } = &transaction.holder;
        let liveness = self.processes.liveness(host, *pid, pid_start.as_deref());
        transaction.is_interrupted(liveness, self.outside.now())
    }

    /// The apply that stopped and left its trace on the node: in its lock, or in the reservation
    /// or lock that took its place.
    pub fn trace<'a>(&self, lock: &'a Lock) -> Option<&'a TransactionId> {
        let left = lock.kind == LockKind::Reservation || self.standing(lock) == Standing::Stale;
        lock.txn.as_ref().filter(|_| left)
    }

    fn nonce(&self) -> String {
        hash::hex(&self.outside.random())
    }
}

impl State {
    /// The lock or reservation on a node; nothing when it is free.
    ///
    /// # Errors
    /// A lock that can't be read or is broken: `state unlock` removes it.
    pub async fn lock(&self, addr: &Address) -> Result<Option<Kept<Lock>>, Error> {
        let key = lock_key(addr);
        let Some(object) = self.objects().get(&key).await? else {
            return Ok(None);
        };
        let value = self.parse_lock(&key, &object.bytes)?;
        if value.addr != *addr {
            return Err(self.misplaced(&key, &value.addr, addr));
        }
        let version = object.version;
        Ok(Some(Kept { value, version }))
    }

    /// All locks and reservations, by address.
    ///
    /// # Errors
    /// As [`State::lock`].
    pub async fn locks(&self) -> Result<Vec<Kept<Lock>>, Error> {
        let keys = self.objects().list("locks/").await?;
        let keys: Vec<String> = keys.into_iter().filter(|k| k.ends_with(".lock")).collect();
        let mut locks = Vec::new();
        for piece in keys.chunks(512) {
            let objects = self.objects().get_many(piece).await?;
            for (key, object) in piece.iter().zip(objects) {
                // What was released since it was listed is gone.
                let Some(object) = object else { continue };
                let value = self.parse_lock(key, &object.bytes)?;
                let version = object.version;
                locks.push(Kept { value, version });
            }
        }
        locks.sort_by(|a, b| a.addr.cmp(&b.addr));
        Ok(locks)
    }

    fn parse_lock(&self, key: &str, bytes: &[u8]) -> Result<Lock, Error> {
        Lock::parse(bytes).map_err(|problem| Error::Broken {
            file: self.shown(key),
            problem: format!("{problem}; if no command runs, remove it with pravo state unlock"),
        })
    }
}

fn lock_key(addr: &Address) -> String {
    format!("locks/{}.lock", name::encode(addr))
}
