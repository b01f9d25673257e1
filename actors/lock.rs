//! The locks of an apply: keeps all of them, or gives all of them back.
//!
//! Started by the planner; asked by the planner and, before each call that changes something, by
//! nodes. It talks to the store only. Its end, or the loss of one lock, means that the whole apply
//! makes no further change.

use crate::halt::Halt;
use crate::run::{Class, RunError};
use crate::supervision::{EndGuard, Who};
use actix::{
    Actor, ActorFutureExt, AsyncContext, AtomicResponse, Context, Handler, Message,
    ResponseActFuture, WrapFuture,
};
use pravo_state::{Address, Diagnostic, TransactionId};
use pravo_store::{Ending, HeldLock, LockLost, Locker, Purpose, Refusal};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often locks are renewed.
const RENEW_EVERY: Duration = Duration::from_secs(120);

/// How old the last confirmation may be when a provider is asked to change something.
const CONFIRM_WITHIN: Duration = Duration::from_secs(300);

/// The field of a lock that says that an object is being created.
const CREATING: &str = "creating";

/// Takes the locks of all these nodes, or none.
#[derive(Message)]
#[rtype(result = "Result<(), RunError>")]
pub(crate) struct Acquire {
    pub(crate) addresses: BTreeSet<Address>,
    pub(crate) txn: TransactionId,
    pub(crate) patience: Duration,
}

/// Makes sure that the locks are one's own before a change.
#[derive(Message)]
#[rtype(result = "Result<(), RunError>")]
pub(crate) struct Confirm;

/// Notes in the lock of a node that its object is being created: of a create that nobody hears of
/// again, the lock is the only trace. Confirms that lock as well.
#[derive(Message)]
#[rtype(result = "Result<(), RunError>")]
pub(crate) struct NoteCreate(pub(crate) Address);

/// Gives the locks back. `done` are the nodes that were worked on, `keep` those whose lock has to
/// stay as the trace of an unknown result.
#[derive(Message)]
#[rtype(result = "Result<(), RunError>")]
pub(crate) struct Release {
    pub(crate) done: BTreeSet<Address>,
    pub(crate) keep: BTreeSet<Address>,
}

pub(crate) struct Lock {
    locker: Locker,
    held: BTreeMap<Address, HeldLock>,
    confirmed: Instant,
    halt: Rc<Halt>,
    _guard: EndGuard,
}

impl Lock {
    pub(crate) fn new(locker: Locker, halt: Rc<Halt>, guard: EndGuard) -> Self {
        debug_assert_eq!(guard.who(), &Who::Lock);
        Self {
            locker,
            held: BTreeMap::new(),
            confirmed: Instant::now(),
            halt,
            _guard: guard,
        }
    }

    /// Renews all locks. The mailbox has to wait meanwhile, so that nobody counts on a doubtful
    /// lock.
    fn renew(&mut self) -> ResponseActFuture<Self, Result<(), RunError>> {
        let locker = self.locker.clone();
        let mut held: Vec<HeldLock> = std::mem::take(&mut self.held).into_values().collect();
        let work = async move {
            let renewed = locker.renew_all(&mut held).await;
            (renewed, held)
        };
        Box::pin(work.into_actor(self).map(|(renewed, held), lock, _| {
            lock.held.extend(by_address(held));
            match renewed {
                Ok(()) => {
                    lock.confirmed = Instant::now();
                    Ok(())
                }
                Err(lost) => {
                    let error = lock_lost(&lost);
                    lock.halt.stop(error.clone());
                    Err(error)
                }
            }
        }))
    }
}

fn by_address(held: Vec<HeldLock>) -> impl Iterator<Item = (Address, HeldLock)> {
    held.into_iter().map(|held| (held.lock.addr.clone(), held))
}

/// Whether a lock that an apply left says that an object was being created.
pub(crate) fn was_creating(lock: &pravo_state::Lock) -> bool {
    // A lock of which nobody knows who wrote it does not say, so the worse is taken.
    lock.rest.get(CREATING) == Some(&true.into()) || lock.holder.pid_start.is_none()
}

