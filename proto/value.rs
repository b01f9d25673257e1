//! A value as the protocol's `DynamicValue`.

use crate::tfplugin6::{DynamicValue, RawState};
use crate::{ValueError, json, msgpack};
use pravo_state::{Data, Type};

/// A value in msgpack, the form every plugin reads.
///
/// # Errors
/// When the value does not fit the type.
pub fn to_wire(value: &Data, kind: &Type) -> Result<DynamicValue, ValueError> {
    Ok(DynamicValue {
        msgpack: msgpack::encode(value, kind)?,
        json: Vec::new(),
    })
}

/// Reads a value in either form; an absent or empty one is null.
///
/// # Errors
/// When the bytes are no value of the type.
pub fn from_wire(value: Option<&DynamicValue>, kind: &Type) -> Result<Data, ValueError> {
    match value {
        Some(value) if !value.msgpack.is_empty() => msgpack::decode(&value.msgpack, kind),
        Some(value) if !value.json.is_empty() => json::from_bytes(&value.json, kind),
        _ => Ok(Data::Null),
    }
}

/// A recorded value, in its JSON text, for an upgrade or a move.
pub fn raw_state(json: Vec<u8>) -> RawState {
    RawState {
        json,
        flatmap: Default::default(),
    }
}

/// The one form of a value under a type: as it comes back from the wire. Equal values have equal
/// forms: attributes that an object lacks are null, values of any type carry their type, text is
/// composed, sets are sorted.
///
/// # Errors
/// When the value does not fit the type.
pub fn canonical(value: &Data, kind: &Type) -> Result<Data, ValueError> {
    msgpack::decode(&msgpack::encode(value, kind)?, kind)
}
