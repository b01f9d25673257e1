//! The CUE package of a provider, from its schema, and the package `pravo.dev/pravo` itself.
//!
//! A package is a folder below `cue.mod/gen`: the CUE text, formatted as `cue fmt` formats, and
//! beside it the schema as JSON, so that a run with nothing to do starts no provider. Definitions
//! are closed: an attribute that the schema does not list is a conflict.

mod body;
mod names;
mod sheet;
mod types;

use body::Bodies;
use pravo_state::schema::Function;
use pravo_state::{ProviderSchema, Type};
use serde::{Deserialize, Serialize};
use sheet::{Field, Sheet};

pub use names::{import_path, package_name, source_of_import};

/// The import path of the package with pravo's own definitions.
pub const PRAVO_IMPORT: &str = "pravo.dev/pravo";

/// The text of the package with pravo's own definitions, [`PRAVO_IMPORT`].
pub const PRAVO_TEXT: &str = include_str!("generate/pravo.cue");

/// Where generated packages lie, relative to a root.
const FOLDER: &str = "cue.mod/gen";

/// The file of a schema, beside the CUE text.
const SCHEMA_FILE: &str = "schema.json";

/// A file to write, relative to a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// The path relative to the root, with `/`.
    pub path: String,
    /// The whole content.
    pub bytes: Vec<u8>,
}

/// A provider's schema as it is kept beside its CUE package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredSchema {
    /// The version of this form; 1.
    pub format: u32,
    /// The provider's source address, with host.
    pub source: String,
    /// The version of the plugin that gave the schema, where it is known.
    pub version: Option<String>,
    /// The schema.
    pub schema: ProviderSchema,
}

/// The version of the form of a stored schema.
const FORMAT: u32 = 1;

/// The file with pravo's own definitions, for editors and the `cue` command.
pub fn pravo_package() -> GeneratedFile {
    GeneratedFile {
        path: format!("{FOLDER}/{PRAVO_IMPORT}/pravo.cue"),
        bytes: PRAVO_TEXT.as_bytes().to_vec(),
    }
}

/// The files of a provider's package: the CUE text and the schema.
///
/// `source` is the source address with host, such as `registry.opentofu.org/hashicorp/random`.
///
/// # Errors
/// The sentence of the error, when the source is no source address.
pub fn generate(
    source: &str,
    version: Option<&str>,
    schema: &ProviderSchema,
) -> Result<Vec<GeneratedFile>, String> {
    let folder = folder(source)?;
    let name = names::provider_type(source)?;
    let stored = StoredSchema {
        format: FORMAT,
        source: source.to_owned(),
        version: version.map(str::to_owned),
        schema: schema.clone(),
    };
    let mut json = serde_json::to_vec(&stored).map_err(|e| format!("schema of {source}: {e}"))?;
    json.push(b'\n');
    Ok(vec![
        GeneratedFile {
            path: format!("{folder}/{name}.cue"),
            bytes: package_text(source, version, schema)?.into_bytes(),
        },
        GeneratedFile {
            path: format!("{folder}/{SCHEMA_FILE}"),
            bytes: json,
        },
    ])
}

/// The path, relative to a root, of the file that keeps a provider's schema.
///
/// # Errors
/// The sentence of the error, when the source is no source address.
pub fn schema_path(source: &str) -> Result<String, String> {
    Ok(format!("{}/{SCHEMA_FILE}", folder(source)?))
}

/// Reads a schema as [`generate`] wrote it.
///
/// # Errors
/// The sentence of the error, when the bytes are no such file or one of a newer form.
pub fn read_schema(bytes: &[u8]) -> Result<StoredSchema, String> {
    #[derive(Deserialize)]
    struct Head {
        format: u32,
    }
    let broken = |e: serde_json::Error| format!("not a provider schema: {e}; run \"pravo init\"");
    let head: Head = serde_json::from_slice(bytes).map_err(broken)?;
    if head.format != FORMAT {
        return Err(format!(
            "the provider schema has format {}, this pravo reads format {FORMAT}; run \"pravo init\"",
            head.format
        ));
    }
    serde_json::from_slice(bytes).map_err(broken)
}

