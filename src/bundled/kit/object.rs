//! The values of one type's attributes, by name.

use pravo_state::Data;
use std::collections::BTreeMap;

/// The values of one type's attributes. An attribute that is not there is null.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object(BTreeMap<String, Data>);

impl Object {
    /// The attributes of a value; nothing for null and for values that are no object.
    pub fn of(data: &Data) -> Option<Self> {
        match data {
            Data::Map(entries) => Some(Self(entries.clone())),
            _ => None,
        }
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> &Data {
        self.0.get(name).unwrap_or(&Data::Null)
    }

    /// Sets an attribute.
    pub fn set(&mut self, name: &str, value: impl Into<Data>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// The same with an attribute set.
    pub fn with(mut self, name: &str, value: impl Into<Data>) -> Self {
        self.set(name, value);
        self
    }

    /// The text of an attribute; nothing when it is null, unknown or no text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).as_str()
    }

    /// The number of an attribute that holds whole numbers.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.get(name) {
            Data::Number(number) => number.as_i64(),
            _ => None,
        }
    }

    /// The value of an attribute that holds true or false.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name) {
            Data::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The elements of an attribute that holds a list; none when it is null.
    pub fn list(&self, name: &str) -> &[Data] {
        match self.get(name) {
            Data::List(items) => items,
            _ => &[],
        }
    }

    /// The entries of an attribute that holds a map.
    pub fn map(&self, name: &str) -> Option<&BTreeMap<String, Data>> {
        match self.get(name) {
            Data::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The values by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Data)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl From<Object> for Data {
    fn from(object: Object) -> Self {
        Self::Map(object.0)
    }
}

impl<const N: usize> From<[(&str, Data); N]> for Object {
    fn from(entries: [(&str, Data); N]) -> Self {
        Self(
            entries
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }
}
