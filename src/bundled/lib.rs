//! BUNDLED PLUGINS: the serving side of the plugin protocol and the plugins that ship in the binary.
//!
//! [`kit`] holds what all plugins share; each plugin is one module and one folder; `serve` is the
//! process around one: handshake, transport, services, end. The clock, the randomness and the
//! files that plugins use are their own; the environment comes in as data.

mod encoding;
mod keepers;
pub mod kit;
mod local;
mod null;
mod random;
mod secure;
