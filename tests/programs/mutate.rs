//! Sources with something changed in them.

use crate::dice::Dice;

/// Pieces that are put in: what the language is made of, and what is easily got wrong.
const PIECES: [&str; 48] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    "?",
    "!",
    "&",
    "|",
    "*",
    "...",
    "_",
    "#D",
    "_h",
    "\"",
    "\"\"\"",
    "'",
    "#\"",
    "\\(",
    ")",
    "\n",
    ",",
    "for x in ",
    "if ",
    "let a = ",
    "1e9",
    "0x",
    "1K",
    ".5",
    "-",
    "null",
    "_|_",
    "@a(b)",
    "//c\n",
    "\u{feff}",
    "\u{0}",
    "é",
    "=~",
    "!~",
    "==",
    "a",
    "a.b",
    "[string]",
    "package p\n",
    "import \"list\"\n",
    "close(",
];

/// Changes a source in one place or a few.
pub fn mutate(dice: &mut Dice, source: &str, other: &str) -> Vec<u8> {
    let mut bytes = source.as_bytes().to_vec();
    for _ in 0..1 + dice.below(4) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(7) {
            0 => {
                let end = (at + 1 + dice.below(8)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            1 | 2 => {
                let piece = dice.pick(&PIECES).bytes();
                bytes.splice(at..at, piece);
            }
            3 => {
                let end = (at + dice.below(60)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            4 if !other.is_empty() => {
                let from = dice.below(other.len());
                let end = (from + dice.below(80)).min(other.len());
                bytes.splice(at..at, other.as_bytes()[from..end].iter().copied());
            }
            5 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}
