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
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often locks are renewed.
const RENEW_EVERY: Duration = Duration::from_secs(120);

/// How old the last confirmation may be when a provider is asked to change something.
const CONFIRM_WITHIN: Duration = Duration::from_secs(300);

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
    held: Vec<HeldLock>,
    confirmed: Instant,
    halt: Rc<Halt>,
    _guard: EndGuard,
}

impl Lock {
    pub(crate) fn new(locker: Locker, halt: Rc<Halt>, guard: EndGuard) -> Self {
        debug_assert_eq!(guard.who(), &Who::Lock);
        Self {
            locker,
            held: Vec::new(),
            confirmed: Instant::now(),
            halt,
            _guard: guard,
        }
    }

    /// Renews all locks. The mailbox has to wait meanwhile, so that nobody counts on a doubtful
    /// lock.
    fn renew(&mut self) -> ResponseActFuture<Self, Result<(), RunError>> {
        let locker = self.locker.clone();
        let mut held = std::mem::take(&mut self.held);
        let work = async move {
            let renewed = locker.renew_all(&mut held).await;
            (renewed, held)
        };
        Box::pin(work.into_actor(self).map(|(renewed, held), lock, _| {
            lock.held = held;
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
            lock.held = got.map_err(|refusal| refused("apply", &refusal))?;
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

impl Handler<Release> for Lock {
    type Result = ResponseActFuture<Self, Result<(), RunError>>;

    fn handle(&mut self, release: Release, _: &mut Self::Context) -> Self::Result {
        let held = std::mem::take(&mut self.held);
        let held = held
            .into_iter()
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
