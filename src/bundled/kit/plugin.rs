//! A plugin: its types by name, and the calls of the protocol on plain data.

use super::plan::{Planned, fill_defaults, plan};
use super::{
    Action, DataSource, Ephemeral, Fault, Faults, Function, FunctionError, Object, Resource, Shape,
    stored, validate,
};
use pravo_state::{Data, ProviderSchema};
use std::collections::BTreeMap;

/// The private data of an object between its import and its next read, as released plugins
/// write it: a JSON object with the text `true` in base64.
const IMPORTED: &[u8] = br#"{".import_before_read":"dHJ1ZQ=="}"#;

struct Kind<T: ?Sized> {
    shape: Shape,
    behaviour: Box<T>,
}

type Kinds<T> = BTreeMap<&'static str, Kind<T>>;

/// What an apply came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The object afterwards; null after a delete, the prior one when nothing is known to have
    /// changed.
    pub state: Data,
    /// What is wrong.
    pub faults: Faults,
}

/// What a read or an import came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadBack {
    /// The object; null when it is gone.
    pub state: Data,
    /// Bytes to hand back at the next call.
    pub private: Vec<u8>,
    /// What is wrong.
    pub faults: Faults,
}

/// A plugin: a name, a version and types.
pub struct Plugin {
    name: &'static str,
    version: &'static str,
    resources: Kinds<dyn Resource>,
    data_sources: Kinds<dyn DataSource>,
    ephemerals: Kinds<dyn Ephemeral>,
    actions: Kinds<dyn Action>,
    functions: BTreeMap<&'static str, Box<dyn Function>>,
}

impl Plugin {
    /// A plugin without types.
    pub fn new(name: &'static str, version: &'static str) -> Self {
        Self {
            name,
            version,
            resources: BTreeMap::new(),
            data_sources: BTreeMap::new(),
            ephemerals: BTreeMap::new(),
            actions: BTreeMap::new(),
            functions: BTreeMap::new(),
        }
    }

    /// With a managed resource.
    pub fn resource(
        mut self,
        name: &'static str,
        shape: Shape,
        resource: impl Resource + 'static,
    ) -> Self {
        let behaviour = Box::new(resource);
        self.resources.insert(name, Kind { shape, behaviour });
        self
    }

    /// With a data source.
    pub fn data_source(
        mut self,
        name: &'static str,
        shape: Shape,
        source: impl DataSource + 'static,
    ) -> Self {
        let behaviour = Box::new(source);
        self.data_sources.insert(name, Kind { shape, behaviour });
        self
    }

    /// With an ephemeral resource.
    pub fn ephemeral(
        mut self,
        name: &'static str,
        shape: Shape,
        ephemeral: impl Ephemeral + 'static,
    ) -> Self {
        let behaviour = Box::new(ephemeral);
        self.ephemerals.insert(name, Kind { shape, behaviour });
        self
    }

    /// With an action.
    pub fn action(
        mut self,
        name: &'static str,
        shape: Shape,
        action: impl Action + 'static,
    ) -> Self {
        let behaviour = Box::new(action);
        self.actions.insert(name, Kind { shape, behaviour });
        self
    }

    /// With a function.
    pub fn function(mut self, name: &'static str, function: impl Function + 'static) -> Self {
        self.functions.insert(name, Box::new(function));
        self
    }

