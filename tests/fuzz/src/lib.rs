//! Fuzzing the language: random programs, mutated sources, and the comparison with the reference.
//!
//! - [`program`]: random programs, well typed for the most part.
//! - [`mutate`]: sources with something changed in them.
//! - [`target`]: what must hold for any source ([`target::Target`]).
//! - [`differential`]: programs under pravo and under the real `cue`, side by side.

pub mod dice;
pub mod differential;
pub mod mutate;
pub mod program;
pub mod target;
