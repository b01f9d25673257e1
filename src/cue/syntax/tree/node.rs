//! The kinds of nodes of a tree.

use std::num::NonZeroU32;

use super::{Args, AttrId, Attrs, Clauses, DeclId, Decls, Ends, ExprId, Exprs, Specs, Text};
use crate::syntax::names::Name;
use crate::syntax::source::Pos;

/// A name at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub pos: Pos,
}

/// What a literal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LitKind {
    /// `null`.
    Null,
    /// `true`.
    True,
    /// `false`.
    False,
    /// A number without fraction or exponent, in any base, maybe with a suffix.
    Int,
    /// A number with fraction or exponent.
    Float,
    /// A string, in any of its forms, without interpolations: the text with its quotes.
    String,
    /// Bytes, likewise.
    Bytes,
    /// A piece of an interpolation, with the quotes, `\(` and `)` around it.
    Piece,
}

/// Operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the name is the operator")]
pub enum Op {
    Or,
    And,
    LogicOr,
    LogicAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Match,
    NotMatch,
    Add,
    Subtract,
    Multiply,
    Divide,
    Not,
}

impl Op {
    /// The operator as written.
    pub fn as_str(self) -> &'static str {
        match self {
            Op::Or => "|",
            Op::And => "&",
            Op::LogicOr => "||",
            Op::LogicAnd => "&&",
            Op::Equal => "==",
            Op::NotEqual => "!=",
            Op::Less => "<",
            Op::LessEqual => "<=",
            Op::Greater => ">",
            Op::GreaterEqual => ">=",
            Op::Match => "=~",
            Op::NotMatch => "!~",
            Op::Add => "+",
            Op::Subtract => "-",
            Op::Multiply => "*",
            Op::Divide => "/",
            Op::Not => "!",
        }
    }

    /// Binding strength as a binary operator, 1 (`|`) to 7 (`*`); 0 for `!`.
    pub fn precedence(self) -> u8 {
        match self {
            Op::Or => 1,
            Op::And => 2,
            Op::LogicOr => 3,
            Op::LogicAnd => 4,
            Op::Equal
            | Op::NotEqual
            | Op::Less
            | Op::LessEqual
            | Op::Greater
            | Op::GreaterEqual
            | Op::Match
            | Op::NotMatch => 5,
            Op::Add | Op::Subtract => 6,
            Op::Multiply | Op::Divide => 7,
            Op::Not => 0,
        }
    }
}

/// How the commas of a list literal were written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListCommas {
    /// Commas between all elements.
    All,
    /// Some elements are separated by a newline only.
    Newlines,
}

/// An expression. Its place is [`super::Tree::pos`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expr {
    /// Something the parser could not read.
    Bad,
    /// `_|_`.
    Bottom,
    /// A name, `_` (top) included.
    Ident(Name),
    /// A number, string, bytes, `null`, `true`, `false`.
    Literal(LitKind, Text),
    /// Literal pieces and expressions in turn; it starts and ends with a piece.
    Interpolation(Exprs),
    /// `{...}`, or the value of `a: b: 1` (then `rbrace` is `Pos::NONE` and `braces` false).
    Struct {
        /// The members.
        decls: Decls,
        /// Whether there are braces; the opening one is the expression's position.
        braces: bool,
        /// The closing brace.
        rbrace: Pos,
    },
    /// `[...]`. As a label: a pattern constraint, with exactly one element.
    List {
        /// Elements: expressions, comprehensions, and an [`Expr::Ellipsis`] at the end.
        items: Exprs,
        /// How elements were separated.
        commas: ListCommas,
        /// The closing bracket.
        rbrack: Pos,
    },
    /// `...` or `...T` at the end of a list.
    Ellipsis(Option<ExprId>),
    /// A comprehension, as a list element or declaration.
    Comprehension {
        /// The clauses in order.
        clauses: Clauses,
        /// The struct it yields.
        body: ExprId,
        /// `else`, `otherwise` or `fallback`.
        orelse: Option<NonZeroU32>,
    },
    /// Old style alias `X=expr`, as a label, pattern or value.
    Alias(Alias),
    /// A prefix operator: `+ - ! * == != < <= > >= =~ !~`.
    Unary(Op, ExprId),
    /// A binary operator with its own place.
    Binary(Op, ExprId, ExprId, Pos),
    /// `(x)` with the place of `)`. As a label: a dynamic field.
    Paren(ExprId, Pos),
    /// `x.sel`; the selector is an identifier or a string literal.
    Selector(ExprId, ExprId),
    /// `x[index]` with the place of `]`.
    Index(ExprId, ExprId, Pos),
    /// `x[lo:hi]`.
    Slice {
        /// The list or bytes.
        x: ExprId,
        /// The first index and that after the last, see [`super::Tree::ends`].
        ends: Ends,
        /// The closing bracket.
        rbrack: Pos,
    },
    /// `f(args)`.
    Call {
        /// What is called.
        fun: ExprId,
        /// The arguments, see [`super::Tree::args`].
        args: Args,
        /// The closing parenthesis.
        rparen: Pos,
    },
    /// `x...`: opens a closed struct (experiment `explicitopen`); the place of `...`.
    Open(ExprId, Pos),
    /// `x?` in a `try` (experiment `try`); the place of `?`.
    Optional(ExprId, Pos),
}

// There are many.
const _: () = assert!(size_of::<Expr>() == 16);

