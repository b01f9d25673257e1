//! Comprehensions.

use super::scope::{Frame, Step, Target};
use super::{Lowerer, label};
use crate::eval::label::Label;
use crate::eval::program::{CId, Clause, Comprehension, Expr, Run, XId};
use crate::syntax::tree::{self, ExprId, Ident};

impl Lowerer<'_> {
    fn variable(&mut self, id: Option<Ident>) -> Label {
        let package = self.around.id.clone();
        id.map_or(Label::NONE, |i| {
            label::identifier(&mut self.e.names, i.name, &package)
        })
    }

    fn push_clause(&mut self, text: &'static str, names: &[Option<Ident>], is_loop: bool) {
        let mut frame = Frame::new(1);
        frame.label = Some(Step::Words(text));
        frame.is_loop = is_loop;
        for id in names.iter().flatten() {
            frame.names.insert(id.name, Target::Variable);
        }
        self.stack.push(frame);
    }

    /// Lowers an expression; whether it looks at a loop variable.
    fn tracked(&mut self, x: ExprId) -> (XId, bool) {
        let saved = std::mem::replace(&mut self.uses_loop, false);
        let out = self.expr(x);
        let uses = self.uses_loop;
        self.uses_loop |= saved;
        (out, uses)
    }

    pub(super) fn comprehension(&mut self, x: ExprId, in_list: bool) -> Option<CId> {
        let tree::Expr::Comprehension {
            clauses,
            body,
            orelse,
        } = self.tree.expr(x)
        else {
            return None;
        };
        let depth = self.stack.len();
        let list: Vec<tree::Clause> = self.tree.clause_list(clauses).map(|(_, c)| c).collect();
        let mut out = Vec::new();
        let (mut has_try, mut outer) = (false, 0);
        for (i, clause) in list.iter().enumerate() {
            let c = match *clause {
                tree::Clause::Try { pos, .. } if !self.tree.experiments.try_ => {
                    let text = "try clause requires the try experiment (language version v0.16.0 or later)";
                    self.fail(pos, text, vec![]);
                    None
                }
                c => self.clause(c, in_list, &mut has_try, &mut outer),
            };
            let Some(c) = c else {
                self.stack.truncate(depth);
                return None;
            };
            if i == 0 && matches!(c, Clause::Let { .. }) {
                let pos = self.tree.pos(x);
                self.fail(
                    pos,
                    "first comprehension clause must be 'if' or 'for'",
                    vec![],
                );
            }
            out.push(c);
        }
        for (c, source) in out.iter().zip(&list).take(out.len().saturating_sub(1)) {
            if let (Clause::Try { value, .. }, tree::Clause::Try { pos, .. }) = (c, source)
                && !value.is_some()
            {
                let text = "struct-form try clause must be the last clause in a comprehension";
                self.fail(*pos, text, vec![]);
            }
        }
        self.in_try += u32::from(has_try);
        let body = self.expr(body);
        self.in_try -= u32::from(has_try);
        let orelse = self.otherwise(orelse, &list, outer);
        self.stack.truncate(depth);
        let pos = self.tree.pos(x);
        let p = &mut self.e.program;
        let run = Run {
            start: p.clauses.len() as u32,
            len: out.len() as u32,
        };
        p.clauses.extend(out);
        let node = (self.index, x);
        p.comprehensions.push(Comprehension {
            clauses: run,
            body,
            orelse,
            pos,
            node,
        });
        Some(CId(p.comprehensions.len() as u32 - 1))
    }

    fn clause(
        &mut self,
        c: tree::Clause,
        in_list: bool,
        has_try: &mut bool,
        outer: &mut usize,
    ) -> Option<Clause> {
        Some(match c {
            tree::Clause::For {
                pos,
                key,
                value,
                source,
                ..
            } => {
                let source = self.expr(source);
                let (k, v) = (self.variable(key), self.variable(Some(value)));
                self.push_clause("for[]", &[key, Some(value)], !in_list);
                *outer += 1;
                Clause::For {
                    key: k,
                    value: v,
                    source,
                    pos,
                }
            }
            tree::Clause::If { pos, cond } => Clause::If {
                cond: self.expr(cond),
                pos,
            },
            tree::Clause::Let { pos, name, value } => {
                let (value, uses) = self.tracked(value);
                let label = self.variable(Some(name));
                self.push_clause("let[]", &[Some(name)], !in_list && uses);
                *outer += 1;
                Clause::Let { label, value, pos }
            }
            tree::Clause::Try { pos, binding: None } => {
                *has_try = true;
                Clause::Try {
                    label: Label::NONE,
                    value: XId::NONE,
                    pos,
                }
            }
            tree::Clause::Try {
                pos,
                binding: Some((name, value)),
            } => {
                self.in_try += 1;
                let (value, uses) = self.tracked(value);
                self.in_try -= 1;
                let label = self.variable(Some(name));
                self.push_clause("try[]", &[Some(name)], !in_list && uses);
                *outer += 1;
                Clause::Try { label, value, pos }
            }
        })
    }

    fn otherwise(
        &mut self,
        orelse: Option<std::num::NonZeroU32>,
        clauses: &[tree::Clause],
        outer: usize,
    ) -> XId {
        let Some(part) = self.tree.else_part(orelse) else {
            return XId::NONE;
        };
        if !self.tree.experiments.try_ {
            let single = clauses.len() == 1
                && matches!(
                    clauses[0],
                    tree::Clause::If { .. } | tree::Clause::Try { .. }
                );
            let template = if single {
                "else clause requires the try experiment (language version v0.16.0 or later)"
            } else {
                "fallback clause requires the try experiment (language version v0.16.0 or later)"
            };
            let pos = self.tree.pos(part.body);
            self.fail(pos, template, vec![]);
            return XId::NONE;
        }
        let above = self.stack.split_off(self.stack.len() - outer);
        let x = self.expr(part.body);
        self.stack.extend(above);
        match self.e.program.expr(x) {
            Expr::Struct(_) => x,
            _ => XId::NONE,
        }
    }
}
