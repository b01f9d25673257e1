//! A directory as a place for objects.
//!
//! Whole or not at all: bytes go to a temporary file in the root of the place, are synced, and get
//! their name by an exclusive link (create) or a rename (replace); then the folder is synced.
//! Compare-and-swap works under `NAME.swap`, which a process holds by a lock of the file system
//! that ends with the process. So what a crash leaves behind, a temporary or a `.swap` file that
//! nobody holds, means nothing: it is never listed, and the next writer removes it.

mod blocking;
mod swap;
#[cfg(test)]
mod tests;

use crate::{Answer, Error, Object, Objects, Version, Written};
use blocking::Root;
use std::path::PathBuf;
use std::sync::Arc;

/// A directory, private to its user (0700, files 0600).
pub struct DirObjects(Arc<Root>);

impl DirObjects {
    /// The directory at a path, which need not exist, and how people are shown it.
    pub fn new(path: impl Into<PathBuf>, shown: impl Into<String>) -> Self {
        Self(Arc::new(Root::new(path.into(), shown.into())))
    }

    /// Runs file work off the caller's thread.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Root) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let root = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || work(&root)).await;
        done.unwrap_or_else(|stopped| {
            Err(Error::Io {
                what: "finish work on files".to_owned(),
                source: std::io::Error::other(stopped.to_string()),
            })
        })
    }
}

impl Objects for DirObjects {
    fn place(&self) -> &str {
        self.0.shown()
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(self.run(Root::prepare))
    }

    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Object>> {
        let key = key.to_owned();
        Box::pin(self.run(move |root| root.get(&key)))
    }

    fn create<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Answer<'a, Written> {
        let key = key.to_owned();
        Box::pin(self.run(move |root| root.create(&key, &bytes)))
    }

    fn replace<'a>(
        &'a self,
        key: &'a str,
        bytes: Vec<u8>,
        version: &'a Version,
    ) -> Answer<'a, Written> {
        let (key, version) = (key.to_owned(), version.clone());
        Box::pin(self.run(move |root| root.replace(&key, &bytes, &version)))
    }

    fn delete<'a>(&'a self, key: &'a str, version: &'a Version) -> Answer<'a, bool> {
        let (key, version) = (key.to_owned(), version.clone());
        Box::pin(self.run(move |root| root.delete(&key, &version)))
    }

    fn list<'a>(&'a self, prefix: &'a str) -> Answer<'a, Vec<String>> {
        let prefix = prefix.to_owned();
        Box::pin(self.run(move |root| root.list(&prefix)))
    }

    fn get_many<'a>(&'a self, keys: &'a [String]) -> Answer<'a, Vec<Option<Object>>> {
        let keys = keys.to_owned();
        Box::pin(self.run(move |root| keys.iter().map(|key| root.get(key)).collect()))
    }
}
