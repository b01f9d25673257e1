//! Why a node is in a plan, in the words that people read.

use crate::Path;
use pravo_state::Address;
use std::fmt;

/// One reason. Their order here is the order in which they are shown: causes, then the refresh,
/// then consequences.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// There is no record.
    New,
    /// There is a record and no declaration.
    NotInSpecification,
    /// The configuration hash differs: recorded, now.
    SpecificationChanged(String, String),
    /// The configuration holds unknown parts that come from these nodes.
    InputsUnknown(Vec<Address>),
    /// A person asked for the replacement.
    ReplacementRequested,
    /// The last apply left the configuration hash empty.
    LastApplyUnfinished,
    /// The record is of another provider version: now, recorded.
    ProviderVersion(String, String),
    /// The record is of another provider instance: recorded, now.
    InstanceChanged(String, String),
    /// The record is of another schema version: recorded, now.
    SchemaVersion(i64, i64),
    /// The record is of another type: recorded, now.
    TypeChanged(String, String),
    /// The record is of another provider: recorded, now.
    SourceChanged(String, String),
    /// The edges differ.
    DependenciesChanged,
    /// A read found drift in an earlier run; the time of that read.
    DriftEarlier(String),
    /// A read of this plan found drift.
    Drift,
    /// A data source answered something else than its record holds.
    DataDiffers,
    /// An apply stopped while it held the node: transaction, holder, host.
    LockLeft(String, String, String),
    /// The provider instance points somewhere else.
    ProviderConfigChanged,
    /// The record has no time of a refresh.
    OutcomeUnknown,
    /// The node is reached and its record was not read.
    RefreshSkipped,
    /// The record was read because of its age; whether that found drift.
    Refreshed(bool),
    /// The provider cannot change these in place.
    RequiresReplace(Vec<Path>),
    /// The node is not reached.
    Skipped,
    /// The record is not looked at: its age, its refresh age as written.
    NotRead(String, String),
}

impl Reason {
    /// Whether the reason names why the record was read whatever its age.
    pub fn is_forced_read(&self) -> bool {
        matches!(
            self,
            Self::LockLeft(..) | Self::ProviderConfigChanged | Self::OutcomeUnknown
        )
    }
}

/// The first 12 digits of a hash; the word `none` for an empty one.
fn short(hash: &str) -> &str {
    match hash.get(..12) {
        Some(digits) => digits,
        None if hash.is_empty() => "none",
        None => hash,
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.write_str("not in the state: a new resource"),
            Self::NotInSpecification => f.write_str("not in the specification"),
            Self::SpecificationChanged(old, new) => write!(
                f,
                "the specification changed since the last apply (hash {} -> {})",
                short(old),
                short(new)
            ),
            Self::InputsUnknown(nodes) => write!(
                f,
                "inputs depend on values known only after apply: {}",
                joined(nodes)
            ),
            Self::ReplacementRequested => f.write_str("replacement requested with -replace"),
            Self::LastApplyUnfinished => f.write_str("the last apply did not finish"),
            Self::ProviderVersion(now, was) => {
                write!(f, "the provider is {now}, the record was written by {was}")
            }
            Self::InstanceChanged(was, now) => {
                write!(f, "the provider instance changed ({was} -> {now})")
            }
            Self::SchemaVersion(was, now) => {
                write!(f, "the schema version changed ({was} -> {now})")
            }
            Self::TypeChanged(was, now) => write!(f, "the type changed ({was} -> {now})"),
            Self::SourceChanged(was, now) => write!(f, "the provider changed ({was} -> {now})"),
            Self::DependenciesChanged => f.write_str("its dependencies changed"),
            Self::DriftEarlier(since) => write!(f, "a read found drift earlier (since {since})"),
            Self::Drift => {
                f.write_str("refresh found the real state differs from the state (drift)")
            }
            Self::DataDiffers => f.write_str("the data source answered differently"),
            Self::LockLeft(txn, who, host) => write!(
                f,
                "an apply (txn {txn}, {who} on host {host}) stopped while this node was locked; \
                 its real state is read again whatever the refresh age"
            ),
            Self::ProviderConfigChanged => {
                f.write_str("the non-sensitive configuration of its provider changed")
            }
            Self::OutcomeUnknown => f.write_str(
                "the last apply could not tell what it did; \
                 its real state is read again whatever the refresh age",
            ),
            Self::RefreshSkipped => {
                f.write_str("refresh skipped: the record is within its refresh age")
            }
            Self::Refreshed(drift) => write!(
                f,
                "refreshed because the record is older than its refresh age; {}",
                if *drift { "drift" } else { "no drift" }
            ),
            Self::RequiresReplace(paths) => write!(
                f,
                "the provider cannot change {} in place; replacement required",
                joined(paths)
            ),
            Self::Skipped => f.write_str("skipped: nothing the provider saw has changed"),
            Self::NotRead(age, limit) => write!(
                f,
                "not read: the plan did not reach it; the record is {age} old, \
                 its refresh age is {limit}"
            ),
        }
    }
}

fn joined<T: fmt::Display>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(T::to_string).collect();
    texts.join(", ")
}
