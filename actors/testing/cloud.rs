//! A cloud and the plugin in front of it. Things have a name; changing `force` needs a new thing;
//! `echo` is the input in brackets, known once the thing is made.

use super::estate::attribute;
use super::mortal::Life;
use crate::plugin::{Answer, Plugin, Plugins};
use pravo_provider::{
    Applied, ApplyRequest, CallError, PlanRequest, Planned, Read, ReadData, ReadRequest, Upgraded,
};
use pravo_state::{
    AttributePath, Block, Data, Diagnostic, Mode, ProviderSchema, Schema, Type, json,
};
use pravo_store::MemoryObjects;
use serde_json::Value;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};

/// What goes wrong at a change of the thing of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mishap {
    /// Nothing is done; an error.
    Refused,
    /// It is done, and there is an error beside the object.
    HalfDone,
    /// It is done, and the answer is lost.
    AnswerLost,
    /// The plugin plans another value than before, from its second plan on.
    PlansOtherwise,
    /// The work on it ends by a panic.
    Panic,
    /// While it is done, another command takes over the lock of every other node.
    LocksTaken,
}

#[derive(Default)]
pub(crate) struct Inner {
    /// Things by id.
    pub(crate) things: BTreeMap<String, Data>,
    /// What a lookup answers besides its key.
    pub(crate) suffix: String,
    /// Every call: `plan a`, `create a`, `read a`, …
    pub(crate) calls: Vec<String>,
    pub(crate) launched: usize,
    pub(crate) closed: usize,
    pub(crate) at_work: usize,
    pub(crate) most_at_work: usize,
    mishaps: BTreeMap<String, Mishap>,
    plans: BTreeMap<String, usize>,
    /// Counts calls and objects, and so decides who goes first.
    pub(crate) serial: u64,
}

#[derive(Default)]
pub(crate) struct Cloud(Mutex<Inner>);

impl Cloud {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap()
    }

    pub(crate) fn mishap(&self, name: &str, mishap: Mishap) {
        let mut inner = self.lock();
        inner.plans.clear();
        inner.mishaps.insert(name.to_owned(), mishap);
    }

    pub(crate) fn heal(&self) {
        self.lock().mishaps.clear();
    }

    /// The calls since the last time, in order.
    pub(crate) fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().calls)
    }

    /// The names of all things, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let inner = self.lock();
        let mut names: Vec<String> = inner.things.values().map(name_of).collect();
        names.sort();
        names
    }
}

fn name_of(thing: &Data) -> String {
    thing
        .get("name")
        .and_then(Data::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// What the plugin offers.
pub(crate) fn schema() -> ProviderSchema {
    let block = |attributes: Vec<pravo_state::Attribute>| Schema {
        version: 0,
        block: Block {
            attributes,
            ..Block::default()
        },
    };
    let thing = vec![
        attribute("echo", "c"),
        attribute("force", "o"),
        attribute("id", "c"),
        attribute("input", "o"),
        attribute("name", "r"),
    ];
    let lookup = vec![attribute("key", "r"), attribute("value", "c")];
    ProviderSchema {
        provider: block(vec![attribute("endpoint", "o")]),
        resources: BTreeMap::from([("cloud_thing".to_owned(), block(thing))]),
        data_sources: BTreeMap::from([("cloud_lookup".to_owned(), block(lookup))]),
        ..ProviderSchema::default()
    }
}

pub(crate) struct CloudPlugins {
    cloud: Arc<Cloud>,
    life: Arc<Life>,
    objects: Arc<MemoryObjects>,
}

impl CloudPlugins {
    pub(crate) fn new(cloud: Arc<Cloud>, life: Arc<Life>, objects: Arc<MemoryObjects>) -> Self {
        Self {
            cloud,
            life,
            objects,
        }
    }
}

impl Plugins for CloudPlugins {
    fn launch<'a>(&'a self, _: &'a str) -> Answer<'a, Arc<dyn Plugin>> {
        Box::pin(async move {
            self.cloud.lock().launched += 1;
            let plugin = CloudPlugin {
                cloud: Arc::clone(&self.cloud),
                life: Arc::clone(&self.life),
                objects: Arc::clone(&self.objects),
            };
            Ok(Arc::new(plugin) as Arc<dyn Plugin>)
        })
    }
}

struct CloudPlugin {
    cloud: Arc<Cloud>,
    life: Arc<Life>,
    objects: Arc<MemoryObjects>,
}

fn lost() -> CallError {
    CallError::Lost {
        plugin: "cloud".into(),
        end: None,
    }
}

/// A call that is at work until this is dropped.
struct AtWork<'a>(&'a Cloud);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.lock().at_work -= 1;
    }
}

