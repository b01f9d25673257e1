//! A node: one resource or data source that a wave reached.
//!
//! Started by the planner. It asks its provider, the evaluator, the locks and the transaction; it
//! tells the nodes downstream and reports to the planner. Its end without a report means that this
//! node failed: what depends on it is blocked, the rest goes on.

pub(crate) mod apply;
mod ask;
pub(crate) mod plan;
mod record;

use crate::planner;
use crate::supervision::{EndGuard, Who};
use crate::world::World;
use actix::dev::SendError;
use actix::{
    Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message, Recipient,
    WrapFuture,
};
use apply::ApplyWork;
use plan::PlanWork;
use pravo_state::Address;
use std::collections::HashSet;
use std::rc::Rc;

/// Something upstream is done, or the wave begins. The same message runs both waves.
#[derive(Clone, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Reach {
    /// The wave it belongs to.
    pub(crate) wave: u64,
    /// The node upstream; nothing from the planner, when a wave begins.
    pub(crate) from: Option<Address>,
    /// What is upstream failed, so this node can't be worked on.
    pub(crate) failed: bool,
}

/// What a node does when everything upstream has reached it.
pub(crate) enum Work {
    Plan(Box<PlanWork>),
    Apply(Box<ApplyWork>),
}

pub(crate) struct Node {
    address: Address,
    world: Rc<World>,
    wave: u64,
    work: Option<Work>,
    /// Upstream nodes that have not reached this one yet.
    awaited: HashSet<Address>,
    begun: bool,
    blocked: bool,
    /// The nodes that wait for this one.
    downstream: Vec<Recipient<Reach>>,
    _guard: EndGuard,
}

impl Node {
    pub(crate) fn new(
        address: Address,
        world: Rc<World>,
        (wave, work): (u64, Work),
        awaited: HashSet<Address>,
        downstream: Vec<Recipient<Reach>>,
    ) -> Self {
        let guard = world.guard(Who::Node(address.clone(), wave));
        Self {
            address,
            world,
            wave,
            work: Some(work),
            awaited,
            begun: false,
            blocked: false,
            downstream,
            _guard: guard,
        }
    }

    /// Starts the actor with a mailbox that holds a message of each node upstream.
    pub(crate) fn begin(self) -> actix::Addr<Self> {
        let room = self.awaited.len() + 2;
        Self::create(|ctx: &mut Context<Self>| {
            ctx.set_mailbox_capacity(room);
            self
        })
    }

    fn work_if_ready(&mut self, ctx: &mut Context<Self>) {
        if !self.awaited.is_empty() || !self.begun {
            return;
        }
        let Some(work) = self.work.take() else {
            return;
        };
        let (world, address) = (Rc::clone(&self.world), self.address.clone());
        match work {
            Work::Plan(work) => {
                let done = async move { plan::run(&world, *work).await }.into_actor(self);
                ctx.spawn(done.map(|report, node, ctx| {
                    let wave = node.wave;
                    node.report(planner::Reached { wave, report }, false, ctx);
                }));
            }
            Work::Apply(work) => {
                let blocked = self.blocked;
                let done = async move { apply::run(&world, &address, *work, blocked).await };
                ctx.spawn(done.into_actor(self).map(|report, node, ctx| {
                    let (wave, failed) = (node.wave, !report.is_done());
                    node.report(planner::Applied { wave, report }, failed, ctx);
                }));
            }
        }
    }

    /// Tells the planner, then the nodes downstream, and ends.
    fn report<M>(&self, report: M, failed: bool, ctx: &mut Context<Self>)
    where
        M: Message<Result = ()> + Send + 'static,
        planner::Planner: Handler<M>,
    {
        let told = self.world.planner.send(report);
        let reach = Reach {
            wave: self.wave,
            from: Some(self.address.clone()),
            failed,
        };
        let downstream = self.downstream.clone();
        let work = async move {
            if told.await.is_err() {
                tracing::debug!("the planner ended before its nodes");
            }
            for node in downstream {
                tell(&node, reach.clone()).await;
            }
        };
        ctx.spawn(work.into_actor(self).map(|(), _, ctx| ctx.stop()));
    }
}

/// Sends without an answer; waits only for a full mailbox.
pub(crate) async fn tell(node: &Recipient<Reach>, reach: Reach) {
    if let Err(SendError::Full(reach)) = node.try_send(reach)
        && node.send(reach).await.is_err()
    {
        tracing::debug!("a node ended before it was reached");
    }
}

impl Actor for Node {
    type Context = Context<Self>;
}

impl Handler<Reach> for Node {
    type Result = ();

    fn handle(&mut self, reach: Reach, ctx: &mut Self::Context) {
        if reach.wave != self.wave {
            return;
        }
        match &reach.from {
            None => self.begun = true,
            Some(from) if !self.awaited.remove(from) => return,
            Some(_) => self.blocked |= reach.failed,
        }
        self.work_if_ready(ctx);
    }
}
