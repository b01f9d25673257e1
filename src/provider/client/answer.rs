//! From wire answers to ours: diagnostics, values, identities.

use crate::error::CallError;
use crate::request::Identity;
use crate::{Client, contract};
use pravo_proto::tfplugin6 as wire;
use pravo_proto::{diagnostic, value};
use pravo_state::{Block, Data, Diagnostic, Severity, Type};
use std::time::{Duration, SystemTime};
use wire::deferred::Reason;

/// Splits diagnostics: warnings where there is no error.
///
/// # Errors
/// All of them, when there is an error among them.
pub(super) fn warnings(diagnostics: Vec<wire::Diagnostic>) -> Result<Vec<Diagnostic>, CallError> {
    let read = diagnostic::from_wire(diagnostics);
    match read.iter().any(|d| d.severity == Severity::Error) {
        true => Err(CallError::Diagnostics(read)),
        false => Ok(read),
    }
}

/// A value of ours for the wire.
///
/// # Errors
/// When it does not fit the type; `what` names it then.
pub(super) fn to_wire(
    what: &'static str,
    value: &Data,
    kind: &Type,
) -> Result<Option<wire::DynamicValue>, CallError> {
    value::to_wire(value, kind)
        .map(Some)
        .map_err(|error| CallError::Value { what, error })
}

/// What this program can do besides the basic calls.
pub(super) fn capabilities() -> Option<wire::ClientCapabilities> {
    Some(wire::ClientCapabilities {
        deferral_allowed: false,
        write_only_attributes_allowed: true,
    })
}

/// A time of the wire; nothing for one that no clock can show.
pub(super) fn time(seconds: i64, nanos: i32) -> Option<SystemTime> {
    let past = Duration::from_secs(u64::try_from(seconds).ok()?);
    let rest = Duration::from_nanos(u64::try_from(nanos).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(past)?.checked_add(rest)
}

impl Client {
    /// A value of an answer.
    pub(super) fn read_value(
        &self,
        what: &str,
        value: Option<&wire::DynamicValue>,
        kind: &Type,
    ) -> Result<Data, CallError> {
        value::from_wire(value, kind).map_err(|error| {
            self.breach(format!("gave {what} that does not fit its schema: {error}"))
        })
    }

    /// Refuses a value that holds something in an attribute that must never be recorded.
    pub(super) fn refuse_write_only(&self, block: &Block, value: &Data) -> Result<(), CallError> {
        match contract::write_only(block, value).first() {
            None => Ok(()),
            Some(path) => Err(self.breach(format!(
                "gave back a value for the write-only attribute {path}"
            ))),
        }
    }

    /// Refuses an answer that puts the work off, which was not allowed.
    pub(super) fn refuse_deferral(
        &self,
        deferred: Option<wire::Deferred>,
    ) -> Result<(), CallError> {
        let Some(deferred) = deferred else {
            return Ok(());
        };
        let reason = match deferred.reason() {
            Reason::Unknown => "no reason given",
            Reason::ResourceConfigUnknown => "the resource's configuration is not known",
            Reason::ProviderConfigUnknown => "the provider's configuration is not known",
            Reason::AbsentPrereq => "something it needs does not exist",
        };
        Err(self.breach(format!(
            "deferred an action that it was not allowed to defer ({reason})"
        )))
    }

    /// The identity of an answer.
    pub(super) async fn identity_from_wire(
        &self,
        kind: &str,
        identity: Option<wire::ResourceIdentityData>,
    ) -> Result<Option<Identity>, CallError> {
        let Some(data) = identity.and_then(|identity| identity.identity_data) else {
            return Ok(None);
        };
        let Some((version, of)) = self.identities().await?.get(kind) else {
            return Err(self.breach(format!("gave an identity for {kind}, which has none")));
        };
        let data = self.read_value("an identity", Some(&data), of)?;
        Ok((!data.is_null()).then_some(Identity {
            version: *version,
            data,
        }))
    }

    /// An identity of ours for the wire. One of another version is left out; the next read brings
    /// a new one.
    pub(super) async fn identity_to_wire(
        &self,
        kind: &str,
        identity: Option<&Identity>,
    ) -> Result<Option<wire::ResourceIdentityData>, CallError> {
        let Some(identity) = identity else {
            return Ok(None);
        };
        let Some((version, of)) = self.identities().await?.get(kind) else {
            return Ok(None);
        };
        if *version != identity.version {
            return Ok(None);
        }
        let identity_data = to_wire("the identity", &identity.data, of)?;
        Ok(Some(wire::ResourceIdentityData { identity_data }))
    }
}
