//! Working state of a vertex under evaluation, and its tasks.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::error::ErrId;
use super::kind::Kind;
use super::program::{CId, DId, SId, XId};
use super::value::Val;
use super::vertex::{CloseInfo, Conjunct, Cyclic, EnvId, Item, TId, VId, room_of};

/// What can be known of a vertex, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cond(pub(crate) u16);

impl Cond {
    pub(crate) const NONE: Cond = Cond(0);
    /// No unfinished task of an ancestor can add conjuncts here.
    pub(crate) const ANCESTORS: Cond = Cond(1);
    pub(crate) const ARC_TYPE: Cond = Cond(1 << 1);
    pub(crate) const VALUE: Cond = Cond(1 << 2);
    pub(crate) const SCALAR: Cond = Cond(1 << 3);
    pub(crate) const FIELD_CONJUNCTS: Cond = Cond(1 << 4);
    pub(crate) const FIELD_SET: Cond = Cond(1 << 5);
    pub(crate) const ALL_TASKS: Cond = Cond(1 << 6);
    pub(crate) const SUB_FIELDS: Cond = Cond(1 << 7);
    pub(crate) const DISJUNCTION: Cond = Cond(1 << 8);
    pub(crate) const CHILD_CONJUNCTS: Cond = Cond(1 << 9);
    pub(crate) const ALL: Cond = Cond(0x7fff);
    pub(crate) const NEVER: Cond = Cond(0x8000);

    /// Conditions that are met when no unfinished task provides them any more.
    pub(crate) const COUNTED: Cond = Self::ARC_TYPE
        .or(Self::VALUE)
        .or(Self::FIELD_CONJUNCTS)
        .or(Self::ALL_TASKS)
        .or(Self::DISJUNCTION);
    pub(crate) const GENERIC: Cond = Self::ALL_TASKS
        .or(Self::SCALAR)
        .or(Self::VALUE)
        .or(Self::FIELD_CONJUNCTS);
    pub(crate) const GENERIC_DISJUNCTION: Cond = Self::GENERIC.or(Self::DISJUNCTION);
    pub(crate) const FIELD_CONJUNCT: Cond =
        Self::ALL_TASKS.or(Self::FIELD_CONJUNCTS).or(Self::VALUE);
    pub(crate) const SCALAR_VALUE: Cond = Self::SCALAR.or(Self::DISJUNCTION);
    pub(crate) const NEED_FIELD_CONJUNCTS: Cond = Self::FIELD_CONJUNCTS.or(Self::ANCESTORS);
    pub(crate) const NEED_FIELD_SET: Cond = Self::FIELD_SET.or(Self::ANCESTORS);
    pub(crate) const NEED_TASKS: Cond = Self::ANCESTORS.or(Self::ALL_TASKS);
    pub(crate) const AUTO_UNBLOCK: Cond = Self::SCALAR.or(Self::ARC_TYPE);

    pub(crate) const fn or(self, o: Cond) -> Cond {
        Cond(self.0 | o.0)
    }
    pub(crate) const fn and(self, o: Cond) -> Cond {
        Cond(self.0 & o.0)
    }
    pub(crate) const fn without(self, o: Cond) -> Cond {
        Cond(self.0 & !o.0)
    }
    pub(crate) const fn has(self, o: Cond) -> bool {
        self.0 & o.0 == o.0
    }
    pub(crate) const fn any(self, o: Cond) -> bool {
        self.0 & o.0 != 0
    }
}

/// How hard an evaluation tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Looks at what is there.
    Ignore,
    /// Runs what can run, without waiting.
    Attempt,
    /// Parks the running task if the condition cannot be met.
    Yield,
    /// Forces an answer.
    Finalize,
}

/// What an evaluation asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flags {
    pub(crate) cond: Cond,
    pub(crate) mode: Mode,
    pub(crate) typos: bool,
    pub(crate) concrete: bool,
    /// Whether the evaluation is late: arcs are complete.
    pub(crate) late: bool,
}

impl Flags {
    pub(crate) const fn new(cond: Cond, mode: Mode) -> Flags {
        Flags {
            cond,
            mode,
            typos: false,
            concrete: false,
            late: false,
        }
    }
    pub(crate) const fn typos(mut self) -> Flags {
        self.typos = true;
        self
    }
    pub(crate) const SCALAR: Flags = Flags::new(Cond::SCALAR, Mode::Yield);
}

/// What a task does. The order of the last one matters: disjunctions run after all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Run {
    Expr,
    Resolver,
    Dynamic,
    Pattern,
    Comprehension,
    List,
    ListVertex,
    Disjunctions,
}

