//! A specification in memory: nodes whose attributes are texts made of constants and of attributes
//! of other nodes.

use super::SOURCE;
use crate::Specified;
use pravo_spec::saved::{Configured, Proof, Subject};
use pravo_spec::{Age, NodeDecl, OutputDecl, OutputValue, ProviderDecl, Settings, SpecErrors};
use pravo_state::{Address, AttributeKind, Block, Data, Mode, Schema, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// An attribute of a node.
    Of(String, &'static str),
}

/// A declared node.
#[derive(Clone, Debug)]
pub(crate) struct Sketched {
    pub(crate) name: String,
    pub(crate) mode: Mode,
    pub(crate) kind: &'static str,
    pub(crate) attributes: BTreeMap<&'static str, Vec<Piece>>,
    pub(crate) depends_on: Vec<String>,
    pub(crate) refresh: Option<Age>,
}

/// A specification.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    pub(crate) nodes: Vec<Sketched>,
    pub(crate) outputs: BTreeMap<String, Vec<Piece>>,
    pub(crate) refresh: Age,
    pub(crate) endpoint: Vec<Piece>,
    filled: HashMap<Address, Data>,
    memory: Option<Arc<Mutex<Memory>>>,
}

/// What was proved of a specification, and how often it was asked.
#[derive(Debug, Default)]
struct Memory {
    proofs: HashMap<String, Proof>,
    providers: HashMap<String, Configured>,
    asked: usize,
}

pub(crate) fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

pub(crate) fn text(text: impl Into<String>) -> Vec<Piece> {
    vec![Piece::Text(text.into())]
}

pub(crate) fn of(node: impl Into<String>, attribute: &'static str) -> Vec<Piece> {
    vec![Piece::Of(node.into(), attribute)]
}

impl Sketched {
    /// A thing with a name.
    pub(crate) fn thing(name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            attributes: BTreeMap::from([("name", text(name.clone()))]),
            name,
            mode: Mode::Managed,
            kind: "cloud_thing",
            depends_on: Vec::new(),
            refresh: None,
        }
    }

    /// A data source that looks something up.
    pub(crate) fn lookup(name: impl Into<String>, key: Vec<Piece>) -> Self {
        Self {
            attributes: BTreeMap::from([("key", key)]),
            name: name.into(),
            mode: Mode::Data,
            kind: "cloud_lookup",
            depends_on: Vec::new(),
            refresh: None,
        }
    }

    pub(crate) fn with(mut self, attribute: &'static str, value: Vec<Piece>) -> Self {
        self.attributes.insert(attribute, value);
        self
    }

    pub(crate) fn after(mut self, node: &str) -> Self {
        self.depends_on.push(node.to_owned());
        self
    }

    pub(crate) fn aged(mut self, age: &str) -> Self {
        self.refresh = Age::parse(age);
        self
    }
}

impl Sketch {
    pub(crate) fn new(nodes: impl IntoIterator<Item = Sketched>) -> Self {
        Self {
            nodes: nodes.into_iter().collect(),
            outputs: BTreeMap::new(),
            refresh: Age::parse("1h").unwrap(),
            endpoint: text("here"),
            filled: HashMap::new(),
            memory: None,
        }
    }

    /// Remembers what is proved, from one run to the next.
    pub(crate) fn remembering(mut self) -> Self {
        self.memory = Some(Arc::default());
        self
    }

    /// How often a configuration was asked for since the last time.
    pub(crate) fn asked(&self) -> usize {
        let memory = self.memory.as_ref().unwrap();
        std::mem::take(&mut memory.lock().unwrap().asked)
    }

    pub(crate) fn output(mut self, name: &str, value: Vec<Piece>) -> Self {
        self.outputs.insert(name.to_owned(), value);
        self
    }

    /// The text of pieces: unknown as long as one of them is.
    fn value(&self, pieces: &[Piece]) -> Data {
        let mut all = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => all.push_str(text),
                Piece::Of(node, attribute) => {
                    let filled = self.filled.get(&address(node));
                    match filled.and_then(|object| object.get(attribute)) {
                        None | Some(Data::Unknown) => return Data::Unknown,
                        Some(Data::String(text)) => all.push_str(text),
                        Some(_) => all.push_str("null"),
                    }
                }
            }
        }
        Data::String(all)
    }

    fn object(&self, block: &Block, attributes: &BTreeMap<&'static str, Vec<Piece>>) -> Data {
        let value = |name: &str| attributes.get(name).map_or(Data::Null, |p| self.value(p));
        Data::Map(
            block
                .attributes
                .iter()
                .map(|a| (a.name.clone(), value(&a.name)))
                .collect(),
        )
    }
}

