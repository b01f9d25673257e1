//! The address of a provider: host, namespace and type.

use std::fmt;

/// The host that a source without one means.
pub const DEFAULT_HOST: &str = "registry.opentofu.org";

/// The other host that names the same providers, for most people.
const OTHER_HOST: &str = "registry.terraform.io";

/// The address of a provider, such as `registry.opentofu.org/hashicorp/random`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source {
    /// The registry's host, in lower case, with a port where it has one.
    pub host: String,
    /// Who publishes it.
    pub namespace: String,
    /// Its name, such as `random`.
    pub kind: String,
}

impl Source {
    /// Reads `[[HOST/]NAMESPACE/]TYPE`; the parts left out are `registry.opentofu.org` and
    /// `hashicorp`.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        let (host, namespace, kind) = match parts.as_slice() {
            [kind] => (DEFAULT_HOST, "hashicorp", *kind),
            [namespace, kind] => (DEFAULT_HOST, *namespace, *kind),
            [host, namespace, kind] => (*host, *namespace, *kind),
            _ => {
                return Err(format!(
                    "{text:?} is no provider source; want HOST/NAMESPACE/TYPE"
                ));
            }
        };
        let host = host.to_lowercase();
        let host = host.strip_suffix(":443").unwrap_or(&host).to_owned();
        if !is_host(&host) {
            return Err(format!("{host:?} in the source {text:?} is no host"));
        }
        for part in [namespace, kind] {
            if !is_label(part) {
                return Err(format!("{part:?} in the source {text:?} is no name"));
            }
        }
        let kind = kind.to_lowercase();
        if let Some(short) = kind.strip_prefix("terraform-provider-") {
            return Err(format!(
                "{text:?} is no provider source: write {short:?} for {kind:?}"
            ));
        }
        Ok(Self {
            host,
            namespace: namespace.to_lowercase(),
            kind,
        })
    }

    /// The hosts under which the provider may lie on disk or in a configuration, its own first:
    /// the two public registries name the same providers.
    pub(crate) fn hosts(&self) -> Vec<&str> {
        match self.host.as_str() {
            DEFAULT_HOST => vec![DEFAULT_HOST, OTHER_HOST],
            OTHER_HOST => vec![OTHER_HOST, DEFAULT_HOST],
            host => vec![host],
        }
    }

    /// Whether another source means the same provider.
    pub fn same(&self, other: &Self) -> bool {
        self.namespace == other.namespace
            && self.kind == other.kind
            && self.hosts().contains(&other.host.as_str())
    }

    /// Whether a pattern of a CLI configuration, such as `acme/*`, means the provider.
    pub(crate) fn matches(&self, pattern: &str) -> bool {
        let parts: Vec<String> = pattern.split('/').map(str::to_lowercase).collect();
        let (host, namespace, kind) = match parts.as_slice() {
            [namespace, kind] => (DEFAULT_HOST, namespace, kind),
            [host, namespace, kind] => (host.as_str(), namespace, kind),
            _ => return false,
        };
        let fits = |pattern: &str, text: &str| pattern == "*" || pattern == text;
        (host == "*" || self.hosts().contains(&host))
            && fits(namespace, &self.namespace)
            && fits(kind, &self.kind)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.host, self.namespace, self.kind)
    }
}

fn is_label(text: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || c == '-';
    !text.is_empty()
        && text.chars().all(inner)
        && !text.starts_with('-')
        && !text.ends_with('-')
        && !text.contains("--")
}

fn is_host(text: &str) -> bool {
    let (name, port) = text.split_once(':').unwrap_or((text, "1"));
    let label =
        |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    port.parse::<u16>().is_ok() && name.split('.').all(label)
}
