//! `random_bytes`: random bytes that are a secret.

use super::{bad_id, count};
use crate::encoding::{base64, from_base64, hex};
use crate::kit::{Check, Ephemeral, Faults, Field, Object, Presence, Resource, Shape};
use crate::secure;

/// The behaviour of the managed and of the ephemeral type.
pub(super) struct Bytes;

/// The attributes of the managed type.
pub(super) fn shape() -> Shape {
    let mut fields = common_fields();
    fields.push(
        Field::text_map("keepers", Presence::Optional)
            .replace()
            .about("Any texts. A change of them makes new bytes."),
    );
    Shape::new("Random bytes that are a secret.", fields)
}

/// The attributes of the ephemeral type.
pub(super) fn ephemeral_shape() -> Shape {
    Shape::new(
        "Random bytes that are a secret and are never recorded.",
        common_fields(),
    )
}

fn common_fields() -> Vec<Field> {
    vec![
        Field::integer("length", Presence::Required)
            .check(Check::AtLeast(1))
            .replace()
            .about("How many bytes there are."),
        Field::text("base64", Presence::Computed)
            .sensitive()
            .keep()
            .about("The bytes in standard base64, padded."),
        Field::text("hex", Presence::Computed)
            .sensitive()
            .keep()
            .about("The bytes in lower-case hexadecimal."),
    ]
}

impl Resource for Bytes {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        self.open(planned)
    }

    fn import(&self, id: &str) -> Result<Object, Faults> {
        let bytes = from_base64(id)
            .map_err(|error| bad_id("the text", &format!("standard base64; {error}")))?;
        let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        Ok(spelled(Object::default().with("length", length), &bytes))
    }
}

impl Ephemeral for Bytes {
    fn open(&self, config: Object) -> Result<Object, Faults> {
        let length = config.integer("length").unwrap_or(0);
        let bytes = secure::bytes(count("length", length)?)?;
        Ok(spelled(config, &bytes))
    }
}

fn spelled(object: Object, bytes: &[u8]) -> Object {
    object.with("base64", base64(bytes)).with("hex", hex(bytes))
}