fn nodes_of<'a>(pieces: impl IntoIterator<Item = &'a Piece>) -> BTreeSet<Address> {
    let nodes = pieces.into_iter().filter_map(|piece| match piece {
        Piece::Of(node, _) => Some(address(node)),
        Piece::Text(_) => None,
    });
    nodes.collect()
}

impl Specified for Sketch {
    fn settings(&self) -> Settings {
        Settings {
            refresh: self.refresh.clone(),
            ..Settings::default()
        }
    }

    fn providers(&self) -> Vec<ProviderDecl> {
        vec![ProviderDecl {
            key: "cloud".into(),
            address: address("$cloud"),
            source: SOURCE.into(),
            version: None,
            position: None,
        }]
    }

    fn nodes(&self) -> Vec<NodeDecl> {
        let nodes = self.nodes.iter();
        nodes
            .map(|node| NodeDecl {
                address: address(&node.name),
                mode: node.mode,
                kind: node.kind.into(),
                source: SOURCE.into(),
                provider_key: "cloud".into(),
                refresh: node.refresh.clone(),
                position: None,
            })
            .collect()
    }

    fn outputs(&self) -> Vec<OutputDecl> {
        let outputs = self.outputs.iter();
        outputs
            .map(|(name, pieces)| OutputDecl {
                address: address(name),
                sensitive: false,
                dependencies: nodes_of(pieces).into_iter().collect(),
                position: None,
            })
            .collect()
    }

    fn fingerprint(&self) -> String {
        "f".repeat(64)
    }

    fn dependencies(&self, of: &Address) -> Vec<Address> {
        let endpoint = nodes_of(&self.endpoint);
        let Some(node) = self.nodes.iter().find(|node| node.name == of.as_str()) else {
            return endpoint.into_iter().collect();
        };
        let mut all = nodes_of(node.attributes.values().flatten());
        all.extend(node.depends_on.iter().map(|name| address(name)));
        all.extend(endpoint);
        all.remove(of);
        all.into_iter().collect()
    }

    fn proof(&self, subject: Subject<'_>) -> Option<Proof> {
        let memory = self.memory.as_ref()?.lock().unwrap();
        memory.proofs.get(&format!("{subject:?}")).copied()
    }

    fn prove(&mut self, subject: Subject<'_>, proof: Proof) {
        if let Some(memory) = &self.memory {
            let mut memory = memory.lock().unwrap();
            memory.proofs.insert(format!("{subject:?}"), proof);
        }
    }

    fn configured(&self, key: &str) -> Option<Configured> {
        let memory = self.memory.as_ref()?.lock().unwrap();
        memory.providers.get(key).cloned()
    }

    fn configure(&mut self, key: &str, configured: Configured) {
        if let Some(memory) = &self.memory {
            let mut memory = memory.lock().unwrap();
            memory.providers.insert(key.to_owned(), configured);
        }
    }

    fn desired(&mut self, of: &Address, schema: &Schema) -> Result<Data, SpecErrors> {
        if let Some(memory) = &self.memory {
            memory.lock().unwrap().asked += 1;
        }
        let node = self.nodes.iter().find(|node| node.name == of.as_str());
        let node = node.ok_or_else(|| SpecErrors::one(format!("{of} is not declared")))?;
        if node.attributes.contains_key("wrong") {
            return Err(SpecErrors::one(format!("{of}.wrong: field not allowed")));
        }
        Ok(self.object(&schema.block, &node.attributes))
    }

    fn provider_config(&mut self, _: &str, schema: &Schema) -> Result<Data, SpecErrors> {
        let attributes = BTreeMap::from([("endpoint", self.endpoint.clone())]);
        Ok(self.object(&schema.block, &attributes))
    }

    fn output(&mut self, name: &str) -> Result<OutputValue, SpecErrors> {
        let value = self.value(&self.outputs[name]);
        Ok(OutputValue {
            value,
            sensitive: false,
        })
    }

    fn fill(&mut self, of: &Address, _: &Schema, data: &Data) -> Result<(), SpecErrors> {
        self.filled.insert(of.clone(), data.clone());
        Ok(())
    }
}

/// A text attribute; `flags` holds `r`, `o`, `c` for required, optional, computed.
pub(crate) fn attribute(name: &str, flags: &str) -> pravo_state::Attribute {
    pravo_state::Attribute {
        name: name.into(),
        kind: AttributeKind::Value(Type::String),
        required: flags.contains('r'),
        optional: flags.contains('o'),
        computed: flags.contains('c'),
        sensitive: false,
        write_only: false,
        deprecated: false,
        description: String::new(),
    }
}
