//! Expressions.

use super::{MAX_DEPTH, Parser};
use crate::syntax::lexer::Token;
use crate::syntax::source::Pos;
use crate::syntax::token::Tok;
use crate::syntax::tree::{Alias, Expr, ExprId, ListCommas, LitKind, NodeId, Op};

/// The binary operator of a token.
fn binary(tok: Tok) -> Option<Op> {
    Some(match tok {
        Tok::Or => Op::Or,
        Tok::And => Op::And,
        Tok::LogicOr => Op::LogicOr,
        Tok::LogicAnd => Op::LogicAnd,
        Tok::Equal => Op::Equal,
        Tok::NotEqual => Op::NotEqual,
        Tok::Less => Op::Less,
        Tok::LessEqual => Op::LessEqual,
        Tok::Greater => Op::Greater,
        Tok::GreaterEqual => Op::GreaterEqual,
        Tok::Match => Op::Match,
        Tok::NotMatch => Op::NotMatch,
        Tok::Add => Op::Add,
        Tok::Sub => Op::Subtract,
        Tok::Mul => Op::Multiply,
        Tok::Div => Op::Divide,
        _ => return None,
    })
}

/// The prefix operator of a token.
fn unary(tok: Tok) -> Option<Op> {
    match tok {
        Tok::Not => Some(Op::Not),
        Tok::Or | Tok::And | Tok::LogicOr | Tok::LogicAnd | Tok::Div => None,
        _ => binary(tok),
    }
}

/// What stood between the elements of a list.
#[derive(Default)]
struct Separated {
    elements: usize,
    /// There is an element without a comma, and another one after it.
    gap: bool,
    /// The last element has no comma.
    open: bool,
}

impl Separated {
    fn element(&mut self, comma: bool) {
        self.gap |= self.elements > 0 && self.open;
        self.open = !comma;
        self.elements += 1;
    }

    fn commas(&self) -> ListCommas {
        if self.gap || self.elements == 1 && self.open {
            ListCommas::Newlines
        } else {
            ListCommas::All
        }
    }
}

