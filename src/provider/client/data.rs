//! Calls about data sources.

use super::answer::{capabilities, to_wire, warnings};
use crate::error::CallError;
use crate::request::ReadData;
use crate::{Client, object};
use pravo_proto::tfplugin6 as wire;
use pravo_state::{Data, Diagnostic};

impl Client {
    /// Checks the configuration of a data source, unknown values included. Returns warnings.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn validate_data(
        &self,
        kind: &str,
        config: &Data,
    ) -> Result<Vec<Diagnostic>, CallError> {
        let offer = self.schema().await?;
        let schema = self.find_schema(&offer.schema.data_sources, "data source", kind)?;
        let request = wire::validate_data_resource_config::Request {
            type_name: kind.to_owned(),
            config: to_wire("the configuration", config, &schema.block.implied_type())?,
        };
        let name = self.names().validate_data;
        let answer: wire::validate_data_resource_config::Response =
            self.call(name, request).await?;
        warnings(answer.diagnostics)
    }

    /// Reads a data source by its configuration, which must be wholly known.
    ///
    /// # Errors
    /// The plugin's complaints among others; an answer that is null or not wholly known.
    pub async fn read_data(&self, kind: &str, config: &Data) -> Result<ReadData, CallError> {
        let offer = self.schema().await?;
        let schema = self.find_schema(&offer.schema.data_sources, "data source", kind)?;
        let of = schema.block.implied_type();
        let request = wire::read_data_source::Request {
            type_name: kind.to_owned(),
            config: to_wire("the configuration", config, &of)?,
            provider_meta: self.meta(&offer)?,
            client_capabilities: capabilities(),
        };
        let answer = self.call("ReadDataSource", request).await?;
        let answer: wire::read_data_source::Response = answer;
        let warnings = warnings(answer.diagnostics)?;
        self.refuse_deferral(answer.deferred)?;
        let state = self.read_value("a data source", answer.state.as_ref(), &of)?;
        let state = object::normalise(&schema.block, state);
        if state.is_null() {
            return Err(self.breach(format!("gave nothing for the data source {kind}")));
        }
        if !state.is_wholly_known() {
            return Err(self.breach(format!("gave unknown values for the data source {kind}")));
        }
        Ok(ReadData { state, warnings })
    }
}
