//! What a standard function sees of the evaluator: opaque values, and questions about them.

use super::kind::Kind;
use crate::number::{Decimal, Number};
use crate::openapi::Request;
use num_bigint::BigInt;

/// A value of the evaluator. Only the [`Host`] that made it understands the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(pub u64);

/// A concrete value without fields.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// `null`.
    Null,
    /// A bool.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// A concrete value, or a list or struct that holds some; what functions return and encoders take.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `null`.
    Null,
    /// A bool.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A number that prints with the text of its literal (elements of list literals do).
    Literal(Number, Box<str>),
    /// A string.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A closed list.
    List(Vec<Data>),
    /// A struct of regular fields, in order. Equal names unify.
    Struct(Vec<(String, Data)>),
    /// A value that the evaluator already has, such as an element of an argument.
    Value(Handle),
    /// A value with the tag that YAML writes before it.
    Tagged(Box<str>, Box<Data>),
}

impl Data {
    /// A list of strings.
    pub fn strings<S: Into<String>>(items: impl IntoIterator<Item = S>) -> Self {
        Self::List(items.into_iter().map(|s| Self::String(s.into())).collect())
    }

    /// A list of values that the evaluator has.
    pub fn values(items: impl IntoIterator<Item = Handle>) -> Self {
        Self::List(items.into_iter().map(Self::Value).collect())
    }

    /// A decimal as functions return it: an int if it is integral at 34 digits, else a float.
    pub fn decimal(value: Decimal) -> Self {
        Self::Number(Number::from_result(value))
    }
}

impl From<bool> for Data {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Data {
    fn from(value: i64) -> Self {
        Self::Number(Number::int(value))
    }
}

impl From<usize> for Data {
    fn from(value: usize) -> Self {
        Self::Number(Number::from_int_decimal(Decimal::from_u64(value as u64)))
    }
}

impl From<f64> for Data {
    fn from(value: f64) -> Self {
        Self::Number(Number::float(value))
    }
}

impl From<BigInt> for Data {
    fn from(value: BigInt) -> Self {
        Self::Number(Number::from_int_decimal(Decimal::from_bigint(&value)))
    }
}

impl From<String> for Data {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl From<&str> for Data {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<Vec<u8>> for Data {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

/// An error that the evaluator already has. Only the [`Host`] that made it understands the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ErrorHandle(pub u64);

/// Why a function has no result. The evaluator puts `error in call to ‹path.F›: ` or
/// `invalid value ‹v› (does not satisfy ‹path.F›(‹args›)): ` before the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The function failed for good.
    Fatal(String),
    /// More information may still let it succeed.
    Incomplete(String),
    /// The value is not valid: `false` when called as a function, an error when used as a
    /// validator.
    Invalid {
        /// The cause; empty when there is nothing to add.
        text: String,
        /// What the text names.
        at: Vec<Place>,
        /// Whether more information may still make it valid.
        incomplete: bool,
    },
    /// Like `Invalid`, with values that are written when somebody reads the text.
    Unfit {
        /// The text with a hole for each part.
        template: &'static str,
        /// What fills the holes.
        parts: Vec<Part>,
        /// What the text names.
        at: Vec<Place>,
    },
    /// An error of the evaluator, handed on as it is.
    Error(ErrorHandle),
    /// Several errors of the evaluator at once.
    Errors(Vec<ErrorHandle>),
}

impl Failure {
    /// A fatal failure.
    pub fn fatal<T>(text: impl Into<String>) -> Result<T, Self> {
        Err(Self::Fatal(text.into()))
    }

    /// A failed validation that more information cannot repair.
    pub fn invalid<T>(text: impl Into<String>) -> Result<T, Self> {
        Err(Self::Invalid {
            text: text.into(),
            at: Vec::new(),
            incomplete: false,
        })
    }
}

/// What a function returns.
pub type Outcome = Result<Data, Failure>;

/// A part of a text that is made later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A value in compact form.
    Value(Handle),
    /// A number.
    Count(usize),
}

/// Where an error lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Where a value was written.
    Value(Handle),
    /// Where everything was written that a value is made of.
    Parts(Handle),
}

/// The elements of a list.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The elements that are there.
    pub items: Vec<Handle>,
    /// Whether more may follow.
    pub open: bool,
}

