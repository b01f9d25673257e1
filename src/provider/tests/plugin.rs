//! The client against a plugin in a process of its own, which behaves well or badly as told.

use pravo_provider::find::Source;
use pravo_provider::launch::LaunchFailure;
use pravo_provider::{
    ApplyRequest, CallError, Client, Identity, LaunchError, LaunchOptions, Located, Origin,
    PlanRequest, Protocol, ReadRequest, contract, object,
};
use pravo_state::{Data, Schema, Type};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const KIND: &str = "fake_thing";

/// The fake plugin, which plain `cargo test` builds beside the tests.
fn fake() -> Located {
    let own = std::env::current_exe().expect("a test has a path");
    let folder = own.parent().and_then(|deps| deps.parent());
    let path = folder
        .expect("a test lies in deps")
        .join("examples/fake-provider");
    assert!(
        path.exists(),
        "run plain `cargo test`, which builds {}",
        path.display()
    );
    Located {
        source: Source::parse("example.com/test/fake").expect("it is a source"),
        origin: Origin::DevOverrides,
        version: String::new(),
        path,
        arguments: Vec::new(),
    }
}

fn options(start: &str, protocol: &str) -> LaunchOptions {
    let own = std::env::vars_os().filter(|(name, _)| !name.to_string_lossy().starts_with("TF_"));
    let mut env: Vec<(OsString, OsString)> = own.collect();
    env.push(("FAKE_START".into(), start.into()));
    env.push(("FAKE_PROTOCOL".into(), protocol.into()));
    env.push(("PLUGIN_MULTIPLEX_GRPC".into(), "true".into()));
    env.push(("PLUGIN_CLIENT_CERT".into(), "rubbish".into()));
    LaunchOptions::new(std::env::temp_dir(), env)
}

async fn start(start: &str, protocol: &str) -> Client {
    let launched = Client::launch(&fake(), &options(start, protocol)).await;
    launched.expect("the fake starts")
}

async fn failure(start: &str) -> (LaunchFailure, String) {
    let mut options = options(start, "5");
    options.handshake = Duration::from_secs(if start == "slow" { 1 } else { 30 });
    let launched = Client::launch(&fake(), &options).await;
    let error: LaunchError = launched.expect_err("the start fails");
    let text = error.to_string();
    (error.kind, text)
}

async fn schema(client: &Client) -> Schema {
    let offer = client.schema().await.expect("the fake has a schema");
    offer.schema.resources[KIND].clone()
}

async fn config(client: &Client, entries: &[(&str, Data)]) -> Data {
    let entries = entries.iter().map(|(k, v)| ((*k).to_owned(), v.clone()));
    object::complete(&schema(client).await.block, Data::Map(entries.collect()))
}

async fn plan_request(client: &Client, action: &str) -> PlanRequest {
    let config = config(client, &[("do", action.into())]).await;
    PlanRequest {
        kind: KIND.into(),
        proposed: config.clone(),
        config,
        ..PlanRequest::default()
    }
}

