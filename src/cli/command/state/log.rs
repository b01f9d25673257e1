//! `pravo state log`: the transactions, newest first.

use crate::context::Context;
use crate::exit::{Code, Failure};
use pravo_state::{Status, Touched, Transaction, json};

/// Runs the command.
pub(super) fn run(
    context: &Context,
    address: Option<&str>,
    limit: Option<usize>,
) -> Result<Code, Failure> {
    let state = context.read_state()?;
    let all = context.wait(state.transactions(if address.is_some() {
        usize::MAX
    } else {
        limit.unwrap_or(usize::MAX)
    }))?;
    let touches = |transaction: &&Transaction| {
        address.is_none_or(|text| transaction.changes.iter().any(|c| c.addr.as_str() == text))
    };
    let chosen: Vec<&Transaction> = all
        .iter()
        .filter(touches)
        .take(limit.unwrap_or(usize::MAX))
        .collect();
    if context.global.json {
        let values: Result<Vec<serde_json::Value>, _> = chosen
            .iter()
            .map(|t| serde_json::from_str(&t.to_text()))
            .collect();
        let values = values.map_err(|error| format!("a transaction: {error}"))?;
        context.screen.result(&json::pretty(&values));
        return Ok(Code::Done);
    }
    let locks = context.wait(state.locks())?;
    let locker = context.locker(state);
    let mut out = String::new();
    for transaction in chosen {
        let interrupted = locker.is_interrupted(transaction, &locks);
        push(&mut out, transaction, interrupted);
    }
    context.screen.result(&out);
    Ok(Code::Done)
}

fn push(out: &mut String, transaction: &Transaction, interrupted: bool) {
    let holder = &transaction.holder;
    let status = match transaction.status {
        Status::Running if interrupted => "interrupted",
        status => status.as_str(),
    };
    let actor = holder
        .actor
        .as_ref()
        .map_or_else(String::new, |actor| format!(" as {actor}"));
    out.push_str(&format!(
        "{}  {}  {}  {status}  {}@{}{actor}  {}\n",
        transaction.started,
        transaction.id,
        transaction.kind.as_str(),
        holder.user,
        holder.host.name(),
        holder.command
    ));
    if !transaction.summary.is_empty() {
        out.push_str(&format!("  {}\n", transaction.summary));
    }
    if let Some(reason) = &holder.reason {
        out.push_str(&format!("  reason: {reason}\n"));
    }
    for line in transaction.error.iter().flat_map(|error| error.lines()) {
        out.push_str(&format!("  error: {line}\n"));
    }
    for touched in &transaction.changes {
        out.push_str(&format!("  {}\n", change(touched)));
    }
    out.push('\n');
}

fn change(touched: &Touched) -> String {
    let Touched {
        addr,
        action,
        before_revision,
        after_revision,
        unknown,
    } = touched;
    let revisions = match (before_revision, after_revision) {
        (0, 0) => String::new(),
        (before, after) => format!(" r{before} -> r{after}"),
    };
    let unknown = if *unknown { " (result not known)" } else { "" };
    format!("{action} {addr}{revisions}{unknown}")
}
