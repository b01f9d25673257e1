//! The evaluator: all tables, and the registers of the evaluation that is running.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::{Bottom, ErrId, Message};
use super::label::{self, Label};
use super::library::{Func, Library, Matcher};
use super::node::{Node, Task};
use super::program::{Program, XId};
use super::value::{Bound, Disjunction, FuncId, Val, Validator};
use super::vertex::{CloseInfo, Conjunct, Env, EnvId, RefId, RefNode, TId, VId, Vertex};
use crate::number::Number;
use crate::syntax::names::{Name, Names};
use crate::syntax::source::{Pos, Sources};

/// A group of conjuncts for closedness: its parent, and where it was opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) parent: u32,
    pub(crate) pos: Pos,
}

/// The vertex a let was evaluated into for one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LetEntry {
    pub(crate) vertex: VId,
    pub(crate) recomputed: bool,
}

/// What the running evaluation stands on; saved and restored around tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers {
    pub(crate) env: EnvId,
    pub(crate) info: CloseInfo,
    pub(crate) src: Pos,
    pub(crate) errs: ErrId,
    pub(crate) vertex: VId,
    pub(crate) eval_depth: u32,
    pub(crate) detached: u32,
    pub(crate) in_validator: u32,
    pub(crate) is_validator: bool,
    pub(crate) pending_parent: bool,
}

impl Default for Registers {
    fn default() -> Registers {
        Registers {
            env: EnvId::NONE,
            info: CloseInfo::default(),
            src: Pos::NONE,
            errs: ErrId::NONE,
            vertex: VId::NONE,
            eval_depth: 0,
            detached: 0,
            in_validator: 0,
            is_validator: false,
            pending_parent: false,
        }
    }
}

/// A read of a value that was not settled (see [`Evaluator::record_unsettled`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsettled {
    /// The path of the vertex whose evaluation looked.
    pub reader: Vec<Label>,
    /// The path of what was not settled.
    pub source: Vec<Label>,
    /// Where it looked.
    pub pos: Pos,
}

/// Evaluates packages. Owns all names, texts, programs and values of a load; can be sent to
/// another thread as a whole.
pub struct Evaluator {
    /// Interned names, labels and strings.
    pub names: Names,
    /// The source texts positions point into.
    pub sources: Sources,
    /// The program.
    pub program: Program,
    pub(crate) library: Arc<dyn Library>,

    pub(crate) v: Vec<Vertex>,
    pub(crate) envs: Vec<Env>,
    pub(crate) refs: Vec<RefNode>,
    /// Vertices that nothing leads to any more.
    pub(crate) free_vertices: Vec<VId>,
    /// Vertices that were reset away, but that readers may still point at.
    pub(crate) discarded: Vec<VId>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) free_nodes: Vec<u32>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) free_tasks: Vec<u32>,
    pub(crate) groups: Vec<Group>,

    pub(crate) numbers: Vec<Number>,
    pub(crate) number_index: FxHashMap<Number, u32>,
    pub(crate) bytes: Vec<Arc<[u8]>>,
    pub(crate) bounds: Vec<Bound>,
    pub(crate) conjs: Vec<Vec<Val>>,
    pub(crate) disjs: Vec<Disjunction>,
    pub(crate) validators: Vec<Validator>,
    pub(crate) funcs: Vec<&'static Func>,
    pub(crate) func_index: FxHashMap<(&'static str, &'static str), FuncId>,
    pub(crate) errors: Vec<Bottom>,
    pub(crate) messages: Vec<Message>,
    /// Values of disjunctions of literals and types.
    pub(crate) plain_disjunctions: FxHashMap<XId, Val>,
    pub(crate) regexps: FxHashMap<Name, Result<Arc<Matcher>, String>>,
    pub(crate) lets: FxHashMap<(EnvId, XId, VId), LetEntry>,
    pub(crate) packages: Vec<super::package::Loaded>,
    pub(crate) standard: FxHashMap<String, VId>,
    pub(crate) snippets: FxHashMap<(String, &'static str), XId>,
    pub(crate) let_count: u32,

    pub(crate) reg: Registers,
    pub(crate) more_pos: Vec<Pos>,
    pub(crate) alt_path: Vec<VId>,
    pub(crate) stack: Vec<TId>,
    pub(crate) blocking: Vec<TId>,
    pub(crate) next_run: u32,
    /// How many evaluations of a vertex were begun.
    pub(crate) begun: u64,
    pub(crate) empty: VId,
    pub(crate) fills: Vec<super::fill::Fill>,
    pub(crate) spent: super::limit::Spent,
    /// The copy that an alternative is being tried in.
    pub(crate) attempted: VId,
    /// Above 0 where alternatives that fail are evaluated to the end, for their errors.
    pub(crate) exact: u32,
    /// Whether optional fields are evaluated with the rest; else when they are asked for.
    pub eager_optional: bool,
    pub(crate) unsettled: Option<Vec<Unsettled>>,
    pub(crate) needed: Option<super::need::Needed>,
    /// Whether an evaluation came back to something that it was in the midst of, or read what was
    /// not settled: then the order of evaluation may show in values.
    pub(crate) came_back: bool,
    /// Experiments by file.
    pub(crate) experiments: Vec<crate::syntax::tree::Experiments>,
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator")
            .field("vertices", &self.v.len())
            .field("exprs", &self.program.exprs.len())
            .finish()
    }
}

