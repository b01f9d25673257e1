//! Values printed without what surrounds them: what they refer to outside is written in their
//! place, or
//! follows as a `let`.

use super::build::doc_group;
use super::printer::Printer;
use crate::eval::label::{self, Label, LabelKind};
use crate::eval::program::{CId, Clause, Decl, Elem, Expr, XId};
use crate::eval::vertex::{EnvId, VId};
use crate::syntax::literal::quote_string;
use crate::syntax::source::Rel;
use crate::syntax::tree::{self, Constraint, ExprId, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something outside that the printed value refers to, or a part of the value itself.
#[derive(Clone, Debug, Default)]
struct Target {
    node: VId,
    /// The topmost of the targets it lies in.
    parent: Option<usize>,
    /// The name it is imported by, if it is a package.
    import: Option<String>,
    /// The name of its let.
    name: Option<String>,
    /// Whether the let holds it as a definition.
    definition: bool,
    uses: usize,
    /// Lies in the printed value.
    included: bool,
    needed: bool,
    exported: bool,
}

/// All targets of one printed value.
#[derive(Clone, Debug, Default)]
pub(super) struct Pivot {
    /// The package of the printed value.
    package: VId,
    targets: Vec<Target>,
    by_node: FxHashMap<VId, usize>,
    /// Targets in the order they were found.
    found: Vec<usize>,
    by_reference: FxHashMap<XId, usize>,
    inlining: FxHashSet<VId>,
    exporting: Option<usize>,
}

impl Pivot {
    fn root_of(&self, i: usize) -> usize {
        let mut i = i;
        while let Some(parent) = self.targets[i].parent {
            i = parent;
        }
        i
    }
}

impl Printer<'_> {
    /// Looks for references to outside, if the value is not the root of its package.
    pub(super) fn start(&mut self, v: VId) {
        let leads_out = self.ev.parent(v).is_some() && self.profile.contained;
        if !leads_out && !self.profile.inline {
            return;
        }
        let mut pivot = Pivot {
            package: self.root_of(v),
            ..Pivot::default()
        };
        let mut seen = FxHashSet::default();
        self.visit(v, &mut pivot, &mut seen);
        self.include(v, &mut pivot);
        let nodes: Vec<VId> = pivot.targets.iter().map(|t| t.node).collect();
        for (i, node) in nodes.iter().enumerate() {
            let mut up = self.ev.parent(*node);
            while let Some(p) = up {
                if let Some(t) = pivot.by_node.get(&p) {
                    pivot.targets[i].parent = Some(*t);
                }
                up = self.ev.parent(p);
            }
        }
        for i in 0..nodes.len() {
            if pivot.targets[i].parent.is_some() {
                let root = pivot.root_of(i);
                pivot.targets[i].parent = Some(root);
                pivot.targets[root].uses += 1;
            }
        }
        self.note_root();
        for node in &nodes {
            self.note_names(*node);
        }
        for i in pivot.found.clone() {
            let t = &pivot.targets[i];
            if t.parent.is_none() && !t.included {
                let (name, definition) = self.let_name(t.node, t.import.clone());
                pivot.targets[i].name = name;
                pivot.targets[i].definition = definition;
            }
        }
        self.pivot = Some(pivot);
    }

    fn let_name(&mut self, v: VId, import: Option<String>) -> (Option<String>, bool) {
        let last = self.ev.path(v).last().copied();
        let name = match (last, import) {
            (None, None) => return (None, false),
            (None, Some(name)) => name.to_uppercase(),
            (Some(last), _) => {
                let text = label::text(&self.ev.names, last);
                match last.kind() {
                    LabelKind::Int => format!("Index{text}"),
                    _ => text.trim_start_matches(['_', '#']).to_uppercase(),
                }
            }
        };
        (Some(self.unique(&name)), self.ev.vx(v).closed_recursive())
    }

    fn include(&mut self, v: VId, pivot: &mut Pivot) {
        let mut work = vec![v];
        while let Some(v) = work.pop() {
            let i = *pivot.by_node.entry(v).or_insert_with(|| {
                pivot.targets.push(Target {
                    node: v,
                    ..Target::default()
                });
                pivot.targets.len() - 1
            });
            if std::mem::replace(&mut pivot.targets[i].included, true) {
                continue;
            }
            work.extend(self.ev.vx(v).arcs.iter().rev());
        }
    }

    /// References in everything a vertex was made of.
    fn visit(&mut self, v: VId, pivot: &mut Pivot, seen: &mut FxHashSet<(EnvId, XId)>) {
        for c in self.ev.vx(v).conjuncts.clone() {
            let x = self.ev.conjunct_expr(&c);
            if x.is_some() {
                self.visit_expr(v, c.env, x, pivot, seen);
            }
        }
    }

    fn visit_expr(
        &mut self,
        at: VId,
        env: EnvId,
        x: XId,
        pivot: &mut Pivot,
        seen: &mut FxHashSet<(EnvId, XId)>,
    ) {
        if !x.is_some() {
            return;
        }
        self.nested(|p| p.visit_inner(at, env, x, pivot, seen));
    }

    fn visit_inner(
        &mut self,
        at: VId,
        env: EnvId,
        x: XId,
        pivot: &mut Pivot,
        seen: &mut FxHashSet<(EnvId, XId)>,
    ) {
        let mut children: Vec<XId> = Vec::new();
        match self.ev.program.expr(x) {
            Expr::Val(_) => {}
            Expr::Struct(s) => {
                let inner = self.inner_env(env);
                for d in self.ev.program.struct_decls(s).to_vec() {
                    match self.ev.program.decl(d) {
                        Decl::Field { value, .. } | Decl::Embed(value) => {
                            self.visit_expr(at, inner, value, pivot, seen);
                        }
                        Decl::Pattern {
                            filter: key, value, ..
                        }
                        | Decl::Dynamic { key, value, .. } => {
                            self.visit_expr(at, inner, key, pivot, seen);
                            self.visit_expr(at, inner, value, pivot, seen);
                        }
                        Decl::Comprehension(c) => self.visit_loop(at, inner, c, pivot, seen),
                        Decl::Let { .. } | Decl::Ellipsis => {}
                    }
                }
            }
            Expr::List(run) => {
                let inner = self.inner_env(env);
                for e in self.ev.program.elem_list(run).to_vec() {
                    match e {
                        Elem::Expr(x) | Elem::Ellipsis(x, _) => {
                            self.visit_expr(at, inner, x, pivot, seen);
                        }
                        Elem::Comprehension(c) => self.visit_loop(at, inner, c, pivot, seen),
                    }
                }
            }
            Expr::LabelRef { .. } => self.visit_reference(at, env, x, pivot, seen),
            _ if self.ev.is_reference(x) => self.visit_reference(at, env, x, pivot, seen),
            _ => self.ev.program.push_operands(x, &mut children),
        }
        for child in children {
            self.visit_expr(at, env, child, pivot, seen);
        }
    }

    /// A frame whose names resolve to nothing.
    fn inner_env(&mut self, env: EnvId) -> EnvId {
        let empty = self.ev.empty;
        self.ev.new_env(env, empty)
    }

    fn visit_loop(
        &mut self,
        at: VId,
        env: EnvId,
        c: CId,
        pivot: &mut Pivot,
        seen: &mut FxHashSet<(EnvId, XId)>,
    ) {
        let c = self.ev.program.comprehension(c);
        let (outer, mut env) = (env, env);
        for clause in self.ev.program.clause_list(c.clauses).to_vec() {
            match clause {
                Clause::For { source, .. } => {
                    self.visit_expr(at, env, source, pivot, seen);
                    env = self.inner_env(env);
                }
                Clause::If { cond, .. } => self.visit_expr(at, env, cond, pivot, seen),
                Clause::Let { value, .. } => {
                    self.visit_expr(at, env, value, pivot, seen);
                    env = self.inner_env(env);
                }
                Clause::Try { value, .. } if value.is_some() => {
                    self.visit_expr(at, env, value, pivot, seen);
                    env = self.inner_env(env);
                }
                Clause::Try { .. } => {}
            }
        }
        self.visit_expr(at, env, c.body, pivot, seen);
        self.visit_expr(at, outer, c.orelse, pivot, seen);
    }

    fn visit_reference(
        &mut self,
        at: VId,
        env: EnvId,
        x: XId,
        pivot: &mut Pivot,
        seen: &mut FxHashSet<(EnvId, XId)>,
    ) {
        if !seen.insert((env, x)) {
            return;
        }
        if let Expr::Let { label, .. } = self.ev.program.expr(x) {
            if let Some((env, value)) = self.let_source(env, label) {
                self.visit_expr(at, env, value, pivot, seen);
            }
            return;
        }
        let Some(node) = self.ev.target(env, x, self.profile.inline) else {
            match self.ev.program.expr(x) {
                Expr::Selector { x, .. } => self.visit_expr(at, env, x, pivot, seen),
                Expr::Index { x, index, .. } => {
                    self.visit_expr(at, env, x, pivot, seen);
                    self.visit_expr(at, env, index, pivot, seen);
                }
                _ => {}
            }
            return;
        };
        if node == at || pivot.by_reference.contains_key(&x) {
            return;
        }
        let known = pivot.by_node.get(&node).copied();
        let i = known.unwrap_or_else(|| {
            pivot.targets.push(Target {
                node,
                import: self.imported_name(x),
                ..Target::default()
            });
            let i = pivot.targets.len() - 1;
            pivot.by_node.insert(node, i);
            pivot.found.push(i);
            i
        });
        pivot.targets[i].uses += 1;
        pivot.by_reference.insert(x, i);
        if known.is_none() {
            self.visit(node, pivot, seen);
        }
    }

    fn imported_name(&self, x: XId) -> Option<String> {
        match self.ev.program.expr(x) {
            Expr::Import(i, label) => Some(self.name_of_import(i, label)),
            _ => None,
        }
    }

    fn let_source(&self, env: EnvId, label: Label) -> Option<(EnvId, XId)> {
        let mut frame = env;
        while frame.is_some() {
            let owner = self.ev.envs[frame.i()].vertex;
            if let Some(arc) = self.ev.arc_raw(owner, label) {
                let c = self.ev.vx(arc).conjuncts.first()?;
                return Some((c.env, self.ev.conjunct_expr(c)));
            }
            frame = self.ev.envs[frame.i()].up;
        }
        None
    }

    /// What stands for a reference to outside; none where it can stay as it is.
    pub(super) fn pivoted(&mut self, _env: EnvId, x: XId) -> Option<ExprId> {
        let pivot = self.pivot.as_ref()?;
        let i = *pivot.by_reference.get(&x)?;
        let target = &pivot.targets[i];
        let node = target.node;
        let uses = pivot.targets[pivot.root_of(i)].uses;
        let value = self.ev.deref(node);
        let closed = self.ev.vx(node).closed_recursive();
        let concrete = self.ev.is_concrete(self.ev.value(value));
        let stays = target.included
            || (self.in_definition == 0 && closed)
            || uses == 0
            || self.ev.is_err(node)
            || (!concrete && self.in_expression > 0)
            || pivot.inlining.contains(&node);
        let scalar = concrete && self.ev.vx(value).arcs.is_empty();
        if !stays && ((uses == 1 && self.in_expression == 0) || scalar) {
            self.pivot.as_mut()?.inlining.insert(node);
            let out = self.merged_vertex(node);
            self.pivot.as_mut()?.inlining.remove(&node);
            return Some(out);
        }
        let out = self.alternative(i, x)?;
        self.pivot.as_mut()?.targets[i].needed = true;
        let pivot = self.pivot.as_mut()?;
        let root = pivot.root_of(i);
        pivot.targets[root].needed = true;
        Some(out)
    }

    /// A reference to a target through the name of its let, or relative to the printed value.
    fn alternative(&mut self, i: usize, x: XId) -> Option<ExprId> {
        let pivot = self.pivot.as_ref()?;
        let target = pivot.targets[i].clone();
        let hash = |t: &Target| -> Vec<String> {
            let mut out: Vec<String> = t.name.iter().cloned().collect();
            if t.name.is_some() && t.definition {
                out.push("#x".into());
            }
            out
        };
        if pivot.exporting == Some(i) && target.parent.is_none() && target.definition {
            return Some(self.ident("#x"));
        }
        let mut head = hash(&target);
        let mut rest: Vec<Label> = Vec::new();
        if let Some(parent) = target.parent {
            let parent = pivot.targets[parent].clone();
            let (length, package) = self.reference_length(x);
            let path = self.ev.path(target.node);
            let steps = path.len() - self.ev.path(parent.node).len();
            let too_far = if target.included {
                steps > length
            } else {
                !package && steps >= length
            };
            if too_far {
                return None;
            }
            head = hash(&parent);
            rest = path[path.len() - steps..].to_vec();
        }
        // An element has no name to begin with.
        if head.is_empty() && rest.first().is_none_or(|l| l.is_int()) {
            head.push("ROOT".into());
        }
        let mut out: Option<ExprId> = None;
        for name in &head {
            let sel = self.ident(name);
            out = Some(match out {
                None => sel,
                Some(x) => self.out.expr(tree::Expr::Selector(x, sel)),
            });
        }
        for l in rest {
            let sel = self.label(l);
            out = Some(match out {
                None => sel,
                Some(x) if l.is_int() => self.out.index(x, sel),
                Some(x) => self.out.expr(tree::Expr::Selector(x, sel)),
            });
        }
        out
    }

    /// How many labels a reference names, and whether it starts at a package.
    fn reference_length(&self, x: XId) -> (usize, bool) {
        let (mut x, mut length) = (x, 0);
        loop {
            match self.ev.program.expr(x) {
                Expr::Import(..) => return (length, true),
                Expr::Selector { x: inner, .. } | Expr::Index { x: inner, .. } => {
                    length += 1;
                    x = inner;
                }
                Expr::Field { .. }
                | Expr::DynamicRef { .. }
                | Expr::Let { .. }
                | Expr::ValueRef { .. } => {
                    return (length + 1, false);
                }
                _ => return (length, false),
            }
        }
    }

    /// The lets of what references still name.
    pub(super) fn complete_pivot(&mut self) {
        loop {
            let Some(pivot) = self.pivot.as_mut() else {
                return;
            };
            let next = pivot.found.iter().copied().find(|i| {
                let t = &pivot.targets[*i];
                !t.exported && t.name.is_some() && t.needed
            });
            let Some(i) = next else {
                return;
            };
            pivot.targets[i].exported = true;
            let saved = pivot.exporting.replace(i);
            let target = pivot.targets[i].clone();
            self.external(&target);
            if let Some(pivot) = self.pivot.as_mut() {
                pivot.exporting = saved;
            }
        }
    }

    fn root_of(&self, v: VId) -> VId {
        let mut root = v;
        while let Some(above) = self.ev.parent(root) {
            root = above;
        }
        root
    }

    /// The quoted import path of the package that something lies in, if it is another one.
    fn package_of(&self, v: VId) -> Option<String> {
        let root = self.root_of(v);
        if self.pivot.as_ref().is_some_and(|p| p.package == root) {
            return None;
        }
        let package = self.ev.packages.iter().find(|p| p.root == root)?;
        (*package.id != *self.profile.package).then(|| quote_string(bare_path(&package.id)))
    }

    fn external(&mut self, target: &Target) {
        let mut value = self.merged_vertex(target.node);
        if target.definition {
            let name = self.ident("#x");
            let attrs = self.out.attrs(&[]);
            let field = self.out.field(name, Constraint::None, value, attrs);
            value = self.out.structure(&[field]);
        }
        let path: Vec<String> = self
            .ev
            .path(target.node)
            .into_iter()
            .map(|l| self.ev.label_text(l))
            .collect();
        let package = self.package_of(target.node);
        let name = target.name.clone().unwrap_or_default();
        let clause = self
            .out
            .let_clause(&mut self.ev.names, &name, value, Rel::NewSection);
        let path: Vec<String> = package.into_iter().chain(path).collect();
        let line = format!("//cue:path: {}", path.join("."));
        self.out
            .comment(NodeId::Decl(clause), &[line], Rel::NewSection, doc_group());
        self.tail.push(clause);
    }
}

/// The import path of a package without the major version of its module.
pub(super) fn bare_path(id: &str) -> &str {
    id.split('@').next().unwrap_or(id)
}
