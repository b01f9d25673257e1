//! `encoding/csv`.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Handle, Outcome, Purpose, Scalar};
use crate::builtin::json_writer::{JsonStyle, write_json};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, BYTES, Member, Package, function};

pub(super) static PACKAGE: Package = Package {
    path: "encoding/csv",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Encode", &[ANY], Kind::STRING, encode),
    function("Decode", &[BYTES], Kind::LIST, |c| {
        decode(&String::from_utf8_lossy(&c.bytes(0)?)).or_else(Failure::fatal)
    }),
];

fn items(c: &mut Call<'_>, list: Handle) -> Result<Vec<Handle>, Failure> {
    match c.host.elements(list).map_err(Failure::Error)? {
        Some(elements) => Ok(elements.items),
        None => Err(c.misfit(list, Kind::LIST)),
    }
}

fn encode(c: &mut Call<'_>) -> Outcome {
    let list = c.concrete(0)?;
    let mut out = String::new();
    for record in items(c, list)? {
        for (i, field) in items(c, record)?.into_iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            let text = match c.host.scalar(field) {
                Some(Scalar::String(text)) => text,
                _ => write_json(&c.host.data(field, Purpose::Json)?, JsonStyle::default()),
            };
            push_field(&mut out, &text);
        }
        out.push('\n');
    }
    Ok(out.into())
}

fn push_field(out: &mut String, text: &str) {
    let quoted = text.contains(['"', ',', '\r', '\n'])
        || text == "\\."
        || text.starts_with(char::is_whitespace);
    if !quoted {
        out.push_str(text);
        return;
    }
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}

/// Lines with their ends, `\r\n` as `\n`.
fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix("\r\n") {
            Some(body) => format!("{body}\n"),
            None => line.to_owned(),
        })
        .collect()
}

fn decode(text: &str) -> Result<Data, String> {
    let lines = lines(text);
    let mut records: Vec<Data> = Vec::new();
    let mut width = None;
    let mut at = 0;
    while at < lines.len() {
        if lines[at] == "\n" {
            at += 1;
            continue;
        }
        let first = at;
        let fields = record(&lines, &mut at)?;
        if *width.get_or_insert(fields.len()) != fields.len() {
            return Err(format!(
                "record on line {}: wrong number of fields",
                first + 1
            ));
        }
        records.push(Data::strings(fields));
    }
    Ok(Data::List(records))
}

/// One record; `at` is moved behind its last line.
fn record(lines: &[String], at: &mut usize) -> Result<Vec<String>, String> {
    let mut record = Record {
        lines,
        start: *at,
        next: *at + 1,
        line: &lines[*at],
        offset: 0,
    };
    let mut fields = Vec::new();
    let mut more = true;
    while more {
        let (field, comma) = if record.line[record.offset..].starts_with('"') {
            record.quoted()?
        } else {
            record.plain()?
        };
        fields.push(field);
        more = comma;
    }
    *at = record.next;
    Ok(fields)
}

/// A record that is being read.
struct Record<'a> {
    lines: &'a [String],
    /// The number of its first line.
    start: usize,
    /// The number of the line behind the current one.
    next: usize,
    line: &'a str,
    offset: usize,
}

impl Record<'_> {
    fn fault<T>(&self, what: &str, column: usize) -> Result<T, String> {
        let row = self.next;
        if row == self.start + 1 {
            return Err(format!(
                "parse error on line {row}, column {column}: {what}"
            ));
        }
        Err(format!(
            "record on line {}; parse error on line {row}, column {column}: {what}",
            self.start + 1
        ))
    }

    /// A field without quotes, and whether a comma follows it.
    fn plain(&mut self) -> Result<(String, bool), String> {
        let rest = &self.line[self.offset..];
        let body = rest.strip_suffix('\n').unwrap_or(rest);
        let comma = body.find(',');
        let field = &body[..comma.unwrap_or(body.len())];
        if let Some(i) = field.find('"') {
            return self.fault("bare \" in non-quoted-field", self.offset + i + 1);
        }
        self.offset += field.len() + 1;
        Ok((field.to_owned(), comma.is_some()))
    }

    /// A field in quotes, which may go over lines, and whether a comma follows it.
    fn quoted(&mut self) -> Result<(String, bool), String> {
        let what = "extraneous or missing \" in quoted-field";
        self.offset += 1;
        let mut field = String::new();
        loop {
            let rest = &self.line[self.offset..];
            if let Some(i) = rest.find('"') {
                field.push_str(&rest[..i]);
                self.offset += i + 2;
                match self.line.as_bytes().get(self.offset - 1) {
                    Some(b'"') => field.push('"'),
                    Some(b',') => return Ok((field, true)),
                    None | Some(b'\n') => return Ok((field, false)),
                    Some(_) => return self.fault(what, self.offset - 1),
                }
                continue;
            }
            field.push_str(rest);
            let Some(next) = self.lines.get(self.next) else {
                let column = self.line.strip_suffix('\n').unwrap_or(self.line).len() + 1;
                return self.fault(what, column);
            };
            self.line = next;
            self.offset = 0;
            self.next += 1;
        }
    }
}
