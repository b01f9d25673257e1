//! What the evaluator runs: expressions with resolved references, in flat tables.

use super::kind::ArcType;
use super::label::Label;
use super::value::Val;
use crate::syntax::source::Pos;
use crate::syntax::tree;

pub use crate::syntax::tree::Op;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
        pub struct $name(pub(crate) u32);
        impl $name {
            #[allow(dead_code, reason = "all ids have the same two helpers")]
            pub(crate) const NONE: $name = $name(0);
            #[allow(dead_code, reason = "all ids have the same two helpers")]
            pub(crate) fn is_some(self) -> bool { self.0 != 0 }
            #[allow(dead_code, reason = "all ids have the same two helpers")]
            pub(crate) fn i(self) -> usize { self.0 as usize }
        }
    )* };
}
pub(crate) use ids;

ids! {
    /// An expression of the program; 0 is none.
    XId,
    /// A declaration of the program; 0 is none.
    DId,
    /// A struct literal of the program; 0 is none.
    SId,
    /// A comprehension of the program; 0 is none.
    CId,
}

/// A run in one of the side tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Run {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Run {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// An expression. `up` counts the frames between it and the one that declares a name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expr {
    /// A literal, a type, a predeclared value or function, or an injected value.
    Val(Val),
    /// `{...}`.
    Struct(SId),
    /// `[...]`; elements are in `Program::elems`.
    List(Run),
    /// `<x` and the like.
    Bound(Op, XId),
    /// A field of an enclosing struct.
    Field {
        /// Frames to go up.
        up: u32,
        /// The field.
        label: Label,
        /// Marked with `?`.
        optional: bool,
    },
    /// The value of an enclosing field (`X={...}`, `self`).
    ValueRef {
        /// Frames to go up, plus one.
        up: u32,
        /// The name written.
        label: Label,
    },
    /// The label that a pattern matched.
    LabelRef {
        /// Frames to go up.
        up: u32,
        /// The name written.
        label: Label,
    },
    /// A field whose label is computed.
    DynamicRef {
        /// Frames to go up.
        up: u32,
        /// The expression of the label, in that frame.
        label: XId,
        /// The name written.
        name: Label,
    },
    /// A `let`.
    Let {
        /// Frames to go up.
        up: u32,
        /// The private label of the let.
        label: Label,
    },
    /// An imported package: index in `Program::imports`.
    Import(u32, Label),
    /// `x.sel`.
    Selector {
        /// The struct.
        x: XId,
        /// The field.
        sel: Label,
        /// Where the selector stands.
        pos: Pos,
        /// Marked with `?`.
        optional: bool,
    },
    /// `x[index]`.
    Index {
        /// The list or struct.
        x: XId,
        /// The index.
        index: XId,
        /// Marked with `?`.
        optional: bool,
    },
    /// `x[lo:hi]`; absent ends are 0.
    Slice(XId, XId, XId),
    /// An interpolation; true for bytes. Parts are in `Program::args`.
    Interpolation(bool, Run),
    /// `-x`, `+x`, `!x`.
    Unary(Op, XId),
    /// A binary operator other than `|`.
    Binary(Op, XId, XId),
    /// `x...`.
    Open(XId),
    /// A call; arguments are in `Program::args`.
    Call(XId, Run),
    /// `a | *b`; items are in `Program::disjuncts`. True if one is marked.
    Disjunction(Run, bool),
}

/// An element of a list literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Elem {
    /// A plain element.
    Expr(XId),
    /// A comprehension.
    Comprehension(CId),
    /// `...` or `...T` (0 without T).
    Ellipsis(XId, Pos),
}

/// A member of a struct literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Decl {
    /// A field with a fixed label.
    Field {
        /// The label.
        label: Label,
        /// `?`, `!` or neither.
        arc: ArcType,
        /// The value.
        value: XId,
    },
    /// A let.
    Let {
        /// Its private label.
        label: Label,
        /// Whether its value differs between rounds of a comprehension.
        multi: bool,
        /// The value.
        value: XId,
    },
    /// `[filter]: value`.
    Pattern {
        /// The pattern.
        filter: XId,
        /// The value.
        value: XId,
        /// The alias of the label, for printing.
        label: Label,
    },
    /// `(key): value`.
    Dynamic {
        /// The expression of the label.
        key: XId,
        /// `?`, `!` or neither.
        arc: ArcType,
        /// The value.
        value: XId,
        /// Whether the label has a name (`~(L,V)`).
        named: bool,
    },
    /// `...`.
    Ellipsis,
    /// A comprehension.
    Comprehension(CId),
    /// An embedded expression.
    Embed(XId),
}

