//! What a run needs of a specification. The real one is `pravo_spec`; tests bring a small one.

use pravo_spec::saved::{Configured, Proof, Remembered, Subject};
use pravo_spec::{NodeDecl, OutputDecl, OutputValue, ProviderDecl, Settings, SpecErrors};
use pravo_state::{Address, Data, Schema};
use std::io;

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

    /// What an earlier run proved of a subject. One that remembers nothing proves nothing.
    fn proof(&self, _subject: Subject<'_>) -> Option<Proof> {
        None
    }

    /// Takes a proof for later runs.
    fn prove(&mut self, _subject: Subject<'_>, _proof: Proof) {}

    /// What an instance of a provider was configured with in an earlier run.
    fn configured(&self, _key: &str) -> Option<Configured> {
        None
    }

    /// Takes what an instance of a provider is configured with, for later runs.
    fn configure(&mut self, _key: &str, _configured: Configured) {}

    /// Saves what was proved.
    ///
    /// # Errors
    /// What the system said.
    fn save(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Specified for Remembered {
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
        Self::dependencies(self, address)
    }

    fn desired(&mut self, address: &Address, schema: &Schema) -> Result<Data, SpecErrors> {
        self.specification()?.desired(address, schema)
    }

    fn provider_config(&mut self, key: &str, schema: &Schema) -> Result<Data, SpecErrors> {
        self.specification()?.provider_config(key, schema)
    }

    fn output(&mut self, name: &str) -> Result<OutputValue, SpecErrors> {
        self.specification()?.output(name)
    }

    fn fill(&mut self, address: &Address, schema: &Schema, data: &Data) -> Result<(), SpecErrors> {
        self.specification()?.fill(address, schema, data)
    }

    fn proof(&self, subject: Subject<'_>) -> Option<Proof> {
        Self::proof(self, subject)
    }

    fn prove(&mut self, subject: Subject<'_>, proof: Proof) {
        Self::prove(self, subject, proof);
    }

    fn configured(&self, key: &str) -> Option<Configured> {
        Self::configured(self, key).cloned()
    }

    fn configure(&mut self, key: &str, configured: Configured) {
        Self::configure(self, key, configured);
    }

    fn save(&mut self) -> io::Result<()> {
        Self::save(self)
    }
}
