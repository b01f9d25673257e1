//! `encoding/csv`.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Handle, Outcome, Scalar};
use crate::builtin::json_writer::{JsonStyle, write_json};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, BYTES, Function, Package, function};

const PATH: &str = "encoding/csv";

pub(super) static PACKAGE: Package = Package {
    path: PATH,
    functions: FUNCTIONS,
    constants: &[],
    source: "",
};

static FUNCTIONS: &[Function] = &[
    function(PATH, "Encode", &[ANY], Kind::STRING, encode),
    function(PATH, "Decode", &[BYTES], Kind::LIST, |c| {
        decode(&String::from_utf8_lossy(&c.bytes(0)?)).or_else(Failure::fatal)
    }),
];

fn items(c: &mut Call<'_>, list: Handle) -> Result<Vec<Handle>, Failure> {
    match c.host.elements(list).map_err(Failure::Error)? {
        Some(elements) => Ok(elements.items),
        None => {
            let (text, kind) = (c.host.text(list), c.host.kind(list));
            Failure::fatal(format!("cannot use value {text} (type {kind}) as list"))
        }
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
                _ => write_json(&c.host.data(field)?, JsonStyle::default()),
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
    let start = *at;
    let mut fields = Vec::new();
    let mut line = lines[*at].as_str();
    let mut offset = 0;
    *at += 1;
    let fault = |what: &str, row: usize, column: usize| {
        let place = if row == start {
            format!("parse error on line {}, column {column}", row + 1)
        } else {
            format!(
                "record on line {}; parse error on line {}, column {column}",
                start + 1,
                row + 1
            )
        };
        Err(format!("{place}: {what}"))
    };
    loop {
        let rest = &line[offset..];
        let body = rest.strip_suffix('\n').unwrap_or(rest);
        if !rest.starts_with('"') {
            let (field, more) = match body.find(',') {
                Some(i) => (&body[..i], Some(i + 1)),
                None => (body, None),
            };
            if let Some(i) = field.find('"') {
                return fault("bare \" in non-quoted-field", *at - 1, offset + i + 1);
            }
            fields.push(field.to_owned());
            match more {
                Some(n) => offset += n,
                None => return Ok(fields),
            }
            continue;
        }
        offset += 1;
        let mut field = String::new();
        loop {
            let rest = &line[offset..];
            if let Some(i) = rest.find('"') {
                field.push_str(&rest[..i]);
                offset += i + 1;
                match line.as_bytes().get(offset) {
                    Some(b'"') => {
                        field.push('"');
                        offset += 1;
                    }
                    Some(b',') => {
                        offset += 1;
                        break;
                    }
                    None | Some(b'\n') => {
                        fields.push(field);
                        return Ok(fields);
                    }
                    Some(_) => {
                        return fault("extraneous or missing \" in quoted-field", *at - 1, offset);
                    }
                }
                continue;
            }
            field.push_str(rest);
            let Some(next) = lines.get(*at) else {
                let column = line.strip_suffix('\n').unwrap_or(line).len() + 1;
                return fault("extraneous or missing \" in quoted-field", *at - 1, column);
            };
            line = next;
            offset = 0;
            *at += 1;
        }
        fields.push(field);
    }
}
