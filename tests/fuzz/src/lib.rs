//! Fuzzing the language: what must hold for any source, and the comparison with the reference.
//!
//! - [`target`]: what must hold for any source ([`target::Target`]).
//! - [`differential`]: programs under pravo and under the real `cue`, side by side.

pub mod differential;
pub mod target;
