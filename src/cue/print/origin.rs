//! What the syntax trees still know of the program: attributes, comments, names as they were
//! written.

use super::build::doc_group;
use super::printer::Printer;
use crate::eval::context::Evaluator;
use crate::eval::program::{Clause, Comprehension, DId, Decl, Expr, SId, XId};
use crate::eval::value::Val;
use crate::eval::vertex::{EnvId, Item, VId};
use crate::syntax::source::Rel;
use crate::syntax::tree::{
    self, CommentGroup, Decl as TreeDecl, DeclId, Field, LitKind, NodeId, Tree,
};

impl Evaluator {
    /// The texts of the attributes of a field, without repetitions.
    pub(super) fn field_attribute_texts(&self, v: VId) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for c in &self.vx(v).conjuncts {
            if let Item::Decl(d) = c.item {
                for text in self.attributes_of_decl(d) {
                    if !out.contains(&text) {
                        out.push(text);
                    }
                }
            }
        }
        out
    }

    /// The texts of the attributes that stand as members of the literals of a struct.
    pub(super) fn member_attributes(&self, v: VId) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for info in &self.vx(v).structs {
            for text in self.attributes_of_literal(info.lit) {
                if !out.contains(&text) {
                    out.push(text);
                }
            }
        }
        out
    }

    fn tree_field(&self, d: DId) -> Option<(&Tree, DeclId, Field)> {
        let (source, id) = self.program.decl_origin(d)?;
        match source.tree.decl(id) {
            TreeDecl::Field(f) => Some((&source.tree, id, f)),
            _ => None,
        }
    }

    pub(super) fn attributes_of_decl(&self, d: DId) -> Vec<String> {
        let Some((tree, _, field)) = self.tree_field(d) else {
            return Vec::new();
        };
        let attrs = tree.extra(&field).attrs;
        tree.attr_list(attrs)
            .map(|(_, a)| tree.text(a.text).to_owned())
            .collect()
    }

    /// Attributes among the members of a struct literal or file.
    pub(super) fn attributes_of_literal(&self, s: SId) -> Vec<String> {
        let Some((tree, list)) = self.literal_members(s) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for d in list {
            if let TreeDecl::Attribute(a) = tree.decl(*d) {
                out.push(tree.text(tree.attr(a).text).to_owned());
            }
        }
        out
    }

    /// The members of a literal in the tree, found through one of its own.
    fn literal_members(&self, s: SId) -> Option<(&Tree, &[DeclId])> {
        let lit = self.program.struct_lit(s);
        let (tree, node) = self.literal_origin(s)?;
        if lit.is_file {
            return Some((tree, tree.decl_list(tree.decls)));
        }
        match tree.expr(node?) {
            tree::Expr::Struct { decls, .. } => Some((tree, tree.decl_list(decls))),
            _ => None,
        }
    }

    /// The tree a literal is in, and its node; found by its place.
    fn literal_origin(&self, s: SId) -> Option<(&Tree, Option<tree::ExprId>)> {
        let lit = self.program.struct_lit(s);
        let file = self.sources.file_of(lit.pos).or_else(|| {
            let first = self.program.struct_decls(s).first()?;
            self.sources.file_of(self.program.decl_pos(*first))
        })?;
        let tree = &self
            .program
            .trees
            .iter()
            .find(|t| t.tree.file == Some(file))?
            .tree;
        if lit.is_file {
            return Some((tree, None));
        }
        let node = (0..tree.expr_count() as u32).map(tree::ExprId).find(|x| {
            tree.pos(*x) == lit.pos && matches!(tree.expr(*x), tree::Expr::Struct { .. })
        });
        Some((tree, node))
    }

    /// The file that a literal is the members of.
    pub(super) fn file_of_literal(&self, x: XId) -> Option<&Tree> {
        let Expr::Struct(s) = self.program.expr(x) else {
            return None;
        };
        let (_, tree) = self.program.files.iter().find(|f| f.0 == s)?;
        Some(&self.program.trees.get(*tree as usize)?.tree)
    }

    /// Attributes among the members of the struct literal or file that an expression is.
    pub(super) fn attributes_of_struct(&self, x: XId) -> Vec<String> {
        let mut out = Vec::new();
        let list = match (self.file_of_literal(x), self.program.origin(x)) {
            (Some(tree), _) => Some((tree, tree.decls)),
            (None, Some((source, node))) => match source.tree.expr(node) {
                tree::Expr::Struct { decls, .. } => Some((&*source.tree, decls)),
                _ => None,
            },
            _ => None,
        };
        let Some((tree, decls)) = list else {
            return out;
        };
        for d in tree.decl_list(decls) {
            match tree.decl(*d) {
                TreeDecl::Attribute(a) => out.push(tree.text(tree.attr(a).text).to_owned()),
                // what stands before these is of the file and not of its value
                TreeDecl::Package { .. } | TreeDecl::Import(_) => out.clear(),
                _ => {}
            }
        }
        out
    }

    /// The old style alias of the label of a field, and the label as it was written; no text for
    /// what is no plain label.
    pub(super) fn label_alias(&self, d: DId) -> Option<(String, Option<(LitKind, String)>)> {
        let (tree, _, f) = self.tree_field(d)?;
        let tree::Expr::Alias(a) = tree.expr(f.label) else {
            return None;
        };
        let label = match tree.expr(a.expr) {
            tree::Expr::Literal(kind, text) => Some((kind, tree.text(text).to_owned())),
            _ => None,
        };
        Some((self.names.get(a.name).to_owned(), label))
    }

    /// The alias of the value of a field.
    pub(super) fn value_alias(&self, d: DId) -> Option<String> {
        let (tree, _, f) = self.tree_field(d)?;
        match tree.expr(f.value) {
            tree::Expr::Alias(a) => Some(self.names.get(a.name).to_owned()),
            _ => None,
        }
    }

    /// Doc comments that stand at a declaration itself.
    pub(super) fn own_docs(&self, d: DId) -> Vec<Doc> {
        let Some((source, id)) = self.program.decl_origin(d) else {
            return Vec::new();
        };
        let node = match (self.program.decl(d), source.tree.decl(id)) {
            (Decl::Embed(x), _) => match self.program.origin(x) {
                Some((_, node)) => NodeId::Expr(node),
                None => return Vec::new(),
            },
            (_, TreeDecl::Comprehension(x)) => NodeId::Expr(x),
            _ => NodeId::Decl(id),
        };
        groups(&source.tree, node)
    }

    /// The texts of the doc comments of a field, without their marks; equal ones once.
    pub(crate) fn doc_texts(&self, v: VId) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for c in &self.vx(v).conjuncts {
            let Item::Decl(d) = c.item else { continue };
            for doc in self.docs_of(d, true) {
                let text = doc.text();
                if !out.contains(&text) {
                    out.push(text);
                }
            }
        }
        out
    }

    /// The name a reference was written with.
    pub(super) fn written_name(&self, x: XId) -> Option<String> {
        let (source, node) = self.program.origin(x)?;
        match source.tree.expr(node) {
            tree::Expr::Ident(name) => Some(self.names.get(name).to_owned()),
            _ => None,
        }
    }

    /// The white space before each clause of a comprehension.
    pub(super) fn clause_spaces(&self, c: &Comprehension) -> Vec<Rel> {
        let clauses = self.program.clause_list(c.clauses);
        clauses
            .iter()
            .map(|clause| match clause {
                Clause::For { pos, .. }
                | Clause::If { pos, .. }
                | Clause::Let { pos, .. }
                | Clause::Try { pos, .. } => pos.rel(),
            })
            .collect()
    }

    /// Whether a `for` clause was written with a key, maybe a blank one.
    pub(super) fn names_key(&self, c: &Comprehension, i: usize) -> bool {
        let (file, node) = c.node;
        let Some(source) = self.program.trees.get(file as usize) else {
            return false;
        };
        let tree::Expr::Comprehension { clauses, .. } = source.tree.expr(node) else {
            return false;
        };
        let clause = source.tree.clause_list(clauses).nth(i);
        matches!(clause, Some((_, tree::Clause::For { key: Some(_), .. })))
    }

    /// Doc comments of a comprehension, and of each of its clauses.
    pub(super) fn comprehension_docs(&self, c: &Comprehension) -> (Vec<Doc>, Vec<Vec<Doc>>) {
        let (file, node) = c.node;
        let Some(source) = self.program.trees.get(file as usize) else {
            return Default::default();
        };
        let tree::Expr::Comprehension { clauses, .. } = source.tree.expr(node) else {
            return Default::default();
        };
        let clauses = source.tree.clause_list(clauses);
        (
            groups(&source.tree, NodeId::Expr(node)),
            clauses
                .map(|(id, _)| groups(&source.tree, NodeId::Clause(id)))
                .collect(),
        )
    }

    /// An expression evaluated in an environment, for printing only; its default if wanted.
    pub(super) fn evaluate_in(&mut self, env: EnvId, x: XId, default: bool) -> Val {
        match self.program.expr(x) {
            Expr::Val(v) => v,
            _ => {
                let info = Default::default();
                let conjunct = crate::eval::vertex::Conjunct {
                    item: Item::Expr(x),
                    env,
                    info,
                };
                let v = self.inline_vertex([conjunct]);
                self.finalize(v);
                let value = self.value(v);
                if default {
                    self.plain_default(value)
                } else {
                    value
                }
            }
        }
    }

    /// The doc comments of a field; with `chain`, those of `a: b: c` above it, too, for the
    /// innermost.
    fn docs_of(&self, d: DId, chain: bool) -> Vec<Doc> {
        let Some((tree, id, field)) = self.tree_field(d) else {
            return Vec::new();
        };
        if is_chain(tree, &field) {
            return Vec::new();
        }
        let mut out = groups(tree, NodeId::Decl(id));
        if !chain {
            return out;
        }
        let mut inner = id;
        while let Some(outer) = chain_parent(tree, inner) {
            out.extend(groups(tree, NodeId::Decl(outer)));
            inner = outer;
        }
        out
    }
}

