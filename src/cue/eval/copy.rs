//! Copies of a subtree under evaluation, one per disjunct that is tried.

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use super::context::Evaluator;
use super::library::R;
use super::node::{Cond, Run, TaskState, VertexMap};
use super::value::{Data, Val};
use super::vertex::{Conjunct, EnvId, Item, NId, VId};

/// A copy in progress: which vertex and frame became which.
struct Copying {
    vertices: Box<VertexMap>,
    /// Frames; nothing if only one is asked for.
    envs: Option<FxHashMap<EnvId, EnvId>>,
}

impl Evaluator {
    /// Copies a vertex, its fields and their working state; names in the copy see the copy.
    pub(crate) fn copy_subtree(&mut self, v: VId) -> R<VId> {
        let mut vertices = self.n(v).vertex_map.clone().unwrap_or_default();
        vertices.reserve(2 * self.vx(v).arcs.len());
        let mut list = Vec::new();
        let root = self.copy_vertex(v, &mut vertices, &mut list)?;
        let pairs: Vec<(VId, VId)> = vertices.iter().map(|(a, b)| (*a, *b)).collect();
        for (from, to) in pairs {
            // Earlier copies of the same original lead to the newest one.
            if let Some(next) = vertices.get(&to).copied() {
                vertices.insert(from, next);
            }
        }
        let mut copying = Copying {
            vertices,
            envs: Some(FxHashMap::with_capacity_and_hasher(24, FxBuildHasher)),
        };
        for (from, to) in &list {
            self.relink(*from, *to, &mut copying);
        }
        self.vm(root).set_is_disjunct(true);
        self.looked(v, copying.vertices.len());
        self.nm(root).vertex_map = Some(copying.vertices);
        Ok(root)
    }

    fn copy_vertex(&mut self, v: VId, map: &mut VertexMap, list: &mut Vec<(VId, VId)>) -> R<VId> {
        self.looked(v, list.len() / 16);
        if let Some(w) = map.get(&v)
            && list.iter().any(|(a, _)| *a == v)
        {
            return Ok(*w);
        }
        if self.has_state(v) {
            self.state(v)?;
        }
        let mut x = self.vx(v).clone();
        x.underlying = if x.underlying.is_some() {
            x.underlying
        } else {
            v
        };
        let state = x.state;
        x.state = NId::NONE;
        let arcs = std::mem::take(&mut x.arcs);
        x.set_index(None);
        let patterns = x.take_patterns();
        let w = self.new_vertex(x);
        self.spend(v, 4);
        map.insert(v, w);
        list.push((v, w));
        if state.is_some() {
            self.vm(w).state = self.copy_node(v);
        }
        for a in arcs {
            let b = self.nested(|e| e.copy_vertex(a, map, list))?;
            self.vm(b).parent = w;
            self.push_arc(w, b);
        }
        for mut p in patterns {
            p.constraint = self.copy_vertex(p.constraint, map, list)?;
            self.vm(w).patterns_mut().push(p);
        }
        Ok(w)
    }

    /// The working state of a copy: what is known, without the tasks and what waits for them.
    fn copy_node(&mut self, v: VId) -> NId {
        self.begun += 1;
        let id = self.new_node();
        let mut node = std::mem::take(&mut self.nodes[id.i()]);
        node.copy_known(self.n(v));
        node.is_disjunct = true;
        node.has_disjunction = false;
        node.frozen = Cond::NONE;
        self.looked(v, node.known_len());
        self.nodes[id.i()] = node;
        id
    }

