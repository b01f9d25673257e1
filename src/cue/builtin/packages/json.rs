//! `encoding/json`.

use crate::builtin::call::Call;
use crate::builtin::host::{Check, Data, Failure, Format, Handle, Outcome, Purpose};
use crate::builtin::json_reader::{JsonError, is_json, read_json};
use crate::builtin::json_writer::{JsonStyle, compact_json, indent_json, write_json};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, BYTES, Member, Package, STRING, function, schema_function};

pub(super) static PACKAGE: Package = Package {
    path: "encoding/json",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Valid", &[BYTES], Kind::BOOL, |c| {
        Ok(is_json(&c.bytes(0)?).into())
    }),
    function("Compact", &[BYTES], Kind::STRING, |c| {
        Ok(compact_json(&checked(c)?).into())
    }),
    function("Indent", &[BYTES, STRING, STRING], Kind::STRING, |c| {
        let text = checked(c)?;
        Ok(indent_json(&text, &c.string(1)?, &c.string(2)?).into())
    }),
    function("HTMLEscape", &[BYTES], Kind::STRING, html_escape),
    function("Marshal", &[ANY], Kind::STRING, |c| {
        Ok(write_json(&c.data(0)?, JsonStyle::default()).into())
    }),
    function("MarshalStream", &[ANY], Kind::STRING, marshal_stream),
    function("UnmarshalStream", &[BYTES], Kind::TOP, |c| {
        let text = c.text(0)?;
        c.host
            .decode(Format::JsonStream, "", &text)
            .map(Data::values)
    }),
    function("Unmarshal", &[BYTES], Kind::TOP, |c| {
        unmarshal(c, Format::Json, "json").map(Data::Value)
    }),
    schema_function("Validate", &[BYTES, ANY], Kind::BOOL, |c| {
        let (value, schema) = (
            unmarshal(c, Format::JsonFile, "json.Validate")?,
            c.handle(1),
        );
        c.host.validate_value(schema, value, Check::Final)?;
        Ok(true.into())
    }),
];

/// The first argument as a text that is valid JSON.
fn checked(c: &mut Call<'_>) -> Result<String, Failure> {
    let bytes = c.bytes(0)?;
    read_json(&bytes).or_else(|e| Failure::fatal(e.text))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn unmarshal(c: &mut Call<'_>, format: Format, file: &str) -> Result<Handle, Failure> {
    let text = c.text(0)?;
    if let Err(JsonError { text, .. }) = read_json(text.as_bytes()) {
        // valid JSON that is no value of the language keeps its own text
        let own = text.starts_with("invalid string: ") || text.contains("exponent out of range");
        return Failure::fatal(if own {
            text
        } else {
            "json: invalid JSON".into()
        });
    }
    let values = c.host.decode(format, file, &text)?;
    Ok(values[0])
}

fn marshal_stream(c: &mut Call<'_>) -> Outcome {
    let list = c.concrete(0)?;
    let Some(elements) = c.host.elements(list).map_err(Failure::Error)? else {
        return Err(c.misfit(list, Kind::LIST));
    };
    let mut out = String::new();
    for item in elements.items {
        out.push_str(&write_json(
            &c.host.data(item, Purpose::Json)?,
            JsonStyle::default(),
        ));
        out.push('\n');
    }
    Ok(out.into())
}

fn html_escape(c: &mut Call<'_>) -> Outcome {
    let text = String::from_utf8_lossy(&c.bytes(0)?).into_owned();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    Ok(out.into())
}
