//! The schema of a type as data: its attributes, what they accept and how a plan treats them.

use super::{Fault, Object};
use pravo_state::{Attribute, AttributeKind, Block, Data, Schema, Type};

/// Who sets an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The configuration must.
    Required,
    /// The configuration may.
    Optional,
    /// The plugin does.
    Computed,
    /// The configuration may, else the plugin does.
    OptionalComputed,
}

/// What a validator decides about: one attribute's value and the configuration it stands in.
pub type CheckFn = fn(value: &Data, config: &Object) -> Option<Fault>;

/// A validator. All but [`Check::ExactlyOneOf`] pass on a null or unknown value.
#[derive(Clone, Debug)]
pub enum Check {
    /// A number that is not below this one.
    AtLeast(i64),
    /// A number that is not below the sum of these attributes; an unknown one ends the check.
    AtLeastSumOf(&'static [&'static str]),
    /// One of these attributes is set, and only one. Skipped when this attribute is unknown; an
    /// unknown one among the others ends the check. Each member of the group carries it.
    ExactlyOneOf(&'static [&'static str]),
    /// A rule of one type; its fault is put on the attribute.
    Rule(CheckFn),
}

/// One attribute in the middle of a plan.
pub struct Change<'a> {
    /// The configured value.
    pub config: &'a Data,
    /// The value before.
    pub prior: &'a Data,
    /// The value planned so far.
    pub planned: &'a Data,
    /// The whole configuration.
    pub whole_config: &'a Object,
}

/// A value that a plan computes, or why it cannot; nothing keeps the planned one.
pub type ComputeFn = fn(&Change<'_>) -> Result<Option<Data>, Fault>;

/// What a plan does with an attribute, in the order of the list.
#[derive(Clone, Debug)]
pub enum Modifier {
    /// A planned unknown takes the prior value, null included, when there is a prior state and
    /// the configured value is known.
    Keep,
    /// A planned value that differs from the prior one asks for a replacement.
    Replace,
    /// The same, when the function agrees. It is asked about differing values only.
    ReplaceIf(fn(&Change<'_>) -> bool),
    /// The planned value is computed from the configuration.
    Compute(ComputeFn),
}

/// One attribute.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Type,
    /// It holds whole numbers of 64 bits.
    pub whole: bool,
    /// Who sets it.
    pub presence: Presence,
    /// Never shown.
    pub sensitive: bool,
    /// What to use in its place, when it is deprecated.
    pub deprecated: Option<&'static str>,
    /// The value where the configuration has none.
    pub default: Option<Data>,
    /// What a value must fulfil.
    pub checks: Vec<Check>,
    /// What a plan does with it.
    pub modifiers: Vec<Modifier>,
    /// One sentence about it.
    pub about: &'static str,
}

impl Field {
    fn new(name: &'static str, kind: Type, presence: Presence) -> Self {
        Self {
            name,
            kind,
            whole: false,
            presence,
            sensitive: false,
            deprecated: None,
            default: None,
            checks: Vec::new(),
            modifiers: Vec::new(),
            about: "",
        }
    }

    /// An attribute that holds text.
    pub fn text(name: &'static str, presence: Presence) -> Self {
        Self::new(name, Type::String, presence)
    }

    /// An attribute that holds true or false.
    pub fn flag(name: &'static str, presence: Presence) -> Self {
        Self::new(name, Type::Bool, presence)
    }

    /// An attribute that holds a whole number of 64 bits.
    pub fn integer(name: &'static str, presence: Presence) -> Self {
        Self {
            whole: true,
            ..Self::new(name, Type::Number, presence)
        }
    }

    /// An attribute that holds a list of texts.
    pub fn texts(name: &'static str, presence: Presence) -> Self {
        Self::new(name, Type::List(Box::new(Type::String)), presence)
    }

    /// An attribute that holds texts by key.
    pub fn text_map(name: &'static str, presence: Presence) -> Self {
        Self::new(name, Type::Map(Box::new(Type::String)), presence)
    }

    /// With a sentence about it.
    pub fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Never shown.
    pub fn sensitive(self) -> Self {
        Self {
            sensitive: true,
            ..self
        }
    }

    /// Deprecated, with what to use in its place.
    pub fn deprecated(self, advice: &'static str) -> Self {
        Self {
            deprecated: Some(advice),
            ..self
        }
    }

    /// With a value for where the configuration has none.
    pub fn default(self, value: impl Into<Data>) -> Self {
        Self {
            default: Some(value.into()),
            ..self
        }
    }

    /// With a further validator.
    pub fn check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }

    /// With a further plan modifier.
    pub fn modifier(mut self, modifier: Modifier) -> Self {
        self.modifiers.push(modifier);
        self
    }

    /// With [`Modifier::Keep`].
    pub fn keep(self) -> Self {
        self.modifier(Modifier::Keep)
    }

    /// With [`Modifier::Replace`].
    pub fn replace(self) -> Self {
        self.modifier(Modifier::Replace)
    }

    /// Whether the plugin may set it.
    pub fn is_computed(&self) -> bool {
        matches!(
            self.presence,
            Presence::Computed | Presence::OptionalComputed
        )
    }

    fn attribute(&self) -> Attribute {
        Attribute {
            name: self.name.to_owned(),
            kind: AttributeKind::Value(self.kind.clone()),
            required: self.presence == Presence::Required,
            optional: matches!(
                self.presence,
                Presence::Optional | Presence::OptionalComputed
            ),
            computed: self.is_computed(),
            sensitive: self.sensitive,
            write_only: false,
            deprecated: self.deprecated.is_some(),
            description: self.about.to_owned(),
        }
    }
}

/// The schema of one type.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Counts incompatible changes of the recorded form.
    pub version: i64,
    /// What to use in its place, when the whole type is deprecated.
    pub deprecated: Option<&'static str>,
    /// One sentence about it.
    pub about: &'static str,
    /// Its attributes, sorted by name.
    pub fields: Vec<Field>,
    /// The type of an object with these attributes.
    pub object: Type,
}

impl Shape {
    /// A shape of version 0.
    pub fn new(about: &'static str, mut fields: Vec<Field>) -> Self {
        fields.sort_by_key(|f| f.name);
        let types = fields.iter().map(|f| (f.name.to_owned(), f.kind.clone()));
        let object = Type::Object(types.collect(), Vec::new());
        Self {
            version: 0,
            deprecated: None,
            about,
            fields,
            object,
        }
    }

    /// The same with another version.
    pub fn version(self, version: i64) -> Self {
        Self { version, ..self }
    }

    /// The same, deprecated, with what to use in its place.
    pub fn deprecated(self, advice: &'static str) -> Self {
        Self {
            deprecated: Some(advice),
            ..self
        }
    }

    /// The attribute of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == name)
    }

    /// The shape as a schema.
    pub fn schema(&self) -> Schema {
        Schema {
            version: self.version,
            block: Block {
                attributes: self.fields.iter().map(Field::attribute).collect(),
                blocks: Vec::new(),
                description: self.about.to_owned(),
                deprecated: self.deprecated.is_some(),
            },
        }
    }

    /// An object with every attribute of the shape; those that are not set are null.
    pub fn complete(&self, object: &Object) -> Object {
        let mut whole = Object::default();
        for field in &self.fields {
            whole.set(field.name, object.get(field.name).clone());
        }
        whole
    }
}