fn folder(source: &str) -> Result<String, String> {
    Ok(format!("{FOLDER}/{}", import_path(source)?))
}

fn package_text(
    source: &str,
    version: Option<&str>,
    schema: &ProviderSchema,
) -> Result<String, String> {
    let mut bodies = Bodies::default();
    let provider = provider_text(schema, &mut bodies);
    let blocks = bodies.text();
    let mut sheet = Sheet::default();
    let version = version.map(|v| format!(" v{v}")).unwrap_or_default();
    sheet.comment(&format!(
        "Definitions of {source}{version}; made by pravo init."
    ));
    let name = package_name(&names::provider_type(source)?);
    sheet.line(&format!("package {name}"));
    sheet.blank();
    if bodies.counts() {
        sheet.open("import (");
        sheet.line("\"list\"");
        sheet.line(&format!("\"{PRAVO_IMPORT}\""));
        sheet.close(")");
    } else {
        sheet.line(&format!("import \"{PRAVO_IMPORT}\""));
    }
    sheet.blank();
    sheet.line(&format!("#source: \"{source}\""));
    let mut text = sheet.finish();
    text.push_str(&provider);
    text.push_str(&blocks);
    Ok(text)
}

/// The kinds of types a provider offers, and what stands for them in its package.
const KINDS: [(&str, &str); 3] = [
    ("#Resource", "resource"),
    ("#Data", "data"),
    ("#Ephemeral", "ephemeral"),
];

fn provider_text(schema: &ProviderSchema, bodies: &mut Bodies) -> String {
    let mut sheet = Sheet::default();
    sheet.open("#Provider: {");
    sheet.field(Field::new("$kind:", "\"provider\""));
    sheet.field(Field::new("$source:", "#source"));
    sheet.field(Field::new("$version?:", "string"));
    bodies.block(&mut sheet, "provider", "", &schema.provider.block);
    let types = [&schema.resources, &schema.data_sources, &schema.ephemerals];
    for ((definition, kind), types) in KINDS.iter().zip(types) {
        for (name, schema) in types {
            sheet.blank();
            sheet.describe(&schema.block.description);
            sheet.open(&format!("{definition}: {}: {{", names::label(name)));
            head(&mut sheet, definition, name);
            let path = format!("{kind}.{}", names::label(name));
            bodies.block(&mut sheet, &path, "", &schema.block);
            sheet.close("}");
        }
    }
    for (name, function) in &schema.functions {
        function_text(&mut sheet, name, function);
    }
    sheet.close("}");
    sheet.finish()
}

/// What a type's definition takes over from pravo's own, and which type it is.
fn head(sheet: &mut Sheet, definition: &str, name: &str) {
    sheet.line(&format!("pravo.{definition}"));
    sheet.field(Field::new("$type:", format!("\"{name}\"")));
    sheet.field(Field::new("$source:", "#source"));
}

/// Parameters by name, a variadic one as a list, the answer as `result`.
fn function_text(sheet: &mut Sheet, name: &str, function: &Function) {
    sheet.blank();
    sheet.describe(&function.summary);
    sheet.open(&format!("#Function: {}: {{", names::label(name)));
    head(sheet, "#Call", name);
    for parameter in &function.parameters {
        let label = names::label(parameter_name(&parameter.name));
        let null = parameter.allow_null && parameter.kind != Type::Dynamic;
        let null = if null { " | null" } else { "" };
        sheet.field(Field::typed(format!("{label}!:"), &parameter.kind, null));
    }
    if let Some(variadic) = &function.variadic {
        let null = if variadic.allow_null { " | null" } else { "" };
        let label = names::label(parameter_name(&variadic.name));
        let list = format!("[...{}{null}]", types::value(&variadic.kind));
        sheet.field(Field::block(format!("{label}?:"), list));
    }
    sheet.field(Field::typed("result:", &function.result, ""));
    sheet.close("}");
}

/// The field a parameter has in a call: its name, but `result_` for one that is named as the
/// answer is.
pub fn parameter_name(name: &str) -> &str {
    if name == "result" { "result_" } else { name }
}

#[cfg(test)]
mod tests;
