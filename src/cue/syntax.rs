//! Texts to trees and trees to text: positions, tokens, literals, the parser and the formatter.

pub mod names;
pub mod source;
pub mod tree;
