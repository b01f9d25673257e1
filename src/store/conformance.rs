//! The suite that every place for objects must pass: what locks and records rely on.
//!
//! It says whether a place may be trusted, in tests and for a store that nobody has tried yet: a
//! place that accepts a condition and ignores it locks nothing.

mod alone;
mod races;

use crate::{Error, Object, Objects, Version, Written};
use std::fmt;
use std::sync::Arc;

/// What a place did wrong.
#[derive(Debug)]
pub enum Failure {
    /// It answered otherwise than it must.
    Wrong {
        /// What must hold, in one sentence.
        rule: &'static str,
        /// What was seen.
        seen: String,
    },
    /// It did not answer.
    Error(Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong { rule, seen } => write!(f, "{rule}, but {seen}"),
            Self::Error(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// Tries a place that was prepared, on keys in a folder that nobody else uses, and leaves the
/// folder without objects. `rounds` says how often each race is run.
///
/// # Errors
/// The first rule that does not hold.
pub async fn check(objects: &Arc<dyn Objects>, folder: &str, rounds: usize) -> Result<(), Failure> {
    let place = Place {
        objects: Arc::clone(objects),
        folder: folder.to_owned(),
    };
    place.clear().await?;
    alone::check(&place).await?;
    races::check(&place, rounds).await?;
    place.clear().await
}

/// The place under test, with short names for keys.
#[derive(Clone)]
struct Place {
    objects: Arc<dyn Objects>,
    folder: String,
}

impl Place {
    fn key(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    async fn get(&self, name: &str) -> Result<Option<Object>, Failure> {
        Ok(self.objects.get(&self.key(name)).await?)
    }

    async fn create(&self, name: &str, bytes: &[u8]) -> Result<Written, Failure> {
        let bytes = bytes.to_vec();
        Ok(self.objects.create(&self.key(name), bytes).await?)
    }

    /// Makes an object that is known to be absent.
    async fn made(&self, name: &str, bytes: &[u8]) -> Result<Version, Failure> {
        match self.create(name, bytes).await? {
            Written::Done(version) => Ok(version),
            Written::Refused => wrong("an absent object can be made", "it was refused"),
        }
    }

    async fn replace(
        &self,
        name: &str,
        bytes: &[u8],
        version: &Version,
    ) -> Result<Written, Failure> {
        let bytes = bytes.to_vec();
        Ok(self
            .objects
            .replace(&self.key(name), bytes, version)
            .await?)
    }

    async fn delete(&self, name: &str, version: &Version) -> Result<bool, Failure> {
        Ok(self.objects.delete(&self.key(name), version).await?)
    }

    async fn list(&self, prefix: &str) -> Result<Vec<String>, Failure> {
        Ok(self.objects.list(&self.key(prefix)).await?)
    }

    async fn clear(&self) -> Result<(), Failure> {
        for key in self.list("").await? {
            if let Some(object) = self.objects.get(&key).await? {
                self.objects.delete(&key, &object.version).await?;
            }
        }
        Ok(())
    }
}

fn wrong<T>(rule: &'static str, seen: impl Into<String>) -> Result<T, Failure> {
    let seen = seen.into();
    Err(Failure::Wrong { rule, seen })
}

/// A rule that holds, or what was seen instead.
fn holds(rule: &'static str, as_it_must: bool, seen: impl fmt::Debug) -> Result<(), Failure> {
    if as_it_must {
        return Ok(());
    }
    wrong(rule, format!("{seen:?}"))
}

#[cfg(test)]
mod tests;
