//! The end of a served plugin: told by the host, or noticed because the host is gone.

use rustix::process::{Pid, getppid};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::time::{interval, sleep};

/// How often the parent process is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// How long a host may take to connect.
const VISIT: Duration = Duration::from_secs(60);

/// How long open connections may last after the end was told; hosts kill after 2 s.
const LEAVE: Duration = Duration::from_millis(500);

/// Why a plugin ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The host said so.
    Told,
    /// The host is gone, or never came.
    Abandoned,
    /// A signal said so.
    Terminated,
}

/// The host's word that the plugin shall end; shared by the services.
#[derive(Clone)]
pub(super) struct Ending(Arc<watch::Sender<bool>>);

impl Default for Ending {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Ending {
    /// Tells it.
    pub(super) fn tell(&self) {
        self.0.send_replace(true);
    }

    /// Waits for it.
    pub(super) async fn wait(self) {
        // The sender lives as long as this does, so that it cannot fail.
        let _ = self.0.subscribe().wait_for(|told| *told).await;
    }
}

/// Whether somebody has connected.
#[derive(Clone, Default)]
pub(super) struct Visits(Arc<AtomicBool>);

impl Visits {
    /// Notes a connection.
    pub(super) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The signals and the parent of this process.
pub(super) struct Life {
    parent: Option<Pid>,
    terminate: Signal,
    interrupt: Signal,
    visits: Visits,
}

impl Life {
    /// Starts to watch. From here on an interrupt does not end the process: the terminal sends
    /// it to the host as well, and the host decides.
    ///
    /// # Errors
    /// That the system refuses to hand out signals.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            parent: getppid(),
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            visits: Visits::default(),
        })
    }

    /// Where connections are noted.
    pub(super) fn visits(&self) -> Visits {
        self.visits.clone()
    }

    /// Waits for the end. After the host's word it leaves open connections a moment.
    pub(super) async fn end(&mut self, ending: &Ending) -> End {
        let told = async {
            ending.clone().wait().await;
            sleep(LEAVE).await;
        };
        let never_came = async {
            sleep(VISIT).await;
            if self.visits.0.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
        };
        let ignored = async {
            while self.interrupt.recv().await.is_some() {}
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = told => End::Told,
            () = orphaned(self.parent) => End::Abandoned,
            () = never_came => End::Abandoned,
            _ = self.terminate.recv() => End::Terminated,
            () = ignored => End::Abandoned,
        }
    }
}

/// Waits until the process has another parent than at its start.
async fn orphaned(parent: Option<Pid>) {
    let mut looks = interval(LOOK);
    while getppid() == parent {
        looks.tick().await;
    }
}
