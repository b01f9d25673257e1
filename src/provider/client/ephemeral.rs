//! Calls about ephemeral resources, which are open for a while and are never recorded.

use super::answer::{capabilities, time, to_wire, warnings};
use crate::Client;
use crate::error::CallError;
use crate::request::{Opened, Renewed};
use pravo_proto::tfplugin6 as wire;
use pravo_state::{Data, Diagnostic};

impl Client {
    /// Checks the configuration of an ephemeral resource, unknown values included. Returns
    /// warnings.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn validate_ephemeral(
        &self,
        kind: &str,
        config: &Data,
    ) -> Result<Vec<Diagnostic>, CallError> {
        let offer = self.schema().await?;
        let schema = self.find_schema(&offer.schema.ephemerals, "ephemeral resource", kind)?;
        let request = wire::validate_ephemeral_resource_config::Request {
            type_name: kind.to_owned(),
            config: to_wire("the configuration", config, &schema.block.implied_type())?,
        };
        let answer = self
            .call("ValidateEphemeralResourceConfig", request)
            .await?;
        let answer: wire::validate_ephemeral_resource_config::Response = answer;
        warnings(answer.diagnostics)
    }

    /// Opens an ephemeral resource, whose configuration must be wholly known. One whose answer
    /// cannot be used is closed again.
    ///
    /// # Errors
    /// The plugin's complaints among others; an answer that is null or not wholly known.
    pub async fn open(&self, kind: &str, config: &Data) -> Result<Opened, CallError> {
        let offer = self.schema().await?;
        let schema = self.find_schema(&offer.schema.ephemerals, "ephemeral resource", kind)?;
        let of = schema.block.implied_type();
        let request = wire::open_ephemeral_resource::Request {
            type_name: kind.to_owned(),
            config: to_wire("the configuration", config, &of)?,
            client_capabilities: capabilities(),
        };
        let answer = self.call("OpenEphemeralResource", request).await?;
        let answer: wire::open_ephemeral_resource::Response = answer;
        let warnings = warnings(answer.diagnostics)?;
        self.refuse_deferral(answer.deferred)?;
        let result = self
            .read_value("an ephemeral resource", answer.result.as_ref(), &of)
            .and_then(
                |result| match result.is_null() || !result.is_wholly_known() {
                    true => Err(self.breach(format!(
                        "gave no known value for the ephemeral resource {kind}"
                    ))),
                    false => Ok(result),
                },
            );
        match result {
            Ok(result) => Ok(Opened {
                result,
                private: answer.private,
                renew_at: answer.renew_at.and_then(|at| time(at.seconds, at.nanos)),
                warnings,
            }),
            Err(error) => {
                if let Err(second) = self.close_ephemeral(kind, answer.private).await {
                    tracing::debug!(kind, "an ephemeral resource was not closed: {second}");
                }
                Err(error)
            }
        }
    }

    /// Renews an ephemeral resource.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn renew(&self, kind: &str, private: Option<Vec<u8>>) -> Result<Renewed, CallError> {
        let request = wire::renew_ephemeral_resource::Request {
            type_name: kind.to_owned(),
            private,
        };
        let answer = self.call("RenewEphemeralResource", request).await?;
        let answer: wire::renew_ephemeral_resource::Response = answer;
        Ok(Renewed {
            warnings: warnings(answer.diagnostics)?,
            private: answer.private,
            renew_at: answer.renew_at.and_then(|at| time(at.seconds, at.nanos)),
        })
    }

    /// Closes an ephemeral resource. Returns warnings.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn close_ephemeral(
        &self,
        kind: &str,
        private: Option<Vec<u8>>,
    ) -> Result<Vec<Diagnostic>, CallError> {
        let request = wire::close_ephemeral_resource::Request {
            type_name: kind.to_owned(),
            private,
        };
        let answer = self.call("CloseEphemeralResource", request).await?;
        let answer: wire::close_ephemeral_resource::Response = answer;
        warnings(answer.diagnostics)
    }
}
