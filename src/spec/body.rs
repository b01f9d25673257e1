//! What the specification says about one node, taken out of the evaluator: a tree of plain parts.

use crate::{Position, SpecErrors};
use pravo_state::Number;

/// A value of the specification.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    String(String),
    /// A list.
    List(Vec<Item>),
    /// A struct: its regular fields, and the required ones that are missing.
    Struct(Vec<Entry>),
    /// Not concrete, and why.
    Open(Open),
    /// Something no provider takes, in words: `bytes`.
    Foreign(&'static str),
}

/// An element of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    /// What it says.
    pub body: Body,
    /// Where it says so.
    pub position: Option<Position>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The label, without quotes.
    pub label: String,
    /// What it says; nothing when the field is required and missing.
    pub body: Option<Body>,
    /// Where it says so.
    pub position: Option<Position>,
}

/// Why a value is not concrete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// It refers to a node, so it may become known with an apply.
    Node,
    /// It refers to nothing: the provider picks the value.
    Nothing,
    /// It is a reference to a part of a node that is known, and null.
    Null,
    /// It depends on something else that is not concrete.
    Depends {
        /// The path it depends on, as the specification names it.
        on: String,
        /// Whether that takes its value from the command line.
        tag: bool,
    },
    /// The evaluation says why.
    Fails(SpecErrors),
}

impl Body {
    /// The fields of a struct; none for anything else.
    pub(crate) fn entries(&self) -> &[Entry] {
        match self {
            Self::Struct(entries) => entries,
            _ => &[],
        }
    }

    /// What a value is, in words, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::List(_) => "list",
            Self::Struct(_) => "struct",
            Self::Open(_) => "a value that is not concrete",
            Self::Foreign(kind) => kind,
        }
    }
}
