//! Scopes while lowering: which frames there are, and the names they declare.

use rustc_hash::FxHashMap;

use crate::eval::label::Label;
use crate::eval::program::XId;
use crate::syntax::names::Name;
use crate::syntax::source::Pos;
use crate::syntax::tree::{DeclId, ExprId, SpecId};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Target {
    /// A field with an identifier as label.
    Field,
    /// `X=f`, `f~X`: another name of a field.
    Alias(DeclId),
    /// `f~(K,V)`: K, the label of a field.
    FieldLabel(DeclId),
    Let,
    Import(SpecId),
    /// A variable of a clause.
    Variable,
    /// `[X=p]`, `[p]~(X,V)`: the label matched.
    PatternLabel(DeclId),
    /// `X=[p]: v`, `[p]~X`: the field matched.
    PatternField(DeclId),
    /// `f: X=v`.
    Value(DeclId),
}

/// A let or alias: whether it is used, and what it was lowered to.
#[derive(Clone, Debug)]
pub(super) struct Alias {
    pub(super) pos: Pos,
    pub(super) used: bool,
    /// The label of a let.
    pub(super) label: Label,
    /// The value of a let, until a reference takes it.
    pub(super) source: Option<ExprId>,
    /// A let that a reference looked at.
    pub(super) seen: bool,
    /// What the value of a let, or the label of a dynamic field, was lowered to.
    pub(super) lowered: XId,
    /// Whether the value looks at a loop variable.
    pub(super) uses_loop: bool,
}

/// A step of the path of an error.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Label(ExprId),
    Words(&'static str),
}

#[derive(Debug)]
pub(super) struct Frame {
    /// Frames this adds at evaluation: 0 or 1.
    pub(super) up: u32,
    /// What is being lowered: the label of a field, or the words for what has none.
    pub(super) label: Option<Step>,
    pub(super) field: Option<DeclId>,
    pub(super) is_loop: bool,
    pub(super) names: FxHashMap<Name, Target>,
    pub(super) aliases: FxHashMap<Name, Alias>,
}

impl Frame {
    pub(super) fn new(up: u32) -> Frame {
        Frame {
            up,
            label: None,
            field: None,
            is_loop: false,
            names: FxHashMap::default(),
            aliases: FxHashMap::default(),
        }
    }
}
