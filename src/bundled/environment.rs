//! The environment that a plugin is started in, as data.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variables of the environment that a plugin is started in. They may hold secrets and are
/// never printed.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// The environment with these variables, such as `std::env::vars_os()` lists them.
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// A variable; nothing when it is not set or empty.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        let value = self.0.get(OsStr::new(name))?;
        Some(value.as_os_str()).filter(|value| !value.is_empty())
    }

    /// A variable that is text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.to_str()
    }

    /// Where commands are looked for.
    pub(crate) fn path(&self) -> Option<OsString> {
        self.get("PATH").map(OsStr::to_owned)
    }

    /// Where temporary files belong.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.get("TMPDIR")
            .map_or_else(|| PathBuf::from("/tmp"), PathBuf::from)
    }
}
