//! Values as CUE text: literals, labels and whole values on their own lines.

use pravo_state::Data;
use pravo_state::address::push_label;

/// A string as a CUE literal in double quotes, on one line.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    push_escaped(&mut out, text, true);
    out.push('"');
    out
}

/// One line of a `"""` block: escaped, with quotes left as they are.
pub(crate) fn block_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(&mut out, text, false);
    out.replace("\"\"\"", "\\\"\"\"")
}

fn push_escaped(out: &mut String, text: &str, quotes: bool) {
    for character in text.chars() {
        match character {
            '"' if quotes => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            other if other.is_control() || other == '\u{feff}' => {
                out.push_str(&format!("\\u{:04x}", other as u32));
            }
            other => out.push(other),
        }
    }
}

/// A label as CUE writes it: bare where it is an identifier, quoted where not.
pub(crate) fn label(name: &str) -> String {
    let mut out = String::new();
    push_label(&mut out, name);
    out
}

/// A value without structure on one line; nothing for a list or map with content.
pub(crate) fn scalar(value: &Data) -> Option<String> {
    Some(match value {
        Data::Null => "null".to_owned(),
        Data::Bool(value) => value.to_string(),
        Data::Number(number) => number.to_string(),
        Data::String(text) => quote(text),
        Data::Unknown => "(known after apply)".to_owned(),
        Data::Dynamic(_, value) => return scalar(value),
        Data::List(items) if items.is_empty() => "[]".to_owned(),
        Data::Map(entries) if entries.is_empty() => "{}".to_owned(),
        Data::List(_) | Data::Map(_) => return None,
    })
}

/// A value as CUE text over as many lines as it needs, indented by tabs below its first line.
pub(crate) fn value(data: &Data) -> String {
    let mut out = String::new();
    push_value(&mut out, data, 0);
    out
}

fn push_value(out: &mut String, data: &Data, depth: usize) {
    match data {
        Data::Dynamic(_, inner) => push_value(out, inner, depth),
        Data::Map(entries) if !entries.is_empty() => push_struct(out, entries.iter(), depth),
        Data::List(items) if !items.is_empty() => push_list(out, items, depth),
        Data::String(text) if is_block(text) => push_text_block(out, text, depth),
        other => out.push_str(&scalar(other).expect("structure with content is handled above")),
    }
}

/// Whether a string is written as a `"""` block: two lines or more.
pub(crate) fn is_block(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n')
}

fn push_text_block(out: &mut String, text: &str, depth: usize) {
    let tabs = "\t".repeat(depth + 1);
    out.push_str("\"\"\"\n");
    for line in text.split('\n') {
        if !line.is_empty() {
            out.push_str(&tabs);
            out.push_str(&block_line(line));
        }
        out.push('\n');
    }
    out.push_str(&tabs);
    out.push_str("\"\"\"");
}

fn push_struct<'a>(
    out: &mut String,
    entries: impl Iterator<Item = (&'a String, &'a Data)>,
    depth: usize,
) {
    let entries: Vec<_> = entries.map(|(name, value)| (label(name), value)).collect();
    let width = entries
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0)
        + 2;
    out.push_str("{\n");
    for (name, value) in entries {
        let nested = scalar(value).is_none();
        let head = format!("{name}:");
        let width = if nested {
            head.chars().count() + 1
        } else {
            width
        };
        out.push_str(&format!("{}{head:<width$}", "\t".repeat(depth + 1)));
        push_value(out, value, depth + 1);
        out.push('\n');
    }
    out.push_str(&"\t".repeat(depth));
    out.push('}');
}

fn push_list(out: &mut String, items: &[Data], depth: usize) {
    let flat: Option<Vec<String>> = items.iter().map(scalar).collect();
    if let Some(flat) = flat {
        out.push_str(&format!("[{}]", flat.join(", ")));
        return;
    }
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        push_value(out, item, depth);
    }
    out.push(']');
}

#[cfg(test)]
mod tests;
