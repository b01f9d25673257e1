//! Puts together what a plan wave found.

mod summary;

use super::HeaderInput;
use super::findings::Findings;
use crate::estate::Estate;
use crate::evaluator::EvaluateOutputs;
use crate::lock::{refused, was_creating};
use crate::node::plan::{Aim, Entry};
use crate::run::RunError;
use crate::transaction::{ClearLock, Transaction};
use crate::world::World;
use actix::Addr;
use pravo_plan::order::Graph;
use pravo_plan::outputs::output_changes;
use pravo_plan::reach::ReadCause;
use pravo_plan::{
    Change, Frozen, Header, LeftAlone, Order, OutputValue, Plan, PlanMode, PlanProvider, Reason,
    reach,
};
use pravo_state::{Address, Outputs, Revision, Standing, json};
use pravo_store::Refusal;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a node of that aim is read.
pub(super) fn read_cause_of(aim: &Aim) -> Option<&ReadCause> {
    match aim {
        Aim::Declared(task) => task.read.as_ref(),
        Aim::Delete { read, .. } => read.as_ref(),
        Aim::Read(_) => None,
    }
}

pub(super) async fn gather(
    world: &World,
    findings: &mut Findings,
    input: &HeaderInput,
    transaction: &Addr<Transaction>,
) -> Result<Plan, RunError> {
    let estate = Arc::clone(&world.estate);
    for address in warn_of_creates(world, findings) {
        if transaction.send(ClearLock(address)).await.is_err() {
            return Err(RunError::failed("the transaction ended"));
        }
    }
    let (outputs, all_outputs) = outputs(world, findings, input.destroy).await?;
    let mut frozen = BTreeMap::new();
    let mut changes = Vec::new();
    for place in 0..estate.nodes.len() {
        if let Some(entry) = findings.entries.remove(&place) {
            let change = declared_change(&estate, findings, place, entry, &mut frozen);
            changes.push(change);
        }
    }
    let graph = match changes.is_empty() && findings.gone.is_empty() {
        true => Graph::default(),
        false => recorded_graph(findings),
    };
    for (address, entry) in std::mem::take(&mut findings.gone) {
        changes.push(gone_change(
            &estate,
            (findings, &graph),
            address,
            entry,
            &mut frozen,
        ));
    }
    refuse_reserved(world, findings, &changes)?;
    let changed: BTreeSet<&Address> = changes.iter().map(|c| &c.address).collect();
    let left_alone = match input.destroy {
        true => Vec::new(),
        false => left_alone(&estate, findings, &changed),
    };
    let order = match input.destroy {
        true => Vec::new(),
        false => estate
            .nodes
            .iter()
            .map(|n| n.decl.address.clone())
            .collect(),
    };
    let summary = summary::count(&estate, (findings, &graph), &changes, input.destroy);
    let (expects, reads) = expectations(&estate, findings, &changes);
    Ok(Plan {
        header: header(world, findings, input),
        providers: providers(world, &changes),
        left_alone,
        order,
        outputs,
        all_outputs,
        summary,
        warnings: findings.warnings.values().flatten().cloned().collect(),
        expects,
        reads,
        frozen,
        changes,
    })
}

fn header(world: &World, findings: &Findings, input: &HeaderInput) -> Header {
    let holder = world.locker.holder();
    Header {
        created: findings.now.to_string(),
        command: holder.command.clone(),
        actor: holder.actor.clone(),
        reason: holder.reason.clone(),
        lineage: world.state.lineage().unwrap_or_default().to_owned(),
        tags: input.tags.clone(),
        inject_vars: input.inject_vars,
        fingerprint: world.estate.fingerprint.clone(),
        mode: if input.destroy {
            PlanMode::Destroy
        } else {
            PlanMode::Apply
        },
        refresh: "age".to_owned(),
    }
}

fn providers(world: &World, changes: &[Change]) -> Vec<PlanProvider> {
    let used: BTreeSet<String> = changes
        .iter()
        .map(|change| change.provider.clone())
        .chain(world.providers.borrow().keys().cloned())
        .collect();
    let estate = &world.estate;
    used.into_iter()
        .filter_map(|key| {
            let instance = estate.instances.get(&key)?;
            Some(PlanProvider {
                source: instance.decl.source.clone(),
                version: instance.version.to_string(),
                key,
            })
        })
        .collect()
}

