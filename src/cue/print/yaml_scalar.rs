//! How a string must be written in YAML: plain, quoted, or as a block.

use crate::decode::yaml::reads_as_string;
use crate::number::parse_literal;

/// The forms of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

/// What the characters of a text allow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Analysis {
    pub(super) multiline: bool,
    plain: bool,
    single: bool,
    block: bool,
}

/// Line breaks of YAML.
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Characters that may stand unescaped. Those beyond the basic plane may not.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}')
        || matches!(c, '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Looks at a text as the emitter of libyaml does.
pub(super) fn analyze(text: &str) -> Analysis {
    if text.is_empty() {
        return Analysis {
            multiline: false,
            plain: true,
            single: true,
            block: false,
        };
    }
    let mut indicators = text.starts_with("---") || text.starts_with("...");
    let (mut breaks, mut special, mut tabs) = (false, false, false);
    let (mut break_space, mut space_break) = (false, false);
    let (mut after_space, mut after_break, mut after_blank) = (false, false, true);
    let mut chars = text.chars().peekable();
    let mut first = true;
    while let Some(c) = chars.next() {
        let before_blank = chars.peek().is_none_or(|c| matches!(c, ' ' | '\t'));
        indicators |= match c {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
            | '@' | '`'
                if first =>
            {
                true
            }
            '?' | '-' if first => before_blank,
            ':' => before_blank,
            '#' => after_blank,
            _ => false,
        };
        tabs |= c == '\t';
        special |= c != '\t' && !is_printable(c);
        breaks |= is_break(c);
        break_space |= c == ' ' && after_break;
        space_break |= is_break(c) && after_space;
        after_space = c == ' ';
        after_break = is_break(c);
        after_blank = matches!(c, ' ' | '\t') || is_break(c);
        first = false;
    }
    let edge = |c: Option<char>| c.is_some_and(|c| c == ' ' || is_break(c));
    let edges = edge(text.chars().next()) || edge(text.chars().next_back());
    let broken = break_space || space_break || tabs || special;
    Analysis {
        multiline: breaks,
        plain: !edges && !broken && !breaks && !indicators,
        single: !broken,
        block: !text.ends_with(' ') && !space_break && !special,
    }
}

/// The style of a string. `key` says whether it is written before a colon.
pub(super) fn style_of(text: &str, key: bool) -> Style {
    let analysis = analyze(text);
    let wanted = if text.contains('\n') {
        Style::Literal
    } else if is_legacy(text) || !reads_as_string(text) {
        Style::Double
    } else {
        Style::Plain
    };
    allowed(wanted, analysis, key, text.is_empty())
}

/// The nearest style to the wanted one that the text allows.
pub(super) fn allowed(wanted: Style, analysis: Analysis, key: bool, empty: bool) -> Style {
    let mut style = if key && analysis.multiline {
        Style::Double
    } else {
        wanted
    };
    if style == Style::Plain && (!analysis.plain || (empty && key)) {
        style = Style::Single;
    }
    if style == Style::Single && !analysis.single {
        style = Style::Double;
    }
    if style == Style::Literal && (!analysis.block || key) {
        style = Style::Double;
    }
    style
}

/// Words and patterns with a meaning in YAML 1.1.
fn is_legacy(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "y", "Y", "yes", "Yes", "YES", "n", "N", "t", "T", "f", "F", "no", "No", "NO", "true",
        "True", "TRUE", "false", "False", "FALSE", "on", "On", "ON", "off", "Off", "OFF", ".Nan",
    ];
    WORDS.contains(&text) || is_date_or_base60(text) || is_hexadecimal(text)
}

fn is_hexadecimal(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Signs, digits, colons, points and blanks with a `-`, `:`, `t` or `T` between them, `z` at the
/// end.
fn is_date_or_base60(text: &str) -> bool {
    let body = text.strip_suffix(['z', 'Z']).unwrap_or(text);
    let member = |b: u8| matches!(b, b'-' | b'+' | b'0'..=b'9' | b':' | b'.' | b' ' | b'\t');
    let bytes = body.as_bytes();
    let others = bytes.iter().filter(|b| !member(**b)).count();
    let Some(inner) = bytes.len().checked_sub(1).filter(|last| *last >= 2) else {
        return false;
    };
    match others {
        0 => bytes[1..inner].iter().any(|b| matches!(b, b'-' | b':')),
        1 => bytes[1..inner].iter().any(|b| matches!(b, b't' | b'T')),
        _ => false,
    }
}

/// The text of a number token: as it is if YAML reads it as a number of its kind, else its value.
pub(super) fn number_text(token: &str, int: bool) -> String {
    let kept = if int {
        is_go_int(token)
    } else {
        is_go_float(token)
    };
    if kept {
        return token.to_owned();
    }
    match parse_literal(token) {
        Ok(number) if token.contains(['K', 'M', 'G', 'T', 'P']) => number.text(),
        Ok(_) => token.replace('_', "").replace('E', "e"),
        Err(_) => token.to_owned(),
    }
}

fn is_go_int(token: &str) -> bool {
    let body = token.strip_prefix('-').unwrap_or(token);
    let digits = |t: &str, base| !t.is_empty() && t.chars().all(|c| c == '_' || c.is_digit(base));
    let prefixed = [("0x", 16), ("0X", 16), ("0b", 2), ("0o", 8)];
    match prefixed
        .iter()
        .find_map(|(p, base)| body.strip_prefix(p).map(|d| (d, *base)))
    {
        Some((rest, base)) => digits(rest, base),
        None => digits(body, 10),
    }
}

fn is_go_float(token: &str) -> bool {
    let body = token.strip_prefix('-').unwrap_or(token);
    !body.is_empty()
        && body
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
        || body.starts_with("NaN")
        || body.starts_with("Infinity")
}
