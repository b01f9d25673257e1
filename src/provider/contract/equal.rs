//! Equality of values, and how they are taken apart.

use pravo_state::{AttributePath, Data, PathStep};

static NULL: Data = Data::Null;

/// Whether two values in their one form are equal. A null is equal to a null of any type; an
/// unknown value is equal to an unknown value.
pub(super) fn equal(a: &Data, b: &Data) -> bool {
    match (a, b) {
        (Data::Dynamic(_, inner), Data::Null) => inner.is_null(),
        (Data::Null, Data::Dynamic(_, inner)) => inner.is_null(),
        (Data::List(a), Data::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Data::Map(a), Data::Map(b)) => {
            let pairs = a.iter().zip(b);
            a.len() == b.len()
                && pairs
                    .into_iter()
                    .all(|((x, a), (y, b))| x == y && equal(a, b))
        }
        _ => a == b,
    }
}

/// Whether a value is null, of whatever type.
pub(super) fn is_null(value: &Data) -> bool {
    match value {
        Data::Dynamic(_, inner) => inner.is_null(),
        value => value.is_null(),
    }
}

/// The attribute of an object; null where the object is null.
pub(super) fn part<'a>(object: &'a Data, name: &str) -> &'a Data {
    object.get(name).unwrap_or(&NULL)
}

/// The element of a list; null where there is none.
pub(super) fn element(list: &Data, index: usize) -> &Data {
    items(list).get(index).unwrap_or(&NULL)
}

/// The elements of a list; none where it is null.
pub(super) fn items(list: &Data) -> &[Data] {
    match list {
        Data::List(items) => items,
        Data::Dynamic(_, inner) => items(inner),
        _ => &[],
    }
}

/// The keys of a map; none where it is null.
pub(super) fn keys(map: &Data) -> Vec<&String> {
    match map {
        Data::Map(entries) => entries.keys().collect(),
        Data::Dynamic(_, inner) => keys(inner),
        _ => Vec::new(),
    }
}

/// A path, one attribute deeper.
pub(super) fn at(path: &AttributePath, name: &str) -> AttributePath {
    path.then(PathStep::Attribute(name.to_owned()))
}

/// A path, one element deeper.
pub(super) fn at_index(path: &AttributePath, index: usize) -> AttributePath {
    path.then(PathStep::Index(index))
}

/// A path, one entry deeper.
pub(super) fn at_key(path: &AttributePath, key: &str) -> AttributePath {
    path.then(PathStep::Key(key.to_owned()))
}
