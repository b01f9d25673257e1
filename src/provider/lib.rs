//! PLUGINS: finds provider plugins, starts them and calls them.
//!
//! - [`find()`]: where the plugin of a provider lies, and its version.
//! - [`Client`]: a running plugin; one method a call, versions 5 and 6 of the protocol alike.
//! - [`contract`]: what a plugin must not do, as pure checks of its answers.
//! - [`object`]: values that blocks have where nobody wrote any.
//!
//! No type of the wire leaves this room: values are [`pravo_state::Data`], types and schemas those
//! of `pravo-state`. It reads no environment and prints nothing.

pub mod client;
pub mod contract;
pub mod error;
pub mod find;
pub mod launch;
pub mod object;
pub mod request;
mod v5;
mod v6;
mod wire;

pub use client::Client;
pub use error::CallError;
pub use find::{Bundled, ConfigPlaces, FindError, Located, Options, Origin, find};
pub use launch::{Ended, LaunchError, LaunchOptions, Protocol, warm_up};
pub use request::{
    Applied, ApplyRequest, Identity, Imported, Opened, PlanRequest, Planned, Read, ReadData,
    ReadRequest, Renewed, Upgraded,
};

/// What a plugin offers: its schema and what it can do. Read from its answer.
pub use pravo_proto::schema::{Capabilities, Offer, SchemaError};

/// Values in the JSON form that records hold, and their one form under a type.
pub mod value {
    pub use pravo_proto::ValueError;
    pub use pravo_proto::json::{from_bytes, from_json, strip, to_json};
    pub use pravo_proto::normal::text as normal_text;
    pub use pravo_proto::types::{from_json as type_from_json, of_value, to_json as type_to_json};
    pub use pravo_proto::value::canonical;
}
