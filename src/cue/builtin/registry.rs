//! The table of packages: functions with their signatures, constants, and definitions in the language.

use super::call::Call;
use super::host::Outcome;
use super::kind::Kind;
use super::packages;

/// The strings a parameter takes, one of which may be its default.
#[derive(Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The accepted strings.
    pub values: &'static [&'static str],
    /// What stands for an argument that was left out.
    pub default: Option<&'static str>,
    /// How messages print it.
    pub text: &'static str,
}

impl Constraint {
    /// Whether the string is one of the accepted ones.
    pub fn accepts(&self, text: &str) -> bool {
        self.values.contains(&text)
    }
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
    /// Import path of the package.
    pub package: &'static str,
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

impl Function {
    /// `encoding/json.Marshal`, as errors of running functions name it.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.package, self.name)
    }

    /// `json.Marshal`, as errors about arguments name it.
    pub fn short_name(&self) -> String {
        let package = self.package.rsplit('/').next().unwrap_or(self.package);
        format!("{package}.{}", self.name)
    }

    /// Whether a call with so many arguments makes a validator of what is left out.
    pub fn is_validator(&self, arguments: usize) -> bool {
        arguments + 1 == self.parameters.len()
            && self.result.within(Kind::BOOL)
            && self.parameters[arguments]
                .constraint
                .is_none_or(|c| c.default.is_none())
    }

    /// Whether the bare name is a validator.
    pub fn is_bare_validator(&self) -> bool {
        self.parameters.len() == 1 && self.result.within(Kind::BOOL)
    }

    /// The message if the number of arguments is wrong.
    pub fn check_count(&self, have: usize) -> Result<(), String> {
        let want = self.parameters.len();
        let missing = || {
            self.parameters[have]
                .constraint
                .is_none_or(|c| c.default.is_none())
        };
        let word = if have > want {
            "too many"
        } else if have < want && missing() {
            "not enough"
        } else {
            return Ok(());
        };
        Err(format!(
            "{word} arguments in call to {} (have {have}, want {want})",
            self.short_name()
        ))
    }
}

/// What a name of a package stands for.
#[derive(Clone, Copy, Debug)]
pub enum Member {
    /// A function.
    Function(&'static Function),
    /// A constant, as the text of its literal.
    Constant(&'static str),
}

/// A standard package.
#[derive(Debug)]
pub struct Package {
    /// Import path.
    pub path: &'static str,
    /// Functions.
    pub functions: &'static [Function],
    /// Constants: name and literal.
    pub constants: &'static [(&'static str, &'static str)],
    /// Definitions in the language, or nothing: a struct literal that unifies with the other members.
    pub source: &'static str,
}

impl Package {
    /// The member of that name; names defined in [`Package::source`] are not among them.
    pub fn member(&'static self, name: &str) -> Option<Member> {
        if let Some(function) = self.functions.iter().find(|f| f.name == name) {
            return Some(Member::Function(function));
        }
        let constant = self.constants.iter().find(|(n, _)| *n == name)?;
        Some(Member::Constant(constant.1))
    }
}

/// The standard package of an import path.
pub fn package(path: &str) -> Option<&'static Package> {
    packages::ALL.iter().copied().find(|p| p.path == path)
}

/// A member of a standard package.
pub fn lookup(path: &str, name: &str) -> Option<Member> {
    package(path)?.member(name)
}

/// Import paths of packages that the short name may mean: `json` is `encoding/json`.
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
    package: &'static str,
    name: &'static str,
    parameters: &'static [Parameter],
    result: Kind,
    run: fn(&mut Call<'_>) -> Outcome,
) -> Function {
    Function {
        package,
        name,
        parameters,
        result,
        non_concrete: false,
        run,
    }
}

/// A function whose arguments may be incomplete.
pub(super) const fn schema_function(
    package: &'static str,
    name: &'static str,
    parameters: &'static [Parameter],
    result: Kind,
    run: fn(&mut Call<'_>) -> Outcome,
) -> Function {
    Function {
        package,
        name,
        parameters,
        result,
        non_concrete: true,
        run,
    }
}
