//! `random_password`: a random text that is a secret, with its bcrypt hash.

use super::{recipe, upgrade};
use crate::kit::{Ephemeral, Fault, Faults, Field, Object, Presence, Resource, Shape};
use crate::secure;
use bcrypt::Version;

/// The work factor of the hash.
const COST: u32 = 10;

/// How many bytes of a text the hash is made of.
const HASHED_BYTES: usize = 72;

/// The behaviour of the managed and of the ephemeral type.
pub(super) struct Password;

/// The attributes of the managed type.
pub(super) fn shape() -> Shape {
    let mut fields = recipe::managed_fields();
    fields.extend(secret_fields());
    fields.push(
        Field::text("id", Presence::Computed)
            .keep()
            .about("Always `none`."),
    );
    Shape::new("A random text that is a secret.", fields).version(3)
}

/// The attributes of the ephemeral type.
pub(super) fn ephemeral_shape() -> Shape {
    let mut fields: Vec<Field> = recipe::common_fields()
        .into_iter()
        .map(|field| match field.name {
            "numeric" => field.default(true),
            _ => field,
        })
        .collect();
    fields.extend(secret_fields());
    Shape::new(
        "A random text that is a secret and is never recorded.",
        fields,
    )
}

fn secret_fields() -> [Field; 2] {
    [
        Field::text("result", Presence::Computed)
            .sensitive()
            .keep()
            .about("The text."),
        Field::text("bcrypt_hash", Presence::Computed)
            .sensitive()
            .keep()
            .about("The bcrypt hash of the first 72 bytes of the text."),
    ]
}

impl Resource for Password {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        Ok(self.open(planned)?.with("id", "none"))
    }

    fn import(&self, id: &str) -> Result<Object, Faults> {
        let hash = hash(id)?;
        Ok(upgrade::imported(id)
            .with("id", "none")
            .with("bcrypt_hash", hash))
    }

    fn upgrade(&self, version: i64, stored: Object) -> Result<Option<Object>, Faults> {
        let fresh = match version {
            0 => true,
            1 => false,
            2 => !matches_hash(&stored)?,
            _ => return Ok(None),
        };
        let mut object = upgrade::completed(stored);
        if fresh {
            let hash = hash(object.text("result").unwrap_or_default())?;
            object.set("bcrypt_hash", hash);
        }
        Ok(Some(object))
    }
}

impl Ephemeral for Password {
    fn open(&self, config: Object) -> Result<Object, Faults> {
        let result = recipe::make(&config)?;
        let hash = hash(&result)?;
        Ok(config.with("result", result).with("bcrypt_hash", hash))
    }
}

fn hashed_part(text: &str) -> &[u8] {
    let bytes = text.as_bytes();
    &bytes[..bytes.len().min(HASHED_BYTES)]
}

fn hash(text: &str) -> Result<String, Fault> {
    let mut salt = [0; 16];
    salt.copy_from_slice(&secure::bytes(16)?);
    bcrypt::hash_with_salt(hashed_part(text), COST, salt)
        .map(|parts| parts.format_for_version(Version::TwoA))
        .map_err(|error| Fault::error("The text cannot be hashed", format!("{error}.")))
}

fn matches_hash(stored: &Object) -> Result<bool, Fault> {
    let text = stored.text("result").unwrap_or_default();
    let hash = stored.text("bcrypt_hash").unwrap_or_default();
    bcrypt::verify(hashed_part(text), hash).map_err(|error| {
        Fault::error(
            "The recorded `bcrypt_hash` is no bcrypt hash",
            format!("Reading it failed: {error}. Import the password anew."),
        )
    })
}

#[cfg(test)]
mod tests;
