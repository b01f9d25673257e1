//! SERVE: the process around a plugin, from its start by a host to its end.
//!
//! The host starts the process with a cookie in its environment, reads one line from its standard
//! output, connects to the socket that the line names and calls the services there. The process
//! ends when the host says so, and when the host is gone.

mod calls;
mod certificate;
mod connection;
mod dispatch;
mod life;
mod provider;
mod side;
mod socket;
mod wire;

use crate::Environment;
use crate::kit::Plugin;
use certificate::Tls;
use dispatch::Services;
use life::{End, Ending};
use socket::Socket;
use std::io::{self, Write};
use std::sync::Arc;

/// The variable that tells a start by a host from a start by hand.
const COOKIE: &str = "TF_PLUGIN_MAGIC_COOKIE";

/// Its value. Not a secret; every host and every plugin knows it.
const COOKIE_VALUE: &str = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

/// The version of the handshake.
const CORE_VERSION: u32 = 1;

/// The version of the plugin protocol that is served.
const PROTOCOL_VERSION: u32 = 5;

/// The exit code of a process that a termination signal ended.
const TERMINATED: u8 = 128 + 15;

/// Serves a bundled plugin until its host ends it, and returns the exit code of the process.
///
/// Blocks; makes its own threads. `environment` is that of the process: the host puts the cookie
/// and its certificate there. Prints the handshake line on standard output and nothing else
/// there; what keeps it from serving goes to standard error, with exit code 1.
pub fn serve(name: &str, environment: &Environment) -> u8 {
    match run(name, environment) {
        Ok(code) => code,
        Err(reason) => {
            // Nobody is left to tell when standard error is closed.
            let _ = writeln!(io::stderr(), "{reason}");
            1
        }
    }
}

fn run(name: &str, environment: &Environment) -> Result<u8, String> {
    if environment.text(COOKIE) != Some(COOKIE_VALUE) {
        return Err(format!(
            "This is the provider plugin {name:?}. It does nothing by itself: pravo, OpenTofu or \
             Terraform start it when a configuration needs it."
        ));
    }
    let plugin = crate::plugin(name, environment).ok_or_else(|| {
        let names = crate::names().join(", ");
        format!("There is no bundled plugin {name:?}; there are {names}.")
    })?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| format!("The plugin {name} cannot start its threads: {error}."))?;
    let code = runtime
        .block_on(host(plugin, environment))
        .map_err(|error| format!("The plugin {name} cannot be served: {error}."));
    runtime.shutdown_background();
    code
}

async fn host(plugin: Plugin, environment: &Environment) -> io::Result<u8> {
    let mut life = life::Life::new()?;
    let tls = environment
        .get("PLUGIN_CLIENT_CERT")
        .map(|pem| Tls::for_client(&pem.to_string_lossy()))
        .transpose()?;
    let socket = Socket::new(environment)?;
    let ending = Ending::default();
    let incoming = connection::accept(socket.listener()?, tls.as_ref(), life.visits());
    let services = Services::new(Arc::new(plugin), &ending);
    announce(&socket, tls.as_ref(), environment)?;
    let server = tonic::transport::Server::builder().serve_with_incoming_shutdown(
        services,
        incoming,
        ending.clone().wait(),
    );
    tokio::select! {
        served = server => served.map(|()| 0).map_err(io::Error::other),
        end = life.end(&ending) => Ok(match end {
            End::Told | End::Abandoned => 0,
            End::Terminated => TERMINATED,
        }),
    }
}

/// Prints the line that tells the host where to connect.
fn announce(socket: &Socket, tls: Option<&Tls>, environment: &Environment) -> io::Result<()> {
    let mut line = format!(
        "{CORE_VERSION}|{PROTOCOL_VERSION}|unix|{}|grpc|{}",
        socket.path(),
        tls.map(Tls::announced).unwrap_or_default()
    );
    if environment.get("PLUGIN_MULTIPLEX_GRPC").is_some() {
        line.push_str("|false");
    }
    line.push('\n');
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.flush()
}
