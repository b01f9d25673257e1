//! Character properties and simple case maps of Unicode 15.0.0.

#[path = "unicode_tables.rs"]
mod tables;

fn within(table: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    let at = table.partition_point(|&(_, last)| last < c);
    table.get(at).is_some_and(|&(first, _)| first <= c)
}

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

/// Whether the character is a letter, mark, number, punctuation or symbol, or the ASCII space.
pub fn is_print(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    within(tables::PRINT, c)
}

/// Whether the character is printable or a space of the category Zs.
pub fn is_graphic(c: char) -> bool {
    is_print(c)
        || matches!(
            c,
            '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        )
}

/// Whether the character is a letter (L*).
pub fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    within(tables::LETTER, c)
}

/// Whether the character is a decimal digit (Nd).
pub fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    within(tables::DIGIT, c)
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
