//! `random_uuid`, `random_uuid4` and `random_uuid7`: universally unique identifiers.

use super::bad_id;
use crate::keepers::keepers_field;
use crate::kit::{Fault, Faults, Field, Object, Presence, Resource, Shape};
use crate::secure;
use uuid::{Builder, Uuid};

/// The length of the form with dashes.
const DASHED: usize = 36;

/// The behaviour of `random_uuid`: sixteen random bytes without version bits.
pub(super) struct Plain;

/// The behaviour of `random_uuid4`.
pub(super) struct Version4;

/// The behaviour of `random_uuid7`.
pub(super) struct Version7;

/// The attributes of all three types.
pub(super) fn shape() -> Shape {
    Shape::new(
        "A universally unique identifier.",
        vec![
            keepers_field("keepers"),
            Field::text("result", Presence::Computed)
                .keep()
                .about("The identifier in lower case with dashes."),
            Field::text("id", Presence::Computed)
                .keep()
                .about("The same."),
        ],
    )
}

impl Resource for Plain {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        Ok(stored(planned, Uuid::from_bytes(sixteen()?)))
    }

    fn import(&self, id: &str) -> Result<Object, Faults> {
        if id.len() != DASHED {
            return Err(not_a_uuid(id).into());
        }
        parsed(id)
    }
}

impl Resource for Version4 {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        let uuid = Builder::from_random_bytes(sixteen()?).into_uuid();
        Ok(stored(planned, uuid))
    }

    fn import(&self, id: &str) -> Result<Object, Faults> {
        parsed(id)
    }
}

impl Resource for Version7 {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        Ok(stored(planned, Uuid::now_v7()))
    }

    fn import(&self, id: &str) -> Result<Object, Faults> {
        parsed(id)
    }
}

fn sixteen() -> Result<[u8; 16], Fault> {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&secure::bytes(16)?);
    Ok(bytes)
}

fn parsed(id: &str) -> Result<Object, Faults> {
    let uuid = Uuid::parse_str(&id.to_lowercase()).map_err(|_| not_a_uuid(id))?;
    Ok(stored(Object::default(), uuid))
}

fn not_a_uuid(id: &str) -> Fault {
    bad_id(id, "a UUID such as 6b0f8e7c-2d0a-4b1a-9c1d-0123456789ab")
}

fn stored(object: Object, uuid: Uuid) -> Object {
    let text = uuid.hyphenated().to_string();
    object.with("result", text.as_str()).with("id", text)
}

#[cfg(test)]
mod tests;
