//! Plain data: the values that providers, records and plans hold.

use crate::Number;
use std::collections::BTreeMap;

/// A value as a provider sees it, without its type. What a list, set or tuple is, and what a map
/// or object is, the [`crate::Type`] beside it says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Data {
    /// No value.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// An exact decimal number.
    Number(Number),
    /// Text, in Unicode.
    String(String),
    /// The elements of a list, set or tuple, in order.
    List(Vec<Data>),
    /// The entries of a map, or the attributes of an object, by name.
    Map(BTreeMap<String, Data>),
    /// A value of an attribute whose type is only known from the value itself
    /// (`DynamicPseudoType`): the value and its type.
    Dynamic(Box<crate::Type>, Box<Data>),
    /// A value that is known only after an apply.
    Unknown,
}

impl Data {
    /// Whether no part of the value is unknown.
    pub fn is_wholly_known(&self) -> bool {
        match self {
            Self::Unknown => false,
            Self::List(items) => items.iter().all(Self::is_wholly_known),
            Self::Map(entries) => entries.values().all(Self::is_wholly_known),
            Self::Dynamic(_, value) => value.is_wholly_known(),
            _ => true,
        }
    }

    /// Whether the value is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The attribute or entry of that name, of a map.
    pub fn get(&self, name: &str) -> Option<&Data> {
        match self {
            Self::Map(entries) => entries.get(name),
            Self::Dynamic(_, value) => value.get(name),
            _ => None,
        }
    }

    /// The text, of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Data {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Data {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Data {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}
