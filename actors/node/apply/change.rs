//! Steps that change objects: create, update, replace, delete.

use super::keep::differs;
use super::{Run, Stopped};
use crate::estate::Declared;
use crate::evaluator::desk::ProviderNow;
use crate::node::ask::{Asked, Object, Proposal, identity_of};
use crate::node::plan::shown_id;
use crate::node::record::Succession;
use crate::planner::instance_of;
use crate::plugin::Problem;
use crate::run::{Class, RunError};
use crate::transaction::Write;
use pravo_plan::Action;
use pravo_plan::normal::canonical;
use pravo_provider::contract::{check_result, settle};
use pravo_provider::{Applied, ApplyRequest};
use pravo_state::{Action as Done, Data, Diagnostic, Operation, Record, Touched};
use std::sync::Arc;

/// What a call of a provider left behind. Source: plugin protocol, "after ApplyResourceChange".
struct Made {
    object: Object,
    /// What went wrong; the object may exist all the same.
    error: Option<RunError>,
}

impl Run<'_> {
    pub(super) async fn change(&mut self, node: &Declared) -> Result<(), Stopped> {
        let (config, hash) = self.desired(node).await?;
        let provider = self.instance(&node.decl.provider_key).await?;
        let plugin = self.plugin(&provider, &node.decl.source).await?;
        let named = self.named(&node.decl.source);
        let asked = Asked {
            plugin: plugin.as_ref(),
            kind: &node.decl.kind,
            typed: &node.typed,
            named: &named,
        };
        let frozen = Arc::clone(&self.work.frozen);
        let identity = self.recorded().and_then(identity_of);
        let prior = Object {
            data: frozen.prior.clone(),
            private: frozen.private.clone(),
            identity: if frozen.prior.is_null() {
                None
            } else {
                identity
            },
        };
        let proposed = asked.propose(&prior, frozen.tainted, &config).await;
        let proposal = proposed.map_err(|problem| self.problem(problem))?;
        self.told(proposal.warnings.clone());
        if self.compare(node, &prior, &proposal)? {
            return self.nothing_left(node, &prior, &provider, &hash).await;
        }
        self.confirm().await?;
        let what = (&config, hash.as_str(), &provider);
        match proposal.action {
            Action::Replace => self.replace(node, &asked, prior, proposal, what).await,
            _ => {
                self.make(node, &asked, (prior, proposal), what, false)
                    .await
            }
        }
    }

    /// Compares the plan of now with the one that was agreed to. Answers whether there is nothing
    /// left to do.
    fn compare(&self, node: &Declared, prior: &Object, now: &Proposal) -> Result<bool, Stopped> {
        let block = &node.typed.schema.block;
        let (agreed, found) = (self.work.change.action, now.action);
        let planned = &self.work.frozen.planned;
        if found == Action::NoOp && agreed != Action::Create {
            let violations = check_result(block, planned, &prior.data);
            return match violations.first() {
                None => Ok(true),
                Some(v) => Err(differs(
                    self.address,
                    format!("nothing is left to do, but {v}"),
                )),
            };
        }
        if agreed != found {
            let (now, then) = (found.as_str(), agreed.as_str());
            let what = format!("the provider now plans {now} instead of {then}");
            return Err(differs(self.address, what));
        }
        match check_result(block, planned, &now.planned).first() {
            None => Ok(false),
            Some(v) => Err(differs(
                self.address,
                format!("in what the provider now plans, {v}"),
            )),
        }
    }

    /// The object is as planned already: only its record is written.
    async fn nothing_left(
        &mut self,
        node: &Declared,
        prior: &Object,
        provider: &ProviderNow,
        hash: &str,
    ) -> Result<(), Stopped> {
        let old = self.recorded();
        let made = self
            .writer()
            .record(node, prior, provider, hash, (old, Succession::Goes));
        let mut record = made.map_err(|error| self.unkept(&error))?;
        record.applied_at = old.and_then(|old| old.applied_at);
        record.refreshed_at = old.and_then(|old| old.refreshed_at);
        let touched = self.touched(Done::Refresh, record.revision);
        let version = self.version();
        self.append(Write::Put(Box::new(record), version), Some(touched))
            .await?;
        self.publish(&prior.data).await
    }

    /// Deletes the old object, drops its record, makes the new one.
    async fn replace(
        &mut self,
        node: &Declared,
        asked: &Asked<'_>,
        prior: Object,
        proposal: Proposal,
        (config, hash, provider): (&Data, &str, &ProviderNow),
    ) -> Result<(), Stopped> {
        // Of a tainted object the plan started from nothing, so its own private data goes along.
        let private = match self.work.frozen.tainted {
            true => prior.private.clone(),
            false => proposal.private,
        };
        let about = Operation::DeleteForReplacement;
        self.destroy(asked, &prior, private, about).await?;
        let old = self.work.record.clone();
        if let Some(version) = self.version() {
            self.append(Write::Remove(self.address.clone(), version), None)
                .await?;
        }
        self.report.destroyed = true;
        let nothing = Object::default();
        let again = asked.propose(&nothing, false, config).await;
        let create = match again {
            Ok(create) => create,
            Err(problem) => {
                let stopped = self.problem(problem);
                return Err(self
                    .half_done(old.as_ref().map(|o| &o.value), stopped)
                    .await);
            }
        };
        let block = &node.typed.schema.block;
        if let Some(v) = check_result(block, &self.work.frozen.planned, &create.planned).first() {
            let stopped = differs(self.address, format!("in what the provider now plans, {v}"));
            return Err(self
                .half_done(old.as_ref().map(|o| &o.value), stopped)
                .await);
        }
        if self.halt().error().is_some() {
            let stopped = Stopped::NotStarted;
            return Err(self
                .half_done(old.as_ref().map(|o| &o.value), stopped)
                .await);
        }
        self.make(
            node,
            asked,
            (nothing, create),
            (config, hash, provider),
            true,
        )
        .await
    }

    /// Notes in the log that only the delete half of a replacement was done.
    async fn half_done(&mut self, old: Option<&Record>, stopped: Stopped) -> Stopped {
        let before = old.map_or(0, |old| old.revision);
        self.note(Touched::new(self.address.clone(), Done::Delete, before, 0))
            .await;
        stopped
    }

    async fn note(&mut self, touched: Touched) {
        let sent = self
            .work
            .transaction
            .send(crate::transaction::Note(touched))
            .await;
        if sent.is_err() {
            tracing::debug!("the transaction ended before a note");
        }
    }

    /// Creates or changes the object and keeps what came of it.
    async fn make(
        &mut self,
        node: &Declared,
        asked: &Asked<'_>,
        (prior, proposal): (Object, Proposal),
        (config, hash, provider): (&Data, &str, &ProviderNow),
        replaces: bool,
    ) -> Result<(), Stopped> {
        let create = prior.data.is_null();
        let operation = match (create, replaces) {
            (true, true) => Operation::Replace,
            (true, false) => Operation::Create,
            (false, _) => Operation::Update,
        };
        let question = ApplyRequest {
            kind: asked.kind.to_owned(),
            prior: prior.data.clone(),
            planned: proposal.planned.clone(),
            config: config.clone(),
            private: proposal.private,
            identity: proposal.identity,
        };
        if create && (replaces || self.work.record.is_none()) {
            self.note_create().await?;
        }
        let answer = match self.call(asked, &question, operation).await {
            Ok(answer) => answer,
            Err(problem) if problem.is_lost() => {
                return Err(self.outcome_unknown(create, replaces, problem).await);
            }
            Err(problem) => {
                let stopped = self.problem(problem);
                if replaces {
                    let old = self.work.record.clone();
                    return Err(self
                        .half_done(old.as_ref().map(|o| &o.value), stopped)
                        .await);
                }
                return Err(stopped);
            }
        };
        let made = self.judge(asked, &proposal.planned, answer);
        self.keep(node, (made, prior), hash, provider, (create, replaces))
            .await
    }

    /// Asks the provider to make a change; an answer with errors is an answer.
    async fn call(
        &self,
        asked: &Asked<'_>,
        question: &ApplyRequest,
        operation: Operation,
    ) -> Result<Applied, Problem> {
        let id = match operation {
            Operation::Create | Operation::Replace => None,
            _ => shown_id(asked.typed, &question.prior),
        };
        let failed = |answer: &Applied| {
            answer
                .diagnostics
                .iter()
                .any(|d| d.severity == pravo_state::Severity::Error)
        };
        let call = async {
            match asked.plugin.apply(question).await {
                Ok(answer) if failed(&answer) => Err(Ok(answer)),
                Ok(answer) => Ok(answer),
                Err(error) => Err(Err(Problem::from(error))),
            }
        };
        let id_of = |answer: &Applied| shown_id(asked.typed, &answer.state);
        match self
            .world
            .observed((self.address, operation), id, call, id_of)
            .await
        {
            Ok(answer) | Err(Ok(answer)) => Ok(answer),
            Err(Err(problem)) => Err(problem),
        }
    }

    /// Checks an answer: nothing unknown, nothing write-only, nothing but what was planned. What
    /// breaks the rules is an error, as the provider's own are.
    fn judge(&mut self, asked: &Asked<'_>, planned: &Data, answer: Applied) -> Made {
        let block = &asked.typed.schema.block;
        let settled = settle(block, planned, &answer);
        for violation in settled.tolerated {
            tracing::debug!(address = %self.address, %violation, "an old plugin answers freely");
        }
        let mut error = self.told(answer.diagnostics);
        if !settled.errors.is_empty() {
            let lines: Vec<String> = settled.errors.iter().map(|v| format!("  - {v}")).collect();
            let mut wrong = Diagnostic::error(format!(
                "{}: the provider {} did something else than it planned; this is a bug of the \
                 provider",
                self.address, asked.named
            ));
            wrong.detail = lines.join("\n");
            let found = RunError::of(Class::Failed, wrong);
            match &mut error {
                Some(error) => error.join(found),
                None => error = Some(found),
            }
        }
        let data = canonical(block, settled.state);
        let object = Object {
            data,
            private: answer.private,
            identity: answer.identity,
        };
        Made { object, error }
    }

    /// Keeps what an apply made: the new object also beside errors, tainted where it was to be
    /// created; the old record where there is nothing new.
    async fn keep(
        &mut self,
        node: &Declared,
        (made, prior): (Made, Object),
        hash: &str,
        provider: &ProviderNow,
        (create, replaces): (bool, bool),
    ) -> Result<(), Stopped> {
        let old = self.work.record.clone();
        let old_record = old.as_ref().map(|old| &old.value);
        if made.object.data.is_null() {
            let error = made.error.unwrap_or_else(|| {
                RunError::failed(format!("{}: the provider returned no object", self.address))
            });
            let stopped = Stopped::Failed(error);
            if replaces {
                return Err(self.half_done(old_record, stopped).await);
            }
            return Err(stopped);
        }
        let mut object = made.object;
        if object.identity.is_none() {
            object.identity = prior.identity;
        }
        let succession = if replaces {
            Succession::Replaces
        } else {
            Succession::Goes
        };
        let hash = if made.error.is_some() { "" } else { hash };
        let written = self
            .writer()
            .record(node, &object, provider, hash, (old_record, succession));
        let mut record = written.map_err(|error| self.unkept(&error))?;
        record.tainted = create && made.error.is_some();
        if made.error.is_some() {
            record.drifted_at = old_record.and_then(|old| old.drifted_at);
        }
        let done = match (create, replaces) {
            (_, true) => Done::Replace,
            (true, false) => Done::Create,
            (false, false) => Done::Update,
        };
        let touched = self.touched(done, record.revision);
        let version = if replaces { None } else { self.version() };
        self.append(Write::Put(Box::new(record), version), Some(touched))
            .await?;
        if let Some(error) = made.error {
            return Err(Stopped::Failed(error));
        }
        self.report.added = create;
        self.report.changed = !create;
        self.publish(&object.data).await
    }

    /// Nobody knows what the call did. A record loses the time of its refresh, so that the next
    /// plan reads it; of a create the lock is the only trace.
    async fn outcome_unknown(&mut self, create: bool, replaces: bool, problem: Problem) -> Stopped {
        let stopped = self.problem(problem);
        let done = match (create, replaces) {
            (_, true) => Done::Replace,
            (true, false) => Done::Create,
            (false, false) => Done::Update,
        };
        if create && (replaces || self.work.record.is_none()) {
            self.report.keep_lock = true;
            self.report.touched = true;
            let before = self.recorded().map_or(0, |record| record.revision);
            let mut touched = Touched::new(self.address.clone(), done, before, 0);
            touched.unknown = true;
            self.note(touched).await;
            return self.orphan_hint(stopped);
        }
        // A create over the record of a gone object leaves a trace in that record.
        match self.mark_uncertain(done).await {
            Ok(()) => stopped,
            Err(worse) => worse,
        }
    }

    fn orphan_hint(&self, stopped: Stopped) -> Stopped {
        let Stopped::Failed(mut error) = stopped else {
            return stopped;
        };
        error.join(RunError::of(
            error.class,
            Diagnostic::warning(format!(
                "{}: whether the object was created is not known; look for an object nobody \
                 manages",
                self.address
            )),
        ));
        Stopped::Failed(error)
    }

    async fn mark_uncertain(&mut self, done: Done) -> Result<(), Stopped> {
        let Some(kept) = self.work.record.clone() else {
            return Ok(());
        };
        let mut record = kept.value.clone();
        let old = kept.value;
        self.writer()
            .stamp(&mut record, Some(&old), Succession::Goes);
        record.refreshed_at = None;
        let mut touched = self.touched(done, record.revision);
        touched.unknown = true;
        self.append(
            Write::Put(Box::new(record), Some(kept.version)),
            Some(touched),
        )
        .await?;
        Ok(())
    }

    /// Deletes an object for good.
    pub(super) async fn delete(&mut self) -> Result<(), Stopped> {
        let Some(kept) = self.work.record.clone() else {
            return Ok(());
        };
        let Some(typed) = self.world.estate.type_of(&kept).cloned() else {
            return Err(self.fail(format!(
                "the provider {} has no {}",
                kept.provider, kept.kind
            )));
        };
        let provider = match instance_of(self.world, &kept).await {
            Ok(provider) if provider.is_known() => provider,
            Ok(provider) => {
                let key = provider.key;
                return Err(self.fail(format!(
                    "the configuration of its provider {key} is not known"
                )));
            }
            Err(Some(error)) => return Err(Stopped::Failed(error)),
            Err(None) => {
                let key = &kept.provider_key;
                return Err(self.fail(format!("its provider {key} is not declared any more")));
            }
        };
        let plugin = self.plugin(&provider, &kept.provider).await?;
        let named = self.named(&kept.provider);
        let asked = Asked {
            plugin: plugin.as_ref(),
            kind: &kept.kind,
            typed: &typed,
            named: &named,
        };
        let frozen = Arc::clone(&self.work.frozen);
        let prior = Object {
            data: frozen.prior.clone(),
            private: frozen.private.clone(),
            identity: identity_of(&kept),
        };
        self.confirm().await?;
        let private = frozen.planned_private.clone();
        self.destroy(&asked, &prior, private, Operation::Delete)
            .await?;
        self.kept_delete().await?;
        self.report.destroyed = true;
        Ok(())
    }

    /// The delete call. When it fails, what is left of the object is kept.
    async fn destroy(
        &mut self,
        asked: &Asked<'_>,
        prior: &Object,
        private: Vec<u8>,
        operation: Operation,
    ) -> Result<(), Stopped> {
        let question = ApplyRequest {
            kind: asked.kind.to_owned(),
            prior: prior.data.clone(),
            planned: Data::Null,
            config: Data::Null,
            private,
            identity: prior.identity.clone(),
        };
        let answer = match self.call(asked, &question, operation).await {
            Ok(answer) => answer,
            Err(problem) if problem.is_lost() => {
                let stopped = self.problem(problem);
                self.mark_uncertain(Done::Delete).await?;
                return Err(stopped);
            }
            Err(problem) => return Err(self.problem(problem)),
        };
        let made = self.judge(asked, &Data::Null, answer);
        let Some(error) = made.error else {
            return Ok(());
        };
        if !made.object.data.is_null() {
            self.keep_rest(asked, made.object).await?;
        }
        Err(Stopped::Failed(error))
    }

    /// What a failed delete left, in place of the record.
    async fn keep_rest(&mut self, asked: &Asked<'_>, object: Object) -> Result<(), Stopped> {
        let Some(kept) = self.work.record.clone() else {
            return Ok(());
        };
        let mut record = kept.value.clone();
        let attributes = pravo_state::Attributes::from_data(&object.data, &asked.typed.kind);
        record.attributes = attributes.map_err(|error| self.unkept(&error))?;
        record.schema_version = asked.typed.schema.version;
        record.private = pravo_state::Opaque::new(object.private);
        record.config_hash.clear();
        let old = kept.value;
        self.writer()
            .stamp(&mut record, Some(&old), Succession::Goes);
        let touched = self.touched(Done::Delete, record.revision);
        self.append(
            Write::Put(Box::new(record), Some(kept.version)),
            Some(touched),
        )
        .await?;
        Ok(())
    }
}
