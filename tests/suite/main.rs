//! Tests of the whole program.

mod commands;
mod tidy;
mod world;
