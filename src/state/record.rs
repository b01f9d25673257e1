//! What is known of one resource or data source.

mod attributes;

pub use attributes::{Attributes, Opaque};

use crate::json::{Fields, Writer};
use crate::{Address, Time, TransactionId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Whether a node is managed by pravo or only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mode {
    /// A resource.
    Managed,
    /// A data source.
    Data,
}

impl Mode {
    /// The word for it: `managed` or `data`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Data => "data",
        }
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which writing of a record is meant: how often it was written, and the transaction that created
/// it. The count of an address without record is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Revision {
    /// Writes so far.
    pub count: u64,
    /// The transaction that created the record; old records have none.
    pub generation: Option<TransactionId>,
}

/// How a record stands to what somebody expects of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is as expected.
    Same,
    /// It was written, created or removed since.
    Moved,
    /// It was removed and created again, though it may have the expected count.
    Recreated,
}

impl Revision {
    /// No record.
    pub fn none() -> Self {
        Self::default()
    }

    /// Compares with what was expected. Where one of the two has no generation, only the counts
    /// are compared.
    pub fn fit(&self, expected: &Self) -> Fit {
        match (&self.generation, &expected.generation) {
            (Some(a), Some(b)) if a != b => Fit::Recreated,
            _ if self.count == expected.count => Fit::Same,
            _ => Fit::Moved,
        }
    }
}

/// An object that a replacement took the place of and that is not deleted yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Deposed {
    /// Eight hexadecimal digits.
    pub key: String,
    /// The attributes of the old object.
    pub attributes: Attributes,
    /// What its provider keeps with it.
    pub private: Option<Opaque>,
    /// The schema version of the attributes.
    pub schema_version: i64,
    /// The transaction that replaced it.
    pub txn: TransactionId,
}

/// One node as the state holds it, `resources/A.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The address of the node.
    pub addr: Address,
    /// Resource or data source.
    pub mode: Mode,
    /// The provider's type, such as `local_file`.
    pub kind: String,
    /// The last step of the path; an index as digits.
    pub name: String,
    /// The source of the provider, with its host.
    pub provider: String,
    /// The key of the provider instance.
    pub provider_key: String,
    /// The version of the provider that wrote the record.
    pub provider_version: String,
    /// The schema version of the type.
    pub schema_version: i64,
    /// The attributes as the provider returned them.
    pub attributes: Attributes,
    /// What the provider keeps with the object.
    pub private: Option<Opaque>,
    /// The nodes it depended on directly when it was applied, sorted.
    pub dependencies: Vec<Address>,
    /// The digest of the configuration the provider last saw; empty after an apply that stopped
    /// halfway.
    pub config_hash: String,
    /// The digest of where the provider instance points.
    pub provider_config: Option<String>,
    /// Since when reads find it different from its record.
    pub drifted_at: Option<Time>,
    /// A read found the object gone.
    pub gone: bool,
    /// Counts the writes of the node.
    pub revision: u64,
    /// The transaction that created the record.
    pub generation: Option<TransactionId>,
    /// When the provider last reported it; nothing asks for a read whatever its age.
    pub refreshed_at: Option<Time>,
    /// When the object was last created or changed; data sources have none.
    pub applied_at: Option<Time>,
    /// When the record was last written.
    pub updated_at: Option<Time>,
    /// The transaction that last wrote it.
    pub txn: Option<TransactionId>,
    /// The object was not completed and is to be replaced.
    pub tainted: bool,
    /// It must not be destroyed.
    pub prevent_destroy: bool,
    /// It is forgotten instead of destroyed (`destroy: false` in the file).
    pub forget: bool,
    /// Its replacement is created first.
    pub create_before_destroy: bool,
    /// Replaced objects that are not deleted yet.
    pub deposed: Vec<Deposed>,
    /// The identity the provider gave it.
    pub identity: Option<Attributes>,
    /// The schema version of the identity.
    pub identity_schema_version: Option<i64>,
    /// Paths of attributes that are never shown, in CUE's form.
    pub sensitive: Vec<String>,
    /// Fields of a newer pravo; they survive a rewrite.
    pub rest: Map<String, Value>,
}

impl Record {
    /// A record of an object about to be known: names filled in from the address, nothing else.
    pub fn new(addr: Address, mode: Mode, kind: impl Into<String>) -> Self {
        Self {
            name: addr.name(),
            addr,
            mode,
            kind: kind.into(),
            provider: String::new(),
            provider_key: String::new(),
            provider_version: String::new(),
            schema_version: 0,
            attributes: Attributes::default(),
            private: None,
            dependencies: Vec::new(),
            config_hash: String::new(),
            provider_config: None,
            drifted_at: None,
            gone: false,
            revision: 1,
            generation: None,
            refreshed_at: None,
            applied_at: None,
            updated_at: None,
            txn: None,
            tainted: false,
            prevent_destroy: false,
            forget: false,
            create_before_destroy: false,
            deposed: Vec::new(),
            identity: None,
            identity_schema_version: None,
            sensitive: Vec::new(),
            rest: Map::new(),
        }
    }

    /// Which writing of the record this is.
    pub fn at(&self) -> Revision {
        Revision {
            count: self.revision,
            generation: self.generation.clone(),
        }
    }

    /// Whether a read found it changed or gone, and no apply has written it since.
    pub fn is_marked(&self) -> bool {
        self.drifted_at.is_some() || self.gone
    }

