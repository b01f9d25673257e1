//! Whether an answer keeps what was planned: known values stay, unknown ones become something.

use crate::propose::inside;
use crate::{Path, PathStep, Violation};
use pravo_state::Data;
use pravo_state::schema::{Block, NestedBlock, Nesting, Type};

/// Compares an object with the planned one. Used for the answer of an apply, and for the plan of
/// an apply against the plan that was shown.
pub fn compatible(block: &Block, planned: &Data, actual: &Data) -> Vec<Violation> {
    let mut found = Vec::new();
    compare_block(block, planned, actual, &Path::default(), &mut found);
    found
}

fn report(found: &mut Vec<Violation>, path: &Path, problem: &'static str) {
    found.push(Violation {
        path: path.clone(),
        problem,
    });
}

fn compare_block(
    block: &Block,
    planned: &Data,
    actual: &Data,
    path: &Path,
    found: &mut Vec<Violation>,
) {
    match (planned.is_null(), actual.is_null()) {
        (true, true) => return,
        (true, false) => return report(found, path, "was absent and is now present"),
        (false, true) => return report(found, path, "was present and is now absent"),
        (false, false) => {}
    }
    for attribute in &block.attributes {
        let path = path.then(PathStep::Attribute(attribute.name.clone()));
        let (p, a) = (
            inside(planned, &attribute.name),
            inside(actual, &attribute.name),
        );
        let kind = attribute.kind.implied_type();
        compare_value(&kind, p, a, &path, found);
    }
    for nested in &block.blocks {
        let path = path.then(PathStep::Attribute(nested.name.clone()));
        let (p, a) = (inside(planned, &nested.name), inside(actual, &nested.name));
        compare_nested(nested, p, a, &path, found);
    }
}

fn compare_nested(
    nested: &NestedBlock,
    planned: &Data,
    actual: &Data,
    path: &Path,
    found: &mut Vec<Violation>,
) {
    match (nested.nesting, planned, actual) {
        (_, Data::Unknown, _) => {}
        (Nesting::Single | Nesting::Group, p, a) => {
            compare_block(&nested.block, p, a, path, found);
        }
        (Nesting::List, Data::List(ps), Data::List(actuals)) => {
            if ps.len() != actuals.len() {
                return report(found, path, "has another number of blocks");
            }
            for (index, (p, a)) in ps.iter().zip(actuals).enumerate() {
                let path = path.then(PathStep::Index(index));
                compare_block(&nested.block, p, a, &path, found);
            }
        }
        (Nesting::Map, Data::Map(ps), Data::Map(actuals)) => {
            if !ps.keys().eq(actuals.keys()) {
                return report(found, path, "has other keys");
            }
            for (key, p) in ps {
                let path = path.then(PathStep::Key(key.clone()));
                compare_block(&nested.block, p, &actuals[key], &path, found);
            }
        }
        (Nesting::Set, Data::List(ps), Data::List(actuals)) => {
            let fits = |p: &Data, a: &Data| compatible(&nested.block, p, a).is_empty();
            compare_set(ps, actuals, &fits, path, found);
        }
        (_, Data::Null, _) | (_, _, Data::Null | Data::Unknown) => {}
        _ => report(found, path, "has another form"),
    }
}

fn compare_value(
    kind: &Type,
    planned: &Data,
    actual: &Data,
    path: &Path,
    found: &mut Vec<Violation>,
) {
    match (planned, actual) {
        (Data::Unknown, _) | (Data::Null, Data::Null) => {}
        (Data::Dynamic(_, p), Data::Dynamic(_, a)) => {
            if matches!(**p, Data::Unknown) {
                return;
            }
            compare_value(kind, p, a, path, found);
        }
        (_, Data::Null) => report(found, path, "was present and is now absent"),
        (Data::Null, _) => report(found, path, "was absent and is now present"),
        (_, Data::Unknown) => report(found, path, "was known and is now unknown"),
        (Data::List(ps), Data::List(actuals)) => match kind {
            Type::Set(inner) => {
                let fits = |p: &Data, a: &Data| {
                    let mut inside = Vec::new();
                    compare_value(inner, p, a, &Path::default(), &mut inside);
                    inside.is_empty()
                };
                compare_set(ps, actuals, &fits, path, found);
            }
            _ => compare_list(kind, ps, actuals, path, found),
        },
        (Data::Map(ps), Data::Map(actuals)) => {
            if !ps.keys().eq(actuals.keys()) {
                return report(found, path, "has other keys");
            }
            for (key, p) in ps {
                let (inner, step) = entry(kind, key);
                compare_value(&inner, p, &actuals[key], &path.then(step), found);
            }
        }
        (p, a) if p == a => {}
        _ => report(found, path, "has another value"),
    }
}

fn compare_list(
    kind: &Type,
    planned: &[Data],
    actual: &[Data],
    path: &Path,
    found: &mut Vec<Violation>,
) {
    if planned.len() != actual.len() {
        return report(found, path, "has another number of elements");
    }
    for (index, (p, a)) in planned.iter().zip(actual).enumerate() {
        let inner = match kind {
            Type::List(inner) => (**inner).clone(),
            Type::Tuple(kinds) => kinds.get(index).cloned().unwrap_or(Type::Dynamic),
            _ => Type::Dynamic,
        };
        compare_value(&inner, p, a, &path.then(PathStep::Index(index)), found);
    }
}

fn entry(kind: &Type, key: &str) -> (Type, PathStep) {
    match kind {
        Type::Object(attributes, _) => (
            attributes.get(key).cloned().unwrap_or(Type::Dynamic),
            PathStep::Attribute(key.to_owned()),
        ),
        Type::Map(inner) => ((**inner).clone(), PathStep::Key(key.to_owned())),
        _ => (Type::Dynamic, PathStep::Key(key.to_owned())),
    }
}

/// Every planned element fits an actual one and the reverse, and there are not more of them.
fn compare_set(
    planned: &[Data],
    actual: &[Data],
    fits: &dyn Fn(&Data, &Data) -> bool,
    path: &Path,
    found: &mut Vec<Violation>,
) {
    if actual.len() > planned.len() {
        return report(found, path, "has more elements");
    }
    if planned == actual {
        return;
    }
    let kept = planned.iter().all(|p| actual.iter().any(|a| fits(p, a)));
    let expected = actual.iter().all(|a| planned.iter().any(|p| fits(p, a)));
    if !kept || !expected {
        report(found, path, "has other elements");
    }
}

#[cfg(test)]
mod tests;
