//! The planner: starts reached nodes, gathers the plan, runs the apply wave.
//!
//! Started by the session; everything else is started by it. It asks all others and is asked by
//! the session. Its end means that the run fails; what it wrote by then is recorded.
//!
//! A wave is one flow of the planner ([`walk`], [`carry`]) that hears, through its inbox, what
//! nodes report and which actors ended.

mod carry;
mod findings;
mod gather;
mod removed;
mod walk;

pub(crate) use removed::instance_of;

use crate::node::{apply, plan};
use crate::provider::{Interrupt as InterruptProvider, Provider, Stop};
use crate::run::{Applied as Outcome, RunError};
use crate::supervision::{Ended, Who};
use crate::world::World;
use actix::{
    Actor, ActorFutureExt, Addr, AsyncContext, Context, Handler, Message, ResponseActFuture,
    ResponseFuture, WrapFuture,
};
use pravo_plan::Plan;
use pravo_state::Event;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Makes a plan.
#[derive(Message)]
#[rtype(result = "Result<Plan, RunError>")]
pub(crate) struct MakePlan {
    pub(crate) header: HeaderInput,
}

/// What a plan says of itself that only the caller knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeaderInput {
    pub(crate) tags: Vec<String>,
    pub(crate) inject_vars: bool,
    pub(crate) destroy: bool,
}

/// Applies a plan.
#[derive(Message)]
#[rtype(result = "Result<Outcome, RunError>")]
pub(crate) struct ApplyPlan {
    pub(crate) plan: Box<Plan>,
    pub(crate) patience: Duration,
}

/// A node of a plan wave is done.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Reached {
    pub(crate) wave: u64,
    pub(crate) report: plan::Report,
}

/// A node of an apply wave is done.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Applied {
    pub(crate) wave: u64,
    pub(crate) report: apply::Report,
}

/// The person asked to stop: nothing new starts, what runs is finished and recorded.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Interrupt;

/// Ends every provider. Answers when all processes are gone.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Close;

/// What a wave hears.
pub(crate) enum Heard {
    Reached(Box<Reached>),
    Applied(Box<Applied>),
    Ended(Ended),
}

/// What a wave hears through.
pub(crate) type Inbox = mpsc::UnboundedReceiver<Heard>;

pub(crate) struct Planner {
    world: Option<Rc<World>>,
    ears: Option<mpsc::UnboundedSender<Heard>>,
    waves: u64,
}

impl Planner {
    pub(crate) fn new() -> Self {
        Self {
            world: None,
            ears: None,
            waves: 0,
        }
    }

    /// Gives the planner the others. Without it every question is refused.
    pub(crate) fn equip(&mut self, world: Rc<World>) {
        self.world = Some(world);
    }

    /// Begins a wave: its world, its inbox and its number, from which its walks count on.
    fn wave(&mut self) -> Result<(Rc<World>, Inbox, u64), RunError> {
        let Some(world) = &self.world else {
            return Err(RunError::failed("the session is closed"));
        };
        let (ears, inbox) = mpsc::unbounded_channel();
        self.ears = Some(ears);
        self.waves += 1 << 32;
        Ok((Rc::clone(world), inbox, self.waves))
    }

    fn hear(&self, heard: Heard) {
        if let Some(ears) = &self.ears
            && ears.send(heard).is_err()
        {
            tracing::debug!("a report came after its wave");
        }
    }

    fn providers(&self) -> Vec<Addr<Provider>> {
        let world = self.world.as_ref();
        world
            .map(|w| w.providers.borrow().values().cloned().collect())
            .unwrap_or_default()
    }
}

impl Actor for Planner {
    type Context = Context<Self>;
}

/// Gives the planner the others.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Equip(pub(crate) Box<dyn FnOnce(Addr<Planner>) -> World + Send>);

impl Handler<Equip> for Planner {
    type Result = ();

    fn handle(&mut self, equip: Equip, ctx: &mut Self::Context) {
        let world = (equip.0)(ctx.address());
        self.equip(Rc::new(world));
    }
}

impl Handler<MakePlan> for Planner {
    type Result = ResponseActFuture<Self, Result<Plan, RunError>>;

    fn handle(&mut self, make: MakePlan, _: &mut Self::Context) -> Self::Result {
        let wave = self.wave();
        let work = async move {
            let (world, inbox, wave) = wave?;
            walk::make_plan(&world, inbox, wave, &make.header).await
        };
        Box::pin(work.into_actor(self).map(|plan, planner, _| {
            planner.ears = None;
            plan
        }))
    }
}

impl Handler<ApplyPlan> for Planner {
    type Result = ResponseActFuture<Self, Result<Outcome, RunError>>;

    fn handle(&mut self, apply: ApplyPlan, _: &mut Self::Context) -> Self::Result {
        let wave = self.wave();
        let work = async move {
            let (world, inbox, wave) = wave?;
            carry::apply_plan(&world, inbox, wave, (*apply.plan, apply.patience)).await
        };
        Box::pin(work.into_actor(self).map(|outcome, planner, _| {
            planner.ears = None;
            outcome
        }))
    }
}

impl Handler<Reached> for Planner {
    type Result = ();

    fn handle(&mut self, reached: Reached, _: &mut Self::Context) {
        self.hear(Heard::Reached(Box::new(reached)));
    }
}

impl Handler<Applied> for Planner {
    type Result = ();

    fn handle(&mut self, applied: Applied, _: &mut Self::Context) {
        self.hear(Heard::Applied(Box::new(applied)));
    }
}

impl Handler<Ended> for Planner {
    type Result = ();

    fn handle(&mut self, ended: Ended, _: &mut Self::Context) {
        if ended.panicked {
            tracing::error!(who = ?ended.who, "an actor ended by a panic");
        }
        if let (Who::Provider(key), Some(world)) = (&ended.who, &self.world) {
            world.providers.borrow_mut().remove(key);
        }
        self.hear(Heard::Ended(ended));
    }
}

impl Handler<Interrupt> for Planner {
    type Result = ();

    fn handle(&mut self, _: Interrupt, ctx: &mut Self::Context) {
        let Some(world) = &self.world else {
            return;
        };
        if world.halt.is_interrupted() {
            return;
        }
        world.halt.interrupt();
        world.tell(Event::StopRequested {
            running: world.halt.running(),
        });
        for provider in self.providers() {
            let asked = provider.send(InterruptProvider);
            ctx.spawn(asked.into_actor(self).map(|_, _, _| ()));
        }
    }
}

impl Handler<Close> for Planner {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, _: Close, _: &mut Self::Context) -> Self::Result {
        let providers = self.providers();
        self.world = None;
        Box::pin(async move {
            let stops = providers.iter().map(|provider| provider.send(Stop));
            for stopped in stops.collect::<Vec<_>>() {
                if stopped.await.is_err() {
                    tracing::debug!("a provider ended before it was stopped");
                }
            }
        })
    }
}
