//! NODES: from the CUE files of a root to nodes, edges and what each node wants.
//!
//! - [`Specification`]: a loaded, evaluated root. Finds nodes by `$kind`, answers which depend on
//!   which, converts the body of a node into the data a provider takes, and takes known values
//!   back ([`Specification::fill`]) so that whatever reads them becomes concrete.
//! - [`generate`]: the CUE package of a provider, from its schema.
//! - [`Remembered`]: the same, kept from one command to the next while nothing of it changed.
//! - [`SpecErrors`]: what is wrong with a specification, ready to print.
//!
//! Nothing here asks a provider, reads the state or prints. What the language allows and this room
//! does not do yet is refused by name ([`SpecErrors`]), never ignored.

mod body;
mod desired;
mod discover;
pub mod error;
mod extract;
mod fill;
mod fingerprint;
pub mod generate;
mod graph;
mod load;
pub mod node;
mod refill;
pub mod saved;
pub mod settings;
pub mod specification;
#[cfg(test)]
mod testing;
mod view;

pub use error::{Position, SpecErrors};
pub use load::{provider_imports, root_package};
pub use node::{Counts, NodeDecl, OutputDecl, OutputValue, ProviderDecl};
pub use pravo_state::Mode;
pub use saved::{Cache, Remembered};
pub use settings::{Age, Settings, StateLocation};
pub use specification::{LoadOptions, Showing, Specification, query};
