//! Definition mode: a value as a file that means the same, with its package clause and comments.

use super::printer::Printer;
use crate::eval::kind::Kind;
use crate::eval::value::Data;
use crate::eval::vertex::{Item, VId};
use crate::syntax::names::Names;
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{
    self, CommentGroup, Constraint, Decl, DeclId, ExprId, Ident, NodeId, Tree,
};

/// A comment group on its way from a source to the printed file.
struct Group {
    doc: bool,
    group: CommentGroup,
    lines: Vec<String>,
}

impl Printer<'_> {
    /// A value in definition mode, not yet a file.
    pub(super) fn definition(&mut self, v: VId) -> ExprId {
        self.start(v);
        let closed = self.ev.vx(v).closed_recursive();
        if !closed {
            return self.merged_vertex(v);
        }
        self.in_definition += 1;
        let x = self.merged_vertex(v);
        self.in_definition -= 1;
        if self.embeds_definition(x) || !self.is_struct(v) {
            return x;
        }
        // the value is one of a definition, which only a definition can say
        let name = self.ident("_#def");
        let embedded = self.out.embed(name);
        let label = self.ident("_#def");
        let attrs = self.out.attrs(&[]);
        let field = self.out.field(label, Constraint::None, x, attrs);
        self.out.structure(&[embedded, field])
    }

    fn is_struct(&self, v: VId) -> bool {
        let v = self.ev.deref(v);
        match self.ev.vx(v).base.data {
            Data::Struct => true,
            Data::Kind(k) => k == Kind::STRUCT,
            _ => false,
        }
    }

    fn embeds_definition(&self, x: ExprId) -> bool {
        let tree::Expr::Struct { decls, .. } = self.out.tree.expr(x) else {
            return false;
        };
        self.out.tree.decl_list(decls).iter().any(|d| {
            matches!(self.out.tree.decl(*d), Decl::Embed(x)
                if names_definition(&self.out.tree, &self.ev.names, x))
        })
    }

    /// The package clause of the files a value was made of, and their comments.
    pub(super) fn head(&mut self, v: VId) -> Option<DeclId> {
        let mut name = None;
        let mut of_clause: Vec<Group> = Vec::new();
        let mut of_file: Vec<Group> = Vec::new();
        for c in &self.ev.vx(v).conjuncts {
            let Item::Expr(x) = c.item else { continue };
            let Some(tree) = self.ev.file_of_literal(x) else {
                continue;
            };
            let package = tree.package().map(|p| p.name);
            name = package.filter(|n| self.ev.names.get(*n) != "_").or(name);
            let (docs, rest) = file_comments(tree);
            of_clause.extend(docs);
            of_file.extend(rest);
        }
        let Some(name) = name.or_else(|| {
            let clause = self.profile.clause.as_ref()?;
            Some(self.ev.names.intern(clause))
        }) else {
            of_file.extend(of_clause);
            // without a clause the documentation is the file's
            self.comments(NodeId::File, merged(of_file));
            return None;
        };
        let pos = Pos::wish(Rel::NewSection);
        let ident = Ident {
            name,
            pos: Pos::NONE,
        };
        let clause = self.out.decl(Decl::Package { pos, name: ident });
        self.comments(NodeId::File, of_file);
        self.comments(NodeId::Decl(clause), merged(of_clause));
        Some(clause)
    }

    fn comments(&mut self, node: NodeId, groups: Vec<Group>) {
        for g in groups {
            let rel = g.group.list.first().map_or(Rel::None, |c| c.pos.rel());
            let group = CommentGroup {
                doc: g.doc,
                list: Vec::new(),
                ..g.group
            };
            self.out.comment(node, &g.lines, rel, group);
        }
    }
}

/// Comments of the package clause, which begin a section, and those of the file.
fn file_comments(tree: &Tree) -> (Vec<Group>, Vec<Group>) {
    let take = |node: NodeId| -> Vec<Group> {
        let groups = tree.comments(node).iter();
        groups
            .map(|g| Group {
                doc: g.doc,
                group: g.clone(),
                lines: g
                    .list
                    .iter()
                    .map(|c| tree.text(c.text).to_owned())
                    .collect(),
            })
            .collect()
    };
    let clause = tree
        .decl_list(tree.decls)
        .iter()
        .find(|d| matches!(tree.decl(**d), Decl::Package { .. }));
    let mut docs = clause.map_or(Vec::new(), |d| take(NodeId::Decl(*d)));
    let mut rest = Vec::new();
    for g in take(NodeId::File) {
        if g.doc {
            docs.push(g);
        } else {
            rest.push(g);
        }
    }
    if clause.is_none() && docs.is_empty() && !rest.is_empty() {
        let mut first = rest.remove(0);
        first.doc = true;
        docs.push(first);
    }
    for g in &mut docs {
        if let Some(first) = g.group.list.first_mut() {
            first.pos = Pos::wish(Rel::NewSection);
        }
    }
    (docs, rest)
}

/// Documentation of several files as one group, in front of the other comments.
fn merged(groups: Vec<Group>) -> Vec<Group> {
    if groups.len() <= 1 || !groups.iter().any(|g| g.doc) {
        return groups;
    }
    let mut doc: Option<Group> = None;
    let mut rest = Vec::new();
    for g in groups {
        match (&mut doc, g.doc) {
            (_, false) => rest.push(g),
            (None, true) => doc = Some(g),
            (Some(all), true) => {
                all.lines.push("//".to_owned());
                all.lines.extend(g.lines);
            }
        }
    }
    doc.into_iter().chain(rest).collect()
}

/// Whether an expression is a reference through or to a definition.
fn names_definition(tree: &Tree, names: &Names, x: ExprId) -> bool {
    let is = |x: ExprId| match tree.expr(x) {
        tree::Expr::Ident(name) => {
            let name = names.get(name);
            name.starts_with('#') || name.starts_with("_#")
        }
        _ => false,
    };
    let mut x = x;
    loop {
        match tree.expr(x) {
            tree::Expr::Selector(_, sel) if is(sel) => return true,
            tree::Expr::Selector(inner, _) | tree::Expr::Index(inner, ..) => x = inner,
            _ => return is(x),
        }
    }
}
