//! The standard packages: pure functions with checked signatures and the error texts of the reference.

mod call;
mod float_format;
mod host;
mod kind;
mod packages;
mod quote;
mod registry;
pub mod unicode;

#[cfg(test)]
mod tests;

pub use call::{Argument, Call, Refusal, invoke};
pub use host::{
    Data, Elements, Equality, ErrorHandle, Failure, Handle, Host, Outcome, Scalar, StructShape,
};
pub use kind::Kind;
pub use quote::{Keep, quote_bytes_go, quote_go, quote_with};
pub use registry::{
    Constraint, Function, Member, Package, Parameter, by_short_name, lookup, package,
};
