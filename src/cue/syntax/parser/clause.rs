//! Comprehensions.

use std::num::NonZeroU32;

use super::Parser;
use crate::syntax::token::Tok;
use crate::syntax::tree::{Clause, ClauseId, Else, ElseKind, Expr, ExprId, Ident, NodeId};

impl Parser<'_> {
    /// A comprehension, or its keyword as an identifier if it is used as a name.
    pub(super) fn comprehension_or_word(&mut self) -> Result<ExprId, ExprId> {
        let (tok, pos) = (self.tok(), self.pos());
        let mut clauses = Vec::new();
        if !self.clauses(&mut clauses) {
            let name = self.intern(tok.keyword().unwrap_or("_"));
            let word = self.push(Expr::Ident(name), pos);
            self.close_expr(word);
            return Err(word);
        }
        self.open();
        let body = self.struct_lit();
        self.close_expr(body);
        let orelse = self.else_part(&clauses);
        let clauses = self.tree.push_clauses(&clauses);
        Ok(self.push(
            Expr::Comprehension {
                clauses,
                body,
                orelse,
            },
            pos,
        ))
    }

    fn else_part(&mut self, clauses: &[ClauseId]) -> Option<NonZeroU32> {
        let kind = match self.tok() {
            Tok::Else => ElseKind::Else,
            Tok::Otherwise => ElseKind::Otherwise,
            Tok::Fallback => ElseKind::Fallback,
            _ => return None,
        };
        let (pos, word) = (self.pos(), self.lit());
        if !self.tree.experiments.try_ {
            self.error(pos, format!("{word} requires @experiment(try)"));
        }
        let single = match clauses {
            [one] => matches!(
                self.tree.clause(*one),
                Clause::If { .. } | Clause::Try { .. }
            ),
            _ => false,
        };
        match kind {
            ElseKind::Else if !single => self.error(
                pos,
                "use 'otherwise' for comprehensions with multiple clauses or 'for' clauses",
            ),
            ElseKind::Otherwise if single => {
                self.error(pos, "use 'else' with single 'if' or 'try' clause");
            }
            _ => {}
        }
        self.next();
        self.open();
        let body = self.struct_lit();
        self.close_expr(body);
        self.tree.elses.push(Else { kind, pos, body });
        NonZeroU32::new(self.tree.elses.len() as u32)
    }

    /// The first clause's keyword was a name after all: the node stays open. A condition may begin
    /// with `!`.
    fn is_name(&self, keyword: Tok) -> bool {
        match self.tok() {
            Tok::Colon | Tok::Bind | Tok::Option | Tok::Comma | Tok::Eof => true,
            Tok::Not => keyword == Tok::For || self.lexer.peek() == b':',
            _ => false,
        }
    }

    /// Reads clauses. Returns false, with a node still open, if the first keyword is a name.
    fn clauses(&mut self, list: &mut Vec<ClauseId>) -> bool {
        loop {
            let pos = self.pos();
            let tok = self.tok();
            match tok {
                Tok::For | Tok::If | Tok::Let | Tok::Try => {}
                _ => return true,
            }
            self.open();
            self.next();
            let may_be_name = matches!(tok, Tok::For | Tok::If);
            if list.is_empty() && may_be_name && self.is_name(tok) {
                return false;
            }
            let clause = match tok {
                Tok::For => self.for_clause(pos),
                Tok::If => Clause::If {
                    pos,
                    cond: self.rhs(),
                },
                Tok::Let => {
                    let name = self.declared();
                    self.expect(Tok::Bind);
                    Clause::Let {
                        pos,
                        name,
                        value: self.rhs(),
                    }
                }
                _ => self.try_clause(pos),
            };
            self.tree.clauses.push(clause);
            let id = ClauseId(self.tree.clauses.len() as u32 - 1);
            list.push(id);
            self.close(Some(NodeId::Clause(id)));
            if self.tok() == Tok::Comma {
                self.next();
            }
        }
    }

    fn declared(&mut self) -> Ident {
        let ident = self.ident();
        self.check_reserved(ident);
        ident
    }

    fn for_clause(&mut self, pos: crate::syntax::source::Pos) -> Clause {
        let mut value = self.declared();
        let mut key = None;
        if self.tok() == Tok::Comma {
            self.next();
            key = Some(value);
            value = self.declared();
        }
        self.count(4);
        let in_pos = self.expect(Tok::In);
        let source = self.rhs();
        Clause::For {
            pos,
            key,
            value,
            in_pos,
            source,
        }
    }

    fn try_clause(&mut self, pos: crate::syntax::source::Pos) -> Clause {
        if self.tok() != Tok::Ident {
            return Clause::Try { pos, binding: None };
        }
        let name = self.declared();
        self.expect(Tok::Bind);
        let value = self.rhs();
        Clause::Try {
            pos,
            binding: Some((name, value)),
        }
    }
}
