//! The suite itself: it passes good places, and a place that ignores conditions fails it.

use super::*;
use crate::{Answer, DirObjects, MemoryObjects};
use std::sync::atomic::{AtomicUsize, Ordering};

async fn suite(objects: impl Objects) -> Result<(), Failure> {
    let objects: Arc<dyn Objects> = Arc::new(objects);
    objects.prepare().await?;
    check(&objects, "check", 5).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/state");
    suite(DirObjects::new(&path, "state")).await.unwrap();
    let left: Vec<_> = std::fs::read_dir(path.join("check")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_passes() {
    suite(MemoryObjects::new()).await.unwrap();
    suite(MemoryObjects::folding_case()).await.unwrap();
}

/// A place that answers as if there was no condition.
struct Careless {
    inner: MemoryObjects,
    ignores: &'static str,
    ignored: AtomicUsize,
}

impl Careless {
    async fn force(&self, key: &str, bytes: Vec<u8>) -> Result<Written, Error> {
        self.ignored.fetch_add(1, Ordering::Relaxed);
        self.inner.plant(key, bytes);
        let kept = self.inner.get(key).await?;
        Ok(kept.map_or(Written::Refused, |object| Written::Done(object.version)))
    }
}

impl Objects for Careless {
    fn place(&self) -> &str {
        self.ignores
    }

    fn prepare(&self) -> Answer<'_, ()> {
        self.inner.prepare()
    }

    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Object>> {
        self.inner.get(key)
    }

    fn create<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Answer<'a, Written> {
        if self.ignores == "create" {
            return Box::pin(self.force(key, bytes));
        }
        self.inner.create(key, bytes)
    }

    fn replace<'a>(
        &'a self,
        key: &'a str,
        bytes: Vec<u8>,
        version: &'a Version,
    ) -> Answer<'a, Written> {
        if self.ignores == "replace" {
            return Box::pin(self.force(key, bytes));
        }
        self.inner.replace(key, bytes, version)
    }

    fn delete<'a>(&'a self, key: &'a str, version: &'a Version) -> Answer<'a, bool> {
        if self.ignores != "delete" {
            return self.inner.delete(key, version);
        }
        Box::pin(async move {
            let kept = self.inner.get(key).await?;
            match kept {
                Some(object) => self.inner.delete(key, &object.version).await,
                None => Ok(true),
            }
        })
    }

    fn list<'a>(&'a self, prefix: &'a str) -> Answer<'a, Vec<String>> {
        self.inner.list(prefix)
    }
}

#[tokio::test]
async fn a_place_that_ignores_a_condition_fails_and_the_condition_is_named() {
    for (ignores, named) in [
        ("create", "an object is made only where there is none"),
        ("replace", "an absent object can't be replaced"),
        ("delete", "an absent object can't be deleted"),
    ] {
        let careless = Careless {
            inner: MemoryObjects::new(),
            ignores,
            ignored: AtomicUsize::new(0),
        };
        let failure = suite(careless).await.unwrap_err().to_string();
        assert!(failure.starts_with(named), "{failure}");
    }
}
