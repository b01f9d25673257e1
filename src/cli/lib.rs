//! WORDS: commands, flags, texts and exit codes. The only room that prints.

mod args;
mod command;
mod context;
mod exit;
mod outside;
mod render;
mod screen;

/// Runs the command line of this process and returns its exit code.
pub fn main() -> u8 {
    0
}
