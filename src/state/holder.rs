//! Who acts: the person, the process and the run behind a lock or a transaction.

use crate::{Outside, Time};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The name of a transaction. Those that pravo makes are UUIDs of version 7, so names sort by
/// time; any text of ASCII letters, digits, `.`, `_` and `-` is accepted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransactionId(Arc<str>);

impl TransactionId {
    /// Makes a new id that sorts after all earlier ones.
    pub fn make(outside: &dyn Outside) -> Self {
        let milliseconds = u64::try_from(outside.now().unix_ms()).unwrap_or(0);
        let random = outside.random();
        let mut tail = [0; 10];
        tail.copy_from_slice(&random[..10]);
        let id = uuid::Builder::from_unix_timestamp_millis(milliseconds, &tail).into_uuid();
        Self(id.to_string().into())
    }

    /// Takes an id as a file or a person has it.
    ///
    /// # Errors
    /// The text, when it can't be the name of a transaction.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let named = !text.is_empty() && text.len() <= 100 && !text.starts_with('.');
        if named && text.chars().all(fits) {
            Ok(Self(text.into()))
        } else {
            Err(format!("{text:?} is no transaction"))
        }
    }

    /// The text form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TransactionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for TransactionId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for TransactionId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A lineage or another id of version 4: random, without a time.
pub fn random_id(outside: &dyn Outside) -> String {
    uuid::Builder::from_random_bytes(outside.random())
        .into_uuid()
        .to_string()
}

/// A machine as far as it is known: `NAME`, `NAME/BOOT` or `NAME/BOOT/NAMESPACE`. Two machines of
/// one name differ in their boot, two containers in their process namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Host(String);

impl Host {
    /// A machine of which only the name is known, or the whole text form.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// A machine whose running system and process namespace are known.
    pub fn known(name: &str, boot: &str, namespace: &str) -> Self {
        Self(format!("{name}/{boot}/{namespace}"))
    }

    /// The name, as people see it.
    pub fn name(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }

    /// Whether process numbers of the two mean the same processes: no part that both know differs.
    pub fn is_same(&self, other: &Self) -> bool {
        let mut parts = self.0.split('/').zip(other.0.split('/'));
        let named = !self.name().is_empty() && self.name() == other.name();
        named && parts.all(|(a, b)| a == b || a.is_empty() || b.is_empty())
    }

    /// The whole text form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A running command: who started it, where, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The user of the operating system.
    pub user: String,
    /// The machine.
    pub host: Host,
    /// The process number there.
    pub pid: u32,
    /// When that process started, in the words of its system; guards against a reused number.
    pub pid_start: Option<String>,
    /// The command line, as it is recorded.
    pub command: String,
    /// The label of who acts, which nobody verifies.
    pub actor: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl Holder {
    /// Who acts, for people and for reservations: the actor, else the user.
    pub fn who(&self) -> &str {
        self.actor.as_deref().unwrap_or(&self.user)
    }
}

/// Whether a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// It does.
    Alive,
    /// It does not, or its number belongs to another process now.
    Gone,
    /// It is on another machine, or nobody can tell.
    Unknown,
}

/// How long a claim that is not renewed counts as held.
pub const STALE_AFTER: std::time::Duration = std::time::Duration::from_secs(600);

/// What a claim with a time of renewal is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Somebody holds it.
    Live,
    /// It was left behind; whoever needs it may reclaim it.
    Stale,
    /// Its time lies more than ten minutes ahead, so it can't age; a person has to decide.
    ClockAhead,
}

/// Judges a claim: stale when its process is gone, or when it was not renewed for ten minutes.
pub fn standing(renewed_at: Option<Time>, liveness: Liveness, now: Time) -> Standing {
    let Some(renewed_at) = renewed_at else {
        return if liveness == Liveness::Alive {
            Standing::Live
        } else {
            Standing::Stale
        };
    };
    if liveness == Liveness::Gone || now.since(renewed_at) > STALE_AFTER {
        Standing::Stale
    } else if renewed_at.since(now) > STALE_AFTER {
        Standing::ClockAhead
    } else {
        Standing::Live
    }
}