/// What validators ask of a struct.
#[derive(Clone, Copy, Debug)]
pub struct StructShape {
    /// Regular fields that are there.
    pub fields: usize,
    /// Optional and required fields that nothing provided.
    pub constraints: usize,
    /// Whether fields of other names may still come.
    pub open: bool,
}

/// A format of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON document.
    Json,
    /// One JSON document that is a file: errors name its beginning as well.
    JsonFile,
    /// JSON documents, one after the other.
    JsonStream,
    /// One YAML document.
    Yaml,
    /// YAML documents.
    YamlStream,
    /// A TOML document.
    Toml,
}

/// How much a validated value must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Everything concrete, and what is missing is missing for good.
    Whole,
    /// All required fields.
    Final,
    /// No conflicts.
    Partial,
}

/// What data is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// JSON, and what is said in its words.
    Json,
    /// YAML: numbers of lists are written as their literals are.
    Yaml,
    /// A template.
    Template,
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equality {
    /// Different.
    Different,
    /// Equal, and nothing can be added that would change it.
    Final,
    /// Equal as far as they are known now (structs and lists that could still grow).
    SoFar,
}

/// The evaluator as functions see it. Values are evaluated, defaults are taken where a scalar or an
/// element is asked for.
pub trait Host {
    /// Whether a result of so many bytes may be made.
    fn has_room(&mut self, bytes: usize) -> bool;
    /// The kinds the value can have; one kind does not mean that it is concrete.
    fn kind(&mut self, value: Handle) -> Kind;
    /// The scalar, if the value (or its default) is concrete and one.
    fn scalar(&mut self, value: Handle) -> Option<Scalar>;
    /// The error that the value is, if it is one.
    fn error(&mut self, value: Handle) -> Option<ErrorHandle>;
    /// Whether that error may still go away.
    fn is_incomplete(&mut self, error: ErrorHandle) -> bool;
    /// The elements, if the value (or its default) is a list. The error if an element makes it one.
    fn elements(&mut self, value: Handle) -> Result<Option<Elements>, ErrorHandle>;
    /// Counts of a struct; `None` if the value is none.
    fn shape(&mut self, value: Handle) -> Option<StructShape>;
    /// Regular fields in printed order, if the value is a struct.
    fn fields(&mut self, value: Handle) -> Option<Vec<(String, Handle)>>;
    /// The compact text that messages use.
    fn text(&mut self, value: Handle) -> String;
    /// Deep equality of regular fields.
    fn equal(&mut self, a: Handle, b: Handle) -> Equality;
    /// The value with all its fields as data; the error names what is not concrete.
    fn data(&mut self, value: Handle, purpose: Purpose) -> Result<Data, Failure>;
    /// The text of a value in the syntax of the language.
    fn syntax(&mut self, value: Handle) -> String;
    /// Whether data unifies with a schema without error, everything concrete.
    fn accepts(&mut self, schema: Handle, data: &Data) -> bool;
    /// Whether a value unifies with a schema without error and has all required fields.
    fn matches(&mut self, schema: Handle, value: Handle) -> bool;
    /// `less` of a comparator struct after `x` and `y` were filled in. `None` without such a field.
    fn less(&mut self, comparator: Handle, x: Handle, y: Handle) -> Option<Result<bool, Failure>>;
    /// Reads the documents of a text of the given file name as values. Faults of values in it are
    /// errors with their places.
    fn decode(&mut self, format: Format, file: &str, text: &str) -> Result<Vec<Handle>, Failure>;
    /// Unifies a value, read from a text, with a schema. All errors, each on its own.
    fn validate_value(
        &mut self,
        schema: Handle,
        value: Handle,
        check: Check,
    ) -> Result<(), Failure>;
    /// Evaluates a value to the end, be it under evaluation.
    fn settle(&mut self, value: Handle);
    /// All errors of a value, one being that something in it is not concrete.
    fn validate(&mut self, value: Handle) -> Result<(), Failure>;
    /// A new error of a value that names where it was written.
    fn fault(&mut self, text: String, at: Place, incomplete: bool) -> ErrorHandle;
    /// A new error that tells where the call is, and where a value and its parts were written.
    fn placed_fault(&mut self, text: String, at: Option<Handle>, incomplete: bool) -> ErrorHandle;
    /// The document of OpenAPI that describes the definitions of a value.
    fn openapi(&mut self, schema: Handle, request: Request) -> Result<Data, Failure>;
    /// The value of a regular field of a struct.
    fn field(&mut self, value: Handle, name: &str) -> Option<Handle>;
}
