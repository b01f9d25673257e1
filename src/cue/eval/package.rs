//! Packages: loaded ones, the standard ones, and single expressions beside them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::context::{Evaluator, Group, Registers};
use super::error::{Bottom, MsgId};
use super::kind::{ArcType, Code};
use super::label::Label;
use super::library::{Item as LibItem, Library};
use super::lower::Surroundings;
use super::node::Node;
use super::program::{Expr, Program, XId};
use super::value::{Data, Val};
use super::vertex::{CloseInfo, Conjunct, Env, EnvId, Item, RefId, RefNode, Status, VId, Vertex};
use crate::syntax::names::Names;
use crate::syntax::parser::{Options, parse_expr};
use crate::syntax::source::{Pos, Sources};
use crate::syntax::tree::{self, DeclId, Tree};

/// A package of an evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PackageId(pub(crate) u32);

/// A package to be loaded. Packages it imports are loaded before it.
#[derive(Debug, Default)]
pub struct PackageSource {
    /// What hidden labels of the package carry: import path with version, `:name` outside a
    /// module, `_` for files without package clause.
    pub id: String,
    /// Its files, parsed with the names of the evaluator, in order of their names.
    pub files: Vec<Arc<Tree>>,
    /// Import paths as written in the files, and the packages they stand for. Standard packages
    /// are not among them.
    pub imports: Vec<(String, PackageId)>,
    /// Values given from outside for fields: index of the file, field, value.
    pub inject: Vec<(usize, DeclId, Val)>,
}

/// A loaded package.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) id: Arc<str>,
    pub(crate) root: VId,
    pub(crate) imports: FxHashMap<String, u32>,
}

impl Evaluator {
    /// An evaluator with nothing loaded.
    pub fn new(library: Arc<dyn Library>) -> Evaluator {
        let mut e = Evaluator {
            names: Names::new(),
            sources: Sources::new(),
            program: Program::new(),
            library,
            v: vec![Vertex::new(VId::NONE, Label::NONE, ArcType::Member)],
            envs: vec![Env {
                up: EnvId::NONE,
                vertex: VId::NONE,
                label: Label::NONE,
                run: 0,
            }],
            refs: vec![RefNode {
                expr: XId::NONE,
                arc: VId::NONE,
                node: VId::NONE,
                next: RefId::NONE,
                depth: 0,
            }],
            free_vertices: Vec::new(),
            discarded: Vec::new(),
            nodes: vec![Node::new(), Node::new()],
            free_nodes: Vec::new(),
            tasks: Vec::new(),
            free_tasks: Vec::new(),
            groups: vec![Group {
                parent: 0,
                pos: Pos::NONE,
            }],
            numbers: Vec::new(),
            number_index: FxHashMap::default(),
            bytes: Vec::new(),
            bounds: Vec::new(),
            conjs: Vec::new(),
            disjs: Vec::new(),
            validators: Vec::new(),
            funcs: Vec::new(),
            func_index: FxHashMap::default(),
            errors: Vec::new(),
            messages: Vec::new(),
            plain_disjunctions: FxHashMap::default(),
            regexps: FxHashMap::default(),
            lets: FxHashMap::default(),
            packages: Vec::new(),
            standard: FxHashMap::default(),
            snippets: FxHashMap::default(),
            let_count: 0,
            reg: Registers::default(),
            more_pos: Vec::new(),
            alt_path: Vec::new(),
            stack: Vec::new(),
            blocking: Vec::new(),
            next_run: 0,
            begun: 0,
            empty: VId::NONE,
            fills: Vec::new(),
            spent: super::limit::Spent::default(),
            unsettled: None,
            needed: None,
            came_back: false,
            attempted: VId::NONE,
            exact: 0,
            eager_optional: false,
            experiments: Vec::new(),
        };
        e.reserve();
        e
    }

    /// Makes the entries that fixed ids stand for.
    fn reserve(&mut self) {
        let none = |code| Bottom {
            code,
            messages: Vec::new(),
            node: VId::NONE,
            has_recursive: false,
            child_error: false,
            close_check: false,
            list: false,
        };
        let first = self.message_at(Pos::NONE, "no error", vec![]);
        debug_assert_eq!(first.i(), 0);
        self.push_error(none(Code::Eval));
        let m = self.message_at(Pos::NONE, "cycle error", vec![]);
        self.push_error(Bottom {
            messages: vec![m],
            ..none(Code::Cycle)
        });
        let m = self.message_at(Pos::NONE, "no sharing", vec![]);
        self.push_error(Bottom {
            messages: vec![m],
            ..none(Code::Eval)
        });
        let mut empty = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        empty.status = Status::Finalized;
        self.empty = self.new_vertex(empty);
    }

