//! The counts of a plan.

use crate::estate::Estate;
use crate::planner::findings::Findings;
use pravo_plan::drift::Found;
use pravo_plan::order::Graph;
use pravo_plan::{Change, Summary};
use pravo_state::{Address, Mode};
use std::collections::BTreeSet;

pub(super) fn count(
    estate: &Estate,
    (findings, graph): (&Findings, &Graph),
    changes: &[Change],
    destroy: bool,
) -> Summary {
    let mut summary = Summary::default();
    for change in changes {
        summary.count(change);
    }
    let undeclared = findings
        .records
        .iter()
        .filter(|r| estate.place(&r.addr).is_none())
        .count();
    summary.total = match destroy {
        true => findings.records.len(),
        false => estate.nodes.len() + undeclared,
    };
    summary.planned = changes.len();
    summary.skipped = summary.total.saturating_sub(summary.planned);
    for record in findings.records.iter() {
        if let Some((_, found)) = findings.reads.get(&record.addr) {
            summary.refreshed += 1;
            let marked = record.mode == Mode::Managed
                && (record.is_marked() || matches!(found, Found::Differs | Found::Gone));
            summary.drifted += usize::from(marked);
            continue;
        }
        let place = estate.place(&record.addr);
        let age = place.map_or(&estate.default_age, |place| &estate.nodes[place].age);
        if age.is_older(record.refreshed_at, findings.now) {
            summary.not_read += 1;
        } else {
            summary.within_refresh_age += 1;
        }
    }
    summary.blast_radius = blast_radius(graph, changes);
    summary
}

/// The changed nodes and every node that depends on them by the recorded edges.
fn blast_radius(graph: &Graph, changes: &[Change]) -> usize {
    let changed: BTreeSet<&Address> = changes
        .iter()
        .filter(|c| c.is_change())
        .map(|c| &c.address)
        .collect();
    if changed.is_empty() {
        return 0;
    }
    let reached = graph.reachable(changed.iter().filter_map(|address| graph.place(address)));
    let recorded = reached.iter().filter(|reached| **reached).count();
    let new = changed
        .iter()
        .filter(|address| graph.place(address).is_none())
        .count();
    recorded + new
}
