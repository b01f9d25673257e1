//! A place that keeps objects by key: what a directory and a bucket have in common.

use crate::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

/// The answer of a place, when it comes.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// Which bytes of an object are meant: an entity tag, or a digest of the bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version(Arc<str>);

impl Version {
    /// A version by the text its place gives it.
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The bytes of an object and which they are.
#[derive(Clone, PartialEq, Eq)]
pub struct Object {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Their version.
    pub version: Version,
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Object({} bytes, {})", self.bytes.len(), self.version)
    }
}

/// What became of a conditional write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// The object holds the bytes, whole and durably.
    Done(Version),
    /// The condition did not hold; nothing was changed.
    Refused,
}

/// A place that keeps objects. Keys are a name, or a folder, `/` and a name.
///
/// All of an object's bytes are there or none, at every moment and after a crash. Of writers that
/// race for one condition exactly one is answered [`Written::Done`]. After an error nobody knows
/// whether the object was written: read it back.
pub trait Objects: Send + Sync + 'static {
    /// How the place is shown to people, such as `./pravo.state`.
    fn place(&self) -> &str;

    /// Makes the place where it has to be made. Nothing else does, so that commands that only
    /// read leave nothing behind.
    fn prepare(&self) -> Answer<'_, ()>;

    /// The object of that key; nothing when there is none.
    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Object>>;

    /// Makes an object that must not exist.
    fn create<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Answer<'a, Written>;

    /// Replaces an object that must have that version.
    fn replace<'a>(
        &'a self,
        key: &'a str,
        bytes: Vec<u8>,
        version: &'a Version,
    ) -> Answer<'a, Written>;

    /// Deletes an object that must have that version; whether it did.
    fn delete<'a>(&'a self, key: &'a str, version: &'a Version) -> Answer<'a, bool>;

    /// The keys that start with a text, sorted. What was kept before the call is listed; what is
    /// made or removed during it may be.
    fn list<'a>(&'a self, prefix: &'a str) -> Answer<'a, Vec<String>>;

    /// The objects of many keys, in their order.
    fn get_many<'a>(&'a self, keys: &'a [String]) -> Answer<'a, Vec<Option<Object>>> {
        Box::pin(async move {
            let mut objects = Vec::with_capacity(keys.len());
            for key in keys {
                objects.push(self.get(key).await?);
            }
            Ok(objects)
        })
    }
}
