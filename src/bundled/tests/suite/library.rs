//! The scenarios, called in this process.

use crate::driver::{Complaint, Host, PlanAnswer, StateAnswer, run};
use pravo_bundled::kit::plugin::validate_config;
use pravo_bundled::kit::{Faults, Plugin};
use pravo_bundled::{Environment, plugin};
use pravo_state::{Data, ProviderSchema};
use serde_json::Value;
use std::path::Path;

struct Library(Plugin);

fn complaints(faults: Faults) -> Vec<Complaint> {
    let complaint = |fault: pravo_bundled::kit::Fault| {
        let path = Some(fault.path.to_string()).filter(|path| !path.is_empty());
        (path, fault.severity)
    };
    faults.into_sorted().into_iter().map(complaint).collect()
}

fn state(answer: Result<Data, Faults>) -> StateAnswer {
    match answer {
        Ok(state) => (state, Vec::new(), Vec::new()),
        Err(faults) => (Data::Null, Vec::new(), complaints(faults)),
    }
}

impl Host for Library {
    fn schema(&self) -> ProviderSchema {
        self.0.schema()
    }

    fn validate(&self, kind: &str, name: &str, config: &Data) -> Vec<Complaint> {
        let shape = match kind {
            "resource" => self.0.resource_shape(name),
            "data" => self.0.data_shape(name),
            _ => self.0.ephemeral_shape(name),
        };
        complaints(validate_config(shape, name, config))
    }

    fn plan(&self, name: &str, prior: &Data, config: &Data, proposed: &Data) -> PlanAnswer {
        let planned = self.0.plan(name, prior, config, proposed);
        let replace = planned.requires_replace.iter().map(ToString::to_string);
        (planned.state, replace.collect(), complaints(planned.faults))
    }

    fn apply(&self, name: &str, prior: &Data, planned: &Data, _config: &Data) -> StateAnswer {
        let applied = self.0.apply(name, prior, planned);
        (applied.state, Vec::new(), complaints(applied.faults))
    }

    fn read(&self, name: &str, state: &Data, _private: &[u8]) -> StateAnswer {
        let read = self.0.read(name, state);
        (read.state, read.private, complaints(read.faults))
    }

    fn import(&self, name: &str, id: &str) -> StateAnswer {
        let read = self.0.import(name, id);
        (read.state, read.private, complaints(read.faults))
    }

    fn upgrade(&self, name: &str, version: i64, raw: &Value) -> StateAnswer {
        state(self.0.upgrade(name, version, raw.to_string().as_bytes()))
    }

    fn read_data(&self, name: &str, config: &Data) -> StateAnswer {
        state(self.0.read_data(name, config))
    }

    fn open(&self, name: &str, config: &Data) -> StateAnswer {
        state(self.0.open(name, config))
    }

    fn call(&self, name: &str, arguments: &[Data]) -> Result<Data, Option<i64>> {
        self.0.call(name, arguments).map_err(|error| error.argument)
    }
}

fn scenarios(name: &str, directory: &Path) -> usize {
    let environment = Environment::new(std::env::vars_os());
    run(
        name,
        &Library(plugin(name, &environment).unwrap()),
        directory,
    )
}

#[test]
fn random() {
    assert_eq!(scenarios("random", Path::new(".")), 153);
}

#[test]
fn null() {
    assert_eq!(scenarios("null", Path::new(".")), 21);
}

/// The only test of this process whose files have relative paths.
#[test]
fn local() {
    let place = tempfile::tempdir().unwrap();
    std::env::set_current_dir(place.path()).unwrap();
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    let steps = scenarios("local", place.path());
    std::env::set_current_dir("/").unwrap();
    assert_eq!(steps, 85);
}
