//! The names that declarations refer to, with what is declared around them.

use crate::syntax::names::Name;
use crate::syntax::tree::{Clause, Decl, DeclId, Expr, ExprId, Tree};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

enum Work {
    Decl(DeclId),
    Expr(ExprId),
    Enter(Name),
    Leave,
}

/// What declares names.
enum Around<'a> {
    Decls(&'a [DeclId], OnceCell<FxHashMap<Name, Declared>>),
    Name(Name),
}

/// What gives a name.
#[derive(Clone, Copy)]
struct Declared {
    decl: DeclId,
    /// The value of the field that it is the label of, without an alias.
    value: Option<ExprId>,
}

/// What is declared around a name.
pub(in crate::print) struct Scopes<'a> {
    tree: &'a Tree,
    stack: Vec<Around<'a>>,
}

impl<'a> Scopes<'a> {
    /// Where a name leads, if it is declared in one of them: to the value of a field, or to
    /// something else.
    pub(in crate::print) fn find(&self, name: Name) -> Option<Option<ExprId>> {
        self.stack.iter().rev().find_map(|around| match around {
            Around::Name(n) => (*n == name).then_some(None),
            Around::Decls(..) => self.declared(around, name).map(|found| found.value),
        })
    }

    /// The field of that name and value in any of them.
    pub(in crate::print) fn find_field(&self, name: Name, value: ExprId) -> Option<DeclId> {
        let mut found = self.stack.iter().rev();
        found.find_map(|around| {
            let found = self.declared(around, name)?;
            (found.value == Some(value)).then_some(found.decl)
        })
    }

    /// Of several declarations of a name the last one counts.
    fn declared(&self, around: &Around<'a>, name: Name) -> Option<Declared> {
        let Around::Decls(decls, known) = around else {
            return None;
        };
        let all = || {
            let each = |d: &DeclId| declared(self.tree, *d);
            decls.iter().flat_map(each).flatten().collect()
        };
        known.get_or_init(all).get(&name).copied()
    }

    fn enter(&mut self, decls: &'a [DeclId]) {
        self.stack.push(Around::Decls(decls, OnceCell::new()));
    }
}

/// Goes through the names that declarations refer to, in order.
pub(in crate::print) fn each_name(
    tree: &Tree,
    decls: &[DeclId],
    mut found: impl FnMut(ExprId, Name, &Scopes<'_>),
) {
    let stack = Vec::new();
    let mut scopes = Scopes { tree, stack };
    scopes.enter(decls);
    let mut work: Vec<Work> = decls.iter().rev().map(|d| Work::Decl(*d)).collect();
    while let Some(next) = work.pop() {
        let mark = work.len();
        match next {
            Work::Decl(d) => parts_of_decl(tree, d, &mut work),
            Work::Expr(x) => match tree.expr(x) {
                Expr::Ident(name) => found(x, name, &scopes),
                Expr::Struct { decls, .. } => {
                    let decls = tree.decl_list(decls);
                    scopes.enter(decls);
                    work.extend(decls.iter().map(|d| Work::Decl(*d)));
                    work.push(Work::Leave);
                }
                _ => parts_of_expr(tree, x, &mut work),
            },
            Work::Enter(name) => scopes.stack.push(Around::Name(name)),
            Work::Leave => _ = scopes.stack.pop(),
        }
        work[mark..].reverse();
    }
}

/// The names that a declaration gives: its label, if it stands without quotes, and its alias.
fn declared(tree: &Tree, decl: DeclId) -> [Option<(Name, Declared)>; 2] {
    let other = |name: Name| Some((name, Declared { decl, value: None }));
    let label = |x: ExprId, value: ExprId| match tree.expr(x) {
        Expr::Ident(name) => {
            let value = match tree.expr(value) {
                Expr::Alias(a) => Some(a.expr),
                _ => Some(value),
            };
            Some((name, Declared { decl, value }))
        }
        _ => None,
    };
    match tree.decl(decl) {
        Decl::Let { name, .. } => [other(name.name), None],
        Decl::Field(f) => match tree.expr(f.label) {
            Expr::Alias(a) => [other(a.name), label(a.expr, f.value)],
            _ => [label(f.label, f.value), None],
        },
        _ => [None, None],
    }
}

/// What a clause holds; how many names it declares.
fn parts_of_clause(clause: Clause, work: &mut Vec<Work>) -> usize {
    let mark = work.len();
    match clause {
        Clause::For {
            key, value, source, ..
        } => {
            work.push(Work::Expr(source));
            work.extend(key.map(|key| Work::Enter(key.name)));
            work.push(Work::Enter(value.name));
        }
        Clause::If { cond, .. } => work.push(Work::Expr(cond)),
        Clause::Let { name, value, .. } => {
            work.extend([Work::Expr(value), Work::Enter(name.name)]);
        }
        Clause::Try { binding, .. } => {
            if let Some((name, value)) = binding {
                work.extend([Work::Expr(value), Work::Enter(name.name)]);
            }
        }
    }
    let entered = |w: &&Work| matches!(w, Work::Enter(_));
    work[mark..].iter().filter(entered).count()
}

fn parts_of_decl(tree: &Tree, d: DeclId, work: &mut Vec<Work>) {
    match tree.decl(d) {
        Decl::Field(f) => {
            if !matches!(tree.expr(f.label), Expr::Ident(_)) {
                work.push(Work::Expr(f.label));
            }
            work.push(Work::Expr(f.value));
        }
        Decl::Let { value: x, .. } | Decl::Embed(x) | Decl::Comprehension(x) => {
            work.push(Work::Expr(x));
        }
        _ => {}
    }
}

fn parts_of_expr(tree: &Tree, x: ExprId, work: &mut Vec<Work>) {
    let mut more = |x: ExprId| work.push(Work::Expr(x));
    match tree.expr(x) {
        Expr::Interpolation(list) | Expr::List { items: list, .. } => {
            tree.list(list).iter().copied().for_each(more);
        }
        Expr::Comprehension {
            clauses,
            body,
            orelse,
        } => {
            let clauses = tree.clause_list(clauses);
            let entered: usize = clauses.map(|(_, c)| parts_of_clause(c, work)).sum();
            work.push(Work::Expr(body));
            work.extend((0..entered).map(|_| Work::Leave));
            if let Some(part) = tree.else_part(orelse) {
                work.push(Work::Expr(part.body));
            }
        }
        Expr::Call { fun, args, .. } => {
            more(fun);
            tree.args(args).iter().copied().for_each(more);
        }
        Expr::Slice { x, ends, .. } => {
            more(x);
            tree.ends(ends).into_iter().flatten().for_each(more);
        }
        Expr::Binary(_, a, b, _) | Expr::Index(a, b, _) => [a, b].into_iter().for_each(more),
        Expr::Ellipsis(Some(x))
        | Expr::Unary(_, x)
        | Expr::Paren(x, _)
        | Expr::Selector(x, _)
        | Expr::Open(x, _)
        | Expr::Optional(x, _) => more(x),
        Expr::Alias(a) => {
            work.extend([Work::Enter(a.name), Work::Expr(a.expr), Work::Leave]);
        }
        Expr::Struct { .. }
        | Expr::Bad
        | Expr::Bottom
        | Expr::Ident(_)
        | Expr::Literal(..)
        | Expr::Ellipsis(None) => {}
    }
}
