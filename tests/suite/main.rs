//! Tests of the whole program.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its own environment"
)]
#![allow(clippy::print_stdout, reason = "a test prints its figures")]

mod bad_input;
mod commands;
mod crash;
mod rules;
mod saved;
mod tidy;
mod world;
