//! What several tests read: the data files, schemas, bodies written as JSON.

mod reader;

use crate::body::{Body, Entry, Item, Open};
use crate::fill::Filling;
use pravo_archive::Archive;
use pravo_state::{Data, Number, ProviderSchema, Type};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder with the data of this room's tests.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/spec")
}

/// The source and schema of a provider, from its file as the peers print it.
pub(crate) fn schema(name: &str) -> (String, ProviderSchema) {
    let path = folder().join("generate").join(name);
    let text = fs::read(path.with_extension("json")).unwrap();
    reader::provider(&serde_json::from_slice(&text).unwrap())
}

/// The files of an archive: `-- NAME --` lines, each followed by the file's text.
pub(crate) fn archive(name: &str) -> Vec<(String, String)> {
    Archive::read(folder().join(name)).sections
}

/// A body from JSON. Not concrete: `<node>`, `<nothing>`, `<null>`, `<depends X>`,
/// `<depends X by tag>`; a required field that is missing: `<missing>`.
pub(crate) fn body(value: &Value) -> Body {
    match value {
        Value::Null => Body::Null,
        Value::Bool(value) => Body::Bool(*value),
        Value::Number(value) => Body::Number(Number::parse(&value.to_string()).unwrap()),
        Value::String(text) => open(text).map_or_else(|| Body::String(text.clone()), Body::Open),
        Value::Array(items) => Body::List(
            items
                .iter()
                .map(|item| Item {
                    body: body(item),
                    position: None,
                })
                .collect(),
        ),
        Value::Object(fields) => Body::Struct(
            fields
                .iter()
                .map(|(label, value)| Entry {
                    label: label.clone(),
                    body: (value != "<missing>").then(|| body(value)),
                    position: None,
                })
                .collect(),
        ),
    }
}

fn open(text: &str) -> Option<Open> {
    let mark = text.strip_prefix('<')?.strip_suffix('>')?;
    Some(match mark {
        "node" => Open::Node,
        "nothing" => Open::Nothing,
        "null" => Open::Null,
        other => {
            let on = other.strip_prefix("depends ")?;
            Open::Depends {
                on: on.strip_suffix(" by tag").unwrap_or(on).to_owned(),
                tag: on.ends_with(" by tag"),
            }
        }
    })
}

/// Data as JSON, unknown as `<unknown>`, a dynamic value as `{"<type>": value}`.
pub(crate) fn json_of_data(data: &Data) -> Value {
    match data {
        Data::Null => Value::Null,
        Data::Bool(value) => Value::Bool(*value),
        Data::Number(value) => serde_json::from_str(value.as_str()).unwrap(),
        Data::String(value) => Value::String(value.clone()),
        Data::List(items) => items.iter().map(json_of_data).collect(),
        Data::Map(entries) => {
            let entries = entries.iter();
            entries.map(|(n, d)| (n.clone(), json_of_data(d))).collect()
        }
        Data::Dynamic(kind, value) => {
            let mut object = serde_json::Map::new();
            object.insert(format!("<{}>", type_name(kind)), json_of_data(value));
            Value::Object(object)
        }
        Data::Unknown => "<unknown>".into(),
    }
}

fn type_name(kind: &Type) -> String {
    match kind {
        Type::Object(fields, _) => {
            let fields = fields.iter().map(|(n, k)| format!("{n}: {}", type_name(k)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Type::Tuple(items) => {
            let items: Vec<String> = items.iter().map(type_name).collect();
            format!("[{}]", items.join(", "))
        }
        other => format!("{other:?}").to_lowercase(),
    }
}

/// Data from JSON, as [`json_of_data`] writes it but without dynamic values.
pub(crate) fn data(value: &Value) -> Data {
    match value {
        Value::Null => Data::Null,
        Value::Bool(value) => Data::Bool(*value),
        Value::Number(value) => Data::Number(Number::parse(&value.to_string()).unwrap()),
        Value::String(text) if text == "<unknown>" => Data::Unknown,
        Value::String(text) => Data::String(text.clone()),
        Value::Array(items) => Data::List(items.iter().map(data).collect()),
        Value::Object(fields) => {
            let fields = fields.iter();
            Data::Map(fields.map(|(n, v)| (n.clone(), data(v))).collect())
        }
    }
}

/// A filling as JSON, what stays open as `<open>`.
pub(crate) fn json_of_filling(filling: &Filling) -> Value {
    match filling {
        Filling::Open => "<open>".into(),
        Filling::Null => Value::Null,
        Filling::Bool(value) => Value::Bool(*value),
        Filling::Number(value) => serde_json::from_str(value.as_str()).unwrap(),
        Filling::String(value) => Value::String(value.clone()),
        Filling::List(items) => items.iter().map(json_of_filling).collect(),
        Filling::Struct(fields) => {
            let fields = fields.iter();
            fields
                .map(|(n, f)| (n.clone(), json_of_filling(f)))
                .collect()
        }
    }
}
