//! The provider: one resource, `fake_thing`, whose configuration says what a call does.

use crate::{beside, tls};
use pravo_proto::schema::{Capabilities, Offer};
use pravo_proto::tfplugin6::provider_server::Provider;
use pravo_proto::tfplugin6::{self as wire, DynamicValue};
use pravo_proto::{plugin, schema, types, value};
use pravo_state::{Attribute, AttributeKind, Block, Data, ProviderSchema, Schema, Type};
use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

#[derive(Default)]
pub(crate) struct Fake {
    stops: AtomicU32,
}

fn attribute(name: &str, kind: Type, computed: bool, write_only: bool) -> Attribute {
    let large = std::env::var("FAKE_START").is_ok_and(|start| start == "large");
    Attribute {
        name: name.into(),
        kind: AttributeKind::Value(kind),
        required: false,
        optional: !computed,
        computed,
        sensitive: false,
        write_only,
        deprecated: write_only,
        description: "x".repeat(if large { 4 << 20 } else { 1 }),
    }
}

fn block() -> Block {
    Block {
        attributes: vec![
            attribute("any", Type::Dynamic, false, false),
            attribute("do", Type::String, false, false),
            attribute("secret", Type::String, false, true),
            attribute("seen", Type::String, true, false),
        ],
        ..Block::default()
    }
}

fn offer() -> Offer {
    let schema = Schema {
        version: 2,
        block: block(),
    };
    Offer {
        schema: ProviderSchema {
            resources: [("fake_thing".into(), schema)].into(),
            ..ProviderSchema::default()
        },
        meta: None,
        capabilities: Capabilities::default(),
    }
}

fn read(value: Option<&DynamicValue>) -> Result<Data, Status> {
    value::from_wire(value, &block().implied_type())
        .map_err(|error| Status::invalid_argument(error.to_string()))
}

fn write(value: &Data) -> Option<DynamicValue> {
    value::to_wire(value, &block().implied_type()).ok()
}

/// The object with other values for some attributes.
fn with(value: Data, changes: &[(&str, Data)]) -> Data {
    match value {
        Data::Map(mut entries) => {
            entries.extend(changes.iter().map(|(k, v)| ((*k).to_owned(), v.clone())));
            Data::Map(entries)
        }
        other => other,
    }
}

