//! What stands before a run: the declared nodes, their edges, the schemas of their providers.

use crate::run::RunError;
use pravo_plan::Age;
use pravo_plan::order::Graph;
use pravo_spec::{NodeDecl, OutputDecl, ProviderDecl};
use pravo_state::{Address, Block, Data, Mode, ProviderSchema, Record, Schema, Type, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use crate::specified::Specified;

/// A schema and the type of its objects.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) schema: Schema,
    /// The block of the schema, for those who keep it.
    pub(crate) block: Arc<Block>,
    pub(crate) kind: Type,
    digest: OnceLock<[u8; 32]>,
}

impl Typed {
    pub(crate) fn new(schema: &Schema) -> Arc<Self> {
        Arc::new(Self {
            kind: schema.block.implied_type(),
            block: Arc::new(schema.block.clone()),
            schema: schema.clone(),
            digest: OnceLock::new(),
        })
    }

    /// The digest of the schema.
    pub(crate) fn digest(&self) -> &[u8; 32] {
        self.digest.get_or_init(|| {
            let text = serde_json::to_vec(&self.schema).expect("a schema has names as keys");
            Sha256::digest(text).into()
        })
    }

    /// The object of a record that was written under this schema.
    pub(crate) fn object(&self, record: &Record) -> Result<Data, json::Error> {
        let data = record.attributes.data(&self.kind)?;
        Ok(pravo_plan::normal::canonical(&self.schema.block, data))
    }
}

/// The plugin of one source, as far as it is known without starting it.
#[derive(Clone, Debug)]
pub struct Installed {
    /// The version of the plugin.
    pub version: String,
    /// What it offers.
    pub schema: Arc<ProviderSchema>,
}

/// A declared node and what its provider says of its type.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) decl: NodeDecl,
    pub(crate) dependencies: Vec<Address>,
    pub(crate) typed: Arc<Typed>,
    pub(crate) age: Age,
    pub(crate) own_age: bool,
}

/// A declared provider instance.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) decl: ProviderDecl,
    pub(crate) version: Arc<str>,
    pub(crate) config: Arc<Typed>,
    pub(crate) dependencies: Vec<Address>,
}

/// Everything declared. A node is meant by its place in the order of the specification.
#[derive(Debug)]
pub(crate) struct Estate {
    pub(crate) nodes: Vec<Declared>,
    pub(crate) graph: Graph,
    /// The places in an order that follows the edges.
    pub(crate) sorted: Vec<usize>,
    pub(crate) instances: BTreeMap<String, Instance>,
    pub(crate) outputs: Vec<OutputDecl>,
    pub(crate) installed: BTreeMap<String, Installed>,
    pub(crate) types: Types,
    pub(crate) default_age: Age,
    pub(crate) fingerprint: String,
}

/// The schemas of types, by mode, source and type, each made once.
#[derive(Debug, Default)]
pub(crate) struct Types(HashMap<(Mode, String), BTreeMap<String, Arc<Typed>>>);

impl Types {
    fn new(installed: &BTreeMap<String, Installed>) -> Self {
        let mut types = HashMap::new();
        for (source, plugin) in installed {
            let typed = |schemas: &BTreeMap<String, Schema>| {
                schemas
                    .iter()
                    .map(|(name, s)| (name.clone(), Typed::new(s)))
                    .collect()
            };
            types.insert(
                (Mode::Managed, source.clone()),
                typed(&plugin.schema.resources),
            );
            types.insert(
                (Mode::Data, source.clone()),
                typed(&plugin.schema.data_sources),
            );
        }
        Self(types)
    }

    pub(crate) fn get(&self, mode: Mode, source: &str, kind: &str) -> Option<&Arc<Typed>> {
        self.0.get(&(mode, source.to_owned()))?.get(kind)
    }
}

/// The age of the specification in the form that decisions take.
pub(crate) fn age(age: &pravo_spec::Age) -> Age {
    match age {
        pravo_spec::Age::Always => Age::Always,
        pravo_spec::Age::Never => Age::Never,
        pravo_spec::Age::Every(seconds, text) => {
            Age::Every(std::time::Duration::from_secs(*seconds), text.clone())
        }
    }
}

impl Estate {
    /// Takes stock of a specification.
    ///
    /// # Errors
    /// A provider that is not installed or does not have a declared type; a dependency cycle.
    pub(crate) fn new(
        spec: &dyn Specified,
        installed: BTreeMap<String, Installed>,
    ) -> Result<Self, RunError> {
        let types = Types::new(&installed);
        let default_age = age(&spec.settings().refresh);
        let mut nodes = Vec::new();
        for decl in spec.nodes() {
            let typed = find_type(&decl, &installed, &types)?;
            let own = decl.refresh.as_ref().map(age);
            nodes.push(Declared {
                dependencies: spec.dependencies(&decl.address),
                typed,
                own_age: own.is_some(),
                age: own.unwrap_or_else(|| default_age.clone()),
                decl,
            });
        }
        let graph = Graph::new(
            nodes
                .iter()
                .map(|n| (n.decl.address.clone(), n.dependencies.iter())),
        );
        let sorted = graph.sorted().map_err(|cycle| {
            let names: Vec<&str> = cycle.iter().map(Address::as_str).collect();
            RunError::specification(format!("dependency cycle between {}", names.join(", ")))
        })?;
        let mut instances = BTreeMap::new();
        for decl in spec.providers() {
            let Some(plugin) = installed.get(&decl.source) else {
                return Err(not_installed(&decl.source));
            };
            let instance = Instance {
                version: plugin.version.as_str().into(),
                config: Typed::new(&plugin.schema.provider),
                dependencies: spec.dependencies(&decl.address),
                decl,
            };
            instances.insert(instance.decl.key.clone(), instance);
        }
        Ok(Self {
            nodes,
            graph,
            sorted,
            instances,
            outputs: spec.outputs(),
            installed,
            types,
            default_age,
            fingerprint: spec.fingerprint(),
        })
    }

    /// The place of a declared node.
    pub(crate) fn place(&self, address: &Address) -> Option<usize> {
        self.graph.place(address)
    }

    /// The installed version of a source; empty where there is none.
    pub(crate) fn version(&self, source: &str) -> &str {
        self.installed
            .get(source)
            .map_or("", |plugin| plugin.version.as_str())
    }

    /// The type of a record, as the installed provider has it now.
    pub(crate) fn type_of(&self, record: &Record) -> Option<&Arc<Typed>> {
        self.types.get(record.mode, &record.provider, &record.kind)
    }
}

fn not_installed(source: &str) -> RunError {
    RunError::failed(format!(
        "the provider {source} is not installed; run \"pravo init\""
    ))
}

fn find_type(
    decl: &NodeDecl,
    installed: &BTreeMap<String, Installed>,
    types: &Types,
) -> Result<Arc<Typed>, RunError> {
    let plugin = installed
        .get(&decl.source)
        .ok_or_else(|| not_installed(&decl.source))?;
    types
        .get(decl.mode, &decl.source, &decl.kind)
        .cloned()
        .ok_or_else(|| {
            let what = match decl.mode {
                Mode::Managed => "resource",
                Mode::Data => "data source",
            };
            RunError::failed(format!(
                "{}: the provider {} v{} has no {what} {}",
                decl.address, decl.source, plugin.version, decl.kind
            ))
        })
}
