//! The apply wave: takes the locks, checks that the plan still holds, lets the nodes carry it out.

mod outputs;

use super::{Heard, Inbox};
use crate::lock::{Acquire, Lock, Release};
use crate::node::apply::{ApplyWork, Ended as Step, Report};
use crate::node::{Node, Reach, Work};
use crate::run::{Applied, Class, RunError};
use crate::supervision::Who;
use crate::transaction::{Begin, Close, Transaction};
use crate::world::World;
use actix::{Actor, Addr, Recipient};
use pravo_plan::order::{Step as Ordered, apply_order};
use pravo_plan::stale::stale;
use pravo_plan::{Change, Plan};
use pravo_state::{
    Address, Diagnostic, Event, OutputChanges, Record, Status, TransactionId, TransactionKind,
};
use pravo_store::Kept;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Carries out a plan.
pub(super) async fn apply_plan(
    world: &Rc<World>,
    inbox: Inbox,
    wave: u64,
    (plan, patience): (Plan, Duration),
) -> Result<Applied, RunError> {
    if plan.is_empty() {
        let outputs = world.state.merge_outputs(&OutputChanges::default()).await?;
        return Ok(Applied {
            outputs,
            ..Applied::default()
        });
    }
    let txn = TransactionId::make(world.outside.as_ref());
    let kind = match plan.is_destroy() {
        true => TransactionKind::Destroy,
        false => TransactionKind::Apply,
    };
    let guard = world.guard(Who::Transaction);
    let transaction = Transaction::new(
        world.locker.clone(),
        Arc::clone(&world.outside),
        world.root.clone(),
        (txn.clone(), kind),
        guard,
    )
    .start();
    let guard = world.guard(Who::Lock);
    let locks = Lock::new(world.locker.clone(), Rc::clone(&world.halt), guard).start();
    let mut carry = Carry {
        world,
        inbox,
        wave,
        plan,
        txn,
        transaction,
        locks,
        records: BTreeMap::new(),
        reports: HashMap::new(),
    };
    let started = std::time::Instant::now();
    let applied = carry.run(patience).await;
    world.tell(Event::PhaseCompleted {
        name: "apply",
        took: started.elapsed(),
        counts: Vec::new(),
    });
    applied
}

/// One apply while it runs.
struct Carry<'a> {
    world: &'a Rc<World>,
    inbox: Inbox,
    wave: u64,
    plan: Plan,
    txn: TransactionId,
    transaction: Addr<Transaction>,
    locks: Addr<Lock>,
    /// The records of the plan's nodes, as they were found under the locks.
    records: BTreeMap<Address, Kept<Record>>,
    reports: HashMap<Address, Report>,
}

fn ended(what: &str) -> RunError {
    RunError::failed(format!("{what} ended"))
}

