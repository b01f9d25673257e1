//! What a run needs of a specification. The real one is `pravo_spec`; tests bring a small one.

use pravo_spec::{NodeDecl, OutputDecl, OutputValue, ProviderDecl, Settings, SpecErrors};
use pravo_state::{Address, Data, Schema};

/// A loaded specification, on the thread of the evaluator.
pub trait Specified: Send + 'static {
    /// The settings of the root.
    fn settings(&self) -> Settings;

    /// The provider instances, in the order of the specification.
    fn providers(&self) -> Vec<ProviderDecl>;

    /// Resources and data sources, in the order of the specification.
    fn nodes(&self) -> Vec<NodeDecl>;

    /// The outputs, in the order of the specification.
    fn outputs(&self) -> Vec<OutputDecl>;

    /// What identifies the text of the specification.
    fn fingerprint(&self) -> String;

    /// The nodes that a node, or a provider instance, depends on directly, sorted.
    fn dependencies(&self, address: &Address) -> Vec<Address>;

    /// The configuration object of a node, with the values filled so far of all other nodes.
    ///
    /// # Errors
    /// What does not fit the schema, is missing or is not concrete.
    fn desired(&mut self, address: &Address, schema: &Schema) -> Result<Data, SpecErrors>;

    /// The configuration object of a provider instance.
    ///
    /// # Errors
    /// As for [`Specified::desired`].
    fn provider_config(&mut self, key: &str, schema: &Schema) -> Result<Data, SpecErrors>;

    /// The value of an output.
    ///
    /// # Errors
    /// What is not concrete for another reason than an unknown value.
    fn output(&mut self, name: &str) -> Result<OutputValue, SpecErrors>;

    /// Puts the known values of a node at its address; an earlier fill of it is replaced.
    ///
    /// # Errors
    /// Constraints of the specification that the values do not meet.
    fn fill(&mut self, address: &Address, schema: &Schema, data: &Data) -> Result<(), SpecErrors>;
}

impl Specified for pravo_spec::Specification {
    fn settings(&self) -> Settings {
        Self::settings(self).clone()
    }

    fn providers(&self) -> Vec<ProviderDecl> {
        Self::providers(self).to_vec()
    }

    fn nodes(&self) -> Vec<NodeDecl> {
        Self::nodes(self).to_vec()
    }

    fn outputs(&self) -> Vec<OutputDecl> {
        Self::outputs(self).to_vec()
    }

    fn fingerprint(&self) -> String {
        Self::fingerprint(self).to_owned()
    }

    fn dependencies(&self, address: &Address) -> Vec<Address> {
        Self::dependencies(self, address).to_vec()
    }

    fn desired(&mut self, address: &Address, schema: &Schema) -> Result<Data, SpecErrors> {
        Self::desired(self, address, schema)
    }

    fn provider_config(&mut self, key: &str, schema: &Schema) -> Result<Data, SpecErrors> {
        Self::provider_config(self, key, schema)
    }

    fn output(&mut self, name: &str) -> Result<OutputValue, SpecErrors> {
        Self::output(self, name)
    }

    fn fill(&mut self, address: &Address, schema: &Schema, data: &Data) -> Result<(), SpecErrors> {
        Self::fill(self, address, schema, data)
    }
}
