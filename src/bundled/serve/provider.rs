//! The provider service of protocol 5. Calls that only look at their message are answered in
//! place; those that may touch files, run programs or compute hashes get a thread.

use super::{calls, wire as form};
use crate::kit::{Fault, Plugin};
use pravo_proto::tfplugin5::{self as v5, provider_server};
use pravo_proto::tfplugin6 as wire;
use std::sync::Arc;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status};

/// A plugin as a service.
pub(super) struct Provider {
    plugin: Arc<Plugin>,
}

type Answer<T> = Result<Response<T>, Status>;

impl Provider {
    /// The service of a plugin.
    pub(super) fn new(plugin: Arc<Plugin>) -> Self {
        Self { plugin }
    }

    /// Answers on a thread that may block.
    async fn apart<Q: Send + 'static, A: Send + 'static>(
        &self,
        request: Request<Q>,
        answer: impl FnOnce(&Plugin, Q) -> A + Send + 'static,
    ) -> Answer<A> {
        let plugin = Arc::clone(&self.plugin);
        let request = request.into_inner();
        tokio::task::spawn_blocking(move || answer(&plugin, request))
            .await
            .map(Response::new)
            .map_err(|error| Status::internal(format!("the call failed: {error}")))
    }
}

fn answer<T>(message: T) -> Answer<T> {
    Ok(Response::new(message))
}

#[tonic::async_trait]
impl provider_server::Provider for Provider {
    async fn get_metadata(
        &self,
        _request: Request<wire::get_metadata::Request>,
    ) -> Answer<wire::get_metadata::Response> {
        answer(calls::metadata(&self.plugin))
    }

    async fn get_schema(
        &self,
        _request: Request<v5::get_provider_schema::Request>,
    ) -> Answer<v5::get_provider_schema::Response> {
        let schema = form::schema(&self.plugin);
        answer(schema.map_err(|error| Status::internal(error.to_string()))?)
    }

    async fn get_resource_identity_schemas(
        &self,
        _request: Request<wire::get_resource_identity_schemas::Request>,
    ) -> Answer<wire::get_resource_identity_schemas::Response> {
        answer(wire::get_resource_identity_schemas::Response::default())
    }

    async fn prepare_provider_config(
        &self,
        request: Request<v5::prepare_provider_config::Request>,
    ) -> Answer<v5::prepare_provider_config::Response> {
        answer(v5::prepare_provider_config::Response {
            prepared_config: request.into_inner().config,
            diagnostics: Vec::new(),
        })
    }

    async fn configure(
        &self,
        _request: Request<wire::configure_provider::Request>,
    ) -> Answer<wire::configure_provider::Response> {
        answer(wire::configure_provider::Response::default())
    }

    async fn stop(
        &self,
        _request: Request<wire::stop_provider::Request>,
    ) -> Answer<wire::stop_provider::Response> {
        answer(wire::stop_provider::Response::default())
    }

    async fn validate_resource_type_config(
        &self,
        request: Request<wire::validate_resource_config::Request>,
    ) -> Answer<wire::validate_resource_config::Response> {
        let request = request.get_ref();
        let shape = self.plugin.resource_shape(&request.type_name);
        let diagnostics = calls::validate(shape, &request.type_name, request.config.as_ref());
        answer(wire::validate_resource_config::Response { diagnostics })
    }

    async fn upgrade_resource_state(
        &self,
        request: Request<wire::upgrade_resource_state::Request>,
    ) -> Answer<wire::upgrade_resource_state::Response> {
        self.apart(request, |plugin, request| calls::upgrade(plugin, &request))
            .await
    }

    async fn upgrade_resource_identity(
        &self,
        request: Request<wire::upgrade_resource_identity::Request>,
    ) -> Answer<wire::upgrade_resource_identity::Response> {
        let name = &request.get_ref().type_name;
        let fault = Fault::error(format!("{name} has no identity"), "No type here has one.");
        answer(wire::upgrade_resource_identity::Response {
            diagnostics: form::diagnostics(fault.into()),
            ..Default::default()
        })
    }

    async fn read_resource(
        &self,
        request: Request<wire::read_resource::Request>,
    ) -> Answer<wire::read_resource::Response> {
        self.apart(request, calls::read).await
    }

