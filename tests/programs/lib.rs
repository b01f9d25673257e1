//! Random programs of the language, for fuzz targets and for tests of laws.
//!
//! - [`program`]: well typed for the most part, so that most of them have a value.
//! - [`wild`]: anything the grammar allows, with few names, so that they meet.
//! - [`mutate`]: sources with something changed in them.

pub mod dice;
pub mod mutate;
pub mod program;
pub mod wild;
