//! One call on the wire. The messages of both versions have the same bytes, but for the schema;
//! what differs is the name of a call.

use tonic::transport::Channel;

/// The paths of the calls that have other names in the other version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    /// The path of the service, with a slash at either end.
    pub(crate) service: &'static str,
    pub(crate) schema: &'static str,
    pub(crate) validate_provider: &'static str,
    pub(crate) configure: &'static str,
    pub(crate) validate_resource: &'static str,
    pub(crate) validate_data: &'static str,
    pub(crate) stop: &'static str,
}

/// Makes a call and waits for its answer, however long or large it is.
pub(crate) async fn unary<Q, A>(
    channel: Channel,
    path: String,
    request: Q,
) -> Result<A, tonic::Status>
where
    Q: prost::Message + 'static,
    A: prost::Message + Default + 'static,
{
    let path = path
        .parse()
        .map_err(|_| tonic::Status::internal("the call has no name"))?;
    let mut client = tonic::client::Grpc::new(channel)
        .max_decoding_message_size(usize::MAX)
        .max_encoding_message_size(usize::MAX);
    client.ready().await.map_err(|error| {
        let mut status = tonic::Status::unavailable("the connection was lost");
        status.set_source(std::sync::Arc::new(error));
        status
    })?;
    let codec = tonic_prost::ProstCodec::<Q, A>::default();
    let answer = client.unary(tonic::Request::new(request), path, codec);
    Ok(answer.await?.into_inner())
}