impl Run {
    pub(crate) fn completes(self) -> Cond {
        match self {
            Run::Expr | Run::Resolver => Cond::GENERIC,
            Run::Disjunctions => Cond::GENERIC_DISJUNCTION,
            _ => Cond::FIELD_CONJUNCT,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum TaskState {
    Ready,
    Running,
    Waiting,
    Success,
    Failed,
    Cancelled,
}

/// What a task works on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Subject {
    None,
    Expr(XId),
    Decl(DId),
    Comp(CId),
    Vertex(VId),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) run: Run,
    pub(crate) state: TaskState,
    pub(crate) completes: Cond,
    pub(crate) defunct: bool,
    pub(crate) unblocked: bool,
    pub(crate) inserting: bool,
    pub(crate) retry: bool,
    /// How often it is among the tasks that run.
    pub(crate) on_stack: u32,
    pub(crate) blocked_on: VId,
    pub(crate) block_cond: Cond,
    pub(crate) err: ErrId,
    pub(crate) node: VId,
    pub(crate) env: EnvId,
    pub(crate) info: CloseInfo,
    pub(crate) subject: Subject,
}

/// Whether a disjunct was marked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum DefaultMode {
    #[default]
    Maybe,
    Is,
    Not,
}

/// One alternative of a pending disjunction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternative {
    pub(crate) item: Item,
    pub(crate) mode: DefaultMode,
    pub(crate) err: ErrId,
}

/// A disjunction that waits for the other tasks of its vertex.
#[derive(Clone, Debug)]
pub(crate) struct PendingDisjunction {
    pub(crate) env: EnvId,
    pub(crate) info: CloseInfo,
    pub(crate) alternatives: Vec<Alternative>,
}

/// A requirement of closedness opened at a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requirement {
    pub(crate) target: VId,
    pub(crate) id: u32,
    pub(crate) parent: u32,
    pub(crate) embed: u32,
    pub(crate) ignore: bool,
    pub(crate) kind: ReqKind,
    pub(crate) recursive: bool,
    pub(crate) conjunct_opened: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReqKind {
    Embedding,
    Reference,
    Struct,
}

/// A requirement in force at a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReqSet {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    pub(crate) embed: u32,
    pub(crate) kind: ReqKind,
    pub(crate) once: bool,
    pub(crate) ignored: bool,
    pub(crate) removed: bool,
    pub(crate) conjunct_opened: bool,
}

/// The requirements in force at a vertex: mostly one or two.
pub(crate) type ReqSets = SmallVec<[ReqSet; 3]>;

/// What touched a vertex.
pub(crate) type Evidences = SmallVec<[Evidence; 6]>;

/// Which group touched a vertex, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence {
    pub(crate) id: u32,
    pub(crate) embed: u32,
    pub(crate) flags: u8,
}

pub(crate) const HAS_ELLIPSIS: u8 = 1;
pub(crate) const HAS_TOP: u8 = 2;
pub(crate) const HAS_STRUCT: u8 = 4;
pub(crate) const HAS_OPEN_VALIDATOR: u8 = 8;

/// A cyclic conjunct that waits for one that is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CyclicConjunct {
    pub(crate) conjunct: Conjunct,
    pub(crate) arc: VId,
}

/// A bottom test to be repeated when its vertex is complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PostCheck {
    pub(crate) env: EnvId,
    pub(crate) expr: XId,
    pub(crate) expect_error: bool,
}

/// A vertex that copied conjuncts and gets later ones too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Receiver {
    pub(crate) vertex: VId,
    pub(crate) info: CloseInfo,
}

/// What fixed the kind of a vertex, for messages.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) enum Source {
    #[default]
    None,
    Val(Val),
    Expr(XId),
    Struct(SId),
}

pub(crate) type VertexMap = FxHashMap<VId, VId>;

