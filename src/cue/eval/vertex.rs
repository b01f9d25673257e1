//! The value tree: vertices, frames, conjuncts.

use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use super::error::ErrId;
use super::few::Few;
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

/// A node of the value tree. There are many: what few of them have lies in `rare`.
#[derive(Clone, Debug)]
pub struct Vertex {
    pub(crate) parent: VId,
    pub(crate) label: Label,
    pub(crate) base: Val,
    pub(crate) state: NId,
    pub(crate) underlying: VId,
    pub(crate) arc: ArcType,
    pub(crate) status: Status,
    marks: u16,
    pub(crate) arcs: ThinVec<VId>,
    pub(crate) structs: ThinVec<StructInfo>,
    pub(crate) conjuncts: Conjuncts,
    rare: Option<Box<Rare>>,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Vertex>() == 96);

/// What few vertices have.
#[derive(Clone, Debug, Default)]
struct Rare {
    patterns: Few<Pattern>,
    index: Option<Box<Index>>,
    child_errors: ErrId,
}

/// The arcs of a vertex by label.
pub(crate) type Index = FxHashMap<Label, VId>;

/// The conjuncts of a vertex: mostly one.
pub(crate) type Conjuncts = Few<Conjunct>;

macro_rules! marks {
    ($($(#[$doc:meta])* $name:ident $set:ident $bit:literal;)*) => {
        impl Vertex { $(
            $(#[$doc])*
            pub(crate) fn $name(&self) -> bool {
                self.marks & 1 << $bit != 0
            }
            pub(crate) fn $set(&mut self, set: bool) {
                self.marks = self.marks & !(1 << $bit) | u16::from(set) << $bit;
            }
        )* }
    };
}

marks! {
    is_data set_is_data 0;
    closed_recursive set_closed_recursive 1;
    closed_here set_closed_here 2;
    opened_shared set_opened_shared 3;
    has_ellipsis set_has_ellipsis 4;
    multi_let set_multi_let 5;
    dynamic set_dynamic 6;
    is_pattern set_is_pattern 7;
    non_rooted set_non_rooted 8;
    anonymous set_anonymous 9;
    is_disjunct set_is_disjunct 10;
    is_shared set_is_shared 11;
    /// Whether it is as closed as what holds it.
    placed set_placed 12;
    /// Whether it was finished without working state.
    is_leaf set_is_leaf 13;
}

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
        let rare = self.rare.as_ref().map_or(0, |r| {
            let index = r.index.as_ref().map_or(0, |i| i.capacity());
            size_of::<Rare>() + r.patterns.room() + index * size_of::<(Label, VId)>()
        });
        room_of(&self.arcs) + room_of(&self.structs) + self.conjuncts.room() + rare
    }

    pub(crate) fn new(parent: VId, label: Label, arc: ArcType) -> Vertex {
        Vertex {
            parent,
            label,
            base: Val::UNSET,
            state: NId::NONE,
            underlying: VId::NONE,
            arc,
            status: Status::Unprocessed,
            marks: 0,
            arcs: ThinVec::new(),
            structs: ThinVec::new(),
            conjuncts: Conjuncts::None,
            rare: None,
        }
    }

    pub(crate) fn rooted(&self) -> bool {
        !self.non_rooted() && !self.label.is_let() && !self.dynamic()
    }

    fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    pub(crate) fn patterns(&self) -> &[Pattern] {
        self.rare.as_ref().map_or(&[], |r| &r.patterns)
    }

    pub(crate) fn patterns_mut(&mut self) -> &mut Few<Pattern> {
        &mut self.rare_mut().patterns
    }

    pub(crate) fn take_patterns(&mut self) -> Few<Pattern> {
        self.rare
            .as_mut()
            .map_or(Few::None, |r| std::mem::take(&mut r.patterns))
    }

    pub(crate) fn index(&self) -> Option<&Index> {
        self.rare.as_ref()?.index.as_deref()
    }

    pub(crate) fn index_mut(&mut self) -> Option<&mut Index> {
        self.rare.as_mut()?.index.as_deref_mut()
    }

    pub(crate) fn set_index(&mut self, index: Option<Box<Index>>) {
        if index.is_some() || self.rare.is_some() {
            self.rare_mut().index = index;
        }
    }

    /// The errors of what is below it.
    pub(crate) fn child_errors(&self) -> ErrId {
        self.rare.as_ref().map_or(ErrId::NONE, |r| r.child_errors)
    }

    pub(crate) fn set_child_errors(&mut self, e: ErrId) {
        if e.is_some() || self.rare.is_some() {
            self.rare_mut().child_errors = e;
        }
    }
}