/// A doc comment: its lines, and where in the declaration it stands.
pub(super) struct Doc {
    lines: Vec<String>,
    position: u8,
    rel: Rel,
}

impl Doc {
    /// The lines without marks, without empty ones around them and without two in a row.
    fn text(&self) -> String {
        let mut out: Vec<&str> = Vec::new();
        for line in &self.lines {
            let line = line.strip_prefix("//").unwrap_or(line);
            let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
            if !line.is_empty() || out.last().is_some_and(|l| !l.is_empty()) {
                out.push(line);
            }
        }
        out.join("\n").trim_end().to_owned()
    }
}

fn groups(tree: &Tree, node: NodeId) -> Vec<Doc> {
    let docs = tree.comments(node).iter().filter(|g| g.doc);
    docs.map(|g| Doc {
        lines: g
            .list
            .iter()
            .map(|c| tree.text(c.text).to_owned())
            .collect(),
        position: g.position,
        rel: g.list.first().map_or(Rel::Newline, |c| c.pos.rel()),
    })
    .collect()
}

/// The only field of a struct without braces.
fn chained(tree: &Tree, field: &Field) -> Option<DeclId> {
    let tree::Expr::Struct {
        decls,
        braces: false,
        ..
    } = tree.expr(field.value)
    else {
        return None;
    };
    match tree.decl_list(decls) {
        [one] if matches!(tree.decl(*one), TreeDecl::Field(_)) => Some(*one),
        _ => None,
    }
}