    async fn plan_resource_change(
        &self,
        request: Request<wire::plan_resource_change::Request>,
    ) -> Answer<wire::plan_resource_change::Response> {
        answer(calls::plan(&self.plugin, request.get_ref()))
    }

    async fn apply_resource_change(
        &self,
        request: Request<wire::apply_resource_change::Request>,
    ) -> Answer<wire::apply_resource_change::Response> {
        self.apart(request, calls::apply).await
    }

    async fn import_resource_state(
        &self,
        request: Request<wire::import_resource_state::Request>,
    ) -> Answer<wire::import_resource_state::Response> {
        self.apart(request, calls::import).await
    }

    async fn move_resource_state(
        &self,
        request: Request<wire::move_resource_state::Request>,
    ) -> Answer<wire::move_resource_state::Response> {
        answer(calls::move_state(request.get_ref()))
    }

    async fn validate_data_source_config(
        &self,
        request: Request<wire::validate_data_resource_config::Request>,
    ) -> Answer<wire::validate_data_resource_config::Response> {
        let request = request.get_ref();
        let shape = self.plugin.data_shape(&request.type_name);
        let diagnostics = calls::validate(shape, &request.type_name, request.config.as_ref());
        answer(wire::validate_data_resource_config::Response { diagnostics })
    }

    async fn read_data_source(
        &self,
        request: Request<wire::read_data_source::Request>,
    ) -> Answer<wire::read_data_source::Response> {
        self.apart(request, |plugin, request| {
            calls::read_data(plugin, &request)
        })
        .await
    }

    async fn validate_ephemeral_resource_config(
        &self,
        request: Request<wire::validate_ephemeral_resource_config::Request>,
    ) -> Answer<wire::validate_ephemeral_resource_config::Response> {
        let request = request.get_ref();
        let shape = self.plugin.ephemeral_shape(&request.type_name);
        let diagnostics = calls::validate(shape, &request.type_name, request.config.as_ref());
        answer(wire::validate_ephemeral_resource_config::Response { diagnostics })
    }

    async fn open_ephemeral_resource(
        &self,
        request: Request<wire::open_ephemeral_resource::Request>,
    ) -> Answer<wire::open_ephemeral_resource::Response> {
        self.apart(request, |plugin, request| calls::open(plugin, &request))
            .await
    }

    async fn renew_ephemeral_resource(
        &self,
        _request: Request<wire::renew_ephemeral_resource::Request>,
    ) -> Answer<wire::renew_ephemeral_resource::Response> {
        answer(wire::renew_ephemeral_resource::Response::default())
    }

    async fn close_ephemeral_resource(
        &self,
        _request: Request<wire::close_ephemeral_resource::Request>,
    ) -> Answer<wire::close_ephemeral_resource::Response> {
        answer(wire::close_ephemeral_resource::Response::default())
    }

    async fn get_functions(
        &self,
        _request: Request<wire::get_functions::Request>,
    ) -> Answer<wire::get_functions::Response> {
        answer(calls::functions(&self.plugin))
    }

    async fn call_function(
        &self,
        request: Request<wire::call_function::Request>,
    ) -> Answer<wire::call_function::Response> {
        self.apart(request, |plugin, request| calls::call(plugin, &request))
            .await
    }

    async fn validate_action_config(
        &self,
        request: Request<wire::validate_action_config::Request>,
    ) -> Answer<wire::validate_action_config::Response> {
        let request = request.get_ref();
        let shape = self.plugin.action_shape(&request.action_type);
        let diagnostics = calls::validate(shape, &request.action_type, request.config.as_ref());
        answer(wire::validate_action_config::Response { diagnostics })
    }

    async fn plan_action(
        &self,
        request: Request<wire::plan_action::Request>,
    ) -> Answer<wire::plan_action::Response> {
        self.apart(request, |plugin, request| {
            calls::plan_action(plugin, &request)
        })
        .await
    }

    async fn invoke_action(
        &self,
        request: Request<wire::invoke_action::Request>,
    ) -> Answer<BoxStream<wire::invoke_action::Event>> {
        let events = self
            .apart(request, |plugin, request| calls::invoke(plugin, &request))
            .await?
            .into_inner();
        answer(Box::pin(tokio_stream::iter(events.into_iter().map(Ok))))
    }
}
