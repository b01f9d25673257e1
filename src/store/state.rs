//! The graph of records in a place: head, records, outputs, transactions.

mod outputs;
mod records;
#[cfg(test)]
mod tests;
mod transactions;

pub use records::Records;
pub use transactions::OpenTransaction;

use crate::{Error, Object, Objects, Version, Written};
use pravo_state::meta::{FORMAT, MetaError};
use pravo_state::{Meta, Outside};
use std::ops::Deref;
use std::sync::Arc;

/// The key of the head of a state.
const META: &str = "meta.json";

/// A thing as it is kept, and which bytes it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept<T> {
    /// The thing.
    pub value: T,
    /// Its bytes, for the condition of the next write.
    pub version: Version,
}

impl<T> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// An opened state. Cloning it is cheap.
#[derive(Clone)]
pub struct State {
    objects: Arc<dyn Objects>,
    meta: Option<Arc<Meta>>,
    writable: bool,
}

impl State {
    /// Opens a state to read it. Where there is none it is empty, and nothing is made.
    ///
    /// # Errors
    /// A newer format, a broken head, records without a head, or a place that can't be read.
    pub async fn open_read(objects: Arc<dyn Objects>) -> Result<Self, Error> {
        let meta = read_meta(objects.as_ref()).await?;
        if meta.is_none() {
            refuse_headless(objects.as_ref()).await?;
        }
        Ok(Self {
            objects,
            meta: meta.map(Arc::new),
            writable: false,
        })
    }

    /// Opens a state to write it, and makes it where there is none.
    ///
    /// # Errors
    /// As [`State::open_read`], or a place that can't be written. A state of a newer format is
    /// refused before anything is written.
    pub async fn open_write(
        objects: Arc<dyn Objects>,
        outside: &dyn Outside,
    ) -> Result<Self, Error> {
        let found = read_meta(objects.as_ref()).await?;
        if found.is_none() {
            refuse_headless(objects.as_ref()).await?;
        }
        objects.prepare().await?;
        let meta = match found {
            Some(meta) => meta,
            None => make_meta(objects.as_ref(), outside).await?,
        };
        Ok(Self {
            objects,
            meta: Some(Arc::new(meta)),
            writable: true,
        })
    }

    /// The head of the state; nothing where no command has written one yet.
    pub fn meta(&self) -> Option<&Meta> {
        self.meta.as_deref()
    }

    /// The name of the state for its whole life.
    pub fn lineage(&self) -> Option<&str> {
        self.meta().map(|meta| meta.lineage.as_str())
    }

    /// How the place is shown to people.
    pub fn place(&self) -> &str {
        self.objects.place()
    }

    /// The place.
    pub fn objects(&self) -> &Arc<dyn Objects> {
        &self.objects
    }

    /// The path of an object, as people are shown it.
    pub(crate) fn shown(&self, key: &str) -> String {
        format!("{}/{key}", self.place())
    }

    fn check_writable(&self) -> Result<(), Error> {
        if self.writable {
            return Ok(());
        }
        Err(Error::ReadOnly {
            place: self.place().to_owned(),
        })
    }

    /// Makes an object that must not exist. When the answer is lost or is no, the object is read
    /// back: if it holds these very bytes they are ours.
    pub(crate) async fn create(&self, key: &str, text: String) -> Result<Written, Error> {
        self.check_writable()?;
        let bytes = text.into_bytes();
        let answer = self.objects.create(key, bytes.clone()).await;
        self.read_back(key, &bytes, answer).await
    }

    /// Replaces an object that must have that version; reads back as [`State::create`] does.
    pub(crate) async fn replace(
        &self,
        key: &str,
        text: String,
        version: &Version,
    ) -> Result<Written, Error> {
        self.check_writable()?;
        let bytes = text.into_bytes();
        let answer = self.objects.replace(key, bytes.clone(), version).await;
        self.read_back(key, &bytes, answer).await
    }

    async fn read_back(
        &self,
        key: &str,
        bytes: &[u8],
        answer: Result<Written, Error>,
    ) -> Result<Written, Error> {
        if let Ok(Written::Done(_)) = answer {
            return answer;
        }
        match self.objects.get(key).await {
            Ok(Some(Object {
                bytes: kept,
                version,
            })) if kept == bytes => Ok(Written::Done(version)),
            _ => answer,
        }
    }

    /// Deletes an object that must have that version; whether it did. When the answer is lost and
    /// the object is gone, it did.
    pub(crate) async fn delete(&self, key: &str, version: &Version) -> Result<bool, Error> {
        self.check_writable()?;
        match self.objects.delete(key, version).await {
            Ok(done) => Ok(done),
            Err(error) => match self.objects.get(key).await {
                Ok(None) => Ok(true),
                _ => Err(error),
            },
        }
    }

    fn broken(&self, key: &str, problem: impl Into<String>) -> Error {
        Error::Broken {
            file: self.shown(key),
            problem: problem.into(),
        }
    }
}

async fn read_meta(objects: &dyn Objects) -> Result<Option<Meta>, Error> {
    let Some(object) = objects.get(META).await? else {
        return Ok(None);
    };
    let place = || objects.place().to_owned();
    match Meta::parse(&object.bytes) {
        Ok(meta) => Ok(Some(meta)),
        Err(MetaError::Newer(format)) => Err(Error::Newer {
            place: place(),
            format,
        }),
        Err(MetaError::Wrong(problem)) => Err(Error::Broken {
            file: format!("{}/{META}", place()),
            problem,
        }),
    }
}

/// A head that is missing beside records was lost; making a new one would hide that.
async fn refuse_headless(objects: &dyn Objects) -> Result<(), Error> {
    if objects.list("resources/").await?.is_empty() {
        return Ok(());
    }
    Err(Error::Broken {
        file: format!("{}/{META}", objects.place()),
        problem: format!(
            "is missing though there are records; put it back (format {FORMAT}, and the lineage \
             that saved plans of this state name)"
        ),
    })
}

async fn make_meta(objects: &dyn Objects, outside: &dyn Outside) -> Result<Meta, Error> {
    let made = Meta::make(outside);
    let answer = objects.create(META, made.to_text().into_bytes()).await;
    if let Ok(Written::Done(_)) = answer {
        return Ok(made);
    }
    // Another command was first, or the answer was lost: what is there counts.
    match read_meta(objects).await? {
        Some(meta) => Ok(meta),
        None => Err(answer.err().unwrap_or(Error::Conflict {
            file: format!("{}/{META}", objects.place()),
        })),
    }
}
