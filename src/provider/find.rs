//! Where the plugin of a provider comes from: `dev_overrides` and filesystem mirrors of the CLI
//! configuration, then the plugins that the own binary holds.

mod config;
mod hcl;
mod source;
mod version;

pub use config::ConfigPlaces;
pub use source::{DEFAULT_HOST, Source};
pub use version::{Constraint, Version};

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// A plugin that the own binary holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The type of the provider, such as `random`; its namespace is `hashicorp`.
    pub name: String,
    /// The version of the released plugin that it behaves as.
    pub version: String,
}

/// What a search needs to know; the caller reads the environment.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the CLI configuration may lie.
    pub config: ConfigPlaces,
    /// The own binary, started as `BINARY plugin serve NAME` for a bundled plugin.
    pub own_binary: PathBuf,
    /// The plugins that the own binary holds.
    pub bundled: Vec<Bundled>,
    /// The value of `TF_REATTACH_PROVIDERS`.
    pub reattach: Option<String>,
}

/// Where a plugin was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the own binary.
    Bundled,
    /// In a folder that the CLI configuration names for this provider.
    DevOverrides,
    /// In a filesystem mirror of the CLI configuration.
    Mirror,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bundled => "bundled",
            Self::DevOverrides => "dev_overrides",
            Self::Mirror => "mirror",
        })
    }
}

/// A plugin that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The provider.
    pub source: Source,
    /// Where the plugin was found.
    pub origin: Origin,
    /// Its version; empty for `dev_overrides`, which have none.
    pub version: String,
    /// The executable.
    pub path: PathBuf,
    /// The arguments to start it with.
    pub arguments: Vec<OsString>,
}

