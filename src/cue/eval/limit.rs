//! Bounds on the work of one evaluator, so that a specification that grows without end is an
//! error that names a field. They are far above what evaluating a real one takes.

use super::context::Evaluator;
use super::error::{Arg, Bottom, ErrId, Message};
use super::kind::Code;
use super::node::{Node, Task, TaskState};
use super::program::Expr;
use super::value::{Data, Val};
use super::vertex::{Conjunct, Env, RefNode, Status, TId, VId, Vertex};

/// What an evaluator may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps: looks at some things that lie in a row, about 100 ns. A task that runs is some of
    /// them, and so is an alternative that is tried.
    pub steps: u64,
    /// Bytes of values, of texts and of working state.
    pub bytes: u64,
    /// Bytes of stack, for values that wait for each other.
    pub stack: u64,
    /// Labels of a path. Values that are written down end long before; JSON is not read deeper.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 400_000_000,
            bytes: 3 << 30,
            stack: 640 << 20,
            depth: 10_000,
        }
    }
}

/// Bytes are counted once in so many steps.
const COUNT_EVERY: u64 = 1 << 14;

/// So many vertices or frames are made between counts of bytes.
const MADE_BETWEEN: usize = 1 << 14;

/// So many things looked at are a step.
const LOOKS_A_STEP: u64 = 32;

/// Something that does not lie next to the last is worth so many looks.
pub(crate) const FAR_LOOKS: usize = 4;

/// A byte of a message that is put together is worth so many looks.
pub(crate) const TEXT_LOOKS: usize = 12;

/// A task that runs is so many steps.
const TASK_STEPS: u64 = 8;

/// Lists are measured once in this part of all steps and two steps for each entry of a table.
const MEASURES: u64 = 64;

/// One text may take this part of all bytes.
const TEXT_PART: u64 = 16;

/// A field or an element that is written out takes about so many bytes; so long a text is another
/// part.
pub(crate) const PART_BYTES: u64 = 200;

/// With less stack than this left, more is added.
const LOW_STACK: usize = 256 << 10;

/// So much stack is added at a time.
const MORE_STACK: usize = 8 << 20;

/// Adding stack is so many steps: the system gives it and takes it back.
const STACK_STEPS: u64 = 100;

/// What was spent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    pub(crate) limits: Limits,
    pub(crate) steps: u64,
    /// Steps since bytes were counted.
    since: u64,
    /// Looks that do not make a step yet.
    looks: u64,
    /// Bytes of what is in no table.
    other: u64,
    /// Bytes of the lists that entries of tables have, when they were last measured.
    lists: u64,
    /// The steps after which they are measured again.
    measure_at: u64,
    stack: u64,
    /// Whether that error is being made.
    exceeding: bool,
    /// The error, once a limit was reached.
    over: ErrId,
}

impl Evaluator {
    /// Sets other limits than the default ones.
    pub fn set_limits(&mut self, limits: Limits) {
        self.spent.limits = limits;
    }

    /// The error of an evaluation that reached a limit; 0 if it did not.
    pub fn over_limit(&self) -> ErrId {
        self.spent.over
    }

    /// Whether a limit was reached: what is left to do is not done any more.
    pub(crate) fn is_over(&self) -> bool {
        self.spent.over.is_some()
    }

    /// Counts a task of a vertex. Whether no more are allowed.
    pub(crate) fn step(&mut self, v: VId) -> bool {
        self.spend(v, TASK_STEPS);
        self.is_over()
    }

    /// Counts steps towards a vertex.
    pub(crate) fn spend(&mut self, v: VId, steps: u64) {
        self.spent.steps += steps;
        self.spent.since += steps;
        if self.spent.steps >= self.spent.limits.steps || self.spent.since >= COUNT_EVERY {
            self.spent.since = 0;
            self.check_limits(v);
        }
    }

    /// Counts things that were looked at, one after the other, for a vertex.
    pub(crate) fn looked(&mut self, v: VId, count: usize) {
        let looks = self.spent.looks + count as u64;
        self.spent.looks = looks % LOOKS_A_STEP;
        if looks >= LOOKS_A_STEP {
            self.spend(v, looks / LOOKS_A_STEP);
        }
    }

    /// Counts what was made for a table that has so many entries now.
    pub(crate) fn made(&mut self, count: usize) {
        if count.is_multiple_of(MADE_BETWEEN) {
            self.check_limits(self.reg.vertex);
        }
    }

    /// Counts bytes that lie in no table.
    pub(crate) fn charge(&mut self, bytes: usize) {
        self.spent.other += bytes as u64;
    }

    /// Counts the bytes of a text that is to be kept. Whether there is room for them.
    pub(crate) fn has_room(&mut self, bytes: usize) -> bool {
        if self.would_fit(bytes) {
            self.charge(bytes);
            if bytes >= COUNT_EVERY as usize {
                self.check_limits(self.reg.vertex);
            }
        }
        !self.is_over()
    }

    /// Whether a text of so many bytes may be made.
    pub(crate) fn would_fit(&mut self, bytes: usize) -> bool {
        let most = self.spent.limits.bytes / TEXT_PART;
        if bytes as u64 > most {
            self.exceed(self.reg.vertex, "a value takes more than {} bytes", most);
        }
        !self.is_over()
    }