    /// Loads a package. The messages are errors of names and literals; then nothing is loaded.
    pub fn add_package(&mut self, source: PackageSource) -> Result<PackageId, Vec<MsgId>> {
        let mut around = Surroundings {
            id: source.id.as_str().into(),
            ..Surroundings::default()
        };
        around.imports = source
            .imports
            .iter()
            .map(|(path, p)| (path.clone(), p.0))
            .collect();
        for tree in &source.files {
            self.top_labels(tree, &source.id, &mut around.fields);
        }
        let mut root = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        let mut errors = Vec::new();
        for (i, tree) in source.files.iter().enumerate() {
            let mut inject: FxHashMap<DeclId, Vec<Val>> = FxHashMap::default();
            for (_, d, v) in source.inject.iter().filter(|(f, ..)| *f == i) {
                inject.entry(*d).or_default().push(*v);
            }
            let (x, mut errs) = self.lower_file(tree.clone(), &around, &inject);
            errors.append(&mut errs);
            let (env, info) = (EnvId::NONE, CloseInfo::default());
            root.conjuncts.push(Conjunct {
                item: Item::Expr(x),
                env,
                info,
            });
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let root = self.new_vertex(root);
        self.packages.push(Loaded {
            id: around.id,
            root,
            imports: around.imports,
        });
        Ok(PackageId(self.packages.len() as u32 - 1))
    }

    /// The value of a package.
    pub fn root(&self, p: PackageId) -> VId {
        self.packages[p.0 as usize].root
    }

    /// The id of a package, as its hidden labels carry it.
    pub fn package_id(&self, p: PackageId) -> &str {
        &self.packages[p.0 as usize].id
    }

    pub(crate) fn package_root(&mut self, p: u32) -> VId {
        self.packages[p as usize].root
    }

    /// The value of a standard package; 0 if there is none of that path.
    pub(crate) fn standard_package(&mut self, path: &str) -> VId {
        if let Some(v) = self.standard.get(path) {
            return *v;
        }
        let v = self.make_standard(path);
        self.standard.insert(path.to_owned(), v);
        v
    }

    fn make_standard(&mut self, path: &str) -> VId {
        let Some(p) = self.library.package(path) else {
            return VId::NONE;
        };
        let mut fields = Vec::with_capacity(p.items.len());
        for (name, item) in p.items {
            let value = match item {
                LibItem::Func(f) => {
                    let f = self.func_id(f);
                    self.data_scalar(Val::bare(Data::Func(f)))
                }
                LibItem::Const(text) => self.snippet(&format!("<builtin:{name}>"), text),
            };
            fields.push((self.string_label(name), value));
        }
        let s = self.made_struct(&fields, true);
        let mut items = vec![self.program.add_made(Expr::Struct(s), Pos::NONE)];
        if !p.source.is_empty() {
            items.push(self.snippet(p.path, p.source));
        }
        let mut v = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        let (env, info) = (EnvId::NONE, CloseInfo::default());
        v.conjuncts = items
            .into_iter()
            .map(|x| Conjunct {
                item: Item::Expr(x),
                env,
                info,
            })
            .collect();
        self.new_vertex(v)
    }

    /// An expression of the library itself, lowered once. Messages name places in it by the name;
    /// one without a name has no places.
    pub(crate) fn snippet(&mut self, name: &str, text: &'static str) -> XId {
        let key = (name.to_owned(), text);
        if let Some(x) = self.snippets.get(&key) {
            return *x;
        }
        let x = match self.parse_expr(name, text) {
            Some(tree) => {
                // Its hidden fields are its own.
                let around = Surroundings {
                    id: name.into(),
                    ..Surroundings::default()
                };
                self.lower_expr(tree, &around).0
            }
            None => XId::NONE,
        };
        if name.is_empty() {
            self.without_positions(x);
        }
        self.snippets.insert(key, x);
        x
    }

    /// Literals of the library have no place that messages could name.
    fn without_positions(&mut self, x: XId) {
        if let Expr::Val(v) = &mut self.program.exprs[x.i()] {
            v.pos = Pos::NONE;
        }
        self.program.expr_pos[x.i()] = Pos::NONE;
        if let Expr::Unary(_, y) = self.program.expr(x) {
            self.without_positions(y);
        }
    }

    fn parse_expr(&mut self, name: &str, text: &str) -> Option<Arc<Tree>> {
        let file = self.sources.add(name, text).ok()?;
        let parsed = parse_expr(&self.sources, file, &mut self.names, &Options::default());
        parsed.errors.is_empty().then(|| Arc::new(parsed.tree))
    }

    /// Evaluates an expression whose names are looked up in a package after all others. The
    /// messages are errors of names and literals.
    pub fn eval_in(&mut self, p: PackageId, tree: Arc<Tree>) -> Result<VId, Vec<MsgId>> {
        let root = self.root(p);
        let x = self.lower_in(p, root, tree)?;
        let env = self.new_env(EnvId::NONE, root);
        let mut v = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        v.conjuncts.push(Conjunct {
            item: Item::Expr(x),
            env,
            info: CloseInfo::default(),
        });
        Ok(self.new_vertex(v))
    }

    pub(crate) fn lower_in(
        &mut self,
        p: PackageId,
        root: VId,
        tree: Arc<Tree>,
    ) -> Result<XId, Vec<MsgId>> {
        let loaded = &self.packages[p.0 as usize];
        let imports = loaded.imports.clone();
        let around = Surroundings {
            id: loaded.id.clone(),
            imports,
            scope: Some(root),
            ..Surroundings::default()
        };
        // Names are looked up among the fields that are there.
        self.finalize(root);
        let (x, errors) = self.lower_expr(tree, &around);
        if errors.is_empty() {
            Ok(x)
        } else {
            Err(errors)
        }
    }

    /// Experiments of the file a position lies in.
    pub(crate) fn experiments_at(&self, pos: Pos) -> tree::Experiments {
        let Some(file) = self.sources.file_of(pos) else {
            return tree::Experiments::default();
        };
        self.experiments
            .get(file.0 as usize)
            .copied()
            .unwrap_or_default()
    }
}
