//! What nodes, providers and outputs want now, and known values standing in for the unknown.

use super::{Specification, secret};
use crate::body::{Body, Open};
use crate::desired::{Subject, convert};
use crate::extract::Extract;
use crate::fill::overlay;
use crate::view::Path;
use crate::{Mode, OutputValue, SpecErrors};
use pravo_cue::eval::label::Label;
use pravo_state::{Address, Block, Data, Schema};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The schemas of the types that were seen, by mode, source and type.
pub(super) type Schemas = HashMap<(Mode, String, String), Arc<Block>>;

/// How many bodies are kept for the fill that follows.
const KEPT_BODIES: usize = 1024;

impl Specification {
    /// The configuration object of a node under its schema, with the values filled so far of all
    /// other nodes and none of its own: every attribute and block, null or empty where the
    /// specification says nothing, unknown where it reads what is not known yet.
    ///
    /// # Errors
    /// What does not fit the schema, is missing or is not concrete.
    pub fn desired(&mut self, address: &Address, schema: &Schema) -> Result<Data, SpecErrors> {
        let number = self.number(address)?;
        self.learn(number, schema);
        let body = self.body_of(number)?;
        let subject = Subject {
            name: address.as_str(),
            position: self.position(number),
            copy: self.links[number].copy,
        };
        let data = convert(&subject, &schema.block, &body);
        self.keep(number, body);
        data
    }

    /// The configuration object of a provider instance, as [`Self::desired`] gives a node's.
    ///
    /// # Errors
    /// As for [`Self::desired`].
    pub fn provider_config(&mut self, key: &str, schema: &Schema) -> Result<Data, SpecErrors> {
        let number = self.providers.iter().position(|p| p.key == key);
        let number =
            number.ok_or_else(|| SpecErrors::one(format!("no provider is named {key}")))?;
        let path = self.provider_paths[number].clone();
        self.refill.apply(&mut self.view, &self.graph);
        let body = self.extract(&path, None, true)?;
        let provider = &self.providers[number];
        let subject = Subject {
            name: provider.address.as_str(),
            position: provider.position.as_ref(),
            copy: false,
        };
        convert(&subject, &schema.block, &body)
    }

    /// The value of an output, with unknown parts where it reads what is not known yet.
    ///
    /// # Errors
    /// What is not concrete for another reason; a sensitive value in an output that does not say
    /// so.
    pub fn output(&mut self, name: &str) -> Result<OutputValue, SpecErrors> {
        let number = self.outputs.iter().position(|o| o.address.as_str() == name);
        let number = number.ok_or_else(|| SpecErrors::one(format!("no output is named {name}")))?;
        let mut path = self.output_paths[number].clone();
        path.push(self.view.ev.string_label("value"));
        self.refill.apply(&mut self.view, &self.graph);
        self.check_output(number, &path)?;
        let body = self.extract(&path, None, false)?;
        let output = &self.outputs[number];
        let mut errors = SpecErrors::default();
        let value = plain(&body, &format!("{name}.value"), &mut errors);
        errors.into_result()?;
        Ok(OutputValue {
            value,
            sensitive: output.sensitive,
        })
    }

    /// Puts the known values of a node at its address, for all who read it; an earlier fill of the
    /// same node is replaced. What the specification says itself stays.
    ///
    /// # Errors
    /// Constraints of the specification that the values do not meet.
    pub fn fill(
        &mut self,
        address: &Address,
        schema: &Schema,
        data: &Data,
    ) -> Result<(), SpecErrors> {
        let number = self.number(address)?;
        self.learn(number, schema);
        let body = match self.bodies.remove(&number) {
            Some(body) => body,
            None => self.body_of(number)?,
        };
        let filling = overlay(&schema.block, &body, data);
        let path = self.links[number].path.clone();
        self.refill.set(&mut self.view, &path, &filling);
        self.links[number].known = data.is_wholly_known();
        if self.is_constrained(&path, &filling) {
            self.refill.apply(&mut self.view, &self.graph);
            return self.view.evaluate_path(&path);
        }
        Ok(())
    }

    fn number(&self, address: &Address) -> Result<usize, SpecErrors> {
        let number = self.numbers.get(address).copied();
        number.ok_or_else(|| SpecErrors::one(format!("{address} is not declared")))
    }

    fn keep(&mut self, number: usize, body: Body) {
        if self.bodies.len() >= KEPT_BODIES {
            self.bodies.clear();
        }
        self.bodies.insert(number, body);
    }

    /// The body of a node without the values filled at its own address.
    fn body_of(&mut self, number: usize) -> Result<Body, SpecErrors> {
        let path = self.links[number].path.clone();
        let own = self.refill.take(&path);
        self.refill.apply(&mut self.view, &self.graph);
        let body = self.extract(&path, Some(number), true);
        if let Some(own) = own {
            self.refill.put(&path, own);
        }
        body
    }

