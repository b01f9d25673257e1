//! When tasks run: conditions of vertices, waiting, freezing, and breaking of knots.

use super::context::Evaluator;
use super::error::ErrId;
use super::kind::{ArcType, Code};
use super::library::{R, Yield};
use super::node::{Cond, Mode, Node, Run, Subject, Task, TaskState};
use super::program::Expr;
use super::vertex::{CloseInfo, Cyclic, EnvId, NId, Status, TId, VId, Vertex};
use crate::syntax::source::Pos;

impl Evaluator {
    /// The working state of a vertex; an idle one if it has none.
    pub(crate) fn n(&self, v: VId) -> &Node {
        &self.nodes[self.v[v.i()].state.i()]
    }

    /// The working state of a vertex to change; changes of a finished one are lost.
    pub(crate) fn nm(&mut self, v: VId) -> &mut Node {
        let id = self.v[v.i()].state;
        if !id.is_some() {
            self.nodes[1].reset();
            return &mut self.nodes[1];
        }
        &mut self.nodes[id.i()]
    }

    pub(crate) fn vx(&self, v: VId) -> &Vertex {
        &self.v[v.i()]
    }

    pub(crate) fn vm(&mut self, v: VId) -> &mut Vertex {
        &mut self.v[v.i()]
    }

    pub(crate) fn has_state(&self, v: VId) -> bool {
        self.v[v.i()].state.is_some()
    }

    /// Makes the working state of a vertex that is not finished, without looking at conjuncts.
    pub(crate) fn bare_state(&mut self, v: VId) -> bool {
        if self.v[v.i()].status == Status::Finalized {
            return false;
        }
        if self.has_state(v) {
            return true;
        }
        let id = self.new_node();
        let parent = self.v[v.i()].parent;
        let above = if parent.is_some() {
            self.v[parent.i()].state
        } else {
            NId::NONE
        };
        let mut provided = Cond::AUTO_UNBLOCK;
        if above.is_some() {
            let (is_disjunct, depth) = {
                let above = &self.nodes[above.i()];
                (above.is_disjunct, above.depth)
            };
            self.check_depth(v, depth + 1);
            let node = &mut self.nodes[id.i()];
            node.is_disjunct = is_disjunct;
            node.depth = depth + 1;
            provided = provided.or(Cond::ANCESTORS);
        }
        let x = &self.v[v.i()];
        let non_cyclic = |c: &super::vertex::Conjunct| c.info.cycle <= Cyclic::Optional;
        let node = &mut self.nodes[id.i()];
        node.provided = provided;
        node.has_non_cyclic = parent.is_some() && x.conjuncts.iter().any(non_cyclic);
        self.place(v);
        self.vm(v).state = id;
        true
    }

    /// Lets a vertex be as closed as what holds it is when its first conjunct comes.
    pub(crate) fn place(&mut self, v: VId) {
        if self.v[v.i()].placed() {
            return;
        }
        let parent = self.v[v.i()].parent;
        let closed = parent.is_some() && self.v[parent.i()].closed_recursive();
        let x = self.vm(v);
        x.set_placed(true);
        let closed = closed || x.label.is_definition();
        x.set_closed_recursive(x.closed_recursive() || closed);
    }

    /// Makes the working state of a vertex that is not finished, and looks at its conjuncts.
    pub(crate) fn state(&mut self, v: VId) -> R<bool> {
        if !self.bare_state(v) {
            return Ok(false);
        }
        if !self.n(v).initialized {
            self.schedule_conjuncts(v)?;
        }
        Ok(true)
    }

    /// An idle working state.
    pub(crate) fn new_node(&mut self) -> NId {
        match self.free_nodes.pop() {
            Some(i) => NId(i),
            None => {
                self.nodes.push(Node::new());
                NId(self.nodes.len() as u32 - 1)
            }
        }
    }

