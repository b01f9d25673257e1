//! Values to the encodings that commands print.

use super::flags::{Flags, Word};
use super::plan::{Item, Plan};
use pravo_cue::builtin::Data;
use pravo_cue::eval::value::{Data as Of, Val};
use pravo_cue::print::{
    DataError, DataStyle, JsonStyle, Profile, Report, print_value, to_data, write_json, write_toml,
    write_yaml,
};
use pravo_cue::syntax::format::Style;
use pravo_load::Encoding;

/// Where output goes and how it is written.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) encoding: Encoding,
    /// A file instead of standard output.
    pub(super) file: Option<String>,
}

impl Output {
    /// The output that flags ask for.
    pub(super) fn of(flags: &Flags, default: Encoding) -> Result<Output, String> {
        let mut encoding = None;
        let mut file = None;
        if let Some(out) = &flags.out {
            encoding = Some(scope(out)?);
        }
        if let Some(name) = &flags.outfile {
            let (name, of_name) = match (name.split_once(':'), encoding) {
                (Some((prefix, rest)), None) => (rest.to_owned(), Some(scope(prefix)?)),
                (_, Some(_)) => (name.clone(), None),
                (None, None) => (name.clone(), Some(Encoding::of_name(name)?)),
            };
            encoding = encoding.or(of_name);
            file = Some(name).filter(|n| n != "-");
        }
        let encoding = encoding.unwrap_or(default);
        match encoding {
            Encoding::Cue
            | Encoding::Json
            | Encoding::JsonLines
            | Encoding::Yaml
            | Encoding::Toml
            | Encoding::Text
            | Encoding::Binary => Ok(Output { encoding, file }),
            Encoding::Xml | Encoding::Other => {
                Err(format!("unsupported encoding \"{}\"", encoding.name()))
            }
        }
    }
}

fn scope(text: &str) -> Result<Encoding, String> {
    let mut found: Option<Encoding> = None;
    for part in text.split('+') {
        match (Encoding::of_scope(part), found) {
            (Some(e), None) => found = Some(e),
            (Some(_), Some(_)) => return Err("invalid tag combination".to_owned()),
            (None, _) if matches!(part, "schema" | "graph" | "dag" | "data") => {}
            (None, _) if matches!(part, "openapi" | "jsonschema" | "pb") => {
                return Err(format!("the interpretation {part} is not built in"));
            }
            (None, _) => return Err(format!("unknown filetype {part}")),
        }
    }
    found.ok_or_else(|| format!("unknown filetype {text}"))
}

/// The text of a value. The reports are why it has none.
pub(super) fn encode(
    plan: &mut Plan,
    word: Word,
    flags: &Flags,
    item: &Item,
    encoding: Encoding,
) -> Result<Vec<u8>, Vec<Report>> {
    let value = Val::bare(Of::Vertex(item.value));
    match encoding {
        Encoding::Cue => cue(plan, word, flags, item, value).map(String::into_bytes),
        Encoding::Yaml => {
            let data = data(plan, item, value, DataStyle { literals: true })?;
            Ok(write_yaml(&data).into_bytes())
        }
        Encoding::Toml => {
            let data = data(plan, item, value, DataStyle::default())?;
            let text = write_toml(&data).map_err(|text| vec![unplaced(text)])?;
            Ok(text.into_bytes())
        }
        Encoding::Text | Encoding::Binary => {
            let data = data(plan, item, value, DataStyle::default())?;
            raw(plan, item, &data, encoding)
        }
        _ => {
            let data = data(plan, item, value, DataStyle::default())?;
            if let Some(text) = no_json(&data) {
                return Err(vec![unplaced(text.to_owned())]);
            }
            let style = JsonStyle {
                indent: Some("    "),
                escape_html: flags.escape,
            };
            let mut text = write_json(&data, style);
            text.push('\n');
            Ok(text.into_bytes())
        }
    }
}

