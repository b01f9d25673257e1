//! What is wrong with a text.

use super::source::Pos;

/// A problem the lexer found, at a byte of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    pub(crate) at: usize,
    pub(crate) text: String,
}

/// An error in the syntax of a file, or in the names it declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Where.
    pub pos: Pos,
    /// What; one line as the reference implementation prints it, with no end.
    pub text: String,
}
