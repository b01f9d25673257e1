//! Steps that change records and no objects, and how results are kept.

use super::{Run, Stopped};
use crate::estate::Declared;
use crate::evaluator::desk::ProviderNow;
use crate::evaluator::{Configure, Desire, Keep};
use crate::node::ask::{Asked, Object, identity_of};
use crate::node::plan::{about, not_ready, shown_id};
use crate::node::record::{Succession, Writer};
use crate::plugin::Problem;
use crate::provider::Ready;
use crate::run::{Class, RunError};
use crate::transaction::{Append, Write};
use pravo_plan::{ReadKind, Reason};
use pravo_state::{
    Action as Done, Address, Data, Diagnostic, Operation, Record, Revision, Severity, Touched,
    hash, json,
};
use pravo_store::Version;
use std::sync::Arc;

impl Run<'_> {
    pub(super) fn fail(&self, text: impl std::fmt::Display) -> Stopped {
        Stopped::Failed(RunError::failed(format!("{}: {text}", self.address)))
    }

    /// The errors of a provider, each naming the node; warnings are kept for the end.
    pub(super) fn told(&mut self, diagnostics: Vec<Diagnostic>) -> Option<RunError> {
        let (errors, warnings): (Vec<_>, Vec<_>) = diagnostics
            .into_iter()
            .partition(|d| d.severity == Severity::Error);
        let named = |d| about(self.address, d);
        self.report.warnings.extend(warnings.into_iter().map(named));
        let diagnostics: Vec<Diagnostic> = errors.into_iter().map(named).collect();
        (!diagnostics.is_empty()).then_some(RunError {
            class: Class::Failed,
            diagnostics,
        })
    }

    pub(super) fn problem(&mut self, problem: Problem) -> Stopped {
        match self.told(problem.diagnostics()) {
            Some(error) => Stopped::Failed(error),
            None => self.fail("its provider failed without saying why"),
        }
    }

    pub(super) fn wrong(&self, errors: pravo_spec::SpecErrors) -> Stopped {
        Stopped::Failed(RunError::from(errors))
    }

    pub(super) fn unkept(&self, error: &json::Error) -> Stopped {
        self.fail(format!("the object can't be kept: {error}"))
    }

    /// The configuration with known values, and its hash.
    pub(super) async fn desired(&self, node: &Declared) -> Result<(Data, String), Stopped> {
        let asked = self
            .world
            .evaluator
            .send(Desire(self.address.clone()))
            .await;
        let config = asked
            .map_err(|_| Stopped::Whole(RunError::failed("the evaluator ended")))?
            .map_err(|errors| self.wrong(errors))?;
        if !config.is_wholly_known() {
            return Err(self.fail(
                "its configuration is still not known, although everything it reads is applied",
            ));
        }
        let hash = hash::config_hash(&config, &node.typed.schema.block, &[]);
        Ok((config, hash.map_err(|error| self.unkept(&error))?))
    }

    /// The instance of the node, as it is configured now.
    pub(super) async fn instance(&self, key: &str) -> Result<ProviderNow, Stopped> {
        let asked = self.world.evaluator.send(Configure(key.to_owned())).await;
        let provider = asked
            .map_err(|_| Stopped::Whole(RunError::failed("the evaluator ended")))?
            .map_err(|errors| self.wrong(errors))?;
        if !provider.is_known() {
            return Err(self.fail(format!(
                "the configuration of its provider {key} is not known"
            )));
        }
        Ok(provider)
    }

    /// The running plugin of an instance.
    pub(super) async fn plugin(
        &mut self,
        provider: &ProviderNow,
        source: &str,
    ) -> Result<Arc<dyn crate::plugin::Plugin>, Stopped> {
        match self.world.provider(provider, source).send(Ready).await {
            Ok(Ok(plugin)) => Ok(plugin),
            Ok(Err(problem)) => Err(Stopped::Failed(not_ready(&provider.key, problem))),
            Err(_) => Err(self.fail("its provider ended")),
        }
    }

    pub(super) fn writer(&self) -> Writer<'_> {
        Writer {
            estate: &self.world.estate,
            txn: &self.work.txn,
            now: self.world.outside.now(),
        }
    }

    pub(super) fn recorded(&self) -> Option<&Record> {
        self.work.record.as_ref().map(|kept| &kept.value)
    }

    pub(super) fn version(&self) -> Option<Version> {
        self.work.record.as_ref().map(|kept| kept.version.clone())
    }

    pub(super) fn touched(&self, done: Done, after: u64) -> Touched {
        let before = self.recorded().map_or(0, |record| record.revision);
        Touched::new(self.address.clone(), done, before, after)
    }

    /// Keeps a write. What the state does not take stops the whole apply and keeps the lock.
    pub(super) async fn append(
        &mut self,
        write: Write,
        touched: Option<Touched>,
    ) -> Result<Option<Version>, Stopped> {
        let expects = match &write {
            Write::Put(_, None) => Revision::none(),
            _ => self.recorded().map_or_else(Revision::none, Record::at),
        };
        self.report.touched = true;
        match self
            .work
            .transaction
            .send(Append {
                write,
                expects,
                touched,
            })
            .await
        {
            Ok(Ok(version)) => Ok(version),
            Ok(Err(error)) => {
                self.report.keep_lock = true;
                Err(Stopped::Whole(error))
            }
            Err(_) => {
                self.report.keep_lock = true;
                Err(Stopped::Whole(RunError::failed("the transaction ended")))
            }
        }
    }

    /// Lets everything downstream see the values.
    pub(super) async fn publish(&self, object: &Data) -> Result<(), Stopped> {
        let keep = Keep {
            address: self.address.clone(),
            object: Arc::new(object.clone()),
        };
        let sent = self.world.evaluator.send(keep).await;
        sent.map_err(|_| Stopped::Whole(RunError::failed("the evaluator ended")))
    }

    async fn remove(&mut self, done: Done) -> Result<(), Stopped> {
        let Some(version) = self.version() else {
            return Ok(());
        };
        let touched = self.touched(done, 0);
        self.append(Write::Remove(self.address.clone(), version), Some(touched))
            .await?;
        Ok(())
    }

    /// Drops the record and leaves the object.
    pub(super) async fn forget(&mut self) -> Result<(), Stopped> {
        self.remove(Done::Forget).await?;
        self.report.forgotten = true;
        Ok(())
    }

    /// Drops a record behind which there is no object: a data source, or a gone one.
    pub(super) async fn drop_record(&mut self) -> Result<(), Stopped> {
        self.remove(Done::Delete).await
    }

    pub(super) async fn kept_delete(&mut self) -> Result<(), Stopped> {
        self.remove(Done::Delete).await
    }

    /// Writes a record that differs from the plan only in what pravo itself notes: hash, edges,
    /// versions, mark.
    pub(super) async fn rewrite(&mut self, node: &Declared) -> Result<(), Stopped> {
        let provider = self.instance(&node.decl.provider_key).await?;
        let frozen = Arc::clone(&self.work.frozen);
        let hash = match &frozen.config_hash {
            Some(hash) => hash.clone(),
            None => self.desired(node).await?.1,
        };
        let old = self.recorded();
        let object = Object {
            data: frozen.planned.clone(),
            private: frozen.planned_private.clone(),
            identity: old.and_then(identity_of),
        };
        let made = self
            .writer()
            .record(node, &object, &provider, &hash, (old, Succession::Goes));
        let mut record = made.map_err(|error| self.unkept(&error))?;
        // The object itself was neither changed nor read by this run.
        record.applied_at = old.and_then(|old| old.applied_at);
        record.refreshed_at = old.and_then(|old| old.refreshed_at);
        if node.decl.mode == pravo_state::Mode::Data {
            record.refreshed_at = Some(self.world.outside.now());
        }
        let edges = self
            .work
            .change
            .reasons
            .contains(&Reason::DependenciesChanged);
        let done = if edges { Done::Edges } else { Done::Refresh };
        let touched = self.touched(done, record.revision);
        let version = self.version();
        self.append(Write::Put(Box::new(record), version), Some(touched))
            .await?;
        self.publish(&object.data).await
    }

    /// A data source: keeps the answer of the plan, or asks now.
    pub(super) async fn read(&mut self, node: &Declared) -> Result<(), Stopped> {
        let provider = self.instance(&node.decl.provider_key).await?;
        let frozen = Arc::clone(&self.work.frozen);
        let deferred = self.work.change.read == Some(ReadKind::Deferred);
        let (answer, hash) = match (&frozen.config_hash, deferred) {
            (Some(hash), false) => (frozen.planned.clone(), hash.clone()),
            _ => self.look_up(node, &provider).await?,
        };
        let object = Object {
            data: answer,
            ..Object::default()
        };
        let old = self.recorded();
        let made = self
            .writer()
            .record(node, &object, &provider, &hash, (old, Succession::Goes));
        let mut record = made.map_err(|error| self.unkept(&error))?;
        let same = old.is_some_and(|old| {
            old.attributes == record.attributes
                && old.config_hash == record.config_hash
                && old.dependencies == record.dependencies
        });
        if same && !matches!(node.age, pravo_plan::Age::Every(..)) {
            self.report.touched = true;
            return self.publish(&object.data).await;
        }
        if let (true, Some(old)) = (same, old) {
            record.revision = old.revision;
        }
        let touched = self.touched(Done::Read, record.revision);
        let version = self.version();
        self.append(Write::Put(Box::new(record), version), Some(touched))
            .await?;
        self.publish(&object.data).await
    }

    async fn look_up(
        &mut self,
        node: &Declared,
        provider: &ProviderNow,
    ) -> Result<(Data, String), Stopped> {
        let (config, hash) = self.desired(node).await?;
        let plugin = self.plugin(provider, &node.decl.source).await?;
        let named = self.named(&node.decl.source);
        let asked = Asked {
            plugin: plugin.as_ref(),
            kind: &node.decl.kind,
            typed: &node.typed,
            named: &named,
        };
        let about = (self.address, Operation::Read);
        let id_of = |(answer, _): &(Data, Vec<Diagnostic>)| shown_id(&node.typed, answer);
        let answered = self
            .world
            .observed(about, None, asked.look_up(&config), id_of)
            .await;
        let (answer, warnings) = answered.map_err(|problem| self.problem(problem))?;
        self.told(warnings);
        Ok((answer, hash))
    }

    pub(super) fn named(&self, source: &str) -> String {
        format!("{source} v{}", self.world.estate.version(source))
    }
}

/// Names an address in a message about the plan that no longer holds.
pub(super) fn differs(address: &Address, what: impl std::fmt::Display) -> Stopped {
    let mut diagnostic =
        Diagnostic::error("the plan changed while it waited; run \"pravo apply\" again:");
    diagnostic.detail = format!("  - {address}: {what}");
    Stopped::Whole(RunError::of(Class::Stale, diagnostic))
}
