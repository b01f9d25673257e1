//! The value tree: vertices, frames, conjuncts.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::error::ErrId;
use super::kind::ArcType;
use super::label::Label;
use super::program::{DId, SId, XId, ids};
use super::value::Val;

ids! {
    /// A vertex of the value tree; 0 is none.
    VId,
    /// A frame: which vertex a literal was unified into; 0 is the outermost.
    EnvId,
    /// One step of the history of a conjunct; 0 is none.
    RefId,
    /// Working state of a vertex; 0 is none.
    NId,
    /// A task; 0 is none.
    TId,
}

/// A frame of an environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Env {
    /// The next outer frame.
    pub up: EnvId,
    /// The vertex whose fields the frame declares.
    pub vertex: VId,
    /// The label a pattern matched.
    pub label: Label,
    /// The comprehension run that made it, or 0.
    pub run: u32,
}

/// How cyclic a conjunct is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Cyclic {
    #[default]
    No,
    Optional,
    Maybe,
    Yes,
}

/// How a conjunct arrived: groups for closedness, history for cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CloseInfo {
    pub(crate) def: u32,
    pub(crate) embed: u32,
    pub(crate) outer: u32,
    pub(crate) refs: RefId,
    pub(crate) cycle: Cyclic,
    pub(crate) from_embed: bool,
    pub(crate) from_def: bool,
    pub(crate) top_def: bool,
    pub(crate) opened: bool,
    pub(crate) conjunct_opened: bool,
}

/// What a conjunct says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// An expression.
    Expr(XId),
    /// The value of a declaration.
    Decl(DId),
    /// An evaluated value.
    Val(Val),
}

/// One part of a vertex: what it says and in which frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conjunct {
    /// What it says.
    pub item: Item,
    /// The frame its names are looked up in.
    pub env: EnvId,
    /// How it arrived.
    pub info: CloseInfo,
}

/// One step a conjunct took through a reference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RefNode {
    /// The reference.
    pub expr: XId,
    pub(crate) arc: VId,
    pub(crate) node: VId,
    /// The step before.
    pub next: RefId,
    pub(crate) depth: u32,
}

/// A struct literal that contributed to a vertex.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StructInfo {
    /// The literal.
    pub lit: SId,
    /// How often it came again.
    pub repeats: u32,
    /// The comprehension run it came from, or 0.
    pub run: u32,
}

/// A pattern constraint of a vertex.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// What labels are compared with.
    pub pattern: Val,
    /// The vertex that holds the constraint's conjuncts.
    pub constraint: VId,
}

/// How far a vertex is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Status {
    #[default]
    Unprocessed,
    Evaluating,
    Finalized,
}

/// A node of the value tree.
#[derive(Clone, Debug)]
pub struct Vertex {
    pub(crate) parent: VId,
    pub(crate) label: Label,
    pub(crate) base: Val,
    pub(crate) child_errors: ErrId,
    pub(crate) arc: ArcType,
    pub(crate) status: Status,
    pub(crate) is_data: bool,
    pub(crate) closed_recursive: bool,
    pub(crate) closed_here: bool,
    pub(crate) opened_shared: bool,
    pub(crate) has_ellipsis: bool,
    pub(crate) multi_let: bool,
    pub(crate) dynamic: bool,
    pub(crate) is_pattern: bool,
    pub(crate) non_rooted: bool,
    pub(crate) anonymous: bool,
    pub(crate) is_disjunct: bool,
    pub(crate) is_shared: bool,
    /// Whether it is as closed as what holds it.
    pub(crate) placed: bool,
    /// Whether it was finished without working state.
    pub(crate) is_leaf: bool,
    pub(crate) state: NId,
    pub(crate) underlying: VId,
    pub(crate) arcs: ThinVec<VId>,
    pub(crate) index: Option<Box<FxHashMap<Label, VId>>>,
    pub(crate) patterns: ThinVec<Pattern>,
    pub(crate) conjuncts: Conjuncts,
    pub(crate) structs: ThinVec<StructInfo>,
}

/// The conjuncts of a vertex: mostly one.
pub(crate) type Conjuncts = SmallVec<[Conjunct; 1]>;

/// Adds to a list that mostly has one entry, and often two: lists of vertices are many.
pub(crate) fn push_few<T>(list: &mut ThinVec<T>, item: T) {
    if list.len() == list.capacity() && list.len() < 2 {
        list.reserve_exact(1);
    }
    list.push(item);
}

/// The bytes that a list takes, used or not.
pub(crate) fn room_of<T>(list: &ThinVec<T>) -> usize {
    match list.capacity() {
        0 => 0,
        room => size_of::<usize>() * 2 + room * size_of::<T>(),
    }
}

impl Vertex {
    /// The bytes of its lists.
    pub(crate) fn list_bytes(&self) -> usize {
        let index = self.index.as_ref().map_or(0, |i| i.capacity());
        let conjuncts = match self.conjuncts.spilled() {
            true => self.conjuncts.capacity() * size_of::<Conjunct>(),
            false => 0,
        };
        room_of(&self.arcs)
            + room_of(&self.patterns)
            + room_of(&self.structs)
            + index * size_of::<(Label, VId)>()
            + conjuncts
    }

    pub(crate) fn new(parent: VId, label: Label, arc: ArcType) -> Vertex {
        Vertex {
            parent,
            label,
            base: Val::UNSET,
            child_errors: ErrId::NONE,
            arc,
            status: Status::Unprocessed,
            is_data: false,
            closed_recursive: false,
            closed_here: false,
            opened_shared: false,
            has_ellipsis: false,
            multi_let: false,
            dynamic: false,
            is_pattern: false,
            non_rooted: false,
            anonymous: false,
            is_disjunct: false,
            is_shared: false,
            placed: false,
            is_leaf: false,
            state: NId::NONE,
            underlying: VId::NONE,
            arcs: ThinVec::new(),
            index: None,
            patterns: ThinVec::new(),
            conjuncts: Conjuncts::new(),
            structs: ThinVec::new(),
        }
    }

    pub(crate) fn rooted(&self) -> bool {
        !self.non_rooted && !self.label.is_let() && !self.dynamic
    }
}
