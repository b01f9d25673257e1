//! The tree of one file: nodes in flat tables, children by number, so that deep input never
//! recurses when a tree is dropped.
//!
//! Labels, values and list elements are all expressions. Positions carry the white space before
//! their token, which is what the formatter works from; comments live in a side table by node.

mod nest;
mod node;

use std::collections::HashMap;
use std::sync::Arc;

pub use node::{
    Alias, Attribute, Clause, Comment, CommentGroup, Constraint, Decl, Else, ElseKind, Expr, Field,
    FieldExtra, Ident, Import, ImportSpec, ListCommas, LitKind, Op, PostfixAlias,
};

use super::source::{FileId, Pos};

/// An expression of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// A declaration of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DeclId(pub u32);

/// An attribute of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AttrId(pub u32);

/// A clause of a comprehension of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClauseId(pub u32);

/// A specification of one import of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SpecId(pub u32);

/// What comments can hang on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NodeId {
    /// The file as a whole.
    File,
    /// An expression.
    Expr(ExprId),
    /// A declaration.
    Decl(DeclId),
    /// A clause of a comprehension.
    Clause(ClauseId),
    /// One import.
    Spec(SpecId),
    /// An attribute.
    Attr(AttrId),
}

/// A run of children in one of the side tables of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// Index of the first child in the table.
    pub start: u32,
    /// Number of children.
    pub len: u32,
}

impl Run {
    /// No children.
    pub const EMPTY: Run = Run { start: 0, len: 0 };

    /// Whether there are no children.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// Children that are expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exprs(pub Run);

/// Children that are declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decls(pub Run);

/// Children that are attributes; they lie side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Attrs(pub Run);

/// The arguments of a call, in the table of expressions behind their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Args(u32);

/// The clauses of a comprehension, in the table of clauses behind their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clauses(u32);

/// Where a slice begins and ends, in a table of such pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends(u32);

/// Children that are import specifications; they lie side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Specs(pub Run);

/// A piece of the source text, or of the text a made-up tree holds itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// Byte offset; beyond the source it counts in the tree's own text.
    pub start: u32,
    /// Length in bytes.
    pub len: u32,
}

/// Experiments a file switched on with `@experiment(...)` before its package clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Experiments {
    /// `aliasv2`: postfix aliases and `self`; old aliases are refused.
    pub aliasv2: bool,
    /// `explicitopen`: `x...` opens, embeddings do not.
    pub explicitopen: bool,
    /// `try`: `try` clauses, `?` references, `else` and `fallback`.
    pub try_: bool,
    /// `shortcircuit`: `&&` and `||` do not evaluate a right side they do not need.
    pub shortcircuit: bool,
    /// `structcmp`: comparison of structs; always on from language v0.15.
    pub structcmp: bool,
    /// `testing`: test attributes.
    pub testing: bool,
}

/// The tree of one file or one expression.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The file this was parsed from; meaningless in made-up trees.
    pub file: Option<FileId>,
    /// Global place of the first byte of the source.
    pub base: u32,
    /// The source text; empty in made-up trees.
    pub source: Arc<String>,
    /// Text that is not in the source.
    pub own: String,
    /// The declarations of the file in order, package clause and imports included.
    pub decls: Decls,
    /// The root if this is a single expression.
    pub root: Option<ExprId>,
    /// Experiments of the file.
    pub experiments: Experiments,
    /// Language version of the file's module as minor number (`v0.17.x` is 17).
    pub minor: u16,

    pub(crate) exprs: Vec<Expr>,
    pub(crate) expr_pos: Vec<Pos>,
    pub(crate) decl_nodes: Vec<Decl>,
    pub(crate) extras: Vec<FieldExtra>,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) clause_lists: Vec<ClauseId>,
    pub(crate) ends: Vec<[Option<ExprId>; 2]>,
    pub(crate) specs: Vec<ImportSpec>,
    pub(crate) elses: Vec<Else>,
    pub(crate) expr_lists: Vec<ExprId>,
    pub(crate) decl_lists: Vec<DeclId>,
    pub(crate) comments: HashMap<NodeId, Vec<CommentGroup>>,
}

