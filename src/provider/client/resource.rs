//! Calls about managed resources.

use super::answer::{capabilities, to_wire, warnings};
use crate::error::CallError;
use crate::request::{
    Applied, ApplyRequest, Identity, Imported, PlanRequest, Planned, Read, ReadRequest, Upgraded,
};
use crate::{Client, object};
use pravo_proto::tfplugin6 as wire;
use pravo_proto::{diagnostic, json, value};
use pravo_state::{Data, Diagnostic, Severity};

impl Client {
    /// Checks the configuration of a resource, unknown values included. Returns warnings. It
    /// belongs before each plan: some plugins end on a configuration that nobody checked.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn validate_resource(
        &self,
        kind: &str,
        config: &Data,
    ) -> Result<Vec<Diagnostic>, CallError> {
        let offer = self.schema().await?;
        let schema = self.find_schema(&offer.schema.resources, "resource", kind)?;
        let request = wire::validate_resource_config::Request {
            type_name: kind.to_owned(),
            config: to_wire("the configuration", config, &schema.block.implied_type())?,
            client_capabilities: capabilities(),
        };
        let name = self.names().validate_resource;
        let answer: wire::validate_resource_config::Response = self.call(name, request).await?;
        warnings(answer.diagnostics)
    }

    /// Brings a recorded object, as JSON and of a schema version, into the form of the plugin. It
    /// belongs before each use of a record, also one of the same version: plugins repair there.
    ///
    /// # Errors
    /// The plugin's complaints among others; a record of a newer version.
    pub async fn upgrade(
        &self,
        kind: &str,
        version: i64,
        raw: &serde_json::Value,
    ) -> Result<Upgraded, CallError> {
        let offer = self.schema().await?;
        let schema = self.find_schema(&offer.schema.resources, "resource", kind)?;
        let of = schema.block.implied_type();
        if version > schema.version {
            return Err(CallError::Newer {
                kind: kind.to_owned(),
                recorded: version,
                known: schema.version,
            });
        }
        let mut raw = raw.clone();
        if version == schema.version {
            json::strip(&mut raw, &of);
        }
        let request = wire::upgrade_resource_state::Request {
            type_name: kind.to_owned(),
            version,
            raw_state: Some(value::raw_state(raw.to_string().into_bytes())),
        };
        let answer = self.call("UpgradeResourceState", request).await?;
        let answer: wire::upgrade_resource_state::Response = answer;
        let warnings = warnings(answer.diagnostics)?;
        let state = self.read_value("an object", answer.upgraded_state.as_ref(), &of)?;
        self.refuse_write_only(&schema.block, &state)?;
        Ok(Upgraded {
            state,
            version: schema.version,
            warnings,
        })
    }

    /// Reads an object as it is.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn read(&self, request: &ReadRequest) -> Result<Read, CallError> {
        let offer = self.schema().await?;
        let kind = request.kind.as_str();
        let schema = self.find_schema(&offer.schema.resources, "resource", kind)?;
        let of = schema.block.implied_type();
        let identity = request.identity.as_ref();
        let request = wire::read_resource::Request {
            type_name: kind.to_owned(),
            current_state: to_wire("the object", &request.state, &of)?,
            private: request.private.clone(),
            provider_meta: self.meta(&offer)?,
            client_capabilities: capabilities(),
            current_identity: self.identity_to_wire(kind, identity).await?,
        };
        let answer = self.call("ReadResource", request).await?;
        let answer: wire::read_resource::Response = answer;
        let warnings = warnings(answer.diagnostics)?;
        self.refuse_deferral(answer.deferred)?;
        let state = self.read_value("an object", answer.new_state.as_ref(), &of)?;
        let state = object::normalise(&schema.block, state);
        self.refuse_write_only(&schema.block, &state)?;
        if !state.is_wholly_known() {
            return Err(self.breach("gave an object with unknown values when it read it"));
        }
        Ok(Read {
            state,
            private: answer.private,
            identity: self.identity_from_wire(kind, answer.new_identity).await?,
            warnings,
        })
    }

    /// Plans a change. Whether the answer keeps the rules [`crate::contract::check_plan`] says.
    ///
    /// # Errors
    /// The plugin's complaints among others.
    pub async fn plan(&self, request: &PlanRequest) -> Result<Planned, CallError> {
        let offer = self.schema().await?;
        let kind = request.kind.as_str();
        let schema = self.find_schema(&offer.schema.resources, "resource", kind)?;
        let of = schema.block.implied_type();
        let identity = request.identity.as_ref();
        let request = wire::plan_resource_change::Request {
            type_name: kind.to_owned(),
            prior_state: to_wire("the prior object", &request.prior, &of)?,
            proposed_new_state: to_wire("the proposed object", &request.proposed, &of)?,
            config: to_wire("the configuration", &request.config, &of)?,
            prior_private: request.private.clone(),
            provider_meta: self.meta(&offer)?,
            client_capabilities: capabilities(),
            prior_identity: self.identity_to_wire(kind, identity).await?,
        };
        let answer = self.call("PlanResourceChange", request).await?;
        let answer: wire::plan_resource_change::Response = answer;
        let warnings = warnings(answer.diagnostics)?;
        self.refuse_deferral(answer.deferred)?;
        let planned = self.read_value("a plan", answer.planned_state.as_ref(), &of)?;
        let paths = answer.requires_replace.iter();
        Ok(Planned {
            planned,
            private: answer.planned_private,
            identity: self
                .identity_from_wire(kind, answer.planned_identity)
                .await?,
            requires_replace: paths.map(diagnostic::path_from_wire).collect(),
            legacy: answer.legacy_type_system,
            warnings,
        })
    }

    /// Makes a change. The plugin's own complaints are in the answer, since an object may come
    /// with them; [`crate::contract::settle`] says what is to be recorded.
    ///
    /// # Errors
    /// When no answer came, or none that can be read; see [`CallError::is_outcome_unknown`].
    pub async fn apply(&self, request: &ApplyRequest) -> Result<Applied, CallError> {
        let offer = self.schema().await?;
        let kind = request.kind.as_str();
        let schema = self.find_schema(&offer.schema.resources, "resource", kind)?;
        let of = schema.block.implied_type();
        let identity = request.identity.as_ref();
        let request = wire::apply_resource_change::Request {
            type_name: kind.to_owned(),
            prior_state: to_wire("the prior object", &request.prior, &of)?,
            planned_state: to_wire("the planned object", &request.planned, &of)?,
            config: to_wire("the configuration", &request.config, &of)?,
            planned_private: request.private.clone(),
            provider_meta: self.meta(&offer)?,
            planned_identity: self.identity_to_wire(kind, identity).await?,
        };
        let answer = self.call("ApplyResourceChange", request).await?;
        let answer: wire::apply_resource_change::Response = answer;
        let mut diagnostics = diagnostic::from_wire(answer.diagnostics);
        let state = match self.read_value("an object", answer.new_state.as_ref(), &of) {
            Ok(state) => state,
            Err(error) => return Err(with_reasons(error, &diagnostics)),
        };
        let identity = self.identity_from_wire(kind, answer.new_identity).await;
        let identity = keep_object(identity, &mut diagnostics);
        Ok(Applied {
            state,
            private: answer.private,
            identity,
            legacy: answer.legacy_type_system,
            diagnostics,
        })
    }

    /// Finds an object that exists already, by the text that its type of resource is named by.
    ///
    /// # Errors
    /// The plugin's complaints among others; no object, or more than one.
    pub async fn import(&self, kind: &str, id: &str) -> Result<Imported, CallError> {
        let offer = self.schema().await?;
        let schema = self.find_schema(&offer.schema.resources, "resource", kind)?;
        let request = wire::import_resource_state::Request {
            type_name: kind.to_owned(),
            id: id.to_owned(),
            client_capabilities: capabilities(),
            identity: None,
        };
        let answer = self.call("ImportResourceState", request).await?;
        let mut answer: wire::import_resource_state::Response = answer;
        warnings(answer.diagnostics)?;
        self.refuse_deferral(answer.deferred)?;
        let count = answer.imported_resources.len();
        let imported = answer.imported_resources.pop().filter(|_| count == 1);
        let imported =
            imported.ok_or_else(|| self.breach(format!("gave {count} objects for one import")))?;
        if imported.type_name != kind {
            let other = imported.type_name;
            return Err(self.breach(format!("gave a {other:?} for the import of a {kind}")));
        }
        let of = schema.block.implied_type();
        let state = self.read_value("an object", imported.state.as_ref(), &of)?;
        if state.is_null() {
            return Err(self.breach("gave no object for an import"));
        }
        self.refuse_write_only(&schema.block, &state)?;
        Ok(Imported {
            kind: kind.to_owned(),
            state,
            private: imported.private,
            identity: self.identity_from_wire(kind, imported.identity).await?,
        })
    }
}

/// A breach in an answer to a change, with what the plugin itself complained of.
fn with_reasons(error: CallError, diagnostics: &[Diagnostic]) -> CallError {
    let CallError::Breach { plugin, problem } = error else {
        return error;
    };
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let texts: Vec<&str> = errors.map(|d| d.summary.as_str()).collect();
    let problem = match texts.is_empty() {
        true => problem,
        false => format!("{problem} (it also said: {})", texts.join("; ")),
    };
    CallError::Breach { plugin, problem }
}

/// An object must not be forgotten because its identity cannot be read.
fn keep_object(
    identity: Result<Option<Identity>, CallError>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Identity> {
    identity.unwrap_or_else(|error| {
        diagnostics.push(Diagnostic::error(error.to_string()));
        None
    })
}
