//! The plan wave: judges nodes, starts the reached ones, and walks again where a read found that
//! something settled was not as recorded.

use super::findings::Findings;
use super::gather;
use super::{HeaderInput, Heard, Inbox, removed};
use crate::evaluator::desk::{Judged, Outcome, ProviderNow, Task, Verdict, WalkInput};
use crate::evaluator::{Begin, Configure, Settle};
use crate::node::plan::{Aim, PlanWork, Planned, Report};
use crate::node::{Node, Reach, Work};
use crate::run::{Class, RunError};
use crate::session::Loaded;
use crate::supervision::{Ended, Who};
use crate::transaction::{Close, Transaction};
use crate::world::World;
use actix::{Actor, Addr};
use pravo_plan::Plan;
use pravo_plan::drift::Found;
use pravo_plan::reach::{Look, ReadCause, read_cause};
use pravo_state::{
    Address, Data, Diagnostic, Event, Lock, Mode, Standing, Status, Time, TransactionId,
    TransactionKind,
};
use pravo_store::Kept;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Makes a plan, writes back what it read, and logs that.
pub(super) async fn make_plan(
    world: &Rc<World>,
    inbox: Inbox,
    wave: u64,
    input: &HeaderInput,
) -> Result<Plan, RunError> {
    let txn = TransactionId::make(world.outside.as_ref());
    let transaction = Transaction::new(
        world.locker.clone(),
        Arc::clone(&world.outside),
        world.root.clone(),
        (txn.clone(), TransactionKind::Plan),
        world.guard(Who::Transaction),
    )
    .start();
    let started = std::time::Instant::now();
    let planned = async {
        let mut walk = Walk::new(world, inbox, wave, (transaction.clone(), txn)).await?;
        walk.whole(input).await.map_err(|mut error| {
            let warnings = walk.findings.warnings.values().flatten();
            error.diagnostics.extend(warnings.map(Diagnostic::warning));
            error
        })
    }
    .await;
    world.tell(Event::PhaseCompleted {
        name: "plan",
        took: started.elapsed(),
        counts: Vec::new(),
    });
    let close = match &planned {
        Ok(plan) => Close {
            status: Status::Planned,
            summary: plan.summary.recorded(),
            errors: Vec::new(),
        },
        Err(error) => Close {
            status: Status::Failed,
            summary: "the plan failed".to_owned(),
            errors: error
                .diagnostics
                .iter()
                .map(|d| d.summary.clone())
                .collect(),
        },
    };
    match transaction.send(close).await {
        Ok(closed) => closed.and(planned),
        Err(_) => Err(RunError::failed("the transaction of the plan ended")),
    }
}

/// One plan while it is made.
pub(super) struct Walk<'a> {
    world: &'a Rc<World>,
    inbox: Inbox,
    wave: u64,
    transaction: Addr<Transaction>,
    txn: TransactionId,
    /// Nodes at work.
    open: HashSet<Address>,
    /// Why the records of nodes at work are read.
    causes: HashMap<Address, ReadCause>,
    /// Inputs of reached nodes that are being read, or were.
    inputs: HashSet<Address>,
    /// A read found that something settled is not as recorded: the walk is of no use.
    again: bool,
    /// Data sources' answers: hash of the configuration and answer.
    answers: HashMap<Address, (String, Arc<Data>)>,
    errors: Vec<(usize, RunError)>,
    pub(super) findings: Findings,
}

impl<'a> Walk<'a> {
    async fn new(
        world: &'a Rc<World>,
        inbox: Inbox,
        wave: u64,
        (transaction, txn): (Addr<Transaction>, TransactionId),
    ) -> Result<Self, RunError> {
        let Loaded { records, took } = world.records().await?;
        let locks = world.state.locks().await?;
        let outputs = world.state.outputs().await?;
        world.tell(Event::PhaseCompleted {
            name: "state",
            took,
            counts: vec![("records", records.len() as u64)],
        });
        let findings = Findings::new(world.outside.now(), records, locks, outputs);
        Ok(Self {
            world,
            inbox,
            wave,
            transaction,
            txn,
            open: HashSet::new(),
            causes: HashMap::new(),
            inputs: HashSet::new(),
            again: false,
            answers: HashMap::new(),
            errors: Vec::new(),
            findings,
        })
    }

