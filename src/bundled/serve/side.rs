//! The services beside the provider: what the process prints, further connections, its end, its
//! health.

use super::life::Ending;
use pravo_proto::health::health_check_response::ServingStatus;
use pravo_proto::health::health_server::Health;
use pravo_proto::health::{HealthCheckRequest, HealthCheckResponse};
use pravo_proto::plugin::grpc_broker_server::GrpcBroker;
use pravo_proto::plugin::grpc_controller_server::GrpcController;
use pravo_proto::plugin::grpc_stdio_server::GrpcStdio;
use pravo_proto::plugin::{ConnInfo, Empty, StdioData};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status, Streaming};

/// The name under which hosts ask for the plugin's health.
const SERVICE: &str = "plugin";

/// All of these services.
#[derive(Clone)]
pub(super) struct Side(pub(super) Ending);

impl Side {
    /// A stream with these items that stays open until the plugin ends, and what to hold so long.
    fn until_the_end<T: Send + 'static>(
        &self,
        items: Vec<T>,
        held: impl Send + 'static,
    ) -> BoxStream<T> {
        let (send, receive) = mpsc::channel(1);
        let ending = self.0.clone();
        tokio::spawn(async move {
            let _held = held;
            for item in items {
                if send.send(Ok(item)).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                () = ending.wait() => {}
                () = send.closed() => {}
            }
        });
        Box::pin(ReceiverStream::new(receive))
    }
}

#[tonic::async_trait]
impl GrpcStdio for Side {
    async fn stream_stdio(
        &self,
        _request: Request<()>,
    ) -> Result<Response<BoxStream<StdioData>>, Status> {
        Ok(Response::new(self.until_the_end(Vec::new(), ())))
    }
}

#[tonic::async_trait]
impl GrpcBroker for Side {
    async fn start_stream(
        &self,
        request: Request<Streaming<ConnInfo>>,
    ) -> Result<Response<BoxStream<ConnInfo>>, Status> {
        let stream = self.until_the_end(Vec::new(), request.into_inner());
        Ok(Response::new(stream))
    }
}

#[tonic::async_trait]
impl GrpcController for Side {
    async fn shutdown(&self, _request: Request<Empty>) -> Result<Response<Empty>, Status> {
        self.0.tell();
        Ok(Response::new(Empty {}))
    }
}

fn serving(request: &HealthCheckRequest) -> Result<HealthCheckResponse, Status> {
    if request.service.is_empty() || request.service == SERVICE {
        Ok(HealthCheckResponse {
            status: ServingStatus::Serving.into(),
        })
    } else {
        Err(Status::not_found(format!(
            "no service {:?}",
            request.service
        )))
    }
}

#[tonic::async_trait]
impl Health for Side {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        serving(request.get_ref()).map(Response::new)
    }

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<BoxStream<HealthCheckResponse>>, Status> {
        let answer = serving(request.get_ref())?;
        Ok(Response::new(self.until_the_end(vec![answer], ())))
    }
}
