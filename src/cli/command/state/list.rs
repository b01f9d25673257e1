//! `pravo state list`: the addresses of the records.

use crate::context::Context;
use crate::exit::{Code, Failure};
use pravo_state::{Record, json};

/// Which records are listed.
pub(super) struct Filter {
    /// Only addresses that start with this.
    pub(super) prefix: Option<String>,
    /// Only this type.
    pub(super) kind: Option<String>,
    /// Only this mode.
    pub(super) mode: Option<String>,
}

impl Filter {
    fn takes(&self, record: &Record) -> bool {
        self.prefix
            .as_ref()
            .is_none_or(|prefix| record.addr.as_str().starts_with(prefix.as_str()))
            && self.kind.as_ref().is_none_or(|kind| record.kind == *kind)
            && self
                .mode
                .as_ref()
                .is_none_or(|mode| record.mode.as_str() == mode)
    }
}

/// Runs the command.
pub(super) fn run(context: &Context, filter: &Filter) -> Result<Code, Failure> {
    let state = context.read_state()?;
    let records = context.wait(state.records())?;
    let addresses: Vec<&str> = records
        .values()
        .filter(|r| filter.takes(r))
        .map(|r| r.addr.as_str())
        .collect();
    let shown = if context.global.json {
        json::pretty(&serde_json::json!(addresses))
    } else {
        addresses
            .iter()
            .map(|address| format!("{address}\n"))
            .collect()
    };
    context.screen.result(&shown);
    Ok(Code::Done)
}