/// A struct literal or the body of a file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StructLit {
    /// Its members in `Program::decl_lists`.
    pub decls: Run,
    /// Where it starts.
    pub pos: Pos,
    /// Whether it is the body of a file.
    pub is_file: bool,
    /// Whether comprehensions or expressions are embedded.
    pub embeds: bool,
    /// Whether there are lets, or aliases of labels.
    pub names: bool,
}

impl StructLit {
    /// A literal of fields that embeds nothing and names nothing.
    pub(crate) fn of_fields(decls: Run, pos: Pos) -> StructLit {
        StructLit {
            decls,
            pos,
            is_file: false,
            embeds: false,
            names: false,
        }
    }
}

/// A clause of a comprehension.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Clause {
    /// `for k, v in source`.
    For {
        /// Name of the key, or none.
        key: Label,
        /// Name of the value, or none.
        value: Label,
        /// What is ranged over.
        source: XId,
        /// Where it stands.
        pos: Pos,
    },
    /// `if cond`.
    If {
        /// The condition.
        cond: XId,
        /// Where it stands.
        pos: Pos,
    },
    /// `let name = value`.
    Let {
        /// The name.
        label: Label,
        /// The value.
        value: XId,
        /// Where it stands.
        pos: Pos,
    },
    /// `try`, with a name and an expression or without.
    Try {
        /// The name, or none.
        label: Label,
        /// The expression; 0 in the struct form.
        value: XId,
        /// Where it stands.
        pos: Pos,
    },
}

impl Clause {
    /// What it ranges over, tests or names; 0 for a `try` without an expression.
    pub fn value(&self) -> XId {
        match *self {
            Clause::For { source: x, .. }
            | Clause::If { cond: x, .. }
            | Clause::Let { value: x, .. }
            | Clause::Try { value: x, .. } => x,
        }
    }
}

/// A comprehension.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comprehension {
    /// Its clauses in `Program::clauses`.
    pub clauses: Run,
    /// The struct it yields.
    pub body: XId,
    /// What it yields if the clauses yield nothing; 0 if none.
    pub orelse: XId,
    /// Where it starts.
    pub pos: Pos,
    /// The syntax: file and expression.
    pub node: (u32, tree::ExprId),
}

/// Where an expression or declaration comes from: the index of the tree and the node, or nothing
/// for one that is made up.
pub(crate) type Origin<T> = Option<(u32, T)>;

/// The origins of one table. Those of one tree mostly follow one another.
#[derive(Clone, Debug, Default)]
struct Origins {
    nodes: Vec<u32>,
    /// From which entry on nodes are of which tree.
    trees: Vec<(u32, u32)>,
}

/// The node of what is made up.
const MADE_UP: u32 = u32::MAX;

impl Origins {
    fn push(&mut self, origin: Origin<u32>) {
        if let Some((tree, _)) = origin
            && self.trees.last().is_none_or(|last| last.1 != tree)
        {
            self.trees.push((self.nodes.len() as u32, tree));
        }
        self.nodes.push(origin.map_or(MADE_UP, |(_, node)| node));
    }

    fn get(&self, at: usize) -> Origin<u32> {
        let node = self.nodes[at];
        let behind = self.trees.partition_point(|t| t.0 as usize <= at);
        let tree = self.trees.get(behind.checked_sub(1)?)?.1;
        (node != MADE_UP).then_some((tree, node))
    }
}

/// A parsed file the program keeps.
#[derive(Clone, Debug)]
pub struct Source {
    /// The tree.
    pub tree: std::sync::Arc<tree::Tree>,
    /// Id of the package, which hidden labels carry.
    pub package: std::sync::Arc<str>,
}

