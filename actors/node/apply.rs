//! What a node does in the apply wave: plans its change again with known values, compares, makes
//! it, and keeps the result before anything downstream starts.

mod change;
mod keep;

use crate::estate::Declared;
use crate::halt::Halt;
use crate::lock::{Confirm, Lock, NoteCreate};
use crate::run::RunError;
use crate::transaction::Transaction;
use crate::world::World;
use actix::Addr;
use pravo_plan::{Action, Change, Frozen};
use pravo_state::{Address, Record, TransactionId};
use pravo_store::Kept;
use std::sync::Arc;

/// One step of an apply.
pub(crate) struct ApplyWork {
    pub(crate) change: Arc<Change>,
    pub(crate) frozen: Arc<Frozen>,
    /// The record, as it was found under the lock.
    pub(crate) record: Option<Kept<Record>>,
    pub(crate) locks: Addr<Lock>,
    pub(crate) transaction: Addr<Transaction>,
    pub(crate) txn: TransactionId,
}

/// What became of a step.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// It is done and kept.
    Done,
    /// It failed; what is known of it is kept.
    Failed(RunError),
    /// Its turn did not come.
    NotStarted,
}

/// What a step reports.
pub(crate) struct Report {
    pub(crate) address: Address,
    pub(crate) ended: Ended,
    /// What happened to objects, for the counts.
    pub(crate) added: bool,
    pub(crate) changed: bool,
    pub(crate) destroyed: bool,
    pub(crate) forgotten: bool,
    /// Something was done to the node, so its lock has served its purpose.
    pub(crate) touched: bool,
    /// Nobody knows what exists; the lock stays as the only trace.
    pub(crate) keep_lock: bool,
    pub(crate) warnings: Vec<pravo_state::Diagnostic>,
}

impl Report {
    pub(crate) fn new(address: &Address, ended: Ended) -> Self {
        Self {
            address: address.clone(),
            ended,
            added: false,
            changed: false,
            destroyed: false,
            forgotten: false,
            touched: false,
            keep_lock: false,
            warnings: Vec::new(),
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.ended, Ended::Done)
    }
}

/// Why a step did not come to its end.
pub(crate) enum Stopped {
    /// It failed; others go on.
    Failed(RunError),
    /// The whole apply has to stop.
    Whole(RunError),
    /// The whole apply stopped before this step changed anything.
    NotStarted,
}

/// One step while it runs.
struct Run<'a> {
    world: &'a World,
    address: &'a Address,
    work: ApplyWork,
    report: Report,
}

pub(crate) async fn run(
    world: &World,
    address: &Address,
    work: ApplyWork,
    blocked: bool,
) -> Report {
    let not_started = || Report::new(address, Ended::NotStarted);
    if blocked {
        return not_started();
    }
    let Ok(_permit) = world.permits.acquire().await else {
        return not_started();
    };
    if world.halt.is_set() {
        return not_started();
    }
    let mut run = Run {
        world,
        address,
        work,
        report: Report::new(address, Ended::Done),
    };
    let result = run.carry_out().await;
    run.report.ended = match result {
        Ok(()) => Ended::Done,
        Err(Stopped::Failed(error)) => Ended::Failed(error),
        Err(Stopped::Whole(error)) => {
            world.halt.stop(error.clone());
            Ended::Failed(error)
        }
        Err(Stopped::NotStarted) => Ended::NotStarted,
    };
    run.report
}

impl Run<'_> {
    async fn carry_out(&mut self) -> Result<(), Stopped> {
        let place = self.world.estate.place(self.address);
        let removed = self.work.change.removed;
        let estate = Arc::clone(&self.world.estate);
        let declared: Option<&Declared> = place.map(|place| &estate.nodes[place]);
        match (self.work.change.action, declared) {
            (Action::Forget, _) => self.forget().await,
            (Action::NoOp, _) if removed => self.drop_record().await,
            (Action::Delete, _) => self.delete().await,
            (Action::NoOp, Some(node)) => self.rewrite(node).await,
            (Action::Read, Some(node)) => self.read(node).await,
            (Action::Create | Action::Update | Action::Replace, Some(node)) => {
                self.change(node).await
            }
            (action, None) => Err(Stopped::Failed(RunError::failed(format!(
                "{}: the plan has the action {}, but the node is not declared",
                self.address,
                action.as_str()
            )))),
        }
    }

    fn halt(&self) -> &Halt {
        &self.world.halt
    }

    /// Makes sure that the locks are one's own and that nothing else ended the run: the last
    /// thing before an object is changed.
    async fn confirm(&self) -> Result<(), Stopped> {
        match self.work.locks.send(Confirm).await {
            Ok(Ok(())) if self.halt().is_set() => Err(Stopped::NotStarted),
            Ok(Ok(())) => Ok(()),
            Ok(Err(lost)) => Err(Stopped::Whole(lost)),
            Err(_) => Err(Stopped::Whole(RunError::failed(
                "the keeper of the locks ended",
            ))),
        }
    }

    /// Leaves a trace in the lock before an object is created that no record knows of.
    async fn note_create(&self) -> Result<(), Stopped> {
        let noted = self.work.locks.send(NoteCreate(self.address.clone())).await;
        match noted {
            Ok(Ok(())) => Ok(()),
            Ok(Err(lost)) => Err(Stopped::Whole(lost)),
            Err(_) => Err(Stopped::Whole(RunError::failed(
                "the keeper of the locks ended",
            ))),
        }
    }
}
