//! Tests of the whole program.

mod bad_input;
mod commands;
mod tidy;
mod world;
