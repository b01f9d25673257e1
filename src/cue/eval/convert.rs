//! Values as what operators need: texts, numbers, labels; errors are recorded for others.

use std::borrow::Cow;

use super::context::Evaluator;
use super::error::Arg;
use super::kind::{Code, Kind};
use super::label::Label;
use super::program::{Expr, XId};
use super::value::{Data, Val};

impl Evaluator {
    /// The text of a scalar as interpolations show it; an error is recorded for others.
    pub(crate) fn text_of(&mut self, v: Val) -> Cow<'_, str> {
        let v = self.unwrap(v);
        if v.is_unset() || v.err().is_some() {
            return Cow::Borrowed("");
        }
        let kinds = Kind::STRING | Kind::NUMBER | Kind::BYTES | Kind::BOOL;
        let k = self.kind(v);
        if !k.meets(kinds) {
            self.type_error(v, kinds, None);
            return Cow::Borrowed("");
        }
        match v.data {
            Data::Str(n) => Cow::Borrowed(self.names.get(n)),
            Data::Bytes(b) => Cow::Owned(super::text::valid_utf8(&self.bytes[b.i()])),
            Data::Bool(b) => Cow::Borrowed(if b { "true" } else { "false" }),
            Data::Int(i) => Cow::Owned(i.to_string()),
            _ => match self.number(v) {
                Some(n) => Cow::Owned(n.text()),
                None => {
                    let pos = self.reg.src;
                    let args = vec![Arg::Val(v), Arg::Kind(k)];
                    self.add_errf(
                        Code::Incomplete,
                        pos,
                        "non-concrete value {} (type {})",
                        args,
                    );
                    Cow::Borrowed("")
                }
            },
        }
    }

    /// Records that a value is not of a kind, naming what wanted it.
    pub(crate) fn type_error(&mut self, v: Val, k: Kind, for_what: Option<Arg>) {
        if v.is_unset() || v.err().is_some() {
            return;
        }
        let own = self.kind(v);
        let cyclic = match v.data {
            Data::Vertex(x) => self.has_state(x) && self.n(x).only_cyclic(),
            _ => false,
        };
        if !self.is_concrete(v) && own.meets(k) || cyclic {
            let pos = self.pos_of(v);
            let (template, args) = match for_what {
                None => ("incomplete {}: {}", vec![Arg::Kind(k), Arg::Val(v)]),
                Some(a) => (
                    "incomplete {} in {}: {}",
                    vec![Arg::Kind(k), a, Arg::Val(v)],
                ),
            };
            self.add_errf(Code::Incomplete, pos, template, args);
            return;
        }
        let mut args = vec![Arg::Val(v), Arg::Kind(own), Arg::Kind(k)];
        let template = match for_what {
            None => "cannot use {} (type {}) as type {}",
            Some(a) => {
                args.push(a);
                "cannot use {} (type {}) as type {} in {}"
            }
        };
        let e = self.errf(template, args);
        self.add_error(e);
    }

    /// A non-negative integer; an error is recorded for other values.
    pub(crate) fn uint(&mut self, v: Val, what: &'static str) -> u64 {
        let v = self.unwrap(v);
        if v.is_unset() || v.err().is_some() {
            return 0;
        }
        let Some(n) = self.number(v) else {
            self.type_error(v, Kind::INT, Some(Arg::Text(what.into())));
            return 0;
        };
        if n.value.is_negative() {
            let e = self.errf("cannot convert negative number to uint64", vec![]);
            self.add_error(e);
            return 0;
        }
        match n.value.coefficient().text().parse() {
            Ok(u) => u,
            Err(_) => {
                let e = self.errf(
                    "cannot convert number {} to uint64",
                    vec![Arg::Text(n.text().into())],
                );
                self.add_error(e);
                0
            }
        }
    }

    /// The label a value selects; none and an error recorded if it cannot.
    pub(crate) fn label_of(&mut self, x: XId, v: Val) -> Label {
        let Ok((v, _)) = self.default_of(v) else {
            return Label::NONE;
        };
        if v.is_unset() || v.err().is_some() {
            return Label::NONE;
        }
        let plain = self.unwrap(v);
        let k = self.kind(v);
        match k {
            Kind::INT | Kind::NUMBER => match self.number(plain) {
                Some(n) => self.index_from(x, plain, &n),
                None => self.not_ground(v, "int"),
            },
            Kind::STRING => match plain.data {
                Data::Str(s) => Label::string(s),
                _ => self.not_ground(v, "string"),
            },
            _ => {
                let args = vec![Arg::Expr(x), Arg::Kind(k)];
                let e = self.errf("invalid index {} (invalid type {})", args);
                self.add_error(e);
                Label::NONE
            }
        }
    }

    fn not_ground(&mut self, v: Val, what: &'static str) -> Label {
        let pos = self.pos_of(v);
        let args = vec![Arg::Val(v), Arg::Text(what.into())];
        self.add_errf(
            Code::Incomplete,
            pos,
            "invalid non-ground value {} (must be concrete {})",
            args,
        );
        Label::NONE
    }

    fn index_from(&mut self, x: XId, v: Val, n: &crate::number::Number) -> Label {
        let Some(i) = n.value.to_i64().filter(|_| n.is_int()) else {
            let text = super::text::int64_error(n);
            let e = self.errf(
                "invalid index {}: {}",
                vec![Arg::Expr(x), Arg::Text(text.into())],
            );
            self.add_error(e);
            return Label::NONE;
        };
        if i < 0 {
            let (template, args) = match self.program.expr(x) {
                Expr::Val(_) | Expr::Unary(..) => (
                    "invalid index {} (index must be non-negative)",
                    vec![Arg::Val(v)],
                ),
                _ => (
                    "index {} out of range [{}]",
                    vec![Arg::Expr(x), Arg::Val(v)],
                ),
            };
            let e = self.errf(template, args);
            self.add_error(e);
            return Label::NONE;
        }
        if i > super::label::MAX_INDEX {
            let e = self.errf(
                "int label out of range ({} not >=0 and <= 268435454)",
                vec![Arg::Int(i)],
            );
            let m = self.errors[e.i()].messages[0];
            let m = &mut self.messages[m.i()];
            m.path.clear();
            m.more.clear();
            m.pos = crate::syntax::source::Pos::NONE;
            self.add_error(e);
            return Label::NONE;
        }
        Label::index_of(i as usize)
    }
}
