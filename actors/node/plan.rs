//! What a node does in the plan wave: reads its record where that is due, asks its provider for a
//! plan, decides.

mod look_up;

use super::ask::{Asked, Object, Proposal, kept_identity};
use crate::estate::Typed;
use crate::evaluator::desk::{ProviderNow, Task};
use crate::plugin::Problem;
use crate::provider::{Provider, Ready};
use crate::run::{Class, RunError};
use crate::transaction::{Back, Transaction, WriteBack};
use crate::world::World;
use actix::Addr;
use pravo_plan::drift::{Found, ReadBack, read_back};
use pravo_plan::reach::ReadCause;
use pravo_plan::{Action, Age, Frozen, Path, ReadKind, Reason};
use pravo_state::{
    Action as Done, Address, Data, Diagnostic, Event, Mode, Operation, Record, Severity, Time,
    Touched, TransactionId,
};
use pravo_store::Kept;
use std::sync::Arc;

/// What is to be found out about one node.
pub(crate) struct PlanWork {
    pub(crate) address: Address,
    /// The place of a declared node.
    pub(crate) place: Option<usize>,
    pub(crate) mode: Mode,
    pub(crate) kind: String,
    pub(crate) source: String,
    pub(crate) typed: Arc<Typed>,
    pub(crate) age: Age,
    pub(crate) record: Option<Kept<Record>>,
    /// An earlier walk of this plan read the record, because of this, and found this.
    pub(crate) earlier: Option<(ReadCause, Found)>,
    pub(crate) aim: Aim,
    pub(crate) provider: Addr<Provider>,
    pub(crate) transaction: Addr<Transaction>,
    pub(crate) txn: TransactionId,
    pub(crate) now: Time,
}

/// What for.
pub(crate) enum Aim {
    /// A declared node: its record is read if the task says so, and it is planned if it has to be.
    Declared(Box<Task>),
    /// Only its record is read, because a reached node reads it.
    Read(ProviderNow),
    /// It is to be destroyed.
    Delete {
        read: Option<ReadCause>,
        causes: Vec<Reason>,
        provider: ProviderNow,
    },
}

impl Aim {
    fn provider(&self) -> &ProviderNow {
        match self {
            Self::Declared(task) => &task.provider,
            Self::Read(provider) | Self::Delete { provider, .. } => provider,
        }
    }
}

/// What was found out.
pub(crate) struct Report {
    pub(crate) address: Address,
    pub(crate) place: Option<usize>,
    /// The record was read, and that said this.
    pub(crate) read: Option<Found>,
    /// The record as a read left it, where it was written.
    pub(crate) kept: Option<Kept<Record>>,
    pub(crate) warnings: Vec<String>,
    pub(crate) result: Result<Planned, RunError>,
}

/// What follows for the node.
pub(crate) enum Planned {
    /// Its record stands for it. For a data source: so does its answer.
    Same { reasons: Vec<Reason> },
    /// A data source was asked and answered as its record says, or nothing but edges differ.
    Entry(Box<Entry>),
}

/// An entry of the plan, as far as the node knows it.
pub(crate) struct Entry {
    pub(crate) action: Action,
    pub(crate) before: Option<Data>,
    pub(crate) after: Option<Data>,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) requires_replace: Vec<Path>,
    pub(crate) write_only_set: Vec<Path>,
    pub(crate) read: Option<ReadKind>,
    pub(crate) gone: bool,
    pub(crate) drifted: bool,
    pub(crate) frozen: Frozen,
}

/// What the reading of a record brought.
#[derive(Default)]
struct Refreshed {
    found: Option<Found>,
    kept: Option<Kept<Record>>,
    warnings: Vec<String>,
}

pub(crate) async fn run(world: &World, work: PlanWork) -> Report {
    let mut refreshed = Refreshed::default();
    let result = match world.permits.acquire().await {
        Ok(_permit) if !world.halt.is_set() => work_on(world, &work, &mut refreshed).await,
        _ => Err(RunError::failed(format!(
            "{}: not planned; the run was stopped",
            work.address
        ))),
    };
    Report {
        address: work.address,
        place: work.place,
        read: refreshed.found,
        kept: refreshed.kept,
        warnings: refreshed.warnings,
        result,
    }
}