    async fn whole(&mut self, input: &HeaderInput) -> Result<Plan, RunError> {
        let found = if input.destroy {
            self.destroy().await
        } else {
            self.declared().await
        };
        found?;
        gather::gather(self.world, &mut self.findings, input, &self.transaction).await
    }

    fn now(&self) -> Time {
        self.findings.now
    }

    /// Locks that stopped applies left.
    fn left_locks(&self) -> HashMap<Address, Lock> {
        let left = self.findings.locks.iter().filter(|lock| {
            lock.txn.is_some() && self.world.locker.standing(lock) == Standing::Stale
        });
        left.map(|lock| (lock.addr.clone(), lock.value.clone()))
            .collect()
    }

    fn input(&self) -> WalkInput {
        let reads = &self.findings.reads;
        let drifted = reads.iter().filter(|(_, (_, found))| found.is_drift());
        WalkInput {
            records: self.findings.records.clone(),
            left_locks: Arc::new(self.left_locks()),
            read: Arc::new(reads.keys().cloned().collect()),
            drifted: Arc::new(drifted.map(|(address, _)| address.clone()).collect()),
            answers: Arc::new(self.answers.clone()),
            now: self.now(),
        }
    }

    /// Plans all declared nodes, then the removed ones.
    async fn declared(&mut self) -> Result<(), RunError> {
        loop {
            self.findings.start_over();
            self.errors.clear();
            self.inputs.clear();
            self.again = false;
            let begin = Begin(self.input());
            let judged = self.ask_evaluator(begin).await?;
            self.follow(judged).await?;
            self.drain().await?;
            if !self.again {
                break;
            }
            self.wave += 1;
        }
        self.removed(false).await?;
        self.finish()
    }

    /// Plans the destruction of everything recorded.
    async fn destroy(&mut self) -> Result<(), RunError> {
        let load = crate::evaluator::Load(self.input());
        self.ask_evaluator(load).await?;
        self.removed(true).await?;
        self.finish()
    }

    async fn ask_evaluator<M>(&self, question: M) -> Result<M::Result, RunError>
    where
        M: actix::Message + Send + 'static,
        M::Result: Send,
        crate::evaluator::Evaluator: actix::Handler<M>,
    {
        let asked = self.world.evaluator.send(question).await;
        asked.map_err(|_| RunError::failed("the evaluator ended"))
    }

    fn finish(&mut self) -> Result<(), RunError> {
        if self.world.halt.is_interrupted() {
            return Err(RunError::failed("the plan was interrupted"));
        }
        self.errors.sort_by_key(|(rank, _)| *rank);
        let mut errors = std::mem::take(&mut self.errors)
            .into_iter()
            .map(|(_, error)| error);
        let Some(mut first) = errors.next() else {
            return Ok(());
        };
        for error in errors {
            if error.class == Class::Specification {
                first.class = Class::Specification;
            }
            first.join(error);
        }
        Err(first)
    }

    /// Hears nodes until none is at work.
    async fn drain(&mut self) -> Result<(), RunError> {
        while !self.open.is_empty() {
            match self.inbox.recv().await {
                Some(Heard::Reached(reached)) if reached.wave == self.wave => {
                    self.reached(reached.report).await?;
                }
                Some(Heard::Ended(ended)) => self.ended(ended).await?,
                Some(_) => {}
                None => return Err(RunError::failed("the planner ended")),
            }
        }
        Ok(())
    }

    async fn ended(&mut self, ended: Ended) -> Result<(), RunError> {
        match ended.who {
            Who::Node(address, wave) if wave == self.wave && self.open.remove(&address) => {
                let text = format!("{address}: its work ended without a result; this is a bug");
                let place = self.world.estate.place(&address);
                self.errors
                    .push((place.unwrap_or(usize::MAX), RunError::failed(text)));
                match place {
                    Some(place) => self.settle(place, Outcome::Failed).await,
                    None => Ok(()),
                }
            }
            Who::Evaluator => Err(RunError::failed("the evaluator ended")),
            Who::Transaction => Err(RunError::failed("the transaction ended")),
            Who::Node(..) | Who::Provider(_) | Who::Lock => Ok(()),
        }
    }

