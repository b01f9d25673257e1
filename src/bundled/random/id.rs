//! `random_id`: random bytes in several spellings.

use super::{bad_id, count};
use crate::encoding::{base64, base64_url, from_base64_url, hex};
use crate::keepers::keepers_field;
use crate::kit::{Faults, Field, Object, Presence, Resource, Shape};
use crate::secure;
use num_bigint::BigUint;
use pravo_state::Data;

/// The type's behaviour.
pub(super) struct Id;

/// The type's attributes.
pub(super) fn shape() -> Shape {
    let spelling = |name, about| Field::text(name, Presence::Computed).keep().about(about);
    Shape::new(
        "Random bytes to tell things apart by.",
        vec![
            keepers_field("keepers"),
            Field::integer("byte_length", Presence::Required)
                .replace()
                .about("How many random bytes it is made of."),
            Field::text("prefix", Presence::Optional)
                .replace()
                .about("What stands before each spelling but `id`."),
            spelling("b64_url", "The bytes in base64 for URLs, without padding."),
            spelling("b64_std", "The bytes in standard base64, padded."),
            spelling("hex", "The bytes in lower-case hexadecimal."),
            spelling("dec", "The bytes as one number in decimal."),
            spelling("id", "The bytes in base64 for URLs, without prefix."),
        ],
    )
}

impl Resource for Id {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        let length = planned.integer("byte_length").unwrap_or(0);
        let bytes = secure::bytes(count("byte_length", length)?)?;
        Ok(spelled(planned, &bytes))
    }

    fn import(&self, id: &str) -> Result<Object, Faults> {
        let (prefix, text) = match id.rsplit_once(',') {
            Some((prefix, text)) => (Data::from(prefix), text),
            None => (Data::Null, id),
        };
        let bytes = from_base64_url(text).map_err(|error| {
            bad_id(
                id,
                &format!("base64 for URLs, after PREFIX and a comma if there is one; {error}"),
            )
        })?;
        let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        let object = Object::default()
            .with("prefix", prefix)
            .with("byte_length", length);
        Ok(spelled(object, &bytes))
    }
}

fn spelled(object: Object, bytes: &[u8]) -> Object {
    let prefix = object.text("prefix").unwrap_or_default().to_owned();
    let prefixed = |text: String| [prefix.as_str(), &text].concat();
    object
        .with("id", base64_url(bytes))
        .with("b64_url", prefixed(base64_url(bytes)))
        .with("b64_std", prefixed(base64(bytes)))
        .with("hex", prefixed(hex(bytes)))
        .with("dec", prefixed(BigUint::from_bytes_be(bytes).to_string()))
}

#[cfg(test)]
mod tests;
