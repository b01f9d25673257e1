//! Contradictions in a file that holds nothing but data.

use crate::problem::{Problem, Problems};
use pravo_cue::syntax::literal::unquote_string;
use pravo_cue::syntax::names::Names;
use pravo_cue::syntax::source::Pos;
use pravo_cue::syntax::tree::{Decl, Decls, Expr, ExprId, LitKind, Tree};

/// A scalar at a path: its text, its type and its place.
struct Scalar<'a> {
    path: Vec<String>,
    text: &'a str,
    kind: &'static str,
    pos: Pos,
}

/// The fields that are given two different scalars.
pub(crate) fn contradictions(tree: &Tree, names: &Names) -> Problems {
    let mut found: Vec<Scalar<'_>> = Vec::new();
    collect(tree, names, tree.decls, &mut Vec::new(), &mut found);
    let mut problems = Vec::new();
    for (i, second) in found.iter().enumerate() {
        let Some(first) = found[..i].iter().find(|s| s.path == second.path) else {
            continue;
        };
        if first.text == second.text {
            continue;
        }
        let types = if first.kind == second.kind {
            String::new()
        } else {
            format!(" (mismatched types {} and {})", second.kind, first.kind)
        };
        let text = format!(
            "{}: invalid module file syntax: conflicting values {} and {}{types}",
            second.path.join("."),
            second.text,
            first.text
        );
        let mut problem = Problem::at(first.pos, text);
        problem.more.push(second.pos);
        problems.push(problem);
    }
    problems
}

fn collect<'a>(
    tree: &'a Tree,
    names: &Names,
    decls: Decls,
    path: &mut Vec<String>,
    found: &mut Vec<Scalar<'a>>,
) {
    for id in tree.decl_list(decls) {
        let Decl::Field(f) = tree.decl(*id) else {
            continue;
        };
        let Some(name) = label(tree, names, f.label) else {
            continue;
        };
        path.push(name);
        match tree.expr(f.value) {
            Expr::Struct { decls, .. } => collect(tree, names, decls, path, found),
            Expr::Literal(kind, text) => found.push(Scalar {
                path: path.clone(),
                text: tree.text(text),
                kind: type_of(kind),
                pos: tree.pos(f.value),
            }),
            _ => {}
        }
        path.pop();
    }
}

fn label(tree: &Tree, names: &Names, x: ExprId) -> Option<String> {
    match tree.expr(x) {
        Expr::Ident(n) => Some(names.get(n).to_owned()),
        Expr::Literal(LitKind::String, text) => unquote_string(tree.text(text)).ok(),
        _ => None,
    }
}

fn type_of(kind: LitKind) -> &'static str {
    match kind {
        LitKind::Null => "null",
        LitKind::True | LitKind::False => "bool",
        LitKind::Int => "int",
        LitKind::Float => "float",
        LitKind::Bytes => "bytes",
        _ => "string",
    }
}
