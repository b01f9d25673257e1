//! One lock: taken, renewed, released.

use super::{Ending, HeldLock, Inherit, LockLost, Locker, Purpose, Refusal, lock_key};
use crate::{Kept, Written};
use pravo_state::{Address, Lock, LockKind, Standing, TransactionId};

/// How often a lock is looked at again when it changes under one's hands.
const ROUNDS: usize = 16;

impl Locker {
    /// Takes the lock of one node, for the instant of a write.
    ///
    /// # Errors
    /// Who holds it, or a state that can't be written.
    pub async fn acquire(&self, addr: &Address, purpose: &Purpose) -> Result<HeldLock, Refusal> {
        let nonce = self.nonce();
        let mut seen = None;
        for _ in 0..ROUNDS {
            let lock = self.draft(addr, &nonce, purpose.txn.clone());
            let free = self.state.create(&lock_key(addr), lock.to_text()).await?;
            if let Written::Done(version) = free {
                let previous = None;
                return Ok(HeldLock {
                    lock,
                    previous,
                    version,
                });
            }
            let Some(found) = self.state.lock(addr).await? else {
                continue;
            };
            if !self.may_take(&found, purpose)? {
                return Err(held(found.value));
            }
            if let Some(held) = self.take_over(&found, &nonce, purpose).await? {
                return Ok(held);
            }
            seen = Some(found.value);
        }
        match seen {
            Some(lock) => Err(held(lock)),
            None => Err(Refusal::State(crate::Error::Busy {
                file: self.state.shown(&lock_key(addr)),
            })),
        }
    }

    /// Whether a lock that is there may be replaced: it is stale, or an own reservation.
    fn may_take(&self, found: &Lock, purpose: &Purpose) -> Result<bool, Refusal> {
        let own = found.is_reserved_by(self.holder.who());
        if !own && self.standing(found) != Standing::Stale {
            return Ok(false);
        }
        match (&found.txn, &purpose.inherit) {
            (Some(txn), Inherit::Only(known)) if !known.contains(txn) => Err(Refusal::Left {
                lock: Box::new(found.clone()),
            }),
            _ => Ok(true),
        }
    }

    /// Replaces a lock that may be taken; nothing when somebody else was first. Where a stopped
    /// apply left it, its transaction stays named until the node is done with.
    async fn take_over(
        &self,
        found: &Kept<Lock>,
        nonce: &str,
        purpose: &Purpose,
    ) -> Result<Option<HeldLock>, Refusal> {
        let txn = purpose.txn.clone().or_else(|| found.txn.clone());
        let lock = self.draft(&found.addr, nonce, txn);
        let key = lock_key(&found.addr);
        let written = self.state.replace(&key, lock.to_text(), &found.version);
        Ok(match written.await? {
            Written::Done(version) => Some(HeldLock {
                lock,
                previous: Some(found.value.clone()),
                version,
            }),
            Written::Refused => None,
        })
    }

    fn draft(&self, addr: &Address, nonce: &str, txn: Option<TransactionId>) -> Lock {
        let now = self.outside.now();
        Lock {
            addr: addr.clone(),
            holder: self.holder.as_ref().clone(),
            nonce: nonce.to_owned(),
            since: now,
            kind: LockKind::Lock,
            expires: None,
            renewed_at: Some(now),
            txn,
            rest: serde_json::Map::new(),
        }
    }

    /// Shows that the holder of a lock lives. After an answer that was lost the lock is read back:
    /// with one's own nonce it is one's own.
    ///
    /// # Errors
    /// That the lock is lost, or that nobody knows.
    pub async fn renew(&self, held: &mut HeldLock) -> Result<(), LockLost> {
        let addr = held.lock.addr.clone();
        let mut lock = held.lock.clone();
        lock.renewed_at = Some(self.outside.now());
        let key = lock_key(&addr);
        for _ in 0..2 {
            let written = self.state.replace(&key, lock.to_text(), &held.version);
            match written.await.map_err(LockLost::Unconfirmed)? {
                Written::Done(version) => {
                    held.lock = lock;
                    held.version = version;
                    return Ok(());
                }
                Written::Refused => {
                    let found = self
                        .state
                        .lock(&addr)
                        .await
                        .map_err(LockLost::Unconfirmed)?;
                    match found {
                        Some(found) if found.nonce == held.lock.nonce => {
                            held.version = found.version;
                        }
                        other => {
                            let by = other.map(|kept| Box::new(kept.value));
                            return Err(LockLost::Lost { addr, by });
                        }
                    }
                }
            }
        }
        Err(LockLost::Lost { addr, by: None })
    }

    /// Gives a lock back. One that another command took over is left alone.
    ///
    /// # Errors
    /// A state that can't be written: the lock becomes stale when this process has ended.
    pub async fn release(&self, held: HeldLock, ending: Ending) -> Result<(), crate::Error> {
        let key = lock_key(&held.lock.addr);
        let restored = self.restored(&held, ending);
        let mut version = held.version.clone();
        for _ in 0..2 {
            let done = match &restored {
                Some(lock) => {
                    let written = self.state.replace(&key, lock.to_text(), &version);
                    matches!(written.await?, Written::Done(_))
                }
                None => self.state.delete(&key, &version).await?,
            };
            if done {
                return Ok(());
            }
            // Own bytes of a renewal whose answer was lost, or no longer one's own.
            match self.state.lock(&held.lock.addr).await? {
                Some(found) if found.nonce == held.lock.nonce => version = found.version,
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// What the lock was taken over from, if that has to stand there again.
    fn restored(&self, held: &HeldLock, ending: Ending) -> Option<Lock> {
        let previous = held.previous.as_ref()?;
        let keep = match (ending, previous.kind) {
            (Ending::Done, _) | (Ending::Written, LockKind::Lock) => false,
            (_, LockKind::Reservation) => self.standing(previous) != Standing::Stale,
            (Ending::Nothing, LockKind::Lock) => previous.txn.is_some(),
        };
        keep.then(|| previous.clone())
    }
}

fn held(lock: Lock) -> Refusal {
    Refusal::Held {
        lock: Box::new(lock),
        others: 0,
    }
}