fn action(value: &Data) -> String {
    value
        .get("do")
        .and_then(Data::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn identity_type() -> Type {
    Type::Object([("id".into(), Type::Number)].into(), vec![])
}

fn identity(id: i64) -> Option<wire::ResourceIdentityData> {
    let data = Data::Map([("id".into(), id.into())].into());
    Some(wire::ResourceIdentityData {
        identity_data: value::to_wire(&data, &identity_type()).ok(),
    })
}

fn identity_of(identity: Option<&wire::ResourceIdentityData>) -> String {
    let data = identity.and_then(|identity| identity.identity_data.as_ref());
    match value::from_wire(data, &identity_type()) {
        Ok(Data::Map(entries)) => format!("{:?}", entries["id"]),
        other => format!("{other:?}"),
    }
}

/// Writes more than any pipe holds, to all places that a plugin can write to.
async fn chatter() {
    let junk = vec![b'x'; 1 << 20];
    std::io::stdout().write_all(&junk).unwrap();
    let mut errors = std::io::stderr();
    errors.write_all(&junk).unwrap();
    errors.write_all(b"\n[1,2]\n\xff\xfe\nplain\n").unwrap();
    for _ in 0..1024 {
        let print = plugin::StdioData {
            channel: 1,
            data: vec![b'y'; 1024],
        };
        beside::PRINTS.get().unwrap().send(Ok(print)).await.unwrap();
    }
}

#[tonic::async_trait]
impl Provider for Fake {
    async fn get_provider_schema(
        &self,
        _: Request<wire::get_provider_schema::Request>,
    ) -> Answer<wire::get_provider_schema::Response> {
        Ok(Response::new(schema::write(&offer())))
    }

    async fn get_resource_identity_schemas(
        &self,
        _: Request<wire::get_resource_identity_schemas::Request>,
    ) -> Answer<wire::get_resource_identity_schemas::Response> {
        let attribute = wire::resource_identity_schema::IdentityAttribute {
            name: "id".into(),
            r#type: types::to_bytes(&Type::Number),
            ..Default::default()
        };
        let schema = wire::ResourceIdentitySchema {
            version: 1,
            identity_attributes: vec![attribute],
        };
        Ok(Response::new(
            wire::get_resource_identity_schemas::Response {
                identity_schemas: [("fake_thing".to_owned(), schema)].into(),
                diagnostics: vec![],
            },
        ))
    }

    async fn stop_provider(
        &self,
        _: Request<wire::stop_provider::Request>,
    ) -> Answer<wire::stop_provider::Response> {
        self.stops.fetch_add(1, Ordering::SeqCst);
        Ok(Response::new(wire::stop_provider::Response {
            error: "not at once".into(),
        }))
    }

    async fn upgrade_resource_state(
        &self,
        request: Request<wire::upgrade_resource_state::Request>,
    ) -> Answer<wire::upgrade_resource_state::Response> {
        let request = request.into_inner();
        let raw = request.raw_state.unwrap_or_default().json;
        // Version 1 had `old` in the place of `do`. The answer is JSON, which is allowed.
        let json = match request.version {
            1 => String::from_utf8_lossy(&raw)
                .replace("\"old\"", "\"do\"")
                .into_bytes(),
            _ => raw,
        };
        Ok(Response::new(wire::upgrade_resource_state::Response {
            upgraded_state: Some(DynamicValue {
                msgpack: vec![],
                json,
            }),
            diagnostics: vec![],
        }))
    }

    async fn read_resource(
        &self,
        request: Request<wire::read_resource::Request>,
    ) -> Answer<wire::read_resource::Response> {
        let request = request.into_inner();
        let state = read(request.current_state.as_ref())?;
        let seen = identity_of(request.current_identity.as_ref());
        let state = match action(&state).as_str() {
            "gone" => None,
            "leak" => write(&with(state, &[("secret", "token".into())])),
            "blank" => write(&with(state, &[("seen", Data::Unknown)])),
            _ => write(&with(state, &[("seen", seen.into())])),
        };
        Ok(Response::new(wire::read_resource::Response {
            new_state: state,
            private: request.private.iter().rev().copied().collect(),
            new_identity: identity(7),
            ..Default::default()
        }))
    }

    async fn plan_resource_change(
        &self,
        request: Request<wire::plan_resource_change::Request>,
    ) -> Answer<wire::plan_resource_change::Response> {
        let request = request.into_inner();
        let proposed = read(request.proposed_new_state.as_ref())?;
        let config = read(request.config.as_ref())?;
        let mut answer = wire::plan_resource_change::Response {
            planned_private: (0..=255).collect(),
            planned_identity: request.prior_identity,
            ..Default::default()
        };
        let changes = [("secret", Data::Null), ("seen", Data::Unknown)];
        answer.planned_state = write(&with(proposed.clone(), &changes));
        match action(&config).as_str() {
            "panic" => {
                tokio::time::sleep(Duration::from_millis(100)).await;
                eprintln!("panic: the fake fell over\n\ngoroutine 1 [running]:");
                std::process::exit(2);
            }
            "sleep" => tokio::time::sleep(Duration::from_secs(30)).await,
            "chatter" => chatter().await,
            "refuse" => return Err(Status::unknown("e".repeat(100_000))),
            "sever" => tls::SEVERED.store(true, Ordering::SeqCst),
            "defer" => answer.deferred = Some(wire::Deferred { reason: 3 }),
            "garbage" => {
                answer.planned_state = Some(DynamicValue {
                    msgpack: vec![0x81, 0xa1],
                    json: vec![],
                })
            }
            "complain" => {
                answer.diagnostics = vec![wire::Diagnostic {
                    severity: 1,
                    summary: "No".into(),
                    ..Default::default()
                }]
            }
            _ => {}
        }
        Ok(Response::new(answer))
    }

    async fn apply_resource_change(
        &self,
        request: Request<wire::apply_resource_change::Request>,
    ) -> Answer<wire::apply_resource_change::Response> {
        let request = request.into_inner();
        let planned = read(request.planned_state.as_ref())?;
        let config = read(request.config.as_ref())?;
        let nulls = [
            &request.prior_state,
            &request.planned_state,
            &request.config,
        ]
        .map(|value| value.as_ref().is_some_and(|value| value.msgpack == [0xc0]));
        let secret = config.get("secret").cloned().unwrap_or_default();
        let mut seen = format!(
            "nulls={nulls:?} private={} identity={} secret={secret:?}",
            request.planned_private.len(),
            identity_of(request.planned_identity.as_ref()),
        );
        if action(&config) == "wait" {
            for _ in 0..500 {
                tokio::time::sleep(Duration::from_millis(10)).await;
                if self.stops.load(Ordering::SeqCst) > 0 {
                    seen = "stopped".into();
                    break;
                }
            }
        }
        let state = with(planned, &[("seen", seen.into())]);
        let mut answer = wire::apply_resource_change::Response {
            new_state: write(&state),
            private: request.planned_private,
            new_identity: identity(8),
            ..Default::default()
        };
        if action(&config) == "half" {
            answer.new_state = write(&with(state, &[("seen", Data::Unknown)]));
            answer.diagnostics = vec![wire::Diagnostic {
                severity: 1,
                summary: "Half done".into(),
                ..Default::default()
            }];
        }
        Ok(Response::new(answer))
    }
}
