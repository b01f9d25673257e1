//! Finds what a specification declares: every struct with `$kind`, by walking plain data.

use crate::view::{Path, Shape, View};
use crate::{Position, SpecErrors};
use pravo_cue::eval::label::Label;
use pravo_cue::eval::vertex::VId;
use pravo_state::{Address, Diagnostic};

/// What a struct with `$kind` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Resource,
    Data,
    Ephemeral,
    Call,
    Provider,
    Output,
    Env,
    SecretEnv,
    RemoteOutputs,
    Policy,
}

impl Kind {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "resource" => Self::Resource,
            "data" => Self::Data,
            "ephemeral" => Self::Ephemeral,
            "call" => Self::Call,
            "provider" => Self::Provider,
            "output" => Self::Output,
            "env" => Self::Env,
            "secret_env" => Self::SecretEnv,
            "remote_outputs" => Self::RemoteOutputs,
            "policy" => Self::Policy,
            _ => return None,
        })
    }

    /// The words for it in messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Resource => "a resource",
            Self::Data => "a data source",
            Self::Ephemeral => "an ephemeral resource",
            Self::Call => "a function call",
            Self::Provider => "a provider",
            Self::Output => "an output",
            Self::Env => "an environment variable",
            Self::SecretEnv => "a secret environment variable",
            Self::RemoteOutputs => "remote outputs",
            Self::Policy => "a policy",
        }
    }

    /// Whether pravo does something with it.
    fn is_built(self) -> bool {
        matches!(
            self,
            Self::Resource | Self::Data | Self::Provider | Self::Output
        )
    }
}

/// A struct with `$kind`.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its path; every step is a regular field or an element.
    pub path: Path,
    /// The same as an address.
    pub address: Address,
    /// What it is.
    pub kind: Kind,
    /// Where it is declared.
    pub position: Option<Position>,
}

/// The field that says what a struct is.
const KIND: &str = "$kind";

/// The top-level field that is not searched.
const SETTINGS: &str = "$settings";

/// Finds every struct with `$kind`, in the order of printed fields: below fields, structs and list
/// elements; not in definitions, hidden or optional fields or `$settings`.
///
/// # Errors
/// A `$kind` that is not known; a found struct inside another; what pravo does not do yet.
pub(crate) fn discover(view: &mut View) -> Result<Vec<Found>, SpecErrors> {
    let mut found = Vec::new();
    let mut errors = SpecErrors::default();
    let root = view.root();
    let settings = view.ev.string_label(SETTINGS);
    let mut stack = below(view, &[], view.printed(root));
    stack.retain(|(path, _)| path[..] != [settings]);
    stack.reverse();
    while let Some((path, v)) = stack.pop() {
        match kind_of(view, &path, v) {
            Ok(Some(kind)) => match read(view, path, v, kind) {
                Ok(thing) => found.push(thing),
                Err(error) => errors.append(error),
            },
            Ok(None) => {
                errors.append(type_that_is_not_there(view, &path, v));
                let inner = below(view, &path, view.printed(v));
                stack.extend(inner.into_iter().rev());
            }
            Err(error) => errors.append(error),
        }
    }
    errors.into_result().map(|()| found)
}

/// A value that is built from a type that its provider does not have. The language takes it for a
/// field that may still come; nobody will ever add it.
fn type_that_is_not_there(view: &mut View, path: &[Label], v: VId) -> SpecErrors {
    if view.shape(v) != Shape::Open || !view.lacks_type(path) {
        return SpecErrors::default();
    }
    view.incomplete(v).unwrap_or_default()
}

/// The regular fields or elements below a struct or list, in no order that counts.
fn children(view: &View, path: &[Label], v: VId) -> Vec<(Path, VId)> {
    below(view, path, view.children(v))
}

fn below(view: &View, path: &[Label], children: Vec<VId>) -> Vec<(Path, VId)> {
    let with_path = |child: VId| {
        let mut path = path.to_vec();
        path.push(view.ev.label(child));
        (path, child)
    };
    children.into_iter().map(with_path).collect()
}

fn kind_of(view: &mut View, path: &[Label], v: VId) -> Result<Option<Kind>, SpecErrors> {
    let Some(inner) = view.composite(v) else {
        return Ok(None);
    };
    let Some(field) = view.named(inner, KIND) else {
        return Ok(None);
    };
    let Shape::String(text) = view.shape(field) else {
        return Ok(None);
    };
    if let Some(kind) = Kind::parse(&text) {
        return Ok(Some(kind));
    }
    let name = view.text(path);
    Err(SpecErrors::at(
        format!("{name}: $kind {text:?} is not known"),
        view.position(v).as_ref(),
    ))
}

fn read(view: &mut View, path: Path, v: VId, kind: Kind) -> Result<Found, SpecErrors> {
    let position = view.position(v);
    check(view, &path, v, kind)?;
    let address = view
        .address(&path)
        .expect("only regular fields and elements are walked");
    Ok(Found {
        path,
        address,
        kind,
        position,
    })
}

/// What must not be inside a found struct, and what of it pravo does not do yet.
fn check(view: &mut View, path: &[Label], v: VId, kind: Kind) -> Result<(), SpecErrors> {
    let name = view.text(path);
    if !kind.is_built() {
        let words = kind.words();
        let error = format!("{name} is {words}, which this version of pravo does not support");
        return Err(SpecErrors::at(error, view.position(v).as_ref()));
    }
    let mut errors = SpecErrors::default();
    if matches!(kind, Kind::Resource | Kind::Data) {
        refuse_fields(view, path, v, &mut errors);
    }
    let mut stack = children(view, path, v);
    stack.retain(|(path, _)| !is_own(view, path));
    stack.reverse();
    while let Some((inner, v)) = stack.pop() {
        match kind_of(view, &inner, v) {
            Ok(Some(found)) => {
                let (words, inner_words) = (kind.words(), found.words());
                let inner = view.text(&inner);
                errors.0.push(Diagnostic::error(format!(
                    "{name} is {words}, so it cannot contain {inner}, which is {inner_words}"
                )));
            }
            Ok(None) => stack.extend(children(view, &inner, v).into_iter().rev()),
            Err(error) => errors.append(error),
        }
    }
    errors.into_result()
}

/// Whether the last step is a field of pravo's own, such as `$depends_on`.
fn is_own(view: &View, path: &[Label]) -> bool {
    let label = path.last().map(|label| view.label(*label));
    label.is_some_and(|label| label.starts_with('$'))
}

/// Fields of pravo's own that it does not act on yet: accepted, they would be broken promises.
fn refuse_fields(view: &mut View, path: &[Label], v: VId, errors: &mut SpecErrors) {
    let Some(inner) = view.composite(v) else {
        return;
    };
    let mut refused: Vec<(Path, VId)> = Vec::new();
    for (path, field) in children(view, path, inner) {
        let label = path.last().map(|l| view.label(*l)).unwrap_or_default();
        match label.as_str() {
            "$from" | "$import" => refused.push((path, field)),
            "$lifecycle" => {
                let mut fields = children(view, &path, field);
                fields.retain(|(p, _)| p.last().is_some_and(|l| view.label(*l) != "refresh"));
                refused.extend(fields);
            }
            _ => {}
        }
    }
    for (path, field) in refused {
        let name = view.text(&path);
        errors.append(SpecErrors::at(
            format!("{name}: this version of pravo does not support this field; remove it"),
            view.position(field).as_ref(),
        ));
    }
}
