//! Plugins as processes: finds them, starts them, and carries questions and answers between the
//! engine and `pravo-provider`.

use crate::estate::Installed;
use crate::plugin::{
    Answer, ApplyAnswer, ApplyQuestion, Identity, PlanAnswer, PlanQuestion, Plugin, Plugins,
    Problem, ReadAnswer,
};
use crate::run::RunError;
use pravo_provider::{
    ApplyRequest, CallError, Client, LaunchOptions, Located, Options, PlanRequest, ReadRequest,
    find,
};
use pravo_spec::generate::{read_schema, schema_path};
use pravo_state::record::Attributes;
use pravo_state::{Data, Diagnostic, Mode, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

/// Finds and starts the plugins of a root.
#[derive(Clone, Debug)]
pub struct Processes {
    /// Where plugins are looked for.
    pub options: Options,
    /// How they are started.
    pub launch: LaunchOptions,
    /// Constraints on versions, by source with host.
    pub constraints: BTreeMap<String, String>,
}

/// A provider whose plugin was started for its schema.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where the plugin was found.
    pub located: Located,
    /// Its version and what it offers.
    pub installed: Installed,
}

impl Processes {
    /// Finds the plugin of a provider.
    ///
    /// # Errors
    /// Where it was looked for in vain.
    pub fn locate(&self, source: &str) -> Result<Located, RunError> {
        let constraint = self.constraints.get(source).map_or("", String::as_str);
        find(source, constraint, &self.options).map_err(|error| {
            let text = error.to_string();
            let (summary, detail) = text.split_once('\n').unwrap_or((&text, ""));
            let mut diagnostic = Diagnostic::error(summary);
            diagnostic.detail = detail.to_owned();
            RunError::of(crate::Class::Failed, diagnostic)
        })
    }

    /// Starts the plugin of a provider to ask for its schema.
    ///
    /// # Errors
    /// A plugin that is not found, does not start, or has no usable schema.
    pub fn ask_schema(&self, source: &str) -> Result<Found, RunError> {
        let located = self.locate(source)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| RunError::failed(format!("no runtime: {error}")))?;
        let schema = runtime.block_on(async {
            let client = Client::launch(&located, &self.launch)
                .await
                .map_err(|error| RunError::failed(error.to_string()))?;
            let offer = client.schema().await;
            client.close().await;
            offer.map_err(|error| RunError {
                class: crate::Class::Failed,
                diagnostics: error.diagnostics(),
            })
        })?;
        let version = located.version.clone();
        let installed = Installed { version, schema: Arc::new(schema.schema.clone()) };
        Ok(Found { located, installed })
    }

    /// What is installed of the providers of these sources. A schema that `init` wrote for the same
    /// version saves starting the plugin.
    ///
    /// # Errors
    /// As for [`Processes::ask_schema`], for sources that `needed` says must be there.
    pub fn installed(
        &self,
        root: &Path,
        sources: impl IntoIterator<Item = (String, bool)>,
    ) -> Result<BTreeMap<String, Installed>, RunError> {
        let mut all = BTreeMap::new();
        for (source, needed) in sources {
            match self.one_installed(root, &source) {
                Ok(installed) => {
                    all.insert(source, installed);
                }
                Err(error) if needed => return Err(error),
                Err(_) => {}
            }
        }
        Ok(all)
    }

    fn one_installed(&self, root: &Path, source: &str) -> Result<Installed, RunError> {
        let located = self.locate(source)?;
        let kept = schema_path(source).ok().and_then(|path| std::fs::read(root.join(path)).ok());
        let stored = kept.and_then(|bytes| read_schema(&bytes).ok());
        match stored {
            Some(stored) if stored.version.as_deref().unwrap_or_default() == located.version => {
                let (version, schema) = (located.version, Arc::new(stored.schema));
                Ok(Installed { version, schema })
            }
            _ => Ok(self.ask_schema(source)?.installed),
        }
    }
}

impl Plugins for Processes {
    fn launch<'a>(&'a self, _key: &'a str, source: &'a str) -> Answer<'a, Arc<dyn Plugin>> {
        Box::pin(async move {
            let located =
                self.locate(source).map_err(|error| Problem::Refused(error.diagnostics))?;
            let client = Client::launch(&located, &self.launch).await.map_err(|error| {
                Problem::Refused(vec![Diagnostic::error(error.to_string())])
            })?;
            let plans_destroy = client.schema().await.map_err(problem)?.capabilities.plan_destroy;
            let plugin: Arc<dyn Plugin> = Arc::new(Process { client, plans_destroy });
            Ok(plugin)
        })
    }
}

/// One plugin process.
struct Process {
    client: Client,
    plans_destroy: bool,
}

