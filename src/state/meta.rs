//! What a state says of itself, `meta.json`.

use crate::json::{Fields, Writer};
use crate::{Outside, Time, holder};
use serde_json::{Map, Value};

/// The form of a state that this pravo reads and writes. It rises only when an old reader would do
/// harm.
pub const FORMAT: u64 = 1;

/// The head of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Meta {
    /// The form of the state.
    pub format: u64,
    /// Names the state for its whole life.
    pub lineage: String,
    /// When it was made.
    pub created: Time,
    /// Its contents are sealed.
    pub sealed: bool,
    /// Fields of a newer pravo.
    pub rest: Map<String, Value>,
}

impl Meta {
    /// The head of a new state, with a lineage of its own.
    pub fn make(outside: &dyn Outside) -> Self {
        Self {
            format: FORMAT,
            lineage: holder::random_id(outside),
            created: outside.now(),
            sealed: false,
            rest: Map::new(),
        }
    }

    /// The canonical text.
    pub fn to_text(&self) -> String {
        let mut out = Writer::new();
        out.put("format", self.format)
            .put("lineage", self.lineage.as_str())
            .put_text("created", &self.created)
            .put_if("sealed", self.sealed)
            .put_rest(&self.rest);
        out.text()
    }

    /// Reads the text. The format is read first and alone, since a newer one may differ in the
    /// rest.
    ///
    /// # Errors
    /// [`MetaError::Newer`] with the format, or what is wrong with the text.
    pub fn parse(bytes: &[u8]) -> Result<Self, MetaError> {
        let mut fields = Fields::parse(bytes).map_err(MetaError::Wrong)?;
        let format: u64 = fields.take("format").map_err(MetaError::Wrong)?;
        if format > FORMAT {
            return Err(MetaError::Newer(format));
        }
        Self::parse_rest(format, fields).map_err(MetaError::Wrong)
    }

    fn parse_rest(format: u64, mut fields: Fields<'_>) -> Result<Self, String> {
        Ok(Self {
            format,
            lineage: fields.take("lineage")?,
            created: fields.take("created")?,
            sealed: fields.optional("sealed")?.unwrap_or_default(),
            rest: fields.rest(),
        })
    }
}

/// Why the head of a state can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetaError {
    /// The state was written by a newer pravo, in this format.
    Newer(u64),
    /// The text is wrong.
    Wrong(String),
}