    /// Its name, such as `random`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The version of the released plugin whose answers it gives.
    pub fn version(&self) -> &'static str {
        self.version
    }

    /// What it offers, but for actions.
    pub fn schema(&self) -> ProviderSchema {
        ProviderSchema {
            resources: schemas(&self.resources),
            data_sources: schemas(&self.data_sources),
            ephemerals: schemas(&self.ephemerals),
            functions: self
                .functions
                .iter()
                .map(|(name, function)| ((*name).to_owned(), function.signature()))
                .collect(),
            ..ProviderSchema::default()
        }
    }

    /// The shape of a managed resource.
    pub fn resource_shape(&self, name: &str) -> Option<&Shape> {
        self.resources.get(name).map(|kind| &kind.shape)
    }

    /// The shape of a data source.
    pub fn data_shape(&self, name: &str) -> Option<&Shape> {
        self.data_sources.get(name).map(|kind| &kind.shape)
    }

    /// The shape of an ephemeral resource.
    pub fn ephemeral_shape(&self, name: &str) -> Option<&Shape> {
        self.ephemerals.get(name).map(|kind| &kind.shape)
    }

    /// The shape of an action.
    pub fn action_shape(&self, name: &str) -> Option<&Shape> {
        self.actions.get(name).map(|kind| &kind.shape)
    }

    /// The names of the actions.
    pub fn actions(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.actions.keys().copied()
    }

    /// The function of that name.
    pub fn function_named(&self, name: &str) -> Option<&dyn Function> {
        self.functions.get(name).map(AsRef::as_ref)
    }

    /// Plans a change of a managed resource; see [`plan`].
    pub fn plan(&self, name: &str, prior: &Data, config: &Data, proposed: &Data) -> Planned {
        match self.resources.get(name) {
            Some(kind) => plan(&kind.shape, prior, config, proposed),
            None => Planned {
                faults: unknown_type(name),
                ..Planned::default()
            },
        }
    }

    /// Creates, updates or deletes a managed resource, by which of the two states is null.
    pub fn apply(&self, name: &str, prior: &Data, planned: &Data) -> Applied {
        let Some(kind) = self.resources.get(name) else {
            return Applied {
                state: prior.clone(),
                faults: unknown_type(name),
            };
        };
        let outcome = match (Object::of(prior), Object::of(planned)) {
            (None, None) => Ok(Data::Null),
            (None, Some(planned)) => kind.behaviour.create(planned).map(Data::from),
            (Some(prior), None) => kind.behaviour.delete(&prior).map(|()| Data::Null),
            (Some(prior), Some(planned)) => kind.behaviour.update(&prior, planned).map(Data::from),
        };
        match outcome {
            Ok(state) => Applied {
                faults: left_open(&state),
                state,
            },
            Err(faults) => Applied {
                state: prior.clone(),
                faults,
            },
        }
    }

    /// Looks a managed resource up.
    pub fn read(&self, name: &str, state: &Data) -> ReadBack {
        let Some(kind) = self.resources.get(name) else {
            return failed_read(state, unknown_type(name));
        };
        let Some(object) = Object::of(state) else {
            return ReadBack::default();
        };
        match kind.behaviour.read(object) {
            Ok(found) => ReadBack {
                state: found.map_or(Data::Null, Data::from),
                ..ReadBack::default()
            },
            Err(faults) => failed_read(state, faults),
        }
    }

    /// Takes over an existing object.
    pub fn import(&self, name: &str, id: &str) -> ReadBack {
        let Some(kind) = self.resources.get(name) else {
            return failed_read(&Data::Null, unknown_type(name));
        };
        match kind.behaviour.import(id) {
            Ok(object) => ReadBack {
                state: kind.shape.complete(&object).into(),
                private: IMPORTED.to_vec(),
                faults: Faults::default(),
            },
            Err(faults) => failed_read(&Data::Null, faults),
        }
    }

    /// Brings a recorded object to the current version of its type.
    ///
    /// # Errors
    /// That the record does not fit, or that its version is not known.
    pub fn upgrade(&self, name: &str, version: i64, json: &[u8]) -> Result<Data, Faults> {
        let kind = self.resources.get(name).ok_or_else(|| unknown_type(name))?;
        let object = stored::read(&kind.shape, json)?;
        if version == kind.shape.version {
            return Ok(object.into());
        }
        match kind.behaviour.upgrade(version, object)? {
            Some(upgraded) if version < kind.shape.version => {
                Ok(kind.shape.complete(&upgraded).into())
            }
            _ => Err(Fault::error(
                format!("A record of {name} has version {version}, which is not known here"),
                format!(
                    "{} {} writes version {} and cannot convert that one. Use the version of \
                     the provider that wrote it, or import the object anew.",
                    self.name, self.version, kind.shape.version
                ),
            )
            .into()),
        }
    }

    /// Reads a data source.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn read_data(&self, name: &str, config: &Data) -> Result<Data, Faults> {
        let kind = self
            .data_sources
            .get(name)
            .ok_or_else(|| unknown_type(name))?;
        let config = kind.shape.complete(&Object::of(config).unwrap_or_default());
        kind.behaviour.read(config).map(Data::from)
    }

    /// Opens an ephemeral resource.
    ///
    /// # Errors
    /// Why it could not be opened.
    pub fn open(&self, name: &str, config: &Data) -> Result<Data, Faults> {
        let kind = self
            .ephemerals
            .get(name)
            .ok_or_else(|| unknown_type(name))?;
        let config = Object::of(config).unwrap_or_default();
        let mut whole = kind.shape.complete(&config);
        fill_defaults(&kind.shape, &config, &mut whole);
        kind.behaviour.open(whole).map(Data::from)
    }

    /// Whether an action could be done.
    ///
    /// # Errors
    /// Why it could not.
    pub fn plan_action(&self, name: &str, config: &Data) -> Result<(), Faults> {
        let kind = self.actions.get(name).ok_or_else(|| unknown_type(name))?;
        kind.behaviour.plan(&Object::of(config).unwrap_or_default())
    }

    /// Does an action and answers what to show.
    ///
    /// # Errors
    /// Why it failed.
    pub fn invoke(&self, name: &str, config: &Data) -> Result<String, Faults> {
        let kind = self.actions.get(name).ok_or_else(|| unknown_type(name))?;
        kind.behaviour
            .invoke(&Object::of(config).unwrap_or_default())
    }

    /// Calls a function.
    ///
    /// # Errors
    /// Why it has no answer.
    pub fn call(&self, name: &str, arguments: &[Data]) -> Result<Data, FunctionError> {
        let refuse = |text: String, argument| Err(FunctionError { text, argument });
        let Some(function) = self.functions.get(name) else {
            return refuse(format!("{} has no function {name}", self.name), None);
        };
        let expected = function.signature().parameters.len();
        if arguments.len() != expected {
            let found = arguments.len();
            return refuse(
                format!("{name} takes {expected} arguments, not {found}"),
                None,
            );
        }
        let open = |argument: &Data| argument.is_null() || !argument.is_wholly_known();
        if let Some(position) = arguments.iter().position(open) {
            let text = format!("{name} takes no null and no unknown argument");
            return refuse(text, i64::try_from(position).ok());
        }
        function.call(arguments)
    }
}

