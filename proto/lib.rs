//! WIRE: the protocol of provider plugins, versions 5 and 6, and what stands between its messages
//! and the nouns of `pravo-state`. The client (`pravo-provider`) and the bundled plugins
//! (`pravo-bundled`) share it.
//!
//! - [`tfplugin6`], [`tfplugin5`], [`plugin`], [`health`]: messages, clients and servers,
//!   generated from the `.proto` files beside this one. `tests/generated.rs` compares them. The
//!   messages of version 5 that have the same bytes in version 6 are the same Rust types.
//! - [`value`]: a [`pravo_state::Data`] as a `DynamicValue`; the bytes are made in [`msgpack`].
//! - [`json`]: the JSON form of a value, which records hold.
//! - [`types`]: type constraints as JSON.
//! - [`schema`]: schemas, both ways and in both versions.
//! - [`diagnostic`]: diagnostics and paths, both ways.

pub mod diagnostic;
pub mod error;
pub mod json;
pub mod msgpack;
pub mod normal;
mod number;
pub mod schema;
pub mod types;
pub mod value;

pub use error::ValueError;

/// Messages, client and server of version 6.
pub mod tfplugin6 {
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::too_many_lines)]
    include!("generated/tfplugin6.rs");
}

/// Client and server of version 5, and those of its messages that differ from version 6.
pub mod tfplugin5 {
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::too_many_lines)]
    include!("generated/tfplugin5.rs");
}

/// The services beside the provider: broker, controller and what the process prints.
pub mod plugin {
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::too_many_lines)]
    include!("generated/plugin.rs");
}

/// The health service.
pub mod health {
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::too_many_lines)]
    include!("generated/grpc.health.v1.rs");
}
