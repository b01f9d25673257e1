//! What is installed: finds the plugins of a root and learns their schemas.

use crate::estate::Installed;
use crate::plugin::{Processes, schema_of};
use crate::run::{Class, RunError};
use pravo_provider::{LaunchOptions, Located, Options, find};
use pravo_spec::generate::{read_schema, schema_path};
use pravo_state::Diagnostic;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Finds the plugins of a root.
#[derive(Clone, Debug)]
pub struct Installer {
    /// Where plugins are looked for.
    pub options: Options,
    /// How they are started.
    pub launch: LaunchOptions,
    /// Constraints on versions, by source with host.
    pub constraints: BTreeMap<String, String>,
}

/// A provider whose plugin was asked for its schema.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where the plugin was found.
    pub located: Located,
    /// Its version and what it offers.
    pub installed: Installed,
}

impl Installer {
    fn locate(&self, source: &str) -> Result<Located, RunError> {
        let constraint = self.constraints.get(source).map_or("", String::as_str);
        find(source, constraint, &self.options).map_err(|error| {
            let text = error.to_string();
            let (summary, detail) = text.split_once('\n').unwrap_or((&text, ""));
            let mut diagnostic = Diagnostic::error(summary);
            diagnostic.detail = detail.to_owned();
            RunError::of(Class::Failed, diagnostic)
        })
    }

    /// Starts the plugin of a provider to ask for its schema.
    ///
    /// # Errors
    /// A plugin that is not found, does not start, or has no usable schema.
    pub fn ask_schema(&self, source: &str) -> Result<Found, RunError> {
        let located = self.locate(source)?;
        let schema = schema_of(&located, &self.launch).map_err(RunError::failed)?;
        let installed = Installed {
            version: located.version.clone(),
            schema: Arc::new(schema),
        };
        Ok(Found { located, installed })
    }

    /// What is installed of the providers of these sources, and what starts them. A schema that was
    /// written below the root for the same version saves starting the plugin. Sources that need not
    /// be there are left out where they are not.
    ///
    /// # Errors
    /// As for [`Installer::ask_schema`], for a source that is needed (`true`).
    pub fn installed(
        &self,
        root: &Path,
        sources: impl IntoIterator<Item = (String, bool)>,
    ) -> Result<(BTreeMap<String, Installed>, Processes), RunError> {
        let mut all = BTreeMap::new();
        let mut places = BTreeMap::new();
        for (source, needed) in sources {
            match self.one(root, &source) {
                Ok(Found { located, installed }) => {
                    places.insert(source.clone(), located);
                    all.insert(source, installed);
                }
                Err(error) if needed => return Err(error),
                Err(_) => {}
            }
        }
        Ok((all, Processes::new(places, self.launch.clone())))
    }

    fn one(&self, root: &Path, source: &str) -> Result<Found, RunError> {
        let located = self.locate(source)?;
        let kept = schema_path(source)
            .ok()
            .and_then(|path| std::fs::read(root.join(path)).ok());
        match kept.and_then(|bytes| read_schema(&bytes).ok()) {
            Some(stored) if stored.version.as_deref().unwrap_or_default() == located.version => {
                let version = located.version.clone();
                let installed = Installed {
                    version,
                    schema: Arc::new(stored.schema),
                };
                Ok(Found { located, installed })
            }
            _ => self.ask_schema(source),
        }
    }
}
