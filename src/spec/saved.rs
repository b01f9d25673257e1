//! Saved evaluation: what a specification declares, and proofs of what its nodes want, kept from
//! one command to the next so that an unchanged specification is not evaluated again.
//!
//! A saved evaluation belongs to one root with its tags. It is used only while everything that
//! the load asked of the disk is still answered alike ([`pravo_load::Question`]); whatever it does
//! not answer is evaluated. No value is in it: a proof is a digest that only whoever has the record
//! can make again.

mod cache;

pub use cache::Cache;

use crate::specification::{LoadOptions, Specification};
use crate::{Counts, NodeDecl, OutputDecl, ProviderDecl, Settings, SpecErrors};
use pravo_load::{Disk, Seen};
use pravo_state::Address;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// A digest, made of an evaluation's inputs and its outcome: the same inputs have the same outcome.
pub type Proof = [u8; 32];

/// What the proofs are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// The configuration of a node, by its place in [`Remembered::nodes`].
    Node(usize),
    /// An output, by its name.
    Output(&'a str),
}

/// What an instance of a provider is configured with, as far as it may be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configured {
    /// The digest of everything it is made of.
    pub inputs: Proof,
    /// The digest of where it points.
    pub digest: Option<String>,
}

/// What a specification declares, without its values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outline {
    pub(crate) settings: Settings,
    pub(crate) providers: Vec<ProviderDecl>,
    pub(crate) provider_dependencies: Vec<Vec<Address>>,
    pub(crate) nodes: Vec<NodeDecl>,
    /// Per node, the places of the nodes it depends on.
    pub(crate) dependencies: Vec<Vec<u32>>,
    pub(crate) outputs: Vec<OutputDecl>,
    pub(crate) counts: Counts,
    pub(crate) fingerprint: String,
}

/// What was proved of it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Proofs {
    nodes: Vec<Option<Proof>>,
    outputs: BTreeMap<String, Proof>,
    providers: BTreeMap<String, Configured>,
}

/// What a file of the cache holds.
type Saved = (Seen, Outline, Proofs);

/// Whether a load would find what it found then.
fn holds(seen: &Seen) -> bool {
    seen.iter()
        .all(|(question, answer)| question.ask() == *answer)
}

/// A specification that is evaluated only where nothing saved stands for it.
pub struct Remembered {
    options: LoadOptions,
    cache: Option<Cache>,
    seen: Option<Seen>,
    outline: Option<Outline>,
    specification: Option<Specification>,
    numbers: HashMap<Address, usize>,
    proofs: Proofs,
    /// Something was proved that is not saved.
    news: bool,
}

impl Remembered {
    /// Takes the saved evaluation of a root where it still holds; evaluates the root otherwise.
    /// Without a cache nothing is kept.
    ///
    /// # Errors
    /// As for [`Specification::load`].
    pub fn load(options: LoadOptions, cache: Option<Cache>) -> Result<Self, SpecErrors> {
        let saved = cache
            .as_ref()
            .and_then(|cache| cache.read::<Saved>(&options));
        let mut this = Self {
            options,
            cache,
            seen: None,
            outline: None,
            specification: None,
            numbers: HashMap::new(),
            proofs: Proofs::default(),
            news: false,
        };
        match saved.filter(|(seen, ..)| holds(seen)) {
            Some((seen, outline, proofs)) => {
                let nodes = outline.nodes.iter().enumerate();
                this.numbers = nodes.map(|(i, n)| (n.address.clone(), i)).collect();
                this.seen = Some(seen);
                this.outline = Some(outline);
                this.proofs = proofs;
            }
            None => this.evaluate()?,
        }
        this.proofs.nodes.resize(this.nodes().len(), None);
        Ok(this)
    }

    fn evaluate(&mut self) -> Result<(), SpecErrors> {
        let disk = match self.cache {
            Some(_) => Disk::watching(),
            None => Disk::default(),
        };
        let specification = Specification::load_from(&disk, &self.options)?;
        if let Some(outline) = &self.outline
            && outline.fingerprint != specification.fingerprint()
        {
            return Err(SpecErrors::with_detail(
                "loading .:",
                "the files changed while they were in use; run the command again",
            ));
        }
        self.seen = disk.seen();
        self.specification = Some(specification);
        Ok(())
    }

