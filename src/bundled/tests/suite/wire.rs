//! The scenarios, over the wire: a process, its handshake, TLS on both sides.

use crate::driver::{Complaint, Host, PlanAnswer, StateAnswer, run};
use crate::process::{Identity, Running, command, provider};
use pravo_proto::tfplugin5::{get_provider_schema, provider_client::ProviderClient};
use pravo_proto::tfplugin6 as wire;
use pravo_proto::{diagnostic, schema, value};
use pravo_state::{Data, ProviderSchema, Type};
use serde_json::Value;
use std::path::Path;
use tokio::runtime::Runtime;
use tonic::transport::Channel;

struct Remote {
    runtime: Runtime,
    client: ProviderClient<Channel>,
    schema: ProviderSchema,
    _process: Running,
}

impl Remote {
    fn start(plugin: &str, directory: &Path) -> Self {
        let identity = Identity::new();
        let mut command = command(plugin);
        command
            .env("PLUGIN_CLIENT_CERT", &identity.pem)
            .current_dir(directory);
        let process = Running::start(command);
        let runtime = Runtime::new().unwrap();
        let channel = runtime.block_on(process.connect(Some(&identity))).unwrap();
        let mut client = provider(channel);
        let request = get_provider_schema::Request {};
        let answer = runtime.block_on(client.get_schema(request)).unwrap();
        let offer = schema::read(schema::from_v5(answer.into_inner())).unwrap();
        Self {
            runtime,
            client,
            schema: offer.schema,
            _process: process,
        }
    }

    fn resource(&self, name: &str) -> Type {
        self.schema.resources[name].block.implied_type()
    }
}

fn complaints(diagnostics: Vec<wire::Diagnostic>) -> Vec<Complaint> {
    let diagnostics = diagnostic::from_wire(diagnostics).into_iter();
    diagnostics.map(|d| (d.attribute, d.severity)).collect()
}

fn sent(data: &Data, kind: &Type) -> Option<wire::DynamicValue> {
    Some(value::to_wire(data, kind).unwrap())
}

fn got(sent: Option<wire::DynamicValue>, kind: &Type) -> Data {
    value::from_wire(sent.as_ref(), kind).unwrap()
}

/// Makes a call and waits for its answer.
macro_rules! call {
    ($host:expr, $method:ident, $request:expr) => {{
        let mut client = $host.client.clone();
        let answer = $host.runtime.block_on(client.$method($request));
        answer.unwrap().into_inner()
    }};
}

impl Host for Remote {
    fn schema(&self) -> ProviderSchema {
        self.schema.clone()
    }

    fn validate(&self, kind: &str, name: &str, config: &Data) -> Vec<Complaint> {
        let type_name = name.to_owned();
        complaints(match kind {
            "resource" => {
                let request = wire::validate_resource_config::Request {
                    type_name,
                    config: sent(config, &self.resource(name)),
                    client_capabilities: None,
                };
                call!(self, validate_resource_type_config, request).diagnostics
            }
            "data" => {
                let kind = self.schema.data_sources[name].block.implied_type();
                let config = sent(config, &kind);
                let request = wire::validate_data_resource_config::Request { type_name, config };
                call!(self, validate_data_source_config, request).diagnostics
            }
            _ => {
                let kind = self.schema.ephemerals[name].block.implied_type();
                let config = sent(config, &kind);
                let request =
                    wire::validate_ephemeral_resource_config::Request { type_name, config };
                call!(self, validate_ephemeral_resource_config, request).diagnostics
            }
        })
    }

    fn plan(&self, name: &str, prior: &Data, config: &Data, proposed: &Data) -> PlanAnswer {
        let kind = self.resource(name);
        let request = wire::plan_resource_change::Request {
            type_name: name.into(),
            prior_state: sent(prior, &kind),
            proposed_new_state: sent(proposed, &kind),
            config: sent(config, &kind),
            ..Default::default()
        };
        let answer = call!(self, plan_resource_change, request);
        assert!(answer.planned_private.is_empty() && !answer.legacy_type_system);
        let replace = answer.requires_replace.iter();
        let replace = replace.map(|path| diagnostic::path_from_wire(path).to_string());
        (
            got(answer.planned_state, &kind),
            replace.collect(),
            complaints(answer.diagnostics),
        )
    }