impl Parser<'_> {
    /// Whether the current token is a comma of the source.
    fn at_written_comma(&self) -> bool {
        self.tok() == Tok::Comma && !self.at_newline()
    }

    pub(super) fn close_expr(&mut self, id: ExprId) -> ExprId {
        self.close(Some(NodeId::Expr(id)));
        id
    }

    /// An expression that is not the start of a label.
    pub(super) fn rhs(&mut self) -> ExprId {
        self.open();
        let x = self.binary_expr(1);
        self.close_expr(x)
    }

    pub(super) fn binary_expr(&mut self, least: u8) -> ExprId {
        self.open_list();
        let x = self.unary_expr();
        let x = self.binary_tail(least, x);
        self.close_list();
        x
    }

    /// The operators after a first operand. Equal operators loop, so that chains do not nest.
    pub(super) fn binary_tail(&mut self, least: u8, first: ExprId) -> ExprId {
        let mut x = first;
        while let Some(op) = binary(self.tok()) {
            if op.precedence() < least {
                break;
            }
            self.open();
            self.count(1);
            let op_pos = self.pos();
            self.next();
            let y = self.binary_expr(op.precedence() + 1);
            let pos = self.tree.pos(x);
            x = self.push(Expr::Binary(op, x, y, op_pos), pos);
            self.close_expr(x);
        }
        x
    }

    /// An operand with its prefix operators. All nesting passes here, so depth is counted here.
    pub(super) fn unary_expr(&mut self) -> ExprId {
        if self.depth >= MAX_DEPTH && !self.stopped {
            self.error(
                self.pos(),
                format!("expression exceeds maximum nesting depth of {MAX_DEPTH}"),
            );
            self.stop();
        }
        if self.stopped {
            return self.push(Expr::Bad, Pos::NONE);
        }
        self.depth += 1;
        let id = if self.depth.is_multiple_of(8) {
            stacker::maybe_grow(256 << 10, 4 << 20, || self.unary_inner())
        } else {
            self.unary_inner()
        };
        self.depth -= 1;
        id
    }

    fn unary_inner(&mut self) -> ExprId {
        let op = match unary(self.tok()) {
            Some(Op::Equal) if !self.tree.experiments.structcmp => return self.primary(),
            Some(op) => op,
            None => return self.primary(),
        };
        let pos = self.pos();
        self.open();
        self.next();
        let x = self.unary_expr();
        let id = self.push(Expr::Unary(op, x), pos);
        self.close_expr(id)
    }

    fn primary(&mut self) -> ExprId {
        let mut x = self.operand();
        loop {
            x = match self.tok() {
                Tok::Period => self.selector(x),
                Tok::LBrack => self.index_or_slice(x),
                Tok::LParen => self.call(x),
                Tok::Ellipsis => self.open_postfix(x),
                Tok::Option if self.may_be_optional(x) => self.optional_postfix(x),
                _ => return x,
            };
        }
    }

    fn open_postfix(&mut self, x: ExprId) -> ExprId {
        let at = self.pos();
        if !self.tree.experiments.explicitopen {
            self.error(
                at,
                "postfix ... operator requires @experiment(explicitopen)",
            );
        }
        self.open();
        self.count(1);
        self.next();
        let pos = self.tree.pos(x);
        let id = self.push(Expr::Open(x, at), pos);
        self.close_expr(id)
    }

    /// Whether a `?` here marks a reference, not a field. What is no name is no label either.
    fn may_be_optional(&self, x: ExprId) -> bool {
        match self.tree.expr(x) {
            Expr::Ident(_) => self.lexer.peek() != b':',
            Expr::Selector(..) | Expr::Index(..) => true,
            _ => false,
        }
    }

    fn optional_postfix(&mut self, x: ExprId) -> ExprId {
        let at = self.pos();
        self.open();
        self.count(1);
        self.next();
        let pos = self.tree.pos(x);
        let id = self.push(Expr::Optional(x, at), pos);
        self.close_expr(id)
    }

    fn selector(&mut self, x: ExprId) -> ExprId {
        self.open();
        self.count(1);
        self.next();
        let (tok, pos, lit) = (self.tok(), self.pos(), self.lit());
        let sel = match tok {
            Tok::Str if lit.starts_with('"') && !lit.starts_with("\"\"") => {
                let text = self.lit_text();
                self.next();
                self.push(Expr::Literal(LitKind::String, text), pos)
            }
            _ if tok == Tok::Ident || tok.keyword().is_some() => self.word(),
            _ => {
                self.error_expected(pos, "selector");
                self.next();
                let name = self.intern("_");
                self.push(Expr::Ident(name), pos)
            }
        };
        let start = self.tree.pos(x);
        let id = self.push(Expr::Selector(x, sel), start);
        self.close_expr(id)
    }

    /// An identifier or keyword as an identifier, with comments of its own.
    pub(super) fn word(&mut self) -> ExprId {
        let (pos, text) = (self.pos(), self.lit());
        self.open();
        self.next();
        let name = self.intern(text);
        let id = self.push(Expr::Ident(name), pos);
        self.close_expr(id)
    }

    fn index_or_slice(&mut self, x: ExprId) -> ExprId {
        self.open();
        self.count(1);
        self.next();
        let start = self.tree.pos(x);
        let lo = if self.tok() == Tok::Colon {
            None
        } else {
            Some(self.rhs())
        };
        let id = if self.tok() == Tok::Colon {
            self.next();
            let ends = matches!(self.tok(), Tok::Colon | Tok::RBrack | Tok::Eof);
            let hi = if ends { None } else { Some(self.rhs()) };
            let rbrack = self.expect(Tok::RBrack);
            let ends = self.tree.push_ends([lo, hi]);
            self.push(Expr::Slice { x, ends, rbrack }, start)
        } else {
            if self.tok() == Tok::Comma {
                self.next();
            }
            let rbrack = self.expect(Tok::RBrack);
            let index = lo.unwrap_or(x);
            self.push(Expr::Index(x, index, rbrack), start)
        };
        self.close_expr(id)
    }

    fn call(&mut self, fun: ExprId) -> ExprId {
        self.open();
        self.open_list();
        self.next();
        let mark = self.exprs.len();
        while !matches!(self.tok(), Tok::RParen | Tok::Eof) {
            let arg = self.rhs();
            self.exprs.push(arg);
            if !self.at_comma("argument list", &[Tok::RParen]) {
                break;
            }
            self.next();
        }
        let args = self.tree.push_args(&self.exprs[mark..]);
        self.exprs.truncate(mark);
        let rparen = self.expect_closing(Tok::RParen, "argument list");
        self.close_list();
        let pos = self.tree.pos(fun);
        let id = self.push(Expr::Call { fun, args, rparen }, pos);
        self.close_expr(id)
    }

    fn operand(&mut self) -> ExprId {
        match self.tok() {
            Tok::Ident => self.word(),
            Tok::LBrace => self.struct_lit(),
            Tok::LBrack => self.list_lit(),
            Tok::Bottom => self.single(Expr::Bottom),
            Tok::Null => self.literal(LitKind::Null),
            Tok::True => self.literal(LitKind::True),
            Tok::False => self.literal(LitKind::False),
            Tok::Int => self.literal(LitKind::Int),
            Tok::Float => self.literal(LitKind::Float),
            Tok::Str if self.lit().trim_start_matches('#').starts_with('\'') => {
                self.literal(LitKind::Bytes)
            }
            Tok::Str => self.literal(LitKind::String),
            Tok::Interpolation => self.interpolation(),
            Tok::LParen => self.paren(),
            t if t.keyword().is_some() => self.word(),
            _ => {
                let pos = self.pos();
                self.error_expected(pos, "operand");
                self.skip_to_end();
                self.push(Expr::Bad, pos)
            }
        }
    }

    fn single(&mut self, expr: Expr) -> ExprId {
        let pos = self.pos();
        self.open();
        self.next();
        let id = self.push(expr, pos);
        self.close_expr(id)
    }

    fn literal(&mut self, kind: LitKind) -> ExprId {
        let text = self.lit_text();
        self.single(Expr::Literal(kind, text))
    }

    fn paren(&mut self) -> ExprId {
        let pos = self.pos();
        self.open();
        self.next();
        self.open_list();
        let x = self.rhs();
        self.close_list();
        let rparen = self.expect(Tok::RParen);
        let id = self.push(Expr::Paren(x, rparen), pos);
        self.close_expr(id)
    }

    /// `{...}`; comments hang on the node that is open.
    pub(super) fn struct_lit(&mut self) -> ExprId {
        let pos = self.expect(Tok::LBrace);
        let mark = self.decls.len();
        self.field_list();
        let decls = self.decls_since(mark);
        let rbrace = self.expect_closing(Tok::RBrace, "struct literal");
        self.push(
            Expr::Struct {
                decls,
                braces: true,
                rbrace,
            },
            pos,
        )
    }

    pub(super) fn list_lit(&mut self) -> ExprId {
        let pos = self.pos();
        self.next();
        let mark = self.exprs.len();
        let mut separated = Separated::default();
        self.open_list();
        while !matches!(self.tok(), Tok::RBrack | Tok::Ellipsis | Tok::Eof) {
            let (item, more) = self.list_item(&mut separated);
            self.exprs.push(item);
            if !more {
                break;
            }
        }
        self.close_list();
        if self.tok() == Tok::Ellipsis {
            self.list_ellipsis(&mut separated);
        }
        let items = self.exprs_since(mark);
        let commas = separated.commas();
        let rbrack = self.expect_closing(Tok::RBrack, "list literal");
        self.push(
            Expr::List {
                items,
                commas,
                rbrack,
            },
            pos,
        )
    }

    fn list_ellipsis(&mut self, separated: &mut Separated) {
        let pos = self.pos();
        self.next();
        let more = !matches!(self.tok(), Tok::Comma | Tok::RBrack);
        let of = more.then(|| self.rhs());
        let id = self.push(Expr::Ellipsis(of), pos);
        self.exprs.push(id);
        separated.element(self.at_written_comma());
        if self.at_comma("list literal", &[Tok::RBrack]) {
            self.next();
        }
    }

    /// An element and its comma. Says whether more may follow.
    fn list_item(&mut self, separated: &mut Separated) -> (ExprId, bool) {
        self.open();
        let (x, more) = self.list_item_inner(separated);
        self.close_expr(x);
        (x, more)
    }

    fn list_item_inner(&mut self, separated: &mut Separated) -> (ExprId, bool) {
        let first = if matches!(self.tok(), Tok::For | Tok::If | Tok::Try) {
            match self.comprehension_or_word() {
                Ok(comprehension) => {
                    separated.element(self.at_written_comma());
                    if self.at_comma("list literal", &[Tok::RBrack]) {
                        self.next();
                    }
                    return (comprehension, true);
                }
                Err(word) => word,
            }
        } else {
            self.unary_expr()
        };
        let x = self.binary_tail(1, first);
        let x = self.item_alias(x);
        separated.element(self.at_written_comma());
        if self.at_newline() {
            self.next();
            if self.tok() == Tok::RBrack {
                return (x, false);
            }
            if self.options.minor < 17 {
                if matches!(self.tok(), Tok::For | Tok::If) {
                    return (x, false);
                }
                self.error(self.pos(), "missing ',' before newline in list literal");
            }
            return (x, true);
        }
        let more = self.at_comma("list literal", &[Tok::RBrack, Tok::For, Tok::If]);
        if more {
            self.next();
        }
        (x, more)
    }

    /// `=expr` after an element; only names make aliases.
    fn item_alias(&mut self, x: ExprId) -> ExprId {
        if self.tok() != Tok::Bind || matches!(self.tree.expr(x), Expr::Ident(_)) {
            return self.alias_tail(x);
        }
        self.next();
        let expr = self.rhs();
        self.error_expected(self.pos(), "identifier for alias");
        expr
    }

    /// `=expr` after a name makes an alias.
    pub(super) fn alias_tail(&mut self, x: ExprId) -> ExprId {
        if self.tok() != Tok::Bind {
            return x;
        }
        let Expr::Ident(name) = self.tree.expr(x) else {
            return x;
        };
        let equal = self.pos();
        if self.tree.experiments.aliasv2 {
            self.error(
                equal,
                "old-style alias syntax (=) is not allowed with @experiment(aliasv2); \
                 use postfix syntax (~X or ~(K,V))",
            );
        }
        self.next();
        let expr = self.rhs();
        let pos = self.tree.pos(x);
        self.push(Expr::Alias(Alias { name, equal, expr }), pos)
    }

    fn interpolation(&mut self) -> ExprId {
        let start = self.pos();
        self.open();
        self.open_list();
        let mark = self.exprs.len();
        let (mut pos, mut text) = (start, self.lit_text());
        self.open();
        let mut goes_on = true;
        self.next();
        while goes_on && self.tok() == Tok::LParen {
            let piece = self.push(Expr::Literal(LitKind::Piece, text), pos);
            self.next();
            self.close_expr(piece);
            self.exprs.push(piece);
            let x = self.rhs();
            self.exprs.push(x);
            self.open();
            if self.at_newline() {
                self.next();
            }
            if self.tok() != Tok::RParen {
                let found = self.found();
                let text = format!("expected ')' for string interpolation, found {found}");
                self.error(self.pos(), text);
            }
            if !self.stopped {
                let rel = self.token.rel;
                self.token = Token {
                    rel,
                    ..self.lexer.resume()
                };
                self.take_problems();
            }
            (pos, text) = (self.pos(), self.lit_text());
            goes_on = self.tok() == Tok::Interpolation;
            self.next();
            if self.stopped {
                break;
            }
        }
        let last = self.push(Expr::Literal(LitKind::Piece, text), pos);
        self.close_expr(last);
        self.exprs.push(last);
        let parts = self.exprs_since(mark);
        self.close_list();
        let id = self.push(Expr::Interpolation(parts), start);
        self.close_expr(id)
    }
}
