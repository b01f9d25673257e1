//! The process of a plugin: its start, who may connect, its end.

use crate::process::{Identity, Running, command, program, provider};
use pravo_proto::health::HealthCheckRequest;
use pravo_proto::health::health_client::HealthClient;
use pravo_proto::plugin::Empty;
use pravo_proto::plugin::grpc_broker_client::GrpcBrokerClient;
use pravo_proto::plugin::grpc_controller_client::GrpcControllerClient;
use pravo_proto::plugin::grpc_stdio_client::GrpcStdioClient;
use pravo_proto::tfplugin5::get_provider_schema;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tonic::Code;
use tonic::transport::Channel;

/// How long a host waits for a plugin to end.
const PATIENCE: Duration = Duration::from_secs(2);

async fn answers(channel: Channel) -> bool {
    let request = get_provider_schema::Request {};
    provider(channel).get_schema(request).await.is_ok()
}

/// Starts a command that refuses to serve: its exit code and what it says.
fn refused(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    assert!(output.stdout.is_empty(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

#[test]
fn refusals_name_their_reason() {
    let mut by_hand = command("random");
    by_hand.env_remove("TF_PLUGIN_MAGIC_COOKIE");
    let mut wrong_cookie = command("random");
    wrong_cookie.env("TF_PLUGIN_MAGIC_COOKIE", "x");
    let mut no_certificate = command("random");
    no_certificate.env("PLUGIN_CLIENT_CERT", "rubbish");
    let mut no_place = command("random");
    no_place.env("PLUGIN_UNIX_SOCKET_DIR", "/no/such/place");
    let cases = [
        (by_hand, "\"random\""),
        (wrong_cookie, "does nothing by itself"),
        (command("aws"), "no bundled plugin \"aws\""),
        (no_certificate, "PLUGIN_CLIENT_CERT"),
        (no_place, "/no/such/place"),
    ];
    for (command, reason) in cases {
        let (code, said) = refused(command);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn the_line_without_tls() {
    for versions in ["5", "6", "7", "5,6", "6,5", ""] {
        let mut command = command("null");
        command.env("PLUGIN_PROTOCOL_VERSIONS", versions);
        let running = Running::start(command);
        let parts: Vec<&str> = running.line.iter().map(String::as_str).collect();
        let [core, protocol, network, address, kind, certificate] = parts[..] else {
            panic!("{parts:?}");
        };
        assert_eq!(
            (core, protocol, network, kind, certificate),
            ("1", "5", "unix", "grpc", "")
        );
        assert!(std::fs::exists(address).unwrap());
    }
    let mut multiplex = command("null");
    multiplex.env("PLUGIN_MULTIPLEX_GRPC", "true");
    assert_eq!(Running::start(multiplex).line[6], "false");
}

#[tokio::test]
async fn called_by_the_name_of_the_program() {
    let place = tempfile::tempdir().unwrap();
    let link = place.path().join("terraform-provider-null_v3.3.1");
    std::os::unix::fs::symlink(program(), &link).unwrap();
    let mut named = Command::new(&link);
    let model = command("ignored");
    named.envs(model.get_envs().filter_map(|(k, v)| Some((k, v?))));
    named.stdin(Stdio::null()).stdout(Stdio::piped());
    let running = Running::start(named);
    let channel = running.connect(None).await.unwrap();
    let request = get_provider_schema::Request {};
    let answer = provider(channel).get_schema(request).await.unwrap();
    assert!(
        answer
            .into_inner()
            .resource_schemas
            .contains_key("null_resource")
    );
}

#[tokio::test]
async fn only_the_host_may_connect() {
    let (host, other) = (Identity::new(), Identity::new());
    let mut command = command("null");
    command.env("PLUGIN_CLIENT_CERT", &host.pem);
    let running = Running::start(command);
    let strangers = [
        running.connect(Some(&other)).await,
        running.connect_as_nobody().await,
        running.connect(None).await,
    ];
    for channel in strangers.into_iter().flatten() {
        assert!(!answers(channel).await);
    }
    assert!(answers(running.connect(Some(&host)).await.unwrap()).await);
}

#[tokio::test]
async fn ends_when_the_host_says_so() {
    let identity = Identity::new();
    let mut command = command("random");
    command.env("PLUGIN_CLIENT_CERT", &identity.pem);
    let mut running = Running::start(command);
    let channel = running.connect(Some(&identity)).await.unwrap();
    let mut stdio = GrpcStdioClient::new(channel.clone());
    let mut printed = stdio.stream_stdio(()).await.unwrap().into_inner();
    let mut broker = GrpcBrokerClient::new(channel.clone());
    let mut connections = broker
        .start_stream(tokio_stream::pending())
        .await
        .unwrap()
        .into_inner();
    assert!(answers(channel.clone()).await);
    let silent = Duration::from_millis(200);
    assert!(
        tokio::time::timeout(silent, printed.message())
            .await
            .is_err()
    );
    let start = Instant::now();
    let mut controller = GrpcControllerClient::new(channel);
    controller.shutdown(Empty {}).await.unwrap();
    assert!(matches!(printed.message().await, Ok(None) | Err(_)));
    assert!(matches!(connections.message().await, Ok(None) | Err(_)));
    assert_eq!(running.exit_code(PATIENCE), Some(0));
    assert!(start.elapsed() < PATIENCE);
    let directory = running.socket().parent().unwrap();
    assert!(!std::fs::exists(directory).unwrap());
}

#[tokio::test]
async fn signals() {
    let mut running = Running::start(command("random"));
    let channel = running.connect(None).await.unwrap();
    let pid = Pid::from_child(&running.child);
    kill_process(pid, Signal::INT).unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(answers(channel).await);
    kill_process(pid, Signal::TERM).unwrap();
    assert_eq!(running.exit_code(PATIENCE), Some(143));
}

#[test]
fn ends_with_its_host() {
    let mut shell = command("random");
    let plugin = program();
    let environment: Vec<_> = shell
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    shell = Command::new("sh");
    shell
        .arg("-c")
        .arg("\"$0\" random & echo $!; wait")
        .arg(plugin)
        .current_dir("/")
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut host = shell.spawn().unwrap();
    let mut lines = BufReader::new(host.stdout.take().unwrap()).lines();
    let mut both = [
        lines.next().unwrap().unwrap(),
        lines.next().unwrap().unwrap(),
    ];
    both.sort_by_key(|line| line.contains('|'));
    let pid = Pid::from_raw(both[0].parse().unwrap()).unwrap();
    let socket = both[1].split('|').nth(3).unwrap().to_owned();
    assert!(test_kill_process(pid).is_ok());
    host.kill().unwrap();
    host.wait().unwrap();
    let start = Instant::now();
    while std::fs::exists(&socket).unwrap() {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "it outlives its host"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[tokio::test]
async fn health_and_unknown_services() {
    let running = Running::start(command("null"));
    let channel = running.connect(None).await.unwrap();
    let mut health = HealthClient::new(channel.clone());
    let ask = |service: &str| HealthCheckRequest {
        service: service.into(),
    };
    let answer = health.check(ask("plugin")).await.unwrap();
    assert_eq!(answer.into_inner().status, 1);
    let error = health.check(ask("other")).await.unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    let mut six = pravo_proto::tfplugin6::provider_client::ProviderClient::new(channel);
    let request = pravo_proto::tfplugin6::get_provider_schema::Request {};
    let error = six.get_provider_schema(request).await.unwrap_err();
    assert_eq!(error.code(), Code::Unimplemented);
}