    /// Forgets the working state of a vertex.
    pub(crate) fn free_state(&mut self, v: VId) {
        let id = self.v[v.i()].state;
        if !id.is_some() {
            return;
        }
        self.v[v.i()].state = NId::NONE;
        let node = &mut self.nodes[id.i()];
        for t in &node.blocking {
            let t = &mut self.tasks[t.i()];
            if t.blocked_on == v {
                t.blocked_on = VId::NONE;
                t.block_cond = Cond::NEVER;
            }
        }
        for t in &node.tasks {
            self.tasks[t.i()].blocked_on = VId::NONE;
            self.tasks[t.i()].defunct = true;
            if self.tasks[t.i()].on_stack == 0 {
                self.free_tasks.push(t.0);
            }
        }
        node.reset();
        self.free_nodes.push(id.0);
    }

    pub(crate) fn new_task(&mut self, task: Task) -> TId {
        match self.free_tasks.pop() {
            Some(i) => {
                self.tasks[i as usize] = task;
                TId(i)
            }
            None => {
                self.tasks.push(task);
                TId(self.tasks.len() as u32 - 1)
            }
        }
    }

    pub(crate) fn current(&self) -> Option<TId> {
        self.stack.last().copied()
    }

    pub(crate) fn schedule(
        &mut self,
        v: VId,
        run: Run,
        env: EnvId,
        subject: Subject,
        info: CloseInfo,
    ) -> R<TId> {
        let t = self.new_task(Task {
            run,
            state: TaskState::Ready,
            completes: run.completes(),
            defunct: false,
            unblocked: false,
            inserting: false,
            retry: false,
            on_stack: 0,
            blocked_on: VId::NONE,
            block_cond: Cond::NONE,
            err: ErrId::NONE,
            node: v,
            env,
            info,
            subject,
        });
        if let (Run::Comprehension, Subject::Comp(c)) = (run, subject) {
            let body = self.program.comprehension(c).body;
            self.tasks[t.i()].completes = self.contribution(v, t, body)?;
        }
        let completes = self.tasks[t.i()].completes;
        let last = |e: &Evaluator, t: TId| e.tasks[t.i()].run == Run::Disjunctions;
        let mut at = self.n(v).tasks.len();
        if run != Run::Disjunctions {
            while at > 0 && last(self, self.n(v).tasks[at - 1]) {
                at -= 1;
            }
        }
        let n = self.nm(v);
        n.provided = n.provided.or(completes);
        for (i, counter) in n.counters.iter_mut().enumerate() {
            if completes.and(Cond::COUNTED).0 & 1 << i != 0 {
                *counter += 1;
            }
        }
        n.tasks.insert(at, t);
        n.finished = n.finished.min(at);
        Ok(t)
    }

    pub(crate) fn decrement(&mut self, v: VId, completes: Cond) {
        let mut done = Cond::NONE;
        let n = self.nm(v);
        for (i, counter) in n.counters.iter_mut().enumerate() {
            let bit = Cond(1 << i);
            if completes.and(Cond::COUNTED).any(bit) {
                *counter -= 1;
                if *counter == 0 {
                    done = done.or(bit);
                }
            }
        }
        self.signal(v, done);
    }

    /// Notes that conditions hold, and runs the tasks that waited for them.
    pub(crate) fn signal(&mut self, v: VId, done: Cond) {
        let was = self.n(v).completed;
        self.nm(v).completed = was.or(done);
        let freeze = self.without_busy_field_set(v, done);
        if self.n(v).completed == was {
            self.nm(v).frozen = self.n(v).frozen.or(freeze);
            return;
        }
        let more = self.completions(v);
        let n = self.nm(v);
        n.completed = n.completed.or(more);
        n.frozen = n.frozen.or(freeze);
        let mut i = 0;
        while let Some(t) = self.n(v).blocking.get(i).copied() {
            i += 1;
            let completed = self.n(v).completed;
            let task = &mut self.tasks[t.i()];
            if task.blocked_on == v && completed.has(task.block_cond) {
                task.block_cond = Cond::NEVER;
                task.blocked_on = VId::NONE;
                self.run_task(t, Mode::Attempt);
            }
        }
    }