async fn work_on(
    world: &World,
    work: &PlanWork,
    refreshed: &mut Refreshed,
) -> Result<Planned, RunError> {
    let plugin = match work.provider.send(Ready).await {
        Ok(started) => started.map_err(|problem| not_ready(&work.aim.provider().key, problem))?,
        Err(_) => {
            return Err(RunError::failed(format!(
                "{}: its provider ended",
                work.address
            )));
        }
    };
    let named = format!("{} v{}", work.source, world.estate.version(&work.source));
    let asked = Asked {
        plugin: plugin.as_ref(),
        kind: &work.kind,
        typed: &work.typed,
        named: &named,
    };
    let result = match (&work.aim, work.mode) {
        (Aim::Declared(task), Mode::Data) => {
            look_up::look_up(world, work, task, &asked, refreshed).await
        }
        (Aim::Declared(task), Mode::Managed) => {
            declared(world, work, task, &asked, refreshed).await
        }
        (Aim::Read(provider), _) => {
            let cause = Some(ReadCause::Older);
            known(world, work, &asked, (cause.as_ref(), provider), refreshed)
                .await
                .map(|_| Planned::Same {
                    reasons: Vec::new(),
                })
        }
        (
            Aim::Delete {
                read,
                causes,
                provider,
            },
            _,
        ) => {
            let about = (read.as_ref(), provider);
            delete(world, work, &asked, (causes, about), refreshed).await
        }
    };
    result.map_err(|problem| told(world, work, problem))
}

/// The errors of a provider, each naming the node; its warnings are told at once.
fn told(world: &World, work: &PlanWork, problem: Problem) -> RunError {
    let (errors, warnings): (Vec<_>, Vec<_>) = problem
        .diagnostics()
        .into_iter()
        .partition(|d| d.severity == Severity::Error);
    tell_warnings(world, &work.address, warnings);
    let diagnostics = errors
        .into_iter()
        .map(|d| about(&work.address, d))
        .collect();
    RunError {
        class: Class::Failed,
        diagnostics,
    }
}

/// The errors of a provider that can't be used: the same for all its nodes, so that they are shown
/// once.
pub(crate) fn not_ready(key: &str, problem: Problem) -> RunError {
    let mut diagnostics = problem.diagnostics();
    diagnostics.retain(|d| d.severity == Severity::Error);
    for diagnostic in &mut diagnostics {
        let path = match &diagnostic.attribute {
            Some(path) => format!(".{path}"),
            None => String::new(),
        };
        diagnostic.summary = format!("provider {key}{path}: {}", diagnostic.summary);
    }
    RunError {
        class: Class::Failed,
        diagnostics,
    }
}

/// A diagnostic that names its node, and the attribute if there is one.
pub(crate) fn about(address: &Address, mut diagnostic: Diagnostic) -> Diagnostic {
    let summary = match diagnostic.summary.trim() {
        "" => std::mem::take(&mut diagnostic.detail),
        text => text.to_owned(),
    };
    let path = match &diagnostic.attribute {
        Some(path) if path.starts_with('[') => path.clone(),
        Some(path) => format!(".{path}"),
        None => String::new(),
    };
    diagnostic.summary = format!("{address}{path}: {summary}");
    if !diagnostic.detail.is_empty() {
        let lines: Vec<String> = diagnostic
            .detail
            .lines()
            .map(|l| format!("  {l}"))
            .collect();
        diagnostic.detail = lines.join("\n");
    }
    diagnostic
}

pub(crate) fn tell_warnings(world: &World, address: &Address, warnings: Vec<Diagnostic>) {
    for warning in warnings {
        let diagnostic = about(address, warning);
        world.tell(Event::Diagnosed {
            addr: Some(address.clone()),
            diagnostic,
        });
    }
}

/// The `id` of an object, where it is a text that may be shown.
pub(crate) fn shown_id(typed: &Typed, object: &Data) -> Option<String> {
    let attribute = typed.schema.block.attribute("id")?;
    if attribute.sensitive {
        return None;
    }
    object.get("id")?.as_str().map(str::to_owned)
}

