//! What a run needs of plugins. The real ones are processes; tests bring scripted ones.

use pravo_provider::{
    Applied, ApplyRequest, CallError, Client, LaunchOptions, Located, PlanRequest, Planned, Read,
    ReadData, ReadRequest, Upgraded,
};
use pravo_state::{Data, Diagnostic, Mode, ProviderSchema};
use serde_json::Value;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An answer of a plugin, when it comes.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, CallError>> + Send + 'a>>;

/// Why something was not done, in words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It was refused.
    Refused(Vec<Diagnostic>),
    /// No answer came: nobody knows what the call did.
    Lost(Vec<Diagnostic>),
}

impl Problem {
    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self::Refused(vec![Diagnostic::error(text)])
    }

    pub(crate) fn diagnostics(self) -> Vec<Diagnostic> {
        match self {
            Self::Refused(diagnostics) | Self::Lost(diagnostics) => diagnostics,
        }
    }

    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Self::Lost(_))
    }
}

impl From<CallError> for Problem {
    fn from(error: CallError) -> Self {
        if error.is_outcome_unknown() {
            return Self::Lost(vec![in_words(&error)]);
        }
        match error {
            CallError::Diagnostics(diagnostics) => Self::Refused(diagnostics),
            other => Self::Refused(vec![in_words(&other)]),
        }
    }
}

/// The first line is the sentence; the rest, such as the end of a plugin's output, is detail.
fn in_words(error: &CallError) -> Diagnostic {
    let text = error.to_string();
    let (summary, detail) = text.split_once('\n').unwrap_or((&text, ""));
    let mut diagnostic = Diagnostic::error(summary);
    diagnostic.detail = detail.to_owned();
    diagnostic
}

/// One running plugin process. Calls may run at the same time.
pub trait Plugin: Send + Sync + 'static {
    /// Checks the configuration of the instance and configures it; answers warnings. The first
    /// call.
    fn configure<'a>(&'a self, config: &'a Data) -> Answer<'a, Vec<Diagnostic>>;

    /// Whether a delete is planned with the provider. Known once it is configured.
    fn plans_destroy(&self) -> bool;

    /// Checks a configuration; answers warnings.
    fn validate<'a>(
        &'a self,
        mode: Mode,
        kind: &'a str,
        config: &'a Data,
    ) -> Answer<'a, Vec<Diagnostic>>;

    /// Brings a recorded object to the present schema.
    fn upgrade<'a>(
        &'a self,
        kind: &'a str,
        version: i64,
        recorded: &'a Value,
    ) -> Answer<'a, Upgraded>;

    /// Reads an object.
    fn read<'a>(&'a self, request: &'a ReadRequest) -> Answer<'a, Read>;

    /// Plans a change.
    fn plan<'a>(&'a self, request: &'a PlanRequest) -> Answer<'a, Planned>;

    /// Makes a change.
    fn apply<'a>(&'a self, request: &'a ApplyRequest) -> Answer<'a, Applied>;

    /// Reads a data source.
    fn read_data<'a>(&'a self, kind: &'a str, config: &'a Data) -> Answer<'a, ReadData>;

    /// Asks the plugin to cut short what it is doing.
    fn stop(&self) -> Answer<'_, ()>;

    /// Ends the process. Returns when it is gone.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// Starts plugins.
pub trait Plugins: Send + Sync + 'static {
    /// Starts the plugin of a provider.
    fn launch<'a>(&'a self, source: &'a str) -> Answer<'a, Arc<dyn Plugin>>;
}

/// The plugins that were found on this machine, by source with host.
#[derive(Clone, Debug)]
pub struct Processes {
    located: BTreeMap<String, Located>,
    options: LaunchOptions,
}

impl Processes {
    /// Plugins that will be started with these options, where somebody needs them.
    pub fn new(located: BTreeMap<String, Located>, options: LaunchOptions) -> Self {
        Self { located, options }
    }
}

fn unstarted(text: impl std::fmt::Display) -> CallError {
    CallError::Diagnostics(vec![Diagnostic::error(text.to_string())])
}

impl Plugins for Processes {
    fn launch<'a>(&'a self, source: &'a str) -> Answer<'a, Arc<dyn Plugin>> {
        Box::pin(async move {
            let located = self.located.get(source).ok_or_else(|| {
                unstarted(format!(
                    "the provider {source} is not installed; run \"pravo init\""
                ))
            })?;
            let client = Client::launch(located, &self.options)
                .await
                .map_err(unstarted)?;
            let process = Process {
                client,
                plans_destroy: AtomicBool::new(false),
            };
            Ok(Arc::new(process) as Arc<dyn Plugin>)
        })
    }
}

/// Starts a plugin only to ask what it offers, and ends it. Waits for the answer; for callers
/// without a runtime.
///
/// # Errors
/// Why it does not start or does not tell, in a sentence.
pub fn schema_of(located: &Located, options: &LaunchOptions) -> Result<ProviderSchema, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("the system gives no runtime: {error}"))?;
    runtime.block_on(async {
        let client = Client::launch(located, options)
            .await
            .map_err(|e| e.to_string())?;
        let offer = client.schema().await;
        client.close().await;
        offer
            .map(|offer| offer.schema.clone())
            .map_err(|e| e.to_string())
    })
}

/// A real plugin process.
struct Process {
    client: Client,
    plans_destroy: AtomicBool,
}

impl Plugin for Process {
    fn configure<'a>(&'a self, config: &'a Data) -> Answer<'a, Vec<Diagnostic>> {
        Box::pin(async move {
            let offer = self.client.schema().await?;
            self.plans_destroy
                .store(offer.capabilities.plan_destroy, Ordering::Relaxed);
            let mut warnings = self.client.validate_provider_config(config).await?;
            warnings.extend(self.client.configure(config).await?);
            Ok(warnings)
        })
    }

    fn plans_destroy(&self) -> bool {
        self.plans_destroy.load(Ordering::Relaxed)
    }

    fn validate<'a>(
        &'a self,
        mode: Mode,
        kind: &'a str,
        config: &'a Data,
    ) -> Answer<'a, Vec<Diagnostic>> {
        Box::pin(async move {
            match mode {
                Mode::Managed => self.client.validate_resource(kind, config).await,
                Mode::Data => self.client.validate_data(kind, config).await,
            }
        })
    }

    fn upgrade<'a>(
        &'a self,
        kind: &'a str,
        version: i64,
        recorded: &'a Value,
    ) -> Answer<'a, Upgraded> {
        Box::pin(self.client.upgrade(kind, version, recorded))
    }

    fn read<'a>(&'a self, request: &'a ReadRequest) -> Answer<'a, Read> {
        Box::pin(self.client.read(request))
    }

    fn plan<'a>(&'a self, request: &'a PlanRequest) -> Answer<'a, Planned> {
        Box::pin(self.client.plan(request))
    }

    fn apply<'a>(&'a self, request: &'a ApplyRequest) -> Answer<'a, Applied> {
        Box::pin(self.client.apply(request))
    }

    fn read_data<'a>(&'a self, kind: &'a str, config: &'a Data) -> Answer<'a, ReadData> {
        Box::pin(self.client.read_data(kind, config))
    }

    fn stop(&self) -> Answer<'_, ()> {
        Box::pin(async move {
            if let Some(text) = self.client.stop().await? {
                tracing::info!(text, "a plugin answered the request to stop with an error");
            }
            Ok(())
        })
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            let ended = self.client.close().await;
            tracing::debug!(?ended, "a plugin ended");
        })
    }
}