impl Evaluator {
    /// The label a regular field of that name has. The name is taken as it is.
    pub fn string_label(&mut self, name: &str) -> Label {
        Label::string(self.names.intern(name))
    }

    /// The label an identifier stands for, hidden ones in the package of that id.
    pub fn identifier_label(&mut self, name: &str, package: &str) -> Label {
        let name = self.names.intern(name);
        label::identifier(&mut self.names, name, package)
    }

    /// The text of a label as it appears in paths: quoted if it is no identifier.
    pub fn label_text(&self, label: Label) -> String {
        super::text::selector(&self.names, label)
    }

    #[inline]
    pub(crate) fn new_vertex(&mut self, vertex: Vertex) -> VId {
        if let Some(v) = self.free_vertices.pop() {
            *self.vm(v) = vertex;
            return v;
        }
        self.v.push(vertex);
        self.made(self.v.len());
        VId(self.v.len() as u32 - 1)
    }

    pub(crate) fn new_env(&mut self, up: EnvId, vertex: VId) -> EnvId {
        self.push_env(Env {
            up,
            vertex,
            label: Label::NONE,
            run: 0,
        })
    }

    pub(crate) fn push_env(&mut self, env: Env) -> EnvId {
        self.envs.push(env);
        self.made(self.envs.len());
        EnvId(self.envs.len() as u32 - 1)
    }

    pub(crate) fn env_up(&self, mut env: EnvId, up: u32) -> EnvId {
        for _ in 0..up {
            env = self.envs[env.i()].up;
        }
        env
    }

    pub(crate) fn new_ref(&mut self, r: RefNode) -> RefId {
        self.refs.push(r);
        RefId(self.refs.len() as u32 - 1)
    }

    /// The expression of a conjunct, or none for evaluated values.
    pub(crate) fn conjunct_expr(&self, c: &Conjunct) -> XId {
        match c.item {
            super::vertex::Item::Expr(x) => x,
            super::vertex::Item::Decl(d) => self.program.decl_value(d),
            super::vertex::Item::Val(_) => XId::NONE,
        }
    }

    /// One part of the history of a conjunct.
    pub fn reference(&self, r: RefId) -> Option<RefNode> {
        r.is_some().then(|| self.refs[r.i()])
    }

    /// The number of vertices ever made, a measure of work done.
    pub fn vertex_count(&self) -> usize {
        self.v.len()
    }
}
