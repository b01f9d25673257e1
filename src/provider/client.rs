//! A running plugin and its calls.
//!
//! A call that was begun is never broken off: when the caller's future is dropped it runs on to
//! its end, since a plugin that is told to give up in the middle of a create leaves things that
//! nobody knows of. Calls have no time limit. At most 64 are in flight at once.

mod answer;
mod data;
mod ephemeral;
mod function;
mod provider;
mod resource;

use crate::error::CallError;
use crate::launch::process::Process;
use crate::launch::{self, Ended, LaunchError, LaunchOptions, Protocol};
use crate::wire::{self, Names};
use crate::{Located, v5, v6};
use pravo_proto::plugin;
use pravo_proto::schema::Offer;
use pravo_state::Type;
use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{OnceCell, Semaphore};
use tonic::transport::Channel;
use tonic::{Code, Status};

/// Calls in flight. More gain nothing and cost the plugin memory.
const IN_FLIGHT: usize = 64;
/// How long a broken connection waits for the end of the process, to tell how it ended.
const END_SEEN: Duration = Duration::from_secs(1);
/// How long a plugin may take to end when asked.
const GRACE: Duration = Duration::from_secs(2);

/// A running plugin. Copies share the process; when the last one is dropped it is killed.
#[derive(Clone)]
pub struct Client(Arc<Shared>);

struct Shared {
    /// The provider, for errors.
    plugin: String,
    protocol: Protocol,
    channel: Channel,
    process: Process,
    slots: Arc<Semaphore>,
    calls: AtomicU64,
    offer: OnceCell<Arc<Offer>>,
    identities: OnceCell<HashMap<String, (i64, Type)>>,
    /// Removed with the plugin.
    _sockets: tempfile::TempDir,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("plugin", &self.0.plugin)
            .field("protocol", &self.0.protocol)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Starts a plugin and connects to it. It must be called inside a tokio runtime, which then
    /// holds the plugin: the plugin is killed when the runtime ends.
    ///
    /// # Errors
    /// When the plugin does not start, is none, or is not ready within 60 s.
    pub async fn launch(located: &Located, options: &LaunchOptions) -> Result<Self, LaunchError> {
        let launched = launch::launch(located, options).await?;
        let plugin = located.source.to_string();
        tracing::debug!(plugin, protocol = ?launched.protocol, "provider started");
        let client = Self(Arc::new(Shared {
            plugin,
            protocol: launched.protocol,
            channel: launched.channel,
            process: launched.process,
            slots: Arc::new(Semaphore::new(IN_FLIGHT)),
            calls: AtomicU64::new(0),
            offer: OnceCell::new(),
            identities: OnceCell::new(),
            _sockets: launched.sockets,
        }));
        client.drain_prints(options.log);
        Ok(client)
    }

    /// The version of the protocol that the plugin speaks.
    pub fn protocol(&self) -> Protocol {
        self.0.protocol
    }

    /// How many calls were made. A plugin made with the newer kit keeps some 20 KB of each until
    /// it ends, so one that runs for long should be replaced after some 2,000.
    pub fn calls(&self) -> u64 {
        self.0.calls.load(Ordering::Relaxed)
    }

    /// Waits for the end of the process, however it comes.
    pub async fn wait_end(&self) -> Ended {
        self.0.process.wait().await
    }

    /// How the process ended, if it did.
    pub fn ended(&self) -> Option<Ended> {
        self.0.process.ended()
    }

    /// Ends the process at once. Calls in flight are lost.
    pub fn kill(&self) {
        self.0.process.kill();
    }

    /// Ends the process: asks it to, and kills it when it is still there after 2 s. Calls in
    /// flight are lost, so wait for them first.
    pub async fn close(&self) -> Ended {
        if let Some(end) = self.ended() {
            return end;
        }
        let path = "/plugin.GRPCController/Shutdown".to_owned();
        let shutdown =
            wire::unary::<_, plugin::Empty>(self.0.channel.clone(), path, plugin::Empty {});
        // A plugin that obeys closes the connection before it answers.
        let _ = tokio::time::timeout(GRACE, shutdown).await;
        if let Some(end) = self.0.process.wait_up_to(GRACE).await {
            return end;
        }
        self.kill();
        self.wait_end().await
    }

    fn names(&self) -> &'static Names {
        match self.0.protocol {
            Protocol::V5 => &v5::NAMES,
            Protocol::V6 => &v6::NAMES,
        }
    }

    /// Makes one call of the provider's service.
    async fn call<Q, A>(&self, name: &str, request: Q) -> Result<A, CallError>
    where
        Q: prost::Message + 'static,
        A: prost::Message + Default + 'static,
    {
        let path = format!("{}{name}", self.names().service);
        let answer = wire::unary(self.0.channel.clone(), path, request);
        self.guarded(name, answer).await
    }

    /// Runs a call to its end in a task of its own, among at most [`IN_FLIGHT`].
    async fn guarded<A: Send + 'static>(
        &self,
        name: &str,
        call: impl Future<Output = Result<A, Status>> + Send + 'static,
    ) -> Result<A, CallError> {
        let slot = self.0.slots.clone().acquire_owned().await;
        if let Some(end) = self.ended() {
            return Err(self.lost(Some(end)));
        }
        self.0.calls.fetch_add(1, Ordering::Relaxed);
        // The copy keeps the process alive for as long as the call runs.
        let client = self.clone();
        let task = tokio::spawn(async move {
            let answer = call.await;
            drop((client, slot));
            answer
        });
        match task.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(status)) => Err(self.explain(name, status).await),
            Err(_) => Err(self.lost(self.ended())),
        }
    }

    /// What a status means. One with a cause did not come from the plugin: the connection broke.
    async fn explain(&self, name: &str, status: Status) -> CallError {
        let plugin = self.0.plugin.clone();
        if status.source().is_some() {
            tracing::debug!(plugin, name, "a call was lost: {status:?}");
            let end = self.0.process.wait_up_to(END_SEEN).await;
            // Without its connection a plugin is of no use.
            self.kill();
            return self.lost(end);
        }
        match status.code() {
            Code::Unimplemented => CallError::Unknown {
                plugin,
                call: name.to_owned(),
            },
            Code::OutOfRange => CallError::Breach {
                plugin,
                problem: format!("gave an answer that can't be read: {}", status.message()),
            },
            _ => CallError::Refused {
                plugin,
                text: status.message().to_owned(),
            },
        }
    }

    fn lost(&self, end: Option<Ended>) -> CallError {
        CallError::Lost {
            plugin: self.0.plugin.clone(),
            end,
        }
    }

    fn breach(&self, problem: impl Into<String>) -> CallError {
        CallError::Breach {
            plugin: self.0.plugin.clone(),
            problem: problem.into(),
        }
    }

    /// Reads what the provider prints by itself, for ever: a plugin whose prints nobody reads
    /// stops. The stream answers nothing before the first print, so nobody waits for it.
    fn drain_prints(&self, log: bool) {
        let channel = self.0.channel.clone();
        let plugin = self.0.plugin.clone();
        tokio::spawn(async move {
            let mut client = plugin::grpc_stdio_client::GrpcStdioClient::new(channel)
                .max_decoding_message_size(usize::MAX);
            let Ok(stream) = client.stream_stdio(()).await else {
                return;
            };
            let mut stream = stream.into_inner();
            while let Ok(Some(print)) = stream.message().await {
                if log {
                    let text = String::from_utf8_lossy(&print.data);
                    tracing::debug!(target: "pravo::plugin", plugin, "{}", text.trim_end());
                }
            }
        });
    }
}
