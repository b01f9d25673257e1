//! What a plugin finds in its environment.

use std::ffi::OsString;
use std::path::Path;

/// The variable that tells a plugin it was started by a host, and its value. It is no secret.
pub const COOKIE: (&str, &str) = (
    "TF_PLUGIN_MAGIC_COOKIE",
    "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
);

/// The environment of a plugin: the person's own, without what an outer host left there, and what
/// the protocol asks for. Unless the log is wanted, or the person set them, the variables that
/// keep a plugin from logging each step are set too: a call is then up to three times faster.
pub(crate) fn environment(
    own: &[(OsString, OsString)],
    kind: &str,
    certificate: &str,
    sockets: &Path,
    log: bool,
) -> Vec<(OsString, OsString)> {
    let inherited = |name: &OsString| {
        let name = name.to_string_lossy();
        !name.starts_with("PLUGIN_") && name != COOKIE.0 && name != "TF_REATTACH_PROVIDERS"
    };
    let mut all: Vec<_> = own
        .iter()
        .filter(|(name, _)| inherited(name))
        .cloned()
        .collect();
    if !log {
        let kind = kind.to_uppercase().replace('-', "_");
        for name in ["TF_LOG_SDK".to_owned(), format!("TF_LOG_PROVIDER_{kind}")] {
            if !all.iter().any(|(there, _)| *there == *name) {
                all.push((name.into(), "error".into()));
            }
        }
    }
    let mut set = |name: &str, value: OsString| all.push((name.into(), value));
    set(COOKIE.0, COOKIE.1.into());
    set("PLUGIN_PROTOCOL_VERSIONS", "5,6".into());
    set("PLUGIN_MIN_PORT", "10000".into());
    set("PLUGIN_MAX_PORT", "25000".into());
    set("PLUGIN_CLIENT_CERT", certificate.into());
    set("PLUGIN_UNIX_SOCKET_DIR", sockets.into());
    all
}

#[cfg(test)]
mod tests;
