//! What the actors of one session share, on their one thread.

use crate::estate::Estate;
use crate::evaluator::Evaluator;
use crate::evaluator::desk::ProviderNow;
use crate::halt::Halt;
use crate::planner::Planner;
use crate::plugin::Plugins;
use crate::provider::Provider;
use crate::session::Loaded;
use crate::supervision::{EndGuard, Ended, Who};
use actix::{Actor, Addr, Recipient};
use crossbeam_channel::Sender;
use pravo_state::{Address, Event, Operation, Outside};
use pravo_store::{Locker, State};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

pub(crate) struct World {
    pub(crate) estate: Arc<Estate>,
    pub(crate) evaluator: Addr<Evaluator>,
    pub(crate) planner: Addr<Planner>,
    pub(crate) state: State,
    pub(crate) locker: Locker,
    pub(crate) plugins: Arc<dyn Plugins>,
    pub(crate) outside: Arc<dyn Outside>,
    pub(crate) events: Sender<Event>,
    pub(crate) permits: Arc<Semaphore>,
    pub(crate) root: PathBuf,
    pub(crate) halt: Rc<Halt>,
    pub(crate) providers: RefCell<BTreeMap<String, Addr<Provider>>>,
    /// The records that the first plan starts from.
    pub(crate) loaded: RefCell<Option<Loaded>>,
}

impl World {
    /// The provider of an instance; starts its actor for the first who needs it.
    pub(crate) fn provider(&self, now: &ProviderNow, source: &str) -> Addr<Provider> {
        let mut providers = self.providers.borrow_mut();
        let known = providers.entry(now.key.clone());
        let start = || {
            let guard = self.guard(Who::Provider(now.key.clone()));
            let version = self.estate.version(source);
            let name = (now.key.as_str(), source, version);
            let (config, plugins) = (Arc::clone(&now.config), Arc::clone(&self.plugins));
            Provider::new(name, config, plugins, self.events.clone(), guard).start()
        };
        known.or_insert_with(start).clone()
    }

    /// The records that a plan starts from: those that were loaded, for the first one, else those
    /// of the state now.
    pub(crate) async fn records(&self) -> Result<Loaded, pravo_store::Error> {
        let loaded = self.loaded.borrow_mut().take();
        if let Some(loaded) = loaded {
            return Ok(loaded);
        }
        let started = std::time::Instant::now();
        let records = self.state.records().await?;
        Ok(Loaded {
            records,
            took: started.elapsed(),
        })
    }

    /// Lets the planner know of the end of an actor.
    pub(crate) fn guard(&self, who: Who) -> EndGuard {
        let planner: Recipient<Ended> = self.planner.clone().recipient();
        EndGuard::new(who, planner)
    }

    pub(crate) fn tell(&self, event: Event) {
        if self.events.send(event).is_err() {
            tracing::trace!("nobody listens to events");
        }
    }

    /// Runs one call that people see: tells its start, its progress and its end.
    pub(crate) async fn observed<T, E>(
        &self,
        (addr, operation): (&Address, Operation),
        id: Option<String>,
        work: impl Future<Output = Result<T, E>>,
        id_of: impl FnOnce(&T) -> Option<String>,
    ) -> Result<T, E> {
        let _running = self.halt.count();
        let started = std::time::Instant::now();
        self.tell(Event::Started {
            addr: addr.clone(),
            operation,
            id,
        });
        let mut work = std::pin::pin!(work);
        let mut beat = Duration::from_secs(10);
        let result = loop {
            let next = tokio::time::sleep(beat.saturating_sub(started.elapsed()));
            tokio::select! {
                biased;
                result = &mut work => break result,
                () = next => {
                    self.tell(Event::Progressed { addr: addr.clone(), operation, elapsed: beat });
                    beat = next_beat(beat);
                }
            }
        };
        let elapsed = started.elapsed();
        match &result {
            Ok(value) => {
                let id = id_of(value);
                self.tell(Event::Completed {
                    addr: addr.clone(),
                    operation,
                    elapsed,
                    id,
                });
            }
            Err(_) => self.tell(Event::Failed {
                addr: addr.clone(),
                operation,
                elapsed,
            }),
        }
        result
    }
}

/// 10, 30 and 60 seconds after the start, then each minute.
fn next_beat(beat: Duration) -> Duration {
    match beat.as_secs() {
        10 => Duration::from_secs(30),
        30 => Duration::from_secs(60),
        seconds => Duration::from_secs(seconds + 60),
    }
}

#[cfg(test)]
mod tests;
