//! `pravo state locks` and `pravo state unlock`: who holds what, and releasing it by hand.

use super::address;
use crate::context::Context;
use crate::exit::{Code, Failure};
use pravo_state::{Action, Lock, LockKind, Standing, Status, Touched, Transaction, json};
use pravo_state::{Address, TransactionId, TransactionKind};
use pravo_store::{Locker, State, Unlocked};

/// Lists the locks and reservations.
pub(super) fn list(context: &Context) -> Result<Code, Failure> {
    let state = context.read_state()?;
    let locks = context.wait(state.locks())?;
    if context.global.json {
        let values: Result<Vec<serde_json::Value>, _> = locks
            .iter()
            .map(|lock| serde_json::from_str(&lock.to_text()))
            .collect();
        let values = values.map_err(|error| format!("a lock: {error}"))?;
        context.screen.result(&json::pretty(&values));
        return Ok(Code::Done);
    }
    if locks.is_empty() {
        context.screen.result("No locks or reservations held.\n");
        return Ok(Code::Done);
    }
    let locker = context.locker(state);
    let lines = locks.iter().map(|lock| line(lock, locker.standing(lock)));
    context.screen.result(&lines.collect::<String>());
    Ok(Code::Done)
}

fn line(lock: &Lock, standing: Standing) -> String {
    let standing = match standing {
        Standing::Live => "",
        Standing::Stale => " [stale]",
        Standing::ClockAhead => " [clock ahead]",
    };
    let Lock {
        addr,
        holder,
        since,
        ..
    } = lock;
    let (who, command) = (holder.who(), &holder.command);
    match (lock.kind, lock.expires) {
        (LockKind::Reservation, Some(expires)) => {
            format!("{addr} reserved by {who} until {expires}: {command}{standing}\n")
        }
        _ => {
            let (pid, host) = (holder.pid, holder.host.name());
            format!(
                "{addr} locked by {who} (pid {pid} on {host}) since {since}: {command}{standing}\n"
            )
        }
    }
}

/// Releases one lock, or every stale one.
pub(super) fn unlock(
    context: &Context,
    text: Option<&str>,
    stale: bool,
    force: bool,
) -> Result<Code, Failure> {
    let objects = Context::objects(context.remembered()?.settings());
    let outside = context.outside();
    let there = context.wait(State::open_read(objects.clone()))?;
    if there.meta().is_none() {
        return Err(Failure::new("there is no state, so nothing is locked"));
    }
    let state = context.wait(State::open_write(objects, outside.as_ref()))?;
    let locker = context.locker(state);
    let released = match text {
        Some(text) if !stale => vec![one(context, &locker, &address(text)?, force)?],
        _ => context.wait(locker.unlock_stale())?,
    };
    if released.is_empty() {
        context
            .screen
            .result("No stale locks or expired reservations.\n");
        return Ok(Code::Done);
    }
    record(context, &locker, &released)?;
    let lines = released
        .iter()
        .map(|lock| format!("Released {}", line(lock, Standing::Live)));
    context.screen.result(&lines.collect::<String>());
    Ok(Code::Done)
}

fn one(
    context: &Context,
    locker: &Locker,
    address: &Address,
    force: bool,
) -> Result<Lock, Failure> {
    match context.wait(locker.unlock(address, force))? {
        Unlocked::Released(lock) => Ok(*lock),
        Unlocked::Free => Err(Failure::new(format!("{address} is not locked"))),
        Unlocked::Live(lock) => Err(Failure {
            code: Code::Locked,
            ..Failure::new(format!(
                "{}; that command still runs: stop it, or release its lock with -force",
                lock.refusal()
            ))
        }),
    }
}

fn record(context: &Context, locker: &Locker, released: &[Lock]) -> Result<(), Failure> {
    let outside = context.outside();
    let id = TransactionId::make(outside.as_ref());
    let now = outside.now();
    let mut edit = Transaction::new(id, TransactionKind::Edit, locker.holder().clone(), now);
    edit.changes = released
        .iter()
        .map(|lock| Touched::new(lock.addr.clone(), Action::Unlock, 0, 0))
        .collect();
    let summary = match released.len() {
        1 => "1 lock released".to_owned(),
        n => format!("{n} locks released"),
    };
    edit.finish(Status::Applied, summary, now);
    context.wait(locker.state().log(&edit))
}
