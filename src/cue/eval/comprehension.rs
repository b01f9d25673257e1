//! Comprehensions: evaluating clauses to the frames in which the body is inserted.

use super::context::Evaluator;
use super::error::{Arg, ErrId};
use super::kind::{ArcType, Code};
use super::label::Label;
use super::library::R;
use super::node::{Cond, Flags, Mode};
use super::program::{CId, Clause, Comprehension, Expr, XId};
use super::value::{Data, Val};
use super::vertex::{Conjunct, Env, EnvId, Item, Status, VId, Vertex};

/// A comprehension on its way through its clauses.
struct Rounds<'a> {
    comp: Comprehension,
    run: u32,
    flags: Flags,
    out: &'a mut Vec<EnvId>,
}

impl Evaluator {
    /// Collects the frames a comprehension yields; the error if a clause has one.
    pub(crate) fn run_comprehension(
        &mut self,
        v: VId,
        env: EnvId,
        c: CId,
        flags: Flags,
        out: &mut Vec<EnvId>,
    ) -> R<ErrId> {
        self.next_run += 1;
        let comp = self.program.comprehension(c);
        let mut rounds = Rounds {
            comp,
            run: self.next_run,
            flags,
            out,
        };
        let saved = self.reg;
        if v.is_some() {
            self.reg.vertex = v;
        }
        self.reg.errs = ErrId::NONE;
        self.reg.env = env;
        self.clause(&mut rounds, 0)?;
        let err = self.reg.errs;
        self.reg = saved;
        Ok(err)
    }

    /// Runs clause `i` and those after it in the current frame; false to stop.
    fn clause(&mut self, r: &mut Rounds<'_>, i: usize) -> R<bool> {
        self.spend(self.reg.vertex, 2);
        if self.is_over() {
            self.add_error(self.over_limit());
            return Ok(false);
        }
        let Some(clause) = self.program.clause_list(r.comp.clauses).get(i).copied() else {
            r.out.push(self.reg.env);
            return Ok(true);
        };
        let saved = self.reg;
        self.reg.errs = ErrId::NONE;
        match clause {
            Clause::If { cond, pos } => {
                self.reg.src = pos;
                let v = self.eval_value(
                    cond,
                    Flags {
                        late: r.flags.late,
                        ..Flags::SCALAR
                    },
                )?;
                if self.condition(v, None) {
                    self.clause(r, i + 1)?;
                }
            }
            Clause::For {
                key,
                value,
                source,
                pos,
            } => {
                self.reg.src = pos;
                self.for_clause(r, i, key, value, source)?;
            }
            Clause::Let { label, value, pos } => {
                self.reg.src = pos;
                let env = self.binding(label, value, r.run);
                self.reg.env = env;
                self.clause(r, i + 1)?;
            }
            Clause::Try { label, value, pos } => {
                self.reg.src = pos;
                self.try_clause(r, i, label, value)?;
            }
        }
        let err = self.reg.errs;
        self.reg = saved;
        self.add_error(err);
        Ok(!self.has_err())
    }

    /// A frame with one name bound to an expression of the current frame.
    fn binding(&mut self, label: Label, value: XId, run: u32) -> EnvId {
        let env = self.reg.env;
        let mut arc = Vertex::new(VId::NONE, label, ArcType::Member);
        arc.set_dynamic(true);
        arc.set_anonymous(true);
        arc.conjuncts.push(Conjunct {
            item: Item::Expr(value),
            env,
            info: self.reg.info,
        });
        let arc = self.new_vertex(arc);
        let mut n = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        n.arcs.push(arc);
        let vertex = self.new_vertex(n);
        self.push_env(Env {
            up: env,
            vertex,
            label: Label::NONE,
            run,
        })
    }

    fn try_clause(&mut self, r: &mut Rounds<'_>, i: usize, label: Label, value: XId) -> R<()> {
        let (env, info) = (self.reg.env, self.reg.info);
        let expr = if value.is_some() { value } else { r.comp.body };
        let v = self.inline_vertex([Conjunct {
            item: Item::Expr(expr),
            env,
            info,
        }]);
        if self.state(v)? {
            self.nm(v).try_body = v;
            self.hold(v);
        }
        self.finalize_inner(v)?;
        let skip = self.n(v).try_failed;
        self.let_go(v);
        if skip {
            return Ok(());
        }
        if value.is_some() {
            self.reg.env = self.binding(label, value, r.run);
        }
        self.clause(r, i + 1)?;
        Ok(())
    }

    fn for_clause(
        &mut self,
        r: &mut Rounds<'_>,
        i: usize,
        key: Label,
        value: Label,
        source: XId,
    ) -> R<()> {
        let env = self.reg.env;
        let n = self.loop_source(source)?;
        if self.state(n)? {
            self.freeze(n, Cond::FIELD_SET);
        }
        // The elements of a list that stands in the clause are as they are written.
        let literal = matches!(self.program.expr(source), Expr::List(_));
        let mut leaves = literal;
        let mut at = 0;
        while let Some(a) = self.vx(n).arcs.get(at).copied() {
            at += 1;
            if !self.vx(a).label.is_regular() {
                continue;
            }
            let finished = literal && self.finish_leaf(a);
            leaves &= finished;
            if !finished && self.state(a)? {
                self.process(a, Cond::ARC_TYPE, Mode::Attempt)?;
            }
            match self.vx(a).arc {
                ArcType::Member => {}
                ArcType::Required => {
                    self.missing_required(source, a);
                    continue;
                }
                _ => continue,
            }
            self.reg.env = self.loop_frame(env, a, key, value, r.run);
            let more = self.clause(r, i + 1)?;
            self.reg.env = env;
            if !more {
                break;
            }
        }
        if leaves {
            self.finalize_inner(n)?;
        }
        Ok(())
    }

    fn missing_required(&mut self, source: XId, a: VId) {
        let label = self.vx(a).label;
        let pos = self.reg.src;
        let m = self.message_at(
            pos,
            "missing required field in for comprehension: {}",
            vec![Arg::Label(label)],
        );
        let mut more = vec![self.program.pos(source)];
        self.conjunct_positions(a, &mut more);
        self.messages[m.i()].more.extend(more);
        let e = self.error_at(Code::Incomplete, m, VId::NONE);
        self.add_error(e);
    }

    /// The frame of one round of a loop. The value stands for the element itself.
    fn loop_frame(&mut self, env: EnvId, a: VId, key: Label, value: Label, run: u32) -> EnvId {
        let parent = self.envs[env.i()].vertex;
        let mut n = Vertex::new(parent, Label::NONE, ArcType::Member);
        n.status = Status::Finalized;
        n.set_dynamic(true);
        n.set_anonymous(true);
        if value != Label::NONE {
            let mut b = Vertex::new(VId::NONE, value, ArcType::Pending);
            b.base = Val::bare(Data::Vertex(a));
            b.set_dynamic(true);
            b.set_anonymous(true);
            n.arcs.push(self.new_vertex(b));
        }
        if key != Label::NONE {
            let label = self.vx(a).label;
            let mut val = self.label_value(label);
            val.pos = self.reg.src;
            let mut k = Vertex::new(VId::NONE, key, ArcType::Member);
            k.set_dynamic(true);
            k.set_anonymous(true);
            k.conjuncts.push(Conjunct {
                item: Item::Val(val),
                env,
                info: Default::default(),
            });
            k.base = val;
            k.status = Status::Finalized;
            n.arcs.push(self.new_vertex(k));
        }
        let vertex = self.new_vertex(n);
        self.push_env(Env {
            up: env,
            vertex,
            label: Label::NONE,
            run,
        })
    }
}
