//! Records of a state, each written on its own.

use super::{Kept, State};
use crate::{Error, Object, Version, Written};
use pravo_state::{Address, Record, name};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinSet;

/// All records of a state, by address.
pub type Records = BTreeMap<Address, Kept<Record>>;

/// How many records one piece of reading takes.
const PIECE: usize = 512;

/// How many pieces are read at once.
const PIECES: usize = 4;

impl State {
    /// The record of a node; nothing when there is none.
    ///
    /// # Errors
    /// A record that can't be read, that is broken or of another address: never "no record".
    pub async fn record(&self, addr: &Address) -> Result<Option<Kept<Record>>, Error> {
        let key = record_key(addr);
        let Some(object) = self.objects.get(&key).await? else {
            return Ok(None);
        };
        let kept = self.parse_record(&key, &object)?;
        if kept.addr != *addr {
            return Err(self.misplaced(&key, &kept.addr, addr));
        }
        Ok(Some(kept))
    }

    /// All records, read in parallel.
    ///
    /// # Errors
    /// As [`State::record`], for the first broken one in the order of file names.
    pub async fn records(&self) -> Result<Records, Error> {
        let keys = self.objects.list("resources/").await?;
        let keys: Vec<String> = keys.into_iter().filter(|k| k.ends_with(".json")).collect();
        let mut pieces = keys.chunks(PIECE).map(<[String]>::to_vec).enumerate();
        let mut running = JoinSet::new();
        let mut read: BTreeMap<usize, Result<Vec<Kept<Record>>, Error>> = BTreeMap::new();
        loop {
            while running.len() < PIECES {
                let Some((at, keys)) = pieces.next() else {
                    break;
                };
                let state = self.clone();
                running.spawn(async move { (at, state.read_piece(keys).await) });
            }
            match running.join_next().await {
                Some(Ok((at, piece))) => read.insert(at, piece),
                Some(Err(stopped)) => return Err(self.stopped(&stopped)),
                None => break,
            };
        }
        let mut records = Records::new();
        for piece in read.into_values() {
            records.extend(piece?.into_iter().map(|kept| (kept.addr.clone(), kept)));
        }
        Ok(records)
    }

    async fn read_piece(&self, keys: Vec<String>) -> Result<Vec<Kept<Record>>, Error> {
        let objects = self.objects.get_many(&keys).await?;
        let state = self.clone();
        let parsed = tokio::task::spawn_blocking(move || {
            let found = keys.iter().zip(objects);
            // What was removed since it was listed is gone.
            let found = found.filter_map(|(key, object)| Some((key, object?)));
            found
                .map(|(key, object)| state.parse_listed(key, &object))
                .collect()
        });
        parsed
            .await
            .unwrap_or_else(|stopped| Err(self.stopped(&stopped)))
    }

    fn parse_listed(&self, key: &str, object: &Object) -> Result<Kept<Record>, Error> {
        let kept = self.parse_record(key, object)?;
        if record_key(&kept.addr) != key {
            let problem = format!(
                "is the record of {}, whose file has another name",
                kept.addr
            );
            return Err(self.broken(key, problem));
        }
        Ok(kept)
    }

    fn parse_record(&self, key: &str, object: &Object) -> Result<Kept<Record>, Error> {
        let value = Record::parse(&object.bytes).map_err(|problem| self.broken(key, problem))?;
        Ok(Kept {
            value,
            version: object.version.clone(),
        })
    }

    /// Writes the record of a node: a new one where `expected` is nothing, else in place of the
    /// record that was read with that version. The answer is the new version.
    ///
    /// # Errors
    /// [`Error::Conflict`] when another command wrote, made or removed it, [`Error::Collision`]
    /// when the place joins two addresses, or a place that can't be written. After any other
    /// error nobody knows what is kept.
    pub async fn put_record(
        &self,
        record: &Record,
        expected: Option<&Version>,
    ) -> Result<Version, Error> {
        let key = record_key(&record.addr);
        let text = record.to_text();
        let written = match expected {
            None => self.create(&key, text).await?,
            Some(version) => self.replace(&key, text, version).await?,
        };
        match written {
            Written::Done(version) => Ok(version),
            Written::Refused => {
                // Of another address, it names the collision.
                self.record(&record.addr).await?;
                Err(self.conflict(&key))
            }
        }
    }

    /// Removes the record of a node, which must have the version it was read with.
    ///
    /// # Errors
    /// [`Error::Conflict`] when another command wrote or removed it, or a place that can't be
    /// written.
    pub async fn delete_record(&self, addr: &Address, expected: &Version) -> Result<(), Error> {
        let key = record_key(addr);
        if self.delete(&key, expected).await? {
            return Ok(());
        }
        Err(self.conflict(&key))
    }

    fn conflict(&self, key: &str) -> Error {
        Error::Conflict {
            file: self.shown(key),
        }
    }

    /// An object that says it is of another address than its name.
    pub(crate) fn misplaced(&self, key: &str, found: &Address, wanted: &Address) -> Error {
        let (a, b) = (name::encode(found), name::encode(wanted));
        if a.eq_ignore_ascii_case(&b) {
            return Error::Collision {
                kept: found.clone(),
                wanted: wanted.clone(),
            };
        }
        self.broken(key, format!("is of {found}, not of {wanted}"))
    }

    fn stopped(&self, stopped: &tokio::task::JoinError) -> Error {
        Error::Io {
            what: format!("read {}", self.place()),
            source: std::io::Error::other(stopped.to_string()),
        }
    }

    /// Whether two addresses would have one name in a place that does not tell upper from lower
    /// case: the pairs among these, for a place that is about to take them all.
    pub fn case_pairs<'a>(addrs: impl IntoIterator<Item = &'a Address>) -> Vec<(Address, Address)> {
        let mut seen: BTreeMap<Arc<str>, &Address> = BTreeMap::new();
        let mut pairs = Vec::new();
        for addr in addrs {
            let folded: Arc<str> = name::encode(addr).to_ascii_lowercase().into();
            match seen.get(&folded) {
                Some(first) => pairs.push(((*first).clone(), addr.clone())),
                None => {
                    seen.insert(folded, addr);
                }
            }
        }
        pairs
    }
}

fn record_key(addr: &Address) -> String {
    format!("resources/{}.json", name::encode(addr))
}
