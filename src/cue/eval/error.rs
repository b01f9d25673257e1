//! Errors as data: a code, and messages whose text is made when somebody asks for it.

use super::kind::{Code, Kind};
use super::label::Label;
use super::program::{Op, SId, XId, ids};
use super::value::{FuncId, Val};
use super::vertex::VId;
use crate::syntax::source::Pos;

ids! {
    /// An error; 0 is none.
    ErrId,
    /// A message of an error; 0 is none.
    MsgId,
}

/// An argument of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// A value in compact form.
    Val(Val),
    /// An expression in compact form.
    Expr(XId),
    /// The source text of an expression.
    Source(XId),
    /// A struct literal in compact form.
    Struct(SId),
    /// A label.
    Label(Label),
    /// A set of kinds.
    Kind(Kind),
    /// An operator.
    Op(Op),
    /// Any text.
    Text(Box<str>),
    /// A number.
    Int(i64),
    /// The name of a function.
    Func(FuncId),
    /// The message of another error.
    Err(ErrId),
    /// Arguments one after the other.
    Parts(Box<[Arg]>),
}

/// One message. Its template has `{}` for each argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// The text with holes.
    pub template: &'static str,
    /// What fills the holes.
    pub args: Vec<Arg>,
    /// The primary position.
    pub pos: Pos,
    /// Other positions in order of discovery.
    pub more: Vec<Pos>,
    /// The labels of the place the error belongs to.
    pub path: Vec<Label>,
    /// Whether the path is not printed.
    pub no_path: bool,
    /// The messages this one wraps.
    pub cause: Vec<MsgId>,
}

/// An error: its class and its messages.
#[derive(Clone, PartialEq, Debug)]
pub struct Bottom {
    /// The class.
    pub code: Code,
    /// The messages; more than one where errors met.
    pub messages: Vec<MsgId>,
    /// The vertex it was found at.
    pub node: VId,
    /// Whether children have errors that are reported there.
    pub has_recursive: bool,
    /// Whether this only repeats the error of a child.
    pub child_error: bool,
    /// Whether a field is not allowed.
    pub close_check: bool,
    /// Whether several errors met here, be it the same one again.
    pub list: bool,
}

impl Message {
    /// The bytes of its lists.
    pub(crate) fn list_bytes(&self) -> usize {
        self.args.capacity() * size_of::<Arg>()
            + self.more.capacity() * size_of::<Pos>()
            + self.path.capacity() * size_of::<Label>()
            + self.cause.capacity() * size_of::<MsgId>()
    }
}

impl Bottom {
    /// The bytes of its messages.
    pub(crate) fn list_bytes(&self) -> usize {
        self.messages.capacity() * size_of::<MsgId>()
    }
}

impl ErrId {
    /// The mark of a vertex that is being evaluated.
    pub(crate) const CYCLE: ErrId = ErrId(1);
    /// The value of `__no_sharing`.
    pub(crate) const NO_SHARING: ErrId = ErrId(2);

    /// Whether there is an error.
    pub fn is_some_pub(self) -> bool {
        self.0 != 0
    }
}
