//! Picks the action for one object, from prior, planned and what cannot change in place.

use crate::propose::inside;
use crate::{Action, Path, PathStep};
use pravo_state::Data;
use pravo_state::schema::{Attribute, AttributeKind, Block};

/// The paths of a provider's list that call for a replacement: those whose values differ or may
/// differ, and write-only ones. Without a prior object there are none.
///
/// # Errors
/// The path that stands in neither object.
pub fn forcing_paths(
    block: &Block,
    prior: &Data,
    planned: &Data,
    listed: &[Path],
) -> Result<Vec<Path>, Path> {
    if prior.is_null() {
        return Ok(Vec::new());
    }
    let mut kept = Vec::new();
    for path in listed {
        let (was, will) = (value_at(prior, path), value_at(planned, path));
        if was.is_none() && will.is_none() {
            return Err(path.clone());
        }
        let was = was.unwrap_or(&Data::Null);
        let will = will.unwrap_or(&Data::Null);
        let differs = was != will || !was.is_wholly_known() || !will.is_wholly_known();
        if (differs || is_write_only(block, path)) && !kept.contains(path) {
            kept.push(path.clone());
        }
    }
    Ok(kept)
}

/// The value at a path; nothing where there is none. A path into something unknown leads to it.
pub fn value_at<'a>(data: &'a Data, path: &Path) -> Option<&'a Data> {
    let mut at = data;
    for step in &path.0 {
        at = match (step, at) {
            (_, Data::Unknown) => return Some(at),
            (_, Data::Dynamic(_, inner)) => step_into(step, inner)?,
            _ => step_into(step, at)?,
        };
    }
    Some(at)
}

fn step_into<'a>(step: &PathStep, data: &'a Data) -> Option<&'a Data> {
    match (step, data) {
        (PathStep::Attribute(name) | PathStep::Key(name), Data::Map(entries)) => entries.get(name),
        (PathStep::Index(at), Data::List(items)) => items.get(*at),
        _ => None,
    }
}

fn is_write_only(block: &Block, path: &Path) -> bool {
    let mut block = Some(block);
    let mut attributes: Option<&[Attribute]> = block.map(|b| b.attributes.as_slice());
    for step in &path.0 {
        let PathStep::Attribute(name) = step else {
            continue;
        };
        let attribute = attributes.and_then(|all| all.iter().find(|a| a.name == *name));
        if let Some(attribute) = attribute {
            if attribute.write_only {
                return true;
            }
            block = None;
            attributes = match &attribute.kind {
                AttributeKind::Nested(_, inner) => Some(inner),
                AttributeKind::Value(_) => None,
            };
        } else {
            let nested = block.and_then(|b| b.nested(name));
            block = nested.map(|n| &n.block);
            attributes = block.map(|b| b.attributes.as_slice());
        }
    }
    false
}

/// The action that leads from a prior object to a planned one.
///
/// `forcing` are the kept paths of [`forcing_paths`]; `requested` is whether a replacement was
/// asked for.
pub fn decide(prior: &Data, planned: &Data, forcing: &[Path], requested: bool) -> Action {
    if prior.is_null() {
        return Action::Create;
    }
    if !forcing.is_empty() || requested {
        return Action::Replace;
    }
    if prior == planned && planned.is_wholly_known() {
        return Action::NoOp;
    }
    Action::Update
}

/// The top-level attributes whose values differ, sorted.
pub fn differing(before: &Data, after: &Data) -> Vec<String> {
    let (Data::Map(b), Data::Map(a)) = (before, after) else {
        return Vec::new();
    };
    let names: std::collections::BTreeSet<&String> = b.keys().chain(a.keys()).collect();
    names
        .into_iter()
        .filter(|name| {
            let (was, will) = (inside(before, name), inside(after, name));
            was != will || !will.is_wholly_known()
        })
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests;