fn problem(error: CallError) -> Problem {
    if error.is_outcome_unknown() {
        Problem::Lost(error.diagnostics())
    } else {
        Problem::Refused(error.diagnostics())
    }
}

fn breach(what: &str, error: impl std::fmt::Display) -> Problem {
    Problem::Refused(vec![Diagnostic::error(format!("{what}: {error}"))])
}

fn to_client(identity: &Identity) -> Result<Option<pravo_provider::Identity>, Problem> {
    let Some((attributes, version)) = identity else {
        return Ok(None);
    };
    let data = json::from_plain(&attributes.value())
        .map_err(|error| breach("the recorded identity", error))?;
    Ok(Some(pravo_provider::Identity { version: *version, data }))
}

fn from_client(identity: Option<pravo_provider::Identity>) -> Result<Identity, Problem> {
    let Some(pravo_provider::Identity { version, data }) = identity else {
        return Ok(None);
    };
    let value = json::to_plain(&data).map_err(|error| breach("the identity", error))?;
    let attributes =
        Attributes::parse(&value.to_string()).map_err(|error| breach("the identity", error))?;
    Ok(Some((attributes, version)))
}

impl Plugin for Process {
    fn configure<'a>(&'a self, config: &'a Data) -> Answer<'a, Vec<Diagnostic>> {
        Box::pin(async move {
            let mut warnings =
                self.client.validate_provider_config(config).await.map_err(problem)?;
            warnings.extend(self.client.configure(config).await.map_err(problem)?);
            Ok(warnings)
        })
    }

    fn plans_destroy(&self) -> bool {
        self.plans_destroy
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
            .map_err(problem)
        })
    }

    fn upgrade<'a>(&'a self, kind: &'a str, version: i64, json: &'a str) -> Answer<'a, Data> {
        Box::pin(async move {
            let raw = serde_json::from_str(json)
                .map_err(|error| breach("the recorded attributes", error))?;
            Ok(self.client.upgrade(kind, version, &raw).await.map_err(problem)?.state)
        })
    }

    fn read<'a>(
        &'a self,
        kind: &'a str,
        object: &'a Data,
        private: &'a [u8],
        identity: &'a Identity,
    ) -> Answer<'a, ReadAnswer> {
        Box::pin(async move {
            let request = ReadRequest {
                kind: kind.to_owned(),
                state: object.clone(),
                private: private.to_vec(),
                identity: to_client(identity)?,
            };
            let read = self.client.read(&request).await.map_err(problem)?;
            Ok(ReadAnswer {
                object: read.state,
                private: read.private,
                identity: from_client(read.identity)?,
                warnings: read.warnings,
            })
        })
    }

    fn plan<'a>(&'a self, kind: &'a str, question: &'a PlanQuestion) -> Answer<'a, PlanAnswer> {
        Box::pin(async move {
            let request = PlanRequest {
                kind: kind.to_owned(),
                prior: question.prior.clone(),
                proposed: question.proposed.clone(),
                config: question.config.clone(),
                private: question.private.clone(),
                identity: to_client(&question.identity)?,
            };
            let planned = self.client.plan(&request).await.map_err(problem)?;
            Ok(PlanAnswer {
                planned: planned.planned,
                private: planned.private,
                identity: from_client(planned.identity)?,
                requires_replace: planned.requires_replace,
                legacy: planned.legacy,
                warnings: planned.warnings,
            })
        })
    }

    fn apply<'a>(&'a self, kind: &'a str, question: &'a ApplyQuestion) -> Answer<'a, ApplyAnswer> {
        Box::pin(async move {
            let request = ApplyRequest {
                kind: kind.to_owned(),
                prior: question.prior.clone(),
                planned: question.planned.clone(),
                config: question.config.clone(),
                private: question.private.clone(),
                identity: to_client(&question.identity)?,
            };
            let applied = self.client.apply(&request).await.map_err(problem)?;
            Ok(ApplyAnswer {
                object: applied.state,
                private: applied.private,
                identity: from_client(applied.identity)?,
                legacy: applied.legacy,
                diagnostics: applied.diagnostics,
            })
        })
    }

    fn read_data<'a>(
        &'a self,
        kind: &'a str,
        config: &'a Data,
    ) -> Answer<'a, (Data, Vec<Diagnostic>)> {
        Box::pin(async move {
            let read = self.client.read_data(kind, config).await.map_err(problem)?;
            Ok((read.state, read.warnings))
        })
    }

    fn stop(&self) -> Answer<'_, ()> {
        Box::pin(async move { self.client.stop().await.map(|_| ()).map_err(problem) })
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            self.client.close().await;
        })
    }
}
