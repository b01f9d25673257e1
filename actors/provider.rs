//! A provider: one plugin process of one instance, with its configuration.
//!
//! Started by the planner when the first node needs it; asked by nodes. It talks to its process
//! only. Its end means that calls in flight fail with a typed error; nodes that were applying
//! become "outcome unknown, read first".

use crate::plugin::{Plugin, Plugins, Problem};
use crate::supervision::{EndGuard, Who};
use actix::{
    Actor, ActorFutureExt, AsyncContext, Context, Handler, Message, ResponseFuture, WrapFuture,
};
use crossbeam_channel::Sender;
use pravo_state::{Data, Diagnostic, Event};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Gives the running plugin; starts and configures it at the first question.
#[derive(Message)]
#[rtype(result = "Result<Arc<dyn Plugin>, Problem>")]
pub(crate) struct Ready;

/// Asks the process to cut short what it is doing. Sent once, at an interrupt.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Interrupt;

/// Ends the process. Answers when it is gone.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Stop;

type Started = Result<Arc<dyn Plugin>, Problem>;

pub(crate) struct Provider {
    key: String,
    source: String,
    version: String,
    config: Arc<Data>,
    plugins: Arc<dyn Plugins>,
    events: Sender<Event>,
    started: Option<Started>,
    starting: bool,
    waiting: Vec<oneshot::Sender<Started>>,
    _guard: EndGuard,
}

impl Provider {
    pub(crate) fn new(
        (key, source, version): (&str, &str, &str),
        config: Arc<Data>,
        plugins: Arc<dyn Plugins>,
        events: Sender<Event>,
        guard: EndGuard,
    ) -> Self {
        debug_assert_eq!(guard.who(), &Who::Provider(key.to_owned()));
        Self {
            key: key.to_owned(),
            source: source.to_owned(),
            version: version.to_owned(),
            config,
            plugins,
            events,
            started: None,
            starting: false,
            waiting: Vec::new(),
            _guard: guard,
        }
    }

    fn start_process(&mut self, ctx: &mut Context<Self>) {
        self.starting = true;
        let source = self.source.clone();
        let (plugins, config) = (Arc::clone(&self.plugins), Arc::clone(&self.config));
        let work = async move { launch(&source, plugins.as_ref(), &config).await };
        ctx.spawn(
            work.into_actor(self)
                .map(|started, provider, _| provider.begun(started)),
        );
    }

    fn begun(&mut self, started: Result<(Arc<dyn Plugin>, Vec<Diagnostic>), Problem>) {
        let started = started.map(|(plugin, warnings)| {
            let (key, source, version) =
                (self.key.clone(), self.source.clone(), self.version.clone());
            self.tell(Event::ProviderStarted {
                key,
                source,
                version,
            });
            for diagnostic in warnings {
                self.tell(Event::Diagnosed {
                    addr: None,
                    diagnostic,
                });
            }
            plugin
        });
        self.starting = false;
        for waiting in self.waiting.drain(..) {
            // A node that is gone needs no plugin.
            let _ = waiting.send(started.clone());
        }
        self.started = Some(started);
    }

    fn tell(&self, event: Event) {
        // Without a listener nobody wants to know.
        let _ = self.events.send(event);
    }
}

async fn launch(
    source: &str,
    plugins: &dyn Plugins,
    config: &Data,
) -> Result<(Arc<dyn Plugin>, Vec<Diagnostic>), Problem> {
    let plugin = plugins.launch(source).await?;
    match plugin.configure(config).await {
        Ok(warnings) => Ok((plugin, warnings)),
        Err(error) => {
            plugin.close().await;
            Err(error.into())
        }
    }
}

impl Actor for Provider {
    type Context = Context<Self>;
}

impl Handler<Ready> for Provider {
    type Result = ResponseFuture<Started>;

    fn handle(&mut self, _: Ready, ctx: &mut Self::Context) -> Self::Result {
        if let Some(started) = &self.started {
            let started = started.clone();
            return Box::pin(async move { started });
        }
        let (answer, waiting) = oneshot::channel();
        self.waiting.push(answer);
        if !self.starting {
            self.start_process(ctx);
        }
        Box::pin(async move {
            waiting.await.unwrap_or_else(|_| {
                Err(Problem::refused(
                    "the provider ended before it was configured",
                ))
            })
        })
    }
}

impl Handler<Interrupt> for Provider {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, _: Interrupt, _: &mut Self::Context) -> Self::Result {
        let plugin = self.started.clone().and_then(Result::ok);
        Box::pin(async move {
            if let Some(plugin) = plugin
                && let Err(error) = plugin.stop().await
            {
                tracing::info!(%error, "a plugin did not take the request to stop");
            }
        })
    }
}

impl Handler<Stop> for Provider {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, _: Stop, _: &mut Self::Context) -> Self::Result {
        let started = self
            .started
            .replace(Err(Problem::Refused(vec![Diagnostic::error(
                "the provider is stopped",
            )])));
        let starting = self.starting;
        let (answer, waiting) = oneshot::channel();
        if starting {
            self.waiting.push(answer);
        }
        Box::pin(async move {
            let plugin = match started {
                Some(Ok(plugin)) => Some(plugin),
                _ if starting => waiting.await.ok().and_then(Result::ok),
                _ => None,
            };
            if let Some(plugin) = plugin {
                plugin.close().await;
            }
        })
    }
}
