//! A session: the actors of one command, on a thread of their own, asked from outside.

use crate::estate::{Estate, Installed};
use crate::evaluator::Evaluator;
use crate::evaluator::desk::Desk;
use crate::halt::Halt;
use crate::planner::{ApplyPlan, Close, Equip, HeaderInput, Interrupt, MakePlan, Planner};
use crate::plugin::Plugins;
use crate::run::{Applied, RunError};
use crate::specified::Specified;
use crate::supervision::{EndGuard, Who};
use crate::world::World;
use actix::{Actor, Addr, Arbiter, ArbiterHandle, Handler, Message, System};
use crossbeam_channel::{Sender, bounded};
use pravo_plan::Plan;
use pravo_state::{Event, Outside};
use pravo_store::{Locker, Records};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Everything a session works on.
pub struct Job {
    /// The specification.
    pub specification: Box<dyn Specified>,
    /// The locks of this command, and through them the state and who acts.
    pub locker: Locker,
    /// The records, as whoever starts the session has read them to find what has to be installed.
    pub loaded: Loaded,
    /// Starts plugins.
    pub plugins: Arc<dyn Plugins>,
    /// What is installed, by source with host: of every declared provider, and of those that only
    /// records name as far as they are there.
    pub installed: BTreeMap<String, Installed>,
    /// Clock and randomness.
    pub outside: Arc<dyn Outside>,
    /// The root, where a recovery file goes.
    pub root: PathBuf,
    /// Where events go.
    pub events: Sender<Event>,
    /// How it is done.
    pub options: Options,
}

/// The records of a state, read just now.
#[derive(Debug)]
pub struct Loaded {
    /// All of them.
    pub records: Records,
    /// How long that took.
    pub took: Duration,
}

/// How a session works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Operations at once, at least 1.
    pub parallelism: usize,
    /// How long to keep trying for a lock that is held.
    pub lock_timeout: Duration,
    /// Plan the destruction of everything.
    pub destroy: bool,
    /// The tags of the specification, for the plan.
    pub tags: Vec<String>,
    /// Whether system variables were injected, for the plan.
    pub inject_vars: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            parallelism: 10,
            lock_timeout: Duration::ZERO,
            destroy: false,
            tags: Vec::new(),
            inject_vars: false,
        }
    }
}

/// The actors of one command. Its methods wait for their answer; it can be shared with a thread
/// that listens for the wish to stop.
pub struct Session {
    planner: Addr<Planner>,
    arbiter: ArbiterHandle,
    options: Options,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Starts the actors. No plugin is started before a node needs it.
    ///
    /// # Errors
    /// A provider or type that is not installed, a dependency cycle, or a system that gives no
    /// thread.
    pub fn start(job: Job) -> Result<Self, RunError> {
        let estate = Arc::new(Estate::new(
            job.specification.as_ref(),
            job.installed.clone(),
        )?);
        let options = job.options.clone();
        let (ready, started) = bounded(1);
        let thread = std::thread::Builder::new()
            .name("engine".to_owned())
            .spawn(move || {
                let system = System::new();
                let arbiter = Arbiter::current();
                let planner = system.block_on(async move { cast(job, estate) });
                if ready.send((planner, arbiter)).is_ok()
                    && let Err(error) = system.run()
                {
                    tracing::error!(%error, "the engine ended");
                }
            });
        let thread = thread.map_err(|error| {
            RunError::failed(format!("the engine could not be started: {error}"))
        })?;
        let (planner, arbiter) = started
            .recv()
            .map_err(|_| RunError::failed("the engine could not be started"))?;
        Ok(Self {
            planner,
            arbiter,
            options,
            thread: Some(thread),
        })
    }

    fn ask<M>(&self, message: M) -> Result<M::Result, RunError>
    where
        M: Message + Send + 'static,
        M::Result: Send,
        Planner: Handler<M>,
    {
        let (answer, answered) = bounded(1);
        let planner = self.planner.clone();
        let spawned = self.arbiter.spawn(async move {
            // The asker is gone only when the whole command is.
            let _ = answer.send(planner.send(message).await);
        });
        let gone = || RunError::failed("the engine ended");
        if !spawned {
            return Err(gone());
        }
        answered.recv().map_err(|_| gone())?.map_err(|_| gone())
    }

    /// Makes a plan.
    ///
    /// # Errors
    /// What stands against it, with the class of the exit code; what was read is recorded.
    pub fn plan(&self) -> Result<Plan, RunError> {
        let header = HeaderInput {
            tags: self.options.tags.clone(),
            inject_vars: self.options.inject_vars,
            destroy: self.options.destroy,
        };
        self.ask(MakePlan { header })?
    }

    /// Applies a plan that this session made.
    ///
    /// # Errors
    /// What stands against it before anything is changed. What goes wrong later is part of the
    /// answer.
    pub fn apply(&self, plan: &Plan) -> Result<Applied, RunError> {
        let patience = self.options.lock_timeout;
        self.ask(ApplyPlan {
            plan: Box::new(plan.clone()),
            patience,
        })?
    }

    /// Lets nothing new start; what runs is finished and recorded. The plan or apply that is
    /// being waited for returns then.
    pub fn interrupt(&self) {
        let planner = self.planner.clone();
        self.arbiter.spawn(async move {
            if planner.send(Interrupt).await.is_err() {
                tracing::debug!("the planner ended before the interrupt");
            }
        });
    }

    /// Ends every plugin process and the actors.
    pub fn close(mut self) {
        self.shut();
    }

    fn shut(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        if let Err(error) = self.ask(Close) {
            tracing::debug!(%error, "the engine was closed already");
        }
        self.arbiter.spawn(async { System::current().stop() });
        if thread.join().is_err() {
            tracing::error!("the thread of the engine ended by a panic");
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.shut();
    }
}

/// Starts planner and evaluator.
fn cast(job: Job, estate: Arc<Estate>) -> Addr<Planner> {
    let planner = Planner::new().start();
    let guard = EndGuard::new(Who::Evaluator, planner.clone().recipient());
    let desk = Desk::new(job.specification, Arc::clone(&estate));
    let thread = Arbiter::new();
    let evaluator =
        Evaluator::start_in_arbiter(&thread.handle(), move |_| Evaluator::new(desk, guard));
    let (locker, plugins, outside) = (job.locker, job.plugins, job.outside);
    let loaded = job.loaded;
    let (events, root, permits) = (job.events, job.root, job.options.parallelism.max(1));
    let equip = Equip(Box::new(move |planner| World {
        estate,
        evaluator,
        planner,
        state: locker.state().clone(),
        locker,
        plugins,
        outside,
        events,
        permits: Arc::new(Semaphore::new(permits)),
        root,
        halt: Rc::new(Halt::default()),
        providers: RefCell::new(BTreeMap::new()),
        loaded: RefCell::new(Some(loaded)),
    }));
    if planner.try_send(equip).is_err() {
        tracing::error!("a planner that was just started takes no message");
    }
    planner
}