impl CloudPlugin {
    /// Begins a call: notes it and lets others go first, differently each time.
    async fn begin(&self, call: &str, thing: &Data) -> Result<AtWork<'_>, CallError> {
        if !self.life.step() {
            return Err(lost());
        }
        let pauses = {
            let mut inner = self.cloud.lock();
            inner.calls.push(format!("{call} {}", name_of(thing)));
            inner.at_work += 1;
            inner.most_at_work = inner.most_at_work.max(inner.at_work);
            inner.serial += 1;
            inner.serial.wrapping_mul(2_654_435_761) % 7
        };
        let at_work = AtWork(&self.cloud);
        for _ in 0..pauses {
            tokio::task::yield_now().await;
        }
        Ok(at_work)
    }

    fn take_locks(&self, except: &str) {
        for (key, bytes) in self.objects.contents() {
            if key.starts_with("locks/") && key != format!("locks/{except}.lock") {
                let mut lock: Value = serde_json::from_slice(&bytes).unwrap();
                lock["nonce"] = "another".into();
                lock["user"] = "mallory".into();
                lock["host"] = "elsewhere".into();
                self.objects.plant(&key, lock.to_string());
            }
        }
    }

    fn mishap(&self, thing: &Data) -> Option<Mishap> {
        self.cloud.lock().mishaps.get(&name_of(thing)).copied()
    }
}

fn with(thing: &Data, entries: &[(&str, Data)]) -> Data {
    let Data::Map(mut all) = thing.clone() else {
        return thing.clone();
    };
    for (name, value) in entries {
        all.insert((*name).to_owned(), value.clone());
    }
    Data::Map(all)
}

fn echo(thing: &Data) -> Data {
    match thing.get("input") {
        Some(Data::String(input)) => format!("[{input}]").into(),
        Some(Data::Unknown) => Data::Unknown,
        _ => Data::Null,
    }
}

impl Inner {
    fn planned(&mut self, request: &PlanRequest, mishap: Option<Mishap>) -> Data {
        let proposed = &request.proposed;
        let name = name_of(proposed);
        let count = self.plans.entry(name).or_default();
        *count += 1;
        if request.prior.is_null() {
            return with(proposed, &[("id", Data::Unknown), ("echo", Data::Unknown)]);
        }
        let other = mishap == Some(Mishap::PlansOtherwise) && *count > 1;
        let same = request.prior.get("input") == proposed.get("input");
        let value = match (other, same) {
            (true, _) => "something else".into(),
            (false, true) => request.prior.get("echo").cloned().unwrap_or_default(),
            (false, false) => echo(proposed),
        };
        with(proposed, &[("echo", value)])
    }

    fn change(&mut self, request: &ApplyRequest) -> Data {
        let id = request
            .prior
            .get("id")
            .and_then(Data::as_str)
            .map(str::to_owned);
        if request.planned.is_null() {
            self.things.remove(&id.unwrap_or_default());
            return Data::Null;
        }
        let id = id.unwrap_or_else(|| {
            self.serial += 1;
            format!("id-{}", self.serial)
        });
        let thing = with(
            &request.planned,
            &[("id", id.clone().into()), ("echo", echo(&request.config))],
        );
        self.things.insert(id, thing.clone());
        thing
    }
}

impl Plugin for CloudPlugin {
    fn configure<'a>(&'a self, config: &'a Data) -> Answer<'a, Vec<Diagnostic>> {
        Box::pin(async {
            match config.get("endpoint").and_then(Data::as_str) {
                Some("nowhere") => {
                    let wrong = Diagnostic::error("there is no cloud at nowhere");
                    Err(CallError::Diagnostics(vec![wrong]))
                }
                _ => Ok(Vec::new()),
            }
        })
    }