/// Why no plugin was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindError {
    /// The source or the version constraint is none.
    Invalid(String),
    /// `TF_REATTACH_PROVIDERS` is set, which is not supported.
    Reattach,
    /// The CLI configuration cannot be read.
    Config {
        /// The file.
        file: PathBuf,
        /// What is wrong, with the line.
        problem: String,
    },
    /// A folder of `dev_overrides` holds no executable of the provider.
    Override {
        /// The provider.
        source: Source,
        /// The folder.
        folder: PathBuf,
    },
    /// The provider is nowhere.
    Nowhere {
        /// The provider.
        source: Source,
        /// The places that were looked at, and what was there, a line each.
        looked: Vec<String>,
    },
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(problem) => f.write_str(problem),
            Self::Reattach => f.write_str(
                "TF_REATTACH_PROVIDERS is set, but attaching to a running plugin is not supported: \
                 unset it, or name the plugin's folder in dev_overrides",
            ),
            Self::Config { file, problem } => {
                write!(f, "the CLI configuration {}: {problem}", file.display())
            }
            Self::Override { source, folder } => write!(
                f,
                "{} holds no executable terraform-provider-{}, but dev_overrides names it for \
                 {source}",
                folder.display(),
                source.kind
            ),
            Self::Nowhere { source, looked } => {
                write!(f, "the provider {source} was not found")?;
                for line in looked {
                    write!(f, "\n  - {line}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for FindError {}

/// Finds the plugin of a provider whose version meets a constraint (empty: any). The two public
/// registries, `registry.opentofu.org` and `registry.terraform.io`, name the same providers.
///
/// # Errors
/// When it is nowhere, or where it should be found is described wrongly.
pub fn find(source: &str, constraint: &str, options: &Options) -> Result<Located, FindError> {
    if options
        .reattach
        .as_deref()
        .is_some_and(|text| !text.is_empty())
    {
        return Err(FindError::Reattach);
    }
    let source = Source::parse(source).map_err(FindError::Invalid)?;
    let wanted = Constraint::parse(constraint).map_err(FindError::Invalid)?;
    let config = config::load(&options.config)?;
    if let Some((_, folder)) = config.overrides.iter().find(|(o, _)| o.same(&source)) {
        return overridden(source, folder);
    }
    let mut looked = Vec::new();
    if let Some(located) = mirrored(&source, &wanted, &config, &mut looked) {
        return Ok(located);
    }
    if let Some(located) = bundled(&source, &wanted, options, &mut looked) {
        return Ok(located);
    }
    looked.extend(
        config
            .unsupported
            .iter()
            .map(|method| format!("{method}: named by the CLI configuration, but not supported")),
    );
    looked.push(
        "registries: installing from a registry is not supported; unpack the plugin into \
         a filesystem_mirror or name its folder in dev_overrides"
            .into(),
    );
    Err(FindError::Nowhere { source, looked })
}

fn overridden(source: Source, folder: &Path) -> Result<Located, FindError> {
    match executable(folder, &source.kind) {
        Some(path) => Ok(Located {
            source,
            origin: Origin::DevOverrides,
            version: String::new(),
            path,
            arguments: Vec::new(),
        }),
        None => Err(FindError::Override {
            source,
            folder: folder.to_owned(),
        }),
    }
}

/// The newest version in a mirror that meets the constraint.
fn mirrored(
    source: &Source,
    wanted: &Constraint,
    config: &config::Config,
    looked: &mut Vec<String>,
) -> Option<Located> {
    let mut best: Option<(Version, PathBuf)> = None;
    for mirror in config
        .mirrors
        .iter()
        .filter(|mirror| mirror.handles(source))
    {
        let mut seen = Vec::new();
        for host in source.hosts() {
            let folder = mirror
                .path
                .join(host)
                .join(&source.namespace)
                .join(&source.kind);
            seen.extend(unpacked(&folder, &source.kind));
        }
        let versions: Vec<String> = seen.iter().map(|(v, _)| v.to_string()).collect();
        for (version, path) in seen {
            let newer = best.as_ref().is_none_or(|(old, _)| version > *old);
            if wanted.allows(&version) && newer {
                best = Some((version, path));
            }
        }
        let place = mirror.path.display();
        looked.push(match versions.is_empty() {
            true => format!(
                "filesystem_mirror {place}: no unpacked plugin for {}",
                platform()
            ),
            false => format!("filesystem_mirror {place}: only {}", versions.join(", ")),
        });
    }
    let (version, path) = best?;
    Some(Located {
        source: source.clone(),
        origin: Origin::Mirror,
        version: version.to_string(),
        path,
        arguments: Vec::new(),
    })
}

/// The versions in the folder of a provider that hold an executable for this machine.
fn unpacked(folder: &Path, kind: &str) -> Vec<(Version, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let version = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.ok()?;
        let version = Version::parse(entry.file_name().to_str()?)?;
        let path = executable(&entry.path().join(platform()), kind)?;
        Some((version, path))
    };
    entries.filter_map(version).collect()
}

fn bundled(
    source: &Source,
    wanted: &Constraint,
    options: &Options,
    looked: &mut Vec<String>,
) -> Option<Located> {
    let plugin = options
        .bundled
        .iter()
        .find(|plugin| plugin.name == source.kind);
    let public = source.hosts().contains(&DEFAULT_HOST) && source.namespace == "hashicorp";
    let Some(plugin) = plugin.filter(|_| public) else {
        looked.push("bundled: not among the plugins that pravo brings along".into());
        return None;
    };
    if !Version::parse(&plugin.version).is_some_and(|version| wanted.allows(&version)) {
        looked.push(format!("bundled: only {}", plugin.version));
        return None;
    }
    Some(Located {
        source: source.clone(),
        origin: Origin::Bundled,
        version: plugin.version.clone(),
        path: options.own_binary.clone(),
        arguments: ["plugin", "serve", &plugin.name].map(OsString::from).into(),
    })
}

/// The first file of a package folder, by name, that is the executable of a provider:
/// `terraform-provider-TYPE`, alone or followed by `_` or `.` and anything.
fn executable(folder: &Path, kind: &str) -> Option<PathBuf> {
    let wanted = format!("terraform-provider-{kind}");
    let fits = |name: &str| {
        name.strip_prefix(&wanted)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
    };
    let entries = std::fs::read_dir(folder).ok()?;
    entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.file_name().and_then(|n| n.to_str()).is_some_and(fits))
        .filter(|path| path.is_file())
        .min()
}

/// The name of this machine's kind in packages, such as `linux_amd64`.
fn platform() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        other => other,
    };
    format!("{system}_{machine}")
}

#[cfg(test)]
mod tests;
