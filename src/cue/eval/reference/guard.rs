//! Which comprehension a declaration stands in, for the whole program.

use rustc_hash::FxHashMap;

use crate::eval::program::{CId, Clause, DId, Decl, Expr, Op, Program, XId};

/// The innermost comprehension around a declaration or comprehension, and how many frames of
/// struct literals lie between the frame it is evaluated in and the body's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guard {
    pub(super) comprehension: CId,
    pub(super) frames: u32,
}

/// The comprehensions of a program and what stands in their bodies. Made once per program.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    decls: FxHashMap<DId, Guard>,
    inner: FxHashMap<CId, Guard>,
}

impl Guards {
    /// Looks through all comprehensions of a program.
    pub fn new(program: &Program) -> Guards {
        let mut guards = Guards::default();
        for index in 1..program.comprehensions.len() {
            guards.body(program, CId(index as u32));
        }
        guards
    }

    pub(super) fn of_decl(&self, d: DId) -> Option<Guard> {
        self.decls.get(&d).copied()
    }

    pub(super) fn of_comprehension(&self, c: CId) -> Option<Guard> {
        self.inner.get(&c).copied()
    }

    fn body(&mut self, program: &Program, comprehension: CId) {
        let comp = program.comprehension(comprehension);
        let mut stack = vec![(comp.body, 0)];
        while let Some((x, frames)) = stack.pop() {
            match program.expr(x) {
                Expr::Struct(s) => {
                    let guard = Guard {
                        comprehension,
                        frames: frames + 1,
                    };
                    for d in program.struct_decls(s) {
                        self.decl(program, *d, guard, &mut stack);
                    }
                }
                Expr::Binary(Op::And, a, b) => stack.extend([(a, frames), (b, frames)]),
                Expr::Open(y) => stack.push((y, frames)),
                Expr::Disjunction(run, _) => {
                    let list = program.disjunct_list(run);
                    stack.extend(list.iter().map(|(y, _)| (*y, frames)));
                }
                _ => {}
            }
        }
    }

    fn decl(&mut self, program: &Program, d: DId, guard: Guard, stack: &mut Vec<(XId, u32)>) {
        self.decls.insert(d, guard);
        match program.decl(d) {
            Decl::Comprehension(c) => {
                self.inner.insert(c, guard);
            }
            _ => {
                let value = program.decl_value(d);
                if value.is_some() {
                    stack.push((value, guard.frames));
                }
            }
        }
    }
}

/// Whether a clause opens a frame for what follows it.
pub(super) fn opens_frame(clause: &Clause) -> bool {
    match clause {
        Clause::For { .. } | Clause::Let { .. } => true,
        Clause::If { .. } => false,
        Clause::Try { value, .. } => value.is_some(),
    }
}
