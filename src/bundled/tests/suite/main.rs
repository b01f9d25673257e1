//! The answers of the released plugins (`tests/providers/` of the project), given by the bundled
//! ones: called in this process and over the wire.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod driver;
mod expect;
mod library;
mod life;
mod process;
mod properties;
mod schema;
mod wire;

use serde_json::Value;
use std::path::PathBuf;

/// A file of `tests/providers/`, as JSON.
fn data(folder: &str, plugin: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/providers")
        .join(folder)
        .join(format!("{plugin}.json"));
    let text = std::fs::read_to_string(&path).expect("the data is in the project");
    serde_json::from_str(&text).expect("the data is JSON")
}
