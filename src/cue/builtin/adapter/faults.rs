//! Errors of calls: texts, places, and values that are no data.

use super::EvaluatorHost;
use crate::builtin::host::{ErrorHandle, Failure, Place};
use crate::eval::error::{Arg, Bottom, Message, MsgId};
use crate::eval::kind::{ArcType, Code};
use crate::eval::value::{Data as Of, Val};
use crate::eval::vertex::VId;
use crate::print::{Profile, deeper, print_value};
use crate::syntax::format::Style;
use crate::syntax::source::Pos;

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
        self.push_fault(code, "{}", vec![Arg::Text(text.into())], Vec::new())
    }

    pub(super) fn push_fault(
        &mut self,
        code: Code,
        template: &'static str,
        args: Vec<Arg>,
        more: Vec<Pos>,
    ) -> Val {
        let message = self.ev.push_message(Message {
            template,
            args,
            pos: Pos::NONE,
            more,
            path: Vec::new(),
            no_path: true,
            cause: Vec::new(),
        });
        let e = self.ev.push_error(Bottom {
            code,
            messages: vec![message],
            node: VId::NONE,
            has_recursive: false,
            child_error: false,
            close_check: false,
            list: false,
        });
        Val::bare(Of::Err(e))
    }

    /// An error with a text and places.
    pub(super) fn fault_at(&mut self, code: Code, text: String, places: &[Pos]) -> ErrorHandle {
        let args = vec![Arg::Text(text.into())];
        match self.push_fault(code, "{}", args, places.to_vec()).data {
            Of::Err(e) => ErrorHandle(u64::from(e.0)),
            _ => ErrorHandle(0),
        }
    }

    pub(super) fn fault_of(
        &mut self,
        code: Code,
        template: &'static str,
        args: Vec<Arg>,
        at: &[Place],
    ) -> Val {
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
        let e = self.ev.push_error(Bottom {
            code: Code::Eval,
            messages: vec![message],
            node: VId::NONE,
            has_recursive: false,
            child_error: false,
            close_check: false,
            list: false,
        });
        ErrorHandle(u64::from(e.0))
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
            (_, Of::Err(e)) if !self.ev.incomplete(e) => out.push(ErrorHandle(u64::from(e.0))),
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
        let code = if incomplete {
            Code::Incomplete
        } else {
            Code::Eval
        };
        Failure::Error(self.fault_at(code, text, &[pos]))
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