fn cue(
    plan: &mut Plan,
    word: Word,
    flags: &Flags,
    item: &Item,
    value: Val,
) -> Result<String, Vec<Report>> {
    let package = plan.ev.package_id(item.package).to_owned();
    let concrete = flags.concrete == Some(true);
    let clause = flags.package.clone();
    let (profile, style) = match word {
        Word::Export | Word::Def => {
            let printed = match word {
                Word::Def => Profile::def(&package),
                _ => Profile::export(&package),
            };
            let profile = Profile {
                clause,
                inline: flags.inline,
                ..printed
            };
            (
                profile,
                Style {
                    simplify: true,
                    spaces: false,
                },
            )
        }
        _ => {
            // an expression belongs to no package
            let package = match item.expression {
                Some(_) => "_".to_owned(),
                None => package,
            };
            let profile = Profile {
                is_final: concrete,
                definitions: !concrete,
                optional: flags.shows_optional(),
                hidden: !concrete && (flags.all || flags.hidden),
                attributes: flags.attributes,
                errors: flags.ignore,
                clause,
                ..Profile::eval(&package)
            };
            (
                profile,
                Style {
                    simplify: flags.simplify,
                    spaces: true,
                },
            )
        }
    };
    print_value(&mut plan.ev, value, &profile, style).map_err(|e| plan.ev.reports(e))
}

fn data(plan: &Plan, item: &Item, value: Val, style: DataStyle) -> Result<Data, Vec<Report>> {
    match to_data(&plan.ev, value, style) {
        Ok(data) => Ok(data),
        Err(DataError::Error(e)) => Err(plan.ev.reports_of(item.value, e)),
        Err(DataError::NotData(e)) if e.incomplete => Err(vec![report(plan, item, e.text)]),
        Err(DataError::NotData(e)) => Err(vec![Report {
            path: labels(plan, plan.ev.deref(e.vertex)),
            ..unplaced(e.text)
        }]),
    }
}

/// What the reader of JSON says of numbers that are not finite.
fn no_json(data: &Data) -> Option<&'static str> {
    match data {
        Data::Number(n) | Data::Literal(n, _) if !n.value.is_finite() => {
            let text = n.text();
            Some(if text.starts_with('-') {
                "invalid character 'I' in numeric literal"
            } else if text.starts_with('I') {
                "invalid character 'I' looking for beginning of value"
            } else {
                "invalid character 'N' looking for beginning of value"
            })
        }
        Data::List(items) => items.iter().find_map(no_json),
        Data::Struct(fields) => fields.iter().find_map(|(_, v)| no_json(v)),
        _ => None,
    }
}

/// An error that names no place.
fn unplaced(message: String) -> Report {
    Report {
        code: pravo_cue::eval::kind::Code::Eval,
        path: Vec::new(),
        message,
        primary: pravo_cue::syntax::source::Pos::NONE,
        more: Vec::new(),
    }
}

fn labels(plan: &Plan, v: pravo_cue::eval::vertex::VId) -> Vec<String> {
    let path = plan.ev.path(v);
    path.iter().map(|l| plan.ev.label_text(*l)).collect()
}

/// An error of a value as a whole, at its path.
fn report(plan: &Plan, item: &Item, message: String) -> Report {
    let mut positions = plan.ev.positions(item.value);
    let primary = if positions.is_empty() {
        pravo_cue::syntax::source::Pos::NONE
    } else {
        positions.remove(0)
    };
    Report {
        code: pravo_cue::eval::kind::Code::Eval,
        path: labels(plan, item.value),
        message,
        primary,
        more: positions,
    }
}

fn raw(plan: &Plan, item: &Item, data: &Data, encoding: Encoding) -> Result<Vec<u8>, Vec<Report>> {
    match (data, encoding) {
        (Data::String(text), Encoding::Text) => Ok(format!("{text}\n").into_bytes()),
        (Data::String(text), _) => Ok(text.clone().into_bytes()),
        (Data::Bytes(bytes), Encoding::Binary) => Ok(bytes.clone()),
        _ => {
            let wanted = if encoding == Encoding::Text {
                "string"
            } else {
                "(string|bytes)"
            };
            let kind = match data {
                Data::Null => "null",
                Data::Bool(_) => "bool",
                Data::Bytes(_) => "bytes",
                Data::List(_) => "list",
                Data::Struct(_) => "struct",
                Data::Number(n) | Data::Literal(n, _) if n.is_int() => "int",
                _ => "float",
            };
            let v = if plan.ev.is_shared(item.value) {
                plan.ev.deref(item.value)
            } else {
                item.value
            };
            let shown = plan.ev.compact(Val::bare(Of::Vertex(v)));
            let text = format!("cannot use value {shown} (type {kind}) as {wanted}");
            Err(vec![Report {
                primary: plan.ev.value_pos(v),
                path: labels(plan, v),
                more: Vec::new(),
                ..report(plan, item, text)
            }])
        }
    }
}
