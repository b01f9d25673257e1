//! What is different in version 6 of the protocol: names of calls, and the schema.

use crate::wire::{self, Names};
use pravo_proto::tfplugin6;
use tonic::transport::Channel;

/// The names of version 6.
pub(crate) const NAMES: Names = Names {
    service: "/tfplugin6.Provider/",
    schema: "GetProviderSchema",
    validate_provider: "ValidateProviderConfig",
    configure: "ConfigureProvider",
    validate_resource: "ValidateResourceConfig",
    validate_data: "ValidateDataResourceConfig",
    stop: "StopProvider",
};

/// Asks for the schema.
pub(crate) async fn schema(
    channel: Channel,
) -> Result<tfplugin6::get_provider_schema::Response, tonic::Status> {
    let path = format!("{}{}", NAMES.service, NAMES.schema);
    let request = tfplugin6::get_provider_schema::Request {};
    wire::unary(channel, path, request).await
}