async fn plan_error(client: &Client, action: &str) -> CallError {
    let request = plan_request(client, action).await;
    client.plan(&request).await.expect_err("the plan fails")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_starts_say_why() {
    let (kind, text) = failure("exit").await;
    assert!(matches!(kind, LaunchFailure::Ended(_)), "{text}");
    assert!(
        text.contains("status 3") && text.contains("no licence found"),
        "{text}"
    );
    let (kind, text) = failure("exit-0").await;
    assert!(matches!(kind, LaunchFailure::Ended(_)), "{text}");
    assert!(
        text.contains("status 0") && text.contains("no room"),
        "{text}"
    );
    let (kind, text) = failure("slow").await;
    assert!(matches!(kind, LaunchFailure::Slow(_)), "{text}");
    for (start, problem) in [
        ("stray", "may be no plugin"),
        ("endless", "may be no plugin"),
        ("old", "protocol 4"),
        ("plain", "no certificate"),
    ] {
        let (kind, text) = failure(start).await;
        assert!(matches!(kind, LaunchFailure::Handshake(_)), "{text}");
        assert!(text.contains(problem), "{text}");
    }
    for (start, problem) in [
        ("nowhere", "No such file"),
        ("wrong-certificate", "another certificate"),
    ] {
        let (kind, text) = failure(start).await;
        assert!(matches!(kind, LaunchFailure::Connect(_)), "{text}");
        assert!(text.contains(problem), "{text}");
    }
    let mut missing = fake();
    missing.path = PathBuf::from("/nowhere/plugin");
    let error = Client::launch(&missing, &options("", "5"))
        .await
        .unwrap_err();
    assert!(matches!(error.kind, LaunchFailure::Start(_)), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_object_lives_and_dies_in_both_versions() {
    for (version, protocol) in [("5", Protocol::V5), ("6", Protocol::V6)] {
        let client = start("", version).await;
        assert_eq!(client.protocol(), protocol);
        let schema = schema(&client).await;
        assert!(schema.block.attribute("secret").unwrap().write_only);
        let any = Data::List(vec!["a".into(), 1.into(), Data::Null]);
        let config = config(&client, &[("any", any), ("secret", "token".into())]).await;
        let request = PlanRequest {
            kind: KIND.into(),
            proposed: config.clone(),
            config: config.clone(),
            ..PlanRequest::default()
        };
        let planned = client.plan(&request).await.unwrap();
        assert_eq!(planned.private, (0..=255).collect::<Vec<u8>>());
        let broken = contract::check_plan(&schema.block, &Data::Null, &config, &planned.planned);
        assert_eq!(broken, []);
        let request = ApplyRequest {
            kind: KIND.into(),
            planned: planned.planned.clone(),
            config,
            private: planned.private,
            identity: Some(Identity {
                version: 1,
                data: Data::Map([("id".into(), 3.into())].into()),
            }),
            ..ApplyRequest::default()
        };
        let applied = client.apply(&request).await.unwrap();
        let seen = applied.state.get("seen").and_then(Data::as_str).unwrap();
        let expected = "nulls=[true, false, false] private=256 identity=Number(Number(\"3\")) \
                        secret=String(\"token\")";
        assert_eq!(seen, expected);
        let settled = contract::settle(&schema.block, &planned.planned, &applied);
        assert_eq!((settled.errors, settled.tolerated), (vec![], vec![]));
        let request = ReadRequest {
            kind: KIND.into(),
            state: settled.state.clone(),
            private: applied.private,
            identity: applied.identity,
        };
        let read = client.read(&request).await.unwrap();
        assert_eq!(read.private[0], 255);
        assert_eq!(
            read.state.get("seen"),
            Some(&Data::from("Number(Number(\"8\"))"))
        );
        assert_eq!(read.identity.unwrap().data.get("id"), Some(&7.into()));
        let request = ApplyRequest {
            kind: KIND.into(),
            prior: settled.state,
            ..ApplyRequest::default()
        };
        let deleted = client.apply(&request).await.unwrap();
        assert!(deleted.state.is_null());
        assert_eq!(client.close().await.status, "exited with status 0");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_are_upgraded() {
    let client = start("", "5").await;
    let json = |text: &str| serde_json::from_str(text).unwrap();
    let same = json(r#"{"any":{"value":1.50,"type":"number"},"do":"x","seen":null,"more":1}"#);
    let upgraded = client.upgrade(KIND, 2, &same).await.unwrap();
    assert_eq!(upgraded.state.get("do"), Some(&"x".into()));
    let any = upgraded.state.get("any").unwrap();
    assert!(matches!(any, Data::Dynamic(own, _) if **own == Type::Number));
    let old = json(r#"{"old":"x"}"#);
    assert_eq!(
        client.upgrade(KIND, 1, &old).await.unwrap().state.get("do"),
        Some(&"x".into())
    );
    let error = client.upgrade(KIND, 3, &same).await.unwrap_err();
    assert!(
        matches!(
            error,
            CallError::Newer {
                recorded: 3,
                known: 2,
                ..
            }
        ),
        "{error}"
    );
    let error = client.upgrade("fake_other", 1, &same).await.unwrap_err();
    assert!(matches!(error, CallError::NoType { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_find_what_is_gone_and_refuse_what_must_not_be() {
    let client = start("", "6").await;
    let request = |state| ReadRequest {
        kind: KIND.into(),
        state,
        ..ReadRequest::default()
    };
    let gone = request(config(&client, &[("do", "gone".into())]).await);
    assert!(client.read(&gone).await.unwrap().state.is_null());
    for (action, problem) in [
        ("leak", "write-only attribute secret"),
        ("blank", "unknown values"),
    ] {
        let request = request(config(&client, &[("do", action.into())]).await);
        let error = client.read(&request).await.unwrap_err();
        assert!(matches!(error, CallError::Breach { .. }), "{error}");
        assert!(error.to_string().contains(problem), "{error}");
        assert!(!error.to_string().contains("token"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failures_have_kinds() {
    let client = start("", "5").await;
    let error = plan_error(&client, "refuse").await;
    let CallError::Refused { text, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(text.len(), 100_000);
    assert!(error.is_outcome_unknown());
    let error = plan_error(&client, "complain").await;
    assert!(
        matches!(&error, CallError::Diagnostics(all) if all[0].summary == "No"),
        "{error}"
    );
    assert!(!error.is_outcome_unknown());
    for (action, problem) in [
        ("defer", "something it needs"),
        ("garbage", "a plan that does not fit"),
    ] {
        let error = plan_error(&client, action).await;
        assert!(matches!(error, CallError::Breach { .. }), "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    }
    let unknown = client.import(KIND, "x").await.unwrap_err();
    assert!(matches!(unknown, CallError::Unknown { .. }), "{unknown}");
    let misfit = PlanRequest {
        kind: KIND.into(),
        config: Data::Map([("do".to_owned(), true.into())].into()),
        ..PlanRequest::default()
    };
    let error = client.plan(&misfit).await.unwrap_err();
    let text = "the configuration does not fit the schema: do: found a bool, expected a string";
    assert_eq!(error.to_string(), text);
    client.plan(&plan_request(&client, "").await).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chatter_and_large_answers_pass() {
    let client = start("large", "6").await;
    assert_eq!(
        schema(&client).await.block.attributes[0].description.len(),
        4 << 20
    );
    client
        .plan(&plan_request(&client, "chatter").await)
        .await
        .unwrap();
    let large: Data = "z".repeat(8 << 20).into();
    let config = config(&client, &[("any", large.clone())]).await;
    let request = PlanRequest {
        kind: KIND.into(),
        proposed: config.clone(),
        config,
        ..PlanRequest::default()
    };
    let planned = client.plan(&request).await.unwrap().planned;
    let any = Data::Dynamic(Box::new(Type::String), Box::new(large));
    assert_eq!(planned.get("any"), Some(&any));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_ends_all_calls_with_its_message() {
    let client = start("", "5").await;
    let sleeping = plan_request(&client, "sleep").await;
    let panicking = plan_request(&client, "panic").await;
    let (first, second, third) = tokio::join!(
        client.plan(&sleeping),
        client.plan(&panicking),
        client.plan(&sleeping)
    );
    for result in [first, second, third] {
        let error = result.unwrap_err();
        assert!(matches!(error, CallError::Lost { .. }), "{error}");
        assert!(
            error.to_string().contains("panic: the fake fell over"),
            "{error}"
        );
        assert!(error.is_outcome_unknown());
        let told = error.diagnostics().remove(0);
        assert_eq!(
            told.summary,
            "the plugin example.com/test/fake exited with status 2:"
        );
        assert!(told.detail.contains("goroutine 1"), "{}", told.detail);
    }
    assert_eq!(client.wait_end().await.status, "exited with status 2");
    let error = client.plan(&sleeping).await.unwrap_err();
    assert!(
        matches!(error, CallError::Lost { end: Some(_), .. }),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_connection_is_an_end() {
    let client = start("", "6").await;
    let error = plan_error(&client, "sever").await;
    assert!(matches!(error, CallError::Lost { .. }), "{error}");
    assert_eq!(client.wait_end().await.status, "was ended by signal 9");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_lets_the_call_answer() {
    let client = start("", "5").await;
    let config = config(&client, &[("do", "wait".into())]).await;
    let request = ApplyRequest {
        kind: KIND.into(),
        planned: config.clone(),
        config,
        ..ApplyRequest::default()
    };
    let stop = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        client.stop().await
    };
    let (applied, stopped) = tokio::join!(client.apply(&request), stop);
    assert_eq!(applied.unwrap().state.get("seen"), Some(&"stopped".into()));
    assert_eq!(stopped.unwrap().as_deref(), Some("not at once"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_call_runs_to_its_end() {
    let client = start("", "5").await;
    let config = config(&client, &[("do", "wait".into())]).await;
    let request = ApplyRequest {
        kind: KIND.into(),
        planned: config.clone(),
        config,
        ..ApplyRequest::default()
    };
    let apply = tokio::time::timeout(Duration::from_millis(200), client.apply(&request));
    apply.await.unwrap_err();
    // The plugin still serves the call: it sees the stop.
    client.stop().await.unwrap();
    assert_eq!(client.ended(), None);
    client.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_and_objects_come_together() {
    let client = start("", "5").await;
    let schema = schema(&client).await;
    let config = config(&client, &[("do", "half".into())]).await;
    let request = ApplyRequest {
        kind: KIND.into(),
        planned: config.clone(),
        config: config.clone(),
        ..ApplyRequest::default()
    };
    let applied = client.apply(&request).await.unwrap();
    assert_eq!(applied.diagnostics[0].summary, "Half done");
    let settled = contract::settle(&schema.block, &config, &applied);
    assert_eq!(
        settled.errors[0].to_string(),
        "seen: is still unknown after the change"
    );
    assert_eq!(settled.state.get("seen"), Some(&Data::Null));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stubborn_plugin_is_killed() {
    let client = start("stubborn", "5").await;
    let begun = Instant::now();
    assert_eq!(client.close().await.status, "was ended by signal 9");
    assert!(begun.elapsed() >= Duration::from_secs(2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_plugin_is_gone() {
    let client = start("", "5").await;
    let waiting = client.clone();
    let end = tokio::spawn(async move { waiting.wait_end().await });
    client.kill();
    assert_eq!(end.await.unwrap().status, "was ended by signal 9");
}
