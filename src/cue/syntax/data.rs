//! Trees for data that was not written in the language: literals whose text is not in the source,
//! at places of the source.

use super::literal::{quote_bytes, quote_string};
use super::source::{FileId, Pos, Rel, Sources};
use super::tree::{
    Constraint, Decl, DeclId, Decls, Expr, ExprId, Exprs, Field, ListCommas, LitKind, Op, Run,
    Text, Tree,
};

/// Builds the tree of a document.
#[derive(Debug)]
pub struct DataBuilder {
    tree: Tree,
}

impl DataBuilder {
    /// A document of a source.
    pub fn new(sources: &Sources, file: FileId) -> DataBuilder {
        let source = sources.get(file);
        let tree = Tree {
            file: Some(file),
            base: source.base(),
            source: source.text().clone(),
            minor: 17,
            ..Tree::default()
        };
        DataBuilder { tree }
    }

    fn pos(&self, offset: usize) -> Pos {
        Pos::new(
            self.tree.base + offset.min(self.tree.source.len()) as u32,
            Rel::None,
        )
    }

    fn text(&mut self, text: &str) -> Text {
        let start = (self.tree.source.len() + self.tree.own.len()) as u32;
        self.tree.own.push_str(text);
        Text {
            start,
            len: text.len() as u32,
        }
    }

    fn literal(&mut self, kind: LitKind, text: &str, offset: usize) -> ExprId {
        let text = self.text(text);
        let pos = self.pos(offset);
        self.tree.push_expr(Expr::Literal(kind, text), pos)
    }

    /// `null`.
    pub fn null(&mut self, offset: usize) -> ExprId {
        self.literal(LitKind::Null, "null", offset)
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool, offset: usize) -> ExprId {
        let (kind, text) = if value {
            (LitKind::True, "true")
        } else {
            (LitKind::False, "false")
        };
        self.literal(kind, text, offset)
    }

    /// A number as the language writes it, maybe with a sign.
    pub fn number(&mut self, text: &str, offset: usize) -> ExprId {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let based = digits.len() > 1 && digits.as_bytes()[1].is_ascii_alphabetic();
        let float = !based && digits.contains(['.', 'e', 'E']);
        let kind = if float { LitKind::Float } else { LitKind::Int };
        let x = self.literal(kind, digits, offset + usize::from(negative));
        if !negative {
            return x;
        }
        let pos = self.pos(offset);
        self.tree.push_expr(Expr::Unary(Op::Subtract, x), pos)
    }

    /// A string.
    pub fn string(&mut self, value: &str, offset: usize) -> ExprId {
        self.literal(LitKind::String, &quote_string(value), offset)
    }

    /// Bytes.
    pub fn bytes(&mut self, value: &[u8], offset: usize) -> ExprId {
        self.literal(LitKind::Bytes, &quote_bytes(value), offset)
    }

    /// A list.
    pub fn list(&mut self, items: &[ExprId], offset: usize) -> ExprId {
        let start = self.tree.expr_lists.len() as u32;
        self.tree.expr_lists.extend_from_slice(items);
        let items = Exprs(Run {
            start,
            len: items.len() as u32,
        });
        let pos = self.pos(offset);
        let list = Expr::List {
            items,
            commas: ListCommas::All,
            rbrack: Pos::NONE,
        };
        self.tree.push_expr(list, pos)
    }

    /// A struct of regular fields, each with the place of its name.
    pub fn structure(&mut self, fields: &[(String, usize, ExprId)], offset: usize) -> ExprId {
        let ids: Vec<DeclId> = fields
            .iter()
            .map(|(n, at, v)| self.field(n, *at, *v))
            .collect();
        let decls = self.decls(&ids);
        let pos = self.pos(offset);
        self.tree.push_expr(
            Expr::Struct {
                decls,
                braces: true,
                rbrace: Pos::NONE,
            },
            pos,
        )
    }

    fn field(&mut self, name: &str, offset: usize, value: ExprId) -> DeclId {
        let label = self.string(name, offset);
        let constraint = Constraint::None;
        let colon = Pos::NONE;
        self.tree.push_decl(Decl::Field(Field {
            label,
            constraint,
            colon,
            value,
            extra: 0,
        }))
    }

    fn decls(&mut self, ids: &[DeclId]) -> Decls {
        let start = self.tree.decl_lists.len() as u32;
        self.tree.decl_lists.extend_from_slice(ids);
        Decls(Run {
            start,
            len: ids.len() as u32,
        })
    }

    /// The tree of a file that holds the value: its members if it is a struct.
    pub fn finish(mut self, root: ExprId) -> Tree {
        self.tree.root = Some(root);
        self.tree.become_file(root);
        self.tree
    }
}
