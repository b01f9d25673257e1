//! What calls take and what they answer.

use pravo_state::{AttributePath, Data, Diagnostic};
use std::time::SystemTime;

/// What tells an object from all others, beside its state. Plugins that know it must get back
/// what they gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The version of its schema.
    pub version: i64,
    /// Its attributes.
    pub data: Data,
}

/// A request to read an object as it is.
#[derive(Clone, Debug, Default)]
pub struct ReadRequest {
    /// The type of the resource.
    pub kind: String,
    /// The object as it was last known.
    pub state: Data,
    /// What the plugin gave to be kept beside it.
    pub private: Vec<u8>,
    /// Its identity, where it has one.
    pub identity: Option<Identity>,
}

/// An object as it is.
#[derive(Clone, Debug)]
pub struct Read {
    /// The object; null when it is gone.
    pub state: Data,
    /// Replaces what was kept, also when it is empty.
    pub private: Vec<u8>,
    /// Replaces its identity.
    pub identity: Option<Identity>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// A request to plan a change.
#[derive(Clone, Debug, Default)]
pub struct PlanRequest {
    /// The type of the resource.
    pub kind: String,
    /// The object as it is; null for a create.
    pub prior: Data,
    /// Configuration and prior object, merged; null for a delete.
    pub proposed: Data,
    /// The configuration; null for a delete.
    pub config: Data,
    /// What the plugin gave to be kept beside the prior object.
    pub private: Vec<u8>,
    /// The identity of the prior object.
    pub identity: Option<Identity>,
}

/// A planned change.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The object after the change, as far as it is known; null for a delete.
    pub planned: Data,
    /// Goes to the apply.
    pub private: Vec<u8>,
    /// Goes to the apply.
    pub identity: Option<Identity>,
    /// Attributes whose change needs a new object. They may be unchanged.
    pub requires_replace: Vec<AttributePath>,
    /// The plugin is made with the older kit, whose plans break rules; breaches are logged only.
    pub legacy: bool,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// A request to make a change.
#[derive(Clone, Debug, Default)]
pub struct ApplyRequest {
    /// The type of the resource.
    pub kind: String,
    /// The object as it is; null for a create.
    pub prior: Data,
    /// The object as planned; null for a delete.
    pub planned: Data,
    /// The configuration, wholly known; null for a delete.
    pub config: Data,
    /// What the plan gave.
    pub private: Vec<u8>,
    /// What the plan gave.
    pub identity: Option<Identity>,
}

/// The answer to a change. Errors and an object may come together: the object exists then.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The object after the change; null when there is none, or none is known because of errors.
    pub state: Data,
    /// Replaces what was kept, also when it is empty.
    pub private: Vec<u8>,
    /// Replaces its identity.
    pub identity: Option<Identity>,
    /// The plugin is made with the older kit; see [`Planned::legacy`].
    pub legacy: bool,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// A recorded object in the form of the plugin's version.
#[derive(Clone, Debug)]
pub struct Upgraded {
    /// The object.
    pub state: Data,
    /// The schema version that it has now.
    pub version: i64,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// An object that exists already.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The type of the resource.
    pub kind: String,
    /// What is known of it; it has to be read.
    pub state: Data,
    /// To be kept beside it.
    pub private: Vec<u8>,
    /// Its identity.
    pub identity: Option<Identity>,
}

/// What a data source answered.
#[derive(Clone, Debug)]
pub struct ReadData {
    /// The value; never null, wholly known.
    pub state: Data,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// An ephemeral resource that is open. It must be closed.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its value; wholly known.
    pub result: Data,
    /// Goes to renewals and to the close.
    pub private: Option<Vec<u8>>,
    /// When it has to be renewed.
    pub renew_at: Option<SystemTime>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// An ephemeral resource that was renewed.
#[derive(Clone, Debug)]
pub struct Renewed {
    /// Replaces what the open gave.
    pub private: Option<Vec<u8>>,
    /// When it has to be renewed again.
    pub renew_at: Option<SystemTime>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}
