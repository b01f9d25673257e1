//! Texts to trees and trees to text: positions, tokens, literals, the parser and the formatter.

pub mod binding;
pub mod chars;
pub mod data;
pub mod error;
pub mod format;
mod lexer;
pub mod literal;
pub mod names;
pub mod parser;
pub mod simplify;
pub mod source;
mod token;
pub mod tree;

#[cfg(test)]
mod tests;