/// The object of the record, read again where that is due. Null values when it is gone.
async fn known(
    world: &World,
    work: &PlanWork,
    asked: &Asked<'_>,
    (read, provider): (Option<&ReadCause>, &ProviderNow),
    refreshed: &mut Refreshed,
) -> Result<Object, Problem> {
    let Some(kept) = &work.record else {
        return Ok(Object::default());
    };
    let stored = asked.stored(kept).await?;
    if read.is_none() {
        // Of a gone object nothing is left that belongs to a new one.
        let gone = kept.gone;
        return Ok(if gone { Object::default() } else { stored });
    }
    let about = (&work.address, Operation::Refresh);
    let id = shown_id(&work.typed, &stored.data);
    let (object, warnings) = world
        .observed(about, id.clone(), asked.refresh(&stored), |_| id)
        .await?;
    tell_warnings(world, &work.address, warnings);
    let found = Found::judge(kept, &stored.data, &object.data);
    refreshed.found = Some(found);
    keep(work, kept, (found, &object), provider, refreshed).await?;
    let gone = object.data.is_null();
    Ok(if gone { Object::default() } else { object })
}

/// Writes what a read found.
async fn keep(
    work: &PlanWork,
    kept: &Kept<Record>,
    (found, object): (Found, &Object),
    provider: &ProviderNow,
    refreshed: &mut Refreshed,
) -> Result<(), Problem> {
    let read = ReadBack {
        found,
        object: &object.data,
        private: &object.private,
        provider_config: provider.digest.as_deref(),
        identity: kept_identity(object.identity.as_ref()),
        now: work.now,
        txn: &work.txn,
    };
    let next = read_back(kept, &work.typed.schema, &read).map_err(|error| {
        Problem::Refused(vec![Diagnostic::error(format!(
            "what was read can't be kept: {error}"
        ))])
    })?;
    let done = if found.is_drift() {
        Done::Drift
    } else {
        Done::Refresh
    };
    write(work, kept, next, done, refreshed).await
}

async fn write(
    work: &PlanWork,
    kept: &Kept<Record>,
    next: Record,
    done: Done,
    refreshed: &mut Refreshed,
) -> Result<(), Problem> {
    let touched = Touched::new(work.address.clone(), done, kept.revision, next.revision);
    let message = WriteBack {
        read: kept.clone(),
        next: next.clone(),
        touched,
    };
    match work.transaction.send(message).await {
        Ok(Ok(Back::Written(kept))) => refreshed.kept = Some(*kept),
        Ok(Ok(Back::Held)) => refreshed.kept = Some(unwritten(kept, next)),
        Ok(Ok(Back::Moved)) => {
            refreshed.kept = Some(unwritten(kept, next));
            let text = format!(
                "{} was written by another command while the plan read it; its record is left as \
                 it is",
                work.address
            );
            refreshed.warnings.push(text);
        }
        Ok(Err(error)) => {
            return Err(Problem::refused(format!(
                "its record can't be written: {error}"
            )));
        }
        Err(_) => return Err(Problem::refused("the transaction ended")),
    }
    Ok(())
}

/// A record that could not be written. The plan goes on with it; if the read changed its
/// revision, the apply will find the plan stale.
fn unwritten(kept: &Kept<Record>, next: Record) -> Kept<Record> {
    Kept {
        value: next,
        version: kept.version.clone(),
    }
}

/// Causes, then what the read says, then consequences.
fn reasons(
    causes: &[Reason],
    read: Option<&ReadCause>,
    found: Option<Found>,
    recorded: bool,
) -> Vec<Reason> {
    let mut reasons = causes.to_vec();
    let drift = found.is_some_and(Found::is_drift);
    if drift {
        reasons.retain(|r| !matches!(r, Reason::DriftEarlier(_)));
        if !reasons.contains(&Reason::Drift) {
            reasons.push(Reason::Drift);
        }
    }
    match read {
        Some(ReadCause::Forced(reason)) => reasons.push(reason.clone()),
        Some(ReadCause::Older) => reasons.push(Reason::Refreshed(drift)),
        None if recorded => reasons.push(Reason::RefreshSkipped),
        None => {}
    }
    reasons.sort();
    reasons
}