/// What an import path stands for.
#[derive(Clone, Debug)]
pub struct Import {
    /// The path as written, with a qualifier if there is one.
    pub path: String,
    /// The package: index of a loaded package, or none for the standard library.
    pub package: Option<u32>,
}

/// All expressions of a load. Index 0 of every table is unused.
#[derive(Debug, Default)]
pub struct Program {
    pub(crate) exprs: Vec<Expr>,
    pub(crate) expr_pos: Vec<Pos>,
    expr_origin: Origins,
    pub(crate) decls: Vec<Decl>,
    pub(crate) decl_pos: Vec<Pos>,
    decl_origin: Origins,
    /// The literal that each declaration is a member of.
    decl_struct: Vec<SId>,
    pub(crate) structs: Vec<StructLit>,
    pub(crate) comprehensions: Vec<Comprehension>,
    pub(crate) decl_lists: Vec<DId>,
    pub(crate) elems: Vec<Elem>,
    pub(crate) args: Vec<XId>,
    pub(crate) disjuncts: Vec<(XId, bool)>,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) imports: Vec<Import>,
    pub(crate) trees: Vec<Source>,
    /// Literals that are the members of whole files, with the index of their tree.
    pub(crate) files: Vec<(SId, u32)>,
}

impl Program {
    /// An empty program.
    pub fn new() -> Program {
        let mut p = Program::default();
        p.exprs.push(Expr::Val(Val::UNSET));
        p.expr_pos.push(Pos::NONE);
        p.expr_origin.push(None);
        p.decls.push(Decl::Ellipsis);
        p.decl_pos.push(Pos::NONE);
        p.decl_origin.push(None);
        p.decl_struct.push(SId::NONE);
        let empty = StructLit::of_fields(Run::default(), Pos::NONE);
        p.structs.push(empty);
        let node = (u32::MAX, tree::ExprId(0));
        let (clauses, body) = (Run::default(), XId::NONE);
        p.comprehensions.push(Comprehension {
            clauses,
            body,
            orelse: XId::NONE,
            pos: Pos::NONE,
            node,
        });
        p
    }

    /// An expression.
    pub fn expr(&self, x: XId) -> Expr {
        self.exprs[x.i()]
    }

    /// Where an expression starts.
    pub fn pos(&self, x: XId) -> Pos {
        match self.exprs[x.i()] {
            Expr::Val(v) => v.pos,
            _ => self.expr_pos[x.i()],
        }
    }

    /// The syntax an expression was made from.
    pub fn origin(&self, x: XId) -> Option<(&Source, tree::ExprId)> {
        let (tree, node) = self.expr_origin.get(x.i())?;
        Some((self.trees.get(tree as usize)?, tree::ExprId(node)))
    }

    /// A declaration.
    pub fn decl(&self, d: DId) -> Decl {
        self.decls[d.i()]
    }

    /// Where a declaration starts.
    pub fn decl_pos(&self, d: DId) -> Pos {
        self.decl_pos[d.i()]
    }

    /// The syntax a declaration was made from.
    pub fn decl_origin(&self, d: DId) -> Option<(&Source, tree::DeclId)> {
        let (tree, node) = self.decl_origin.get(d.i())?;
        Some((self.trees.get(tree as usize)?, tree::DeclId(node)))
    }

    /// A struct literal.
    pub fn struct_lit(&self, s: SId) -> StructLit {
        self.structs[s.i()]
    }

    /// The members of a struct literal in order.
    pub fn struct_decls(&self, s: SId) -> &[DId] {
        &self.decl_lists[self.structs[s.i()].decls.range()]
    }

    /// The literal that a declaration is a member of.
    pub fn decl_struct(&self, d: DId) -> SId {
        self.decl_struct[d.i()]
    }

    /// Adds a literal with these members.
    pub(crate) fn add_struct(&mut self, decls: &[DId], lit: StructLit) -> SId {
        let s = SId(self.structs.len() as u32);
        let run = Run {
            start: self.decl_lists.len() as u32,
            len: decls.len() as u32,
        };
        self.decl_lists.extend_from_slice(decls);
        for d in decls {
            self.decl_struct[d.i()] = s;
        }
        self.structs.push(StructLit { decls: run, ..lit });
        s
    }

