//! What a provider says its types look like.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The type of an attribute. Source: the type constraints of the plugin protocol.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Type {
    /// True or false.
    Bool,
    /// An exact decimal number.
    Number,
    /// Text.
    String,
    /// Any type; the value says which.
    Dynamic,
    /// Elements of one type, in order.
    List(Box<Type>),
    /// Distinct elements of one type, without order.
    Set(Box<Type>),
    /// Entries of one type, by name.
    Map(Box<Type>),
    /// Attributes by name, each of its own type; the second part names the optional ones.
    Object(BTreeMap<String, Type>, Vec<String>),
    /// A fixed number of elements, each of its own type.
    Tuple(Vec<Type>),
}

/// How often a nested object or block occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Nesting {
    /// At most once; absent is null.
    Single,
    /// Always once; never null. Only for blocks.
    Group,
    /// Any number, in order.
    List,
    /// Any number, without order.
    Set,
    /// Any number, by name.
    Map,
}

/// What an attribute holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AttributeKind {
    /// A value of a type.
    Value(Type),
    /// Nested attributes (protocol 6), as often as the nesting says.
    Nested(Nesting, Vec<Attribute>),
}

/// One attribute of a block or nested object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: AttributeKind,
    /// The configuration must set it.
    pub required: bool,
    /// The configuration may set it.
    pub optional: bool,
    /// The provider may set it.
    pub computed: bool,
    /// Never shown.
    pub sensitive: bool,
    /// Never recorded.
    pub write_only: bool,
    /// Marked as deprecated.
    pub deprecated: bool,
    /// What the provider says about it; may be empty.
    pub description: String,
}

/// A block inside a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NestedBlock {
    /// Its name.
    pub name: String,
    /// How often it occurs.
    pub nesting: Nesting,
    /// What it holds.
    pub block: Block,
    /// Fewest occurrences; 0 where the provider says none.
    pub min_items: u64,
    /// Most occurrences; 0 where there is no limit.
    pub max_items: u64,
}

/// Attributes and nested blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The attributes, sorted by name.
    pub attributes: Vec<Attribute>,
    /// The nested blocks, sorted by name.
    pub blocks: Vec<NestedBlock>,
    /// What the provider says about it; may be empty.
    pub description: String,
    /// Marked as deprecated.
    pub deprecated: bool,
}

/// The schema of one type of resource or data source, or of a provider's configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// Counts incompatible changes of the recorded form.
    pub version: i64,
    /// What it holds.
    pub block: Block,
}

/// Everything a provider offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderSchema {
    /// Its own configuration.
    pub provider: Schema,
    /// Managed resources, by type.
    pub resources: BTreeMap<String, Schema>,
    /// Data sources, by type.
    pub data_sources: BTreeMap<String, Schema>,
    /// Ephemeral resources, by type.
    pub ephemerals: BTreeMap<String, Schema>,
    /// Functions, by name.
    pub functions: BTreeMap<String, Function>,
}

/// A function that a provider offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The parameter that takes all further arguments.
    pub variadic: Option<Parameter>,
    /// The type of the answer.
    pub result: Type,
    /// One sentence; may be empty.
    pub summary: String,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Whether null is a valid argument.
    pub allow_null: bool,
    /// Whether an argument may be, or hold, an unknown value.
    pub allow_unknown: bool,
    /// What the provider says about it; may be empty.
    pub description: String,
}

impl Block {
    /// The attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// The nested block of that name.
    pub fn nested(&self, name: &str) -> Option<&NestedBlock> {
        self.blocks.iter().find(|b| b.name == name)
    }

    /// The type of an object that holds the block: what the wire and records encode.
    ///
    /// Blocks that occur often and hold an attribute of any type are of any type themselves: their
    /// elements need not agree.
    pub fn implied_type(&self) -> Type {
        let attributes = self
            .attributes
            .iter()
            .map(|a| (a.name.clone(), a.kind.implied_type()));
        let blocks = self
            .blocks
            .iter()
            .map(|b| (b.name.clone(), b.implied_type()));
        Type::Object(attributes.chain(blocks).collect(), Vec::new())
    }
}

impl NestedBlock {
    /// The type of the property that holds the block.
    pub fn implied_type(&self) -> Type {
        let inner = self.block.implied_type();
        match self.nesting {
            Nesting::List | Nesting::Map if inner.has_dynamic() => Type::Dynamic,
            nesting => nest(nesting, inner),
        }
    }
}

impl Type {
    /// Whether a part of the type is known only from a value.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Self::Dynamic => true,
            Self::List(inner) | Self::Set(inner) | Self::Map(inner) => inner.has_dynamic(),
            Self::Object(attributes, _) => attributes.values().any(Self::has_dynamic),
            Self::Tuple(items) => items.iter().any(Self::has_dynamic),
            Self::Bool | Self::Number | Self::String => false,
        }
    }
}

impl AttributeKind {
    /// The type of the attribute's value.
    pub fn implied_type(&self) -> Type {
        match self {
            Self::Value(kind) => kind.clone(),
            Self::Nested(nesting, attributes) => {
                let object = attributes
                    .iter()
                    .map(|a| (a.name.clone(), a.kind.implied_type()));
                nest(*nesting, Type::Object(object.collect(), Vec::new()))
            }
        }
    }
}

fn nest(nesting: Nesting, inner: Type) -> Type {
    match nesting {
        Nesting::Single | Nesting::Group => inner,
        Nesting::List => Type::List(Box::new(inner)),
        Nesting::Set => Type::Set(Box::new(inner)),
        Nesting::Map => Type::Map(Box::new(inner)),
    }
}
