//! DECISIONS: pure functions from prior, desired and schema to a change. No clock, no input or output.
