//! Making errors, adding positions, combining.

use super::context::Evaluator;
use super::error::{Arg, Bottom, ErrId, Message, MsgId};
use super::kind::{Code, Kind};
use super::label::Label;
use super::limit::FAR_LOOKS;
use super::node::Source;
use super::value::{Data, Val};
use super::vertex::{Item, VId};
use crate::syntax::source::Pos;
use rustc_hash::FxHashSet;

/// Of more messages than this it is noted which ones were seen.
const FEW_MESSAGES: usize = 8;

/// Making a message is worth so many looks.
const MESSAGE_LOOKS: usize = 8;

impl Evaluator {
    /// An error by its id.
    pub fn error(&self, e: ErrId) -> &Bottom {
        &self.errors[e.i()]
    }

    /// A message by its id.
    pub fn message(&self, m: MsgId) -> &Message {
        &self.messages[m.i()]
    }

    pub(crate) fn incomplete(&self, e: ErrId) -> bool {
        e.is_some() && self.errors[e.i()].code.is_incomplete()
    }

    pub(crate) fn code(&self, e: ErrId) -> Code {
        self.errors[e.i()].code
    }

    pub(crate) fn push_error(&mut self, b: Bottom) -> ErrId {
        self.looked(self.reg.vertex, 2);
        self.errors.push(b);
        ErrId(self.errors.len() as u32 - 1)
    }

    pub(crate) fn push_message(&mut self, m: Message) -> MsgId {
        let size = m.args.len() + m.more.len() + FAR_LOOKS * m.path.len() + m.cause.len();
        self.looked(self.reg.vertex, MESSAGE_LOOKS + size);
        self.messages.push(m);
        MsgId(self.messages.len() as u32 - 1)
    }

    pub(crate) fn arg_positions(&mut self, args: &[Arg], out: &mut Vec<Pos>) {
        // What is said after a limit was reached is not shown.
        if self.is_over() {
            return;
        }
        let mut looked = 0;
        for a in args {
            match a {
                Arg::Val(v) => looked += self.positions_of(*v, out),
                Arg::Expr(x) | Arg::Source(x) => {
                    let pos = self.program.pos(*x);
                    if pos.is_valid() {
                        out.push(pos);
                    }
                }
                Arg::Struct(s) => out.push(self.program.struct_lit(*s).pos),
                _ => {}
            }
        }
        self.looked(self.reg.vertex, FAR_LOOKS * looked);
    }

    /// The labels from the root to a vertex.
    pub fn path(&self, v: VId) -> Vec<Label> {
        let mut out = Vec::new();
        let mut v = v;
        loop {
            let x = &self.v[v.i()];
            if !x.parent.is_some() {
                break;
            }
            let own = self.v[x.parent.i()].base.data == Data::Vertex(v);
            if x.label != Label::NONE && !own {
                out.push(x.label);
            }
            v = x.parent;
        }
        out.reverse();
        out
    }

    fn error_path(&self) -> Vec<Label> {
        if self.is_over() {
            return Vec::new();
        }
        let Some(first) = self.alt_path.first() else {
            return self.path(self.reg.vertex);
        };
        let mut out = self.path(*first);
        out.extend(
            self.alt_path[1..]
                .iter()
                .map(|v| self.v[v.i()].label)
                .filter(|l| *l != Label::NONE),
        );
        out
    }

    /// Lets an error tell where it was found.
    pub(crate) fn place_error(&mut self, e: ErrId) {
        let path = self.error_path();
        for m in self.errors[e.i()].messages.clone() {
            let message = &mut self.messages[m.i()];
            (message.path, message.no_path) = (path.clone(), false);
        }
    }

    /// Arguments keep the value a vertex has now.
    pub(crate) fn settle(&mut self, args: &mut [Arg]) {
        for a in args {
            let Arg::Val(v) = a else { continue };
            let Data::Vertex(x) = v.data else { continue };
            let x = self.deref(x);
            let base = self.vx(x).base;
            match base.data {
                Data::Struct | Data::List(_) => {
                    let old = self.vx(x);
                    let mut copy = super::vertex::Vertex::new(old.parent, old.label, old.arc);
                    copy.base = base;
                    copy.arcs = old.arcs.clone();
                    copy.status = super::vertex::Status::Finalized;
                    let copy = self.new_vertex(copy);
                    self.index_arcs(copy);
                    v.data = Data::Vertex(copy);
                }
                Data::Unset => {}
                _ => *v = base,
            }
        }
    }