/// Declares the working state with what makes it new again and what copies it: lists of work in
/// progress, lists of what is known, and everything else.
macro_rules! node {
    (
        passing { $($passing:ident: $a:ty,)* }
        known { $($known:ident: $b:ty,)* }
        plain { $($(#[$doc:meta])* $field:ident: $c:ty,)* }
        cached { $($cached:ident: $d:ty,)* }
    ) => {
        /// Working state of one vertex.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Node {
            $(pub(crate) $passing: $a,)*
            $(pub(crate) $known: $b,)*
            $($(#[$doc])* pub(crate) $field: $c,)*
            $(pub(crate) $cached: $d,)*
        }

        impl Node {
            /// Makes this the state before any conjunct again; lists keep their room.
            pub(crate) fn reset(&mut self) {
                $(self.$passing.clear();)*
                $(self.$known.clear();)*
                $(self.$field = Default::default();)*
                $(self.$cached = None;)*
                self.kind = Kind::TOP;
            }

            /// The bytes of all lists, in use or not.
            pub(crate) fn list_bytes(&self) -> usize {
                let lists = [$(room_of(&self.$passing),)* $(room_of(&self.$known),)*];
                lists.iter().sum::<usize>() + self.other_bytes()
            }

            /// So many entries a copy takes over.
            pub(crate) fn known_len(&self) -> usize {
                let lists = [$(self.$known.len(),)*];
                lists.iter().sum::<usize>() + self.alternatives()
            }

            /// Takes over what is known, into an idle state.
            pub(crate) fn copy_known(&mut self, from: &Node) {
                $(self.$known.clone_from(&from.$known);)*
                $(self.$field = from.$field.clone();)*
                self.finished = 0;
                self.ref_count = 0;
                self.parent = VId::NONE;
            }
        }
    };
}

node! {
    passing {
        tasks: ThinVec<TId>,
        parent_tasks: ThinVec<TId>,
        blocking: ThinVec<TId>,
        deferred: ThinVec<VId>,
        notify: ThinVec<Receiver>,
        cyclic_conjuncts: ThinVec<CyclicConjunct>,
        post_checks: ThinVec<PostCheck>,
        disjuncts: ThinVec<VId>,
        disjunct_errs: ThinVec<ErrId>,
        user_errs: ThinVec<ErrId>,
        temporaries: ThinVec<VId>,
    }
    known {
        shared_infos: ThinVec<CloseInfo>,
        arc_map: ThinVec<VId>,
        reqs: ThinVec<Requirement>,
        replaced: ThinVec<(u32, u32)>,
        evidence: ThinVec<Evidence>,
        checks: ThinVec<Conjunct>,
        disjunctions: ThinVec<PendingDisjunction>,
    }
    plain {
        /// So many of the first tasks are done.
        finished: usize,
        /// What a shared value without root hangs on.
        parent: VId,
        ref_count: u32,
        is_disjunct: bool,
        /// An alternative that is tried here fails for certain.
        rejected: bool,
        initialized: bool,
        to_complete: bool,
        completing: bool,
        /// The body of a `try` that this is, or an alternative of.
        try_body: VId,
        /// A reference in the body of a `try` that this is led nowhere.
        try_failed: bool,
        embed_closedness: u8,
        run_mode: Option<Mode>,
        eval_depth: u32,
        depth: u32,
        started: bool,
        completed: Cond,
        needs: Cond,
        provided: Cond,
        frozen: Cond,
        counters: [i32; 10],
        has_top: bool,
        has_cyclic_conjunct: bool,
        has_ancestor_cycle: bool,
        has_non_cycle: bool,
        has_non_cyclic: bool,
        has_struct: bool,
        is_def: bool,
        has_field_value: bool,
        a_struct: bool,
        drop_parent_reqs: bool,
        has_disjunction: bool,
        shared: bool,
        no_sharing: bool,
        share_conjunct: Option<Conjunct>,
        share_cycle: Cyclic,
        share_base: Val,
        share_decremented: bool,
        default_mode: DefaultMode,
        orig_default_mode: DefaultMode,
        default_attempt: VId,
        kind: Kind,
        kind_src: Source,
        kind_group: u32,
        scalar: Val,
        scalar_group: u32,
        list_closed: bool,
        list_len: usize,
        lower: Val,
        upper: Val,
        errs: ErrId,
        /// The result where all alternatives were scalars and types.
        cheap_disjunction: Val,
    }
    cached {
        vertex_map: Option<Box<VertexMap>>,
        flat_replaced: Option<Vec<(u32, u32)>>,
        req_sets: Option<ReqSets>,
    }
}

impl Node {
    /// The state before any conjunct: everything is possible.
    pub(crate) fn new() -> Node {
        Node {
            kind: Kind::TOP,
            ..Node::default()
        }
    }

    fn alternatives(&self) -> usize {
        self.disjunctions.iter().map(|d| d.alternatives.len()).sum()
    }

    /// The bytes of what is in no list of this node itself.
    fn other_bytes(&self) -> usize {
        let map = self.vertex_map.as_ref().map_or(0, |m| m.capacity());
        let flat = self.flat_replaced.as_deref().unwrap_or_default();
        let sets = self.req_sets.as_deref().unwrap_or_default();
        map * size_of::<(VId, VId)>()
            + size_of_val(flat)
            + size_of_val(sets)
            + self.alternatives() * size_of::<Alternative>()
    }

    /// The tasks from the first that is not done.
    pub(crate) fn open_tasks(&self) -> &[TId] {
        &self.tasks[self.finished.min(self.tasks.len())..]
    }

    /// Whether conditions hold. Conditions that no task provides hold once the node has started.
    pub(crate) fn meets(&self, mut needs: Cond) -> bool {
        if self.started {
            needs = needs.and(self.provided);
        }
        self.completed.has(needs)
    }

    pub(crate) fn only_cyclic(&self) -> bool {
        self.has_ancestor_cycle && !self.has_non_cycle
            || self.has_cyclic_conjunct && !self.has_non_cyclic
    }
}