/// Everything that is wrong with the configuration of a type whose shape was looked up; that
/// there is no such type, when there was none.
pub fn validate_config(shape: Option<&Shape>, name: &str, config: &Data) -> Faults {
    match shape {
        Some(shape) => validate::validate(name, shape, &Object::of(config).unwrap_or_default()),
        None => unknown_type(name),
    }
}

fn schemas<T: ?Sized>(kinds: &Kinds<T>) -> BTreeMap<String, pravo_state::Schema> {
    kinds
        .iter()
        .map(|(name, kind)| ((*name).to_owned(), kind.shape.schema()))
        .collect()
}

fn failed_read(state: &Data, faults: Faults) -> ReadBack {
    ReadBack {
        state: state.clone(),
        private: Vec::new(),
        faults,
    }
}

fn unknown_type(name: &str) -> Faults {
    Fault::error(
        format!("This plugin has no type {name}"),
        "The host asked for a type that is not in the plugin's schema.",
    )
    .into()
}

fn left_open(state: &Data) -> Faults {
    let mut faults = Faults::default();
    if let Data::Map(entries) = state {
        for (name, value) in entries.iter().filter(|(_, v)| !v.is_wholly_known()) {
            let summary = format!("`{name}` is still unknown after the apply");
            let detail = format!("This is a mistake of the plugin. The value is {value:?}.");
            faults.push(Fault::error(summary, detail).on(name));
        }
    }
    faults
}

#[cfg(test)]
mod tests;
