//! Character classes: brackets, POSIX names, Perl letters, Unicode groups.

use super::escape::parse_escape;
use super::parse::{Failed, error};
use std::fmt::Write;

/// Ranges of the POSIX classes, as the inside of a bracket.
fn posix(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => r"\x00-\x7f",
        "blank" => r"\t ",
        "cntrl" => r"\x00-\x1f\x7f",
        "digit" => "0-9",
        "graph" => "!-~",
        "lower" => "a-z",
        "print" => " -~",
        "punct" => r"!-/:-@\[-`{-~",
        "space" => r"\t-\r ",
        "upper" => "A-Z",
        "word" => "0-9A-Z_a-z",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

/// The class of `\d`, `\S` and the like, as a bracket of its own.
pub(super) fn perl(letter: char) -> Option<&'static str> {
    Some(match letter {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        's' => r"[\t\n\x0c\r ]",
        'S' => r"[^\t\n\x0c\r ]",
        'w' => "[0-9A-Z_a-z]",
        'W' => "[^0-9A-Z_a-z]",
        _ => return None,
    })
}

/// Reads `\p…` or `\P…` at the start of a text: the class for the engine and what follows.
pub(super) fn unicode(text: &str) -> Result<Option<(String, &str)>, Failed> {
    if !text.starts_with(r"\p") && !text.starts_with(r"\P") {
        return Ok(None);
    }
    let mut negative = text.starts_with(r"\P");
    let after = &text[2..];
    let (sequence, mut name) = if after.starts_with('{') {
        match text.find('}') {
            None => return Err(error("invalid character class range", text)),
            Some(end) => (&text[..=end], &text[3..end]),
        }
    } else {
        let length = after.chars().next().map_or(0, char::len_utf8);
        (&text[..2 + length], &after[..length])
    };
    if let Some(rest) = name.strip_prefix('^') {
        negative = !negative;
        name = rest;
    }
    let Some(class) = group(name) else {
        return Err(error("invalid character class range", sequence));
    };
    let class = if negative {
        format!("[^{class}]")
    } else {
        class
    };
    Ok(Some((class, &text[sequence.len()..])))
}

/// The engine's class for a general category or a script. `None` if there is no such name.
fn group(name: &str) -> Option<String> {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, ' ' | '_' | '-'))
        .collect::<String>()
        .to_lowercase();
    if plain.is_empty() || !plain.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    match plain.as_str() {
        "any" => return Some(r"[\x{0}-\x{10ffff}]".into()),
        "ascii" => return Some(r"[\x00-\x7f]".into()),
        _ => {}
    }
    ["gc", "sc"]
        .iter()
        .map(|kind| format!(r"\p{{{kind}={plain}}}"))
        .find(|class| regex_syntax::Parser::new().parse(class).is_ok())
}

/// One character inside a bracket. `whole` is the text from the bracket on.
fn member<'a>(text: &'a str, whole: &str) -> Result<(u32, &'a str), Failed> {
    let mut chars = text.chars();
    match chars.next() {
        None => Err(error("missing closing ]", whole)),
        Some('\\') => parse_escape(text),
        Some(c) => Ok((u32::from(c), chars.as_str())),
    }
}

/// Reads a bracket; `text` starts with `[`. Returns the class for the engine and what follows.
pub(super) fn bracket(text: &str, fold: bool) -> Result<(String, &str), Failed> {
    let mut rest = &text[1..];
    let mut out = String::from(if fold { "(?i:[" } else { "[" });
    if let Some(after) = rest.strip_prefix('^') {
        out.push('^');
        rest = after;
    }
    let mut first = true;
    let mut any = false;
    while first || !rest.starts_with(']') {
        first = false;
        any = true;
        if rest.starts_with("[:")
            && let Some(end) = rest[2..].find(":]")
        {
            let name = &rest[..end + 4];
            let inner = &rest[2..2 + end];
            let negative = inner.starts_with('^');
            let Some(ranges) = posix(inner.trim_start_matches('^')) else {
                return Err(error("invalid character class range", name));
            };
            out.push_str(if negative { "[^" } else { "[" });
            out.push_str(ranges);
            out.push(']');
            rest = &rest[name.len()..];
            continue;
        }
        if let Some((class, after)) = unicode(rest)? {
            out.push_str(&class);
            rest = after;
            continue;
        }
        let mut two = rest.chars();
        if two.next() == Some('\\')
            && let Some(class) = two.next().and_then(perl)
        {
            out.push_str(class);
            rest = &rest[2..];
            continue;
        }
        rest = range(&mut out, rest, text)?;
    }
    if !any {
        out.push_str("a&&b");
    }
    out.push(']');
    if fold {
        out.push(')');
    }
    Ok((out, &rest[1..]))
}

/// One character or range of a bracket.
fn range<'a>(out: &mut String, text: &'a str, whole: &str) -> Result<&'a str, Failed> {
    let (low, mut rest) = member(text, whole)?;
    let mut high = low;
    if rest.len() >= 2 && rest.starts_with('-') && !rest[1..].starts_with(']') {
        (high, rest) = member(&rest[1..], whole)?;
        if high < low {
            let fragment = &text[..text.len() - rest.len()];
            return Err(error("invalid character class range", fragment));
        }
    }
    push_range(out, low, high);
    Ok(rest)
}

/// A range without the surrogates, which no text contains.
fn push_range(out: &mut String, low: u32, high: u32) {
    for (low, high) in [(low, high.min(0xd7ff)), (low.max(0xe000), high)] {
        if low <= high {
            // writing to a string cannot fail
            let _ = write!(out, r"\x{{{low:x}}}-\x{{{high:x}}}");
        }
    }
}
