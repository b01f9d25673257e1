//! All locks of a run or none, and the reservations of a plan.

use super::{Ending, HeldLock, LockLost, Locker, Purpose, Refusal, lock_key};
use crate::{Error, Written};
use pravo_state::{Address, Lock, LockKind, Standing, Status, Time};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// How long an apply looks at a lock whose command has not begun to apply, because that command
/// may be taking locks of its own and give them up.
const LOOK: Duration = Duration::from_secs(3);

/// The first pause between two looks; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(25);

/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(400);

/// How many locks are taken or given back at once.
const AT_ONCE: usize = 16;

/// The locks got so far, and why there are not more.
type Attempt = (Vec<HeldLock>, Option<Refusal>);

impl Locker {
    /// Takes the locks of all nodes that a run writes, in the order of their addresses, or none.
    /// One that is held: all are given back, and it is looked at again for at most three seconds
    /// while its command has not begun to apply, or as long as the purpose has patience.
    ///
    /// # Errors
    /// Who holds the smallest address that is held, or a state that can't be written.
    pub async fn acquire_all(
        &self,
        addrs: &BTreeSet<Address>,
        purpose: &Purpose,
    ) -> Result<Vec<HeldLock>, Refusal> {
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let (held, refusal) = self.attempt(addrs, purpose).await;
            let Some(refusal) = refusal else {
                return Ok(held);
            };
            self.release_all(held, Ending::Nothing).await?;
            let waited = started.elapsed();
            let limit = match &refusal {
                Refusal::Held { lock, .. } if !self.has_begun(lock).await => {
                    purpose.patience.max(LOOK)
                }
                Refusal::Held { .. } => purpose.patience,
                _ => return Err(refusal),
            };
            if waited >= limit {
                return Err(self.count_others(addrs, refusal).await);
            }
            tokio::time::sleep(self.jittered(pause).min(limit - waited)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// One try. The first lock is taken alone, since most who lose lose there; the others in
    /// growing groups at once.
    async fn attempt(&self, addrs: &BTreeSet<Address>, purpose: &Purpose) -> Attempt {
        let mut waiting: VecDeque<Address> = addrs.iter().cloned().collect();
        let mut held = Vec::with_capacity(addrs.len());
        let mut group = 1;
        while !waiting.is_empty() {
            let mut running = JoinSet::new();
            for addr in waiting.drain(..group.min(waiting.len())) {
                let (locker, purpose) = (self.clone(), purpose.clone());
                running.spawn(async move {
                    let got = locker.acquire(&addr, &purpose).await;
                    (addr, got)
                });
            }
            let mut refusals = BTreeMap::new();
            for (addr, got) in running.join_all().await {
                match got {
                    Ok(lock) => held.push(lock),
                    Err(refusal) => {
                        refusals.insert(addr, refusal);
                    }
                }
            }
            if let Some((_, refusal)) = refusals.pop_first() {
                return (held, Some(refusal));
            }
            group = (group * 2).min(AT_ONCE);
        }
        held.sort_by(|a, b| a.lock.addr.cmp(&b.lock.addr));
        (held, None)
    }

    /// Whether the command behind a lock changes things already, so that it will not give the lock
    /// up soon. A reservation always does.
    async fn has_begun(&self, lock: &Lock) -> bool {
        let Some(txn) = &lock.txn else {
            return lock.kind == LockKind::Reservation;
        };
        match self.state.transaction(txn).await {
            Ok(Some(transaction)) => transaction.status == Status::Running,
            Ok(None) => false,
            Err(_) => true,
        }
    }

    /// Names the smallest address that is held, and counts the others. Where the state does not
    /// answer, the refusal stays as it is.
    async fn count_others(&self, addrs: &BTreeSet<Address>, refusal: Refusal) -> Refusal {
        let Ok(locks) = self.state.locks().await else {
            return refusal;
        };
        let mut held = locks.into_iter().filter(|lock| {
            let own = lock.is_reserved_by(self.holder.who());
            addrs.contains(&lock.addr) && !own && self.standing(lock) != Standing::Stale
        });
        match held.next() {
            Some(first) => Refusal::Held {
                lock: Box::new(first.value),
                others: held.count(),
            },
            None => refusal,
        }
    }

    fn jittered(&self, pause: Duration) -> Duration {
        let [byte, ..] = self.outside.random();
        pause.mul_f64(0.5 + f64::from(byte) / 255.0)
    }

    /// Renews all locks.
    ///
    /// # Errors
    /// The first lock, by address, that is lost, else one that can't be confirmed.
    pub async fn renew_all(&self, held: &mut Vec<HeldLock>) -> Result<(), LockLost> {
        let mut lost = BTreeMap::new();
        let mut unconfirmed = BTreeMap::new();
        let mut waiting: VecDeque<HeldLock> = std::mem::take(held).into();
        while !waiting.is_empty() {
            let mut running = JoinSet::new();
            for mut lock in waiting.drain(..AT_ONCE.min(waiting.len())) {
                let locker = self.clone();
                running.spawn(async move {
                    let renewed = locker.renew(&mut lock).await;
                    (lock, renewed)
                });
            }
            for (lock, renewed) in running.join_all().await {
                let addr = lock.lock.addr.clone();
                held.push(lock);
                match renewed {
                    Ok(()) => {}
                    Err(error @ LockLost::Lost { .. }) => {
                        lost.insert(addr, error);
                    }
                    Err(error @ LockLost::Unconfirmed(_)) => {
                        unconfirmed.insert(addr, error);
                    }
                }
            }
        }
        held.sort_by(|a, b| a.lock.addr.cmp(&b.lock.addr));
        match lost.pop_first().or_else(|| unconfirmed.pop_first()) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// Gives all locks back, as far as the state takes them.
    ///
    /// # Errors
    /// The first that failed.
    pub async fn release_all(&self, held: Vec<HeldLock>, ending: Ending) -> Result<(), Error> {
        let mut waiting: VecDeque<HeldLock> = held.into();
        let mut failed = None;
        while !waiting.is_empty() {
            let mut running = JoinSet::new();
            for lock in waiting.drain(..AT_ONCE.min(waiting.len())) {
                let locker = self.clone();
                running.spawn(async move { locker.release(lock, ending).await });
            }
            for released in running.join_all().await {
                failed = failed.or(released.err());
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Reserves nodes for this actor, all or none; reservations of the same actor are extended.
    /// The answer is when they end.
    ///
    /// # Errors
    /// Who holds the smallest address that is held, or a state that can't be written.
    pub async fn reserve_all(
        &self,
        addrs: &BTreeSet<Address>,
        span: Duration,
    ) -> Result<Time, Refusal> {
        let held = self.acquire_all(addrs, &Purpose::default()).await?;
        let since = self.outside.now();
        let expires = since + span;
        let mut reserved: Vec<HeldLock> = Vec::with_capacity(held.len());
        let mut held: VecDeque<HeldLock> = held.into();
        while let Some(mut lock) = held.pop_front() {
            match self.turn_into_reservation(&mut lock, since, expires).await {
                Ok(()) => reserved.push(lock),
                Err(refusal) => {
                    reserved.push(lock);
                    reserved.extend(held);
                    self.release_all(reserved, Ending::Nothing).await?;
                    return Err(refusal);
                }
            }
        }
        Ok(expires)
    }

    /// A reservation needs no process, so it names none to compare, and it is never renewed.
    async fn turn_into_reservation(
        &self,
        held: &mut HeldLock,
        since: Time,
        expires: Time,
    ) -> Result<(), Refusal> {
        let mut lock = held.lock.clone();
        lock.kind = LockKind::Reservation;
        lock.since = since;
        lock.renewed_at = Some(since);
        lock.expires = Some(expires);
        let key = lock_key(&lock.addr);
        let written = self.state.replace(&key, lock.to_text(), &held.version);
        match written.await? {
            Written::Done(version) => {
                held.version = version;
                Ok(())
            }
            Written::Refused => Err(Refusal::State(Error::Conflict {
                file: self.state.shown(&key),
            })),
        }
    }
}
