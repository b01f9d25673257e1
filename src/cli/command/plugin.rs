//! `pravo plugin serve`: this process becomes a bundled plugin.

use crate::outside;
use pravo_bundled::Environment;

/// The bundled plugin that a program of this name is.
pub(crate) fn called_as(program: &str) -> Option<&'static str> {
    let name = std::path::Path::new(program).file_name()?.to_str()?;
    pravo_bundled::name_of_program(name)
}

/// Serves a bundled plugin until its host is gone; the exit code of the process.
pub(crate) fn serve(name: &str) -> u8 {
    pravo_bundled::serve(name, &Environment::new(outside::variables()))
}
