//! Bounds on the work of one evaluator, so that a specification that grows without end is an
//! error that names a field. They are far above what evaluating a real one takes.

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::Code;
use super::node::{Node, Task, TaskState};
use super::vertex::{Conjunct, Env, TId, VId, Vertex};

/// What an evaluator may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps: tasks that run, alternatives that are tried, and groups that are looked through for
    /// closedness, a few of which are one.
    pub steps: u64,
    /// Bytes of values and of working state, as counted from their number.
    pub bytes: u64,
    /// Bytes of stack, for values that wait for each other.
    pub stack: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 2_000_000_000,
            bytes: 6 << 30,
            stack: 640 << 20,
        }
    }
}

/// Bytes are counted once in so many steps.
const COUNT_EVERY: u64 = 1 << 12;

/// So many groups looked through are a step.
const GROUPS_A_STEP: u64 = 4;

/// With less stack than this left, more is added.
const LOW_STACK: usize = 256 << 10;

/// So much stack is added at a time.
const MORE_STACK: usize = 8 << 20;

/// What was spent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    pub(crate) limits: Limits,
    steps: u64,
    /// Steps since bytes were counted.
    since: u64,
    /// Groups looked through that do not make a step yet.
    walked: u64,
    stack: u64,
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

    /// Counts a step towards a vertex. Whether no more are allowed.
    pub(crate) fn step(&mut self, v: VId) -> bool {
        self.spent.steps += 1;
        self.spent.since += 1;
        if self.spent.steps >= self.spent.limits.steps || self.spent.since >= COUNT_EVERY {
            self.spent.since = 0;
            self.check_limits(v);
        }
        self.spent.over.is_some()
    }

    /// Counts groups that were looked through at a vertex.
    pub(crate) fn walked(&mut self, v: VId, groups: u64) {
        self.spent.walked += groups;
        self.spent.steps += self.spent.walked / GROUPS_A_STEP;
        self.spent.walked %= GROUPS_A_STEP;
        if self.spent.steps >= self.spent.limits.steps {
            self.check_limits(v);
        }
    }

    /// Goes on with a vertex, on more stack if little is left.
    pub(crate) fn deeper<T>(&mut self, v: VId, go: impl FnOnce(&mut Self) -> T) -> T {
        if stacker::remaining_stack().is_some_and(|left| left >= LOW_STACK) {
            return go(self);
        }
        self.spent.stack += MORE_STACK as u64;
        self.check_limits(v);
        let result = stacker::grow(MORE_STACK, || go(self));
        self.spent.stack -= MORE_STACK as u64;
        result
    }

    #[cold]
    fn check_limits(&mut self, v: VId) {
        let limits = self.spent.limits;
        if self.spent.over.is_some() {
            return;
        }
        let (template, limit) = if self.spent.steps >= limits.steps {
            ("evaluation takes more than {} steps", limits.steps)
        } else if self.spent.stack > limits.stack {
            ("evaluation takes more than {} bytes of stack", limits.stack)
        } else if self.bytes_held() >= limits.bytes {
            ("evaluation takes more than {} bytes", limits.bytes)
        } else {
            return;
        };
        let saved = std::mem::replace(&mut self.reg.vertex, v);
        let args = vec![Arg::Int(i64::try_from(limit).unwrap_or(i64::MAX))];
        let pos = self.reg.src;
        let e = self.errf_at(Code::Eval, pos, template, args);
        self.reg.vertex = saved;
        self.spent.over = e;
    }

    fn bytes_held(&self) -> u64 {
        let vertices = self.v.len() * (size_of::<Vertex>() + size_of::<Conjunct>());
        let working = self.nodes.len() * size_of::<Node>() + self.tasks.len() * size_of::<Task>();
        (vertices + working + self.envs.len() * size_of::<Env>()) as u64
    }

    /// Ends a task that may not run any more.
    pub(crate) fn drop_task(&mut self, t: TId) {
        let task = &mut self.tasks[t.i()];
        task.state = TaskState::Failed;
        let (v, completes) = (task.node, std::mem::take(&mut task.completes));
        self.decrement(v, completes);
    }
}