    /// How many parts a value may have that is written out.
    pub(crate) fn most_parts(&self) -> usize {
        usize::try_from(self.spent.limits.bytes / PART_BYTES).unwrap_or(usize::MAX)
    }

    /// Records that a value with a vertex has more parts than may be written out.
    pub(crate) fn too_many_parts(&mut self, v: VId) {
        let most = self.spent.limits.bytes / PART_BYTES;
        self.exceed(v, "value of more than {} parts", most);
    }

    /// Looks whether the path of a vertex is too long.
    pub(crate) fn check_depth(&mut self, v: VId, depth: u32) {
        let most = self.spent.limits.depth;
        if depth > most {
            self.exceed(
                v,
                "a value is nested more than {} levels deep",
                u64::from(most),
            );
        }
    }

    /// Goes on where it is, on more stack if little is left.
    pub(crate) fn nested<T>(&mut self, go: impl FnOnce(&mut Self) -> T) -> T {
        self.deeper(self.reg.vertex, go)
    }

    /// Goes on with a vertex, on more stack if little is left.
    pub(crate) fn deeper<T>(&mut self, v: VId, go: impl FnOnce(&mut Self) -> T) -> T {
        if stacker::remaining_stack().is_some_and(|left| left >= LOW_STACK) {
            return go(self);
        }
        self.spent.stack += MORE_STACK as u64;
        self.spend(v, STACK_STEPS);
        self.check_limits(v);
        let result = stacker::grow(MORE_STACK, || go(self));
        self.spent.stack -= MORE_STACK as u64;
        result
    }

    #[cold]
    fn check_limits(&mut self, v: VId) {
        let limits = self.spent.limits;
        if self.spent.steps >= self.spent.measure_at {
            self.measure();
        }
        if self.spent.steps >= limits.steps {
            self.exceed(v, "evaluation takes more than {} steps", limits.steps);
        } else if self.spent.stack > limits.stack {
            let template = "evaluation takes more than {} bytes of stack";
            self.exceed(v, template, limits.stack);
        } else if self.bytes_held() >= limits.bytes {
            self.exceed(v, "evaluation takes more than {} bytes", limits.bytes);
        }
    }

    /// Records that a limit was reached, if none was before.
    #[cold]
    fn exceed(&mut self, v: VId, template: &'static str, limit: u64) {
        if self.is_over() || std::mem::replace(&mut self.spent.exceeding, true) {
            return;
        }
        let running = self.stack.iter().rev().map(|t| self.tasks[t.i()].node);
        let named = std::iter::once(v).chain(running);
        let named = named.into_iter().find(|v| !self.path(*v).is_empty());
        let saved = std::mem::replace(&mut self.reg.vertex, named.unwrap_or(v));
        let args = vec![Arg::Int(i64::try_from(limit).unwrap_or(i64::MAX))];
        let pos = self.reg.src;
        let e = self.errf_at(Code::Eval, pos, template, args);
        self.reg.vertex = saved;
        self.spent.over = e;
    }

    pub(crate) fn bytes_held(&self) -> u64 {
        let vertices = self.v.len() * (size_of::<Vertex>() + size_of::<Conjunct>());
        let working = self.nodes.len() * size_of::<Node>() + self.tasks.len() * size_of::<Task>();
        let history = self.envs.len() * size_of::<Env>() + self.refs.len() * size_of::<RefNode>();
        let errors =
            self.errors.len() * size_of::<Bottom>() + self.messages.len() * size_of::<Message>();
        let program = self.program.exprs.len() * size_of::<Expr>();
        let tables = vertices + working + history + errors + program;
        tables as u64 + self.spent.lists + self.spent.other
    }

    /// Counts the bytes of the lists that entries of tables have: they grow one by one.
    fn measure(&mut self) {
        let vertices: usize = self.v.iter().map(Vertex::list_bytes).sum();
        let working: usize = self.nodes.iter().map(Node::list_bytes).sum();
        let errors: usize = self.errors.iter().map(Bottom::list_bytes).sum();
        let messages: usize = self.messages.iter().map(Message::list_bytes).sum();
        self.spent.lists = (vertices + working + errors + messages) as u64;
        let entries = self.v.len() + self.nodes.len() + self.errors.len() + self.messages.len();
        let pause = self.spent.limits.steps / MEASURES + 2 * entries as u64;
        self.spent.measure_at = self.spent.steps + pause;
    }

    /// Lets a vertex be the error of the limit that was reached.
    pub(crate) fn give_up(&mut self, v: VId) {
        let over = self.spent.over;
        let x = self.vm(v);
        x.base = Val::bare(Data::Err(over));
        x.status = Status::Finalized;
    }

    /// Ends a task that may not run any more.
    pub(crate) fn drop_task(&mut self, t: TId) {
        let task = &mut self.tasks[t.i()];
        task.state = TaskState::Failed;
        let (v, completes) = (task.node, std::mem::take(&mut task.completes));
        self.decrement(v, completes);
    }
}
