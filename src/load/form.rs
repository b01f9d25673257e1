//! Forms that restrict what a file may contain.

use crate::problem::Problem;
use pravo_cue::syntax::names::Names;
use pravo_cue::syntax::source::Pos;
use pravo_cue::syntax::tree::{Decl, DeclId, Decls, Expr, ExprId, Field, Op, Tree};

/// How many problems are told.
const MOST: usize = 11;

/// A form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Plain data.
    Data,
    /// Data whose values can refer to each other.
    Graph,
    /// The same without cycles.
    Dag,
}

impl Form {
    /// The form of a scope such as `data:`.
    pub(crate) fn of_scope(name: &str) -> Option<Form> {
        Some(match name {
            "data" => Form::Data,
            "graph" => Form::Graph,
            "dag" => Form::Dag,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Form::Data => "data",
            Form::Graph => "graph",
            Form::Dag => "dag",
        }
    }
}

/// What a file contains that its form does not allow.
pub(crate) fn check(tree: &Tree, names: &Names, form: Form) -> Vec<Problem> {
    let mut checker = Checker {
        tree,
        names,
        form,
        problems: Vec::new(),
    };
    checker.members(tree.decls);
    checker.problems
}

struct Checker<'a> {
    tree: &'a Tree,
    names: &'a Names,
    form: Form,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn refuse(&mut self, pos: Pos, what: &str) {
        if self.problems.len() < MOST {
            let text = format!("{what} not allowed in {} mode", self.form.name());
            self.problems.push(Problem::at(pos, text));
        }
    }

    fn members(&mut self, decls: Decls) {
        for id in self.tree.decl_list(decls) {
            self.member(*id);
        }
    }

    fn member(&mut self, id: DeclId) {
        let tree = self.tree;
        let pos = tree.decl_pos(id);
        match tree.decl(id) {
            Decl::Field(f) => self.field(&f),
            Decl::Import(_) => self.refuse(pos, "imports"),
            Decl::Ellipsis { .. } => self.refuse(pos, "ellipsis"),
            Decl::Let { .. } if self.form == Form::Data => self.refuse(pos, "references"),
            Decl::Let { value, .. } => self.expr(value),
            Decl::Embed(x) | Decl::Comprehension(x) => self.expr(x),
            Decl::Bad { .. } | Decl::Attribute(_) | Decl::Package { .. } => {}
        }
    }

    fn field(&mut self, f: &Field) {
        let tree = self.tree;
        let pos = tree.pos(f.label);
        match tree.expr(f.label) {
            Expr::Ident(name) => {
                let name = self.names.get(name);
                if name.starts_with('#') || name.starts_with("_#") {
                    self.refuse(pos, "definitions");
                }
            }
            Expr::Literal(..) => {}
            _ => self.refuse(pos, "optional fields"),
        }
        self.expr(f.value);
    }

    fn expr(&mut self, x: ExprId) {
        stacker::maybe_grow(64 << 10, 2 << 20, || self.expr_inner(x));
    }

    fn expr_inner(&mut self, x: ExprId) {
        let tree = self.tree;
        let pos = tree.pos(x);
        match tree.expr(x) {
            Expr::Struct { decls, .. } => self.members(decls),
            Expr::List { items, .. } => {
                for item in tree.list(items) {
                    self.expr(*item);
                }
            }
            Expr::Unary(Op::Add | Op::Subtract, y) => match tree.expr(y) {
                Expr::Literal(..) => {}
                _ => self.refuse(pos, "expressions"),
            },
            Expr::Unary(Op::Multiply, _) => self.refuse(pos, "default values"),
            Expr::Unary(Op::Not, _) => self.refuse(pos, "expressions"),
            Expr::Unary(..) => self.refuse(pos, "constraints"),
            Expr::Ellipsis(_) => self.refuse(pos, "ellipsis"),
            Expr::Ident(_) | Expr::Selector(..) | Expr::Alias(_) => {
                if self.form == Form::Data {
                    self.refuse(pos, "references");
                }
            }
            Expr::Bad | Expr::Bottom | Expr::Literal(..) => {}
            _ => self.refuse(pos, "expressions"),
        }
    }
}
