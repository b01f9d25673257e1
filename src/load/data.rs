//! Files that are not of the language, and how they become trees.

use crate::file::{decode_text, source};
use crate::problem::Problem;
use pravo_cue::builtin::JsonError;
use pravo_cue::decode::{toml, yaml};
use pravo_cue::eval::Evaluator;
use pravo_cue::syntax::literal::{quote_bytes, quote_string};
use pravo_cue::syntax::parser::{Options, parse_data};
use pravo_cue::syntax::source::{Pos, Rel};
use pravo_cue::syntax::tree::Tree;
use std::sync::Arc;

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// The language itself.
    Cue,
    /// One JSON document.
    Json,
    /// JSON documents, one after the other.
    JsonLines,
    /// YAML documents.
    Yaml,
    /// TOML.
    Toml,
    /// A string.
    Text,
    /// Bytes.
    Binary,
    /// XML.
    Xml,
    /// Something else that the reference knows: protocol buffers, Go.
    Other,
}

impl Encoding {
    /// The encoding of a file name's extension, with its dot.
    pub fn of_extension(extension: &str) -> Option<Encoding> {
        Some(match extension {
            ".cue" => Encoding::Cue,
            ".json" => Encoding::Json,
            ".jsonl" | ".ndjson" | ".ldjson" => Encoding::JsonLines,
            ".yaml" | ".yml" => Encoding::Yaml,
            ".toml" => Encoding::Toml,
            ".txt" => Encoding::Text,
            ".wasm" => Encoding::Binary,
            ".xml" => Encoding::Xml,
            ".go" | ".proto" | ".textproto" | ".textpb" => Encoding::Other,
            _ => return None,
        })
    }

    /// The encoding of a file by its name.
    ///
    /// # Errors
    /// A name without extension, or one whose extension is of no encoding.
    pub fn of_name(name: &str) -> Result<Encoding, String> {
        let last = crate::path::base(name);
        match last.rfind('.').filter(|at| *at > 0) {
            None => Err(format!("no encoding specified for file \"{name}\"")),
            Some(at) => Encoding::of_extension(&last[at..])
                .ok_or_else(|| format!("unknown file extension {}", &last[at..])),
        }
    }

    /// The encoding of a scope such as `json:`.
    pub fn of_scope(name: &str) -> Option<Encoding> {
        Some(match name {
            "cue" => Encoding::Cue,
            "json" => Encoding::Json,
            "jsonl" => Encoding::JsonLines,
            "yaml" => Encoding::Yaml,
            "toml" => Encoding::Toml,
            "text" => Encoding::Text,
            "binary" => Encoding::Binary,
            "xml" => Encoding::Xml,
            "code" | "go" | "proto" | "textproto" => Encoding::Other,
            _ => return None,
        })
    }

    /// The name of its scope.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Cue => "cue",
            Encoding::Json => "json",
            Encoding::JsonLines => "jsonl",
            Encoding::Yaml => "yaml",
            Encoding::Toml => "toml",
            Encoding::Text => "text",
            Encoding::Binary => "binary",
            Encoding::Xml => "xml",
            Encoding::Other => "code",
        }
    }
}

/// A data file: its documents as trees.
#[derive(Clone, Debug)]
pub struct DataFile {
    /// Absolute name, or `-`.
    pub path: String,
    /// How it is written.
    pub encoding: Encoding,
    /// Its documents in order.
    pub documents: Vec<Arc<Tree>>,
}

/// Reads the documents of a data file.
pub(crate) fn read(
    ev: &mut Evaluator,
    path: &str,
    encoding: Encoding,
    bytes: &[u8],
) -> Result<DataFile, Vec<Problem>> {
    let documents = match encoding {
        Encoding::Json => vec![json(ev, path, bytes)?],
        Encoding::JsonLines => json_stream(ev, path, bytes)?,
        Encoding::Text => {
            let literal = quote_string(&decode_text(bytes));
            vec![parse_text(ev, path, literal)?.0]
        }
        Encoding::Binary => vec![parse_text(ev, path, quote_bytes(bytes))?.0],
        Encoding::Yaml => {
            let file = source(ev, path, decode_text(bytes))?;
            let (trees, failed) = yaml::read(&ev.sources, &mut ev.names, file);
            match failed {
                Some(e) => return Err(vec![Problem::at(e.pos, e.text)]),
                None => trees.into_iter().map(Arc::new).collect(),
            }
        }
        Encoding::Toml => {
            let file = source(ev, path, decode_text(bytes))?;
            match toml::read(&ev.sources, &mut ev.names, file) {
                Ok(tree) => vec![Arc::new(tree)],
                Err(e) => return Err(vec![Problem::at(e.pos, e.text)]),
            }
        }
        _ => {
            let name = encoding.name();
            return Err(vec![Problem::new(format!(
                "reading {name} files is not built in"
            ))]);
        }
    };
    Ok(DataFile {
        path: path.to_owned(),
        encoding,
        documents,
    })
}

/// JSON is also the language, but its own rules are stricter.
fn json(ev: &mut Evaluator, path: &str, bytes: &[u8]) -> Result<Arc<Tree>, Vec<Problem>> {
    let text = decode_text(bytes);
    let checked = pravo_cue::builtin::read_json(text.as_bytes());
    let last = text.len().saturating_sub(1);
    let tree = parse_text(ev, path, text)?;
    if let Err(JsonError {
        text: cause,
        offset,
    }) = checked
    {
        let pos = Pos::new(tree.0.base + offset.min(last) as u32, Rel::NoSpace);
        let text = format!("invalid JSON for file \"{path}\": {cause}");
        return Err(vec![Problem::at(pos, text)]);
    }
    match tree.1.first() {
        Some(e) => {
            let text = format!("invalid JSON for file \"{path}\": {}", e.text);
            Err(vec![Problem::at(e.pos, text)])
        }
        None => Ok(tree.0),
    }
}

/// JSON documents, one after the other.
fn json_stream(
    ev: &mut Evaluator,
    path: &str,
    bytes: &[u8],
) -> Result<Vec<Arc<Tree>>, Vec<Problem>> {
    let text = decode_text(bytes);
    let file = source(ev, path, text.clone())?;
    match pravo_cue::builtin::read_json_stream(text.as_bytes()) {
        Err(e) => {
            let text = format!("invalid JSON for file \"{path}\": {}", e.text);
            Err(vec![Problem::new(text)])
        }
        Ok(_) => {
            let (trees, errors) =
                pravo_cue::syntax::parser::parse_documents(&ev.sources, file, &mut ev.names);
            match errors.into_iter().next() {
                None => Ok(trees.into_iter().map(Arc::new).collect()),
                Some(e) => Err(vec![Problem::from(e)]),
            }
        }
    }
}

fn parse_text(
    ev: &mut Evaluator,
    path: &str,
    text: String,
) -> Result<(Arc<Tree>, Vec<Problem>), Vec<Problem>> {
    let id = source(ev, path, text)?;
    let parsed = parse_data(&ev.sources, id, &mut ev.names, &Options::default());
    let errors = parsed.errors.into_iter().map(Problem::from).collect();
    Ok((Arc::new(parsed.tree), errors))
}
