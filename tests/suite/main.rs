//! Tests of the whole program.

mod tidy;
