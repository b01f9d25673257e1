//! Values in msgpack, under a type constraint: nothing on the wire tells a list from a set or a
//! map from an object.

mod decode;
mod encode;

pub use decode::decode;
pub use encode::encode;

#[cfg(test)]
mod tests;
