//! Values as the evaluator passes them around: twelve bytes, everything larger in tables.

use super::error::ErrId;
use super::kind::Kind;
use super::program::{Op, XId, ids};
use super::vertex::VId;
use crate::syntax::names::Name;
use crate::syntax::source::Pos;

ids! {
    /// A number too large for the inline form, or a float.
    NumId,
    /// Bytes.
    BytesId,
    /// A bound such as `>5`.
    BoundId,
    /// A conjunction of values that stays one.
    ConjId,
    /// An evaluated disjunction.
    DisjId,
    /// A function applied to all arguments but the first.
    ValidatorId,
}

/// A function of the library: index in the table of the evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub(crate) u32);

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Data {
    /// Nothing yet.
    Unset,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A small int.
    Int(i32),
    /// Any other number.
    Num(NumId),
    /// A string.
    Str(Name),
    /// Bytes.
    Bytes(BytesId),
    /// A type or a union of types; all kinds together are `_`.
    Kind(Kind),
    /// A bound.
    Bound(BoundId),
    /// A conjunction of bounds, types and validators.
    Conj(ConjId),
    /// A disjunction.
    Disj(DisjId),
    /// A function.
    Func(FuncId),
    /// A validator.
    Validator(ValidatorId),
    /// The vertex is a struct.
    Struct,
    /// The vertex is a list; true if more elements may come.
    List(bool),
    /// An error.
    Err(ErrId),
    /// A vertex: the value of that vertex.
    Vertex(VId),
}

/// A value and the place it was written at or computed from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Val {
    /// What it is.
    pub data: Data,
    /// Where it comes from.
    pub pos: Pos,
}

impl Val {
    /// No value.
    pub const UNSET: Val = Val {
        data: Data::Unset,
        pos: Pos::NONE,
    };
    /// The mark of a vertex that is being evaluated.
    pub const CYCLE: Val = Val {
        data: Data::Err(ErrId::CYCLE),
        pos: Pos::NONE,
    };

    /// A value at a place.
    pub fn new(data: Data, pos: Pos) -> Val {
        Val { data, pos }
    }

    /// A value without place.
    pub fn bare(data: Data) -> Val {
        Val {
            data,
            pos: Pos::NONE,
        }
    }

    /// Whether this is no value.
    pub fn is_unset(self) -> bool {
        self.data == Data::Unset
    }

    pub(crate) fn err(self) -> Option<ErrId> {
        match self.data {
            Data::Err(e) => Some(e),
            _ => None,
        }
    }
}

impl Default for Val {
    fn default() -> Val {
        Val::UNSET
    }
}

/// A bound such as `>5` or `=~"a"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The comparison.
    pub op: Op,
    /// What is compared with.
    pub value: Val,
}

/// An evaluated disjunction: defaults first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disjunction {
    /// The disjuncts.
    pub values: Vec<Val>,
    /// How many of the first are defaults.
    pub defaults: usize,
    /// Whether any was marked, even if it is gone.
    pub has_defaults: bool,
}

/// A function with all arguments but the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Validator {
    /// The function.
    pub func: FuncId,
    /// The call; 0 for a bare function.
    pub call: XId,
    /// The other arguments.
    pub args: Vec<Val>,
}

/// How settled a value is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Concreteness {
    Bottom,
    Concrete,
    Constraint,
    Type,
    Any,
}
