//! A data source in the plan wave: it is asked, and its answer compared with its record.

use super::{
    Entry, PlanWork, Planned, Refreshed, refuse_other_kind, shown_id, tell_warnings, write,
};
use crate::evaluator::desk::Task;
use crate::node::ask::Asked;
use crate::plugin::Problem;
use crate::transaction::{ClearLock, NoteRead};
use crate::world::World;
use pravo_plan::drift::Found;
use pravo_plan::reach::ReadCause;
use pravo_plan::{Action, Age, Frozen, ReadKind, Reason};
use pravo_state::{Action as Done, Data, Diagnostic, Operation};

pub(super) async fn look_up(
    world: &World,
    work: &PlanWork,
    task: &Task,
    asked: &Asked<'_>,
    refreshed: &mut Refreshed,
) -> Result<Planned, Problem> {
    refuse_other_kind(work)?;
    let about = (&work.address, Operation::Read);
    let id_of = |(answer, _): &(Data, Vec<Diagnostic>)| shown_id(&work.typed, answer);
    let (answer, warnings) = world
        .observed(about, None, asked.look_up(&task.config), id_of)
        .await?;
    tell_warnings(world, &work.address, warnings);
    if work.transaction.send(NoteRead).await.is_err() {
        tracing::debug!("the transaction ended before a read was noted");
    }
    if let Some(ReadCause::Forced(Reason::LockLeft(..))) = &task.read {
        let cleared = work.transaction.send(ClearLock(work.address.clone()));
        if cleared.await.is_err() {
            return Err(Problem::refused("the transaction ended"));
        }
    }
    let recorded = match &work.record {
        Some(record) => Some(
            work.typed
                .object(record)
                .map_err(|error| Problem::refused(format!("its record: {error}")))?,
        ),
        None => None,
    };
    let same = recorded.as_ref() == Some(&answer);
    refreshed.found = Some(if same { Found::Same } else { Found::Differs });
    let mut reasons = task.causes.clone();
    if same && task.causes.is_empty() {
        if let (Age::Every(..), Some(kept)) = (&work.age, &work.record) {
            let mut next = kept.value.clone();
            next.refreshed_at = Some(work.now);
            next.updated_at = Some(work.now);
            next.txn = Some(work.txn.clone());
            write(work, kept, next, Done::Refresh, refreshed).await?;
        }
        let read = match &task.read {
            Some(ReadCause::Forced(reason)) => reason.clone(),
            _ => Reason::Refreshed(false),
        };
        reasons.extend([read, Reason::Skipped]);
        return Ok(Planned::Same { reasons });
    }
    let read = match (&recorded, same) {
        (None, _) => Some(ReadKind::First),
        (Some(_), false) => {
            reasons.push(Reason::DataDiffers);
            Some(ReadKind::Differs)
        }
        (Some(_), true) => None,
    };
    reasons.sort();
    Ok(Planned::Entry(Box::new(answered(
        work,
        task,
        (recorded, answer),
        reasons,
        read,
    ))))
}

fn answered(
    work: &PlanWork,
    task: &Task,
    (recorded, answer): (Option<Data>, Data),
    reasons: Vec<Reason>,
    read: Option<ReadKind>,
) -> Entry {
    Entry {
        action: if read.is_some() {
            Action::Read
        } else {
            Action::NoOp
        },
        before: recorded,
        after: Some(answer.clone()),
        reasons,
        requires_replace: Vec::new(),
        write_only_set: Vec::new(),
        read,
        gone: false,
        drifted: false,
        frozen: Frozen {
            config: task.config.clone(),
            planned: answer,
            schema_version: work.typed.schema.version,
            config_hash: task.hash.clone(),
            ..Frozen::default()
        },
    }
}
