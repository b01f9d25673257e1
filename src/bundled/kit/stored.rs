//! Recorded objects: JSON of any version, read against the current shape.

use super::{Fault, Faults, Object, Shape};
use pravo_proto::json;
use pravo_state::PathStep;
use serde_json::Value;

/// Reads a recorded object. Attributes that the shape does not have are dropped, missing ones
/// are null, and simple values are converted where their text allows it.
///
/// # Errors
/// That the JSON is no object, or which attribute does not fit its type.
pub fn read(shape: &Shape, record: &[u8]) -> Result<Object, Faults> {
    let mut value: Value = serde_json::from_slice(record).map_err(|error| {
        Fault::error(
            "The recorded state is not JSON",
            format!("Reading it failed: {error}."),
        )
    })?;
    json::strip(&mut value, &shape.object);
    let data = json::from_json(&value, &shape.object).map_err(|error| {
        let fault = Fault::error(
            "The recorded state does not fit its type",
            format!(
                "The record was changed by hand, or another version of the provider wrote it: \
                 {error}."
            ),
        );
        match error.path().0.first() {
            Some(PathStep::Attribute(name)) => fault.on(name),
            _ => fault,
        }
    })?;
    Object::of(&data).ok_or_else(|| {
        Fault::error(
            "The recorded state is null",
            "It must be a JSON object with the attributes of the resource.",
        )
        .into()
    })
}

#[cfg(test)]
mod tests;