    fn plans_destroy(&self) -> bool {
        true
    }

    fn validate<'a>(&'a self, _: Mode, _: &'a str, _: &'a Data) -> Answer<'a, Vec<Diagnostic>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn upgrade<'a>(&'a self, kind: &'a str, version: i64, raw: &'a Value) -> Answer<'a, Upgraded> {
        Box::pin(async move {
            let of: Type = schema().resources[kind].block.implied_type();
            let state = json::from_json(raw, &of).unwrap();
            Ok(Upgraded {
                state,
                version,
                warnings: Vec::new(),
            })
        })
    }

    fn read<'a>(&'a self, request: &'a ReadRequest) -> Answer<'a, Read> {
        Box::pin(async move {
            let _work = self.begin("read", &request.state).await?;
            let inner = self.cloud.lock();
            let id = request
                .state
                .get("id")
                .and_then(Data::as_str)
                .unwrap_or_default();
            let state = inner.things.get(id).cloned().unwrap_or_default();
            Ok(Read {
                state,
                private: b"p".to_vec(),
                identity: None,
                warnings: Vec::new(),
            })
        })
    }

    fn plan<'a>(&'a self, request: &'a PlanRequest) -> Answer<'a, Planned> {
        Box::pin(async move {
            let about = if request.proposed.is_null() {
                &request.prior
            } else {
                &request.proposed
            };
            let _work = self.begin("plan", about).await?;
            let mishap = self.mishap(about);
            let planned = match request.proposed.is_null() {
                true => Data::Null,
                false => self.cloud.lock().planned(request, mishap),
            };
            Ok(Planned {
                planned,
                private: request.private.clone(),
                identity: None,
                requires_replace: vec![
                    AttributePath::attribute("force"),
                    AttributePath::attribute("name"),
                ],
                legacy: false,
                warnings: Vec::new(),
            })
        })
    }

    fn apply<'a>(&'a self, request: &'a ApplyRequest) -> Answer<'a, Applied> {
        Box::pin(async move {
            let (call, about) = match (request.prior.is_null(), request.planned.is_null()) {
                (true, _) => ("create", &request.planned),
                (false, true) => ("delete", &request.prior),
                (false, false) => ("update", &request.planned),
            };
            let _work = self.begin(call, about).await?;
            let mishap = self.mishap(about);
            let mut diagnostics = Vec::new();
            match mishap {
                Some(Mishap::Panic) => panic!("the test wants it"),
                Some(Mishap::Refused) => {
                    diagnostics.push(Diagnostic::error("no room"));
                    let state = Data::Null;
                    let private = Vec::new();
                    return Ok(Applied {
                        state,
                        private,
                        identity: None,
                        legacy: false,
                        diagnostics,
                    });
                }
                Some(Mishap::LocksTaken) => self.take_locks(&name_of(about)),
                Some(Mishap::HalfDone) => diagnostics.push(Diagnostic::error("only half done")),
                _ => {}
            }
            if !self.life.step() {
                return Err(lost());
            }
            let state = self.cloud.lock().change(request);
            // The object exists now; the process may die before it hears of it.
            if !self.life.step() || mishap == Some(Mishap::AnswerLost) {
                return Err(lost());
            }
            let private = b"p".to_vec();
            Ok(Applied {
                state,
                private,
                identity: None,
                legacy: false,
                diagnostics,
            })
        })
    }

    fn read_data<'a>(&'a self, _: &'a str, config: &'a Data) -> Answer<'a, ReadData> {
        Box::pin(async move {
            let key = config
                .get("key")
                .and_then(Data::as_str)
                .unwrap_or_default()
                .to_owned();
            let _work = self
                .begin("look up", &with(config, &[("name", key.clone().into())]))
                .await?;
            let value = format!("{key}{}", self.cloud.lock().suffix);
            let state = with(config, &[("value", value.into())]);
            Ok(ReadData {
                state,
                warnings: Vec::new(),
            })
        })
    }

    fn stop(&self) -> Answer<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move { self.cloud.lock().closed += 1 })
    }
}
