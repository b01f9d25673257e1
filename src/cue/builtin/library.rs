//! The packages as the evaluator's library: its tables made from ours, its calls handed to ours.

use super::adapter::run;
use super::kind::Kind;
use super::packages;
use super::registry::{Function, Member, Parameter};
use crate::eval::library::{Func, Item, Library, Matcher, Package, Param};
use crate::regexp::Regexp;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The standard packages.
#[derive(Clone, Copy, Debug, Default)]
pub struct StandardLibrary;

/// The evaluator's tables; they live as long as the program.
static PACKAGES: LazyLock<Vec<Package>> =
    LazyLock::new(|| packages::ALL.iter().map(|p| convert(p)).collect());

/// Our functions by package and name.
pub(super) static FUNCTIONS: LazyLock<FxHashMap<(&str, &str), &'static Function>> =
    LazyLock::new(|| {
        let all = packages::ALL
            .iter()
            .flat_map(|p| p.members.iter().map(|m| (p.path, m)));
        all.filter_map(|(path, member)| match member {
            Member::Function(f) => Some(((path, f.name), f)),
            Member::Constant(..) => None,
        })
        .collect()
    });

fn convert(package: &'static super::registry::Package) -> Package {
    let items: Vec<(&'static str, Item)> = package
        .members
        .iter()
        .map(|member| match member {
            Member::Function(f) => (f.name, Item::Func(function(package.path, f))),
            Member::Constant(name, literal) => (*name, Item::Const(literal)),
        })
        .collect();
    Package {
        path: package.path,
        items: Vec::leak(items),
        source: package.source.trim(),
    }
}

fn function(package: &'static str, f: &'static Function) -> Func {
    let params: Vec<Param> = f.parameters.iter().map(parameter).collect();
    Func {
        name: f.name,
        package,
        params: Vec::leak(params),
        result: f.result,
        non_concrete: f.non_concrete,
        raw: false,
        added: 0,
        call: run,
    }
}

fn parameter(p: &Parameter) -> Param {
    let constraint = p.constraint;
    Param {
        kind: Kind(p.kind.0),
        constraint: constraint.map_or("", |c| c.text),
        default: constraint.map_or("", |c| c.default_text),
    }
}

impl Library for StandardLibrary {
    fn package(&self, path: &str) -> Option<&'static Package> {
        PACKAGES.iter().find(|p| p.path == path)
    }

    fn regexp(&self, pattern: &str) -> Result<Matcher, String> {
        let regexp = Regexp::new(pattern).map_err(|e| e.to_string())?;
        Ok(Box::new(move |text| regexp.is_match(text)))
    }
}
