//! Data to YAML in the layout of the reference: blocks, two spaces, sequences indented in mappings.

use super::deeper;
use super::yaml_scalar::{Style, allowed, analyze, is_break, is_printable, number_text, style_of};
use crate::builtin::{Data, base64_text};
use crate::decode::yaml::implied_tag;
use std::fmt::Write;

/// Longest key, in bytes, that is written before a colon.
const MAX_KEY: usize = 128;

/// The YAML text of data, with a final newline.
pub fn write_yaml(data: &Data) -> String {
    let mut writer = Writer { out: String::new() };
    match data {
        Data::List(items) if !items.is_empty() => writer.sequence(items, 0, true),
        Data::Struct(fields) if !fields.is_empty() => writer.mapping(fields, 0, true),
        scalar => writer.scalar(scalar, 2, false),
    }
    if !writer.out.ends_with('\n') {
        writer.out.push('\n');
    }
    writer.out
}

struct Writer {
    out: String,
}

impl Writer {
    /// Starts a line at the indentation, unless the cursor is there already.
    fn line(&mut self, indent: usize) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.pad(indent);
    }

    fn pad(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// The lines of a sequence; `inline` if the first one continues the current line.
    fn sequence(&mut self, items: &[Data], indent: usize, inline: bool) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 || !inline {
                self.line(indent);
            }
            self.out.push('-');
            match item {
                Data::List(items) if !items.is_empty() => {
                    self.out.push(' ');
                    deeper(|| self.sequence(items, indent + 2, true));
                }
                Data::Struct(fields) if !fields.is_empty() => {
                    self.out.push(' ');
                    deeper(|| self.mapping(fields, indent + 2, true));
                }
                scalar => self.value(scalar, indent + 2),
            }
        }
    }

    fn mapping(&mut self, fields: &[(String, Data)], indent: usize, inline: bool) {
        for (i, (name, value)) in fields.iter().enumerate() {
            if i > 0 || !inline {
                self.line(indent);
            }
            let simple = name.len() <= MAX_KEY && !analyze(name).multiline;
            if simple {
                self.string(name, indent + 2, true);
            } else {
                self.out.push_str("? ");
                self.string(name, indent + 2, false);
                self.line(indent);
            }
            self.out.push(':');
            let value = match value {
                Data::Tagged(tag, value) => match self.tag(tag, value) {
                    Some(quoted) => {
                        self.out.push(' ');
                        self.double(&quoted);
                        continue;
                    }
                    None => &**value,
                },
                value => value,
            };
            match value {
                Data::List(items) if !items.is_empty() => {
                    if simple {
                        deeper(|| self.sequence(items, indent + 2, false));
                    } else {
                        self.out.push(' ');
                        deeper(|| self.sequence(items, indent + 2, true));
                    }
                }
                Data::Struct(fields) if !fields.is_empty() => {
                    if simple {
                        deeper(|| self.mapping(fields, indent + 2, false));
                    } else {
                        self.out.push(' ');
                        deeper(|| self.mapping(fields, indent + 2, true));
                    }
                }
                scalar => self.value(scalar, indent + 2),
            }
        }
    }

    /// Writes a tag where the value does not imply it; the text of a number or the like that has
    /// to be quoted to be a string.
    fn tag(&mut self, tag: &str, value: &Data) -> Option<String> {
        let short = match tag.strip_prefix("tag:yaml.org,2002:") {
            Some(name) => format!("!!{name}"),
            None => tag.to_owned(),
        };
        let mut plain = Self { out: String::new() };
        let implied = match value {
            Data::List(_) => "!!seq",
            Data::Struct(_) => "!!map",
            Data::Bytes(_) => "!!binary",
            Data::String(text) if style_of(text, false) != Style::Plain && short == "!!str" => {
                "!!str"
            }
            Data::String(text) => implied_tag(text),
            scalar => {
                plain.scalar(scalar, 0, false);
                implied_tag(&plain.out)
            }
        };
        if implied == short {
            return None;
        }
        if short == "!!str" && !plain.out.is_empty() {
            return Some(plain.out);
        }
        self.out.push(' ');
        if short.starts_with('!') {
            self.out.push_str(&short);
        } else {
            self.out.push_str(&format!("!<{short}>"));
        }
        None
    }

    /// A blank and a scalar, or an empty collection.
    fn value(&mut self, data: &Data, indent: usize) {
        self.out.push(' ');
        self.scalar(data, indent, false);
        if self.out.ends_with(' ') && matches!(data, Data::Bytes(b) if b.is_empty()) {
            self.out.pop();
        }
    }

    fn scalar(&mut self, data: &Data, indent: usize, key: bool) {
        match data {
            Data::Null | Data::Value(_) => self.out.push_str("null"),
            Data::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Data::Number(number) => {
                self.out
                    .push_str(&number_text(&number.token(), number.is_int()));
            }
            Data::Literal(number, token) => {
                self.out.push_str(&number_text(token, number.is_int()));
            }
            Data::String(text) => self.string(text, indent, key),
            Data::Bytes(bytes) => {
                self.out.push_str("!!binary");
                let text = base64_text::encode(bytes);
                if std::str::from_utf8(bytes).is_ok_and(|text| text.contains('\n')) {
                    self.out.push(' ');
                    self.literal(&text, indent);
                } else if !text.is_empty() {
                    self.out.push(' ');
                    self.out.push_str(&text);
                }
            }
            Data::Tagged(_, inner) => self.scalar(inner, indent, key),
            Data::List(_) => self.out.push_str("[]"),
            Data::Struct(_) => self.out.push_str("{}"),
        }
    }

    fn string(&mut self, text: &str, indent: usize, key: bool) {
        match style_of(text, key) {
            Style::Plain => self.out.push_str(text),
            Style::Single => self.single(text, indent),
            Style::Double => self.double(text),
            Style::Literal => self.literal(text, indent),
        }
    }

    fn single(&mut self, text: &str, indent: usize) {
        self.out.push('\'');
        let mut after_break = false;
        for c in text.chars() {
            if is_break(c) {
                if !after_break && c == '\n' {
                    self.out.push('\n');
                }
                self.out.push(c);
                after_break = true;
                continue;
            }
            if std::mem::take(&mut after_break) {
                self.pad(indent);
            }
            if c == '\'' {
                self.out.push('\'');
            }
            self.out.push(c);
        }
        self.out.push('\'');
    }

    fn double(&mut self, text: &str) {
        // a leading byte order mark makes the reference escape everything
        let all = text.starts_with('\u{feff}');
        self.out.push('"');
        for c in text.chars() {
            if !all && is_printable(c) && !is_break(c) && c != '"' && c != '\\' {
                self.out.push(c);
                continue;
            }
            let short = match c {
                '\0' => '0',
                '\u{7}' => 'a',
                '\u{8}' => 'b',
                '\t' => 't',
                '\n' => 'n',
                '\u{b}' => 'v',
                '\u{c}' => 'f',
                '\r' => 'r',
                '\u{1b}' => 'e',
                '"' => '"',
                '\\' => '\\',
                '\u{85}' => 'N',
                '\u{a0}' => '_',
                '\u{2028}' => 'L',
                '\u{2029}' => 'P',
                _ => {
                    let code = u32::from(c);
                    // writing to a string cannot fail
                    let _ = match code {
                        0..0x100 => write!(self.out, "\\x{code:02X}"),
                        0x100..0x1_0000 => write!(self.out, "\\u{code:04X}"),
                        _ => write!(self.out, "\\U{code:08X}"),
                    };
                    continue;
                }
            };
            self.out.push('\\');
            self.out.push(short);
        }
        self.out.push('"');
    }

    fn literal(&mut self, text: &str, indent: usize) {
        if allowed(Style::Literal, analyze(text), false, text.is_empty()) != Style::Literal {
            self.double(text);
            return;
        }
        self.out.push('|');
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.out.push('2');
        }
        let mut end = text.chars().rev();
        match (end.next().is_some_and(is_break), end.next()) {
            (false, _) => self.out.push('-'),
            (true, None) => self.out.push('+'),
            (true, Some(c)) if is_break(c) => self.out.push('+'),
            (true, Some(_)) => {}
        }
        self.out.push('\n');
        let mut after_break = true;
        for c in text.chars() {
            if is_break(c) {
                self.out.push(c);
                after_break = true;
            } else {
                if std::mem::take(&mut after_break) {
                    self.pad(indent);
                }
                self.out.push(c);
            }
        }
    }
}