    pub(crate) fn freeze(&mut self, v: VId, cond: Cond) {
        let freeze = self.without_busy_field_set(v, cond);
        let n = self.nm(v);
        n.frozen = n.frozen.or(freeze);
        n.completed = n.completed.or(cond);
        self.completions(v);
    }

    /// The set of labels is not frozen while a task that adds some has not run.
    fn without_busy_field_set(&self, v: VId, cond: Cond) -> Cond {
        if !cond.any(Cond::FIELD_SET) {
            return cond;
        }
        let without = cond.without(Cond::FIELD_SET);
        let current = self.current();
        let n = self.n(v);
        if n.frozen.has(Cond::FIELD_SET) {
            return cond;
        }
        if n.parent_tasks
            .iter()
            .any(|t| self.tasks[t.i()].state < TaskState::Success && Some(*t) != current)
        {
            return without;
        }
        for t in n.open_tasks() {
            let t = &self.tasks[t.i()];
            let busy = match t.state {
                TaskState::Ready => true,
                TaskState::Running => t.run != Run::Comprehension,
                _ => false,
            };
            if busy && t.run.completes().any(Cond::FIELD_CONJUNCTS) {
                return without;
            }
        }
        cond
    }

    pub(crate) fn has_active_parent_task(&self, v: VId) -> bool {
        self.n(v)
            .parent_tasks
            .iter()
            .any(|t| self.tasks[t.i()].state < TaskState::Success)
    }

    /// What follows from the conditions that hold.
    fn completions(&mut self, v: VId) -> Cond {
        let mut x = self.n(v).completed;
        if x.has(Cond::ANCESTORS) {
            x = x.or(Cond::COUNTED.without(self.n(v).provided));
            if self.n(v).counters[2] == 0 && x.has(Cond::SUB_FIELDS) {
                x = x.or(Cond::ARC_TYPE);
            }
        }
        match self.v[v.i()].arc {
            ArcType::Member | ArcType::NotPresent => x = x.or(Cond::ARC_TYPE),
            ArcType::Pending if x.has(Cond::ARC_TYPE) && !self.has_active_parent_task(v) => {
                self.v[v.i()].arc = ArcType::NotPresent;
            }
            _ => {}
        }
        if x.has(Cond::VALUE) && matches!(self.v[v.i()].arc, ArcType::Member | ArcType::NotPresent)
        {
            x = x.or(Cond::SCALAR);
        }
        if !x.has(Cond::FIELD_SET) && x.has(Cond::NEED_FIELD_CONJUNCTS.or(Cond::NEED_TASKS)) {
            let n = self.n(v);
            if n.counters[6] > 0 || n.counters[4] > 0 {
                return x;
            }
            let pending = |e: &Evaluator| {
                e.v[v.i()]
                    .arcs
                    .iter()
                    .any(|a| e.v[a.i()].arc == ArcType::Pending)
            };
            if x.has(Cond::SUB_FIELDS) || !pending(self) {
                x = x.or(Cond::FIELD_SET);
            }
        }
        x
    }

    /// Whether the parent can add nothing to its fields any more.
    pub(crate) fn child_conjuncts_known(&mut self, parent: VId) -> R<bool> {
        if !parent.is_some() || !self.state(parent)? {
            return Ok(true);
        }
        Ok(self
            .n(parent)
            .meets(Cond::FIELD_CONJUNCTS.or(Cond::ANCESTORS)))
    }

    fn handle_parents(&mut self, v: VId, needs: Cond, mode: Mode) -> R<bool> {
        if self.n(v).meets(needs) {
            return Ok(true);
        }
        self.process_ancestors(v, mode)
    }

