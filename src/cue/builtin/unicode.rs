//! Simple case maps of Unicode 15.0.0, and what Go counts as graphic.

pub(crate) use crate::syntax::chars::is_print;

#[path = "unicode_tables.rs"]
mod tables;

fn mapped(table: &[(u32, u32, u32, i32)], c: char) -> char {
    let code = u32::from(c);
    let at = table.partition_point(|&(_, last, _, _)| last < code);
    match table.get(at) {
        Some(&(first, _, step, offset)) if first <= code && (code - first).is_multiple_of(step) => {
            code.checked_add_signed(offset)
                .and_then(char::from_u32)
                .unwrap_or(c)
        }
        _ => c,
    }
}

/// Whether the character is printable or a space of the category Zs.
pub fn is_graphic(c: char) -> bool {
    is_print(c)
        || matches!(
            c,
            '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        )
}

/// The simple upper-case mapping: one character to one.
pub fn to_upper(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_uppercase()
    } else {
        mapped(tables::UPPER, c)
    }
}

/// The simple lower-case mapping: one character to one.
pub fn to_lower(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        mapped(tables::LOWER, c)
    }
}

/// The simple title-case mapping: one character to one.
pub fn to_title(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_uppercase()
    } else {
        mapped(tables::TITLE, c)
    }
}
