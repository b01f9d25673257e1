//! The services beside the provider: what it prints, and its end.

use pravo_proto::plugin::grpc_controller_server::GrpcController;
use pravo_proto::plugin::grpc_stdio_server::GrpcStdio;
use pravo_proto::plugin::{Empty, StdioData};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status};

/// Where prints go; a small channel, so that a print waits when nobody reads.
pub(crate) static PRINTS: OnceLock<mpsc::Sender<Result<StdioData, Status>>> = OnceLock::new();

pub(crate) struct Prints(Mutex<Option<mpsc::Receiver<Result<StdioData, Status>>>>);

impl Default for Prints {
    fn default() -> Self {
        let (send, receive) = mpsc::channel(1);
        PRINTS.set(send).unwrap();
        Self(Mutex::new(Some(receive)))
    }
}

#[tonic::async_trait]
impl GrpcStdio for Prints {
    async fn stream_stdio(&self, _: Request<()>) -> Result<Response<BoxStream<StdioData>>, Status> {
        let prints = self.0.lock().unwrap().take();
        let prints = prints.ok_or_else(|| Status::unavailable("taken"))?;
        Ok(Response::new(Box::pin(ReceiverStream::new(prints))))
    }
}

pub(crate) struct Controller {
    pub(crate) stubborn: bool,
}

#[tonic::async_trait]
impl GrpcController for Controller {
    async fn shutdown(&self, _: Request<Empty>) -> Result<Response<Empty>, Status> {
        if !self.stubborn {
            tokio::spawn(async {
                tokio::time::sleep(Duration::from_millis(10)).await;
                std::process::exit(0);
            });
        }
        Ok(Response::new(Empty {}))
    }
}