/// Warns of creates that stopped halfway: of them the lock is the only trace. Answers the nodes of
/// other locks that stopped applies left and that no record needs.
fn warn_of_creates(world: &World, findings: &mut Findings) -> Vec<Address> {
    let mut settled = Vec::new();
    for lock in &findings.locks {
        let stale = world.locker.standing(lock) == Standing::Stale;
        let Some(txn) = lock.txn.as_ref().filter(|_| stale) else {
            continue;
        };
        if findings.records.get(&lock.addr).is_some() {
            continue;
        }
        if !was_creating(lock) {
            // Nothing was begun there, or its object is gone and so is its record.
            settled.push(lock.addr.clone());
            continue;
        }
        let text = format!(
            "{}: an apply (txn {txn}, {} on host {}) stopped while it was being created; look for \
             an object nobody manages",
            lock.addr,
            lock.holder.who(),
            lock.holder.host.name()
        );
        findings
            .warnings
            .entry(lock.addr.clone())
            .or_default()
            .push(text);
    }
    settled
}

type OutputsNow = (
    BTreeMap<String, pravo_plan::OutputChange>,
    BTreeMap<String, OutputValue>,
);

async fn outputs(
    world: &World,
    findings: &Findings,
    destroy: bool,
) -> Result<OutputsNow, RunError> {
    let recorded = recorded_outputs(findings.outputs.as_ref())?;
    let mut wanted = BTreeMap::new();
    if !destroy {
        let asked = world
            .evaluator
            .send(EvaluateOutputs(recorded.clone()))
            .await;
        for (name, value) in asked.map_err(|_| RunError::failed("the evaluator ended"))? {
            wanted.insert(name, value?);
        }
    }
    Ok((output_changes(&recorded, &wanted), wanted))
}

/// The recorded outputs as plain data.
pub(super) fn recorded_outputs(
    outputs: Option<&Outputs>,
) -> Result<BTreeMap<String, OutputValue>, RunError> {
    let mut recorded = BTreeMap::new();
    for (name, output) in outputs.map(|o| &o.0).into_iter().flatten() {
        let value = json::from_plain(&output.value).map_err(|problem| {
            RunError::failed(format!("the recorded output {name}: {problem}"))
        })?;
        recorded.insert(
            name.clone(),
            OutputValue {
                value,
                sensitive: output.sensitive,
            },
        );
    }
    Ok(recorded)
}

fn declared_change(
    estate: &Estate,
    findings: &Findings,
    place: usize,
    entry: Entry,
    frozen: &mut BTreeMap<Address, Frozen>,
) -> Change {
    let node = &estate.nodes[place];
    let address = node.decl.address.clone();
    let mut dependents: Vec<Address> = estate
        .graph
        .downstream(place)
        .iter()
        .map(|down| estate.nodes[*down].decl.address.clone())
        .collect();
    dependents.sort();
    frozen.insert(address.clone(), entry.frozen);
    Change {
        mode: node.decl.mode,
        type_name: node.decl.kind.clone(),
        action: entry.action,
        provider: node.decl.provider_key.clone(),
        reasons: entry.reasons,
        requires_replace: entry.requires_replace,
        before: entry.before,
        after: entry.after,
        write_only_set: entry.write_only_set,
        schema: Arc::clone(&node.typed.block),
        read: entry.read,
        refreshed: findings.is_read(&address),
        drifted: entry.drifted,
        gone: entry.gone,
        removed: false,
        dependencies: node.dependencies.clone(),
        dependents,
        order: Order::DeleteFirst,
        warnings: findings.warnings.get(&address).cloned().unwrap_or_default(),
        address,
    }
}

