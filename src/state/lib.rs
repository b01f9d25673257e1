//! NOUNS: the glossary of pravo as types. What every room talks about; it decides nothing.
//!
//! - [`Address`]: the name of a node, its path in the specification.
//! - [`Data`]: plain data with unknown values, as providers and records hold it.
//! - [`Schema`]: what a provider says a type looks like.
//! - [`AttributePath`]: a place inside a value.
//! - [`Diagnostic`]: what a person is told.

pub mod address;
pub mod data;
pub mod diagnostic;
pub mod number;
pub mod path;
pub mod schema;

pub use address::{Address, Step};
pub use data::Data;
pub use diagnostic::{Diagnostic, Severity};
pub use number::Number;
pub use path::{AttributePath, PathStep};
pub use schema::{
    Attribute, AttributeKind, Block, Function, NestedBlock, Nesting, Parameter, ProviderSchema,
    Schema, Type,
};