    /// A message at a place.
    pub fn message_at(&mut self, pos: Pos, template: &'static str, mut args: Vec<Arg>) -> MsgId {
        let mut more = self.more_pos.clone();
        self.arg_positions(&args, &mut more);
        self.settle(&mut args);
        let path = self.error_path();
        self.push_message(Message {
            template,
            args,
            pos,
            more,
            path,
            no_path: false,
            cause: Vec::new(),
        })
    }

    /// An error of one message, found at the current vertex.
    pub(crate) fn error_of(&mut self, code: Code, message: MsgId) -> ErrId {
        let node = self.reg.vertex;
        self.error_at(code, message, node)
    }

    pub(crate) fn error_at(&mut self, code: Code, message: MsgId, node: VId) -> ErrId {
        self.push_error(Bottom {
            code,
            messages: vec![message],
            node,
            has_recursive: false,
            child_error: false,
            close_check: false,
            list: false,
        })
    }

    /// A new error at a place; it is not recorded anywhere.
    pub fn errf_at(
        &mut self,
        code: Code,
        pos: Pos,
        template: &'static str,
        args: Vec<Arg>,
    ) -> ErrId {
        let m = self.message_at(pos, template, args);
        self.error_of(code, m)
    }

    /// A new fatal error at the current place; it is not recorded anywhere.
    pub fn errf(&mut self, template: &'static str, args: Vec<Arg>) -> ErrId {
        let pos = self.reg.src;
        self.errf_at(Code::Eval, pos, template, args)
    }

    /// A new error as a value.
    pub fn err_val(&mut self, code: Code, template: &'static str, args: Vec<Arg>) -> Val {
        let pos = self.reg.src;
        Val::bare(Data::Err(self.errf_at(code, pos, template, args)))
    }

    /// Records an error of the running expression.
    pub(crate) fn add_error(&mut self, e: ErrId) {
        self.reg.errs = self.combine(self.reg.errs, e);
    }

    /// Records a new error of the running expression.
    pub fn add_errf(&mut self, code: Code, pos: Pos, template: &'static str, args: Vec<Arg>) {
        let e = self.errf_at(code, pos, template, args);
        self.add_error(e);
    }

    /// Whether the running expression has an error.
    pub fn has_err(&self) -> bool {
        self.reg.errs.is_some()
    }

    pub(crate) fn take_err(&mut self) -> ErrId {
        std::mem::replace(&mut self.reg.errs, ErrId::NONE)
    }

    /// Joins two errors of one place: the more severe class wins.
    pub(crate) fn combine(&mut self, a: ErrId, b: ErrId) -> ErrId {
        if !a.is_some() || a == b && a == ErrId::CYCLE {
            return b;
        }
        if a == b {
            return self.own_error(a);
        }
        if !b.is_some() {
            return a;
        }
        // Only that a limit was reached is shown.
        if self.is_over() {
            return self.over_limit();
        }
        let (mut a, mut b) = (a, b);
        if self.code(a) != self.code(b) {
            if self.code(a) > self.code(b) {
                std::mem::swap(&mut a, &mut b);
            }
            if self.code(b).is_incomplete() {
                return a;
            }
        }
        let (x, y) = (&self.errors[a.i()], &self.errors[b.i()]);
        let (have, more) = (x.messages.len(), y.messages.len());
        let mut messages = x.messages.clone();
        if have.min(more) > FEW_MESSAGES {
            let mut seen: FxHashSet<MsgId> = messages.iter().copied().collect();
            messages.extend(y.messages.iter().filter(|m| seen.insert(**m)));
        } else {
            for m in &y.messages {
                if !messages.contains(m) {
                    messages.push(*m);
                }
            }
        }
        let joined = Bottom {
            code: x.code,
            messages,
            node: VId::NONE,
            has_recursive: false,
            child_error: false,
            close_check: x.close_check || y.close_check,
            list: true,
        };
        self.looked(self.reg.vertex, have + 4 * more);
        self.push_error(joined)
    }

