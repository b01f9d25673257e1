//! TOML documents to trees, with the rules and words of the reference implementation's reader.

mod parse;
mod strings;
mod tables;

use super::DecodeError;
use crate::syntax::names::Names;
use crate::syntax::source::{FileId, Sources};
use crate::syntax::tree::Tree;

/// Reads a document.
pub fn read(sources: &Sources, names: &mut Names, file: FileId) -> Result<Tree, DecodeError> {
    let source = sources.get(file);
    let text = source.text().clone();
    let decoded = tables::Decoder::new(&text, sources, names, file).document();
    decoded.map_err(|e| DecodeError {
        pos: crate::syntax::source::Pos::new(
            source.base() + e.at.min(text.len()) as u32,
            crate::syntax::source::Rel::None,
        ),
        text: e.text,
    })
}

/// What is wrong, and the byte it is at.
#[derive(Debug)]
struct Bad {
    at: usize,
    text: String,
}

fn bad<T>(at: usize, text: impl Into<String>) -> Result<T, Bad> {
    Err(Bad {
        at,
        text: text.into(),
    })
}

/// A character as the reference shows it in messages.
fn shown(c: char) -> String {
    let code = format!("U+{:04X}", u32::from(c));
    if crate::builtin::unicode::is_print(c) {
        format!("{code} '{c}'")
    } else {
        code
    }
}
