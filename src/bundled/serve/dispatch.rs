//! Which service a request goes to, by the first part of its path.

use super::life::Ending;
use super::provider::Provider;
use super::side::Side;
use crate::kit::Plugin;
use pravo_proto::health::health_server::HealthServer;
use pravo_proto::plugin::grpc_broker_server::GrpcBrokerServer;
use pravo_proto::plugin::grpc_controller_server::GrpcControllerServer;
use pravo_proto::plugin::grpc_stdio_server::GrpcStdioServer;
use pravo_proto::tfplugin5::provider_server::ProviderServer;
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::codegen::{BoxFuture, Service};

/// The largest message, both ways, as in released plugins.
const MAX_MESSAGE: usize = 256 << 20;

/// All services of a served plugin.
#[derive(Clone)]
pub(super) struct Services {
    provider: ProviderServer<Provider>,
    stdio: GrpcStdioServer<Side>,
    broker: GrpcBrokerServer<Side>,
    controller: GrpcControllerServer<Side>,
    health: HealthServer<Side>,
}

impl Services {
    /// The services of a plugin. `ending` is told when the host wants the end.
    pub(super) fn new(plugin: Arc<Plugin>, ending: &Ending) -> Self {
        let side = Side(ending.clone());
        Self {
            provider: ProviderServer::new(Provider::new(plugin))
                .max_decoding_message_size(MAX_MESSAGE)
                .max_encoding_message_size(MAX_MESSAGE),
            stdio: GrpcStdioServer::new(side.clone()),
            broker: GrpcBrokerServer::new(side.clone()),
            controller: GrpcControllerServer::new(side.clone()),
            health: HealthServer::new(side),
        }
    }
}

impl Service<Request<Body>> for Services {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Response<Body>, Infallible>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let name = request.uri().path().split('/').nth(1).unwrap_or_default();
        match name {
            "tfplugin5.Provider" => self.provider.call(request),
            "plugin.GRPCStdio" => self.stdio.call(request),
            "plugin.GRPCBroker" => self.broker.call(request),
            "plugin.GRPCController" => self.controller.call(request),
            "grpc.health.v1.Health" => self.health.call(request),
            other => {
                let status = Status::unimplemented(format!("no service {other:?}"));
                Box::pin(async move { Ok(status.into_http()) })
            }
        }
    }
}
