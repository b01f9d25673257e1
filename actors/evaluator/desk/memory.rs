//! What an earlier run proved: of a node whose inputs are as they were, nothing is evaluated.
//!
//! A proof is a digest of what goes in (the records of everything above, the schemas) and of what
//! came out. It is made with the identity of the record that it confirms, which nothing but the
//! state holds, so that it tells nothing to who does not have the state.

use super::judge::{present, untouched};
use super::{Desk, Settled, Verdict};
use crate::estate::Typed;
use pravo_plan::OutputValue;
use pravo_plan::reach;
use pravo_spec::OutputDecl;
use pravo_spec::saved::{Configured, Proof, Subject};
use pravo_state::{Address, Mode, Record, hash, json};
use sha2::{Digest, Sha256};

/// A digest of parts, each with its length.
#[derive(Default)]
struct Tally(Sha256);

impl Tally {
    fn add(&mut self, part: &[u8]) -> &mut Self {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    fn done(self) -> Proof {
        self.0.finalize().into()
    }
}

impl Desk {
    /// Judges a node by what an earlier run proved, if nothing has to be done about it.
    pub(super) fn judge_remembered(&self, place: usize) -> Option<Verdict> {
        let node = &self.estate.nodes[place];
        let address = &node.decl.address;
        let record = self.record(place)?;
        let hash = record.config_hash.as_str();
        let read_now = self.input.answers.contains_key(address);
        if hash.is_empty() || self.input.drifted.contains(address) || read_now {
            return None;
        }
        let proof = self.proof(place, record, hash)?;
        if self.spec.proof(Subject::Node(place)) != Some(proof) {
            return None;
        }
        let provider = self.remembered_provider(&node.decl.provider_key)?;
        let present = present(&self.estate, place, Some(hash), &[]);
        let causes = reach::causes(Some(record), &present, false);
        let read = match node.decl.mode {
            Mode::Data => self.data_read(place),
            Mode::Managed => {
                let digest = Some(provider.digest.as_deref());
                self.resource_read(place, record, &causes, digest)
            }
        };
        untouched(&causes, read.as_ref())
    }

    /// Keeps that the configuration of a node is the one its record holds.
    pub(super) fn prove(&mut self, place: usize, hash: &str) {
        let Some(record) = self.record(place) else {
            return;
        };
        if record.config_hash == hash
            && let Some(proof) = self.proof(place, record, hash)
        {
            self.spec.prove(Subject::Node(place), proof);
        }
    }

    /// That the configuration of a node has this hash, given all it is made of.
    fn proof(&self, place: usize, record: &Record, hash: &str) -> Option<Proof> {
        let mut tally = Tally::default();
        tally.add(&self.books[place].inputs?);
        identity(&mut tally, record);
        tally.add(hash.as_bytes());
        Some(tally.done())
    }

    /// Everything that the configuration of a node is made of; nothing while a part of it has to
    /// be applied first.
    pub(super) fn inputs(&self, place: usize) -> Option<Proof> {
        let node = &self.estate.nodes[place];
        let mut tally = Tally::default();
        tally.add(node.typed.digest());
        self.add_values(&mut tally, self.estate.graph.upstream(place))?;
        Some(tally.done())
    }

    /// Adds the values of nodes, and what their own configurations are made of.
    fn add_values(&self, tally: &mut Tally, places: &[usize]) -> Option<()> {
        for up in places {
            let book = &self.books[*up];
            let node = &self.estate.nodes[*up];
            tally.add(node.decl.address.as_str().as_bytes());
            tally.add(&book.inputs?);
            match &book.settled {
                Settled::Same => {
                    let record = self.record(*up)?;
                    identity(tally, record);
                    tally.add(record.attributes.text().as_bytes());
                    tally.add(&record.schema_version.to_le_bytes());
                }
                Settled::Value(object) if !book.pending => {
                    let block = &node.typed.schema.block;
                    tally.add(hash::config_hash(object, block, &[]).ok()?.as_bytes());
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn inputs_of(&self, typed: Option<&Typed>, addresses: &[Address]) -> Option<Proof> {
        let places: Option<Vec<usize>> = addresses.iter().map(|a| self.estate.place(a)).collect();
        let mut tally = Tally::default();
        if let Some(typed) = typed {
            tally.add(typed.digest());
        }
        self.add_values(&mut tally, &places?)?;
        Some(tally.done())
    }

    /// What an instance was configured with when the same went in.
    fn remembered_provider(&self, key: &str) -> Option<Configured> {
        let inputs = self.instance_inputs(key)?;
        self.spec
            .configured(key)
            .filter(|kept| kept.inputs == inputs)
    }

    /// Keeps what an instance is configured with.
    pub(super) fn keep_provider(&mut self, key: &str, digest: Option<String>) {
        if let Some(inputs) = self.instance_inputs(key) {
            self.spec.configure(key, Configured { inputs, digest });
        }
    }

    fn instance_inputs(&self, key: &str) -> Option<Proof> {
        let instance = self.estate.instances.get(key)?;
        self.inputs_of(Some(&instance.config), &instance.dependencies)
    }

    /// Whether an output has the value that is recorded.
    pub(super) fn is_proved(&self, decl: &OutputDecl, recorded: &OutputValue) -> bool {
        let proof = self.output_proof(decl, recorded);
        let name = decl.address.as_str();
        proof.is_some() && self.spec.proof(Subject::Output(name)) == proof
    }

    /// Keeps that an output has this value.
    pub(super) fn prove_output(&mut self, decl: &OutputDecl, output: &OutputValue) {
        if let Some(proof) = self.output_proof(decl, output) {
            let name = decl.address.as_str();
            self.spec.prove(Subject::Output(name), proof);
        }
    }

    /// That an output has this value, given all it is made of. Of a secret that stands in the
    /// specification itself nothing is proved, as no record would hide it.
    fn output_proof(&self, decl: &OutputDecl, output: &OutputValue) -> Option<Proof> {
        if output.sensitive && decl.dependencies.is_empty() {
            return None;
        }
        let text = json::to_plain(&output.value).ok()?.to_string();
        let mut tally = Tally::default();
        tally.add(&self.inputs_of(None, &decl.dependencies)?);
        tally.add(&[u8::from(output.sensitive)]);
        tally.add(text.as_bytes());
        Some(tally.done())
    }
}

/// What tells a record, and its content, from every other.
fn identity(tally: &mut Tally, record: &Record) {
    let generation = record.generation.as_ref().map_or("", |g| g.as_str());
    tally.add(generation.as_bytes());
    tally.add(&record.revision.to_le_bytes());
}