    async fn settle(&mut self, place: usize, outcome: Outcome) -> Result<(), RunError> {
        if self.again {
            return Ok(());
        }
        let judged = self.ask_evaluator(Settle { place, outcome }).await?;
        self.follow(judged).await
    }

    /// Acts on judgements: notes what is settled, starts what is reached.
    async fn follow(&mut self, judged: Vec<Judged>) -> Result<(), RunError> {
        let estate = Arc::clone(&self.world.estate);
        for Judged { place, verdict } in judged {
            match verdict {
                Verdict::Skipped | Verdict::Blocked => {}
                Verdict::Edges => self.findings.edges(&estate, place)?,
                Verdict::Answered {
                    config,
                    hash,
                    answer,
                } => {
                    self.findings
                        .answered(&estate, place, (config, hash, answer));
                }
                Verdict::Deferred {
                    config,
                    planned,
                    causes,
                } => {
                    self.read_inputs(place).await;
                    self.findings
                        .deferred(&estate, place, (config, planned, causes));
                }
                Verdict::Failed(errors) => self.errors.push((place, errors.into())),
                Verdict::Waits { provider, on } => {
                    let on: Vec<&str> = on.iter().map(Address::as_str).collect();
                    let text = format!(
                        "{}: its provider {provider} cannot be configured before {} is applied",
                        estate.nodes[place].decl.address,
                        on.join(", ")
                    );
                    self.errors.push((place, RunError::failed(text)));
                }
                Verdict::Reach(task) => {
                    if !task.causes.is_empty() {
                        self.read_inputs(place).await;
                    }
                    self.start_declared(place, *task);
                }
            }
        }
        Ok(())
    }

    fn start_declared(&mut self, place: usize, task: Task) {
        let estate = Arc::clone(&self.world.estate);
        let node = &estate.nodes[place];
        let provider = self.world.provider(&task.provider, &node.decl.source);
        let work = PlanWork {
            address: node.decl.address.clone(),
            place: Some(place),
            mode: node.decl.mode,
            kind: node.decl.kind.clone(),
            source: node.decl.source.clone(),
            typed: Arc::clone(&node.typed),
            age: node.age.clone(),
            record: self.findings.records.get(&node.decl.address).cloned(),
            earlier: self.findings.reads.get(&node.decl.address).cloned(),
            aim: Aim::Declared(Box::new(task)),
            provider,
            transaction: self.transaction.clone(),
            txn: self.txn.clone(),
            now: self.now(),
        };
        self.start(work);
    }

    pub(super) fn start(&mut self, work: PlanWork) {
        let address = work.address.clone();
        if let Some(cause) = gather::read_cause_of(&work.aim) {
            self.causes.insert(address.clone(), cause.clone());
        }
        let work = (self.wave, Work::Plan(Box::new(work)));
        let node = Node::new(
            address.clone(),
            Rc::clone(self.world),
            work,
            HashSet::new(),
            Vec::new(),
        );
        let reach = Reach {
            wave: self.wave,
            from: None,
            failed: false,
        };
        self.open.insert(address);
        if node.begin().try_send(reach).is_err() {
            tracing::error!("a node that was just started takes no message");
        }
    }

    /// Starts the reading of what a reached node reads, where it is past its age.
    async fn read_inputs(&mut self, place: usize) {
        let estate = Arc::clone(&self.world.estate);
        for up in estate.graph.upstream(place) {
            let node = &estate.nodes[*up];
            let address = &node.decl.address;
            let at_work = self.open.contains(address) || self.inputs.contains(address);
            if node.decl.mode == Mode::Data || at_work || self.findings.is_read(address) {
                continue;
            }
            let Some(kept) = self.findings.records.get(address).cloned() else {
                continue;
            };
            let look = Look {
                age: &node.age,
                own_age: node.own_age,
                looked_at: true,
                lock: None,
                provider_config: None,
            };
            if read_cause(&kept, &look, self.now()).is_none() {
                continue;
            }
            let key = node.decl.provider_key.clone();
            let Ok(Ok(now)) = self.ask_evaluator(Configure(key)).await else {
                continue;
            };
            if now.is_known() {
                self.inputs.insert(address.clone());
                self.start_input(*up, kept, now);
            }
        }
    }

