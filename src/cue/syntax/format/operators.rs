//! Blanks around operators.

use super::Formatter;
use super::place::starts_line;
use super::space::{Last, blank, formfeed, nooverride};
use crate::syntax::source::Pos;
use crate::syntax::tree::{Expr, ExprId, Op};

/// Which operators are reached without parentheses.
#[derive(Clone, Copy, Default)]
pub(super) struct Mix {
    sum: bool,
    product: bool,
    /// Precedence above which blanks are needed to keep operators apart.
    problem: u8,
}

impl Mix {
    /// Operators of this precedence and above have no blanks.
    fn cutoff(self, depth: u32) -> u8 {
        if self.problem > 0 {
            return self.problem + 1;
        }
        match (self.sum && self.product, depth == 1) {
            (true, true) => 7,
            (false, true) => 8,
            (_, false) => 6,
        }
    }

    fn add(&mut self, other: Mix) {
        self.sum |= other.sum;
        self.product |= other.product;
        self.problem = self.problem.max(other.problem);
    }
}

impl Formatter<'_> {
    /// An expression without the parentheses around others, which are not shown.
    fn shown(&self, id: ExprId) -> ExprId {
        let mut id = id;
        while let Expr::Paren(x, _) = self.tree.expr(id)
            && let Expr::Paren(..) = self.tree.expr(x)
        {
            id = x;
        }
        id
    }

    fn precedence(&self, id: ExprId) -> Option<u8> {
        match self.tree.expr(id) {
            Expr::Binary(op, ..) => Some(op.precedence()),
            _ => None,
        }
    }

    /// What a binary expression mixes; chains are walked in a loop and remembered.
    fn mix(&mut self, id: ExprId) -> Mix {
        let mut chain = Vec::new();
        let mut x = id;
        let mut mix = loop {
            if let Some(known) = self.mixes.get(&x) {
                break *known;
            }
            let Expr::Binary(op, left, ..) = self.tree.expr(x) else {
                break Mix::default();
            };
            chain.push(x);
            match self.precedence(left) {
                Some(p) if p >= op.precedence() => x = left,
                _ => break Mix::default(),
            }
        };
        while let Some(x) = chain.pop() {
            let Expr::Binary(op, _, right, _) = self.tree.expr(x) else {
                continue;
            };
            mix.sum |= op.precedence() == 6;
            mix.product |= op.precedence() == 7;
            match self.tree.expr(right) {
                Expr::Binary(r, ..) if r.precedence() > op.precedence() => {
                    let inner = self.mix(right);
                    mix.add(inner);
                }
                Expr::Unary(r, _) => mix.problem = mix.problem.max(problem(op, r)),
                _ => {}
            }
            self.mixes.insert(x, mix);
        }
        mix
    }

    pub(super) fn binary(&mut self, id: ExprId, least: u8, depth: u32) {
        let Expr::Binary(op, x, y, op_pos) = self.tree.expr(id) else {
            return;
        };
        let prec = op.precedence();
        if prec < least {
            self.token(Pos::NONE, "(");
            self.wish(nooverride);
            self.expr_at(id, 0, depth.saturating_sub(1).max(1));
            self.token(Pos::NONE, ")");
            return;
        }
        let mut blanks = prec < self.mix(id).cutoff(depth);
        let left = if self.precedence(x) == Some(prec) {
            depth
        } else {
            depth + 1
        };
        self.expr_at(x, prec, left);
        self.wish(nooverride);
        if blanks {
            self.wish(blank);
        }
        // A comment behind the operator moves to the end.
        self.word(op_pos, op.as_str());
        self.out.last = Last::Operator(op);
        if starts_line(self.tree.pos(self.shown(y))) && !self.out.flat {
            self.wish(formfeed);
            blanks = false;
        } else {
            self.wish(nooverride);
        }
        if blanks {
            self.wish(blank);
        }
        self.expr_at(y, prec + 1, depth + 1);
    }
}

/// Operators that would read as something else side by side.
fn problem(op: Op, unary: Op) -> u8 {
    match (op, unary) {
        (Op::Divide, Op::Multiply) => 7,
        (Op::Add, Op::Add) | (Op::Subtract, Op::Subtract) => 6,
        _ => 0,
    }
}
