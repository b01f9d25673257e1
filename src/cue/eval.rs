//! The evaluator: from syntax trees to values.
//!
//! [`Evaluator`] owns everything of a load. Packages are added to it
//! ([`package`]), values are vertices ([`vertex`]) that are evaluated when asked for (`unify`)
//! and looked at through the methods in [`inspect`]; errors are data ([`error`]).

pub mod altered;
mod arcs;
mod binop;
mod bounds;
pub mod call;
mod cheap;
mod closed;
mod comprehension;
mod conjunct;
pub mod context;
mod convert;
mod copy;
pub mod counters;
mod cycle;
mod data;
mod disjunct;
pub(crate) mod equal;
pub mod error;
mod expr;
mod expression;
mod few;
pub mod fill;
mod insert;
pub mod inspect;
pub mod kind;
pub mod label;
pub mod library;
pub mod limit;
mod lookup;
mod lower;
mod misfit;
mod need;
pub(crate) mod node;
pub mod package;
mod predeclared;
pub mod program;
pub mod reference;
mod report;
mod resolve;
mod sched;
mod settled;
mod share;
mod source_text;
mod tasks;
mod text;
mod unify;
pub mod units;
pub mod validate;
pub mod value;
mod values;
pub mod vertex;

#[cfg(test)]
mod tests;

pub use context::Evaluator;
