//! Calls about the provider itself: what it offers, its configuration, its interruption.

use super::answer::{capabilities, to_wire, warnings};
use crate::error::CallError;
use crate::launch::Protocol;
use crate::{Client, v5, v6};
use pravo_proto::schema::{self, Offer};
use pravo_proto::tfplugin6 as wire;
use pravo_proto::types;
use pravo_state::{Data, Diagnostic, Schema, Type};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The version that plugins are told their host has. They decide by it what the host can do, so it
/// is that of a host with the same abilities.
const HOST_VERSION: &str = "1.13.0";

impl Client {
    /// What the plugin offers. It is asked once.
    ///
    /// # Errors
    /// When the call fails, or a schema breaks the protocol's rules.
    pub async fn schema(&self) -> Result<Arc<Offer>, CallError> {
        let offer = self.0.offer.get_or_try_init(|| async {
            let channel = self.0.channel.clone();
            let answer = match self.0.protocol {
                Protocol::V5 => self.guarded(v5::NAMES.schema, v5::schema(channel)).await?,
                Protocol::V6 => self.guarded(v6::NAMES.schema, v6::schema(channel)).await?,
            };
            let mut answer: wire::get_provider_schema::Response = answer;
            warnings(std::mem::take(&mut answer.diagnostics))?;
            let offer = schema::read(answer).map_err(|error| CallError::Schema {
                plugin: self.0.plugin.clone(),
                error,
            })?;
            Ok(Arc::new(offer))
        });
        offer.await.cloned()
    }

    /// The versions and types of the identities of resources, by their type. They are asked once.
    pub(super) async fn identities(&self) -> Result<&HashMap<String, (i64, Type)>, CallError> {
        let ask = || async {
            let request = wire::get_resource_identity_schemas::Request {};
            let answer = self.call("GetResourceIdentitySchemas", request).await;
            let answer: wire::get_resource_identity_schemas::Response = match answer {
                Err(CallError::Unknown { .. }) => return Ok(HashMap::new()),
                answer => answer?,
            };
            warnings(answer.diagnostics)?;
            let one = |(kind, schema): (String, wire::ResourceIdentitySchema)| {
                let of = identity_type(&schema).map_err(|error| {
                    self.breach(format!("has an invalid identity of {kind}: {error}"))
                })?;
                Ok((kind, (schema.version, of)))
            };
            answer.identity_schemas.into_iter().map(one).collect()
        };
        self.0.identities.get_or_try_init(ask).await
    }

    /// The schema of a type, out of the table that `word` names.
    pub(super) fn find_schema<'a>(
        &self,
        schemas: &'a BTreeMap<String, Schema>,
        word: &'static str,
        name: &str,
    ) -> Result<&'a Schema, CallError> {
        schemas.get(name).ok_or_else(|| CallError::NoType {
            plugin: self.0.plugin.clone(),
            word,
            name: name.to_owned(),
        })
    }

    /// The value that each call carries besides: null of its type, where the plugin has one.
    pub(super) fn meta(&self, offer: &Offer) -> Result<Option<wire::DynamicValue>, CallError> {
        match &offer.meta {
            None => Ok(None),
            Some(meta) => to_wire("provider_meta", &Data::Null, &meta.block.implied_type()),
        }
    }

    /// Checks the provider's configuration, unknown values included. Returns warnings.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn validate_provider_config(
        &self,
        config: &Data,
    ) -> Result<Vec<Diagnostic>, CallError> {
        let offer = self.schema().await?;
        let of = offer.schema.provider.block.implied_type();
        let request = wire::validate_provider_config::Request {
            config: to_wire("the provider's configuration", config, &of)?,
        };
        let name = self.names().validate_provider;
        // Version 5 answers a configuration as well, in a field that is skipped here.
        let answer: wire::validate_provider_config::Response = self.call(name, request).await?;
        warnings(answer.diagnostics)
    }

    /// Configures the plugin. A second time replaces the first. Returns warnings.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn configure(&self, config: &Data) -> Result<Vec<Diagnostic>, CallError> {
        let offer = self.schema().await?;
        let of = offer.schema.provider.block.implied_type();
        let request = wire::configure_provider::Request {
            terraform_version: HOST_VERSION.into(),
            config: to_wire("the provider's configuration", config, &of)?,
            client_capabilities: capabilities(),
        };
        let name = self.names().configure;
        let answer: wire::configure_provider::Response = self.call(name, request).await?;
        warnings(answer.diagnostics)
    }

    /// Asks the plugin to bring calls in flight to an early end; they still answer. For an
    /// interruption only: some plugins end by it. A text that the plugin answers is returned.
    ///
    /// # Errors
    /// When the call fails.
    pub async fn stop(&self) -> Result<Option<String>, CallError> {
        let request = wire::stop_provider::Request {};
        let path = format!("{}{}", self.names().service, self.names().stop);
        // It must not wait behind the calls that it is to end.
        let answer = crate::wire::unary(self.0.channel.clone(), path, request).await;
        let answer: wire::stop_provider::Response = match answer {
            Ok(answer) => answer,
            Err(status) => return Err(self.explain(self.names().stop, status).await),
        };
        Ok(Some(answer.error).filter(|text| !text.is_empty()))
    }
}

fn identity_type(schema: &wire::ResourceIdentitySchema) -> Result<Type, pravo_proto::ValueError> {
    let attributes = schema
        .identity_attributes
        .iter()
        .map(|attribute| {
            let of = types::from_bytes(&attribute.r#type)?;
            Ok((attribute.name.clone(), of))
        })
        .collect::<Result<_, _>>()?;
    Ok(Type::Object(attributes, Vec::new()))
}
