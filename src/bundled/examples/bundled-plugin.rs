//! A binary that is one bundled plugin: the one its own name says, as in
//! `terraform-provider-random`, or else the one its first argument names.

use pravo_bundled::{Environment, name_of_program, serve};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args();
    let program = arguments.next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default();
    let named = name_of_program(&program.to_string_lossy()).map(str::to_owned);
    let name = named.or_else(|| arguments.next()).unwrap_or_default();
    ExitCode::from(serve(&name, &Environment::new(std::env::vars_os())))
}
