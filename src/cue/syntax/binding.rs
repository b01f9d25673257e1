//! Names of one file: clashes of aliases and fields, pattern labels that look at their own
//! struct, and which imports are used.

use super::error::SyntaxError;
use super::names::{Name, Names};
use super::source::Pos;
use super::tree::{Clause, Decl, DeclId, Decls, Expr, ExprId, Field, SpecId, Tree};

/// What binding found.
#[derive(Debug, Default)]
pub struct Binding {
    /// Clashes, in the order they were found.
    pub errors: Vec<SyntaxError>,
    /// Imports nothing refers to.
    pub unused: Vec<SpecId>,
}

/// Binds the names of a file.
pub fn bind(tree: &Tree, names: &Names) -> Binding {
    let mut binder = Binder {
        tree,
        names,
        heads: vec![0; names.len()],
        entries: vec![Entry::NONE],
        scopes: Vec::new(),
        used: vec![false; tree.specs.len()],
        twins: Vec::new(),
        errors: Vec::new(),
        in_label: None,
    };
    binder.scope(|b| {
        b.imports();
        b.members(tree.decls);
    });
    let unused = (0..binder.used.len()).filter(|i| !binder.used[*i]);
    Binding {
        unused: unused.map(|i| SpecId(i as u32)).collect(),
        errors: binder.errors,
    }
}

/// The name an import is referred to by: the given one, the qualifier, or the last element of the
/// path.
pub fn import_name(tree: &Tree, names: &Names, spec: SpecId) -> Option<String> {
    let spec = tree.spec(spec);
    if let Some(ident) = spec.name {
        return Some(names.get(ident.name).to_owned());
    }
    let path = super::literal::unquote_string(tree.text(spec.path)).ok()?;
    let last = path.rsplit('/').next().unwrap_or("");
    let name = match last.split_once(':') {
        Some((_, qualifier)) => qualifier,
        None => last.split('@').next().unwrap_or(""),
    };
    Some(name.to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A let, or an alias in one of its forms.
    Alias,
    /// A field or a variable.
    Field,
    /// An import.
    Import(SpecId),
}

/// A name declared in a scope; `outer` is what it hides.
struct Entry {
    kind: Kind,
    scope: u32,
    outer: u32,
    name: Name,
}

impl Entry {
    const NONE: Entry = Entry {
        kind: Kind::Field,
        scope: 0,
        outer: 0,
        name: Name(0),
    };
}

struct Scope {
    first_entry: usize,
    /// The value of a field is being looked at.
    in_field: bool,
}

struct Binder<'a> {
    tree: &'a Tree,
    names: &'a Names,
    /// Per name: its innermost entry, 0 for none.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    scopes: Vec<Scope>,
    used: Vec<bool>,
    /// Imports that have the name of an earlier one, with its entry.
    twins: Vec<(u32, SpecId)>,
    errors: Vec<SyntaxError>,
    /// The scope of the pattern that is being looked at.
    in_label: Option<u32>,
}

