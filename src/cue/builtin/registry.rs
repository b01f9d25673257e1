//! The table of packages: functions with their signatures, constants, and definitions in the
//! language.

use super::call::Call;
use super::host::Outcome;
use super::kind::Kind;
use super::packages;

/// A restriction of a parameter, written in the language.
#[derive(Debug, PartialEq, Eq)]
pub struct Constraint {
    /// What an argument is unified with; messages print it.
    pub text: &'static str,
    /// What stands for an argument that was left out, or nothing.
    pub default_text: &'static str,
}

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Kinds it takes.
    pub kind: Kind,
    /// Further restriction.
    pub constraint: Option<&'static Constraint>,
}

/// A function of a package.
#[derive(Debug)]
pub struct Function {
    /// Name in the package.
    pub name: &'static str,
    /// Parameters in order.
    pub parameters: &'static [Parameter],
    /// Kinds of the result; [`Kind::BOTTOM`] for functions that only fail or not.
    pub result: Kind,
    /// Whether arguments are handed over unevaluated to defaults and may be incomplete.
    pub non_concrete: bool,
    /// The function itself.
    pub run: fn(&mut Call<'_>) -> Outcome,
}

/// A member of a package that is not written in the language.
#[derive(Debug)]
pub enum Member {
    /// A function.
    Function(Function),
    /// A constant: its name, and the literal it is.
    Constant(&'static str, &'static str),
}

/// A standard package.
#[derive(Debug)]
pub struct Package {
    /// Import path.
    pub path: &'static str,
    /// Functions and constants, in the order in which the package shows them.
    pub members: &'static [Member],
    /// Definitions in the language, or nothing: a struct literal that unifies with the other
    /// members.
    pub source: &'static str,
}

/// The standard package of an import path.
pub fn package(path: &str) -> Option<&'static Package> {
    packages::ALL.iter().copied().find(|p| p.path == path)
}

/// The standard package that the short name may mean: `json` is `encoding/json`.
pub fn by_short_name(short: &str) -> Option<&'static Package> {
    packages::ALL
        .iter()
        .copied()
        .find(|p| p.path.rsplit('/').next() == Some(short))
}

/// A parameter of a kind.
pub(super) const fn takes(kind: Kind) -> Parameter {
    Parameter {
        kind,
        constraint: None,
    }
}

pub(super) const ANY: Parameter = takes(Kind::TOP);
pub(super) const STRING: Parameter = takes(Kind::STRING);
pub(super) const BYTES: Parameter = takes(Kind(Kind::BYTES.0 | Kind::STRING.0));
pub(super) const INT: Parameter = takes(Kind::INT);
pub(super) const NUMBER: Parameter = takes(Kind::NUMBER);
pub(super) const BOOL: Parameter = takes(Kind::BOOL);
pub(super) const LIST: Parameter = takes(Kind::LIST);
pub(super) const STRUCT: Parameter = takes(Kind::STRUCT);

/// Result kind of functions that return bytes.
pub(super) const TO_BYTES: Kind = Kind(Kind::BYTES.0 | Kind::STRING.0);

/// A function with ordinary arguments.
pub(super) const fn function(
    name: &'static str,
    parameters: &'static [Parameter],
    result: Kind,
    run: fn(&mut Call<'_>) -> Outcome,
) -> Member {
    Member::Function(Function {
        name,
        parameters,
        result,
        non_concrete: false,
        run,
    })
}

/// A function whose arguments may be incomplete.
pub(super) const fn schema_function(
    name: &'static str,
    parameters: &'static [Parameter],
    result: Kind,
    run: fn(&mut Call<'_>) -> Outcome,
) -> Member {
    Member::Function(Function {
        name,
        parameters,
        result,
        non_concrete: true,
        run,
    })
}

/// A constant.
pub(super) const fn constant(name: &'static str, literal: &'static str) -> Member {
    Member::Constant(name, literal)
}
