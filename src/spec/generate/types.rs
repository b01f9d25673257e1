//! Types of attributes as CUE.

use super::names;
use pravo_state::Type;

/// Whether a value of the type is a scalar: its attribute may be null where it is not required.
pub(super) fn is_scalar(kind: &Type) -> bool {
    matches!(kind, Type::Bool | Type::Number | Type::String)
}

/// A type, of a value that is there. Never with `| null` outside of elements.
pub(super) fn value(kind: &Type) -> String {
    match kind {
        Type::Bool => "bool".into(),
        Type::Number => "number".into(),
        Type::String => "string".into(),
        Type::Dynamic => "_".into(),
        Type::List(inner) | Type::Set(inner) => format!("[...{}]", element(inner)),
        Type::Map(inner) => format!("{{[string]: {}}}", element(inner)),
        Type::Tuple(items) => {
            let items: Vec<String> = items.iter().map(element).collect();
            format!("[{}]", items.join(", "))
        }
        Type::Object(attributes, _) => {
            let fields: Vec<String> = attributes
                .iter()
                .map(|(name, kind)| format!("{}?: {}", names::label(name), element(kind)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

/// A type inside a list, map, tuple or object: a scalar may be null there.
fn element(kind: &Type) -> String {
    let text = value(kind);
    if is_scalar(kind) {
        return text + " | null";
    }
    text
}