    /// A comprehension.
    pub fn comprehension(&self, c: CId) -> Comprehension {
        self.comprehensions[c.i()]
    }

    /// The clauses of a comprehension.
    pub fn clause_list(&self, run: Run) -> &[Clause] {
        &self.clauses[run.range()]
    }

    /// The elements of a list literal.
    pub fn elem_list(&self, run: Run) -> &[Elem] {
        &self.elems[run.range()]
    }

    /// Arguments of a call, parts of an interpolation.
    pub fn arg_list(&self, run: Run) -> &[XId] {
        &self.args[run.range()]
    }

    /// The disjuncts of a disjunction and whether each is marked.
    pub fn disjunct_list(&self, run: Run) -> &[(XId, bool)] {
        &self.disjuncts[run.range()]
    }

    /// The value of a declaration; 0 for those without.
    pub fn decl_value(&self, d: DId) -> XId {
        match self.decls[d.i()] {
            Decl::Field { value, .. }
            | Decl::Let { value, .. }
            | Decl::Pattern { value, .. }
            | Decl::Dynamic { value, .. } => value,
            Decl::Embed(x) => x,
            Decl::Ellipsis | Decl::Comprehension(_) => XId::NONE,
        }
    }

    /// The operands and arguments of an expression, which are evaluated in its own frame. Absent
    /// ones are 0. References and literals have none.
    pub(crate) fn push_operands(&self, x: XId, out: &mut Vec<XId>) {
        match self.expr(x) {
            Expr::Bound(_, y) | Expr::Unary(_, y) | Expr::Open(y) => out.push(y),
            Expr::Binary(_, a, b) => out.extend([a, b]),
            Expr::Slice(y, lo, hi) => out.extend([y, lo, hi]),
            Expr::Interpolation(_, run) => out.extend_from_slice(self.arg_list(run)),
            Expr::Call(f, run) => {
                out.push(f);
                out.extend_from_slice(self.arg_list(run));
            }
            Expr::Disjunction(run, _) => {
                out.extend(self.disjunct_list(run).iter().map(|(y, _)| *y));
            }
            Expr::Val(_)
            | Expr::Struct(_)
            | Expr::List(_)
            | Expr::Field { .. }
            | Expr::ValueRef { .. }
            | Expr::LabelRef { .. }
            | Expr::DynamicRef { .. }
            | Expr::Let { .. }
            | Expr::Import(..)
            | Expr::Selector { .. }
            | Expr::Index { .. } => {}
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, expr: Expr, pos: Pos, origin: Origin<tree::ExprId>) -> XId {
        self.exprs.push(expr);
        self.expr_pos.push(pos);
        self.expr_origin
            .push(origin.map(|(tree, node)| (tree, node.0)));
        XId(self.exprs.len() as u32 - 1)
    }

    /// An expression made by the evaluator.
    pub(crate) fn add_made(&mut self, expr: Expr, pos: Pos) -> XId {
        self.add(expr, pos, None)
    }

    pub(crate) fn add_decl(&mut self, decl: Decl, pos: Pos, origin: Origin<tree::DeclId>) -> DId {
        self.decls.push(decl);
        self.decl_pos.push(pos);
        self.decl_origin
            .push(origin.map(|(tree, node)| (tree, node.0)));
        self.decl_struct.push(SId::NONE);
        DId(self.decls.len() as u32 - 1)
    }

    /// Experiments of the file a position lies in.
    pub(crate) fn experiments(&self, x: XId) -> tree::Experiments {
        self.origin(x)
            .map(|(s, _)| s.tree.experiments)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Origins;

    #[test]
    fn origins_are_told_tree_by_tree() {
        let pushed = [
            None,
            Some((0, 5)),
            Some((0, 3)),
            None,
            Some((2, 5)),
            Some((0, 9)),
            None,
        ];
        let mut origins = Origins::default();
        pushed.into_iter().for_each(|origin| origins.push(origin));
        let told: Vec<_> = (0..pushed.len()).map(|at| origins.get(at)).collect();
        assert_eq!(told, pushed);
    }
}
