//! Made-up syntax trees: nodes without place, children before parents.

use crate::syntax::literal::push_quoted;
use crate::syntax::names::Names;
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{
    Alias, AttrId, Attribute, Attrs, Clause, ClauseId, Clauses, Comment, CommentGroup, Constraint,
    Decl, DeclId, Decls, Else, ElseKind, Expr, ExprId, Exprs, Field, FieldExtra, Ident, Import,
    ImportSpec, ListCommas, LitKind, NodeId, Op, Run, Specs, Text, Tree,
};
use std::num::NonZeroU32;

/// A tree under construction.
#[derive(Debug, Default)]
pub(super) struct Build {
    pub(super) tree: Tree,
}

impl Build {
    pub(super) fn text(&mut self, text: &str) -> Text {
        let start = (self.tree.source.len() + self.tree.own.len()) as u32;
        self.tree.own.push_str(text);
        Text {
            start,
            len: text.len() as u32,
        }
    }

    pub(super) fn expr(&mut self, expr: Expr) -> ExprId {
        self.expr_at(expr, Pos::NONE)
    }

    pub(super) fn expr_at(&mut self, expr: Expr, pos: Pos) -> ExprId {
        self.tree.exprs.push(expr);
        self.tree.expr_pos.push(pos);
        ExprId(self.tree.exprs.len() as u32 - 1)
    }

    pub(super) fn decl(&mut self, decl: Decl) -> DeclId {
        self.tree.decl_nodes.push(decl);
        DeclId(self.tree.decl_nodes.len() as u32 - 1)
    }

    pub(super) fn exprs(&mut self, list: &[ExprId]) -> Exprs {
        let start = self.tree.expr_lists.len() as u32;
        self.tree.expr_lists.extend_from_slice(list);
        Exprs(Run {
            start,
            len: list.len() as u32,
        })
    }

    pub(super) fn decls(&mut self, list: &[DeclId]) -> Decls {
        let start = self.tree.decl_lists.len() as u32;
        self.tree.decl_lists.extend_from_slice(list);
        Decls(Run {
            start,
            len: list.len() as u32,
        })
    }

    pub(super) fn clauses(&mut self, list: Vec<Clause>) -> Clauses {
        let start = self.tree.clauses.len() as u32;
        self.tree.clauses.extend(list);
        let ids = (start..self.tree.clauses.len() as u32).map(ClauseId);
        self.tree.push_clauses(&ids.collect::<Vec<_>>())
    }

    pub(super) fn attrs(&mut self, texts: &[String]) -> Attrs {
        let start = self.tree.attrs.len() as u32;
        for text in texts {
            let text = self.text(text);
            self.tree.attrs.push(Attribute {
                pos: Pos::NONE,
                text,
            });
        }
        Attrs(Run {
            start,
            len: texts.len() as u32,
        })
    }

    /// An attribute as a member; `rel` is the white space before it.
    pub(super) fn attribute(&mut self, text: &str, rel: Rel) -> (DeclId, AttrId) {
        let attrs = self.attrs(&[text.to_owned()]);
        let id = AttrId(attrs.0.start);
        self.tree.attrs[id.0 as usize].pos = Pos::wish(rel);
        (self.decl(Decl::Attribute(id)), id)
    }

    pub(super) fn ident(&mut self, names: &mut Names, name: &str) -> ExprId {
        let name = names.intern(name);
        self.expr(Expr::Ident(name))
    }

    pub(super) fn literal(&mut self, kind: LitKind, text: &str) -> ExprId {
        let text = self.text(text);
        self.expr(Expr::Literal(kind, text))
    }

    /// A string on one line.
    pub(super) fn string(&mut self, content: &str) -> ExprId {
        let from = self.tree.own.len();
        push_quoted(&mut self.tree.own, content);
        let text = Text {
            start: (self.tree.source.len() + from) as u32,
            len: (self.tree.own.len() - from) as u32,
        };
        self.expr(Expr::Literal(LitKind::String, text))
    }

    pub(super) fn unary(&mut self, op: Op, x: ExprId) -> ExprId {
        self.expr(Expr::Unary(op, x))
    }

    /// A chain of one operator, the left operand innermost; parentheses where an operand needs
    /// them.
    pub(super) fn chain(&mut self, op: Op, operands: &[ExprId]) -> Option<ExprId> {
        let (first, rest) = operands.split_first()?;
        let mut left = *first;
        for right in rest {
            left = self.binary(op, left, *right);
        }
        Some(left)
    }

    pub(super) fn binary(&mut self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        // A struct lies where its first member does: a comprehension keeps its line.
        if let Expr::Struct { decls, .. } = self.tree.expr(b)
            && let Some(first) = self.tree.decl_list(decls).first()
            && let Decl::Comprehension(x) = self.tree.decl(*first)
        {
            self.tree.expr_pos[b.0 as usize] = Pos::wish(self.tree.pos(x).rel());
        }
        self.expr(Expr::Binary(op, a, b, Pos::NONE))
    }

    pub(super) fn paren(&mut self, x: ExprId) -> ExprId {
        self.expr(Expr::Paren(x, Pos::NONE))
    }

