//! NOUNS: the glossary of pravo as types. What every room talks about; it decides nothing.
//!
//! - [`Address`]: the name of a node, its path in the specification; [`name`]: as a file name.
//! - [`Data`]: plain data with unknown values, as providers and records hold it; [`json`]: its
//!   kept form, with and without a [`Type`]; [`hash`]: digests of it.
//! - [`Schema`]: what a provider says a type looks like.
//! - [`AttributePath`]: a place inside a value.
//! - [`Record`]: what is known of one node; [`Revision`]: which writing of it.
//! - [`Lock`]: who holds a node; [`Transaction`]: one run; [`Outputs`]: what a root publishes;
//!   [`Meta`]: the head of a state; [`Holder`]: who acts.
//! - [`Event`]: what happened. [`Diagnostic`]: what a person is told.
//! - [`Time`]: a moment; [`Outside`]: clock and randomness, named and not read.
//! - [`AttributePath`]: a place inside a value.
//! - [`Diagnostic`]: what a person is told.

pub mod address;
pub mod data;
pub mod diagnostic;
pub mod event;
pub mod hash;
pub mod holder;
pub mod json;
pub mod lock;
pub mod meta;
pub mod name;
pub mod number;
pub mod output;
pub mod outside;
pub mod path;
pub mod record;
pub mod schema;
pub mod time;
pub mod transaction;

pub use address::{Address, Step};
pub use data::Data;
pub use diagnostic::{Diagnostic, Severity};
pub use event::{Event, Operation};
pub use holder::{Holder, Host, Liveness, Standing, TransactionId};
pub use lock::{Lock, LockKind};
pub use meta::Meta;
pub use number::Number;
pub use output::{Output, OutputChanges, Outputs};
pub use outside::Outside;
pub use path::{AttributePath, PathStep};
pub use record::{Attributes, Deposed, Fit, Mode, Opaque, Record, Revision};
pub use schema::{
    Attribute, AttributeKind, Block, Function, NestedBlock, Nesting, Parameter, ProviderSchema,
    Schema, Type,
};
pub use time::Time;
pub use transaction::{Action, Status, Touched, Transaction, TransactionKind};
