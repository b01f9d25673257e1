//! What the benches share.

#![allow(dead_code, reason = "no bench uses all of it")]

pub mod estate;
pub mod process;
pub mod programs;
