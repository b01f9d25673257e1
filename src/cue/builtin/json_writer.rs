//! Data to JSON, and white space of JSON texts.

use super::base64_text;
use super::host::Data;
use std::fmt::Write;

/// How a JSON text is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonStyle<'a> {
    /// What indents one level; nothing keeps everything on one line.
    pub indent: Option<&'a str>,
    /// Whether `<`, `>` and `&` are escaped.
    pub escape_html: bool,
}

/// What is left to write.
enum Step<'a> {
    Value(&'a Data),
    Item(&'a Data, bool),
    Field(&'a str, &'a Data, bool),
    Close(char, bool),
}

/// The JSON text of data, without final newline. A [`Data::Value`] counts as null: hosts resolve
/// it first.
pub fn write_json(data: &Data, style: JsonStyle<'_>) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut steps = vec![Step::Value(data)];
    while let Some(step) = steps.pop() {
        let mut value = match step {
            Step::Close(mark, empty) => {
                depth -= 1;
                if !empty {
                    line(&mut out, style, depth);
                }
                out.push(mark);
                continue;
            }
            Step::Value(value) => value,
            Step::Item(value, first) => {
                separate(&mut out, style, depth, first);
                value
            }
            Step::Field(name, value, first) => {
                separate(&mut out, style, depth, first);
                push_string(&mut out, name, style.escape_html);
                out.push_str(if style.indent.is_some() { ": " } else { ":" });
                value
            }
        };
        while let Data::Tagged(_, inner) = value {
            value = inner;
        }
        match value {
            Data::List(items) => {
                out.push('[');
                depth += 1;
                steps.push(Step::Close(']', items.is_empty()));
                let items = items.iter().enumerate().rev();
                steps.extend(items.map(|(i, item)| Step::Item(item, i == 0)));
            }
            Data::Struct(fields) => {
                out.push('{');
                depth += 1;
                steps.push(Step::Close('}', fields.is_empty()));
                let fields = fields.iter().enumerate().rev();
                steps.extend(fields.map(|(i, (name, value))| Step::Field(name, value, i == 0)));
            }
            scalar => push_scalar(&mut out, scalar, style),
        }
    }
    out
}

fn separate(out: &mut String, style: JsonStyle<'_>, depth: usize, first: bool) {
    if !first {
        out.push(',');
    }
    line(out, style, depth);
}

fn line(out: &mut String, style: JsonStyle<'_>, depth: usize) {
    if let Some(indent) = style.indent {
        out.push('\n');
        for _ in 0..depth {
            out.push_str(indent);
        }
    }
}

fn push_scalar(out: &mut String, value: &Data, style: JsonStyle<'_>) {
    match value {
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Number(number) | Data::Literal(number, _) => out.push_str(&number.text()),
        Data::String(text) => push_string(out, text, style.escape_html),
        Data::Bytes(bytes) => {
            out.push('"');
            out.push_str(&base64_text::encode(bytes));
            out.push('"');
        }
        Data::Null | Data::Value(_) | Data::List(_) | Data::Struct(_) | Data::Tagged(..) => {
            out.push_str("null");
        }
    }
}

/// A JSON string: quotes, backslash and controls escaped, U+2028 and U+2029 too.
fn push_string(out: &mut String, text: &str, escape_html: bool) {
    out.push('"');
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let short = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{2028}' => "\\u2028",
            '\u{2029}' => "\\u2029",
            '<' | '>' | '&' if escape_html => "",
            '\0'..='\u{1f}' => "",
            _ => continue,
        };
        out.push_str(&text[start..at]);
        start = at + c.len_utf8();
        if short.is_empty() {
            // writing to a string cannot fail
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push_str(short);
        }
    }
    out.push_str(&text[start..]);
    out.push('"');
}

/// Calls `f` for every byte of a valid JSON text that is no white space between tokens.
fn tokens(text: &str, mut f: impl FnMut(&str, bool)) {
    let (mut in_string, mut escaped) = (false, false);
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let start = at;
        at += 1;
        if in_string {
            while at < bytes.len() && !text.is_char_boundary(at) {
                at += 1;
            }
            match bytes[start] {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            f(&text[start..at], true);
            continue;
        }
        match bytes[start] {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'"' => {
                in_string = true;
                f(&text[start..at], true);
            }
            _ => f(&text[start..at], false),
        }
    }
}

/// A valid JSON text without white space between tokens.
pub fn compact_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    tokens(text, |part, _| out.push_str(part));
    out
}

/// A valid JSON text with one token per line, each line but the first starting with `prefix`.
pub fn indent_json(text: &str, prefix: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    let mut fresh = false;
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(prefix);
        for _ in 0..depth {
            out.push_str(indent);
        }
    };
    tokens(text, |part, in_string| {
        let closes = !in_string && matches!(part, "]" | "}");
        if fresh && !closes {
            depth += 1;
            line(&mut out, depth);
        }
        let was_fresh = std::mem::take(&mut fresh);
        match part {
            _ if in_string => out.push_str(part),
            "{" | "[" => {
                fresh = true;
                out.push_str(part);
            }
            "," => {
                out.push(',');
                line(&mut out, depth);
            }
            ":" => out.push_str(": "),
            "}" | "]" => {
                if !was_fresh {
                    depth = depth.saturating_sub(1);
                    line(&mut out, depth);
                }
                out.push_str(part);
            }
            _ => out.push_str(part),
        }
    });
    // white space after the text survives
    let trailing = text.len() - text.trim_end_matches([' ', '\t', '\n', '\r']).len();
    out.push_str(&text[text.len() - trailing..]);
    out
}