    fn process_ancestors(&mut self, v: VId, mode: Mode) -> R<bool> {
        if self.n(v).meets(Cond::ANCESTORS) {
            return Ok(true);
        }
        let mut done = true;
        let p = self.v[v.i()].parent;
        if p.is_some() && self.has_state(p) && !self.n(p).meets(Cond::CHILD_CONJUNCTS) {
            self.looked(v, 1);
            done = self.nested(|e| e.process_ancestors(p, mode))?;
            if self.n(p).counters[4] > 0 {
                self.process(p, Cond::FIELD_CONJUNCTS, mode)?;
            }
            if done && self.n(p).counters[4] == 0 {
                let n = self.nm(p);
                n.completed = n.completed.or(Cond::CHILD_CONJUNCTS);
            }
        }
        let x = self.vx(v);
        if x.dynamic() || x.label.is_let() || self.child_conjuncts_known(p)? {
            self.signal(v, Cond::ANCESTORS);
        }
        Ok(done)
    }

    pub(crate) fn all_tasks_started(&self, v: VId) -> bool {
        self.n(v)
            .open_tasks()
            .iter()
            .all(|t| self.tasks[t.i()].state != TaskState::Ready)
    }

    pub(crate) fn all_tasks_finished(&self, v: VId) -> bool {
        self.n(v)
            .open_tasks()
            .iter()
            .all(|t| self.tasks[t.i()].state >= TaskState::Success)
    }

    /// Runs tasks of a vertex until conditions hold, as far as the mode demands.
    pub(crate) fn process(&mut self, v: VId, needs: Cond, mode: Mode) -> R<bool> {
        let more = self.completions(v);
        self.signal(v, more);
        self.handle_parents(v, needs, mode)?;
        let mut ran_parent = false;
        for i in 0..self.n(v).parent_tasks.len() {
            let Some(t) = self.n(v).parent_tasks.get(i).copied() else {
                break;
            };
            if self.tasks[t.i()].state == TaskState::Ready {
                self.run_task(t, mode);
                ran_parent = true;
            }
        }
        if ran_parent {
            self.handle_parents(v, needs, mode)?;
        }
        if !self.has_state(v) {
            return Ok(true);
        }
        if self.v[v.i()].arc == ArcType::Pending && mode == Mode::Finalize {
            let n = self.nm(v);
            n.tasks.clear();
            n.finished = 0;
        }
        self.nm(v).started = true;
        let mut at = 0;
        self.run_ready(v, needs, mode, &mut at);
        match mode {
            Mode::Ignore | Mode::Attempt => return Ok(self.n(v).meets(needs)),
            Mode::Yield => {
                if self.n(v).meets(needs) {
                    return Ok(true);
                }
                if let Some(t) = self.current() {
                    self.wait_for(t, v, needs);
                    return Err(Yield);
                }
            }
            Mode::Finalize => {}
        }
        self.untie(v, needs, mode, at);
        Ok(true)
    }

    /// Breaks knots: declares what is waited for as known as it is, and runs what waited.
    fn untie(&mut self, v: VId, needs: Cond, mode: Mode, mut at: usize) {
        self.came_back |= !self.blocking.is_empty();
        loop {
            self.looked(v, self.blocking.len());
            let mut i = 0;
            while let Some(t) = self.blocking.get(i).copied() {
                i += 1;
                let on = self.tasks[t.i()].blocked_on;
                if on.is_some() && self.has_state(on) {
                    self.signal(on, Cond::AUTO_UNBLOCK);
                }
            }
            let mut i = 0;
            while let Some(t) = self.blocking.get(i).copied() {
                i += 1;
                let (on, cond) = (self.tasks[t.i()].blocked_on, self.tasks[t.i()].block_cond);
                if on.is_some() && self.has_state(on) {
                    self.freeze(on, cond);
                    self.tasks[t.i()].unblocked = true;
                }
            }
            let count = self.blocking.len();
            let mut i = 0;
            while let Some(t) = self.blocking.get(i).copied() {
                i += 1;
                if i > count {
                    break;
                }
                let task = &mut self.tasks[t.i()];
                let (on, cond) = (task.blocked_on, task.block_cond);
                if on.is_some() && !task.defunct {
                    task.blocked_on = VId::NONE;
                    task.block_cond = Cond::NEVER;
                    if self.has_state(on) {
                        self.signal(on, cond);
                    }
                    self.run_task(t, Mode::Attempt);
                }
            }
            if at < self.n(v).tasks.len() {
                self.run_ready(v, needs, mode, &mut at);
                continue;
            }
            if count < self.blocking.len() {
                continue;
            }
            self.blocking.clear();
            return;
        }
    }