    pub(super) fn structure(&mut self, list: &[DeclId]) -> ExprId {
        let decls = self.decls(list);
        self.expr(Expr::Struct {
            decls,
            braces: true,
            rbrace: Pos::NONE,
        })
    }

    pub(super) fn list(&mut self, items: &[ExprId]) -> ExprId {
        let items = self.exprs(items);
        self.expr(Expr::List {
            items,
            commas: ListCommas::All,
            rbrack: Pos::NONE,
        })
    }

    pub(super) fn call(&mut self, fun: ExprId, args: &[ExprId]) -> ExprId {
        let args = self.tree.push_args(args);
        self.expr(Expr::Call {
            fun,
            args,
            rparen: Pos::NONE,
        })
    }

    pub(super) fn index(&mut self, x: ExprId, index: ExprId) -> ExprId {
        self.expr(Expr::Index(x, index, Pos::NONE))
    }

    pub(super) fn embed(&mut self, x: ExprId) -> DeclId {
        self.decl(Decl::Embed(x))
    }

    pub(super) fn field(
        &mut self,
        label: ExprId,
        constraint: Constraint,
        value: ExprId,
        attrs: Attrs,
    ) -> DeclId {
        let extra = if attrs.0.is_empty() {
            0
        } else {
            self.tree.extras.push(FieldExtra { alias: None, attrs });
            self.tree.extras.len() as u32
        };
        self.decl(Decl::Field(Field {
            label,
            constraint,
            colon: Pos::NONE,
            value,
            extra,
        }))
    }

    /// Puts an old style alias around the label of a field that has none.
    pub(super) fn alias_label(&mut self, names: &mut Names, field: DeclId, name: &str) {
        let Decl::Field(mut f) = self.tree.decl(field) else {
            return;
        };
        if matches!(self.tree.expr(f.label), Expr::Alias(_)) {
            return;
        }
        let name = names.intern(name);
        f.label = self.expr(Expr::Alias(Alias {
            name,
            equal: Pos::NONE,
            expr: f.label,
        }));
        self.tree.decl_nodes[field.0 as usize] = Decl::Field(f);
    }

    pub(super) fn alias(&mut self, names: &mut Names, name: &str, expr: ExprId) -> ExprId {
        let name = names.intern(name);
        self.expr(Expr::Alias(Alias {
            name,
            equal: Pos::NONE,
            expr,
        }))
    }

    pub(super) fn let_clause(
        &mut self,
        names: &mut Names,
        name: &str,
        value: ExprId,
        rel: Rel,
    ) -> DeclId {
        let name = Ident {
            name: names.intern(name),
            pos: Pos::NONE,
        };
        let let_pos = Pos::wish(rel);
        self.decl(Decl::Let {
            let_pos,
            name,
            equal: Pos::NONE,
            value,
        })
    }

    pub(super) fn else_part(&mut self, kind: ElseKind, body: ExprId) -> Option<NonZeroU32> {
        self.tree.elses.push(Else {
            kind,
            pos: Pos::NONE,
            body,
        });
        NonZeroU32::new(self.tree.elses.len() as u32)
    }

    /// An import declaration of paths, each with a name or none; a block where there are several.
    pub(super) fn imports(
        &mut self,
        names: &mut Names,
        list: &[(Option<String>, String)],
    ) -> DeclId {
        let start = self.tree.specs.len() as u32;
        for (name, path) in list {
            let name = name.as_ref().map(|n| Ident {
                name: names.intern(n),
                pos: Pos::NONE,
            });
            let path = self.text(&crate::syntax::literal::quote_string(path));
            let path_pos = Pos::wish(Rel::None);
            self.tree.specs.push(ImportSpec {
                name,
                path,
                path_pos,
            });
        }
        let specs = Specs(Run {
            start,
            len: list.len() as u32,
        });
        let (lparen, rparen) = if list.len() > 1 {
            (Pos::wish(Rel::Blank), Pos::wish(Rel::Newline))
        } else {
            (Pos::NONE, Pos::NONE)
        };
        self.decl(Decl::Import(Import {
            pos: Pos::wish(Rel::NewSection),
            lparen,
            specs,
            rparen,
        }))
    }

    /// Attaches comment lines (with their slashes) to a node; `rel` is the white space before the
    /// first.
    pub(super) fn comment(
        &mut self,
        node: NodeId,
        lines: &[String],
        rel: Rel,
        group: CommentGroup,
    ) {
        let list = lines
            .iter()
            .enumerate()
            .map(|(i, line)| {
                let pos = Pos::wish(if i == 0 { rel } else { Rel::Newline });
                Comment {
                    pos,
                    text: self.text(line),
                }
            })
            .collect();
        let group = CommentGroup { list, ..group };
        self.tree.comments.entry(node).or_default().push(group);
    }
}

/// A group of comments that stands above its node.
pub(super) fn doc_group() -> CommentGroup {
    CommentGroup {
        doc: true,
        line: false,
        position: 0,
        list: Vec::new(),
    }
}

/// A group of comments on the line of its node.
pub(super) fn line_group() -> CommentGroup {
    CommentGroup {
        doc: false,
        line: true,
        position: 2,
        list: Vec::new(),
    }
}
