//! Labels without needless quotes.
//!
//! Quotes of a label fall if no name in its scope would then refer to the field.

use super::literal::is_identifier;
use super::names::{Name, Names};
use super::source::Pos;
use super::tree::{Clause, Decl, DeclId, Expr, ExprId, LitKind, Tree};
use std::collections::HashMap;

/// Takes the quotes off labels of a tree that do not need them.
pub fn simplify_labels(tree: &mut Tree, names: &mut Names) {
    let mut s = Simplifier {
        tree,
        names,
        scopes: Vec::new(),
    };
    match s.tree.root {
        Some(root) => s.expr(root),
        None => {
            let list = s.tree.decl_list(s.tree.decls).to_vec();
            s.members(&list);
        }
    }
}

struct Simplifier<'a> {
    tree: &'a mut Tree,
    names: &'a mut Names,
    /// Names of the fields around, and whether nothing refers to them.
    scopes: Vec<HashMap<Name, bool>>,
}

impl Simplifier<'_> {
    fn members(&mut self, list: &[DeclId]) {
        stacker::maybe_grow(96 << 10, 4 << 20, || self.members_inner(list));
    }

    fn members_inner(&mut self, list: &[DeclId]) {
        self.scopes.push(HashMap::new());
        for d in list {
            if let Decl::Field(f) = self.tree.decl(*d) {
                self.declare(f.label);
            }
        }
        for d in list {
            match self.tree.decl(*d) {
                Decl::Field(f) => self.expr(f.value),
                Decl::Let { name, value, .. } => {
                    self.refer(name.name);
                    self.expr(value);
                }
                Decl::Embed(x) | Decl::Comprehension(x) => self.expr(x),
                _ => {}
            }
        }
        let free = self.scopes.pop().unwrap_or_default();
        for d in list {
            let Decl::Field(f) = self.tree.decl(*d) else {
                continue;
            };
            if let Some(name) = self.quoted(f.label)
                && free.get(&name) == Some(&true)
            {
                let label = f.label.0 as usize;
                self.tree.exprs[label] = Expr::Ident(name);
                self.tree.expr_pos[label] = Pos::NONE;
            }
        }
    }

    /// The name that a quoted label could be.
    fn quoted(&mut self, label: ExprId) -> Option<Name> {
        let Expr::Literal(LitKind::String, text) = self.tree.expr(label) else {
            return None;
        };
        let inner = self.tree.text(text).strip_prefix('"')?.strip_suffix('"')?;
        let plain = !inner.starts_with(['#', '_']) && is_identifier(inner);
        plain.then(|| self.names.intern(inner))
    }

    fn declare(&mut self, label: ExprId) {
        let name = match self.tree.expr(label) {
            Expr::Ident(name) => Some(name),
            Expr::Literal(..) => self.quoted(label),
            Expr::Alias(a) => {
                self.insert(a.name);
                return self.declare(a.expr);
            }
            Expr::Paren(x, _) => return self.declare(x),
            _ => None,
        };
        if let Some(name) = name {
            self.insert(name);
        }
    }

    fn insert(&mut self, name: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, true);
        }
    }

    fn refer(&mut self, name: Name) {
        let scope = self.scopes.iter_mut().rev().find_map(|s| s.get_mut(&name));
        if let Some(free) = scope {
            *free = false;
        }
    }

    fn expr(&mut self, x: ExprId) {
        stacker::maybe_grow(96 << 10, 4 << 20, || self.expr_inner(x));
    }

    fn expr_inner(&mut self, x: ExprId) {
        match self.tree.expr(x) {
            Expr::Bad | Expr::Bottom | Expr::Literal(..) | Expr::Ellipsis(None) => {}
            Expr::Ident(name) => self.refer(name),
            Expr::Struct { decls, .. } => {
                let list = self.tree.decl_list(decls).to_vec();
                self.members(&list);
            }
            Expr::Interpolation(list) | Expr::List { items: list, .. } => {
                for x in self.tree.list(list).to_vec() {
                    self.expr(x);
                }
            }
            Expr::Call { fun, args, .. } => {
                self.expr(fun);
                for x in self.tree.args(args).to_vec() {
                    self.expr(x);
                }
            }
            Expr::Comprehension {
                clauses,
                body,
                orelse,
            } => {
                let list: Vec<Clause> = self.tree.clause_list(clauses).map(|c| c.1).collect();
                for clause in list {
                    self.clause(&clause);
                }
                self.expr(body);
                if let Some(part) = self.tree.else_part(orelse) {
                    self.expr(part.body);
                }
            }
            Expr::Alias(a) => {
                self.refer(a.name);
                self.expr(a.expr);
            }
            Expr::Ellipsis(Some(x))
            | Expr::Unary(_, x)
            | Expr::Paren(x, _)
            | Expr::Selector(x, _)
            | Expr::Open(x, _)
            | Expr::Optional(x, _) => self.expr(x),
            Expr::Binary(_, x, y, _) | Expr::Index(x, y, _) => {
                self.expr(x);
                self.expr(y);
            }
            Expr::Slice { x, ends, .. } => {
                self.expr(x);
                for x in self.tree.ends(ends).into_iter().flatten() {
                    self.expr(x);
                }
            }
        }
    }

    fn clause(&mut self, clause: &Clause) {
        match *clause {
            Clause::For {
                key, value, source, ..
            } => {
                for name in key.into_iter().chain([value]) {
                    self.refer(name.name);
                }
                self.expr(source);
            }
            Clause::If { cond, .. } => self.expr(cond),
            Clause::Let { name, value, .. }
            | Clause::Try {
                binding: Some((name, value)),
                ..
            } => {
                self.refer(name.name);
                self.expr(value);
            }
            Clause::Try { binding: None, .. } => {}
        }
    }
}