    fn run_ready(&mut self, v: VId, needs: Cond, mode: Mode, at: &mut usize) {
        let mut select = needs;
        if needs.any(Cond::SCALAR) {
            select = select.or(Cond::VALUE);
        }
        if needs.any(Cond::FIELD_SET) {
            select = select.or(Cond::FIELD_CONJUNCTS);
        }
        let (mut running, mut inserting, mut disjunction) = (false, false, false);
        *at = self.n(v).finished.max(*at);
        self.looked(v, self.n(v).open_tasks().len());
        for t in self.n(v).open_tasks() {
            let t = &self.tasks[t.i()];
            if t.state == TaskState::Running && t.run == Run::Comprehension {
                running = true;
                inserting |= t.inserting;
            }
            disjunction |= t.state == TaskState::Ready && t.run == Run::Disjunctions;
        }
        while let Some(t) = self.n(v).tasks.get(*at).copied() {
            *at += 1;
            let task = &self.tasks[t.i()];
            let comp = task.run == Run::Comprehension;
            let skip = task.state != TaskState::Ready
                || !task.completes.any(select)
                || running && comp
                || inserting && task.run == Run::Resolver
                || disjunction && comp && task.completes == Cond::ALL_TASKS;
            if !skip {
                self.run_task(t, mode);
            }
        }
    }

    pub(crate) fn wait_for(&mut self, t: TId, v: VId, needs: Cond) {
        let n = self.nm(v);
        n.needs = n.needs.or(needs);
        n.blocking.push(t);
        let task = &mut self.tasks[t.i()];
        task.state = TaskState::Waiting;
        task.block_cond = needs;
        task.blocked_on = v;
        self.blocking.push(t);
    }

    /// Where the value stands that a task works towards.
    fn subject_pos(&self, s: Subject) -> Pos {
        match s {
            Subject::Expr(x) => self.program.pos(x),
            Subject::Decl(d) => self.program.pos(self.program.decl_value(d)),
            Subject::Comp(c) => self.program.pos(self.program.comprehension(c).body),
            Subject::None | Subject::Vertex(_) => Pos::NONE,
        }
    }

    pub(crate) fn run_task(&mut self, t: TId, mode: Mode) {
        let task = self.tasks[t.i()];
        if task.defunct {
            self.tasks[t.i()].state = TaskState::Cancelled;
            return;
        }
        let v = task.node;
        if self.n(v).has_ancestor_cycle {
            let skip = match task.run {
                Run::Comprehension => self.n(v).only_cyclic(),
                Run::Disjunctions => true,
                _ => false,
            };
            if skip {
                self.tasks[t.i()].state = TaskState::Success;
                return;
            }
        }
        if matches!(task.state, TaskState::Success | TaskState::Failed) {
            return;
        }
        if self.step(v) {
            self.drop_task(t);
            return;
        }
        let saved = self.reg;
        let paths = self.alt_path.len();
        self.reg.vertex = v;
        self.stack.push(t);
        self.tasks[t.i()].on_stack += 1;
        if task.run != Run::Disjunctions {
            self.reg.env = task.env;
            self.reg.info = task.info;
            self.reg.errs = ErrId::NONE;
            let pos = self.subject_pos(task.subject);
            if pos.is_valid() {
                self.reg.src = pos;
            }
        }
        self.tasks[t.i()].state = TaskState::Running;
        self.tasks[t.i()].err = ErrId::NONE;
        let result = self.deeper(v, |e| {
            e.run_subject(t, mode).and_then(|()| e.finish_task(t))
        });
        if result.is_err() && self.tasks[t.i()].state == TaskState::Running {
            let failed = self.tasks[t.i()].err.is_some();
            self.tasks[t.i()].state = if failed {
                TaskState::Failed
            } else {
                TaskState::Success
            };
        }
        self.stack.pop();
        self.tasks[t.i()].on_stack -= 1;
        self.reg = saved;
        self.alt_path.truncate(paths);
        self.count_finished(v);
        if self.has_state(v) && self.n(v).to_complete {
            self.nm(v).to_complete = false;
            // A wait of what completes here belongs to the task that is current now.
            let _ = self.complete_node_tasks(v, Mode::Attempt);
        }
    }

