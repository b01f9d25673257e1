//! What a run needs of plugins. The real ones are `pravo_provider`'s; tests bring scripted ones.

use pravo_plan::Path;
use pravo_state::record::Attributes;
use pravo_state::{Data, Diagnostic, Mode};
use std::pin::Pin;
use std::sync::Arc;

/// An answer of a plugin, when it comes.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Problem>> + Send + 'a>>;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The plugin says no.
    Refused(Vec<Diagnostic>),
    /// The plugin died, the connection broke, or what came can't be understood: nobody knows what
    /// the call did.
    Lost(Vec<Diagnostic>),
}

impl Problem {
    /// What a person is told.
    pub fn diagnostics(self) -> Vec<Diagnostic> {
        match self {
            Self::Refused(diagnostics) | Self::Lost(diagnostics) => diagnostics,
        }
    }

    /// Whether nobody knows what the call did.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Lost(_))
    }
}

/// The identity that a provider gives an object, and the version of its schema.
pub type Identity = Option<(Attributes, i64)>;

/// An object as it was read.
#[derive(Clone, Debug, Default)]
pub struct ReadAnswer {
    /// The object; null when it is gone.
    pub object: Data,
    /// The provider's private data.
    pub private: Vec<u8>,
    /// The identity.
    pub identity: Identity,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// What a plan is asked for.
#[derive(Clone, Debug)]
pub struct PlanQuestion {
    /// The object as it is; null before a create.
    pub prior: Data,
    /// Prior under configuration; null for a delete.
    pub proposed: Data,
    /// The configuration; null for a delete.
    pub config: Data,
    /// Private data of the prior object.
    pub private: Vec<u8>,
    /// Identity of the prior object.
    pub identity: Identity,
}

/// What a provider plans.
#[derive(Clone, Debug, Default)]
pub struct PlanAnswer {
    /// The object as it will be, with unknown parts.
    pub planned: Data,
    /// The private data of the plan.
    pub private: Vec<u8>,
    /// The planned identity.
    pub identity: Identity,
    /// Paths that the provider cannot change in place.
    pub requires_replace: Vec<Path>,
    /// The plugin is of the older kit: some rules do not hold for it.
    pub legacy: bool,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// What an apply is asked for.
#[derive(Clone, Debug)]
pub struct ApplyQuestion {
    /// The object as it is.
    pub prior: Data,
    /// The object as planned; null for a delete.
    pub planned: Data,
    /// The configuration; null for a delete.
    pub config: Data,
    /// The private data of the plan.
    pub private: Vec<u8>,
    /// The planned identity.
    pub identity: Identity,
}

/// What an apply made.
#[derive(Clone, Debug, Default)]
pub struct ApplyAnswer {
    /// The object as it is now, possibly beside errors; null when there is none.
    pub object: Data,
    /// The private data.
    pub private: Vec<u8>,
    /// The identity.
    pub identity: Identity,
    /// The plugin is of the older kit.
    pub legacy: bool,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// One running, configured plugin process. Calls may run at the same time. Objects in answers fit
/// the type of their schema.
pub trait Plugin: Send + Sync + 'static {
    /// Checks the configuration of the instance and configures it. The first call.
    fn configure<'a>(&'a self, config: &'a Data) -> Answer<'a, Vec<Diagnostic>>;

    /// Whether a delete is planned with the provider.
    fn plans_destroy(&self) -> bool;

    /// Checks a configuration; answers warnings.
    fn validate<'a>(
        &'a self,
        mode: Mode,
        kind: &'a str,
        config: &'a Data,
    ) -> Answer<'a, Vec<Diagnostic>>;

    /// Brings a recorded object to the present schema. `json` is the recorded text.
    fn upgrade<'a>(&'a self, kind: &'a str, version: i64, json: &'a str) -> Answer<'a, Data>;

    /// Reads an object.
    fn read<'a>(
        &'a self,
        kind: &'a str,
        object: &'a Data,
        private: &'a [u8],
        identity: &'a Identity,
    ) -> Answer<'a, ReadAnswer>;

    /// Plans a change.
    fn plan<'a>(&'a self, kind: &'a str, question: &'a PlanQuestion) -> Answer<'a, PlanAnswer>;

    /// Makes a change.
    fn apply<'a>(&'a self, kind: &'a str, question: &'a ApplyQuestion) -> Answer<'a, ApplyAnswer>;

    /// Reads a data source; answers the object and warnings.
    fn read_data<'a>(
        &'a self,
        kind: &'a str,
        config: &'a Data,
    ) -> Answer<'a, (Data, Vec<Diagnostic>)>;

    /// Asks the plugin to cut short what it is doing.
    fn stop(&self) -> Answer<'_, ()>;

    /// Ends the process. Returns when it is gone.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// Starts plugins.
pub trait Plugins: Send + Sync + 'static {
    /// Starts the plugin of a provider instance.
    fn launch<'a>(&'a self, key: &'a str, source: &'a str) -> Answer<'a, Arc<dyn Plugin>>;
}