/// Whether a field is the outer part of `a: b: c` with a plain label inside.
fn is_chain(tree: &Tree, field: &Field) -> bool {
    let Some(TreeDecl::Field(inner)) = chained(tree, field).map(|d| tree.decl(d)) else {
        return false;
    };
    matches!(
        tree.expr(inner.label),
        tree::Expr::Ident(_) | tree::Expr::Literal(..)
    )
}

/// The field whose value is the struct without braces that holds a field.
fn chain_parent(tree: &Tree, inner: DeclId) -> Option<DeclId> {
    // the outer field of a chain is made right after its value, hence close behind
    let count = tree.decl_nodes.len() as u32;
    (inner.0 + 1..count.min(inner.0 + 8))
        .map(DeclId)
        .find(|d| match tree.decl(*d) {
            TreeDecl::Field(f) => chained(tree, &f) == Some(inner) && is_chain(tree, &f),
            _ => false,
        })
}

impl Printer<'_> {
    /// The doc comments of all declarations of a vertex.
    pub(super) fn doc_comments(&mut self, v: VId, node: NodeId) {
        let decls: Vec<DId> = self
            .ev
            .vx(v)
            .conjuncts
            .iter()
            .filter_map(|c| match c.item {
                Item::Decl(d) => Some(d),
                _ => None,
            })
            .collect();
        self.doc_comments_of(&decls, node, true);
    }

    /// The doc comments of declarations; equal ones once.
    pub(super) fn doc_comments_of(&mut self, decls: &[DId], node: NodeId, chain: bool) {
        let mut seen: Vec<Doc> = Vec::new();
        for d in decls {
            if !matches!(self.ev.program.decl(*d), Decl::Field { .. }) {
                continue;
            }
            for doc in self.ev.docs_of(*d, chain) {
                if !seen.iter().any(|s| s.lines == doc.lines) {
                    seen.push(doc);
                }
            }
        }
        self.put_docs(seen, node);
    }

    /// Attaches doc comments to a node.
    pub(super) fn put_docs(&mut self, docs: Vec<Doc>, node: NodeId) {
        for doc in docs {
            let group = CommentGroup {
                position: doc.position,
                ..doc_group()
            };
            self.out.comment(node, &doc.lines, doc.rel, group);
        }
    }
}
