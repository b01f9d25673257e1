//! A small world for tests: a specification in memory, a cloud behind a scripted plugin, a state in
//! memory, and a switch that kills the whole process at a chosen step.

pub(crate) mod cloud;
pub(crate) mod estate;
pub(crate) mod mortal;

use crate::plugin::Plugins;
use crate::{Applied, Installed, Job, Loaded, Options, RunError, Session};
use cloud::{Cloud, CloudPlugins};
use crossbeam_channel::{Receiver, unbounded};
use estate::Sketch;
use mortal::{Life, Mortal};
use pravo_plan::Plan;
use pravo_state::{Event, Holder, Host, Outside, Time};
use pravo_store::{Locker, MemoryObjects, Processes, State, block_on};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The source of the one provider.
pub(crate) const SOURCE: &str = "example.com/acme/cloud";

/// A clock that stands unless it is moved, and countable randomness.
pub(crate) struct Clock {
    now: AtomicU64,
    random: AtomicU64,
}

impl Clock {
    fn new() -> Self {
        Self {
            now: AtomicU64::new(1_700_000_000_000),
            random: AtomicU64::new(1),
        }
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.now.fetch_add(seconds * 1000, Ordering::Relaxed);
    }
}

impl Outside for Clock {
    fn now(&self) -> Time {
        let now = self.now.fetch_add(1, Ordering::Relaxed);
        Time::from_unix_ms(i64::try_from(now).unwrap()).unwrap()
    }

    fn random(&self) -> [u8; 16] {
        let number = self.random.fetch_add(1, Ordering::Relaxed);
        let mut bytes = [0; 16];
        // The first ten bytes become the tail of a transaction's name.
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        bytes
    }
}

/// Processes of which only the one of the present session lives.
struct Present(String);

impl Processes for Present {
    fn host(&self) -> Host {
        Host::new("here")
    }

    fn start_of(&self, _: u32) -> Option<String> {
        Some(self.0.clone())
    }
}

/// What outlives a process: the cloud, the state, the clock.
pub(crate) struct World {
    pub(crate) cloud: Arc<Cloud>,
    pub(crate) objects: Arc<MemoryObjects>,
    pub(crate) clock: Arc<Clock>,
    sessions: AtomicU64,
    pub(crate) parallelism: usize,
    pub(crate) actor: Option<String>,
    /// The key of an object that the state does not take.
    pub(crate) refuses: Option<String>,
    /// The root, where a recovery file goes.
    pub(crate) root: PathBuf,
}

/// A session and what it told.
pub(crate) struct Running {
    pub(crate) session: Session,
    pub(crate) events: Receiver<Event>,
    pub(crate) life: Arc<Life>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            cloud: Arc::new(Cloud::default()),
            objects: Arc::new(MemoryObjects::new()),
            clock: Arc::new(Clock::new()),
            sessions: AtomicU64::new(1),
            parallelism: 10,
            actor: None,
            refuses: None,
            root: std::env::temp_dir(),
        }
    }

    /// A process that works on a specification and dies at a step, if one is given.
    pub(crate) fn start(&self, sketch: &Sketch, dies_at: Option<u64>) -> Result<Running, RunError> {
        self.start_with(sketch, dies_at, false)
    }

    pub(crate) fn start_with(
        &self,
        sketch: &Sketch,
        dies_at: Option<u64>,
        destroy: bool,
    ) -> Result<Running, RunError> {
        let life = Arc::new(Life::new(dies_at));
        let mortal = Arc::new(Mortal::new(
            Arc::clone(&self.objects),
            Arc::clone(&life),
            self.refuses.clone(),
        ));
        let outside: Arc<dyn Outside> = Arc::clone(&self.clock) as Arc<dyn Outside>;
        let state = block_on(State::open_write(mortal, outside.as_ref())).unwrap()?;
        let number = self.sessions.fetch_add(1, Ordering::Relaxed);
        let holder = Holder {
            user: "tester".into(),
            host: Host::default(),
            pid: 0,
            pid_start: None,
            command: "pravo apply".into(),
            actor: self.actor.clone(),
            reason: None,
        };
        let processes = Arc::new(Present(format!("session {number}")));
        let records = block_on(state.records()).unwrap()?;
        let took = std::time::Duration::ZERO;
        let locker = Locker::new(state, processes, Arc::clone(&outside), holder);
        let (events, heard) = unbounded();
        let plugins: Arc<dyn Plugins> = Arc::new(CloudPlugins::new(
            Arc::clone(&self.cloud),
            Arc::clone(&life),
            Arc::clone(&self.objects),
        ));
        let schema = Arc::new(cloud::schema());
        let installed = Installed {
            version: "1.0.0".into(),
            schema,
        };
        let session = Session::start(Job {
            specification: Box::new(sketch.clone()),
            locker,
            loaded: Loaded { records, took },
            plugins,
            installed: BTreeMap::from([(SOURCE.to_owned(), installed)]),
            outside,
            root: self.root.clone(),
            events,
            options: Options {
                parallelism: self.parallelism,
                destroy,
                ..Options::default()
            },
        })?;
        Ok(Running {
            session,
            events: heard,
            life,
        })
    }

    /// Plans in a process of its own.
    pub(crate) fn plan(&self, sketch: &Sketch) -> Result<Plan, RunError> {
        self.start(sketch, None)?.session.plan()
    }

    /// Plans and applies in a process of its own.
    pub(crate) fn apply(&self, sketch: &Sketch) -> Result<Applied, RunError> {
        let running = self.start(sketch, None)?;
        let plan = running.session.plan()?;
        running.session.apply(&plan)
    }

    /// Plans and applies the destruction of everything.
    pub(crate) fn destroy(&self, sketch: &Sketch) -> Result<Applied, RunError> {
        let running = self.start_with(sketch, None, true)?;
        let plan = running.session.plan()?;
        running.session.apply(&plan)
    }

    fn read(&self) -> State {
        let objects = Arc::clone(&self.objects);
        block_on(State::open_read(objects)).unwrap().unwrap()
    }

    pub(crate) fn records(&self) -> pravo_store::Records {
        block_on(self.read().records()).unwrap().unwrap()
    }

    pub(crate) fn locks(&self) -> Vec<String> {
        let locks = block_on(self.read().locks()).unwrap().unwrap();
        locks.iter().map(|lock| lock.addr.to_string()).collect()
    }

    pub(crate) fn transactions(&self) -> Vec<pravo_state::Transaction> {
        block_on(self.read().transactions(100)).unwrap().unwrap()
    }
}
