//! Data formats to trees of the language.

pub mod toml;
pub mod yaml;

use crate::syntax::source::Pos;

/// Why a text is no document of its format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// The text as it prints.
    pub text: String,
    /// Where, if the format tells.
    pub pos: Pos,
}
