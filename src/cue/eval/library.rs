//! The door to the standard packages and predeclared functions.

use super::context::Evaluator;
use super::kind::Kind;
use super::program::XId;
use super::value::Val;

/// Evaluation of the running task stops here and starts again when what it needs is known.
/// Functions of the library only hand it on with `?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Yield;

/// A result of evaluation.
pub type R<T> = Result<T, Yield>;

/// A running matcher of a regular expression.
pub type Matcher = Box<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// The standard library. Implemented beside the evaluator.
pub trait Library: Send + Sync {
    /// A standard package by its import path, or none.
    fn package(&self, path: &str) -> Option<&'static Package>;

    /// Compiles a regular expression in the syntax of RE2; the error is the text after
    /// `invalid regexp: `.
    fn regexp(&self, pattern: &str) -> Result<Matcher, String>;
}

/// A standard package.
#[derive(Debug)]
pub struct Package {
    /// Import path, as `encoding/json`.
    pub path: &'static str,
    /// Functions and constants by name, in order.
    pub items: &'static [(&'static str, Item)],
    /// A struct literal in the language with what is written in the language itself, or empty.
    pub source: &'static str,
}

/// A member of a standard package.
#[derive(Debug)]
pub enum Item {
    /// A function.
    Func(Func),
    /// A constant, written in the language.
    Const(&'static str),
}

/// A function. It serves as a validator if its result is bool (or bottom) and the last argument
/// is missing.
#[derive(Debug)]
pub struct Func {
    /// The name without package.
    pub name: &'static str,
    /// Import path of its package, empty for predeclared functions.
    pub package: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The kind of its result; [`Kind::BOTTOM`] for `error`.
    pub result: Kind,
    /// Whether arguments are passed as they are, without taking defaults and unresolved.
    pub non_concrete: bool,
    /// Whether arguments are not evaluated at all; the function looks at [`Call::expr`].
    pub raw: bool,
    /// Language version that brought it, as minor number, or 0.
    pub added: u16,
    /// What it does. Returns [`Val::UNSET`] for no value.
    pub call: fn(&mut Call<'_>) -> R<Val>,
}

/// A parameter of a function.
#[derive(Debug)]
pub struct Param {
    /// The kinds it takes.
    pub kind: Kind,
    /// A constraint written in the language, checked by unification, or empty.
    pub constraint: &'static str,
    /// The default, written in the language, or empty.
    pub default: &'static str,
}

impl Param {
    /// A parameter that takes certain kinds.
    pub const fn of(kind: Kind) -> Param {
        Param {
            kind,
            constraint: "",
            default: "",
        }
    }
}

/// One call of a function.
pub struct Call<'a> {
    /// The evaluator.
    pub ctx: &'a mut Evaluator,
    /// The evaluated arguments.
    pub args: Vec<Val>,
    /// The call expression; 0 for a bare validator.
    pub call: XId,
    /// Whether the first argument is a value to validate and not written in the call.
    pub is_validator: bool,
    /// The function.
    pub func: &'static Func,
}

impl std::fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("args", &self.args)
            .field("func", &self.func.name)
            .finish()
    }
}