    /// The same error, of a place of its own: that of a struct that a path leads through is an
    /// error of what is looked for.
    fn own_error(&mut self, e: ErrId) -> ErrId {
        let b = self.errors[e.i()].clone();
        self.looked(self.reg.vertex, b.messages.len());
        self.push_error(Bottom {
            node: VId::NONE,
            has_recursive: false,
            child_error: false,
            close_check: false,
            ..b
        })
    }

    /// Joins many errors of one place at once, with the result of joining them in turn.
    pub(crate) fn combine_many(&mut self, list: &[ErrId]) -> ErrId {
        let list: Vec<ErrId> = list.iter().copied().filter(|e| e.is_some()).collect();
        if list.len() < 3 {
            return list
                .into_iter()
                .fold(ErrId::NONE, |a, b| self.combine(a, b));
        }
        let worst = list
            .iter()
            .map(|e| self.code(*e))
            .min()
            .unwrap_or(Code::Eval);
        let mut seen = FxHashSet::default();
        let (mut messages, mut close_check) = (Vec::new(), false);
        // What the errors so far came to: an error itself, or whether it became a list.
        let (mut single, mut is_list) = (None, false);
        for e in &list {
            let b = &self.errors[e.i()];
            if b.code != worst && b.code.is_incomplete() {
                continue;
            }
            close_check |= b.close_check;
            let first = messages.is_empty();
            is_list = if first {
                b.list
            } else {
                is_list || single != Some(*e)
            };
            single = first.then_some(*e);
            messages.extend(b.messages.iter().copied().filter(|m| seen.insert(*m)));
        }
        self.push_error(Bottom {
            code: worst,
            messages,
            node: VId::NONE,
            has_recursive: false,
            child_error: false,
            close_check,
            list: is_list,
        })
    }

    pub(crate) fn combine_vals(&mut self, a: Val, b: Val) -> ErrId {
        let (a, b) = (self.unwrap(a), self.unwrap(b));
        self.combine(
            a.err().unwrap_or(ErrId::NONE),
            b.err().unwrap_or(ErrId::NONE),
        )
    }

    /// A cycle error without any position gets the current one.
    pub(crate) fn place_cycle(&mut self, e: ErrId) -> ErrId {
        let pos = self.reg.src;
        if !pos.is_valid() || self.code(e) != Code::Cycle {
            return e;
        }
        let bare = |m: &MsgId| {
            let m = &self.messages[m.i()];
            !m.pos.is_valid() && m.more.is_empty()
        };
        if !self.errors[e.i()].messages.iter().all(bare) {
            return e;
        }
        let mut b = self.errors[e.i()].clone();
        for id in &mut b.messages {
            let mut m = self.messages[id.i()].clone();
            m.pos = pos;
            if m.path.is_empty() {
                m.path = self.error_path();
            }
            *id = self.push_message(m);
        }
        self.push_error(b)
    }

    /// Wraps each message of an error in a message: `outer: inner`.
    pub(crate) fn wrap_error(&mut self, e: ErrId, message: MsgId) -> ErrId {
        let (code, causes) = (self.code(e), self.errors[e.i()].messages.clone());
        let list = self.errors[e.i()].list;
        let own = self.messages[message.i()].clone();
        let mut messages = Vec::with_capacity(causes.len());
        for cause in causes {
            let mut m = own.clone();
            m.cause = vec![cause];
            messages.push(self.push_message(m));
        }
        let e = self.error_of(code, message);
        let wrapped = &mut self.errors[e.i()];
        (wrapped.messages, wrapped.list) = (messages, list);
        e
    }

    /// Records an error of a vertex.
    pub(crate) fn add_bottom(&mut self, v: VId, e: ErrId) {
        if e.is_some() {
            let joined = self.combine(self.n(v).errs, e);
            self.nm(v).errs = joined;
        }
    }

