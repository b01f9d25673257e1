//! The conversations with a provider about one object, call by call. Source: plugin protocol, as
//! the reference client speaks it.

use crate::estate::Typed;
use crate::plugin::{Identity, PlanAnswer, PlanQuestion, Plugin, Problem};
use pravo_plan::conform::check_plan;
use pravo_plan::decide::{decide, forcing_paths};
use pravo_plan::normal::{canonical, legacy, without_write_only};
use pravo_plan::propose::proposed_new;
use pravo_plan::{Action, Path};
use pravo_state::{Data, Diagnostic, Mode, Record, Type};
use serde_json::Value;

/// An object as it is known, with what its provider keeps beside it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    /// The values; null when there is none.
    pub(crate) data: Data,
    pub(crate) private: Vec<u8>,
    pub(crate) identity: Identity,
}

/// What a provider plans for an object.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    pub(crate) action: Action,
    pub(crate) planned: Data,
    pub(crate) private: Vec<u8>,
    pub(crate) identity: Identity,
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

fn refused(text: String) -> Problem {
    Problem::Refused(vec![Diagnostic::error(text)])
}

impl Asked<'_> {
    fn clean(&self, data: Data, what: &str) -> Result<Data, Problem> {
        let block = &self.typed.schema.block;
        let (data, secret) = without_write_only(block, canonical(block, data));
        match secret.first() {
            None => Ok(data),
            Some(path) => Err(refused(format!(
                "the provider {} returned a value for the write-only attribute {path} {what}",
                self.named
            ))),
        }
    }

    /// The recorded object under the present schema.
    pub(crate) async fn stored(&self, record: &Record) -> Result<Object, Problem> {
        let present = self.typed.schema.version;
        if record.schema_version > present {
            return Err(refused(format!(
                "the record was written by a newer provider (schema version {}); {} has version \
                 {present}: install the newer one",
                record.schema_version, self.named
            )));
        }
        let text = record.attributes.text();
        let stripped;
        let json = if record.schema_version == present {
            stripped = without_unknown_attributes(text, &self.typed.kind);
            stripped.as_deref().unwrap_or(text)
        } else {
            text
        };
        let data = self.plugin.upgrade(self.kind, record.schema_version, json).await?;
        let data = legacy(&self.typed.schema.block, data);
        Ok(Object {
            data: self.clean(data, "in an upgrade")?,
            private: record.private.as_ref().map(|p| p.bytes().to_vec()).unwrap_or_default(),
            identity: record
                .identity
                .clone()
                .map(|identity| (identity, record.identity_schema_version.unwrap_or_default())),
        })
    }

    /// The object as it is now; with null values when it is gone.
    pub(crate) async fn refresh(
        &self,
        object: &Object,
    ) -> Result<(Object, Vec<Diagnostic>), Problem> {
        let read = self
            .plugin
            .read(self.kind, &object.data, &object.private, &object.identity)
            .await?;
        let data = legacy(&self.typed.schema.block, read.object);
        let data = self.clean(data, "in a read")?;
        if !data.is_wholly_known() {
            return Err(refused(format!(
                "the provider {} read an object with unknown values",
                self.named
            )));
        }
        let identity = read.identity.or_else(|| object.identity.clone());
        Ok((Object { data, private: read.private, identity }, read.warnings))
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
        let mut warnings = self.plugin.validate(Mode::Managed, self.kind, config).await?;
        let answer = self.plan(from, config).await?;
        warnings.extend(answer.warnings.iter().cloned());
        let block = &self.typed.schema.block;
        let kept = forcing_paths(block, &from.data, &answer.planned, &answer.requires_replace);
        let forcing = kept.map_err(|path| {
            refused(format!(
                "the provider {} requires a replacement because of {path}, which does not exist",
                self.named
            ))
        })?;
        let action = decide(&from.data, &answer.planned, &forcing, false);
        let answer = if action == Action::Replace {
            let again = Object { private: answer.private, ..Object::default() };
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

    async fn plan(&self, prior: &Object, config: &Data) -> Result<PlanAnswer, Problem> {
        let block = &self.typed.schema.block;
        let question = PlanQuestion {
            proposed: proposed_new(block, &prior.data, config),
            prior: prior.data.clone(),
            config: config.clone(),
            private: prior.private.clone(),
            identity: prior.identity.clone(),
        };
        let mut answer = self.plugin.plan(self.kind, &question).await?;
        answer.planned = self.clean(answer.planned, "in a plan")?;
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
        let lines: Vec<String> = violations.iter().map(|v| format!("  - {v}")).collect();
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
        let question = PlanQuestion {
            prior: prior.data.clone(),
            proposed: Data::Null,
            config: Data::Null,
            private: prior.private.clone(),
            identity: prior.identity.clone(),
        };
        let answer = self.plugin.plan(self.kind, &question).await?;
        if !answer.planned.is_null() {
            return Err(refused(format!(
                "the provider {} planned a destroy that leaves an object; this is a bug of the \
                 provider",
                self.named
            )));
        }
        proposal.private = answer.private;
        proposal.warnings = answer.warnings;
        Ok(proposal)
    }

    /// What a data source answers.
    pub(crate) async fn look_up(
        &self,
        config: &Data,
    ) -> Result<(Data, Vec<Diagnostic>), Problem> {
        let mut warnings = self.plugin.validate(Mode::Data, self.kind, config).await?;
        let (data, more) = self.plugin.read_data(self.kind, config).await?;
        warnings.extend(more);
        let data = legacy(&self.typed.schema.block, data);
        let data = self.clean(data, "of a data source")?;
        if data.is_null() || !data.is_wholly_known() {
            return Err(refused(format!(
                "the provider {} answered without a whole object; this is a bug of the provider",
                self.named
            )));
        }
        Ok((data, warnings))
    }
}

/// The JSON of an object without the attributes that its type no longer has; nothing when there
/// are none of these.
fn without_unknown_attributes(text: &str, kind: &Type) -> Option<String> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    strip(&mut value, kind).then(|| value.to_string())
}

fn strip(value: &mut Value, kind: &Type) -> bool {
    let mut changed = false;
    match (kind, value) {
        (Type::Object(attributes, _), Value::Object(entries)) => {
            let before = entries.len();
            entries.retain(|name, _| attributes.contains_key(name));
            changed |= entries.len() != before;
            for (name, inner) in entries.iter_mut() {
                changed |= strip(inner, &attributes[name]);
            }
        }
        (Type::List(inner) | Type::Set(inner), Value::Array(items)) => {
            for item in items {
                changed |= strip(item, inner);
            }
        }
        (Type::Map(inner), Value::Object(entries)) => {
            for (_, item) in entries.iter_mut() {
                changed |= strip(item, inner);
            }
        }
        (Type::Tuple(kinds), Value::Array(items)) => {
            for (item, inner) in items.iter_mut().zip(kinds) {
                changed |= strip(item, inner);
            }
        }
        _ => {}
    }
    changed
}
