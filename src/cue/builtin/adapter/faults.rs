//! Errors of calls: texts, places, and values that are no data.

use super::EvaluatorHost;
use crate::builtin::host::{ErrorHandle, Failure, Place};
use crate::eval::error::{Arg, ErrId, Message, MsgId};
use crate::eval::kind::{ArcType, Code};
use crate::eval::value::{Data as Of, Val};
use crate::eval::vertex::VId;
use crate::print::{Profile, deeper, print_value};
use crate::syntax::format::Style;
use crate::syntax::source::Pos;

/// An error as functions see it.
pub(super) fn told(e: ErrId) -> ErrorHandle {
    ErrorHandle(u64::from(e.0))
}

pub(super) fn code_of(incomplete: bool) -> Code {
    if incomplete {
        Code::Incomplete
    } else {
        Code::Eval
    }
}

impl EvaluatorHost<'_> {
    /// An error with nothing but a text.
    pub(super) fn fail(&mut self, code: Code, text: String) -> Val {
        let args = vec![Arg::Text(text.into())];
        Val::bare(Of::Err(self.push_fault(code, "{}", args, Vec::new())))
    }

    /// An error that says nothing of where it was found: the call does.
    fn push_fault(
        &mut self,
        code: Code,
        template: &'static str,
        args: Vec<Arg>,
        more: Vec<Pos>,
    ) -> ErrId {
        let message = self.ev.push_message(Message {
            template,
            args,
            pos: Pos::NONE,
            more,
            path: Vec::new(),
            no_path: true,
            cause: Vec::new(),
        });
        self.ev.error_at(code, message, VId::NONE)
    }

    /// An error with a text and places.
    pub(super) fn fault_at(&mut self, code: Code, text: String, places: &[Pos]) -> ErrorHandle {
        let args = vec![Arg::Text(text.into())];
        told(self.push_fault(code, "{}", args, places.to_vec()))
    }

    pub(super) fn fault_of(
        &mut self,
        code: Code,
        template: &'static str,
        args: Vec<Arg>,
        at: &[Place],
    ) -> ErrId {
        let mut places = Vec::new();
        for place in at {
            match place {
                Place::Value(h) => places.push(self.ev.pos_of(self.plain(*h))),
                Place::Parts(h) => {
                    self.ev.positions_of(self.val(*h), &mut places);
                }
            }
        }
        self.push_fault(code, template, args, places)
    }

    /// The error of one message.
    pub(super) fn error_of(&mut self, message: MsgId) -> ErrorHandle {
        told(self.ev.error_at(Code::Eval, message, VId::NONE))
    }

    /// An error for each value inside of one that is no data.
    pub(super) fn no_data(&mut self, v: Val, out: &mut Vec<ErrorHandle>) {
        let plain = self.ev.plain_default(v);
        let base = match plain.data {
            Of::Vertex(x) => self.ev.vx(x).base,
            _ => plain,
        };
        match (plain.data, base.data) {
            (Of::Vertex(x), Of::Struct | Of::List(_)) => {
                for a in self.ev.printed_arcs(x) {
                    let arc = self.ev.vx(a);
                    let field = arc.label.is_string() || arc.label.is_int();
                    if field && arc.arc == ArcType::Member {
                        deeper(|| self.no_data(Val::bare(Of::Vertex(a)), out));
                    }
                }
            }
            (_, Of::Err(e)) if !self.ev.incomplete(e) => out.push(told(e)),
            (_, data) if !matches!(data, Of::Err(_)) && self.ev.is_concrete(base) => {}
            _ => {
                let mut places = Vec::new();
                if let Of::Vertex(x) = v.data {
                    self.ev.conjunct_positions(self.ev.deref(x), &mut places);
                }
                let pos = places.first().copied();
                let pos = pos.unwrap_or_else(|| self.ev.pos_of(v));
                let text = format!("cannot convert non-concrete value {}", self.shown(plain));
                out.push(self.fault_at(Code::Incomplete, text, &[pos]));
            }
        }
    }

    pub(super) fn not_data(&mut self, incomplete: bool, text: String, pos: Pos) -> Failure {
        Failure::Error(self.fault_at(code_of(incomplete), text, &[pos]))
    }

    pub(super) fn shown(&mut self, v: Val) -> String {
        let style = Style {
            simplify: false,
            spaces: true,
        };
        let profile = Profile {
            contained: false,
            ..Profile::eval("_")
        };
        // Without room for it the evaluation ends.
        let text = print_value(self.ev, v, &profile, style).unwrap_or_default();
        text.trim().to_owned()
    }
}