/// `X=expr`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Alias {
    /// The alias name; its place is the expression's.
    pub name: Name,
    /// The place of `=`.
    pub equal: Pos,
    /// What it names.
    pub expr: ExprId,
}

/// Whether a field has `?` or `!`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// A regular field.
    None,
    /// `a?: x`.
    Optional,
    /// `a!: x`.
    Required,
}

/// A field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Field {
    /// The label: [`Expr::Ident`] (keywords too), [`Expr::Literal`] string or bytes,
    /// [`Expr::Interpolation`], [`Expr::Paren`] (dynamic), [`Expr::List`] (pattern, whose element
    /// may be an [`Expr::Alias`]), or an [`Expr::Alias`] of one of these.
    pub label: ExprId,
    /// `?` or `!`.
    pub constraint: Constraint,
    /// The colon.
    pub colon: Pos,
    /// The value.
    pub value: ExprId,
    /// One more than the index of the rare parts, 0 for none; see [`super::Tree::extra`].
    pub(crate) extra: u32,
}

/// The rare parts of a field.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct FieldExtra {
    /// `~X` or `~(K,V)` after the label.
    pub alias: Option<PostfixAlias>,
    /// Attributes after the value.
    pub attrs: Attrs,
}

/// `~X` (names the field) or `~(K,V)` (names label and field).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PostfixAlias {
    /// The place of `~`.
    pub tilde: Pos,
    /// The name of the label.
    pub label: Option<Ident>,
    /// The name of the field.
    pub field: Ident,
}

/// An import declaration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Import {
    /// The place of `import`.
    pub pos: Pos,
    /// The place of `(`, if there is one.
    pub lparen: Pos,
    /// The specifications.
    pub specs: Specs,
    /// The place of `)`, if there is one.
    pub rparen: Pos,
}

/// One import.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ImportSpec {
    /// The name given in the file.
    pub name: Option<Ident>,
    /// The path, a string literal with its quotes.
    pub path: Text,
    /// The place of the path.
    pub path_pos: Pos,
}

/// A member of a struct or file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Decl {
    /// Something the parser could not read.
    Bad {
        /// Where it starts.
        pos: Pos,
    },
    /// A field.
    Field(Field),
    /// `let name = value`.
    Let {
        /// The place of `let`.
        let_pos: Pos,
        /// The name.
        name: Ident,
        /// The place of `=`.
        equal: Pos,
        /// The value.
        value: ExprId,
    },
    /// An embedded expression.
    Embed(ExprId),
    /// `...`.
    Ellipsis {
        /// Where it stands.
        pos: Pos,
    },
    /// A comprehension; the expression is an [`Expr::Comprehension`].
    Comprehension(ExprId),
    /// A declaration attribute.
    Attribute(AttrId),
    /// `package name`; in files only.
    Package {
        /// The place of `package`.
        pos: Pos,
        /// The name.
        name: Ident,
    },
    /// An import declaration; in files only.
    Import(Import),
}

/// `@name(body)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Attribute {
    /// The place of `@`.
    pub pos: Pos,
    /// The whole text with `@`, name and parentheses.
    pub text: Text,
}

/// A clause of a comprehension.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Clause {
    /// `for k, v in source`.
    For {
        /// The place of `for`.
        pos: Pos,
        /// The key, if there are two names.
        key: Option<Ident>,
        /// The value.
        value: Ident,
        /// The place of `in`.
        in_pos: Pos,
        /// What is ranged over.
        source: ExprId,
    },
    /// `if cond`.
    If {
        /// The place of `if`.
        pos: Pos,
        /// The condition.
        cond: ExprId,
    },
    /// `let name = value`.
    Let {
        /// The place of `let`.
        pos: Pos,
        /// The name.
        name: Ident,
        /// The value.
        value: ExprId,
    },
    /// `try` before a struct, or `try name = value` (experiment `try`).
    Try {
        /// The place of `try`.
        pos: Pos,
        /// Name and value.
        binding: Option<(Ident, ExprId)>,
    },
}

impl Clause {
    /// Where the clause starts.
    pub fn pos(&self) -> Pos {
        match *self {
            Clause::For { pos, .. }
            | Clause::If { pos, .. }
            | Clause::Let { pos, .. }
            | Clause::Try { pos, .. } => pos,
        }
    }
}

/// The keyword of the last part of a comprehension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElseKind {
    /// `else`.
    Else,
    /// `otherwise`.
    Otherwise,
    /// `fallback`.
    Fallback,
}

/// What a comprehension yields if its clauses yield nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Else {
    /// Which keyword.
    pub kind: ElseKind,
    /// Its place.
    pub pos: Pos,
    /// The struct.
    pub body: ExprId,
}

/// One `//` comment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comment {
    /// Where it starts.
    pub pos: Pos,
    /// The text with its slashes, without the line's end.
    pub text: Text,
}

/// Comments on consecutive lines.
#[derive(Clone, PartialEq, Debug)]
pub struct CommentGroup {
    /// Stands directly above the node.
    pub doc: bool,
    /// Stands on the line of the token before it.
    pub line: bool,
    /// How many tokens of the node come before it.
    pub position: u8,
    /// The comments.
    pub list: Vec<Comment>,
}

#[allow(dead_code, reason = "keeps the sizes the memory budget counts on")]
const SIZES: () = {
    assert!(std::mem::size_of::<Expr>() <= 24);
    assert!(std::mem::size_of::<Decl>() <= 32);
    assert!(std::mem::size_of::<DeclId>() == 4);
};