    /// The evaluated specification; evaluates it when it is asked for the first time.
    ///
    /// # Errors
    /// As for [`Specification::load`], and files that changed since this was loaded.
    pub fn specification(&mut self) -> Result<&mut Specification, SpecErrors> {
        if self.specification.is_none() {
            self.evaluate()?;
        }
        Ok(self.specification.as_mut().expect("it was just evaluated"))
    }

    /// As [`Specification::settings`].
    pub fn settings(&self) -> &Settings {
        self.either(|o| &o.settings, Specification::settings)
    }

    /// As [`Specification::providers`].
    pub fn providers(&self) -> &[ProviderDecl] {
        self.either(|o| &o.providers, Specification::providers)
    }

    /// As [`Specification::nodes`].
    pub fn nodes(&self) -> &[NodeDecl] {
        self.either(|o| &o.nodes, Specification::nodes)
    }

    /// As [`Specification::outputs`].
    pub fn outputs(&self) -> &[OutputDecl] {
        self.either(|o| &o.outputs, Specification::outputs)
    }

    /// As [`Specification::counts`].
    pub fn counts(&self) -> Counts {
        self.either(|o| o.counts, Specification::counts)
    }

    /// As [`Specification::fingerprint`].
    pub fn fingerprint(&self) -> &str {
        self.either(|o| o.fingerprint.as_str(), Specification::fingerprint)
    }

    /// As [`Specification::dependencies`].
    pub fn dependencies(&self, address: &Address) -> Vec<Address> {
        if let Some(specification) = &self.specification {
            return specification.dependencies(address).to_vec();
        }
        let Some(outline) = &self.outline else {
            return Vec::new();
        };
        if let Some(number) = self.numbers.get(address) {
            let places = outline.dependencies[*number].iter();
            let nodes = places.filter_map(|place| outline.nodes.get(*place as usize));
            return nodes.map(|node| node.address.clone()).collect();
        }
        let provider = outline.providers.iter().position(|p| p.address == *address);
        provider.map_or_else(Vec::new, |i| outline.provider_dependencies[i].clone())
    }

    fn either<'a, T>(
        &'a self,
        saved: impl FnOnce(&'a Outline) -> T,
        fresh: impl FnOnce(&'a Specification) -> T,
    ) -> T {
        match (&self.specification, &self.outline) {
            (Some(specification), _) => fresh(specification),
            (None, Some(outline)) => saved(outline),
            (None, None) => unreachable!("it is loaded one way or the other"),
        }
    }

    /// What was proved of a subject.
    pub fn proof(&self, subject: Subject<'_>) -> Option<Proof> {
        match subject {
            Subject::Node(place) => *self.proofs.nodes.get(place)?,
            Subject::Output(name) => self.proofs.outputs.get(name).copied(),
        }
    }

    /// Takes a proof, to be saved.
    pub fn prove(&mut self, subject: Subject<'_>, proof: Proof) {
        let old = match subject {
            Subject::Node(place) => match self.proofs.nodes.get_mut(place) {
                Some(kept) => kept.replace(proof),
                None => return,
            },
            Subject::Output(name) => self.proofs.outputs.insert(name.to_owned(), proof),
        };
        self.news |= old != Some(proof);
    }

    /// What an instance of a provider was configured with.
    pub fn configured(&self, key: &str) -> Option<&Configured> {
        self.proofs.providers.get(key)
    }

    /// Takes what an instance of a provider is configured with, to be saved.
    pub fn configure(&mut self, key: &str, configured: Configured) {
        let old = self
            .proofs
            .providers
            .insert(key.to_owned(), configured.clone());
        self.news |= old != Some(configured);
    }

    /// Saves what was proved since the last time.
    ///
    /// # Errors
    /// What the system said; nothing that was saved before is lost by it.
    pub fn save(&mut self) -> std::io::Result<()> {
        let (Some(cache), Some(seen), true) = (&self.cache, &self.seen, self.news) else {
            return Ok(());
        };
        let outline = match (&self.outline, &self.specification) {
            (Some(outline), _) => Cow::Borrowed(outline),
            (None, Some(specification)) => Cow::Owned(specification.outline()),
            (None, None) => return Ok(()),
        };
        cache.write(&self.options, &(seen, outline, &self.proofs))?;
        self.news = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
