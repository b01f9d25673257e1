//! The same provider in version 5.

use crate::service::Fake;
use pravo_proto::schema;
use pravo_proto::tfplugin5::provider_server::Provider;
use pravo_proto::tfplugin5::{self as older};
use pravo_proto::tfplugin6::{self as wire, provider_server::Provider as Newer};
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

pub(crate) struct Older(pub(crate) Fake);

#[tonic::async_trait]
impl Provider for Older {
    async fn get_schema(
        &self,
        _: Request<older::get_provider_schema::Request>,
    ) -> Answer<older::get_provider_schema::Response> {
        let request = Request::new(wire::get_provider_schema::Request {});
        let answer = self.0.get_provider_schema(request).await?.into_inner();
        let answer = schema::to_v5(answer).map_err(|e| Status::internal(e.to_string()))?;
        Ok(Response::new(answer))
    }

    async fn get_resource_identity_schemas(
        &self,
        request: Request<wire::get_resource_identity_schemas::Request>,
    ) -> Answer<wire::get_resource_identity_schemas::Response> {
        self.0.get_resource_identity_schemas(request).await
    }

    async fn stop(
        &self,
        request: Request<wire::stop_provider::Request>,
    ) -> Answer<wire::stop_provider::Response> {
        self.0.stop_provider(request).await
    }

    async fn upgrade_resource_state(
        &self,
        request: Request<wire::upgrade_resource_state::Request>,
    ) -> Answer<wire::upgrade_resource_state::Response> {
        self.0.upgrade_resource_state(request).await
    }

    async fn read_resource(
        &self,
        request: Request<wire::read_resource::Request>,
    ) -> Answer<wire::read_resource::Response> {
        self.0.read_resource(request).await
    }

    async fn plan_resource_change(
        &self,
        request: Request<wire::plan_resource_change::Request>,
    ) -> Answer<wire::plan_resource_change::Response> {
        self.0.plan_resource_change(request).await
    }

    async fn apply_resource_change(
        &self,
        request: Request<wire::apply_resource_change::Request>,
    ) -> Answer<wire::apply_resource_change::Response> {
        self.0.apply_resource_change(request).await
    }
}