fn lock_lost(lost: &LockLost) -> RunError {
    let class = match lost {
        LockLost::Lost { .. } => Class::Locked,
        LockLost::Unconfirmed(_) => Class::Failed,
    };
    RunError::of(class, Diagnostic::error(lost.to_string()))
}

/// The error of a run that a lock stands against; `what` is `apply` or `plan`.
pub(crate) fn refused(what: &str, refusal: &Refusal) -> RunError {
    let text = format!("{what} rejected: {refusal}");
    match refusal {
        Refusal::State(error) => RunError::failed(error.to_string()),
        Refusal::Held { .. } => RunError::of(Class::Locked, Diagnostic::error(text)),
        Refusal::Left { .. } => RunError::of(Class::Stale, Diagnostic::error(text)),
    }
}

impl Actor for Lock {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(RENEW_EVERY, |lock, ctx| {
            if !lock.held.is_empty() {
                let renewed = lock.renew();
                ctx.wait(renewed.map(|_, _, _| ()));
            }
        });
    }
}

impl Handler<Acquire> for Lock {
    type Result = ResponseActFuture<Self, Result<(), RunError>>;

    fn handle(&mut self, acquire: Acquire, _: &mut Self::Context) -> Self::Result {
        let locker = self.locker.clone();
        let work = async move {
            let purpose = Purpose {
                txn: Some(acquire.txn),
                patience: acquire.patience,
                ..Purpose::default()
            };
            locker.acquire_all(&acquire.addresses, &purpose).await
        };
        Box::pin(work.into_actor(self).map(|got, lock, _| {
            lock.held = by_address(got.map_err(|refusal| refused("apply", &refusal))?).collect();
            lock.confirmed = Instant::now();
            Ok(())
        }))
    }
}

impl Handler<Confirm> for Lock {
    type Result = AtomicResponse<Self, Result<(), RunError>>;

    fn handle(&mut self, _: Confirm, _: &mut Self::Context) -> Self::Result {
        if self.held.is_empty() || self.confirmed.elapsed() <= CONFIRM_WITHIN {
            return AtomicResponse::new(Box::pin(actix::fut::ready(Ok(()))));
        }
        AtomicResponse::new(self.renew())
    }
}

impl Handler<NoteCreate> for Lock {
    type Result = ResponseActFuture<Self, Result<(), RunError>>;

    fn handle(&mut self, create: NoteCreate, _: &mut Self::Context) -> Self::Result {
        let Some(mut held) = self.held.remove(&create.0) else {
            let text = format!("lock lost: {} is not held any more", create.0);
            let error = RunError::of(Class::Locked, Diagnostic::error(text));
            return Box::pin(actix::fut::ready(Err(error)));
        };
        held.lock.rest.insert(CREATING.to_owned(), true.into());
        let locker = self.locker.clone();
        let work = async move {
            let renewed = locker.renew(&mut held).await;
            (renewed, held)
        };
        Box::pin(work.into_actor(self).map(|(renewed, held), lock, _| {
            lock.held.insert(create.0, held);
            renewed.map_err(|lost| {
                let error = lock_lost(&lost);
                lock.halt.stop(error.clone());
                error
            })
        }))
    }
}

impl Handler<Release> for Lock {
    type Result = ResponseActFuture<Self, Result<(), RunError>>;

    fn handle(&mut self, release: Release, _: &mut Self::Context) -> Self::Result {
        let held = std::mem::take(&mut self.held)
            .into_values()
            .filter(|h| !release.keep.contains(&h.lock.addr));
        let (done, rest): (Vec<_>, Vec<_>) =
            held.partition(|h| release.done.contains(&h.lock.addr));
        let locker = self.locker.clone();
        let work = async move {
            let first = locker.release_all(done, Ending::Done).await;
            let second = locker.release_all(rest, Ending::Nothing).await;
            first.and(second)
        };
        Box::pin(
            work.into_actor(self)
                .map(|released, _, _| released.map_err(RunError::from)),
        )
    }
}