    /// The places of a group and of the groups around it.
    pub(crate) fn group_positions(&mut self, mut group: u32, out: &mut Vec<Pos>) {
        let mut looks = 0;
        while group != 0 && !self.is_over() {
            looks += FAR_LOOKS + out.len() / 4;
            let g = self.groups[group as usize];
            if g.pos.is_valid() && !out.contains(&g.pos) {
                out.push(g.pos);
            }
            group = g.parent;
        }
        self.looked(self.reg.vertex, looks);
    }

    fn source_arg(&self, s: Source) -> Arg {
        match s {
            Source::None => Arg::Text("_".into()),
            Source::Val(v) => Arg::Val(v),
            Source::Expr(x) => Arg::Expr(x),
            Source::Struct(s) => Arg::Struct(s),
        }
    }

    /// Two values of a vertex do not go together.
    pub(crate) fn conflict(
        &mut self,
        v: VId,
        (a, ka, ga): (Source, Kind, u32),
        (b, kb, gb): (Source, Kind, u32),
    ) {
        let mut args = vec![self.source_arg(a), self.source_arg(b)];
        let mut more = Vec::new();
        self.arg_positions(&args, &mut more);
        self.group_positions(ga, &mut more);
        self.group_positions(gb, &mut more);
        self.settle(&mut args);
        let template = if ka == kb {
            "conflicting values {} and {}"
        } else {
            args.extend([Arg::Kind(ka), Arg::Kind(kb)]);
            "conflicting values {} and {} (mismatched types {} and {})"
        };
        let path = self.error_path();
        let m = Message {
            template,
            args,
            pos: Pos::NONE,
            more,
            path,
            no_path: false,
            cause: Vec::new(),
        };
        let m = self.push_message(m);
        let e = self.error_at(Code::Eval, m, v);
        self.add_bottom(v, e);
    }

    /// Records the error of a child at its parent.
    pub(crate) fn add_child_error(&mut self, v: VId, e: ErrId) {
        let joined = self.combine(self.v[v.i()].child_errors(), e);
        self.v[v.i()].set_child_errors(joined);
        self.spoil(v, e);
    }

    /// Records the errors of several children at once.
    pub(crate) fn add_child_errors(&mut self, v: VId, list: &[ErrId]) {
        let mut all = vec![self.v[v.i()].child_errors()];
        all.extend_from_slice(list);
        let joined = self.combine_many(&all);
        self.v[v.i()].set_child_errors(joined);
        for e in list {
            self.spoil(v, *e);
        }
    }

    /// A fatal error of a child makes its parent one.
    fn spoil(&mut self, v: VId, e: ErrId) {
        if self.incomplete(e) {
            return;
        }
        self.looked(v, self.errors[e.i()].messages.len());
        let own = self.v[v.i()].base.err();
        match own {
            Some(own) if !self.errors[own.i()].close_check => {
                let code = self.code(e);
                let b = &self.errors[own.i()];
                if b.has_recursive && b.code <= code {
                    return;
                }
                let mut b = b.clone();
                b.has_recursive = true;
                b.code = b.code.min(code);
                let id = self.push_error(b);
                self.v[v.i()].base = Val::bare(Data::Err(id));
            }
            _ => {
                let b = Bottom {
                    node: v,
                    has_recursive: true,
                    child_error: true,
                    ..self.errors[e.i()].clone()
                };
                let id = self.push_error(b);
                self.v[v.i()].base = Val::bare(Data::Err(id));
            }
        }
    }

    /// Adds where a conjunct was written, and the reference it came through.
    pub(crate) fn conjunct_positions(&self, v: VId, out: &mut Vec<Pos>) {
        for c in &self.v[v.i()].conjuncts {
            if let Item::Decl(d) = c.item {
                out.push(self.program.decl_pos(d));
            }
            let pos = self.groups[c.info.def as usize].pos;
            if c.info.def != 0 && pos.is_valid() {
                out.push(pos);
            }
        }
    }
}
