//! Data to TOML: keys sorted, plain values before tables, every table with its header.

use crate::builtin::Data;
use crate::number::Number;
use std::fmt::Write;

/// The TOML text of data, or why there is none.
pub fn write_toml(data: &Data) -> Result<String, String> {
    let mut writer = Writer {
        out: String::new(),
        path: Vec::new(),
    };
    match data {
        Data::Null => return Err("toml: cannot encode a nil interface".to_owned()),
        Data::Struct(fields) => writer.table(fields, false)?,
        Data::List(items) if are_tables(items) => writer.tables(items)?,
        other => writer.value(other)?,
    }
    Ok(writer.out)
}

struct Writer {
    out: String,
    /// Keys from the root to the table that is being written.
    path: Vec<String>,
}

fn are_tables(items: &[Data]) -> bool {
    !items.is_empty() && items.iter().all(|i| matches!(i, Data::Struct(_)))
}

/// Whether a field has a header of its own.
fn is_table(data: &Data) -> bool {
    match data {
        Data::Struct(_) => true,
        Data::List(items) => are_tables(items),
        _ => false,
    }
}

fn sorted(fields: &[(String, Data)]) -> Vec<(&str, &Data)> {
    let mut fields: Vec<(&str, &Data)> = fields
        .iter()
        .filter(|(_, v)| *v != Data::Null)
        .map(|(k, v)| (k.as_str(), v))
        .collect();
    fields.sort_by(|a, b| a.0.cmp(b.0));
    fields
}

impl Writer {
    fn header(&mut self, open: &str, close: &str) {
        self.out.push_str(open);
        for (i, key) in self.path.iter().enumerate() {
            if i > 0 {
                self.out.push('.');
            }
            write_key(&mut self.out, key);
        }
        self.out.push_str(close);
        self.out.push('\n');
    }

    fn table(&mut self, fields: &[(String, Data)], header: bool) -> Result<(), String> {
        stacker::maybe_grow(64 << 10, 2 << 20, || {
            if header && !self.path.is_empty() {
                self.header("[", "]");
            }
            let fields = sorted(fields);
            let (tables, plain): (Vec<_>, Vec<_>) =
                fields.into_iter().partition(|(_, v)| is_table(v));
            for (key, value) in &plain {
                write_key(&mut self.out, key);
                self.out.push_str(" = ");
                self.value(value)?;
                self.out.push('\n');
            }
            for (i, (key, value)) in tables.iter().enumerate() {
                if i > 0 || !plain.is_empty() {
                    self.out.push('\n');
                }
                self.path.push((*key).to_owned());
                match value {
                    Data::Struct(fields) => self.table(fields, true)?,
                    Data::List(items) => self.tables(items)?,
                    _ => {}
                }
                self.path.pop();
            }
            Ok(())
        })
    }

    fn tables(&mut self, items: &[Data]) -> Result<(), String> {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push('\n');
            }
            self.header("[[", "]]");
            if let Data::Struct(fields) = item {
                self.table(fields, false)?;
            }
        }
        Ok(())
    }

    /// A value on the line of its key.
    fn value(&mut self, data: &Data) -> Result<(), String> {
        match data {
            Data::Null | Data::Value(_) => {
                return Err("toml: encoding a nil interface is not supported".to_owned());
            }
            Data::Tagged(_, inner) => self.value(inner)?,
            Data::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Data::Number(n) | Data::Literal(n, _) => write_number(&mut self.out, n),
            Data::String(text) => write_string(&mut self.out, text),
            Data::Bytes(bytes) => {
                let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
                let _ = write!(self.out, "[{}]", numbers.join(", "));
            }
            Data::List(items) => {
                self.out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    stacker::maybe_grow(64 << 10, 2 << 20, || self.value(item))?;
                }
                self.out.push(']');
            }
            Data::Struct(fields) => {
                self.out.push('{');
                for (i, (key, value)) in sorted(fields).into_iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    write_key(&mut self.out, key);
                    self.out.push_str(" = ");
                    stacker::maybe_grow(64 << 10, 2 << 20, || self.value(value))?;
                }
                self.out.push('}');
            }
        }
        Ok(())
    }
}

/// Numbers that fit neither 64 bits of an integer nor a float are texts, and so is the least
/// integer.
fn write_number(out: &mut String, number: &Number) {
    if number.is_int() {
        let value = number.value.to_bigint();
        match value {
            Some(value) if i64::try_from(&value).is_ok_and(|v| v != i64::MIN) => {
                out.push_str(&value.to_string());
            }
            _ => write_string(out, &number.text()),
        }
        return;
    }
    let value = number.value.to_f64();
    if !value.is_finite() {
        write_string(out, &number.text().to_lowercase());
    } else if value == value.trunc() {
        let _ = write!(out, "{value:.1}");
    } else {
        out.push_str(&format!("{value}"));
    }
}

fn needs_escapes(text: &str) -> bool {
    text.bytes()
        .any(|b| b == b'\'' || b < b' ' && b != b'\t' || b == 0x7f)
}

fn write_key(out: &mut String, key: &str) {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !key.is_empty() && key.chars().all(bare) {
        out.push_str(key);
    } else {
        write_string(out, key);
    }
}

fn write_string(out: &mut String, text: &str) {
    if !needs_escapes(text) {
        out.push('\'');
        out.push_str(text);
        out.push('\'');
        return;
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' || c == '\u{7f}' => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
