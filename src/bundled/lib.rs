//! BUNDLED PLUGINS: the serving side of the plugin protocol and the plugins that ship in the
//! binary.
//!
//! [`kit`] holds what all plugins share; each plugin is one module and one folder; [`serve()`] is
//! the process around one: handshake, transport, services, end. The clock, the randomness and the
//! files that plugins use are their own; the environment comes in as data.

mod encoding;
mod environment;
mod keepers;
pub mod kit;
mod local;
mod null;
mod random;
mod secure;
mod serve;

pub use environment::Environment;
use kit::Plugin;
pub use serve::serve;

/// The names of the bundled plugins, sorted.
pub fn names() -> [&'static str; 3] {
    ["local", "null", "random"]
}

/// The version of the released plugin whose answers the bundled one gives.
pub fn version(name: &str) -> Option<&'static str> {
    match name {
        "local" => Some(local::VERSION),
        "null" => Some(null::VERSION),
        "random" => Some(random::VERSION),
        _ => None,
    }
}

/// A bundled plugin, to be called in this process.
pub fn plugin(name: &str, environment: &Environment) -> Option<Plugin> {
    match name {
        "local" => Some(local::plugin(environment.path())),
        "null" => Some(null::plugin()),
        "random" => Some(random::plugin()),
        _ => None,
    }
}

/// The plugin that a program of that name is: `terraform-provider-NAME`, alone or followed by a
/// version such as `_v1.2.3_x5`, is `NAME` when that is bundled.
pub fn name_of_program(program: &str) -> Option<&'static str> {
    let rest = program.strip_prefix("terraform-provider-")?;
    let name = rest.split_once('_').map_or(rest, |(name, _)| name);
    names().into_iter().find(|bundled| *bundled == name)
}

#[cfg(test)]
mod tests;
