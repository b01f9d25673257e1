//! The type of a value whose attribute takes any type.

use crate::body::Body;
use pravo_state::Type;

/// The type a body has by itself: structs are objects, lists are tuples, and what is not concrete
/// or null is of any type. What no provider takes is named in the error.
pub(super) fn infer(body: &Body) -> Result<Type, &'static str> {
    Ok(match body {
        Body::Bool(_) => Type::Bool,
        Body::Number(_) => Type::Number,
        Body::String(_) => Type::String,
        Body::Null | Body::Open(_) => Type::Dynamic,
        Body::List(items) => {
            let items: Result<_, &'static str> = items.iter().map(|i| infer(&i.body)).collect();
            Type::Tuple(items?)
        }
        Body::Struct(entries) => {
            let fields = entries
                .iter()
                .filter_map(|e| Some((&e.label, e.body.as_ref()?)));
            let fields: Result<_, &'static str> = fields
                .map(|(label, body)| infer(body).map(|kind| (label.clone(), kind)))
                .collect();
            Type::Object(fields?, Vec::new())
        }
        Body::Foreign(kind) => return Err(kind),
    })
}