impl Tree {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.0 as usize]
    }

    /// Where an expression's own first token stands. For binary, selector, index, slice, call and
    /// postfix expressions that is the start of the left operand; for a struct without braces the
    /// start of its first declaration.
    pub fn pos(&self, id: ExprId) -> Pos {
        self.expr_pos[id.0 as usize]
    }

    /// Number of expressions; ids count from zero.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// A declaration.
    pub fn decl(&self, id: DeclId) -> Decl {
        self.decl_nodes[id.0 as usize]
    }

    /// Number of declarations; ids count from zero.
    pub fn decl_count(&self) -> usize {
        self.decl_nodes.len()
    }

    /// All declarations, in the order in which they were read to their end.
    pub fn all_decls(&self) -> impl Iterator<Item = (DeclId, Decl)> + '_ {
        let decls = self.decl_nodes.iter();
        decls.enumerate().map(|(i, d)| (DeclId(i as u32), *d))
    }

    /// Where a declaration starts.
    pub fn decl_pos(&self, id: DeclId) -> Pos {
        match self.decl(id) {
            Decl::Field(f) => self.pos(f.label),
            Decl::Let { let_pos, .. } => let_pos,
            Decl::Embed(e) | Decl::Comprehension(e) => self.pos(e),
            Decl::Ellipsis { pos, .. } | Decl::Bad { pos } | Decl::Package { pos, .. } => pos,
            Decl::Attribute(a) => self.attr(a).pos,
            Decl::Import(i) => i.pos,
        }
    }

    /// An attribute.
    pub fn attr(&self, id: AttrId) -> Attribute {
        self.attrs[id.0 as usize]
    }

    /// A clause.
    pub fn clause(&self, id: ClauseId) -> Clause {
        self.clauses[id.0 as usize]
    }

    /// An import specification.
    pub fn spec(&self, id: SpecId) -> ImportSpec {
        self.specs[id.0 as usize]
    }

    /// Rare parts of a field: its postfix alias and its attributes.
    pub fn extra(&self, field: &Field) -> FieldExtra {
        match field.extra.checked_sub(1) {
            None => FieldExtra::default(),
            Some(i) => self.extras[i as usize],
        }
    }

    /// The `else`, `otherwise` or `fallback` part of a comprehension.
    pub fn else_part(&self, index: Option<std::num::NonZeroU32>) -> Option<Else> {
        index.map(|i| self.elses[i.get() as usize - 1])
    }

    /// Expressions of a run.
    pub fn list(&self, run: Exprs) -> &[ExprId] {
        &self.expr_lists[run.0.range()]
    }

    /// The arguments of a call.
    pub fn args(&self, args: Args) -> &[ExprId] {
        let at = args.0 as usize;
        &self.expr_lists[at + 1..][..self.expr_lists[at].0 as usize]
    }

    pub(crate) fn push_args(&mut self, args: &[ExprId]) -> Args {
        let at = self.expr_lists.len() as u32;
        self.expr_lists.push(ExprId(args.len() as u32));
        self.expr_lists.extend_from_slice(args);
        Args(at)
    }

    /// The index of the first element of a slice, and that behind its last one.
    pub fn ends(&self, ends: Ends) -> [Option<ExprId>; 2] {
        self.ends[ends.0 as usize]
    }

    pub(crate) fn push_ends(&mut self, ends: [Option<ExprId>; 2]) -> Ends {
        self.ends.push(ends);
        Ends(self.ends.len() as u32 - 1)
    }

    /// Declarations of a run.
    pub fn decl_list(&self, run: Decls) -> &[DeclId] {
        &self.decl_lists[run.0.range()]
    }

    /// Attributes of a run.
    pub fn attr_list(&self, run: Attrs) -> impl Iterator<Item = (AttrId, Attribute)> + '_ {
        run.0.range().map(|i| (AttrId(i as u32), self.attrs[i]))
    }

    /// The clauses of a comprehension.
    pub fn clause_list(&self, run: Clauses) -> impl Iterator<Item = (ClauseId, Clause)> + '_ {
        let at = run.0 as usize;
        self.clause_lists[at + 1..][..self.clause_lists[at].0 as usize]
            .iter()
            .map(|id| (*id, self.clause(*id)))
    }

    pub(crate) fn push_clauses(&mut self, clauses: &[ClauseId]) -> Clauses {
        let at = self.clause_lists.len() as u32;
        self.clause_lists.push(ClauseId(clauses.len() as u32));
        self.clause_lists.extend_from_slice(clauses);
        Clauses(at)
    }

    /// Import specifications of a run.
    pub fn spec_list(&self, run: Specs) -> impl Iterator<Item = (SpecId, ImportSpec)> + '_ {
        run.0.range().map(|i| (SpecId(i as u32), self.specs[i]))
    }

    /// The text of a piece.
    pub fn text(&self, t: Text) -> &str {
        let (start, len) = (t.start as usize, t.len as usize);
        match start.checked_sub(self.source.len()) {
            None => &self.source[start..start + len],
            Some(start) => &self.own[start..start + len],
        }
    }

    /// Comment groups of a node, in order of their position.
    pub fn comments(&self, node: NodeId) -> &[CommentGroup] {
        self.comments.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Whether any node has comments.
    pub fn has_comments(&self) -> bool {
        !self.comments.is_empty()
    }

    /// All comments with their nodes and the nodes' places, in no order.
    pub fn all_comments(&self) -> impl Iterator<Item = (NodeId, Pos, &[CommentGroup])> + '_ {
        self.comments.iter().map(|(node, groups)| {
            let pos = match *node {
                NodeId::File => self
                    .decl_list(self.decls)
                    .first()
                    .map_or(Pos::NONE, |d| self.decl_pos(*d)),
                NodeId::Expr(e) => self.pos(e),
                NodeId::Decl(d) => self.decl_pos(d),
                NodeId::Clause(c) => self.clause(c).pos(),
                NodeId::Spec(s) => {
                    let spec = self.spec(s);
                    spec.name.map_or(spec.path_pos, |n| n.pos)
                }
                NodeId::Attr(a) => self.attr(a).pos,
            };
            (*node, pos, groups.as_slice())
        })
    }

    /// The package clause of a file.
    pub fn package(&self) -> Option<Ident> {
        self.decl_list(self.decls)
            .iter()
            .find_map(|d| match self.decl(*d) {
                Decl::Package { name, .. } => Some(name),
                _ => None,
            })
    }

    /// All import specifications of a file in source order.
    pub fn imports(&self) -> impl Iterator<Item = (SpecId, ImportSpec)> + '_ {
        self.decl_list(self.decls)
            .iter()
            .filter_map(|d| match self.decl(*d) {
                Decl::Import(i) => Some(i.specs),
                _ => None,
            })
            .flat_map(|specs| self.spec_list(specs))
    }

    /// Makes the file hold a value: its members if it is a struct, else the value embedded.
    pub(crate) fn become_file(&mut self, root: ExprId) {
        self.decls = match self.expr(root) {
            Expr::Struct { decls, .. } => decls,
            _ => {
                let id = self.push_decl(Decl::Embed(root));
                let start = self.decl_lists.len() as u32;
                self.decl_lists.push(id);
                Decls(Run { start, len: 1 })
            }
        };
    }

    pub(crate) fn push_expr(&mut self, expr: Expr, pos: Pos) -> ExprId {
        self.exprs.push(expr);
        self.expr_pos.push(pos);
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub(crate) fn push_decl(&mut self, decl: Decl) -> DeclId {
        self.decl_nodes.push(decl);
        DeclId(self.decl_nodes.len() as u32 - 1)
    }

    /// Keeps the rare parts of a field if there are any; the result is for [`Field`].
    pub(crate) fn push_extra(&mut self, extra: FieldExtra) -> u32 {
        if extra == FieldExtra::default() {
            return 0;
        }
        self.extras.push(extra);
        self.extras.len() as u32
    }
}
