//! What is to be recorded after a change, whatever the plugin answered.

use super::values::{check_result, clear_write_only, report_write_only, unknowns};
use super::{Report, Violation};
use crate::Applied;
use pravo_state::{AttributePath, Block, Data, Severity};

/// An answer to a change, made fit to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The object, without unknown and write-only values; null when there is none.
    pub state: Data,
    /// Rules that the answer breaks: errors, as the plugin's own are.
    pub errors: Vec<Violation>,
    /// Rules that the answer breaks, of a plugin that may break them: to be logged.
    pub tolerated: Vec<Violation>,
}

/// Judges the answer to a change by its plan. The caller then records, by whether there were
/// errors of the plugin or of this, the object, the prior one, or nothing.
pub fn settle(block: &Block, planned: &Data, answer: &Applied) -> Settled {
    let mut errors = Report::default();
    let of = block.implied_type();
    for path in unknowns(&answer.state, &of) {
        errors.add(&path, "is still unknown after the change");
    }
    let mut state = without_unknowns(answer.state.clone());
    report_write_only(&mut errors, block, &state);
    clear_write_only(block, &mut state);
    let failed = |errors: &Report| {
        !errors.0.is_empty()
            || answer
                .diagnostics
                .iter()
                .any(|d| d.severity == Severity::Error)
    };
    let mut tolerated = Vec::new();
    if !failed(&errors) && !planned.is_null() && !state.is_null() {
        let broken = check_result(block, planned, &state);
        match answer.legacy {
            true => tolerated = broken,
            false => errors.0.extend(broken),
        }
    }
    if !failed(&errors) && planned.is_null() != state.is_null() {
        let problem = match planned.is_null() {
            true => "the object was to be deleted, but still exists",
            false => "the object was to exist, but does not",
        };
        errors.add(&AttributePath::default(), problem);
    }
    Settled {
        state,
        errors: errors.0,
        tolerated,
    }
}

fn without_unknowns(value: Data) -> Data {
    match value {
        Data::Unknown => Data::Null,
        Data::List(items) => Data::List(items.into_iter().map(without_unknowns).collect()),
        Data::Map(entries) => {
            let entries = entries.into_iter();
            Data::Map(entries.map(|(k, v)| (k, without_unknowns(v))).collect())
        }
        Data::Dynamic(own, inner) => Data::Dynamic(own, Box::new(without_unknowns(*inner))),
        known => known,
    }
}