    fn apply(&self, name: &str, prior: &Data, planned: &Data, config: &Data) -> StateAnswer {
        let kind = self.resource(name);
        let request = wire::apply_resource_change::Request {
            type_name: name.into(),
            prior_state: sent(prior, &kind),
            planned_state: sent(planned, &kind),
            config: sent(config, &kind),
            ..Default::default()
        };
        let answer = call!(self, apply_resource_change, request);
        let state = got(answer.new_state, &kind);
        (state, answer.private, complaints(answer.diagnostics))
    }

    fn read(&self, name: &str, state: &Data, private: &[u8]) -> StateAnswer {
        let kind = self.resource(name);
        let request = wire::read_resource::Request {
            type_name: name.into(),
            current_state: sent(state, &kind),
            private: private.to_vec(),
            ..Default::default()
        };
        let answer = call!(self, read_resource, request);
        let state = got(answer.new_state, &kind);
        (state, answer.private, complaints(answer.diagnostics))
    }

    fn import(&self, name: &str, id: &str) -> StateAnswer {
        let request = wire::import_resource_state::Request {
            type_name: name.into(),
            id: id.into(),
            ..Default::default()
        };
        let mut answer = call!(self, import_resource_state, request);
        let found = complaints(answer.diagnostics);
        match answer.imported_resources.pop() {
            Some(one) => {
                assert!(!one.private.is_empty() && answer.imported_resources.is_empty());
                (got(one.state, &self.resource(name)), one.private, found)
            }
            None => (Data::Null, Vec::new(), found),
        }
    }

    fn upgrade(&self, name: &str, version: i64, raw: &Value) -> StateAnswer {
        let request = wire::upgrade_resource_state::Request {
            type_name: name.into(),
            version,
            raw_state: Some(value::raw_state(raw.to_string().into_bytes())),
        };
        let answer = call!(self, upgrade_resource_state, request);
        let state = got(answer.upgraded_state, &self.resource(name));
        (state, Vec::new(), complaints(answer.diagnostics))
    }

    fn read_data(&self, name: &str, config: &Data) -> StateAnswer {
        let kind = self.schema.data_sources[name].block.implied_type();
        let request = wire::read_data_source::Request {
            type_name: name.into(),
            config: sent(config, &kind),
            ..Default::default()
        };
        let answer = call!(self, read_data_source, request);
        let state = got(answer.state, &kind);
        (state, Vec::new(), complaints(answer.diagnostics))
    }

    fn open(&self, name: &str, config: &Data) -> StateAnswer {
        let kind = self.schema.ephemerals[name].block.implied_type();
        let request = wire::open_ephemeral_resource::Request {
            type_name: name.into(),
            config: sent(config, &kind),
            client_capabilities: None,
        };
        let answer = call!(self, open_ephemeral_resource, request);
        let result = got(answer.result, &kind);
        (result, Vec::new(), complaints(answer.diagnostics))
    }

    fn call(&self, name: &str, arguments: &[Data]) -> Result<Data, Option<i64>> {
        let function = &self.schema.functions[name];
        let sent = arguments.iter().zip(&function.parameters);
        let request = wire::call_function::Request {
            name: name.into(),
            arguments: sent
                .map(|(argument, parameter)| value::to_wire(argument, &parameter.kind).unwrap())
                .collect(),
        };
        let answer = call!(self, call_function, request);
        match answer.error {
            Some(error) => Err(error.function_argument),
            None => Ok(got(answer.result, &function.result)),
        }
    }
}

fn scenarios(plugin: &str) -> usize {
    let place = tempfile::tempdir().unwrap();
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    run(plugin, &Remote::start(plugin, place.path()), place.path())
}

#[test]
fn random() {
    assert_eq!(scenarios("random"), 153);
}

#[test]
fn null() {
    assert_eq!(scenarios("null"), 21);
}

