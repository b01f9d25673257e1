//! Where inside an object a value stands.

use std::fmt;

/// One step from an object, list or map to a value inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathStep {
    /// An attribute or block of an object, by name.
    Attribute(String),
    /// An entry of a map, by key.
    Key(String),
    /// An element of a list or tuple, counted from 0.
    Index(usize),
}

/// The way to a value inside the object of one node. A set element cannot be named: a path stops
/// at the set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(pub Vec<PathStep>);

impl Path {
    /// The path to an attribute of the object itself.
    pub fn attribute(name: impl Into<String>) -> Self {
        Self(vec![PathStep::Attribute(name.into())])
    }

    /// The path that goes one step deeper.
    pub fn then(&self, step: PathStep) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    /// The path to an attribute of the object that stands at this path.
    pub fn then_attribute(&self, name: impl Into<String>) -> Self {
        self.then(PathStep::Attribute(name.into()))
    }
}

/// `attr`, `attr["key"]`, `attr[0].inner`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                PathStep::Attribute(name) if at == 0 => f.write_str(name)?,
                PathStep::Attribute(name) => write!(f, ".{name}")?,
                PathStep::Key(key) => write!(f, "[{}]", serde_json::Value::from(key.as_str()))?,
                PathStep::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
