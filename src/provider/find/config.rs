//! Which file says where plugins come from, and what it says.

use super::hcl::{self, Value};
use super::{FindError, Source};
use std::path::{Path, PathBuf};

/// Where the CLI configuration may lie. The caller reads the environment.
#[derive(Clone, Debug, Default)]
pub struct ConfigPlaces {
    /// The value of `TF_CLI_CONFIG_FILE`; when set, no other file is read.
    pub named: Option<PathBuf>,
    /// The person's home folder.
    pub home: Option<PathBuf>,
    /// The value of `XDG_CONFIG_HOME`.
    pub xdg_config: Option<PathBuf>,
}

impl ConfigPlaces {
    /// The file that counts: the named one, or the first that exists of `~/.tofurc`,
    /// `~/.terraformrc` and `opentofu/tofurc` in the configuration folder.
    fn file(&self) -> Option<PathBuf> {
        if let Some(named) = &self.named {
            return Some(named.clone());
        }
        let home = self.home.iter();
        let at_home = home.flat_map(|home| [home.join(".tofurc"), home.join(".terraformrc")]);
        let xdg = self
            .xdg_config
            .iter()
            .map(|xdg| xdg.join("opentofu/tofurc"));
        at_home.chain(xdg).find(|path| path.is_file())
    }
}

/// What a CLI configuration says about plugins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    /// The file, when there is one.
    pub(crate) file: Option<PathBuf>,
    /// Folders that hold the executable of a provider.
    pub(crate) overrides: Vec<(Source, PathBuf)>,
    /// Filesystem mirrors, in order.
    pub(crate) mirrors: Vec<Mirror>,
    /// Methods that the file names and that are not supported, in order.
    pub(crate) unsupported: Vec<String>,
}

/// A folder with unpacked plugins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mirror {
    /// The folder.
    pub(crate) path: PathBuf,
    include: Vec<String>,
    exclude: Vec<String>,
}

impl Mirror {
    /// Whether the mirror is asked for a provider.
    pub(crate) fn handles(&self, source: &Source) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|p| source.matches(p));
        !any(&self.exclude) && (self.include.is_empty() || any(&self.include))
    }
}

/// Reads the file that counts. One that is named and does not exist says nothing, as in the tools
/// that own the format.
pub(crate) fn load(places: &ConfigPlaces) -> Result<Config, FindError> {
    let Some(file) = places.file() else {
        return Ok(Config::default());
    };
    if !file.exists() {
        tracing::warn!("the CLI configuration {} does not exist", file.display());
        return Ok(Config::default());
    }
    let wrong = |problem: String| FindError::Config {
        file: file.clone(),
        problem,
    };
    let text = std::fs::read_to_string(&file).map_err(|error| wrong(error.to_string()))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut config = understand(&text, folder).map_err(wrong)?;
    config.file = Some(file);
    Ok(config)
}

/// Takes what is about plugins from the text of a configuration.
pub(crate) fn understand(text: &str, folder: &Path) -> Result<Config, String> {
    let root = hcl::read(text)?;
    let blocks: Vec<_> = root
        .entries()
        .into_iter()
        .filter(|(key, _)| *key == "provider_installation")
        .collect();
    if blocks.len() > 1 {
        return Err("there are two provider_installation blocks".into());
    }
    let mut config = Config::default();
    for (method, body) in blocks.iter().flat_map(|(_, body)| body.entries()) {
        match method {
            "dev_overrides" => {
                for (source, path) in body.entries() {
                    let path =
                        one_text(path).ok_or(format!("{source}: want a folder in quotes"))?;
                    let source = Source::parse(source)?;
                    config.overrides.push((source, folder.join(path)));
                }
            }
            "filesystem_mirror" => config.mirrors.push(mirror(body, folder)?),
            "direct" => config.unsupported.push("direct (registries)".into()),
            "network_mirror" | "oci_mirror" => config.unsupported.push(method.to_owned()),
            other => return Err(format!("the installation method {other:?} is not known")),
        }
    }
    Ok(config)
}

fn mirror(body: &Value, folder: &Path) -> Result<Mirror, String> {
    let mut mirror = Mirror::default();
    for (key, value) in body.entries() {
        match key {
            "path" => {
                let path = one_text(value).ok_or("path: want a folder in quotes")?;
                mirror.path = folder.join(path);
            }
            "include" => mirror.include = value.texts(),
            "exclude" => mirror.exclude = value.texts(),
            other => return Err(format!("filesystem_mirror: {other:?} is not known")),
        }
    }
    if mirror.path.as_os_str().is_empty() {
        return Err("filesystem_mirror: path is missing".into());
    }
    Ok(mirror)
}

fn one_text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}
