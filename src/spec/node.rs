//! What discovery finds: resources and data sources, providers, outputs.

use crate::{Age, Position};
use pravo_state::{Address, Data, Mode};
use serde::{Deserialize, Serialize};

/// A resource or data source that the specification declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeDecl {
    /// Its path in the specification.
    pub address: Address,
    /// Resource or data source.
    pub mode: Mode,
    /// The type of the provider that builds it: its `$type`.
    pub kind: String,
    /// The provider's source address with host: its `$source`.
    pub source: String,
    /// The key of the provider instance that builds it, as in [`ProviderDecl::key`].
    pub provider_key: String,
    /// `$lifecycle.refresh`, where it is set.
    pub refresh: Option<Age>,
    /// Where it is declared.
    pub position: Option<Position>,
}

/// A provider instance that the specification declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderDecl {
    /// Its address without one leading `$`: `random` for `$random`.
    pub key: String,
    /// Its path in the specification.
    pub address: Address,
    /// The source address with host.
    pub source: String,
    /// `$version`: a constraint on the provider's version, where it is set.
    pub version: Option<String>,
    /// Where it is declared.
    pub position: Option<Position>,
}

/// An output that the specification declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputDecl {
    /// Its path in the specification; its text is the name of the output.
    pub address: Address,
    /// Never shown.
    pub sensitive: bool,
    /// The nodes its value reads, sorted.
    pub dependencies: Vec<Address>,
    /// Where it is declared.
    pub position: Option<Position>,
}

/// The value of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputValue {
    /// The value; unknown parts are those that wait for an apply.
    pub value: Data,
    /// Never shown.
    pub sensitive: bool,
}

/// What discovery found, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Resources.
    pub managed: usize,
    /// Data sources.
    pub data: usize,
    /// Ephemeral resources.
    pub ephemeral: usize,
    /// Function calls.
    pub calls: usize,
    /// Outputs.
    pub outputs: usize,
    /// Providers.
    pub providers: usize,
    /// Nodes with `$from`.
    pub moves: usize,
    /// Nodes with `$import`.
    pub imports: usize,
    /// Policies.
    pub policies: usize,
}
