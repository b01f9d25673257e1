//! Facts to text: plans, values, diagnostics and progress. Colour is never needed to read them.

pub(crate) mod diff;
mod lines;
pub(crate) mod paint;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod text;
