//! LANGUAGE: the text of a specification to a value. No input or output, no async, no other room.

pub mod builtin;
pub mod decode;
pub mod eval;
pub mod number;
pub mod print;
pub mod regexp;
pub mod syntax;
