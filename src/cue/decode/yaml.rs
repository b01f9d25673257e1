//! YAML documents to trees, with the rules and words of the reference implementation's reader.

mod build;
mod node;
mod reader;
mod scalar;
mod scan;

use super::DecodeError;
use crate::syntax::names::Names;
use crate::syntax::source::{FileId, Pos, Sources};
use crate::syntax::tree::Tree;
use build::Build;
use node::Bad;
use reader::Reader;

/// Reads all documents of a text. An empty text is one document: null by default. The documents
/// before an error are read, too.
pub fn read(
    sources: &Sources,
    names: &mut Names,
    file: FileId,
) -> (Vec<Tree>, Option<DecodeError>) {
    let source = sources.get(file);
    let (name, text) = (source.name().to_owned(), source.text().clone());
    let mut reader = Reader::new(&text);
    let mut trees = Vec::new();
    let mut failed = None;
    loop {
        match reader.document() {
            Ok(Some(root)) => {
                let head = std::mem::take(&mut reader.head);
                let build = Build::new(&reader.nodes, &text, sources, names, file);
                match build.document(root, &head) {
                    Ok(tree) => trees.push(tree),
                    Err(e) => failed = Some(e),
                }
            }
            Ok(None) => break,
            Err(e) => failed = Some(e),
        }
        if failed.is_some() {
            break;
        }
    }
    if trees.is_empty() && failed.is_none() {
        trees.push(Build::new(&reader.nodes, &text, sources, names, file).empty());
    }
    (trees, failed.map(|e| error(&name, e)))
}

/// Whether a scalar without quotes and tag is a string.
pub(crate) fn reads_as_string(text: &str) -> bool {
    scalar::resolve(text) == "!!str"
}

/// Reads the only document of a text.
pub fn read_one(sources: &Sources, names: &mut Names, file: FileId) -> Result<Tree, DecodeError> {
    let (mut trees, failed) = read(sources, names, file);
    let single = "expected a single YAML document";
    match (trees.len(), failed) {
        (0, Some(e)) => Err(e),
        (0 | 1, None) => Ok(trees.remove(0)),
        (1, Some(e)) => Err(DecodeError {
            text: format!("{single}: {}", e.text),
            pos: Pos::NONE,
        }),
        _ => {
            let pos = trees[1].root.map_or(Pos::NONE, |root| trees[1].pos(root));
            let place = sources.locate(pos).map_or_else(String::new, |p| {
                let name = sources.get(file).name();
                let file = if name.is_empty() {
                    String::new()
                } else {
                    format!("{name}:")
                };
                format!("{file}{}:{}", p.line, p.column)
            });
            Err(DecodeError {
                text: format!("{place}: {single}"),
                pos: Pos::NONE,
            })
        }
    }
}

fn error(name: &str, e: Bad) -> DecodeError {
    let text = match e.line {
        0 => format!("{name}: {}", e.text),
        line => format!("{name}:{line}: {}", e.text),
    };
    DecodeError {
        text,
        pos: Pos::NONE,
    }
}
