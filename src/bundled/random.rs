//! RANDOM: the plugin whose resources are random values that stay the same once made.

mod bytes;
mod go_rand;
mod id;
mod integer;
mod password;
mod pet;
mod recipe;
mod shuffle;
mod string;
mod upgrade;
mod uuid;

use crate::kit::{Fault, Plugin};

/// The release whose answers the plugin gives.
pub(crate) const VERSION: &str = "3.9.0";

/// The longest value that is made, in bytes or characters.
const MAX_LENGTH: i64 = 1 << 26;

/// The plugin.
pub(crate) fn plugin() -> Plugin {
    Plugin::new("random", VERSION)
        .resource("random_bytes", bytes::shape(), bytes::Bytes)
        .resource("random_id", id::shape(), id::Id)
        .resource("random_integer", integer::shape(), integer::Integer)
        .resource("random_password", password::shape(), password::Password)
        .resource("random_pet", pet::shape(), pet::Pet)
        .resource("random_shuffle", shuffle::shape(), shuffle::Shuffle)
        .resource("random_string", string::shape(), string::Text)
        .resource("random_uuid", uuid::shape(), uuid::Plain)
        .resource("random_uuid4", uuid::shape(), uuid::Version4)
        .resource("random_uuid7", uuid::shape(), uuid::Version7)
        .ephemeral("random_bytes", bytes::ephemeral_shape(), bytes::Bytes)
        .ephemeral(
            "random_password",
            password::ephemeral_shape(),
            password::Password,
        )
}

/// A length as a count; refuses negative ones and those that no host could take.
fn count(name: &str, length: i64) -> Result<usize, Fault> {
    match usize::try_from(length) {
        Ok(count) if length <= MAX_LENGTH => Ok(count),
        _ => Err(Fault::error(
            format!("`{name}` must be from 0 to {MAX_LENGTH}"),
            format!("It is {length}."),
        )),
    }
}

/// That an import's identifier is not one.
fn bad_id(id: &str, expected: &str) -> Fault {
    Fault::error(
        format!("{id:?} cannot be imported"),
        format!("The identifier must be {expected}."),
    )
}
