//! A loaded, evaluated root.

use crate::{Counts, NodeDecl, OutputDecl, OutputValue, ProviderDecl, Settings, SpecErrors};
use pravo_state::{Address, Data, Schema};
use std::path::PathBuf;

/// What to load, and with which values from outside.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The folder whose package is loaded.
    pub root: PathBuf,
    /// Values of `@tag` fields, each `NAME=VALUE` or the short form, as given with `-t`.
    pub tags: Vec<String>,
    /// The system variables that `-T` injects, by name (`os`, `arch`, …); nothing without `-T`.
    pub variables: Option<Vec<(String, String)>>,
}

/// The specification of one root. It owns the evaluator and can move to another thread.
pub struct Specification {
    settings: Settings,
    providers: Vec<ProviderDecl>,
    nodes: Vec<NodeDecl>,
    outputs: Vec<OutputDecl>,
    counts: Counts,
    fingerprint: String,
}

impl Specification {
    /// Loads and evaluates the package in the root, finds its nodes and their edges.
    ///
    /// # Errors
    /// Everything that is wrong with the specification, ready to print (exit code 6).
    pub fn load(options: &LoadOptions) -> Result<Self, SpecErrors> {
        Err(SpecErrors::one(format!(
            "loading {}: not wired to the evaluator",
            options.root.display()
        )))
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The provider instances, in the order of the specification.
    pub fn providers(&self) -> &[ProviderDecl] {
        &self.providers
    }

    /// Resources and data sources, in the order of the specification.
    pub fn nodes(&self) -> &[NodeDecl] {
        &self.nodes
    }

    /// The outputs, in the order of the specification.
    pub fn outputs(&self) -> &[OutputDecl] {
        &self.outputs
    }

    /// What was found, by kind.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// What identifies the text of the specification: 64 hex digits.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The nodes that a node depends on directly, sorted: what it refers to through plain fields,
    /// what its provider's configuration refers to, and `$depends_on`. None for an address that is
    /// not declared.
    pub fn dependencies(&self, _address: &Address) -> &[Address] {
        &[]
    }

    /// The configuration object of a node under its schema, with the values filled so far of all
    /// other nodes and none of its own: every attribute and block, null or empty where the
    /// specification says nothing, unknown where it reads what is not known yet.
    ///
    /// # Errors
    /// What does not fit the schema, is missing or is not concrete.
    pub fn desired(&mut self, address: &Address, _schema: &Schema) -> Result<Data, SpecErrors> {
        Err(SpecErrors::one(format!("{address} is not declared")))
    }

    /// The configuration object of a provider instance, as [`Self::desired`] gives a node's.
    ///
    /// # Errors
    /// As for [`Self::desired`].
    pub fn provider_config(&mut self, key: &str, _schema: &Schema) -> Result<Data, SpecErrors> {
        Err(SpecErrors::one(format!("there is no provider {key}")))
    }

    /// The value of an output, with unknown parts where it reads what is not known yet.
    ///
    /// # Errors
    /// What is not concrete for another reason; a sensitive value in an output that does not say
    /// so.
    pub fn output(&mut self, name: &str) -> Result<OutputValue, SpecErrors> {
        Err(SpecErrors::one(format!("there is no output {name}")))
    }

    /// Puts the known values of a node at its address, for all who read it; an earlier fill of the
    /// same node is replaced. What the specification says itself stays.
    ///
    /// # Errors
    /// Constraints of the specification that the values do not meet.
    pub fn fill(
        &mut self,
        address: &Address,
        _schema: &Schema,
        _data: &Data,
    ) -> Result<(), SpecErrors> {
        Err(SpecErrors::one(format!("{address} is not declared")))
    }
}
