//! Whether the process behind a lock still runs, and which machine this is.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
mod bsd;
#[cfg(not(target_os = "linux"))]
use bsd as system;

use pravo_state::{Host, Liveness};

/// What is known of processes on this machine.
pub trait Processes: Send + Sync + 'static {
    /// This machine, with its running system and process namespace where they are known.
    fn host(&self) -> Host;

    /// When the process of that number started, in the words of the system; nothing when there is
    /// none, or it has ended and waits for its parent.
    fn start_of(&self, pid: u32) -> Option<String>;

    /// Whether a process that somebody recorded still runs. Only a process of this machine can be
    /// known to be gone.
    fn liveness(&self, host: &Host, pid: u32, start: Option<&str>) -> Liveness {
        if pid == 0 || !self.host().is_same(host) {
            return Liveness::Unknown;
        }
        match (self.start_of(pid), start) {
            (None, _) => Liveness::Gone,
            (Some(now), Some(then)) if now != then => Liveness::Gone,
            (Some(_), _) => Liveness::Alive,
        }
    }
}

/// The processes of this machine.
#[derive(Clone, Debug)]
pub struct SystemProcesses {
    host: Host,
}

impl SystemProcesses {
    /// Looks which machine this is.
    pub fn new() -> Self {
        let name = rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned();
        let name = name.replace('/', "-");
        let host = Host::known(&name, &system::boot(), &system::namespace());
        Self { host }
    }
}

impl Default for SystemProcesses {
    fn default() -> Self {
        Self::new()
    }
}

impl Processes for SystemProcesses {
    fn host(&self) -> Host {
        self.host.clone()
    }

    fn start_of(&self, pid: u32) -> Option<String> {
        system::start_of(pid)
    }
}
