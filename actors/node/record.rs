//! The record of a node after an apply.

use super::ask::{Object, kept_identity};
use crate::estate::{Declared, Estate};
use crate::evaluator::desk::ProviderNow;
use pravo_state::record::{Attributes, Mode};
use pravo_state::{Opaque, Record, Time, TransactionId, json};

/// What becomes of the count and the generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Succession {
    /// A new object where there was none, or an old one's record goes on.
    Goes,
    /// A new object in place of another: the count goes on, the generation is new.
    Replaces,
}

/// Which run writes a record, and when.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'a> {
    pub(crate) estate: &'a Estate,
    pub(crate) txn: &'a TransactionId,
    pub(crate) now: Time,
}

impl Writer<'_> {
    /// The record of an object that an apply made, changed or looked at. `hash` is empty when the
    /// apply did not finish it; `old` is the record before, also of a replaced object.
    pub(crate) fn record(
        &self,
        node: &Declared,
        object: &Object,
        provider: &ProviderNow,
        hash: &str,
        (old, succession): (Option<&Record>, Succession),
    ) -> Result<Record, json::Error> {
        let decl = &node.decl;
        let mut record = Record::new(decl.address.clone(), decl.mode, decl.kind.clone());
        record.provider = decl.source.clone();
        record.provider_key = decl.provider_key.clone();
        record.provider_version = self.estate.version(&decl.source).to_owned();
        record.schema_version = node.typed.schema.version;
        record.attributes = Attributes::from_data(&object.data, &node.typed.kind)?;
        record.private = Opaque::new(object.private.clone());
        record.dependencies = node.dependencies.clone();
        record.config_hash = hash.to_owned();
        record.provider_config = provider.digest.clone();
        if let Some((identity, version)) = kept_identity(object.identity.as_ref()) {
            record.identity = Some(identity);
            record.identity_schema_version = Some(version);
        }
        record.refreshed_at = Some(self.now);
        record.applied_at = (decl.mode == Mode::Managed).then_some(self.now);
        self.stamp(&mut record, old, succession);
        if let Some(old) = old {
            record.rest = old.rest.clone();
        }
        Ok(record)
    }

    /// Sets count, generation, time and transaction.
    pub(crate) fn stamp(&self, record: &mut Record, old: Option<&Record>, succession: Succession) {
        record.revision = old.map_or(1, |old| old.revision + 1);
        let kept = match succession {
            Succession::Goes => old.and_then(|old| old.generation.clone()),
            Succession::Replaces => None,
        };
        record.generation = kept.or_else(|| Some(self.txn.clone()));
        record.updated_at = Some(self.now);
        record.txn = Some(self.txn.clone());
    }
}