impl Carry<'_> {
    async fn run(&mut self, patience: Duration) -> Result<Applied, RunError> {
        let addresses: BTreeSet<Address> = self
            .plan
            .changes
            .iter()
            .map(|c| c.address.clone())
            .collect();
        let waits = self.order()?;
        let count = addresses.len();
        let acquire = Acquire {
            addresses,
            txn: self.txn.clone(),
            patience,
        };
        let got = self
            .locks
            .send(acquire)
            .await
            .map_err(|_| ended("the keeper of the locks"))?;
        if let Err(refused) = got {
            self.close(Status::Rejected, &Applied::default(), Some(&refused))
                .await?;
            return Err(refused);
        }
        self.world.tell(Event::LocksAcquired { count });
        match self.begin().await {
            Ok(()) => {}
            Err(error) => {
                self.release(&BTreeSet::new()).await?;
                return Err(error);
            }
        }
        self.start(&waits);
        self.hear().await;
        let mut applied = self.count();
        let outputs = self.outputs().await;
        match outputs {
            Ok(outputs) => applied.outputs = outputs,
            Err(error) => fail(&mut applied, error),
        }
        let status = if applied.error.is_none() {
            Status::Applied
        } else {
            Status::Failed
        };
        let error = applied.error.clone();
        if let Err(error) = self.close(status, &applied, error.as_ref()).await {
            fail(&mut applied, error);
        }
        let done: BTreeSet<Address> = self
            .reports
            .values()
            .filter(|r| r.touched)
            .map(|r| r.address.clone())
            .collect();
        if let Err(error) = self.release(&done).await {
            fail(&mut applied, error);
        }
        Ok(applied)
    }

    /// Who waits for whom.
    fn order(&self) -> Result<Vec<Vec<usize>>, RunError> {
        let steps: Vec<Ordered<'_>> = self
            .plan
            .changes
            .iter()
            .map(|change| Ordered {
                address: &change.address,
                delete: change.removed,
                dependencies: &change.dependencies,
            })
            .collect();
        apply_order(&steps, &self.world.estate.graph).map_err(|cycle| {
            let names: Vec<&str> = cycle.iter().map(Address::as_str).collect();
            RunError::failed(format!(
                "dependency cycle between {}: they can be neither made nor destroyed in any order",
                names.join(", ")
            ))
        })
    }

    /// Begins the transaction and checks that every record is as the plan expects it.
    async fn begin(&mut self) -> Result<(), RunError> {
        let begun = self.transaction.send(Begin).await;
        begun.map_err(|_| ended("the transaction"))??;
        self.world.tell(Event::TransactionBegun {
            txn: self.txn.clone(),
        });
        let checked = self.check().await;
        if let Err(error) = &checked {
            self.close(Status::Rejected, &Applied::default(), Some(error))
                .await?;
        }
        checked
    }

    async fn check(&mut self) -> Result<(), RunError> {
        let named = self.plan.expects.keys().chain(self.plan.reads.keys());
        for address in named {
            if let Some(kept) = self.world.state.record(address).await? {
                self.records.insert(address.clone(), kept);
            }
        }
        let records = &self.records;
        let moved = stale(&self.plan, |address| {
            records.get(address).map(|kept| &kept.value)
        });
        if moved.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = moved.iter().map(|m| format!("  - {m}")).collect();
        let mut diagnostic =
            Diagnostic::error("the plan changed while it waited; run \"pravo apply\" again:");
        diagnostic.detail = lines.join("\n");
        Err(RunError::of(Class::Stale, diagnostic))
    }

    /// Starts all steps, the last first, so that each can tell those that wait for it.
    fn start(&mut self, waits: &[Vec<usize>]) {
        let count = self.plan.changes.len();
        let mut followers: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut open: Vec<usize> = vec![0; count];
        for (at, waits) in waits.iter().enumerate() {
            for up in waits {
                followers[*up].push(at);
                open[*up] += 1;
            }
        }
        let mut nodes: Vec<Option<Addr<Node>>> = vec![None; count];
        let mut ready: Vec<usize> = (0..count).filter(|at| open[*at] == 0).collect();
        while let Some(at) = ready.pop() {
            let downstream: Vec<Recipient<Reach>> = followers[at]
                .iter()
                .filter_map(|follower| nodes[*follower].clone().map(Addr::recipient))
                .collect();
            let awaited: HashSet<Address> = waits[at]
                .iter()
                .map(|up| self.plan.changes[*up].address.clone())
                .collect();
            nodes[at] = Some(self.start_step(at, awaited, downstream));
            for up in &waits[at] {
                open[*up] -= 1;
                if open[*up] == 0 {
                    ready.push(*up);
                }
            }
        }
        let reach = Reach {
            wave: self.wave,
            from: None,
            failed: false,
        };
        for node in nodes.into_iter().flatten() {
            if node.try_send(reach.clone()).is_err() {
                tracing::error!("a node that was just started takes no message");
            }
        }
    }

    fn start_step(
        &mut self,
        at: usize,
        awaited: HashSet<Address>,
        downstream: Vec<Recipient<Reach>>,
    ) -> Addr<Node> {
        let change = Arc::new(self.plan.changes[at].clone());
        let address = change.address.clone();
        let work = ApplyWork {
            frozen: Arc::new(self.plan.frozen.remove(&address).unwrap_or_default()),
            record: self.records.get(&address).cloned(),
            locks: self.locks.clone(),
            transaction: self.transaction.clone(),
            txn: self.txn.clone(),
            change,
        };
        let work = (self.wave, Work::Apply(Box::new(work)));
        Node::new(address, Rc::clone(self.world), work, awaited, downstream).begin()
    }

    /// Hears all steps to their end.
    async fn hear(&mut self) {
        let mut open: HashSet<Address> = self
            .plan
            .changes
            .iter()
            .map(|c| c.address.clone())
            .collect();
        while !open.is_empty() {
            match self.inbox.recv().await {
                Some(Heard::Applied(applied)) if applied.wave == self.wave => {
                    if open.remove(&applied.report.address) {
                        self.take(applied.report);
                    }
                }
                Some(Heard::Ended(end)) => match end.who {
                    Who::Node(address, wave) if wave == self.wave && open.contains(&address) => {
                        open.remove(&address);
                        self.take(lost(&address));
                        self.pass_on(&address, &mut open);
                    }
                    Who::Lock => self.world.halt.stop(ended("the keeper of the locks")),
                    Who::Transaction => self.world.halt.stop(ended("the transaction")),
                    Who::Evaluator => self.world.halt.stop(ended("the evaluator")),
                    Who::Node(..) | Who::Provider(_) => {}
                },
                Some(_) => {}
                None => return,
            }
        }
    }

    fn take(&mut self, report: Report) {
        for diagnostic in &report.warnings {
            let addr = Some(report.address.clone());
            self.world.tell(Event::Diagnosed {
                addr,
                diagnostic: diagnostic.clone(),
            });
        }
        self.reports.insert(report.address.clone(), report);
    }

    /// A node that ended without a word told nobody downstream: what waits for it, directly or
    /// not, will not start.
    fn pass_on(&mut self, address: &Address, open: &mut HashSet<Address>) {
        let Ok(waits) = self.order() else {
            return;
        };
        let mut blocked: HashSet<Address> = HashSet::from([address.clone()]);
        loop {
            let before = blocked.len();
            for (at, waits) in waits.iter().enumerate() {
                let stops = waits
                    .iter()
                    .any(|up| blocked.contains(&self.plan.changes[*up].address));
                if stops {
                    blocked.insert(self.plan.changes[at].address.clone());
                }
            }
            if blocked.len() == before {
                break;
            }
        }
        for address in blocked {
            if open.remove(&address) {
                self.take(Report::new(&address, Step::NotStarted));
            }
        }
    }

    /// Counts what was done; errors in the order of the plan.
    fn count(&self) -> Applied {
        let mut applied = Applied {
            txn: Some(self.txn.clone()),
            ..Applied::default()
        };
        for change in &self.plan.changes {
            let Some(report) = self.reports.get(&change.address) else {
                continue;
            };
            applied.added += usize::from(report.added);
            applied.changed += usize::from(report.changed);
            applied.destroyed += usize::from(report.destroyed);
            applied.forgotten += usize::from(report.forgotten);
            match &report.ended {
                Step::Done => {}
                Step::NotStarted => applied.not_started += 1,
                Step::Failed(error) => {
                    applied.failed += 1;
                    fail(&mut applied, error.clone());
                }
            }
        }
        if let Some(stopped) = self.world.halt.error() {
            let class = stopped.class;
            fail(&mut applied, stopped);
            if let Some(error) = &mut applied.error {
                error.class = class;
            }
        }
        if applied.not_started > 0 && applied.error.is_none() {
            let text = "the apply was interrupted before everything was started";
            fail(&mut applied, RunError::failed(text));
        }
        applied
    }

    async fn close(
        &self,
        status: Status,
        applied: &Applied,
        error: Option<&RunError>,
    ) -> Result<(), RunError> {
        let errors = error
            .map(|error| {
                error
                    .diagnostics
                    .iter()
                    .map(|d| d.summary.clone())
                    .collect()
            })
            .unwrap_or_default();
        let summary = match status {
            Status::Rejected => String::new(),
            _ => applied.summary(),
        };
        let closed = self
            .transaction
            .send(Close {
                status,
                summary,
                errors,
            })
            .await;
        closed.map_err(|_| ended("the transaction"))??;
        self.world.tell(Event::TransactionClosed {
            txn: self.txn.clone(),
        });
        Ok(())
    }

    async fn release(&self, done: &BTreeSet<Address>) -> Result<(), RunError> {
        let keep: BTreeSet<Address> = self
            .reports
            .values()
            .filter(|r| r.keep_lock)
            .map(|r| r.address.clone())
            .collect();
        let release = Release {
            done: done.clone(),
            keep,
        };
        let released = self.locks.send(release).await;
        released.map_err(|_| ended("the keeper of the locks"))?
    }

    /// The steps that did not come to a good end.
    fn unfinished(&self) -> HashSet<&Address> {
        let changes: &[Change] = &self.plan.changes;
        changes
            .iter()
            .map(|change| &change.address)
            .filter(|address| !self.reports.get(*address).is_some_and(Report::is_done))
            .collect()
    }
}

/// The report of a node that ended without one: nobody knows what it did.
fn lost(address: &Address) -> Report {
    let text = format!("{address}: its work ended without a result; this is a bug");
    let mut report = Report::new(address, Step::Failed(RunError::failed(text)));
    report.keep_lock = true;
    report
}

fn fail(applied: &mut Applied, error: RunError) {
    match &mut applied.error {
        Some(first) => first.join(error),
        None => applied.error = Some(error),
    }
}