#[test]
fn local() {
    assert_eq!(scenarios("local"), 85);
}

#[test]
fn the_schema_is_the_same_in_this_process() {
    for name in pravo_bundled::names() {
        let environment = pravo_bundled::Environment::default();
        let plugin = pravo_bundled::plugin(name, &environment).unwrap();
        let remote = Remote::start(name, Path::new("/"));
        assert_eq!(remote.schema(), plugin.schema(), "{name}");
        let answer = call!(remote, get_schema, get_provider_schema::Request {});
        let actions: Vec<String> = answer.action_schemas.into_keys().collect();
        assert_eq!(actions, plugin.actions().collect::<Vec<_>>(), "{name}");
        let capabilities = answer.server_capabilities.unwrap();
        assert!(capabilities.plan_destroy && capabilities.get_provider_schema_optional);
        let metadata = call!(remote, get_metadata, wire::get_metadata::Request {});
        assert_eq!(metadata.resources.len(), remote.schema.resources.len());
    }
}

#[test]
fn calls_without_scenarios() {
    let remote = Remote::start("local", Path::new("/"));
    let config = wire::configure_provider::Request::default();
    assert!(call!(remote, configure, config).diagnostics.is_empty());
    let stop = wire::stop_provider::Request {};
    assert!(call!(remote, stop, stop).error.is_empty());
    let moved = wire::move_resource_state::Request::default();
    assert_eq!(
        call!(remote, move_resource_state, moved).diagnostics.len(),
        1
    );
    let identities = wire::get_resource_identity_schemas::Request {};
    let answer = call!(remote, get_resource_identity_schemas, identities);
    assert!(answer.identity_schemas.is_empty());
    let functions = call!(remote, get_functions, wire::get_functions::Request {});
    assert_eq!(functions.functions.len(), 1);
    let odd = wire::upgrade_resource_state::Request {
        type_name: "local_file".into(),
        ..Default::default()
    };
    assert_eq!(
        call!(remote, upgrade_resource_state, odd).diagnostics.len(),
        1
    );
    let broken = wire::read_resource::Request {
        type_name: "local_file".into(),
        current_state: Some(wire::DynamicValue {
            msgpack: vec![0xc1],
            json: Vec::new(),
        }),
        ..Default::default()
    };
    assert_eq!(call!(remote, read_resource, broken).diagnostics.len(), 1);
}

#[test]
fn an_action_shows_what_it_printed() {
    use wire::invoke_action::event::Type as Event;
    let remote = Remote::start("local", Path::new("/"));
    let kind = pravo_bundled::plugin("local", &pravo_bundled::Environment::default())
        .and_then(|plugin| {
            plugin
                .action_shape("local_command")
                .map(|s| s.object.clone())
        })
        .unwrap();
    let config = crate::expect::value(
        &serde_json::json!({"command": "echo", "arguments": ["hello"]}),
        &kind,
    );
    let request = wire::invoke_action::Request {
        action_type: "local_command".into(),
        config: sent(&config, &kind),
        client_capabilities: None,
    };
    let mut stream = call!(remote, invoke_action, request);
    let mut next = || remote.runtime.block_on(stream.message()).unwrap();
    match next().and_then(|event| event.r#type) {
        Some(Event::Progress(progress)) => assert_eq!(progress.message, "\nhello\n\n"),
        other => panic!("{other:?}"),
    }
    match next().and_then(|event| event.r#type) {
        Some(Event::Completed(end)) => assert!(end.diagnostics.is_empty()),
        other => panic!("{other:?}"),
    }
    assert!(next().is_none());
}

#[test]
fn large_messages() {
    let remote = Remote::start("local", Path::new("/"));
    let kind = remote.resource("local_file");
    let text = "x".repeat(8 << 20);
    let config = crate::expect::value(
        &serde_json::json!({"filename": "big", "content": text}),
        &kind,
    );
    let (planned, _, found) = remote.plan("local_file", &Data::Null, &config, &config);
    assert_eq!(found, []);
    assert_eq!(planned.get("content"), Some(&text.as_str().into()));
}
