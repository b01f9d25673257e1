//! Tests of the whole program.

mod bad_input;
mod commands;
mod crash;
mod tidy;
mod world;