impl Binder<'_> {
    fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let depth = self.scopes.len();
        self.push_scope();
        inside(self);
        self.pop_scopes(depth);
    }

    fn push_scope(&mut self) {
        self.scopes.push(Scope {
            first_entry: self.entries.len(),
            in_field: false,
        });
    }

    fn pop_scopes(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            let Some(scope) = self.scopes.pop() else {
                return;
            };
            while self.entries.len() > scope.first_entry {
                let Some(e) = self.entries.pop() else { return };
                self.heads[e.name.0 as usize] = e.outer;
            }
        }
    }

    fn error(&mut self, pos: Pos, text: String) {
        self.errors.push(SyntaxError { pos, text });
    }

    fn insert(&mut self, name: Name, kind: Kind, pos: Pos) {
        let scope = self.scopes.len() as u32;
        let head = self.heads[name.0 as usize];
        if head != 0 {
            let existing = &self.entries[head as usize];
            let (was, is) = (existing.kind == Kind::Alias, kind == Kind::Alias);
            let same_scope = existing.scope == scope;
            let text = self.names.get(name);
            if was != is {
                let text =
                    format!("cannot have both alias and field with name \"{text}\" in same scope");
                self.error(pos, text);
                return;
            }
            if is && same_scope {
                self.error(pos, format!("alias \"{text}\" redeclared in same scope"));
                return;
            }
        }
        self.heads[name.0 as usize] = self.entries.len() as u32;
        self.entries.push(Entry {
            kind,
            scope,
            outer: head,
            name,
        });
    }

    fn imports(&mut self) {
        for (id, spec) in self.tree.imports() {
            let Some(name) = import_name(self.tree, self.names, id) else {
                continue;
            };
            let Some(name) = self.names.lookup(&name) else {
                continue;
            };
            if self.heads[name.0 as usize] != 0 {
                // A second import of one name is an error of its own; references count for both.
                self.twins.push((self.heads[name.0 as usize], id));
                continue;
            }
            self.insert(name, Kind::Import(id), spec.path_pos);
        }
    }

    fn refer(&mut self, name: Name, pos: Pos) {
        let head = self.heads[name.0 as usize];
        if head == 0 {
            return;
        }
        let entry = &self.entries[head as usize];
        let kind = entry.kind;
        if let Kind::Import(spec) = kind {
            self.used[spec.0 as usize] = true;
            for (entry, twin) in &self.twins {
                if *entry == head {
                    self.used[twin.0 as usize] = true;
                }
            }
        }
        if self.in_label.is_some_and(|own| self.seen_from(head, own)) {
            let text = format!(
                "reference \"{}\" in label expression refers to field against which it would be \
                 matched",
                self.names.get(name)
            );
            self.error(pos, text);
        }
    }

    /// Whether the scope of a pattern sees the name of an entry, or of one it hides, in the struct
    /// the pattern stands in or one that struct is embedded in.
    fn seen_from(&self, head: u32, pattern: u32) -> bool {
        let own = self.scopes[..pattern as usize]
            .iter()
            .rposition(|s| s.in_field)
            .map_or(0, |i| i + 1);
        let mut entry = &self.entries[head as usize];
        while entry.scope > pattern {
            entry = &self.entries[entry.outer as usize];
        }
        entry.scope as usize > own
    }

    /// Declares the members of a struct or file, then looks into them.
    fn members(&mut self, decls: Decls) {
        let tree = self.tree;
        for id in tree.decl_list(decls) {
            match tree.decl(*id) {
                Decl::Field(f) => self.declare_field(&f),
                Decl::Let { name, let_pos, .. } => self.insert(name.name, Kind::Alias, let_pos),
                _ => {}
            }
        }
        for id in tree.decl_list(decls) {
            self.member(*id);
        }
    }

    fn declare_field(&mut self, f: &Field) {
        let tree = self.tree;
        let pos = tree.pos(f.label);
        let mut label = tree.expr(f.label);
        if let Expr::Alias(a) = label {
            if !matches!(tree.expr(a.expr), Expr::List { .. }) {
                self.insert(a.name, Kind::Alias, pos);
            }
            label = tree.expr(a.expr);
        }
        let pattern = matches!(label, Expr::List { .. });
        if let Some(alias) = tree.extra(f).alias {
            self.check_postfix(f, &alias);
            if !pattern {
                for ident in alias.label.into_iter().chain([alias.field]) {
                    if !self.names.is_blank(ident.name) {
                        self.insert(ident.name, Kind::Alias, pos);
                    }
                }
            }
        }
        if let Expr::Ident(name) = label {
            let at = tree.pos(f.value);
            self.insert(name, Kind::Field, at);
        }
    }

    fn check_postfix(&mut self, f: &Field, alias: &super::tree::PostfixAlias) {
        let blank = |n: Name| self.names.is_blank(n);
        let text = match alias.label {
            None if blank(alias.field.name) => {
                "single postfix alias \"_\" field cannot be the blank identifier"
            }
            Some(l) if blank(l.name) && blank(alias.field.name) => {
                "both label and field in postfix alias cannot be the blank identifier"
            }
            _ => match self.tree.expr(f.label) {
                Expr::Alias(a) => match self.tree.expr(a.expr) {
                    Expr::List { .. } => {
                        "pattern constraint has both label alias and postfix alias"
                    }
                    _ => "field has both label alias and postfix alias",
                },
                _ => return,
            },
        };
        self.error(alias.tilde, text.to_owned());
    }

    fn member(&mut self, id: DeclId) {
        match self.tree.decl(id) {
            Decl::Field(f) => self.field(&f),
            Decl::Let { name, value, .. } => self.let_value(name.name, value),
            Decl::Embed(value) => self.walk(value),
            Decl::Comprehension(e) => self.walk(e),
            _ => {}
        }
    }

    /// The value of a let: its own name means nothing there, or something further out.
    fn let_value(&mut self, name: Name, value: ExprId) {
        let head = self.heads[name.0 as usize];
        let own = head != 0 && self.entries[head as usize].scope as usize == self.scopes.len();
        if own {
            self.heads[name.0 as usize] = self.entries[head as usize].outer;
        }
        let at = self.scopes.len() - 1;
        self.scopes[at].in_field = true;
        self.walk(value);
        self.scopes[at].in_field = false;
        if own {
            self.heads[name.0 as usize] = head;
        }
    }

    fn field(&mut self, f: &Field) {
        let tree = self.tree;
        let depth = self.scopes.len();
        let (label, outer_alias) = match tree.expr(f.label) {
            Expr::Alias(a) => (a.expr, Some(a.name)),
            _ => (f.label, None),
        };
        match tree.expr(label) {
            Expr::Paren(..) | Expr::Interpolation(_) => self.walk(label),
            Expr::List { items, .. } => self.pattern(f, outer_alias, tree.list(items)),
            _ => {}
        }
        let mut value = f.value;
        if let Expr::Alias(a) = tree.expr(value) {
            self.push_scope();
            let pos = tree.pos(value);
            self.insert(a.name, Kind::Alias, pos);
            value = a.expr;
        }
        if let Some(scope) = self.scopes.last_mut() {
            let before = std::mem::replace(&mut scope.in_field, true);
            let at = self.scopes.len() - 1;
            self.walk(value);
            self.scopes[at].in_field = before;
        }
        self.pop_scopes(depth);
    }

    fn pattern(&mut self, f: &Field, outer_alias: Option<Name>, items: &[ExprId]) {
        let [item] = items else { return };
        let tree = self.tree;
        self.push_scope();
        let pos = tree.pos(f.label);
        if let Some(name) = outer_alias {
            self.insert(name, Kind::Alias, pos);
        }
        let mut pattern = *item;
        if let Expr::Alias(a) = tree.expr(pattern) {
            let at = tree.pos(a.expr);
            self.insert(a.name, Kind::Alias, at);
            pattern = a.expr;
        }
        if let Some(alias) = tree.extra(f).alias {
            for ident in alias.label.into_iter().chain([alias.field]) {
                if self.names.get(ident.name) != "_" {
                    self.insert(ident.name, Kind::Alias, pos);
                }
            }
        }
        let own = self.scopes.len() as u32;
        let before = self.in_label.replace(own);
        self.walk(pattern);
        self.in_label = before;
    }

    fn walk(&mut self, id: ExprId) {
        // Chains of fields and of operators are walked in a loop; everything else nests.
        match self.tree.expr(id) {
            Expr::Ident(name) => self.refer(name, self.tree.pos(id)),
            Expr::Literal(..) | Expr::Bad | Expr::Bottom | Expr::Ellipsis(None) => {}
            Expr::Binary(..) => self.binary(id),
            _ => stacker::maybe_grow(64 << 10, 2 << 20, || self.nested(id)),
        }
    }

    /// The operands of a left-deep chain, first to last.
    fn binary(&mut self, id: ExprId) {
        let mut rights = Vec::new();
        let mut x = id;
        while let Expr::Binary(_, left, right, _) = self.tree.expr(x) {
            rights.push(right);
            x = left;
        }
        self.walk(x);
        while let Some(right) = rights.pop() {
            self.walk(right);
        }
    }

    fn nested(&mut self, id: ExprId) {
        let tree = self.tree;
        match tree.expr(id) {
            Expr::Interpolation(list) | Expr::List { items: list, .. } => self.all(tree.list(list)),
            Expr::Struct { decls, .. } => self.scope(|b| b.members(decls)),
            Expr::Comprehension {
                clauses,
                body,
                orelse,
            } => {
                let depth = self.scopes.len();
                for (_, clause) in tree.clause_list(clauses) {
                    self.clause(&clause);
                }
                self.walk(body);
                self.pop_scopes(depth);
                if let Some(part) = tree.else_part(orelse) {
                    self.walk(part.body);
                }
            }
            Expr::Alias(a) => self.walk(a.expr),
            Expr::Ellipsis(Some(x))
            | Expr::Unary(_, x)
            | Expr::Paren(x, _)
            | Expr::Open(x, _)
            | Expr::Optional(x, _) => self.walk(x),
            Expr::Selector(x, sel) => {
                self.walk(x);
                // In a pattern even a selected name counts as one that could match.
                if self.in_label.is_some() {
                    self.walk(sel);
                }
            }
            Expr::Index(x, i, _) => self.all(&[x, i]),
            Expr::Slice { x, ends, .. } => {
                self.walk(x);
                for i in tree.ends(ends).into_iter().flatten() {
                    self.walk(i);
                }
            }
            Expr::Call { fun, args, .. } => {
                self.walk(fun);
                self.all(tree.args(args));
            }
            _ => {}
        }
    }

    fn all(&mut self, list: &[ExprId]) {
        for id in list {
            self.walk(*id);
        }
    }

    fn clause(&mut self, clause: &Clause) {
        match clause {
            Clause::If { cond, .. } => self.walk(*cond),
            Clause::For {
                key, value, source, ..
            } => {
                self.walk(*source);
                self.push_scope();
                for ident in key.iter().chain([value]) {
                    self.insert(ident.name, Kind::Field, ident.pos);
                }
            }
            Clause::Let { name, value, .. }
            | Clause::Try {
                binding: Some((name, value)),
                ..
            } => {
                self.walk(*value);
                self.push_scope();
                self.insert(name.name, Kind::Field, name.pos);
            }
            Clause::Try { binding: None, .. } => {}
        }
    }
}