fn gone_change(
    estate: &Estate,
    (findings, graph): (&Findings, &Graph),
    address: Address,
    entry: Entry,
    frozen: &mut BTreeMap<Address, Frozen>,
) -> Change {
    let record = findings.records.get(&address).map(|kept| &kept.value);
    let typed = record.and_then(|record| estate.type_of(record));
    let downstream = graph
        .place(&address)
        .map_or(&[][..], |place| graph.downstream(place));
    let mut dependents: Vec<Address> = downstream
        .iter()
        .map(|down| graph.address(*down).clone())
        .collect();
    dependents.sort();
    frozen.insert(address.clone(), entry.frozen);
    Change {
        mode: record.map_or(pravo_state::Mode::Managed, |record| record.mode),
        type_name: record.map(|record| record.kind.clone()).unwrap_or_default(),
        action: entry.action,
        provider: record
            .map(|record| record.provider_key.clone())
            .unwrap_or_default(),
        reasons: entry.reasons,
        requires_replace: Vec::new(),
        before: entry.before,
        after: None,
        write_only_set: Vec::new(),
        schema: typed.map(|t| Arc::clone(&t.block)).unwrap_or_default(),
        read: None,
        refreshed: findings.is_read(&address),
        drifted: entry.drifted,
        gone: entry.gone,
        removed: true,
        dependencies: record
            .map(|record| record.dependencies.clone())
            .unwrap_or_default(),
        dependents,
        order: Order::DeleteFirst,
        warnings: findings.warnings.get(&address).cloned().unwrap_or_default(),
        address,
    }
}

/// Another actor's reservation stands against a plan that changes its node.
fn refuse_reserved(world: &World, findings: &Findings, changes: &[Change]) -> Result<(), RunError> {
    let changed: BTreeSet<&Address> = changes
        .iter()
        .filter(|c| c.is_change() || c.deferred())
        .map(|c| &c.address)
        .collect();
    let mut held = findings
        .locks
        .iter()
        .filter(|lock| changed.contains(&lock.addr) && world.locker.is_reserved_by_other(lock));
    match held.next() {
        None => Ok(()),
        Some(first) => {
            let lock = Box::new(first.value.clone());
            let refusal = Refusal::Held {
                lock,
                others: held.count(),
            };
            Err(refused("plan", &refusal))
        }
    }
}

fn left_alone(
    estate: &Estate,
    findings: &Findings,
    changed: &BTreeSet<&Address>,
) -> Vec<LeftAlone> {
    let mut left = Vec::new();
    for (place, node) in estate.nodes.iter().enumerate() {
        let address = &node.decl.address;
        if changed.contains(address) {
            continue;
        }
        let reasons = match findings.same.get(&place) {
            Some(reasons) if !reasons.is_empty() => reasons.clone(),
            _ => skipped_reasons(findings, address, &node.age),
        };
        left.push(LeftAlone {
            address: address.clone(),
            mode: node.decl.mode,
            type_name: node.decl.kind.clone(),
            skipped: true,
            reasons,
        });
    }
    left
}

fn skipped_reasons(findings: &Findings, address: &Address, age: &pravo_plan::Age) -> Vec<Reason> {
    match (findings.reads.get(address), findings.records.get(address)) {
        (Some((ReadCause::Older, found)), _) => {
            vec![Reason::Refreshed(found.is_drift()), Reason::Skipped]
        }
        (Some((ReadCause::Forced(reason), _)), _) => vec![reason.clone(), Reason::Skipped],
        (None, Some(record)) => {
            vec![Reason::Skipped, reach::not_read(record, age, findings.now)]
        }
        (None, None) => vec![Reason::Skipped],
    }
}

type Expectations = (BTreeMap<Address, Revision>, BTreeMap<Address, Revision>);

/// The records that the plan changes, and those that the changes read, directly or not.
fn expectations(estate: &Estate, findings: &Findings, changes: &[Change]) -> Expectations {
    let revision = |address: &Address| {
        findings
            .records
            .get(address)
            .map_or_else(Revision::none, |kept| kept.at())
    };
    let expects: BTreeMap<Address, Revision> = changes
        .iter()
        .map(|c| (c.address.clone(), revision(&c.address)))
        .collect();
    let places = changes
        .iter()
        .filter(|c| !c.removed)
        .filter_map(|c| estate.place(&c.address));
    let needed = estate.graph.needed(places);
    let reads = needed
        .iter()
        .enumerate()
        .filter(|(_, needed)| **needed)
        .map(|(place, _)| &estate.nodes[place].decl.address)
        .filter(|address| !expects.contains_key(*address))
        .map(|address| (address.clone(), revision(address)))
        .collect();
    (expects, reads)
}

/// The edges that the state records.
fn recorded_graph(findings: &Findings) -> Graph {
    Graph::new(
        findings
            .records
            .iter()
            .map(|r| (r.addr.clone(), r.dependencies.iter())),
    )
}