    /// The canonical text of the record.
    pub fn to_text(&self) -> String {
        let mut out = Writer::new();
        out.put_text("addr", &self.addr)
            .put_text("mode", &self.mode)
            .put("type", self.kind.as_str())
            .put("name", self.name.as_str())
            .put("provider", self.provider.as_str())
            .put("provider_key", self.provider_key.as_str())
            .put("provider_version", self.provider_version.as_str())
            .put("schema_version", self.schema_version)
            .put("attributes", self.attributes.value())
            .put_some("private", self.private.as_ref())
            .put("dependencies", self.dependency_texts())
            .put("config_hash", self.config_hash.as_str())
            .put_some("provider_config", self.provider_config.as_ref())
            .put_some("drifted_at", self.drifted_at.as_ref())
            .put_if("gone", self.gone)
            .put("revision", self.revision)
            .put_some("generation", self.generation.as_ref())
            .put_some("refreshed_at", self.refreshed_at.as_ref())
            .put_some("applied_at", self.applied_at.as_ref())
            .put_some("updated_at", self.updated_at.as_ref())
            .put_some("txn", self.txn.as_ref());
        self.put_extras(&mut out);
        out.put_rest(&self.rest);
        out.text()
    }

    fn put_extras(&self, out: &mut Writer) {
        out.put_if("tainted", self.tainted)
            .put_if("prevent_destroy", self.prevent_destroy);
        if self.forget {
            out.put("destroy", false);
        }
        out.put_if("create_before_destroy", self.create_before_destroy);
        if !self.deposed.is_empty() {
            let deposed: Vec<Value> = self.deposed.iter().map(Deposed::to_value).collect();
            out.put("deposed", deposed);
        }
        if let Some(identity) = &self.identity {
            out.put("identity", identity.value());
        }
        if let Some(version) = self.identity_schema_version {
            out.put("identity_schema_version", version);
        }
        if !self.sensitive.is_empty() {
            out.put("sensitive", self.sensitive.clone());
        }
    }

    fn dependency_texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.dependencies.iter().map(Address::to_string).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    /// Reads the text of a record.
    ///
    /// # Errors
    /// What is wrong with the text; a broken record is never taken for none.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut fields = Fields::parse(bytes)?;
        let mode = match fields.take::<&str>("mode")? {
            "managed" => Mode::Managed,
            "data" => Mode::Data,
            other => return Err(format!("has the unknown mode {other:?}")),
        };
        let addr = Address::parse(&fields.take::<String>("addr")?)?;
        let mut record = Self::new(addr, mode, fields.take::<String>("type")?);
        record.name = fields.take("name")?;
        record.provider = fields.take("provider")?;
        record.provider_key = fields.optional("provider_key")?.unwrap_or_default();
        record.provider_version = fields.optional("provider_version")?.unwrap_or_default();
        record.schema_version = fields.optional("schema_version")?.unwrap_or_default();
        record.attributes = fields.take("attributes")?;
        record.private = fields.optional("private")?;
        record.dependencies = parse_addresses(fields.optional("dependencies")?)?;
        record.config_hash = fields.optional("config_hash")?.unwrap_or_default();
        record.provider_config = fields.optional("provider_config")?;
        record.drifted_at = fields.optional("drifted_at")?;
        record.gone = fields.optional("gone")?.unwrap_or_default();
        record.revision = fields.take("revision")?;
        record.generation = fields.optional("generation")?;
        record.refreshed_at = fields.optional("refreshed_at")?;
        record.applied_at = fields.optional("applied_at")?;
        record.updated_at = fields.optional("updated_at")?;
        record.txn = fields.optional("txn")?;
        record.read_extras(&mut fields)?;
        record.rest = fields.rest();
        if record.revision == 0 {
            return Err("has the revision 0".to_owned());
        }
        Ok(record)
    }

    fn read_extras(&mut self, fields: &mut Fields<'_>) -> Result<(), String> {
        self.tainted = fields.optional("tainted")?.unwrap_or_default();
        self.prevent_destroy = fields.optional("prevent_destroy")?.unwrap_or_default();
        self.forget = fields.optional("destroy")? == Some(false);
        self.create_before_destroy = fields
            .optional("create_before_destroy")?
            .unwrap_or_default();
        self.identity = fields.optional("identity")?;
        self.identity_schema_version = fields.optional("identity_schema_version")?;
        self.sensitive = fields.optional("sensitive")?.unwrap_or_default();
        let deposed: Option<Vec<&serde_json::value::RawValue>> = fields.optional("deposed")?;
        for raw in deposed.unwrap_or_default() {
            self.deposed.push(Deposed::parse(raw.get())?);
        }
        Ok(())
    }
}

impl Deposed {
    fn to_value(&self) -> Value {
        let mut out = Writer::new();
        out.put("key", self.key.as_str())
            .put("attributes", self.attributes.value())
            .put_some("private", self.private.as_ref())
            .put("schema_version", self.schema_version)
            .put_text("txn", &self.txn);
        out.value()
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut fields = Fields::parse(text.as_bytes())?;
        Ok(Self {
            key: fields.take("key")?,
            attributes: fields.take("attributes")?,
            private: fields.optional("private")?,
            schema_version: fields.optional("schema_version")?.unwrap_or_default(),
            txn: fields.take("txn")?,
        })
    }
}

fn parse_addresses(texts: Option<Vec<String>>) -> Result<Vec<Address>, String> {
    let texts = texts.unwrap_or_default();
    texts.iter().map(|text| Address::parse(text)).collect()
}

#[cfg(test)]
mod tests;
