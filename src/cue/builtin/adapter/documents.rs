//! Texts of data formats to trees with places in a source of their own.

use crate::builtin::host::Format;
use crate::builtin::json_reader::{read_json, read_json_stream};
use crate::decode::{DecodeError, toml, yaml};
use crate::eval::context::Evaluator;
use crate::syntax::parser::{Options, parse_documents, parse_expr};
use crate::syntax::source::Pos;
use crate::syntax::tree::Tree;
use std::sync::Arc;

fn plain(text: impl ToString) -> DecodeError {
    DecodeError {
        text: text.to_string(),
        pos: Pos::NONE,
    }
}

/// Reads the documents of a text.
pub(super) fn read(
    ev: &mut Evaluator,
    format: Format,
    name: &str,
    text: &str,
) -> Result<Vec<Arc<Tree>>, DecodeError> {
    match format {
        Format::Json | Format::JsonFile => {
            read_json(text.as_bytes()).map_err(|e| plain(e.text))?;
        }
        Format::JsonStream => {
            read_json_stream(text.as_bytes())
                .map_err(|e| plain(format!("invalid JSON for file \"{name}\": {}", e.text)))?;
        }
        _ => {}
    }
    let file = ev.sources.add(name, text).map_err(plain)?;
    let (sources, names) = (&ev.sources, &mut ev.names);
    Ok(match format {
        Format::Json | Format::JsonFile => {
            let parsed = parse_expr(sources, file, names, &Options::default());
            match parsed.errors.into_iter().next() {
                Some(e) => return Err(plain(e.text)),
                None => vec![Arc::new(parsed.tree)],
            }
        }
        Format::JsonStream => {
            let (trees, errors) = parse_documents(sources, file, names);
            match errors.into_iter().next() {
                Some(e) => return Err(plain(e.text)),
                None => trees.into_iter().map(Arc::new).collect(),
            }
        }
        Format::Yaml => vec![Arc::new(yaml::read_one(sources, names, file)?)],
        Format::YamlStream => match yaml::read(sources, names, file) {
            (_, Some(e)) => return Err(e),
            (trees, None) => trees.into_iter().map(Arc::new).collect(),
        },
        Format::Toml => vec![Arc::new(toml::read(sources, names, file)?)],
    })
}