    /// Makes conjuncts, tasks and shared targets of a copy refer to the copy.
    fn relink(&mut self, v: VId, w: VId, c: &mut Copying) {
        let mut conjuncts = std::mem::take(&mut self.vm(w).conjuncts);
        for x in &mut conjuncts {
            *x = self.relink_conjunct(*x, c);
        }
        self.vm(w).conjuncts = conjuncts;
        if let Data::Vertex(t) = self.vx(w).base.data
            && let Some(t) = c.vertices.get(&t)
        {
            self.vm(w).base.data = Data::Vertex(*t);
        }
        if !self.has_state(w) {
            return;
        }
        let mut node = std::mem::take(self.nm(w));
        for x in &mut node.checks {
            *x = self.relink_conjunct(*x, c);
        }
        for d in &mut node.disjunctions {
            d.env = self.relink_env(d.env, c);
        }
        if let Some(x) = &mut node.share_conjunct {
            *x = self.relink_conjunct(*x, c);
        }
        for a in &mut node.arc_map {
            *a = c.vertices.get(a).copied().unwrap_or(*a);
        }
        *self.nm(w) = node;
        self.copy_tasks(v, w, c);
    }

    fn copy_tasks(&mut self, v: VId, w: VId, c: &mut Copying) {
        for t in self.n(v).tasks.clone() {
            let task = self.tasks[t.i()];
            let copied = match task.state {
                TaskState::Waiting | TaskState::Ready => true,
                TaskState::Running => task.run != Run::Disjunctions,
                _ => false,
            };
            if !copied {
                continue;
            }
            self.tasks[t.i()].defunct = true;
            let mut task = super::node::Task {
                node: w,
                defunct: false,
                inserting: false,
                retry: false,
                on_stack: 0,
                ..task
            };
            task.env = self.relink_env(task.env, c);
            if task.state == TaskState::Running {
                task.state = TaskState::Ready;
            }
            // What waits for something outside of the copy is not run for the sake of the copy.
            let inside = c.vertices.get(&task.blocked_on).copied();
            if task.blocked_on.is_some()
                && let Some(w) = inside
            {
                task.blocked_on = w;
            }
            let on = task.blocked_on;
            let cond = task.block_cond;
            let waiting = task.state == TaskState::Waiting
                && on.is_some()
                && inside.is_some()
                && self.has_state(on);
            let id = self.new_task(task);
            self.nm(w).tasks.push(id);
            if waiting {
                let n = self.nm(on);
                n.blocking.push(id);
                n.needs = n.needs.or(cond);
                self.blocking.push(id);
            }
        }
    }

    fn relink_conjunct(&mut self, mut x: Conjunct, c: &mut Copying) -> Conjunct {
        x.env = self.relink_env(x.env, c);
        if let Item::Val(Val {
            data: Data::Vertex(v),
            pos,
        }) = x.item
            && let Some(w) = c.vertices.get(&v)
        {
            x.item = Item::Val(Val::new(Data::Vertex(*w), pos));
        }
        x
    }

    fn relink_env(&mut self, env: EnvId, c: &mut Copying) -> EnvId {
        if !env.is_some() {
            return env;
        }
        let known = |c: &Copying, e: &EnvId| c.envs.as_ref().and_then(|envs| envs.get(e).copied());
        if let Some(e) = known(c, &env) {
            return e;
        }
        let mut chain: SmallVec<[EnvId; 8]> = smallvec![env];
        let mut up = self.envs[env.i()].up;
        let mut new_up = EnvId::NONE;
        while up.is_some() {
            if let Some(known) = known(c, &up) {
                new_up = known;
                break;
            }
            chain.push(up);
            up = self.envs[up.i()].up;
        }
        for e in chain.into_iter().rev() {
            let old = self.envs[e.i()];
            let vertex = c.vertices.get(&old.vertex).copied().unwrap_or(old.vertex);
            let new = if new_up == old.up && vertex == old.vertex {
                e
            } else {
                self.push_env(super::vertex::Env {
                    up: new_up,
                    vertex,
                    ..old
                })
            };
            if let Some(envs) = &mut c.envs {
                envs.insert(e, new);
            }
            new_up = new;
        }
        new_up
    }

    /// A frame as the copy of a vertex sees it.
    pub(crate) fn env_in_copy(&mut self, env: EnvId, copy: VId) -> EnvId {
        let Some(vertices) = self.nm(copy).vertex_map.take() else {
            return env;
        };
        let mut c = Copying {
            vertices,
            envs: None,
        };
        let env = self.relink_env(env, &mut c);
        self.nm(copy).vertex_map = Some(c.vertices);
        env
    }
}
