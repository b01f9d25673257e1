//! A place in memory, with faults on demand, for tests.

use crate::{Answer, Error, Object, Objects, Version, Written};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What goes wrong at an operation, counted from 0 over all operations of the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The operation is not done and fails.
    NotDone,
    /// The operation is done, and the answer is lost.
    AnswerLost,
    /// The operation is not done; it and all later ones fail, as if the process had died.
    Dead,
}

/// Objects in memory.
pub struct MemoryObjects {
    inner: Mutex<Inner>,
    folds_case: bool,
}

#[derive(Default)]
struct Inner {
    objects: BTreeMap<String, (String, Vec<u8>, u64)>,
    faults: BTreeMap<u64, Fault>,
    operations: u64,
    written: u64,
    dead: bool,
}

impl MemoryObjects {
    /// An empty place.
    pub fn new() -> Self {
        Self {
            inner: Mutex::new(Inner::default()),
            folds_case: false,
        }
    }

    /// An empty place that does not tell upper from lower case, as some file systems.
    pub fn folding_case() -> Self {
        Self {
            folds_case: true,
            ..Self::new()
        }
    }

    /// Lets the operation with that number go wrong; the next one has the number
    /// [`MemoryObjects::operations`].
    pub fn inject(&self, operation: u64, fault: Fault) {
        self.lock().faults.insert(operation, fault);
    }

    /// How many operations there were.
    pub fn operations(&self) -> u64 {
        self.lock().operations
    }

    /// How many bytes were written.
    pub fn bytes_written(&self) -> u64 {
        self.lock().written
    }

    /// Makes the place answer again after [`Fault::Dead`], without any fault to come.
    pub fn revive(&self) {
        let mut inner = self.lock();
        inner.dead = false;
        inner.faults.clear();
    }

    /// Puts bytes whatever is there, as a hand from outside would.
    pub fn plant(&self, key: &str, bytes: impl Into<Vec<u8>>) {
        let mut inner = self.lock();
        inner.put(self.fold(key), key, bytes.into());
    }

    /// All keys and their bytes.
    pub fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let inner = self.lock();
        let objects = inner.objects.values();
        objects
            .map(|(key, bytes, _)| (key.clone(), bytes.clone()))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fold(&self, key: &str) -> String {
        if self.folds_case {
            key.to_ascii_lowercase()
        } else {
            key.to_owned()
        }
    }

    /// One operation, with the fault that is due. Others run before it and after it.
    async fn operate<T>(&self, work: impl FnOnce(&mut Inner) -> T) -> Result<T, Error> {
        tokio::task::yield_now().await;
        let mut inner = self.lock();
        let number = inner.operations;
        inner.operations += 1;
        let fault = inner.faults.get(&number).copied();
        inner.dead |= fault == Some(Fault::Dead);
        if inner.dead || fault == Some(Fault::NotDone) {
            return Err(broken("was injected"));
        }
        let done = work(&mut inner);
        match fault {
            Some(_) => Err(broken("was injected after the work")),
            None => Ok(done),
        }
    }
}

impl Inner {
    fn put(&mut self, folded: String, key: &str, bytes: Vec<u8>) -> Version {
        self.written += bytes.len() as u64;
        let serial = self.operations * 1000 + self.written % 1000;
        let kept = self.objects.entry(folded);
        let entry = kept.or_insert_with(|| (key.to_owned(), Vec::new(), 0));
        let serial = serial.max(entry.2 + 1);
        entry.1 = bytes;
        entry.2 = serial;
        version_of(serial)
    }

    fn is_at(&self, folded: &str, version: &Version) -> bool {
        let kept = self.objects.get(folded);
        kept.is_some_and(|(_, _, serial)| version_of(*serial) == *version)
    }
}

fn version_of(serial: u64) -> Version {
    Version::new(&serial.to_string())
}

fn broken(problem: &str) -> Error {
    Error::Io {
        what: "reach the place in memory".to_owned(),
        source: std::io::Error::other(format!("a fault {problem}")),
    }
}

impl Default for MemoryObjects {
    fn default() -> Self {
        Self::new()
    }
}

impl Objects for MemoryObjects {
    fn place(&self) -> &'static str {
        "memory"
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(self.operate(|_| ()))
    }

    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Object>> {
        let folded = self.fold(key);
        Box::pin(self.operate(move |inner| {
            let (_, bytes, serial) = inner.objects.get(&folded)?;
            Some(Object {
                bytes: bytes.clone(),
                version: version_of(*serial),
            })
        }))
    }

    fn create<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Answer<'a, Written> {
        let folded = self.fold(key);
        Box::pin(self.operate(move |inner| {
            if inner.objects.contains_key(&folded) {
                return Written::Refused;
            }
            Written::Done(inner.put(folded, key, bytes))
        }))
    }

    fn replace<'a>(
        &'a self,
        key: &'a str,
        bytes: Vec<u8>,
        version: &'a Version,
    ) -> Answer<'a, Written> {
        let folded = self.fold(key);
        Box::pin(self.operate(move |inner| {
            if !inner.is_at(&folded, version) {
                return Written::Refused;
            }
            Written::Done(inner.put(folded, key, bytes))
        }))
    }

    fn delete<'a>(&'a self, key: &'a str, version: &'a Version) -> Answer<'a, bool> {
        let folded = self.fold(key);
        Box::pin(self.operate(move |inner| {
            inner.is_at(&folded, version) && inner.objects.remove(&folded).is_some()
        }))
    }

    fn list<'a>(&'a self, prefix: &'a str) -> Answer<'a, Vec<String>> {
        let folded = self.fold(prefix);
        Box::pin(self.operate(move |inner| {
            let kept = inner.objects.iter();
            let kept = kept
                .filter(|(key, _)| key.starts_with(&folded) && !key[folded.len()..].contains('/'));
            let mut keys: Vec<String> = kept.map(|(_, (key, _, _))| key.clone()).collect();
            keys.sort();
            keys
        }))
    }
}

#[cfg(test)]
mod tests;
