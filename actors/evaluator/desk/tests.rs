//! The judgements of a walk, on a small specification.
