//! Text and actions to tokens.

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    Text,
    Left,
    Right,
    Field,
    Ident,
    Variable,
    Dot,
    Nil,
    Bool,
    Number,
    Char,
    String,
    RawString,
    Pipe,
    Declare,
    Assign,
    Comma,
    Open,
    Close,
    Space,
    Keyword,
    Eof,
}

/// A token with its text and place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) text: String,
    pub(super) at: usize,
}

const KEYWORDS: &[&str] = &[
    "block", "break", "continue", "define", "else", "end", "if", "range", "template", "with",
];

/// The line of a place, from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
}

/// The tokens of a text; an error follows those before it, with its place.
pub(super) fn tokens(text: &str) -> (Vec<Token>, Option<(usize, String)>) {
    let mut out = Vec::new();
    let mut at = 0;
    let mut trim = false;
    loop {
        let left = text[at..].find("{{").map(|i| at + i);
        let end = left.unwrap_or(text.len());
        let mut part = &text[at..end];
        let mut start = at;
        if trim {
            let trimmed = part.trim_start_matches(is_space);
            start += part.len() - trimmed.len();
            part = trimmed;
        }
        let marker = |i: usize| {
            let rest = &text[i + 2..];
            rest.starts_with('-') && rest[1..].starts_with(is_space)
        };
        if left.is_some_and(marker) {
            part = part.trim_end_matches(is_space);
        }
        if !part.is_empty() {
            out.push(token(Tok::Text, part, start));
        }
        let Some(left) = left else {
            out.push(token(Tok::Eof, "", text.len()));
            return (out, None);
        };
        let inside = left + 2 + if marker(left) { 2 } else { 0 };
        if text[inside..].starts_with("/*") {
            let Some(close) = text[inside..].find("*/") else {
                return (out, Some((left, "unclosed comment".to_owned())));
            };
            let after = inside + close + 2;
            let rest = &text[after..];
            let trimmed = rest.starts_with(is_space) && rest[1..].starts_with("-}}");
            if !trimmed && !rest.starts_with("}}") {
                return (
                    out,
                    Some((left, "comment ends before closing delimiter".to_owned())),
                );
            }
            trim = trimmed;
            at = after + if trimmed { 4 } else { 2 };
            continue;
        }
        out.push(token(Tok::Left, "{{", left));
        match action(text, inside, &mut out) {
            Ok((next, trimmed)) => {
                at = next;
                trim = trimmed;
            }
            Err(e) => return (out, Some(e)),
        }
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn token(tok: Tok, text: &str, at: usize) -> Token {
    let text = text.to_owned();
    Token { tok, text, at }
}

/// The tokens up to the end of an action; where the text goes on, and whether it is trimmed.
fn action(
    text: &str,
    start: usize,
    out: &mut Vec<Token>,
) -> Result<(usize, bool), (usize, String)> {
    let mut at = start;
    let mut depth = 0usize;
    loop {
        let rest = &text[at..];
        let trimmed = rest.starts_with(is_space) && rest[1..].starts_with("-}}");
        if trimmed || rest.starts_with("}}") {
            if depth > 0 {
                return Err((at, "unclosed left paren".to_owned()));
            }
            out.push(token(Tok::Right, "}}", at));
            return Ok((at + if trimmed { 4 } else { 2 }, trimmed));
        }
        let Some(c) = rest.chars().next() else {
            return Err((at, "unclosed action".to_owned()));
        };
        let (tok, len) = piece(rest, c).map_err(|problem| (at, problem))?;
        match tok {
            Tok::Open => depth += 1,
            Tok::Close if depth == 0 => return Err((at, "unexpected right paren".to_owned())),
            Tok::Close => depth -= 1,
            _ => {}
        }
        out.push(token(tok, &rest[..len], at));
        at += len;
    }
}

/// The token that a text within an action begins with, and its length.
fn piece(rest: &str, first: char) -> Result<(Tok, usize), String> {
    Ok(match first {
        c if is_space(c) => {
            let mut len = rest.len() - rest.trim_start_matches(is_space).len();
            if rest[len..].starts_with("-}}") && len > 1 {
                len -= 1;
            }
            (Tok::Space, len)
        }
        ':' if rest[1..].starts_with('=') => (Tok::Declare, 2),
        ':' => return Err("expected :=".to_owned()),
        '=' => (Tok::Assign, 1),
        '|' => (Tok::Pipe, 1),
        ',' => (Tok::Comma, 1),
        '"' => (
            Tok::String,
            quoted(rest, '"').ok_or("unterminated quoted string")?,
        ),
        '\'' => (
            Tok::Char,
            quoted(rest, '\'').ok_or("unterminated character constant")?,
        ),
        '`' => match rest[1..].find('`') {
            Some(i) => (Tok::RawString, i + 2),
            None => return Err("unterminated raw quoted string".to_owned()),
        },
        '(' => (Tok::Open, 1),
        ')' => (Tok::Close, 1),
        '.' if !rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            let len = word(&rest[1..]) + 1;
            (if len > 1 { Tok::Field } else { Tok::Dot }, len)
        }
        '$' => (Tok::Variable, word(&rest[1..]) + 1),
        '+' | '-' | '.' | '0'..='9' => (Tok::Number, number(rest)),
        c if is_word(c) => {
            let len = word(rest);
            let tok = match &rest[..len] {
                "true" | "false" => Tok::Bool,
                "nil" => Tok::Nil,
                name if KEYWORDS.contains(&name) => Tok::Keyword,
                _ => Tok::Ident,
            };
            (tok, len)
        }
        c => {
            let code = u32::from(c);
            return Err(format!(
                "unrecognized character in action: U+{code:04X} '{c}'"
            ));
        }
    })
}

fn word(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

fn number(text: &str) -> usize {
    let mut before = ' ';
    for (i, c) in text.char_indices() {
        let sign = matches!(c, '+' | '-') && (i == 0 || matches!(before, 'e' | 'E' | 'p' | 'P'));
        if !(sign || c == '.' || is_word(c)) {
            return i;
        }
        before = c;
    }
    text.len()
}

fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            c if c == quote => return Some(i + 1),
            _ => {}
        }
    }
    None
}
