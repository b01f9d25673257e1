//! Locks: who gets one, who waits, who loses one, and what stays behind.

mod holding;
mod races;
mod reserving;

use super::*;
use crate::testing::{Machine, World, address};
use crate::{MemoryObjects, Objects};
use pravo_state::transaction::{Transaction, TransactionKind};
use pravo_state::{Host, Time};

/// A state, a clock and a machine, on which commands come and go.
struct Scene {
    memory: Arc<MemoryObjects>,
    world: Arc<World>,
    machine: Arc<Machine>,
    state: State,
}

impl Scene {
    async fn new() -> Self {
        let memory = Arc::new(MemoryObjects::new());
        let world = Arc::new(World::new());
        let objects = Arc::clone(&memory) as Arc<dyn Objects>;
        let state = State::open_write(objects, world.as_ref()).await.unwrap();
        Self {
            memory,
            world,
            machine: Arc::new(Machine::default()),
            state,
        }
    }

    /// A command with that process number on this machine.
    fn command(&self, pid: u32, user: &str) -> Locker {
        self.on_host(Host::known("here", "boot", "1"), pid, user)
    }

    fn on_host(&self, host: Host, pid: u32, user: &str) -> Locker {
        let holder = Holder {
            user: user.to_owned(),
            host,
            pid,
            pid_start: Some(format!("start of {pid}")),
            command: format!("pravo apply {pid}"),
            actor: None,
            reason: None,
        };
        let processes = Arc::clone(&self.machine) as Arc<dyn Processes>;
        let outside = Arc::clone(&self.world) as Arc<dyn Outside>;
        let locker = Locker::new(self.state.clone(), processes, outside, holder.clone());
        Locker {
            holder: Arc::new(holder),
            ..locker
        }
    }

    /// Records the transaction of an apply as running.
    async fn begin(&self, locker: &Locker, txn: &str) -> crate::OpenTransaction {
        let holder = locker.holder().clone();
        let kind = TransactionKind::Apply;
        let transaction = Transaction::new(id(txn), kind, holder, self.world.now());
        self.state.begin(transaction).await.unwrap()
    }

    async fn lock_of(&self, addr: &str) -> Option<Lock> {
        let kept = self.state.lock(&address(addr)).await.unwrap();
        kept.map(|kept| kept.value)
    }

    fn lock_keys(&self) -> Vec<String> {
        let keys = self.memory.contents().into_keys();
        keys.filter(|key| key.starts_with("locks/")).collect()
    }

    fn now(&self) -> Time {
        self.world.now()
    }
}

fn id(text: &str) -> TransactionId {
    TransactionId::parse(text).unwrap()
}

fn set(addrs: &[&str]) -> BTreeSet<Address> {
    addrs.iter().map(|addr| address(addr)).collect()
}

fn apply(txn: &str) -> Purpose {
    Purpose {
        txn: Some(id(txn)),
        ..Purpose::default()
    }
}

fn minutes(minutes: u64) -> Duration {
    Duration::from_secs(minutes * 60)
}
