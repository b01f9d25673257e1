//! Which nodes a run must touch: what differs from the record, and which records are read.

use crate::Reason;
use pravo_state::record::Mode;
use pravo_state::time::brief_span;
use pravo_state::{Address, Lock, Record, Time};
use std::time::Duration;

/// How old a record may be before a plan that looks at it reads it from its provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Age {
    /// Always too old.
    Always,
    /// Never too old.
    Never,
    /// Too old once its age is greater than that; the text as it was written.
    Every(Duration, String),
}

impl Age {
    /// The text as it was written.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::Every(_, text) => text,
        }
    }

    /// Whether a record that was read at that time is too old. One that was never read is.
    pub fn is_older(&self, refreshed_at: Option<Time>, now: Time) -> bool {
        match (self, refreshed_at) {
            (_, None) | (Self::Always, _) => true,
            (Self::Never, _) => false,
            (Self::Every(limit, _), Some(at)) => now.since(at) > *limit,
        }
    }
}

/// What the specification and the installed provider say of a node now.
#[derive(Clone, Copy, Debug)]
pub struct Present<'a> {
    /// Resource or data source.
    pub mode: Mode,
    /// The provider's type.
    pub kind: &'a str,
    /// The source of the provider, with its host.
    pub source: &'a str,
    /// The key of the provider instance.
    pub provider_key: &'a str,
    /// The version of the plugin.
    pub provider_version: &'a str,
    /// The schema version of the type.
    pub schema_version: i64,
    /// The hash of the configuration; nothing while that is not wholly known.
    pub config_hash: Option<&'a str>,
    /// The nodes whose values the configuration waits for.
    pub waits_for: &'a [Address],
    /// The direct dependencies, sorted.
    pub dependencies: &'a [Address],
}

/// Why a node must be planned; nothing when its record stands for it. `drift` is whether a read of
/// this run found the object to differ.
///
/// Only differing edges ask for a new record without asking the provider: then that is the one
/// reason.
pub fn causes(record: Option<&Record>, now: &Present<'_>, drift: bool) -> Vec<Reason> {
    let Some(record) = record else {
        return vec![Reason::New];
    };
    let mut causes = Vec::new();
    let was_is = |was: &str, is: &str| (was.to_owned(), is.to_owned());
    match now.config_hash {
        None => causes.push(Reason::InputsUnknown(now.waits_for.to_vec())),
        Some(_) if record.config_hash.is_empty() => causes.push(Reason::LastApplyUnfinished),
        Some(hash) if hash != record.config_hash => {
            let (was, is) = was_is(&record.config_hash, hash);
            causes.push(Reason::SpecificationChanged(was, is));
        }
        Some(_) => {}
    }
    if record.tainted && !causes.contains(&Reason::LastApplyUnfinished) {
        causes.push(Reason::LastApplyUnfinished);
    }
    if (record.mode, record.kind.as_str()) != (now.mode, now.kind) {
        let (was, is) = was_is(&record.kind, now.kind);
        causes.push(Reason::TypeChanged(was, is));
    }
    if record.provider != now.source {
        let (was, is) = was_is(&record.provider, now.source);
        causes.push(Reason::SourceChanged(was, is));
    } else if record.provider_version != now.provider_version {
        let (is, was) = was_is(now.provider_version, &record.provider_version);
        causes.push(Reason::ProviderVersion(is, was));
    }
    if record.provider_key != now.provider_key {
        let (was, is) = was_is(&record.provider_key, now.provider_key);
        causes.push(Reason::InstanceChanged(was, is));
    }
    if record.schema_version != now.schema_version && record.kind == now.kind {
        let (was, is) = (record.schema_version, now.schema_version);
        causes.push(Reason::SchemaVersion(was, is));
    }
    if drift {
        causes.push(Reason::Drift);
    } else if let Some(since) = record.drifted_at {
        causes.push(Reason::DriftEarlier(since.to_string()));
    } else if record.gone {
        causes.push(Reason::Drift);
    }
    if causes.is_empty() && record.dependencies != now.dependencies {
        causes.push(Reason::DependenciesChanged);
    }
    causes.sort();
    causes
}

/// Whether a record can be used as it stands, without an upgrade: same type, provider and schema.
pub fn fits(record: &Record, now: &Present<'_>) -> bool {
    record.mode == now.mode
        && record.kind == now.kind
        && record.provider == now.source
        && record.schema_version == now.schema_version
}

/// What is known about the reading of one record.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The refresh age of the node.
    pub age: &'a Age,
    /// The age stands on the node itself.
    pub own_age: bool,
    /// The node is reached, or a reached node reads it.
    pub looked_at: bool,
    /// A lock that an apply left behind on it.
    pub lock: Option<&'a Lock>,
    /// The digest of its provider's configuration now; nothing while that is not wholly known.
    pub provider_config: Option<Option<&'a str>>,
}

/// Why a record is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadCause {
    /// It is older than its refresh age.
    Older,
    /// Something suggests that it is wrong, whatever its age.
    Forced(Reason),
}

/// What a lock says that an apply left behind; nothing for the lock of a plan.
pub fn lock_left(lock: &Lock) -> Option<Reason> {
    let holder = &lock.holder;
    let (who, host) = (holder.who().to_owned(), holder.host.name().to_owned());
    Some(Reason::LockLeft(lock.txn.as_ref()?.to_string(), who, host))
}

/// Whether, and why, a plan reads the record of a resource.
pub fn read_cause(record: &Record, look: &Look<'_>, now: Time) -> Option<ReadCause> {
    if let Some(left) = look.lock.and_then(lock_left) {
        return Some(ReadCause::Forced(left));
    }
    if record.refreshed_at.is_none() {
        return Some(ReadCause::Forced(Reason::OutcomeUnknown));
    }
    if let (Some(was), Some(is)) = (&record.provider_config, look.provider_config)
        && is != Some(was.as_str())
    {
        return Some(ReadCause::Forced(Reason::ProviderConfigChanged));
    }
    let older = look.age.is_older(record.refreshed_at, now);
    (older && (look.looked_at || look.own_age)).then_some(ReadCause::Older)
}

/// The reason that a skipped node's record was not read.
pub fn not_read(record: &Record, age: &Age, now: Time) -> Reason {
    let span = record
        .refreshed_at
        .map_or(Duration::ZERO, |at| now.since(at));
    Reason::NotRead(brief_span(span), age.as_str().to_owned())
}

#[cfg(test)]
mod tests;
