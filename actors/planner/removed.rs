//! What is recorded and no longer wanted.

use crate::estate::Typed;
use crate::evaluator::Configure;
use crate::evaluator::desk::ProviderNow;
use crate::node::plan::{Aim, Entry, PlanWork};
use crate::run::RunError;
use crate::transaction::Transaction;
use crate::world::World;
use actix::Addr;
use pravo_plan::propose::empty_value;
use pravo_plan::reach::{Look, read_cause};
use pravo_plan::{Action, Frozen, Reason};
use pravo_state::{Address, Diagnostic, Lock, Mode, Record, Time, TransactionId};
use pravo_store::Kept;
use std::sync::Arc;

/// What follows for a record that is to go.
pub(super) enum Follows {
    /// Its provider has to be asked.
    Work(Box<PlanWork>),
    /// Nothing is asked: this is the entry.
    Entry(Box<Entry>),
    /// No instance of its provider can be used.
    Missing,
    /// It must not go, or can't.
    Failed(RunError),
}

/// The instance that wrote a record, as it is configured now; one that needs no configuration also
/// where it is no longer declared.
///
/// # Errors
/// Nothing when there is none; what is wrong with its configuration.
pub(crate) async fn instance_of(
    world: &World,
    record: &Record,
) -> Result<ProviderNow, Option<RunError>> {
    let key = record.provider_key.clone();
    let declared = world.estate.instances.get(&key);
    if declared.is_some_and(|instance| instance.decl.source == record.provider) {
        let asked = world.evaluator.send(Configure(key)).await;
        return match asked {
            Ok(Ok(now)) => Ok(now),
            Ok(Err(errors)) => Err(Some(errors.into())),
            Err(_) => Err(Some(RunError::failed("the evaluator ended"))),
        };
    }
    let Some(plugin) = world.estate.installed.get(&record.provider) else {
        return Err(None);
    };
    let block = &plugin.schema.provider.block;
    let needs =
        block.attributes.iter().any(|a| a.required) || block.blocks.iter().any(|b| b.min_items > 0);
    if needs || declared.is_some() {
        return Err(None);
    }
    Ok(ProviderNow {
        key,
        config: Arc::new(empty_value(block)),
        digest: None,
    })
}

/// The error about records whose instance is gone.
pub(super) fn missing(key: &str, source: &str, addresses: &[Address]) -> RunError {
    let names: Vec<&str> = addresses.iter().map(Address::as_str).collect();
    let mut diagnostic = Diagnostic::error(format!(
        "the provider instance {key} ({source}) is not declared, but records need it: {}",
        names.join(", ")
    ));
    diagnostic.detail = format!("  put ${key} back for one apply");
    RunError {
        class: crate::run::Class::Failed,
        diagnostics: vec![diagnostic],
    }
}

/// Decides what follows for a record that is not declared, or that a destroy takes.
pub(super) async fn plan(
    world: &World,
    (kept, lock, destroy): (&Kept<Record>, Option<&Lock>, bool),
    (transaction, txn): (Addr<Transaction>, TransactionId),
    now: Time,
) -> Follows {
    let address = &kept.addr;
    let causes = if destroy {
        Vec::new()
    } else {
        vec![Reason::NotInSpecification]
    };
    if kept.mode == Mode::Data {
        return Follows::Entry(Box::new(alone(Action::NoOp, causes)));
    }
    if kept.forget {
        return Follows::Entry(Box::new(alone(Action::Forget, causes)));
    }
    if kept.prevent_destroy {
        return Follows::Failed(RunError::failed(format!(
            "{address}: its record says prevent_destroy, so it is not destroyed; set it to false \
             and apply first"
        )));
    }
    let provider = match instance_of(world, kept).await {
        Ok(provider) => provider,
        Err(None) => return Follows::Missing,
        Err(Some(error)) => return Follows::Failed(error),
    };
    if !provider.is_known() {
        return Follows::Failed(RunError::failed(format!(
            "{address}: its provider {} cannot be configured before other changes are applied",
            provider.key
        )));
    }
    let Some(typed) = world.estate.type_of(kept).cloned() else {
        let version = world.estate.version(&kept.provider);
        return Follows::Failed(RunError::failed(format!(
            "{address}: the provider {} v{version} has no resource {}",
            kept.provider, kept.kind
        )));
    };
    Follows::Work(Box::new(work(
        world,
        (kept, lock),
        (typed, provider),
        causes,
        (transaction, txn, now),
    )))
}

fn alone(action: Action, reasons: Vec<Reason>) -> Entry {
    Entry {
        action,
        before: None,
        after: None,
        reasons,
        requires_replace: Vec::new(),
        write_only_set: Vec::new(),
        read: None,
        gone: false,
        drifted: false,
        frozen: Frozen::default(),
    }
}

fn work(
    world: &World,
    (kept, lock): (&Kept<Record>, Option<&Lock>),
    (typed, provider): (Arc<Typed>, ProviderNow),
    causes: Vec<Reason>,
    (transaction, txn, now): (Addr<Transaction>, TransactionId, Time),
) -> PlanWork {
    let declared = world
        .estate
        .place(&kept.addr)
        .map(|place| &world.estate.nodes[place]);
    let age = declared
        .map_or(&world.estate.default_age, |node| &node.age)
        .clone();
    let look = Look {
        age: &age,
        own_age: declared.is_some_and(|node| node.own_age),
        looked_at: true,
        lock,
        provider_config: Some(provider.digest.as_deref()),
    };
    let read = read_cause(kept, &look, now);
    PlanWork {
        address: kept.addr.clone(),
        place: None,
        mode: kept.mode,
        kind: kept.kind.clone(),
        source: kept.provider.clone(),
        typed,
        age,
        record: Some(kept.clone()),
        earlier: None,
        provider: world.provider(&provider, &kept.provider),
        aim: Aim::Delete {
            read,
            causes,
            provider,
        },
        transaction,
        txn,
        now,
    }
}
