//! From syntax trees to the program: every name is resolved to a frame and a label here.

mod clause;
mod expr;
mod member;
mod names;
mod scope;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::context::Evaluator;
use super::error::{Arg, Message, MsgId};
use super::label::{self, Label};
use super::program::{Expr, Run, SId, Source, StructLit, XId};
use super::value::{Data, Val};
use super::vertex::VId;
use crate::syntax::source::Pos;
use crate::syntax::tree::{self, DeclId, ExprId, Tree};
use scope::{Frame, Step};

/// What the files of a package need to know of each other and of other packages.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    /// Id of the package, which hidden labels carry.
    pub(crate) id: Arc<str>,
    /// Import path as written to the index of the loaded package.
    pub(crate) imports: FxHashMap<String, u32>,
    /// Labels of top fields of all files.
    pub(crate) fields: FxHashSet<Label>,
    /// The value names are looked up in after all others, for single expressions.
    pub(crate) scope: Option<VId>,
}

pub(super) struct Lowerer<'a> {
    e: &'a mut Evaluator,
    tree: Arc<Tree>,
    index: u32,
    around: &'a Surroundings,
    inject: &'a FxHashMap<DeclId, Vec<Val>>,
    stack: Vec<Frame>,
    hidden: Vec<(usize, crate::syntax::names::Name)>,
    uses_loop: bool,
    in_try: u32,
    errors: Vec<MsgId>,
}

impl Evaluator {
    /// The labels of top fields of a file, as other files of the package see them.
    pub(crate) fn top_labels(&mut self, tree: &Tree, package: &str, out: &mut FxHashSet<Label>) {
        if tree.package().is_none() {
            return;
        }
        for d in tree.decl_list(tree.decls) {
            let tree::Decl::Field(f) = tree.decl(*d) else {
                continue;
            };
            let label = match tree.expr(f.label) {
                tree::Expr::Alias(a) => tree.expr(a.expr),
                x => x,
            };
            if let tree::Expr::Ident(name) = label {
                out.insert(label::identifier(&mut self.names, name, package));
            }
        }
    }

    /// Lowers a file to a struct literal. The messages are the errors of names and literals.
    pub(crate) fn lower_file(
        &mut self,
        tree: Arc<Tree>,
        around: &Surroundings,
        inject: &FxHashMap<DeclId, Vec<Val>>,
    ) -> (XId, Vec<MsgId>) {
        let mut l = Lowerer::new(self, tree.clone(), around, inject);
        l.stack.push(Frame::new(0));
        l.declare_imports();
        let decls = tree.decl_list(tree.decls).to_vec();
        let pos = decls.first().map_or(Pos::NONE, |d| tree.decl_pos(*d));
        let (s, _) = l.members(&decls, pos, true);
        l.pop();
        let x = l.e.program.add_made(Expr::Struct(s), pos);
        l.e.program.files.push((s, l.index));
        (x, l.errors)
    }

    /// Lowers a document of data, which no name of a program is seen from.
    pub(crate) fn lower_document(&mut self, tree: Arc<Tree>) -> (XId, Vec<MsgId>) {
        self.lower_expr(tree, &Surroundings::default())
    }

    /// Lowers a single expression.
    pub(crate) fn lower_expr(
        &mut self,
        tree: Arc<Tree>,
        around: &Surroundings,
    ) -> (XId, Vec<MsgId>) {
        let Some(root) = tree.root else {
            return (XId::NONE, Vec::new());
        };
        let inject = FxHashMap::default();
        let mut l = Lowerer::new(self, tree.clone(), around, &inject);
        if tree.imports().next().is_some() {
            l.stack.push(Frame::new(0));
            l.declare_imports();
        }
        let x = l.expr(root);
        (x, l.errors)
    }
}

impl<'a> Lowerer<'a> {
    fn new(
        e: &'a mut Evaluator,
        tree: Arc<Tree>,
        around: &'a Surroundings,
        inject: &'a FxHashMap<DeclId, Vec<Val>>,
    ) -> Lowerer<'a> {
        if let Some(file) = tree.file {
            let i = file.0 as usize;
            if e.experiments.len() <= i {
                e.experiments.resize(i + 1, tree::Experiments::default());
            }
            e.experiments[i] = tree.experiments;
        }
        let index = e.program.trees.len() as u32;
        e.program.trees.push(Source {
            tree: tree.clone(),
            package: around.id.clone(),
        });
        Lowerer {
            e,
            tree,
            index,
            around,
            inject,
            stack: Vec::new(),
            hidden: Vec::new(),
            uses_loop: false,
            in_try: 0,
            errors: Vec::new(),
        }
    }

    fn add(&mut self, x: Expr, pos: Pos, node: ExprId) -> XId {
        self.e.program.add(x, pos, Some((self.index, node)))
    }

    fn val(&mut self, data: Data, node: ExprId) -> XId {
        let pos = self.tree.pos(node);
        self.add(Expr::Val(Val::new(data, pos)), pos, node)
    }

    /// Records an error; the expression that stands for what could not be lowered.
    fn fail(&mut self, pos: Pos, template: &'static str, args: Vec<Arg>) -> XId {
        let path = self.path();
        let m = Message {
            template,
            args,
            pos,
            more: Vec::new(),
            path,
            no_path: false,
            cause: Vec::new(),
        };
        let m = self.e.push_message(m);
        self.errors.push(m);
        let e = self.e.error_at(super::kind::Code::Eval, m, VId::NONE);
        let val = Val::new(Data::Err(e), pos);
        self.e.program.add_made(Expr::Val(val), pos)
    }

    fn path(&mut self) -> Vec<Label> {
        let steps: SmallVec<[Step; 8]> = self.stack.iter().filter_map(|f| f.label).collect();
        let step = |step| {
            let text = match step {
                Step::Label(x) => self.label_text(x),
                Step::Words(text) => text.to_owned(),
            };
            label::verbatim(self.e.names.intern(&text))
        };
        steps.into_iter().map(step).collect()
    }

    fn quoted(&self, name: crate::syntax::names::Name) -> Arg {
        Arg::Text(format!("{:?}", self.e.names.get(name)).into())
    }

    fn pop(&mut self) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        let mut unused: Vec<_> = frame.aliases.iter().filter(|(_, a)| !a.used).collect();
        unused.sort_by_key(|(_, a)| a.pos);
        for (name, a) in unused {
            let name = Arg::Text(self.e.names.get(*name).into());
            self.fail(a.pos, "unreferenced alias or let clause {}", vec![name]);
        }
    }

    /// Lowers the members of a struct or file, whose scope is on top of the stack.
    fn members(&mut self, decls: &[DeclId], pos: Pos, is_file: bool) -> (SId, bool) {
        let mut names = false;
        for d in decls {
            names |= self.declare(*d);
        }
        if names {
            for d in decls {
                self.mark_alias(*d);
            }
            for d in decls {
                self.dynamic_alias(*d);
            }
        }
        let mut out = Vec::with_capacity(decls.len());
        let mut embeds = false;
        for d in decls {
            if let Some((d, embed)) = self.member(*d) {
                out.push(d);
                embeds |= embed;
            }
        }
        let lit = StructLit {
            is_file,
            embeds,
            names,
            ..StructLit::of_fields(Run::default(), pos)
        };
        let s = self.e.program.add_struct(&out, lit);
        (s, embeds)
    }
}