async fn declared(
    world: &World,
    work: &PlanWork,
    task: &Task,
    asked: &Asked<'_>,
    refreshed: &mut Refreshed,
) -> Result<Planned, Problem> {
    refuse_other_kind(work)?;
    let about = (task.read.as_ref(), &task.provider);
    let prior = known(world, work, asked, about, refreshed).await?;
    let (read, found) = match (&task.read, &work.earlier) {
        (None, Some((cause, found))) => (Some(cause), Some(*found)),
        (read, _) => (read.as_ref(), refreshed.found),
    };
    let drift = refreshed.found.is_some_and(Found::is_drift);
    let record = work.record.as_ref();
    let reasons = reasons(&task.causes, read, found, record.is_some());
    if task.causes.is_empty() && !drift {
        let mut reasons = reasons;
        reasons.push(Reason::Skipped);
        return Ok(Planned::Same { reasons });
    }
    let tainted = record.is_some_and(|record| record.tainted);
    let edges_only = task.causes == [Reason::DependenciesChanged] && !drift;
    let proposal = if edges_only {
        kept_as_it_is(&prior)
    } else {
        asked.propose(&prior, tainted, &task.config).await?
    };
    tell_warnings(world, &work.address, proposal.warnings.clone());
    Ok(Planned::Entry(Box::new(entry(
        work,
        task,
        &prior,
        proposal,
        (reasons, found),
    ))))
}

fn kept_as_it_is(prior: &Object) -> Proposal {
    Proposal {
        action: Action::NoOp,
        planned: prior.data.clone(),
        private: prior.private.clone(),
        identity: prior.identity.clone(),
        requires_replace: Vec::new(),
        warnings: Vec::new(),
    }
}

fn entry(
    work: &PlanWork,
    task: &Task,
    prior: &Object,
    proposal: Proposal,
    (mut reasons, found): (Vec<Reason>, Option<Found>),
) -> Entry {
    let record = work.record.as_ref();
    let tainted = record.is_some_and(|record| record.tainted);
    if !proposal.requires_replace.is_empty() {
        reasons.push(Reason::RequiresReplace(proposal.requires_replace.clone()));
    }
    let block = &work.typed.schema.block;
    let (_, write_only_set) = pravo_plan::normal::without_write_only(block, task.config.clone());
    let before = (!prior.data.is_null()).then(|| prior.data.clone());
    let gone = record.is_some() && prior.data.is_null();
    let marked = record.is_some_and(|record| record.is_marked());
    Entry {
        action: proposal.action,
        before,
        after: Some(proposal.planned.clone()),
        reasons,
        requires_replace: proposal.requires_replace,
        write_only_set,
        read: None,
        gone,
        drifted: marked || found.is_some_and(Found::is_drift),
        frozen: Frozen {
            config: task.config.clone(),
            prior: prior.data.clone(),
            planned: proposal.planned,
            private: prior.private.clone(),
            planned_private: proposal.private,
            schema_version: work.typed.schema.version,
            tainted,
            config_hash: task.hash.clone(),
        },
    }
}

/// A record of another type or provider is not replaced yet; taking it for one of this type would
/// lose its object.
fn refuse_other_kind(work: &PlanWork) -> Result<(), Problem> {
    let Some(record) = &work.record else {
        return Ok(());
    };
    let what = if record.mode != work.mode || record.kind != work.kind {
        format!(
            "{} {} to {} {}",
            record.mode, record.kind, work.mode, work.kind
        )
    } else if record.provider != work.source {
        format!("{} to {}", record.provider, work.source)
    } else {
        return Ok(());
    };
    let mut diagnostic =
        Diagnostic::error(format!("changing {what} at one address is not supported"));
    diagnostic.detail = "remove it, apply, then add it again".to_owned();
    Err(Problem::Refused(vec![diagnostic]))
}

async fn delete(
    world: &World,
    work: &PlanWork,
    asked: &Asked<'_>,
    (causes, about): (&[Reason], (Option<&ReadCause>, &ProviderNow)),
    refreshed: &mut Refreshed,
) -> Result<Planned, Problem> {
    let prior = known(world, work, asked, about, refreshed).await?;
    let reasons = reasons(causes, about.0, refreshed.found, true);
    let gone = prior.data.is_null();
    let proposal = if gone {
        kept_as_it_is(&prior)
    } else {
        asked.propose_delete(&prior).await?
    };
    tell_warnings(world, &work.address, proposal.warnings.clone());
    Ok(Planned::Entry(Box::new(Entry {
        action: proposal.action,
        before: (!gone).then(|| prior.data.clone()),
        after: None,
        reasons,
        requires_replace: Vec::new(),
        write_only_set: Vec::new(),
        read: None,
        gone,
        drifted: refreshed.found.is_some_and(Found::is_drift),
        frozen: Frozen {
            prior: prior.data,
            private: prior.private,
            planned_private: proposal.private,
            schema_version: work.typed.schema.version,
            ..Frozen::default()
        },
    })))
}
