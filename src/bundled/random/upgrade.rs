//! What both text types put for attributes that an older record or an import does not have.

use crate::kit::Object;

/// An object for an existing text: every class allowed, nothing demanded.
pub(super) fn imported(text: &str) -> Object {
    completed(Object::default().with("result", text))
}

/// A record of an older version with the attributes that came later: `numeric` is what `number`
/// is, the rest are the defaults where they are null.
pub(super) fn completed(mut object: Object) -> Object {
    let length = object.text("result").map_or(0, str::len);
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    for flag in ["special", "upper", "lower", "number"] {
        let value = object.flag(flag).unwrap_or(true);
        object.set(flag, value);
    }
    for least in ["min_numeric", "min_upper", "min_lower", "min_special"] {
        let value = object.integer(least).unwrap_or(0);
        object.set(least, value);
    }
    let length = object.integer("length").unwrap_or(length);
    object.set("length", length);
    let numeric = object.get("number").clone();
    object.set("numeric", numeric);
    object
}
