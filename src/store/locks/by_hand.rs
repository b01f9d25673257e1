//! Locks that a person releases.

use super::{Locker, lock_key};
use crate::{Error, Kept};
use pravo_state::{Address, Lock, LockKind, Standing};

/// What became of a lock that a person wanted released.
#[derive(Clone, Debug, PartialEq)]
pub enum Unlocked {
    /// It is released.
    Released(Box<Lock>),
    /// Nobody held the node.
    Free,
    /// A command that runs holds it; only force releases it.
    Live(Box<Lock>),
}

impl Locker {
    /// Releases the lock or reservation on a node. A live lock of another process needs force. What
    /// an apply left keeps its duty: the record is read at the next plan whatever its age.
    ///
    /// # Errors
    /// A state that can't be written, or a lock that was taken by another command meanwhile.
    pub async fn unlock(&self, addr: &Address, force: bool) -> Result<Unlocked, Error> {
        let found = match self.state.lock(addr).await {
            Err(Error::Broken { file, problem }) => {
                if !force {
                    return Err(Error::Broken { file, problem });
                }
                return self.unlock_broken(addr).await;
            }
            found => found?,
        };
        let Some(found) = found else {
            return Ok(Unlocked::Free);
        };
        let live = found.kind == LockKind::Lock && self.standing(&found) == Standing::Live;
        if live && !force {
            return Ok(Unlocked::Live(Box::new(found.value)));
        }
        if self.drop_lock(&found).await? {
            return Ok(Unlocked::Released(Box::new(found.value)));
        }
        Err(Error::Conflict {
            file: self.state.shown(&lock_key(addr)),
        })
    }

    /// Releases all stale locks and expired reservations; those that were released.
    ///
    /// # Errors
    /// A state that can't be read or written.
    pub async fn unlock_stale(&self) -> Result<Vec<Lock>, Error> {
        let mut released = Vec::new();
        for found in self.state.locks().await? {
            if self.standing(&found) == Standing::Stale && self.drop_lock(&found).await? {
                released.push(found.value);
            }
        }
        Ok(released)
    }

    /// Deletes a lock as it was read; whether it was still that one. The record of an apply that
    /// stopped is first told to be read again.
    async fn drop_lock(&self, found: &Kept<Lock>) -> Result<bool, Error> {
        if found.txn.is_some() {
            self.forget_refresh(&found.addr).await?;
        }
        self.state
            .delete(&lock_key(&found.addr), &found.version)
            .await
    }

    async fn forget_refresh(&self, addr: &Address) -> Result<(), Error> {
        let Some(kept) = self.state.record(addr).await? else {
            return Ok(());
        };
        if kept.refreshed_at.is_none() {
            return Ok(());
        }
        let mut record = kept.value;
        record.refreshed_at = None;
        record.updated_at = Some(self.outside.now());
        self.state.put_record(&record, Some(&kept.version)).await?;
        Ok(())
    }

    /// A lock nobody can read says nothing of its duty, so the record is read again in any case.
    async fn unlock_broken(&self, addr: &Address) -> Result<Unlocked, Error> {
        self.forget_refresh(addr).await?;
        let key = lock_key(addr);
        if let Some(object) = self.state.objects().get(&key).await? {
            self.state.delete(&key, &object.version).await?;
        }
        Ok(Unlocked::Free)
    }
}
