//! A plugin for the tests of the client. `FAKE_START` says how it starts and behaves beside its
//! calls, `FAKE_PROTOCOL` which version it speaks; what a call does is said by the `do` attribute
//! of the configuration it gets.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a program of the tests, with an environment and outputs of its own"
)]

mod beside;
mod service;
mod tls;
mod v5;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use pravo_proto::plugin::grpc_controller_server::GrpcControllerServer;
use pravo_proto::plugin::grpc_stdio_server::GrpcStdioServer;
use pravo_proto::{tfplugin5, tfplugin6};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

fn main() {
    let start = std::env::var("FAKE_START").unwrap_or_default();
    if std::env::var("TF_PLUGIN_MAGIC_COOKIE").is_err() {
        eprintln!("this is a plugin; it is started by its host");
        std::process::exit(1);
    }
    match start.as_str() {
        "exit" => {
            eprintln!("no licence found");
            std::process::exit(3);
        }
        "exit-0" => {
            eprintln!(r#"{{"@level":"error","@message":"plugin init error","error":"no room"}}"#);
            std::process::exit(0);
        }
        "slow" => std::thread::sleep(Duration::from_secs(600)),
        "stray" => println!("welcome to the plugin"),
        "endless" => loop {
            print!("no line ends here, ");
        },
        "old" => {
            println!("1|4|unix|/nowhere|grpc");
            std::thread::sleep(Duration::from_secs(600));
        }
        "plain" => {
            println!("1|6|unix|/nowhere|grpc|");
            std::thread::sleep(Duration::from_secs(600));
        }
        "nowhere" => {
            let certificate = STANDARD_NO_PAD.encode(tls::identity().certificate);
            println!("1|6|unix|/nowhere|grpc|{certificate}");
            std::thread::sleep(Duration::from_secs(600));
        }
        _ => {}
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.unwrap().block_on(serve(&start));
}

/// Serves until the host asks for the end.
async fn serve(start: &str) {
    let folder = PathBuf::from(std::env::var_os("PLUGIN_UNIX_SOCKET_DIR").unwrap());
    let socket = folder.join(format!("fake{}", std::process::id()));
    let listener = tokio::net::UnixListener::bind(&socket).unwrap();
    let identity = tls::identity();
    let announced = match start {
        "wrong-certificate" => tls::identity().certificate,
        _ => identity.certificate.clone(),
    };
    let incoming = tls::accept(listener, &identity);
    let newer = std::env::var("FAKE_PROTOCOL").is_ok_and(|version| version == "6");
    let version = if newer { 6 } else { 5 };
    let line = format!(
        "1|{version}|unix|{}|grpc|{}\n",
        socket.display(),
        STANDARD_NO_PAD.encode(&announced)
    );
    for piece in line.as_bytes().chunks(line.len() / 3 + 1) {
        std::io::stdout().write_all(piece).unwrap();
        std::io::stdout().flush().unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let server = tonic::transport::Server::builder()
        .add_service(GrpcStdioServer::new(beside::Prints::default()))
        .add_service(GrpcControllerServer::new(beside::Controller {
            stubborn: start == "stubborn",
        }));
    let fake = service::Fake::default();
    let served = if newer {
        let provider = tfplugin6::provider_server::ProviderServer::new(fake)
            .max_decoding_message_size(usize::MAX);
        server
            .add_service(provider)
            .serve_with_incoming(incoming)
            .await
    } else {
        let provider = tfplugin5::provider_server::ProviderServer::new(v5::Older(fake))
            .max_decoding_message_size(usize::MAX);
        server
            .add_service(provider)
            .serve_with_incoming(incoming)
            .await
    };
    served.unwrap();
}
