//! The standard packages: pure functions with checked signatures and the error texts of the reference.

pub mod quote;
pub mod unicode;

pub use quote::quote_go;
