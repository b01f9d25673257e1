//! Trees for data that was not written in the language: literals whose text is not in the source,
//! at places of the source.

use super::literal::{Form, quote_bytes, quote_multi, quote_string};
use super::names::Names;
use super::source::{FileId, Pos, Rel, Sources};
use super::tree::{
    Comment, CommentGroup, Constraint, Decl, DeclId, Decls, Expr, ExprId, Exprs, Field, Import,
    ImportSpec, ListCommas, LitKind, NodeId, Op, Run, Specs, Text, Tree,
};

/// The layout of a time: a constant of the package `time`, or its text.
#[derive(Clone, Copy, Debug)]
pub enum TimeLayout<'a> {
    /// A constant.
    Named(&'a str),
    /// A text.
    Text(&'a str),
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct DataField {
    /// Its name.
    pub name: String,
    /// The place of the name.
    pub at: usize,
    /// Its value.
    pub value: ExprId,
    /// Comments above it, as the language writes them.
    pub docs: Vec<String>,
    /// Whether an empty line stands above them.
    pub apart: bool,
}

impl DataField {
    /// A field without comments.
    pub fn new(name: String, at: usize, value: ExprId) -> DataField {
        DataField {
            name,
            at,
            value,
            docs: Vec::new(),
            apart: false,
        }
    }
}

/// The offset of what has no place.
pub const NOWHERE: usize = usize::MAX;

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
        if offset == NOWHERE {
            return Pos::NONE;
        }
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

    /// A number whose text goes into the tree as it is, whether or not the language takes it.
    pub fn raw_number(&mut self, kind: LitKind, text: &str, negative: bool, at: usize) -> ExprId {
        let x = self.literal(kind, text, at);
        if !negative {
            return x;
        }
        let pos = self.pos(at);
        self.tree.push_expr(Expr::Unary(Op::Subtract, x), pos)
    }

    /// `*null | _`, what an empty document is.
    pub fn nothing(&mut self, names: &mut Names, offset: usize) -> ExprId {
        let null = self.null(offset);
        let pos = self.pos(offset);
        let marked = self.tree.push_expr(Expr::Unary(Op::Multiply, null), pos);
        let top = self.tree.push_expr(Expr::Ident(names.intern("_")), pos);
        self.tree
            .push_expr(Expr::Binary(Op::Or, marked, top, pos), pos)
    }

    /// A string that must be a time of a layout: `"..." & time.Format(layout)`.
    pub fn time(
        &mut self,
        names: &mut Names,
        value: &str,
        layout: TimeLayout<'_>,
        at: usize,
    ) -> ExprId {
        let value = self.string(value, at);
        let layout = match layout {
            TimeLayout::Named(name) => self.of_time(names, name, at),
            TimeLayout::Text(text) => self.string(text, at),
        };
        let fun = self.of_time(names, "Format", at);
        let (args, pos) = (self.tree.push_args(&[layout]), self.pos(at));
        let rparen = Pos::NONE;
        let call = self.tree.push_expr(Expr::Call { fun, args, rparen }, pos);
        self.tree
            .push_expr(Expr::Binary(Op::And, value, call, Pos::NONE), pos)
    }

    /// A member of the package `time`, which the document then imports.
    fn of_time(&mut self, names: &mut Names, member: &str, at: usize) -> ExprId {
        if self.tree.specs.is_empty() {
            let path = self.text("\"time\"");
            self.tree.specs.push(ImportSpec {
                name: None,
                path,
                path_pos: Pos::NONE,
            });
        }
        let pos = self.pos(at);
        let package = self.tree.push_expr(Expr::Ident(names.intern("time")), pos);
        let member = self.tree.push_expr(Expr::Ident(names.intern(member)), pos);
        self.tree.push_expr(Expr::Selector(package, member), pos)
    }

    /// A string.
    pub fn string(&mut self, value: &str, offset: usize) -> ExprId {
        self.literal(LitKind::String, &quote_string(value), offset)
    }

    /// A string of several lines.
    pub fn lines(&mut self, value: &str, offset: usize) -> ExprId {
        let text = quote_multi(value.as_bytes(), Form::String, "\t");
        self.literal(LitKind::String, &text, offset)
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

    /// Gives an expression another place.
    pub fn place(&mut self, x: ExprId, offset: usize) {
        self.tree.expr_pos[x.0 as usize] = self.pos(offset);
    }

    /// A struct of regular fields, each with the place of its name.
    pub fn structure(&mut self, fields: &[DataField], offset: usize) -> ExprId {
        let ids: Vec<DeclId> = fields
            .iter()
            .map(|f| {
                let id = self.field(&f.name, f.at, f.value);
                self.doc(id, f);
                id
            })
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

    /// The comments above a field.
    fn doc(&mut self, id: DeclId, field: &DataField) {
        if field.docs.is_empty() {
            return;
        }
        let mut list = Vec::with_capacity(field.docs.len());
        for line in &field.docs {
            let rel = if list.is_empty() && field.apart {
                Rel::NewSection
            } else {
                Rel::Newline
            };
            let (pos, text) = (Pos::wish(rel), self.text(line));
            list.push(Comment { pos, text });
        }
        let group = CommentGroup {
            doc: true,
            line: false,
            position: 0,
            list,
        };
        self.tree.comments.insert(NodeId::Decl(id), vec![group]);
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
        if !self.tree.specs.is_empty() {
            let import = self.tree.push_decl(Decl::Import(Import {
                pos: Pos::NONE,
                lparen: Pos::NONE,
                specs: Specs(Run { start: 0, len: 1 }),
                rparen: Pos::NONE,
            }));
            let mut ids = vec![import];
            ids.extend_from_slice(self.tree.decl_list(self.tree.decls));
            self.tree.decls = self.decls(&ids);
        }
        self.tree
    }
}
