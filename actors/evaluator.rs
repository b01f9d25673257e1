//! The evaluator: owns the specification, on a thread of its own.
//!
//! Started by the session, asked by the planner and by nodes. It talks to nobody. Its end means
//! that the run fails before anything more is applied.
//!
//! It keeps the books of a walk ([`desk::Desk`]): a node is judged as soon as everything it
//! depends on is settled, and nodes that are skipped settle right away, so that a plan with nothing
//! to do is one message.

pub(crate) mod desk;

use crate::supervision::{EndGuard, Who};
use actix::{Actor, Context, Handler, Message, MessageResult};
use desk::{Desk, Judged, Outcome, WalkInput};
use pravo_plan::OutputValue;
use pravo_spec::SpecErrors;
use pravo_state::{Address, Data};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Starts a walk over all declared nodes. Answers the first judgements.
#[derive(Message)]
#[rtype(result = "Vec<Judged>")]
pub(crate) struct Begin(pub(crate) WalkInput);

/// Takes the records without judging anything: for a destroy.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Load(pub(crate) WalkInput);

/// Settles a node that was judged to be worked on. Answers what can be judged now.
#[derive(Message)]
#[rtype(result = "Vec<Judged>")]
pub(crate) struct Settle {
    pub(crate) place: usize,
    pub(crate) outcome: Outcome,
}

/// Puts the values of an applied node at its address.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Keep {
    pub(crate) address: Address,
    pub(crate) object: Arc<Data>,
}

/// Evaluates the configuration of a node with what is settled now.
#[derive(Message)]
#[rtype(result = "Result<Data, SpecErrors>")]
pub(crate) struct Desire(pub(crate) Address);

/// Evaluates the configuration of a provider instance with what is settled now.
#[derive(Message)]
#[rtype(result = "Result<desk::ProviderNow, SpecErrors>")]
pub(crate) struct Configure(pub(crate) String);

/// Evaluates all outputs with what is settled now, by name; takes the recorded ones.
#[derive(Message)]
#[rtype(result = "BTreeMap<String, Result<OutputValue, SpecErrors>>")]
pub(crate) struct EvaluateOutputs(pub(crate) BTreeMap<String, OutputValue>);

pub(crate) struct Evaluator {
    desk: Desk,
    _guard: EndGuard,
}

impl Evaluator {
    pub(crate) fn new(desk: Desk, guard: EndGuard) -> Self {
        debug_assert_eq!(guard.who(), &Who::Evaluator);
        Self {
            desk,
            _guard: guard,
        }
    }
}

impl Actor for Evaluator {
    type Context = Context<Self>;
}

impl Handler<Begin> for Evaluator {
    type Result = MessageResult<Begin>;

    fn handle(&mut self, begin: Begin, _: &mut Self::Context) -> Self::Result {
        MessageResult(self.desk.begin(begin.0))
    }
}

impl Handler<Load> for Evaluator {
    type Result = ();

    fn handle(&mut self, load: Load, _: &mut Self::Context) {
        self.desk.load(load.0);
    }
}

impl Handler<Settle> for Evaluator {
    type Result = MessageResult<Settle>;

    fn handle(&mut self, settle: Settle, _: &mut Self::Context) -> Self::Result {
        MessageResult(self.desk.settle(settle.place, settle.outcome))
    }
}

impl Handler<Keep> for Evaluator {
    type Result = ();

    fn handle(&mut self, keep: Keep, _: &mut Self::Context) {
        self.desk.keep(&keep.address, keep.object);
    }
}

impl Handler<Desire> for Evaluator {
    type Result = Result<Data, SpecErrors>;

    fn handle(&mut self, desire: Desire, _: &mut Self::Context) -> Self::Result {
        self.desk.desire(&desire.0)
    }
}

impl Handler<Configure> for Evaluator {
    type Result = Result<desk::ProviderNow, SpecErrors>;

    fn handle(&mut self, configure: Configure, _: &mut Self::Context) -> Self::Result {
        self.desk.provider(&configure.0)
    }
}

impl Handler<EvaluateOutputs> for Evaluator {
    type Result = MessageResult<EvaluateOutputs>;

    fn handle(&mut self, asked: EvaluateOutputs, _: &mut Self::Context) -> Self::Result {
        MessageResult(self.desk.outputs(&asked.0))
    }
}
