//! `pravo state`: looks at records, edges, transactions and locks.

mod graph;
mod list;
mod lock;
mod log;
mod query;
mod show;

use crate::args::State;
use crate::context::Context;
use crate::exit::{Code, Failure};
use pravo_state::Address;

/// Runs one of the commands.
pub(super) fn run(context: &Context, command: State) -> Result<Code, Failure> {
    match command {
        State::List { prefix, kind, mode } => {
            list::run(context, &list::Filter { prefix, kind, mode })
        }
        State::Show { address } => show::run(context, &address),
        State::Graph { dot } => graph::graph(context, dot),
        State::Dependents { address } => graph::dependents(context, &address),
        State::Query { expression } => query::run(context, &expression),
        State::Log { address, limit } => log::run(context, address.as_deref(), limit),
        State::Locks => lock::list(context),
        State::Unlock {
            address,
            stale,
            force,
        } => lock::unlock(context, address.as_deref(), stale, force),
    }
}

/// An address of the command line.
fn address(text: &str) -> Result<Address, Failure> {
    Ok(Address::parse(text)?)
}

/// The failure of an address without a record.
fn no_record(address: &Address) -> Failure {
    Failure::new(format!(
        "the state has no record of {address}; run \"pravo state list\""
    ))
}
