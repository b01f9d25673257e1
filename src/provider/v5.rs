//! What is different in version 5 of the protocol: names of calls, and the schema.

use crate::wire::{self, Names};
use pravo_proto::{schema, tfplugin5, tfplugin6};
use tonic::transport::Channel;

/// The names of version 5.
pub(crate) const NAMES: Names = Names {
    service: "/tfplugin5.Provider/",
    schema: "GetSchema",
    validate_provider: "PrepareProviderConfig",
    configure: "Configure",
    validate_resource: "ValidateResourceTypeConfig",
    validate_data: "ValidateDataSourceConfig",
    stop: "Stop",
};

/// Asks for the schema and returns it in the form of version 6.
pub(crate) async fn schema(
    channel: Channel,
) -> Result<tfplugin6::get_provider_schema::Response, tonic::Status> {
    let path = format!("{}{}", NAMES.service, NAMES.schema);
    let request = tfplugin5::get_provider_schema::Request {};
    wire::unary(channel, path, request)
        .await
        .map(schema::from_v5)
}
