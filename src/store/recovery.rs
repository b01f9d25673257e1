//! What a failing place did not take: written beside the specification, and put back later.

use crate::{Error, Kept, State};
use pravo_state::json::{Fields, Writer};
use pravo_state::{Address, Record, Revision, Time, TransactionId};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The form of the file.
const FORMAT: u64 = 1;

/// One write that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The node.
    pub addr: Address,
    /// What the state held before the write.
    pub expects: Revision,
    /// The record that was to be kept; nothing when it was to be removed.
    pub record: Option<Record>,
}

/// All writes of a run that were refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// The run.
    pub txn: TransactionId,
    /// The state it wrote.
    pub lineage: String,
    /// When.
    pub created: Time,
    /// The writes.
    pub writes: Vec<Refused>,
}

/// How putting back went for one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PutBack {
    /// The record is as the run left it.
    Done,
    /// It was there already.
    Already,
    /// The state holds something that the run did not know of; it is left alone.
    Moved {
        /// What it holds.
        found: Revision,
    },
}

impl Recovery {
    /// The name of the file of a run.
    pub fn file_name(txn: &TransactionId) -> String {
        format!("pravo.recovery-{txn}.json")
    }

    /// The text of the file. It holds attributes, secrets included.
    pub fn to_text(&self) -> String {
        let writes: Vec<Value> = self.writes.iter().map(Refused::to_value).collect();
        let mut out = Writer::new();
        out.put("format", FORMAT)
            .put_text("txn", &self.txn)
            .put("lineage", self.lineage.as_str())
            .put_text("created", &self.created)
            .put("writes", writes);
        out.text()
    }

    /// Writes the file into a directory, for its user alone, and replaces one of the same run.
    ///
    /// # Errors
    /// What the system answers; then the text has to be shown, or it is lost.
    pub fn save(&self, directory: &Path) -> std::io::Result<PathBuf> {
        let path = directory.join(Self::file_name(&self.txn));
        let part = path.with_extension("json.part");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let mut file = options.open(&part)?;
        file.write_all(self.to_text().as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&part, &path)?;
        std::fs::File::open(directory)?.sync_all()?;
        Ok(path)
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut fields = Fields::parse(bytes)?;
        let format: u64 = fields.take("format")?;
        if format > FORMAT {
            return Err(format!("was written by a newer pravo (format {format})"));
        }
        let writes: Vec<&RawValue> = fields.take("writes")?;
        let writes: Result<Vec<Refused>, String> =
            writes.iter().map(|raw| Refused::parse(raw.get())).collect();
        Ok(Self {
            txn: fields.take("txn")?,
            lineage: fields.take("lineage")?,
            created: fields.take("created")?,
            writes: writes?,
        })
    }
}

impl Refused {
    fn to_value(&self) -> Value {
        let mut expects = Writer::new();
        expects
            .put("revision", self.expects.count)
            .put_some("generation", self.expects.generation.as_ref());
        let mut out = Writer::new();
        out.put_text("addr", &self.addr)
            .put("expects", expects.value());
        if let Some(record) = &self.record {
            let record: Map<String, Value> =
                serde_json::from_str(&record.to_text()).unwrap_or_default();
            out.put("record", record);
        }
        out.value()
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut fields = Fields::parse(text.as_bytes())?;
        let mut expects = Fields::parse(fields.raw("expects").unwrap_or("{}").as_bytes())?;
        let record = fields.raw("record");
        let record = record
            .map(|text| Record::parse(text.as_bytes()))
            .transpose()?;
        Ok(Self {
            addr: Address::parse(&fields.take::<String>("addr")?)?,
            expects: Revision {
                count: expects.take("revision")?,
                generation: expects.optional("generation")?,
            },
            record,
        })
    }
}

impl State {
    /// Puts back one refused write if the state still holds what the run found there. The lock of
    /// the node must be held, as for any write.
    ///
    /// # Errors
    /// A record that can't be read or written.
    pub async fn put_back(&self, refused: &Refused) -> Result<PutBack, Error> {
        let kept = self.record(&refused.addr).await?;
        if is_done(kept.as_ref(), refused.record.as_ref()) {
            return Ok(PutBack::Already);
        }
        let found = kept.as_ref().map_or_else(Revision::none, |kept| kept.at());
        if found != refused.expects {
            return Ok(PutBack::Moved { found });
        }
        match (&refused.record, &kept) {
            (Some(record), kept) => {
                let version = kept.as_ref().map(|kept| &kept.version);
                self.put_record(record, version).await?;
            }
            (None, Some(kept)) => self.delete_record(&refused.addr, &kept.version).await?,
            (None, None) => {}
        }
        Ok(PutBack::Done)
    }
}

fn is_done(kept: Option<&Kept<Record>>, wanted: Option<&Record>) -> bool {
    match (kept, wanted) {
        (Some(kept), Some(wanted)) => kept.value == *wanted,
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
