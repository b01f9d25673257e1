//! Runs the scenarios of one plugin as a host does: propose, plan, replace, apply, read.

use crate::expect::{matches, value};
use pravo_state::{Data, ProviderSchema, Severity, Type};
use serde_json::{Map, Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// One error or warning: its attribute and how grave it is.
pub(crate) type Complaint = (Option<String>, Severity);

/// A plan: the planned state, the attributes that ask for a replacement, complaints.
pub(crate) type PlanAnswer = (Data, Vec<String>, Vec<Complaint>);

/// A state with the private data that belongs to it, and complaints.
pub(crate) type StateAnswer = (Data, Vec<u8>, Vec<Complaint>);

/// The calls of a plugin, however it is reached.
pub(crate) trait Host {
    fn schema(&self) -> ProviderSchema;
    fn validate(&self, kind: &str, name: &str, config: &Data) -> Vec<Complaint>;
    fn plan(&self, name: &str, prior: &Data, config: &Data, proposed: &Data) -> PlanAnswer;
    fn apply(&self, name: &str, prior: &Data, planned: &Data, config: &Data) -> StateAnswer;
    fn read(&self, name: &str, state: &Data, private: &[u8]) -> StateAnswer;
    fn import(&self, name: &str, id: &str) -> StateAnswer;
    fn upgrade(&self, name: &str, version: i64, raw: &Value) -> StateAnswer;
    fn read_data(&self, name: &str, config: &Data) -> StateAnswer;
    fn open(&self, name: &str, config: &Data) -> StateAnswer;
    /// The answer, or the argument that an error is about.
    fn call(&self, name: &str, arguments: &[Data]) -> Result<Data, Option<i64>>;
}

/// Runs every scenario of a plugin; file scenarios run in the directory. Returns how many steps
/// there were; panics with all differences.
pub(crate) fn run(plugin: &str, host: &dyn Host, directory: &Path) -> usize {
    let scenarios = crate::data("vectors", plugin);
    let schema = host.schema();
    let mut run = Run {
        host,
        schema,
        directory,
        differences: Vec::new(),
        steps: 0,
    };
    for scenario in scenarios.as_array().expect("a list") {
        run.scenario(scenario);
    }
    assert!(run.differences.is_empty(), "{}", run.differences.join("\n"));
    run.steps
}

struct Run<'a> {
    host: &'a dyn Host,
    schema: ProviderSchema,
    directory: &'a Path,
    differences: Vec<String>,
    steps: usize,
}

/// What is known of the resource of a scenario.
struct Resource<'a> {
    name: &'a str,
    kind: Type,
    state: Data,
    private: Vec<u8>,
}