    /// Notes how many of the first tasks are done, so that nobody looks at them again.
    fn count_finished(&mut self, v: VId) {
        let n = self.n(v);
        let done = |t: &&TId| self.tasks[t.i()].state >= TaskState::Success;
        let more = n.open_tasks().iter().take_while(done).count();
        if more > 0 {
            self.nm(v).finished += more;
        }
    }

    fn run_subject(&mut self, t: TId, mode: Mode) -> R<()> {
        match self.tasks[t.i()].run {
            Run::Expr => self.task_expr(t, mode),
            Run::Resolver => self.task_resolver(t, mode),
            Run::Dynamic => self.task_dynamic(t, mode),
            Run::Pattern => self.task_pattern(t),
            Run::Comprehension => self.task_comprehension(t),
            Run::List => self.task_list(t, mode),
            Run::ListVertex => self.task_list_vertex(t),
            Run::Disjunctions => self.task_disjunctions(t),
        }
    }

    fn finish_task(&mut self, t: TId) -> R<()> {
        let errs = self.take_err();
        let v = self.tasks[t.i()].node;
        let mut i = 0;
        while let Some(d) = self.n(v).deferred.get(i).copied() {
            i += 1;
            self.complete_arcs_only(d)?;
            if let Some(e) = self.v[d.i()].base.err() {
                self.add_bottom(v, e);
            }
        }
        if self.tasks[t.i()].retry {
            self.tasks[t.i()].retry = false;
            self.tasks[t.i()].state = TaskState::Ready;
            return Ok(());
        }
        if self.tasks[t.i()].state != TaskState::Waiting {
            let err = self.combine(self.tasks[t.i()].err, errs);
            let task = &mut self.tasks[t.i()];
            task.blocked_on = VId::NONE;
            task.block_cond = Cond::NEVER;
            task.err = err;
            task.state = if err.is_some() {
                TaskState::Failed
            } else {
                TaskState::Success
            };
            let completes = std::mem::take(&mut task.completes);
            self.add_bottom(v, err);
            self.decrement(v, completes);
        }
        Ok(())
    }

    /// Runs tasks that copied conjuncts made possible.
    pub(crate) fn complete_node_tasks(&mut self, v: VId, mode: Mode) -> R<()> {
        if !self.has_state(v)
            || mode == Mode::Attempt && !self.n(v).initialized
            || self.n(v).completing
        {
            return Ok(());
        }
        self.nm(v).completing = true;
        let r = self.complete_node_tasks_inner(v, mode);
        if self.has_state(v) {
            self.nm(v).completing = false;
        }
        r
    }

    fn complete_node_tasks_inner(&mut self, v: VId, mode: Mode) -> R<()> {
        let x = self.vx(v);
        let (free, parent) = (x.dynamic() || x.label.is_let(), x.parent);
        if free || self.child_conjuncts_known(parent)? {
            self.signal(v, Cond::ANCESTORS);
        }
        if !self.all_tasks_started(v) {
            self.process(v, Cond::VALUE.or(Cond::FIELD_CONJUNCTS), mode)?;
            self.update_scalar(v);
        }
        Ok(())
    }

    /// Whether an expression is the literal `_|_`.
    pub(crate) fn is_literal_bottom(&self, x: super::program::XId) -> bool {
        match self.program.expr(x) {
            Expr::Val(v) => v.err().is_some_and(|e| self.code(e) == Code::Literal),
            _ => false,
        }
    }
}
