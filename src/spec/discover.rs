//! Finds what a specification declares: every struct with `$kind`, by walking plain data.

use crate::segment::{self, Segment};
use crate::view::{Shape, View};
use crate::{Position, SpecErrors};
use pravo_state::Diagnostic;

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
    pub path: Vec<Segment>,
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
    let mut stack: Vec<Vec<Segment>> = children(view, &[]);
    stack.retain(|path| !matches!(&path[..], [Segment::Field(label)] if label == SETTINGS));
    stack.reverse();
    while let Some(path) = stack.pop() {
        match kind_of(view, &path) {
            Ok(Some(kind)) => {
                let position = view.position(&path);
                if let Err(inner) = check(view, &path, kind, position.as_ref()) {
                    errors.append(inner);
                }
                found.push(Found {
                    path,
                    kind,
                    position,
                });
            }
            Ok(None) => {
                let below = children(view, &path);
                stack.extend(below.into_iter().rev());
            }
            Err(error) => errors.append(error),
        }
    }
    errors.into_result().map(|()| found)
}

/// The paths of the regular fields or elements below a struct or list.
fn children(view: &mut View, path: &[Segment]) -> Vec<Vec<Segment>> {
    let below = |segment: Segment| {
        let mut child = path.to_vec();
        child.push(segment);
        child
    };
    view.fields(path).into_iter().map(below).collect()
}

fn kind_of(view: &mut View, path: &[Segment]) -> Result<Option<Kind>, SpecErrors> {
    let Some(Shape::String(text)) = view.field(path, KIND) else {
        return Ok(None);
    };
    if let Some(kind) = Kind::parse(&text) {
        return Ok(Some(kind));
    }
    let name = segment::text(path);
    let position = view.position(path);
    Err(SpecErrors::at(
        format!("{name}: $kind {text:?} is not known"),
        position.as_ref(),
    ))
}

/// What must not be inside a found struct, and what of it pravo does not do yet.
fn check(
    view: &mut View,
    path: &[Segment],
    kind: Kind,
    position: Option<&Position>,
) -> Result<(), SpecErrors> {
    let name = segment::text(path);
    if !kind.is_built() {
        let words = kind.words();
        let error = format!("{name} is {words}, which this version of pravo does not support");
        return Err(SpecErrors::at(error, position));
    }
    let mut errors = SpecErrors::default();
    if matches!(kind, Kind::Resource | Kind::Data) {
        refuse_fields(view, path, &mut errors);
    }
    let mut stack = children(view, path);
    stack.retain(|path| !is_own(path));
    stack.reverse();
    while let Some(inner) = stack.pop() {
        match kind_of(view, &inner) {
            Ok(Some(found)) => {
                let (words, inner_words) = (kind.words(), found.words());
                let inner = segment::text(&inner);
                errors.0.push(Diagnostic::error(format!(
                    "{name} is {words}, so it cannot contain {inner}, which is {inner_words}"
                )));
            }
            Ok(None) => stack.extend(children(view, &inner).into_iter().rev()),
            Err(error) => errors.append(error),
        }
    }
    errors.into_result()
}

/// Whether the last step is a field of pravo's own, such as `$depends_on`.
fn is_own(path: &[Segment]) -> bool {
    matches!(path.last(), Some(Segment::Field(label)) if label.starts_with('$'))
}

/// Fields of pravo's own that it does not act on yet: accepted, they would be broken promises.
fn refuse_fields(view: &mut View, path: &[Segment], errors: &mut SpecErrors) {
    let mut refused: Vec<Vec<Segment>> = Vec::new();
    for label in ["$from", "$import"] {
        let mut inner = path.to_vec();
        inner.push(Segment::Field(label.into()));
        if view.exists(&inner) {
            refused.push(inner);
        }
    }
    let mut lifecycle = path.to_vec();
    lifecycle.push(Segment::Field("$lifecycle".into()));
    let fields = children(view, &lifecycle);
    let refresh = Segment::Field("refresh".into());
    refused.extend(fields.into_iter().filter(|p| p.last() != Some(&refresh)));
    for field in refused {
        let name = segment::text(&field);
        let position = view.position(&field);
        errors.append(SpecErrors::at(
            format!("{name}: this version of pravo does not support this field; remove it"),
            position.as_ref(),
        ));
    }
}
