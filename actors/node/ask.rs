//! The conversations with a provider about one object, call by call. Source: plugin protocol, as
//! the reference client speaks it.

use crate::estate::Typed;
use crate::plugin::{Plugin, Problem};
use pravo_plan::decide::{decide, forcing_paths};
use pravo_plan::normal::canonical;
use pravo_plan::propose::proposed_new;
use pravo_plan::{Action, Path};
use pravo_provider::contract::check_plan;
use pravo_provider::{Identity, PlanRequest, Planned, ReadRequest};
use pravo_state::{Attributes, Data, Diagnostic, Mode, Record, json};

/// An object as it is known, with what its provider keeps beside it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    /// The values; null when there is none.
    pub(crate) data: Data,
    pub(crate) private: Vec<u8>,
    pub(crate) identity: Option<Identity>,
}

/// What a provider plans for an object.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    pub(crate) action: Action,
    pub(crate) planned: Data,
    pub(crate) private: Vec<u8>,
    pub(crate) identity: Option<Identity>,
    pub(crate) requires_replace: Vec<Path>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Who is asked about which type.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) plugin: &'a dyn Plugin,
    pub(crate) kind: &'a str,
    pub(crate) typed: &'a Typed,
    /// The provider, for messages: source and version.
    pub(crate) named: &'a str,
}

/// The identity of a recorded object.
pub(crate) fn identity_of(record: &Record) -> Option<Identity> {
    let data = json::from_plain(&record.identity.as_ref()?.value()).ok()?;
    Some(Identity {
        version: record.identity_schema_version.unwrap_or_default(),
        data,
    })
}

/// The identity in the form that a record keeps.
pub(crate) fn kept_identity(identity: Option<&Identity>) -> Option<(Attributes, i64)> {
    let identity = identity?;
    let kind = json::infer_type(&identity.data).ok()?;
    let attributes = Attributes::from_data(&identity.data, &kind).ok()?;
    Some((attributes, identity.version))
}

impl Asked<'_> {
    fn canonical(&self, data: Data) -> Data {
        canonical(&self.typed.schema.block, data)
    }

    fn private(&self, record: &Record) -> Vec<u8> {
        record
            .private
            .as_ref()
            .map(|p| p.bytes().to_vec())
            .unwrap_or_default()
    }

    /// The recorded object under the present schema.
    pub(crate) async fn stored(&self, record: &Record) -> Result<Object, Problem> {
        let recorded = record.attributes.value();
        let version = record.schema_version;
        let upgraded = self.plugin.upgrade(self.kind, version, &recorded).await?;
        Ok(Object {
            data: self.canonical(pravo_provider::object::normalise(
                &self.typed.schema.block,
                upgraded.state,
            )),
            private: self.private(record),
            identity: identity_of(record),
        })
    }

    /// The object as it is now; with null values when it is gone.
    pub(crate) async fn refresh(
        &self,
        object: &Object,
    ) -> Result<(Object, Vec<Diagnostic>), Problem> {
        let request = ReadRequest {
            kind: self.kind.to_owned(),
            state: object.data.clone(),
            private: object.private.clone(),
            identity: object.identity.clone(),
        };
        let read = self.plugin.read(&request).await?;
        let identity = read.identity.or_else(|| object.identity.clone());
        let data = self.canonical(read.state);
        Ok((
            Object {
                data,
                private: read.private,
                identity,
            },
            read.warnings,
        ))
    }

    /// What the provider would do to make the object as configured. `tainted`: an earlier create
    /// of it failed, so it is replaced.
    pub(crate) async fn propose(
        &self,
        prior: &Object,
        tainted: bool,
        config: &Data,
    ) -> Result<Proposal, Problem> {
        let nothing = Object::default();
        let from = if tainted { &nothing } else { prior };
        let mut warnings = self
            .plugin
            .validate(Mode::Managed, self.kind, config)
            .await?;
        let answer = self.plan(from, config).await?;
        warnings.extend(answer.warnings.iter().cloned());
        let block = &self.typed.schema.block;
        let kept = forcing_paths(block, &from.data, &answer.planned, &answer.requires_replace);
        let forcing = kept.map_err(|path| {
            Problem::refused(format!(
                "the provider {} requires a replacement because of {path}, which does not exist",
                self.named
            ))
        })?;
        let action = decide(&from.data, &answer.planned, &forcing, false);
        let answer = if action == Action::Replace {
            let again = Object {
                private: answer.private,
                ..Object::default()
            };
            self.plan(&again, config).await?
        } else {
            answer
        };
        let replaces = tainted && action == Action::Create && !prior.data.is_null();
        Ok(Proposal {
            action: if replaces { Action::Replace } else { action },
            planned: answer.planned,
            private: answer.private,
            identity: answer.identity,
            requires_replace: forcing,
            warnings,
        })
    }

    async fn plan(&self, prior: &Object, config: &Data) -> Result<Planned, Problem> {
        let block = &self.typed.schema.block;
        let request = PlanRequest {
            kind: self.kind.to_owned(),
            proposed: proposed_new(block, &prior.data, config),
            prior: prior.data.clone(),
            config: config.clone(),
            private: prior.private.clone(),
            identity: prior.identity.clone(),
        };
        let mut answer = self.plugin.plan(&request).await?;
        answer.planned = self.canonical(answer.planned);
        let violations = check_plan(block, &prior.data, config, &answer.planned);
        if violations.is_empty() {
            return Ok(answer);
        }
        if answer.legacy {
            for violation in violations {
                tracing::debug!(kind = self.kind, %violation, "an old plugin plans freely");
            }
            return Ok(answer);
        }
        let lines: Vec<String> = violations.iter().map(|v| format!("- {v}")).collect();
        let mut wrong = Diagnostic::error(format!(
            "the provider {} planned what it must not; this is a bug of the provider",
            self.named
        ));
        wrong.detail = lines.join("\n");
        Err(Problem::Refused(vec![wrong]))
    }

    /// The provider's consent to a delete, and the private data for it.
    pub(crate) async fn propose_delete(&self, prior: &Object) -> Result<Proposal, Problem> {
        let mut proposal = Proposal {
            action: Action::Delete,
            planned: Data::Null,
            private: prior.private.clone(),
            identity: prior.identity.clone(),
            requires_replace: Vec::new(),
            warnings: Vec::new(),
        };
        if !self.plugin.plans_destroy() {
            return Ok(proposal);
        }
        let request = PlanRequest {
            kind: self.kind.to_owned(),
            prior: prior.data.clone(),
            proposed: Data::Null,
            config: Data::Null,
            private: prior.private.clone(),
            identity: prior.identity.clone(),
        };
        let answer = self.plugin.plan(&request).await?;
        if !answer.planned.is_null() {
            return Err(Problem::refused(format!(
                "the provider {} planned a destroy that leaves an object; this is a bug of the \
                 provider",
                self.named
            )));
        }
        proposal.private = answer.private;
        proposal.identity = answer.identity;
        proposal.warnings = answer.warnings;
        Ok(proposal)
    }

    /// What a data source answers.
    pub(crate) async fn look_up(&self, config: &Data) -> Result<(Data, Vec<Diagnostic>), Problem> {
        let mut warnings = self.plugin.validate(Mode::Data, self.kind, config).await?;
        let answer = self.plugin.read_data(self.kind, config).await?;
        warnings.extend(answer.warnings);
        Ok((self.canonical(answer.state), warnings))
    }
}
