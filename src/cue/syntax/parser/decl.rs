//! Declarations: fields, lets, embeddings, attributes.

use super::Parser;
use crate::syntax::source::Pos;
use crate::syntax::token::Tok;
use crate::syntax::tree::{
    AttrId, Attribute, Attrs, Constraint, Decl, DeclId, Decls, Expr, ExprId, Exprs, Field,
    FieldExtra, LitKind, NodeId, PostfixAlias, Run,
};

/// What stands at the start of a declaration.
enum Start {
    /// Something that can be a label.
    Label(ExprId),
    /// Something else.
    Expr(ExprId),
    /// A whole declaration.
    Decl(DeclId),
}

/// A field whose value is still being read.
struct Open {
    label: ExprId,
    constraint: Constraint,
    colon: Pos,
    alias: Option<PostfixAlias>,
}

impl Parser<'_> {
    /// The node comments of a declaration hang on.
    fn decl_node(&self, id: DeclId) -> NodeId {
        match self.tree.decl(id) {
            Decl::Comprehension(e) => NodeId::Expr(e),
            Decl::Attribute(a) => NodeId::Attr(a),
            _ => NodeId::Decl(id),
        }
    }

    pub(super) fn push_decl(&mut self, decl: Decl) -> DeclId {
        self.tree.push_decl(decl)
    }

    /// Declarations up to `}` or the end.
    pub(super) fn field_list(&mut self) {
        self.open_list();
        while !matches!(self.tok(), Tok::RBrace | Tok::Eof) {
            let id = match self.tok() {
                Tok::Attribute => {
                    let attr = self.attribute();
                    let id = self.push_decl(Decl::Attribute(attr));
                    self.decl_comma();
                    id
                }
                Tok::Ellipsis => {
                    let pos = self.pos();
                    self.open();
                    self.next();
                    let id = self.push_decl(Decl::Ellipsis { pos });
                    self.close(Some(NodeId::Decl(id)));
                    self.decl_comma();
                    id
                }
                _ => self.declaration(),
            };
            self.decls.push(id);
        }
        self.close_list();
    }

    pub(super) fn attribute(&mut self) -> AttrId {
        let (pos, text) = (self.pos(), self.lit_text());
        self.open();
        self.next();
        self.tree.attrs.push(Attribute { pos, text });
        let id = AttrId(self.tree.attrs.len() as u32 - 1);
        self.close(Some(NodeId::Attr(id)));
        id
    }

    fn attributes(&mut self) -> Attrs {
        self.open_list();
        let start = self.tree.attrs.len() as u32;
        while self.tok() == Tok::Attribute {
            self.attribute();
        }
        self.close_list();
        match self.tree.attrs.len() as u32 - start {
            0 => Attrs(Run::EMPTY),
            len => Attrs(Run { start, len }),
        }
    }

    fn declaration(&mut self) -> DeclId {
        self.open();
        let id = self.field_or_embedding();
        let node = self.decl_node(id);
        self.close(Some(node));
        id
    }

    fn field_or_embedding(&mut self) -> DeclId {
        let decl = match self.label(false) {
            Start::Decl(id) => return id,
            Start::Expr(x) => self.embedding(x),
            Start::Label(label) => self.labelled(label),
        };
        self.push_decl(decl)
    }

    /// What began with something that can be a label.
    fn labelled(&mut self, label: ExprId) -> Decl {
        let pos = self.tree.pos(label);
        let alias = self.postfix_alias();
        let constraint = self.constraint();
        match self.tok() {
            Tok::Colon => {}
            Tok::Comma | Tok::RBrace | Tok::Eof => {
                if self.tok() == Tok::Comma {
                    self.expect_comma();
                }
                if !matches!(self.tree.expr(label), Expr::Alias(_)) {
                    return Decl::Embed(label);
                }
                self.error_expected(self.pos(), "label or ':'");
                return Decl::Bad { pos };
            }
            _ => {
                self.error_expected(self.pos(), "label or ':'");
                return Decl::Bad { pos };
            }
        }
        let first = Open {
            label,
            constraint,
            colon: self.pos(),
            alias,
        };
        self.next();
        self.field(first)
    }

    fn embedding(&mut self, x: ExprId) -> Decl {
        if let Expr::Alias(_) = self.tree.expr(x) {
            let pos = self.pos();
            self.error_expected(pos, "label or ':'");
            self.decl_comma();
            return Decl::Bad { pos };
        }
        self.decl_comma();
        Decl::Embed(x)
    }

    /// A field from its value on; `a: b: c` makes fields of fields.
    fn field(&mut self, first: Open) -> Decl {
        let mut chain = Vec::new();
        let mut open = first;
        let value = loop {
            self.check_pattern(open.label);
            let (x, is_label) = match self.label(true) {
                Start::Label(x) => (x, true),
                Start::Expr(x) => (x, false),
                Start::Decl(_) => (self.rhs(), false),
            };
            if !is_label {
                break x;
            }
            let alias = if self.tok() == Tok::Tilde {
                self.postfix_alias()
            } else {
                None
            };
            if !matches!(self.tok(), Tok::Colon | Tok::Option | Tok::Not) {
                break x;
            }
            let constraint = self.constraint();
            let next = Open {
                label: x,
                constraint,
                colon: self.pos(),
                alias,
            };
            chain.push(std::mem::replace(&mut open, next));
            if self.tok() != Tok::Colon {
                let found = self.found();
                self.error(self.pos(), format!("expected ':', found {found}"));
                break self.push(Expr::Bad, self.pos());
            }
            self.next();
        };
        let attrs = self.attributes();
        self.decl_comma();
        let mut field = self.make_field(&open, value, attrs);
        while let Some(outer) = chain.pop() {
            let id = self.push_decl(Decl::Field(field));
            let mark = self.decls.len();
            self.decls.push(id);
            let decls: Decls = self.decls_since(mark);
            let pos = self.tree.pos(field.label);
            let body = Expr::Struct {
                decls,
                braces: false,
                rbrace: Pos::NONE,
            };
            let value = self.push(body, pos);
            field = self.make_field(&outer, value, Attrs(Run::EMPTY));
        }
        Decl::Field(field)
    }

    fn make_field(&mut self, open: &Open, value: ExprId, attrs: Attrs) -> Field {
        let extra = FieldExtra {
            alias: open.alias,
            attrs,
        };
        let extra = self.tree.push_extra(extra);
        Field {
            label: open.label,
            constraint: open.constraint,
            colon: open.colon,
            value,
            extra,
        }
    }

    fn check_pattern(&mut self, label: ExprId) {
        let label = match self.tree.expr(label) {
            Expr::Alias(a) => a.expr,
            _ => label,
        };
        if let Expr::List {
            items: Exprs(run), ..
        } = self.tree.expr(label)
            && run.len != 1
        {
            let pos = self.tree.pos(label);
            self.error(pos, "square bracket must have exactly one element");
        }
    }

    fn constraint(&mut self) -> Constraint {
        let constraint = match self.tok() {
            Tok::Option => Constraint::Optional,
            Tok::Not => Constraint::Required,
            _ => return Constraint::None,
        };
        self.next();
        constraint
    }

    /// `~X` or `~(K,V)`.
    fn postfix_alias(&mut self) -> Option<PostfixAlias> {
        if self.tok() != Tok::Tilde {
            return None;
        }
        let tilde = self.pos();
        if !self.tree.experiments.aliasv2 {
            self.error(tilde, "postfix alias syntax requires @experiment(aliasv2)");
        }
        self.next();
        match self.tok() {
            Tok::Ident => {
                let field = self.ident();
                self.check_reserved(field);
                return Some(PostfixAlias {
                    tilde,
                    label: None,
                    field,
                });
            }
            Tok::LParen => self.next(),
            _ => {
                self.error_expected(self.pos(), "identifier or '('");
                return None;
            }
        }
        if self.tok() != Tok::Ident {
            self.error_expected(self.pos(), "identifier for label alias");
            return None;
        }
        let label = self.ident();
        if self.tok() == Tok::RParen {
            self.next();
            return Some(PostfixAlias {
                tilde,
                label: None,
                field: label,
            });
        }
        self.expect(Tok::Comma);
        if self.tok() != Tok::Ident {
            self.error_expected(self.pos(), "identifier for field alias");
            return None;
        }
        let field = self.ident();
        self.expect(Tok::RParen);
        Some(PostfixAlias {
            tilde,
            label: Some(label),
            field,
        })
    }

    /// What a declaration, or after a colon maybe a further label, begins with.
    fn label(&mut self, rhs: bool) -> Start {
        let x = match self.tok() {
            Tok::For | Tok::If | Tok::Try if !rhs => match self.comprehension_decl() {
                Ok(id) => return Start::Decl(id),
                Err(word) => word,
            },
            Tok::Let => match self.let_or_word() {
                Ok(id) => return Start::Decl(id),
                Err(word) => word,
            },
            _ => self.rhs(),
        };
        match self.tree.expr(x) {
            Expr::Literal(
                LitKind::String | LitKind::Bytes | LitKind::Null | LitKind::True | LitKind::False,
                _,
            )
            | Expr::Interpolation(_)
            | Expr::Paren(..)
            | Expr::List { .. } => Start::Label(x),
            Expr::Ident(name) => self.ident_label(x, name, rhs),
            _ => Start::Expr(x),
        }
    }

    fn ident_label(&mut self, x: ExprId, name: crate::syntax::names::Name, rhs: bool) -> Start {
        let declares = matches!(
            self.tok(),
            Tok::Colon | Tok::Bind | Tok::Option | Tok::Not | Tok::Tilde
        );
        if declares && !rhs && self.names.get(name).starts_with("__") {
            let pos = self.tree.pos(x);
            self.error(pos, "identifiers starting with '__' are reserved");
        }
        let alias = self.alias_tail(x);
        match self.tree.expr(alias) {
            Expr::Alias(a) => {
                let names_label = matches!(
                    self.tree.expr(a.expr),
                    Expr::Ident(_)
                        | Expr::Literal(..)
                        | Expr::Interpolation(_)
                        | Expr::Paren(..)
                        | Expr::List { .. }
                );
                if names_label {
                    Start::Label(alias)
                } else {
                    Start::Expr(alias)
                }
            }
            _ => Start::Label(x),
        }
    }

    /// A comprehension as a declaration, or its keyword as a name.
    fn comprehension_decl(&mut self) -> Result<DeclId, ExprId> {
        self.open();
        let x = match self.comprehension_or_word() {
            Ok(x) => x,
            Err(word) => {
                self.close_expr(word);
                return Err(word);
            }
        };
        if self.at_comma("struct literal", &[Tok::RBrace, Tok::Eof]) {
            self.next();
        }
        self.close_expr(x);
        Ok(self.push_decl(Decl::Comprehension(x)))
    }

    /// A let declaration, or `let` as a name.
    fn let_or_word(&mut self) -> Result<DeclId, ExprId> {
        let let_pos = self.pos();
        self.open();
        self.next();
        if self.tok() != Tok::Ident {
            let name = self.intern("let");
            let word = self.push(Expr::Ident(name), let_pos);
            self.close_expr(word);
            return Err(word);
        }
        let name = self.ident();
        self.check_reserved(name);
        let equal = self.expect(Tok::Bind);
        let value = self.rhs();
        self.decl_comma();
        let id = self.push_decl(Decl::Let {
            let_pos,
            name,
            equal,
            value,
        });
        self.close(Some(NodeId::Decl(id)));
        Ok(id)
    }
}