    fn extract(
        &mut self,
        path: &[Label],
        this: Option<usize>,
        found: bool,
    ) -> Result<Body, SpecErrors> {
        self.view.evaluate_path(path)?;
        let v = self.view.vertex(path);
        let v = v.ok_or_else(|| SpecErrors::one(format!("{}: not found", self.view.text(path))))?;
        let links = &self.links;
        let mut extract = Extract {
            view: &mut self.view,
            graph: &mut self.graph,
            this,
            known: &|node| links[node].known,
        };
        if found {
            extract.body(path, v)
        } else {
            extract.value_at(path, v)
        }
    }

    /// Whether the specification itself says something about an attribute that is filled, so that
    /// the value may not fit it.
    fn is_constrained(&self, path: &[Label], filling: &crate::fill::Filling) -> bool {
        let crate::fill::Filling::Struct(fields) = filling else {
            return false;
        };
        let Some(v) = self.view.vertex(path) else {
            return true;
        };
        fields.iter().any(|(name, _)| {
            let arcs = self.view.ev.arcs(v).iter();
            let mut named = arcs.filter(|a| self.view.label(self.view.ev.label(**a)) == *name);
            named.any(|arc| self.view.position(*arc).is_some())
        })
    }

    /// Tells the schema of a node's type, so that what is sensitive is known. [`Self::desired`] and
    /// [`Self::fill`] do that too.
    pub fn know(&mut self, address: &Address, schema: &Schema) {
        if let Some(number) = self.numbers.get(address) {
            self.learn(*number, schema);
        }
    }

    fn learn(&mut self, number: usize, schema: &Schema) {
        let key = self.type_of(number);
        self.schemas
            .entry(key)
            .or_insert_with(|| Arc::new(schema.block.clone()));
    }

    fn type_of(&self, number: usize) -> (Mode, String, String) {
        let node = &self.nodes[number];
        (node.mode, node.source.clone(), node.kind.clone())
    }

    /// What a node holds, where its schema is known.
    pub(super) fn block_of(&self, number: usize) -> Option<Arc<Block>> {
        self.schemas.get(&self.type_of(number)).cloned()
    }

    /// Evaluates whatever was filled since, and everything that reads it.
    pub(super) fn settle(&mut self) -> Result<(), SpecErrors> {
        self.refill.apply(&mut self.view, &self.graph);
        self.view.evaluate_all(&self.graph)
    }

    /// An output that reads something sensitive must say so, and none may read what is write-only.
    fn check_output(&mut self, number: usize, path: &[Label]) -> Result<(), SpecErrors> {
        let (hits, _) = self.graph.reads(path, &mut self.view);
        let output = &self.outputs[number];
        for hit in hits {
            let Some(block) = self.block_of(hit.node) else {
                continue;
            };
            let labels: Vec<String> = hit.rest.iter().map(|l| self.view.label(*l)).collect();
            let names: Vec<&str> = labels.iter().map(String::as_str).collect();
            let mut read: Path = self.links[hit.node].path.clone();
            read.extend_from_slice(&hit.rest);
            let (name, read) = (&output.address, self.view.text(&read));
            if secret::reads_write_only(&block, &names) {
                return Err(SpecErrors::at(
                    format!("{name} reads {read}, which is write-only and never recorded"),
                    output.position.as_ref(),
                ));
            }
            if !output.sensitive && secret::reads_sensitive(&block, &names) {
                return Err(SpecErrors::at(
                    format!("{name} reads {read}, which is sensitive: set sensitive: true"),
                    output.position.as_ref(),
                ));
            }
        }
        Ok(())
    }
}

/// A value without a type: what an output publishes.
fn plain(body: &Body, path: &str, errors: &mut SpecErrors) -> Data {
    let mut fail = |what: String| {
        errors.append(SpecErrors::one(format!("{path}: {what}")));
        Data::Null
    };
    match body {
        Body::Null | Body::Open(Open::Null) => Data::Null,
        Body::Bool(value) => Data::Bool(*value),
        Body::Number(value) => Data::Number(value.clone()),
        Body::String(value) => Data::String(value.clone()),
        Body::List(items) => {
            let items = items.iter().enumerate();
            let item = |(i, item): (usize, &crate::body::Item)| {
                plain(&item.body, &format!("{path}[{i}]"), errors)
            };
            Data::List(items.map(item).collect())
        }
        Body::Struct(entries) => {
            let mut fields = BTreeMap::new();
            for entry in entries {
                let mut below = path.to_owned();
                let step = pravo_state::Step::Field(entry.label.clone());
                pravo_state::address::push_step(&mut below, &step);
                if let Some(body) = &entry.body {
                    fields.insert(entry.label.clone(), plain(body, &below, errors));
                }
            }
            Data::Map(fields)
        }
        Body::Open(Open::Node) => Data::Unknown,
        Body::Open(Open::Nothing) => fail("value is not concrete".into()),
        Body::Open(Open::Depends { on, tag }) => {
            let hint = if *tag { " (is a -t tag missing?)" } else { "" };
            fail(format!(
                "value depends on {on}, which is not concrete{hint}"
            ))
        }
        Body::Open(Open::Fails(inner)) => {
            errors.append(inner.clone());
            Data::Null
        }
        Body::Foreign(kind) => fail(format!("an output cannot be {kind}")),
    }
}
