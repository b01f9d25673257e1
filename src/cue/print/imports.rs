//! Imports in the order in which a file first uses them.

use crate::syntax::names::Names;
use crate::syntax::tree::{Clause, Decl, DeclId, Expr, ExprId, Tree};

/// An import: a name, if it is not the one the path implies, and the path.
pub(super) type Entry = (Option<String>, String);

enum Work {
    Decl(DeclId),
    Expr(ExprId),
}

/// Puts imports into the order in which the declarations of a file use them.
pub(super) fn sort_by_use(tree: &Tree, names: &Names, decls: &[DeclId], list: &mut Vec<Entry>) {
    if list.len() < 2 {
        return;
    }
    let mut left = std::mem::take(list);
    let mut work: Vec<Work> = decls.iter().rev().map(|d| Work::Decl(*d)).collect();
    while let Some(next) = work.pop() {
        let mark = work.len();
        match next {
            Work::Decl(d) => parts_of_decl(tree, d, &mut work),
            Work::Expr(x) => {
                if let Expr::Ident(name) = tree.expr(x) {
                    let used = |e: &Entry| short_name(e) == names.get(name);
                    if let Some(i) = left.iter().position(used) {
                        list.push(left.remove(i));
                    }
                } else {
                    parts_of_expr(tree, x, &mut work);
                }
            }
        }
        work[mark..].reverse();
    }
    list.append(&mut left);
}

fn short_name((name, path): &Entry) -> &str {
    name.as_deref()
        .unwrap_or_else(|| path.rsplit(['/', ':']).next().unwrap_or(path))
}

fn source_of(clause: Clause) -> Option<ExprId> {
    match clause {
        Clause::For { source: x, .. }
        | Clause::If { cond: x, .. }
        | Clause::Let { value: x, .. } => Some(x),
        Clause::Try { binding, .. } => binding.map(|(_, x)| x),
    }
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
        Expr::Struct { decls, .. } => {
            work.extend(tree.decl_list(decls).iter().map(|d| Work::Decl(*d)));
        }
        Expr::Interpolation(list) | Expr::List { items: list, .. } => {
            tree.list(list).iter().copied().for_each(more);
        }
        Expr::Comprehension {
            clauses,
            body,
            orelse,
        } => {
            let sources = tree.clause_list(clauses);
            sources
                .filter_map(|(_, c)| source_of(c))
                .for_each(&mut more);
            more(body);
            if let Some(part) = tree.else_part(orelse) {
                more(part.body);
            }
        }
        Expr::Call { fun, args, .. } => {
            more(fun);
            tree.list(args).iter().copied().for_each(more);
        }
        Expr::Slice { x, lo, hi, .. } => [Some(x), lo, hi].into_iter().flatten().for_each(more),
        Expr::Binary(_, a, b, _) | Expr::Index(a, b, _) => [a, b].into_iter().for_each(more),
        Expr::Ellipsis(Some(x))
        | Expr::Unary(_, x)
        | Expr::Paren(x, _)
        | Expr::Selector(x, _)
        | Expr::Open(x, _)
        | Expr::Optional(x, _) => more(x),
        Expr::Alias(a) => more(a.expr),
        Expr::Bad | Expr::Bottom | Expr::Ident(_) | Expr::Literal(..) | Expr::Ellipsis(None) => {}
    }
}
