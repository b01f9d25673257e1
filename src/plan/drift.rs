//! Compares what was read with what was recorded.

use pravo_state::schema::Schema;
use pravo_state::{Attributes, Data, Opaque, Record, Time, TransactionId, json};

/// What a read found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The object is as recorded.
    Same,
    /// The object differs.
    Differs,
    /// The object is gone, which the record does not say yet.
    Gone,
    /// The object is gone, as the record says already.
    StillGone,
    /// The object is there, though the record says it is gone.
    Back,
}

impl Found {
    /// Judges a read. `recorded` and `read` are in canonical form; a null `read` is a gone object.
    pub fn judge(record: &Record, recorded: &Data, read: &Data) -> Self {
        match (read.is_null(), record.gone) {
            (true, true) => Self::StillGone,
            (true, false) => Self::Gone,
            (false, true) => Self::Back,
            (false, false) if recorded == read => Self::Same,
            (false, false) => Self::Differs,
        }
    }

    /// Whether the read says something new against the record.
    pub fn is_drift(self) -> bool {
        matches!(self, Self::Differs | Self::Gone | Self::Back)
    }
}

/// What a read gives to a record.
#[derive(Clone, Debug)]
pub struct ReadBack<'a> {
    /// What it found.
    pub found: Found,
    /// The object as read; null when it is gone.
    pub object: &'a Data,
    /// The provider's private data after the read.
    pub private: &'a [u8],
    /// The digest of where the provider instance points; nothing when it points nowhere.
    pub provider_config: Option<&'a str>,
    /// The identity that the provider gave with it, and the version of its schema.
    pub identity: Option<(Attributes, i64)>,
    /// The time of the read.
    pub now: Time,
    /// The transaction that writes it.
    pub txn: &'a TransactionId,
}

/// The record after a read: a new time, and with drift the object as read, a mark and the next
/// revision. A gone object keeps its attributes.
///
/// # Errors
/// A part of the object that has no place in a record.
pub fn read_back(
    record: &Record,
    schema: &Schema,
    read: &ReadBack<'_>,
) -> Result<Record, json::Error> {
    let mut next = record.clone();
    next.refreshed_at = Some(read.now);
    next.updated_at = Some(read.now);
    next.txn = Some(read.txn.clone());
    next.provider_config = read.provider_config.map(str::to_owned);
    if next.generation.is_none() {
        next.generation = Some(read.txn.clone());
    }
    if !read.object.is_null() {
        next.private = Opaque::new(read.private.to_vec());
        next.gone = false;
        if let Some((identity, version)) = &read.identity {
            next.identity = Some(identity.clone());
            next.identity_schema_version = Some(*version);
        }
    }
    if read.found.is_drift() {
        next.revision += 1;
        next.drifted_at = next.drifted_at.or(Some(read.now));
        next.gone = read.object.is_null();
        if !read.object.is_null() {
            let kind = schema.block.implied_type();
            next.attributes = Attributes::from_data(read.object, &kind)?;
            next.schema_version = schema.version;
        }
    }
    Ok(next)
}

#[cfg(test)]
mod tests;