    fn start_input(&mut self, place: usize, kept: Kept<pravo_state::Record>, now: ProviderNow) {
        let estate = Arc::clone(&self.world.estate);
        let node = &estate.nodes[place];
        let work = PlanWork {
            address: node.decl.address.clone(),
            place: Some(place),
            mode: node.decl.mode,
            kind: node.decl.kind.clone(),
            source: node.decl.source.clone(),
            typed: Arc::clone(&node.typed),
            age: node.age.clone(),
            record: Some(kept),
            earlier: None,
            provider: self.world.provider(&now, &node.decl.source),
            aim: Aim::Read(now),
            transaction: self.transaction.clone(),
            txn: self.txn.clone(),
            now: self.now(),
        };
        self.start(work);
    }

    /// Takes the report of a node and goes on from there.
    async fn reached(&mut self, report: Report) -> Result<(), RunError> {
        let address = report.address.clone();
        if !self.open.remove(&address) {
            return Ok(());
        }
        let is_input = self.inputs.contains(&address);
        let cause = self.causes.remove(&address);
        self.findings.note_read(&report, cause.as_ref());
        let drift = report.read.is_some_and(Found::is_drift);
        if is_input && drift {
            self.again = true;
        }
        let (place, mode_data) = match report.place {
            Some(place) => (
                place,
                self.world.estate.nodes[place].decl.mode == Mode::Data,
            ),
            None => {
                return match report.result {
                    Err(error) => {
                        self.errors.push((usize::MAX, error));
                        Ok(())
                    }
                    Ok(planned) => {
                        self.findings.removed(&address, planned);
                        Ok(())
                    }
                };
            }
        };
        let outcome = match report.result {
            Err(error) => {
                self.errors.push((place, error));
                Outcome::Failed
            }
            Ok(Planned::Same { reasons }) => {
                self.findings.same.insert(place, reasons);
                Outcome::Same
            }
            Ok(Planned::Entry(entry)) => {
                let object = Arc::new(entry.after.clone().unwrap_or_default());
                if let (true, Some(hash)) = (mode_data, &entry.frozen.config_hash) {
                    self.answers
                        .insert(address.clone(), (hash.clone(), Arc::clone(&object)));
                }
                let pending = entry.action.is_change();
                self.findings.entries.insert(place, *entry);
                Outcome::Planned { object, pending }
            }
        };
        if is_input {
            return Ok(());
        }
        self.settle(place, outcome).await
    }

    /// Plans the end of what is recorded and not declared, or of everything.
    async fn removed(&mut self, all: bool) -> Result<(), RunError> {
        let gone: Vec<Kept<pravo_state::Record>> = self
            .findings
            .records
            .iter()
            .filter(|kept| all || self.world.estate.place(&kept.addr).is_none())
            .cloned()
            .collect();
        let left = self.left_locks();
        let mut missing = BTreeMap::new();
        for kept in gone {
            let lock = left.get(&kept.addr);
            let (transaction, txn) = (self.transaction.clone(), self.txn.clone());
            let about = (&kept, lock, all);
            match removed::plan(self.world, about, (transaction, txn), self.now()).await {
                removed::Follows::Entry(entry) => {
                    self.findings.removed(&kept.addr, Planned::Entry(entry));
                }
                removed::Follows::Work(work) => self.start(*work),
                removed::Follows::Missing => {
                    let key = (kept.provider_key.clone(), kept.provider.clone());
                    let waiting: &mut Vec<Address> = missing.entry(key).or_default();
                    waiting.push(kept.addr.clone());
                }
                removed::Follows::Failed(error) => self.errors.push((usize::MAX, error)),
            }
        }
        for ((key, source), addresses) in missing {
            let error = removed::missing(&key, &source, &addresses);
            self.errors.push((usize::MAX, error));
        }
        self.drain().await
    }
}

/// What is recorded, as a walk goes along.
pub(super) type Reads = HashMap<Address, (ReadCause, Found)>;