impl Run<'_> {
    fn scenario(&mut self, scenario: &Value) {
        let title = scenario["name"].as_str().expect("a name");
        if let Some(name) = scenario["resource"].as_str() {
            self.resource(title, name, scenario);
            return;
        }
        self.steps += 1;
        if let Some(name) = scenario["function"].as_str() {
            self.function(title, name, scenario);
        } else if let Some(name) = scenario["data"].as_str() {
            let kind = self.schema.data_sources[name].block.implied_type();
            let config = value(&scenario["config"], &kind);
            let found = self.host.validate("data", name, &config);
            self.complaints(title, scenario, "validate_diagnostics", found);
            let (state, _, found) = self.host.read_data(name, &config);
            self.complaints(title, scenario, "read_diagnostics", found);
            self.state(title, scenario, "state", &state);
        } else if let Some(name) = scenario["ephemeral"].as_str() {
            let kind = self.schema.ephemerals[name].block.implied_type();
            let config = value(&scenario["config"], &kind);
            let found = self.host.validate("ephemeral", name, &config);
            self.complaints(title, scenario, "validate_diagnostics", found);
            if scenario.get("open_diagnostics").is_some() {
                let (result, _, found) = self.host.open(name, &config);
                self.complaints(title, scenario, "open_diagnostics", found);
                self.state(title, scenario, "result", &result);
            }
        } else {
            panic!("{title}: a scenario of no known kind");
        }
    }

    fn function(&mut self, title: &str, name: &str, scenario: &Value) {
        let parameters = &self.schema.functions[name].parameters;
        let written = scenario["args"].as_array().expect("arguments");
        let arguments: Vec<Data> = written
            .iter()
            .zip(parameters)
            .map(|(argument, parameter)| value(argument, &parameter.kind))
            .collect();
        let answer = self.host.call(name, &arguments);
        let right = match (&answer, scenario.get("error")) {
            (Ok(result), None) => matches(&scenario["result"], result),
            (Err(argument), Some(error)) => error["argument"].as_i64() == *argument,
            _ => false,
        };
        self.check(title, right, || format!("{answer:?}"));
    }

    fn resource(&mut self, title: &str, name: &str, scenario: &Value) {
        let kind = self.schema.resources[name].block.implied_type();
        let prior = scenario.get("prior").unwrap_or(&Value::Null);
        let mut resource = Resource {
            name,
            state: value(prior, &kind),
            kind,
            private: Vec::new(),
        };
        for (position, step) in scenario["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .enumerate()
        {
            self.steps += 1;
            let place = format!("{title}, step {position} ({})", step["op"]);
            match step["op"].as_str().expect("an operation") {
                "validate" => self.validate(&place, &resource, step),
                "plan" => drop(self.plan(&place, &resource, step)),
                "apply" => self.apply(&place, &mut resource, step),
                "read" => self.read(&place, &mut resource, step),
                "import" => {
                    let id = step["id"].as_str().expect("an identifier");
                    let answer = self.host.import(name, id);
                    self.take(&place, &mut resource, step, answer);
                }
                "upgrade" => {
                    let version = step["version"].as_i64().expect("a version");
                    let answer = self.host.upgrade(name, version, &step["raw"]);
                    self.take(&place, &mut resource, step, answer);
                }
                _ => self.file(&place, step),
            }
        }
    }

    fn take(&mut self, place: &str, resource: &mut Resource<'_>, step: &Value, got: StateAnswer) {
        let (state, private, found) = got;
        self.complaints(place, step, "diagnostics", found);
        self.state(place, step, "state", &state);
        resource.state = state;
        resource.private = private;
    }

    fn validate(&mut self, place: &str, resource: &Resource<'_>, step: &Value) {
        let config = value(&step["config"], &resource.kind);
        let found = self.host.validate("resource", resource.name, &config);
        self.complaints(place, step, "validate_diagnostics", found);
    }

    fn read(&mut self, place: &str, resource: &mut Resource<'_>, step: &Value) {
        let (state, private, found) =
            self.host
                .read(resource.name, &resource.state, &resource.private);
        self.complaints(place, step, "diagnostics", found);
        let (changed, gone) = (state != resource.state, state.is_null());
        let got = json!({"changed": changed, "gone": gone});
        let told = |name: &str| step.get(name).is_none_or(|told| *told == got[name]);
        let right = told("gone") && told("changed");
        self.check(place, right, || got.to_string());
        self.state(place, step, "state", &state);
        self.check(place, private.is_empty(), || "private data is kept".into());
        resource.state = state;
        resource.private = private;
    }

    /// Plans a step and compares; returns the plan to apply and whether it replaces, unless
    /// there was an error.
    fn plan(&mut self, place: &str, on: &Resource<'_>, step: &Value) -> Option<(Data, bool)> {
        let config = value(&step["config"], &on.kind);
        if !config.is_null() {
            self.validate(place, on, step);
        }
        let plan = self.planned(place, on, &on.state, &config, &step["plan"])?;
        let (planned, replaces) = plan;
        let action = match (on.state.is_null(), config.is_null()) {
            (true, _) => "create",
            (_, true) => "delete",
            _ if planned == on.state => "no-op",
            _ if replaces => "replace",
            _ => "update",
        };
        self.check(place, step["action"] == action, || {
            format!("action {action}")
        });
        if action != "replace" {
            return Some((planned, false));
        }
        let again = &step["replan_as_create"];
        let (planned, _) = self.planned(place, on, &Data::Null, &config, again)?;
        Some((planned, true))
    }

    fn planned(
        &mut self,
        place: &str,
        on: &Resource<'_>,
        prior: &Data,
        config: &Data,
        expected: &Value,
    ) -> Option<(Data, bool)> {
        let proposed = self.proposed(on.name, prior, config);
        let (planned, replace, found) = self.host.plan(on.name, prior, config, &proposed);
        let failed = found
            .iter()
            .any(|(_, severity)| *severity == Severity::Error);
        self.complaints(place, expected, "diagnostics", found);
        if failed {
            return None;
        }
        self.check(place, matches(&expected["planned"], &planned), || {
            format!("planned {planned:?}")
        });
        let right = expected["requires_replace"] == json!(replace);
        self.check(place, right, || format!("replaces for {replace:?}"));
        Some((planned, !replace.is_empty()))
    }

    fn proposed(&self, name: &str, prior: &Data, config: &Data) -> Data {
        let Data::Map(entries) = config else {
            return Data::Null;
        };
        let block = &self.schema.resources[name].block;
        let computed = |name: &str| block.attribute(name).is_some_and(|a| a.computed);
        let propose = |(name, value): (&String, &Data)| {
            let kept = prior
                .get(name)
                .filter(|_| value.is_null() && computed(name));
            (name.clone(), kept.unwrap_or(value).clone())
        };
        Data::Map(entries.iter().map(propose).collect())
    }

    fn apply(&mut self, place: &str, resource: &mut Resource<'_>, step: &Value) {
        let Some((planned, replaces)) = self.plan(place, resource, step) else {
            return;
        };
        if step["action"] == "no-op" {
            return;
        }
        let (name, config) = (resource.name, value(&step["config"], &resource.kind));
        if replaces {
            let gone = self
                .host
                .apply(name, &resource.state, &Data::Null, &Data::Null);
            self.check(place, gone.0.is_null(), || format!("deleted {gone:?}"));
            resource.state = Data::Null;
        }
        let (state, private, found) = self.host.apply(name, &resource.state, &planned, &config);
        if step.get("panic").is_some() {
            let failed = found
                .iter()
                .any(|(_, severity)| *severity == Severity::Error);
            self.check(place, failed, || {
                "no error where the released one panics".into()
            });
            return;
        }
        self.complaints(place, step, "apply_diagnostics", found);
        self.state(place, step, "state", &state);
        resource.state = state;
        resource.private = private;
    }

    fn file(&mut self, place: &str, step: &Value) {
        let path = self.directory.join(step["path"].as_str().expect("a path"));
        match step["op"].as_str().expect("an operation") {
            "write_file" => {
                std::fs::write(&path, step["content"].as_str().expect("content")).expect("written");
            }
            "remove_file" => std::fs::remove_file(&path).expect("removed"),
            "stat" => {
                let mode = std::fs::metadata(&path)
                    .ok()
                    .map(|facts| format!("{:04o}", facts.permissions().mode() & 0o7777));
                let right = step["exists"].as_bool() == Some(mode.is_some())
                    && step
                        .get("mode")
                        .is_none_or(|told| told.as_str() == mode.as_deref());
                self.check(place, right, || format!("mode {mode:?}"));
            }
            other => panic!("{place}: no operation {other}"),
        }
    }

    /// Compares a state with the written one, if there is one.
    fn state(&mut self, place: &str, step: &Value, key: &str, state: &Data) {
        if let Some(expected) = step.get(key) {
            self.check(place, matches(expected, state), || {
                format!("{key} {state:?}")
            });
        }
    }

    fn complaints(&mut self, place: &str, step: &Value, key: &str, mut found: Vec<Complaint>) {
        found.sort();
        let written = |(attribute, severity): &Complaint| {
            let mut entry = Map::new();
            if let Some(attribute) = attribute {
                entry.insert("attribute".into(), attribute.as_str().into());
            }
            let severity = match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            entry.insert("severity".into(), severity.into());
            Value::Object(entry)
        };
        let got: Value = found.iter().map(written).collect();
        let right = step.get(key) == Some(&got);
        self.check(place, right, || format!("{key} {got}"));
    }

    fn check(&mut self, place: &str, right: bool, got: impl FnOnce() -> String) {
        if !right {
            self.differences.push(format!("{place}: {}", got()));
        }
    }
}
