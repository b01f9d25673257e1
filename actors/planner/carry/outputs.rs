//! What an apply does to the published outputs.

use super::Carry;
use crate::evaluator::EvaluateOutputs;
use crate::planner::gather::recorded_outputs;
use crate::run::RunError;
use pravo_plan::OutputValue;
use pravo_plan::outputs::output_changes;
use pravo_state::{Address, Output, OutputChanges, Outputs, json};
use std::collections::{BTreeMap, HashSet};

impl Carry<'_> {
    /// Records the outputs that changed. One whose inputs are not all applied keeps its value.
    pub(super) async fn outputs(&self) -> Result<Outputs, RunError> {
        let recorded = self.world.state.outputs().await?;
        let before = recorded_outputs(recorded.as_ref())?;
        let held = self.held();
        let changes = if self.plan.is_destroy() {
            let all_gone = self.unfinished().is_empty();
            let removed = before
                .keys()
                .filter(|name| all_gone || self.reads_destroyed(name))
                .cloned()
                .collect();
            OutputChanges {
                removed,
                ..OutputChanges::default()
            }
        } else {
            let mut wanted = self.wanted(&before, &held).await?;
            wanted.retain(|name, _| !held.contains(name));
            let mut before = before;
            before.retain(|name, _| !held.contains(name));
            merged(&before, &wanted)?
        };
        Ok(self.world.state.merge_outputs(&changes).await?)
    }

    /// The outputs that read something this apply did not finish.
    fn held(&self) -> HashSet<String> {
        let unfinished = self.unfinished();
        let estate = &self.world.estate;
        let places = unfinished
            .iter()
            .filter_map(|address| estate.place(address));
        let reached = estate.graph.reachable(places);
        let is_open = |address: &Address| estate.place(address).is_some_and(|place| reached[place]);
        let outputs = estate.outputs.iter();
        let held = outputs.filter(|output| output.dependencies.iter().any(is_open));
        held.map(|output| output.address.to_string()).collect()
    }

    /// Whether an output reads something that this destroy took.
    fn reads_destroyed(&self, name: &str) -> bool {
        let mut outputs = self.world.estate.outputs.iter();
        let Some(output) = outputs.find(|output| output.address.as_str() == name) else {
            return false;
        };
        output
            .dependencies
            .iter()
            .any(|a| self.reports.get(a).is_some_and(|r| r.destroyed))
    }

    async fn wanted(
        &self,
        before: &BTreeMap<String, OutputValue>,
        held: &HashSet<String>,
    ) -> Result<BTreeMap<String, OutputValue>, RunError> {
        let asked = self
            .world
            .evaluator
            .send(EvaluateOutputs(before.clone()))
            .await;
        let values = asked.map_err(|_| RunError::failed("the evaluator ended"))?;
        let mut wanted = BTreeMap::new();
        for (name, value) in values {
            match value {
                Ok(value) if value.value.is_wholly_known() => {
                    wanted.insert(name, value);
                }
                _ if held.contains(&name) => {}
                Ok(_) => {
                    // Not known although all it reads is applied: it keeps what it had.
                    if let Some(old) = before.get(&name) {
                        wanted.insert(name, old.clone());
                    }
                }
                Err(errors) => return Err(errors.into()),
            }
        }
        Ok(wanted)
    }
}

fn merged(
    before: &BTreeMap<String, OutputValue>,
    wanted: &BTreeMap<String, OutputValue>,
) -> Result<OutputChanges, RunError> {
    let mut changes = OutputChanges::default();
    for name in output_changes(before, wanted).into_keys() {
        let Some(value) = wanted.get(&name) else {
            changes.removed.push(name);
            continue;
        };
        let broken = |problem: String| RunError::failed(format!("the output {name}: {problem}"));
        let plain = json::to_plain(&value.value).map_err(|e| broken(e.to_string()))?;
        let output = Output::new(plain, value.sensitive).map_err(broken)?;
        changes.set.insert(name, output);
    }
    Ok(changes)
}
