//! A small world for the tests of this room: a clock that is set, machines whose processes die.

use crate::Processes;
use pravo_state::{Address, Attributes, Host, Mode, Outside, Record, Time};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// A clock that stands until it is moved, and bytes that never repeat.
pub(crate) struct World {
    now: AtomicI64,
    serial: AtomicU64,
}

impl World {
    pub(crate) fn new() -> Self {
        let start = Time::parse("2026-01-01T00:00:00Z").unwrap();
        Self {
            now: AtomicI64::new(start.unix_ms()),
            serial: AtomicU64::new(1),
        }
    }

    pub(crate) fn pass(&self, span: Duration) {
        let span = i64::try_from(span.as_millis()).unwrap();
        self.now.fetch_add(span, Ordering::Relaxed);
    }
}

impl Outside for World {
    fn now(&self) -> Time {
        Time::from_unix_ms(self.now.load(Ordering::Relaxed)).unwrap()
    }

    fn random(&self) -> [u8; 16] {
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&serial.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes());
        bytes[8..].copy_from_slice(&serial.to_le_bytes());
        bytes
    }
}

/// The processes of one machine; all live that were not killed.
#[derive(Default)]
pub(crate) struct Machine {
    dead: Mutex<BTreeSet<u32>>,
}

impl Machine {
    pub(crate) fn kill(&self, pid: u32) {
        self.dead.lock().unwrap().insert(pid);
    }
}

impl Processes for Machine {
    fn host(&self) -> Host {
        Host::known("here", "boot", "1")
    }

    fn start_of(&self, pid: u32) -> Option<String> {
        (!self.dead.lock().unwrap().contains(&pid)).then(|| format!("start of {pid}"))
    }
}

pub(crate) fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

pub(crate) fn record(addr: &str) -> Record {
    let mut record = Record::new(address(addr), Mode::Managed, "null_resource");
    record.attributes = Attributes::parse(r#"{"id":"x"}"#).unwrap();
    record.provider = "registry.opentofu.org/hashicorp/null".into();
    record
}
