//! Each kind of actor, and how its end is noticed.
//!
//! Nothing is restarted silently: an actor that ends tells the planner through its [`EndGuard`],
//! also when it ends by a panic, and the planner decides what the end means (see the table in
//! [`crate`]).

use actix::{Message, Recipient};
use pravo_state::Address;

/// Who ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Evaluator,
    /// A node, and the wave it worked in.
    Node(Address, u64),
    Provider(String),
    Lock,
    Transaction,
}

/// An actor ended.
#[derive(Clone, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Ended {
    pub(crate) who: Who,
    pub(crate) panicked: bool,
}

/// Reports the end of the actor that holds it.
pub(crate) struct EndGuard {
    who: Who,
    reply_to: Recipient<Ended>,
}

impl EndGuard {
    pub(crate) fn new(who: Who, reply_to: Recipient<Ended>) -> Self {
        Self { who, reply_to }
    }

    pub(crate) fn who(&self) -> &Who {
        &self.who
    }
}

impl Drop for EndGuard {
    fn drop(&mut self) {
        let ended = Ended {
            who: self.who.clone(),
            panicked: std::thread::panicking(),
        };
        if self.reply_to.try_send(ended).is_err() {
            tracing::debug!(who = ?self.who, "nobody hears of the end of an actor");
        }
    }
}
