//! A loaded, evaluated root.

mod build;
mod mask;
mod secret;
mod show;
mod values;

pub use show::{Showing, query};

use crate::body::Body;
use crate::graph::Graph;
use crate::refill::Refill;
use crate::saved::Outline;
use crate::view::{Path, View};
use crate::{Counts, NodeDecl, OutputDecl, Position, ProviderDecl, Settings};
use pravo_cue::eval::label::Label;
use pravo_state::Address;
use std::collections::HashMap;
use std::path::PathBuf;

/// What to load, and with which values from outside.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The folder whose package is loaded; absolute.
    pub root: PathBuf,
    /// Values of `@tag` fields, each `NAME=VALUE` or the short form, as given with `-t`.
    pub tags: Vec<String>,
    /// The system variables that `-T` injects, by name (`os`, `arch`, …); nothing without `-T`.
    pub variables: Option<Vec<(String, String)>>,
    /// Where modules lie that the root's depends on: the cache folder of the real `cue`.
    pub modules: Option<PathBuf>,
}

/// The specification of one root. It owns the evaluator and can move to another thread.
pub struct Specification {
    pub(crate) view: View,
    graph: Graph<Label>,
    refill: Refill,
    settings: Settings,
    providers: Vec<ProviderDecl>,
    provider_paths: Vec<Path>,
    /// Per provider, the nodes that its configuration refers to, sorted.
    provider_dependencies: Vec<Vec<Address>>,
    nodes: Vec<NodeDecl>,
    numbers: HashMap<Address, usize>,
    links: Vec<Links>,
    outputs: Vec<OutputDecl>,
    output_paths: Vec<Path>,
    counts: Counts,
    fingerprint: String,
    /// Bodies taken lately, without the values filled at their own addresses.
    bodies: HashMap<usize, Body>,
    /// The schemas of the types that were seen.
    schemas: values::Schemas,
}

/// What is known of a node beside its declaration.
struct Links {
    path: Path,
    dependencies: Vec<Address>,
    /// It is built from another node, so it may hold what the provider computed for that one.
    copy: bool,
    /// All its values are known to its readers.
    known: bool,
}

impl Specification {
    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The provider instances, in the order of the specification.
    pub fn providers(&self) -> &[ProviderDecl] {
        &self.providers
    }

    /// Resources and data sources, in the order of the specification.
    pub fn nodes(&self) -> &[NodeDecl] {
        &self.nodes
    }

    /// The outputs, in the order of the specification.
    pub fn outputs(&self) -> &[OutputDecl] {
        &self.outputs
    }

    /// What was found, by kind.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// What identifies the text of the specification: 64 hex digits.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The nodes that a node, or a provider instance, depends on directly, sorted: what it refers
    /// to through plain fields, what its provider's configuration refers to, and `$depends_on`.
    /// None for an address that is not declared.
    pub fn dependencies(&self, address: &Address) -> &[Address] {
        match self.numbers.get(address) {
            Some(number) => &self.links[*number].dependencies,
            None => {
                let provider = self.providers.iter().position(|p| p.address == *address);
                provider.map_or(&[], |number| &self.provider_dependencies[number])
            }
        }
    }

    /// What is declared, without values.
    pub(crate) fn outline(&self) -> Outline {
        let place = |address: &Address| u32::try_from(*self.numbers.get(address)?).ok();
        let places = |links: &Links| links.dependencies.iter().filter_map(place).collect();
        Outline {
            settings: self.settings.clone(),
            providers: self.providers.clone(),
            provider_dependencies: self.provider_dependencies.clone(),
            nodes: self.nodes.clone(),
            dependencies: self.links.iter().map(places).collect(),
            outputs: self.outputs.clone(),
            counts: self.counts,
            fingerprint: self.fingerprint.clone(),
        }
    }

    /// The declaration of a node.
    pub fn node(&self, address: &Address) -> Option<&NodeDecl> {
        self.numbers.get(address).map(|number| &self.nodes[*number])
    }

    /// The declaration of a provider instance.
    pub fn provider(&self, key: &str) -> Option<&ProviderDecl> {
        self.providers.iter().find(|p| p.key == key)
    }

    fn position(&self, number: usize) -> Option<&Position> {
        self.nodes[number].position.as_ref()
    }
}

#[cfg(test)]
mod tests;
