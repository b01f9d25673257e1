//! What a planned object may contain: where a provider must keep to the configuration.

use crate::propose::inside;
use crate::{Path, PathStep};
use pravo_state::Data;
use pravo_state::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting};
use std::collections::BTreeMap;
use std::fmt;

/// A place where a provider's answer breaks the rules. Never shows a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where.
    pub path: Path,
    /// What is wrong there, as the end of a sentence about the path.
    pub problem: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.0.is_empty() {
            return write!(f, "the object {}", self.problem);
        }
        write!(f, "{} {}", self.path, self.problem)
    }
}

/// The three objects that are compared at one place.
#[derive(Clone, Copy)]
struct At<'a> {
    prior: &'a Data,
    config: &'a Data,
    planned: &'a Data,
}

impl<'a> At<'a> {
    fn inside(self, name: &str) -> Self {
        Self {
            prior: inside(self.prior, name),
            config: inside(self.config, name),
            planned: inside(self.planned, name),
        }
    }
}

/// Checks a planned object against prior and configuration.
pub fn check_plan(block: &Block, prior: &Data, config: &Data, planned: &Data) -> Vec<Violation> {
    let mut found = Vec::new();
    let at = At {
        prior,
        config,
        planned,
    };
    check_block(block, at, &Path::default(), &mut found);
    found
}

fn report(found: &mut Vec<Violation>, path: &Path, problem: &'static str) {
    found.push(Violation {
        path: path.clone(),
        problem,
    });
}

fn check_block(block: &Block, at: At<'_>, path: &Path, found: &mut Vec<Violation>) {
    match (at.planned.is_null(), at.config.is_null()) {
        (true, true) => return,
        (true, false) => return report(found, path, "is planned to be absent but is configured"),
        (false, true) => return report(found, path, "is planned but is not configured"),
        (false, false) => {}
    }
    for attribute in &block.attributes {
        let path = path.then(PathStep::Attribute(attribute.name.clone()));
        check_attribute(attribute, at.inside(&attribute.name), &path, found);
    }
    for nested in &block.blocks {
        let path = path.then(PathStep::Attribute(nested.name.clone()));
        check_nested_block(nested, at.inside(&nested.name), &path, found);
    }
}

fn check_attribute(attribute: &Attribute, at: At<'_>, path: &Path, found: &mut Vec<Violation>) {
    let At {
        prior,
        config,
        planned,
    } = at;
    if planned == config || (planned == prior && !prior.is_null() && !config.is_null()) {
        return;
    }
    if attribute.computed && (!attribute.optional || config.is_null()) {
        return;
    }
    if config.is_null() {
        return report(
            found,
            path,
            "is planned with a value although it is not configured",
        );
    }
    if planned.is_null() && attribute.write_only {
        return;
    }
    match &attribute.kind {
        AttributeKind::Nested(nesting, inner) => {
            check_nested(*nesting, inner, at, path, found);
        }
        AttributeKind::Value(_) => {
            report(
                found,
                path,
                "is planned with another value than the configured one",
            );
        }
    }
}

fn check_nested(
    nesting: Nesting,
    attributes: &[Attribute],
    at: At<'_>,
    path: &Path,
    found: &mut Vec<Violation>,
) {
    if at.planned.is_null() {
        return report(found, path, "is planned to be absent but is configured");
    }
    match (at.planned, at.config) {
        (Data::Unknown, _) => {
            return report(
                found,
                path,
                "is planned as unknown although it is configured",
            );
        }
        (_, Data::Unknown) => {
            return report(
                found,
                path,
                "is planned as known although it is not known yet",
            );
        }
        _ => {}
    }
    let object = |at: At<'_>, path: &Path, found: &mut Vec<Violation>| {
        if at.planned.is_null() != at.config.is_null() {
            return report(
                found,
                path,
                "is planned with another value than the configured one",
            );
        }
        if matches!(at.planned, Data::Unknown) && !matches!(at.config, Data::Unknown) {
            return report(
                found,
                path,
                "is planned as unknown although it is configured",
            );
        }
        for attribute in attributes {
            let path = path.then(PathStep::Attribute(attribute.name.clone()));
            check_attribute(attribute, at.inside(&attribute.name), &path, found);
        }
    };
    each(nesting, at, path, found, &object);
}

fn check_nested_block(nested: &NestedBlock, at: At<'_>, path: &Path, found: &mut Vec<Violation>) {
    if at.planned == at.config {
        return;
    }
    if matches!(at.config, Data::Unknown) {
        return report(
            found,
            path,
            "is planned as known although it is not known yet",
        );
    }
    if matches!(at.planned, Data::Unknown) {
        return report(
            found,
            path,
            "is planned as unknown although it is configured",
        );
    }
    if matches!(nested.nesting, Nesting::Single | Nesting::Group) {
        return check_block(&nested.block, at, path, found);
    }
    if at.planned.is_null() {
        return report(
            found,
            path,
            "is planned to be absent, which blocks of its kind never are",
        );
    }
    let object = |at: At<'_>, path: &Path, found: &mut Vec<Violation>| {
        if matches!(at.planned, Data::Unknown) {
            return report(
                found,
                path,
                "is planned as unknown although it is configured",
            );
        }
        check_block(&nested.block, at, path, found);
    };
    each(nested.nesting, at, path, found, &object);
}

type Check<'a> = &'a dyn Fn(At<'_>, &Path, &mut Vec<Violation>);

fn each(nesting: Nesting, at: At<'_>, path: &Path, found: &mut Vec<Violation>, object: Check<'_>) {
    static NULL: Data = Data::Null;
    static EMPTY: Vec<Data> = Vec::new();
    let entries = BTreeMap::new();
    match (nesting, at.planned, at.config) {
        (Nesting::Single | Nesting::Group, _, _) => object(at, path, found),
        (Nesting::List, Data::List(planned), Data::List(_) | Data::Null) => {
            let config = match at.config {
                Data::List(items) => items,
                _ => &EMPTY,
            };
            if planned.len() != config.len() {
                return report(found, path, "is planned with another number of elements");
            }
            for (index, (planned, config)) in planned.iter().zip(config).enumerate() {
                let prior = match at.prior {
                    Data::List(items) => items.get(index).unwrap_or(&NULL),
                    _ => &NULL,
                };
                let path = path.then(PathStep::Index(index));
                object(
                    At {
                        prior,
                        config,
                        planned,
                    },
                    &path,
                    found,
                );
            }
        }
        (Nesting::Map, Data::Map(planned), Data::Map(_) | Data::Null) => {
            let config = match at.config {
                Data::Map(inner) => inner,
                _ => &entries,
            };
            if !planned.keys().eq(config.keys()) {
                return report(found, path, "is planned with other keys");
            }
            for (key, planned) in planned {
                let prior = inside(at.prior, key);
                let path = path.then(PathStep::Key(key.clone()));
                object(
                    At {
                        prior,
                        config: &config[key],
                        planned,
                    },
                    &path,
                    found,
                );
            }
        }
        (Nesting::Set, Data::List(planned), _) => {
            if planned.iter().any(|item| matches!(item, Data::Unknown)) {
                report(found, path, "is planned with an unknown element");
            }
        }
        _ => report(
            found,
            path,
            "is planned with another value than the configured one",
        ),
    }
}

#[cfg(test)]
mod tests;
