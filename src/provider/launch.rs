//! The start of a plugin: its process, its environment, the line it prints, and the connection.

pub(crate) mod connect;
pub(crate) mod environment;
pub(crate) mod handshake;
pub(crate) mod output;
pub(crate) mod process;
mod tls;

pub use environment::COOKIE;
pub use handshake::Protocol;
pub use process::Ended;

use crate::Located;
use handshake::Handshake;
use process::Process;
use std::ffi::OsString;
use std::fmt;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::BufReader;
use tokio::process::{ChildStdout, Command};
use tonic::transport::Channel;

/// How long a plugin may take to print its handshake.
const HANDSHAKE: Duration = Duration::from_secs(60);

/// The longest folder of sockets, in bytes: a socket's path may have 103 on every system, and
/// plugins add a name of up to 25.
const SOCKET_FOLDER: usize = 75;

/// How a plugin is started.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The working directory of the plugin: the root of the specification.
    pub cwd: PathBuf,
    /// The whole environment of the person; plugins find credentials there.
    pub env: Vec<(OsString, OsString)>,
    /// Whether the plugin's log is wanted, as `tracing` events of the target `pravo::plugin`.
    pub log: bool,
    /// How long the plugin may take to print its handshake; 60 s unless a test says otherwise.
    pub handshake: Duration,
}

impl LaunchOptions {
    /// A start in a folder, with an environment, quiet.
    pub fn new(cwd: impl Into<PathBuf>, env: Vec<(OsString, OsString)>) -> Self {
        Self {
            cwd: cwd.into(),
            env,
            log: false,
            handshake: HANDSHAKE,
        }
    }
}

/// Why a plugin did not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchError {
    /// The executable.
    pub path: PathBuf,
    /// What went wrong.
    pub kind: LaunchFailure,
}

/// What went wrong in a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchFailure {
    /// The system did not start the program, or has no place for its socket.
    Start(String),
    /// The process ended before it was ready.
    Ended(Ended),
    /// It was not ready in time.
    Slow(Duration),
    /// It is no plugin, or one that this program does not speak with.
    Handshake(String),
    /// It was ready, but could not be connected to.
    Connect(String),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            LaunchFailure::Start(problem) => {
                write!(f, "the plugin {path} can't be started: {problem}")
            }
            LaunchFailure::Ended(end) => {
                write!(f, "the plugin {path} ended before it was ready: it {end}")
            }
            LaunchFailure::Slow(limit) => write!(
                f,
                "the plugin {path} was not ready within {} s",
                limit.as_secs_f32()
            ),
            LaunchFailure::Handshake(problem) => {
                write!(f, "the plugin {path} can't be used: {problem}")
            }
            LaunchFailure::Connect(problem) => {
                write!(f, "the plugin {path} can't be connected to: {problem}")
            }
        }
    }
}

impl std::error::Error for LaunchError {}

/// A plugin that is ready for calls.
pub(crate) struct Launched {
    pub(crate) protocol: Protocol,
    pub(crate) channel: Channel,
    pub(crate) process: Process,
    /// The folder of its socket, removed with this.
    pub(crate) sockets: TempDir,
}

/// Makes what a first start needs and takes a while to make, on a thread of its own. Calling it
/// early in a program makes the first start some 30 ms shorter.
pub fn warm_up() {
    let thread = std::thread::Builder::new().name("plugin-identity".into());
    // Without the thread the first start does the work.
    let _ = thread.spawn(|| tls::identity().map(|_| ()));
}

/// Starts a plugin and connects to it.
///
/// # Errors
/// When it does not start, is no plugin, or takes too long. Its process is gone then.
pub(crate) async fn launch(
    located: &Located,
    options: &LaunchOptions,
) -> Result<Launched, LaunchError> {
    let failed = |kind| LaunchError {
        path: located.path.clone(),
        kind,
    };
    let identity = tokio::task::spawn_blocking(tls::identity)
        .await
        .map_err(|error| failed(LaunchFailure::Start(error.to_string())))?
        .map_err(|error| failed(LaunchFailure::Start(error)))?;
    let sockets =
        socket_folder(options).map_err(|e| failed(LaunchFailure::Start(e.to_string())))?;
    let kind = &located.source.kind;
    let mut command = Command::new(&located.path);
    command
        .args(&located.arguments)
        .current_dir(&options.cwd)
        .env_clear()
        .envs(environment::environment(
            &options.env,
            kind,
            &identity.pem,
            sockets.path(),
            options.log,
        ));
    let (process, stdout) = Process::start(command, kind, options.log)
        .await
        .map_err(|e| failed(LaunchFailure::Start(e.to_string())))?;
    let handshake = shake_hands(&process, stdout, options.handshake)
        .await
        .map_err(failed)?;
    let der = handshake.certificate.ok_or_else(|| {
        let problem = "it has no certificate, although it was given one";
        failed(LaunchFailure::Handshake(problem.into()))
    })?;
    let tls = tls::connector(identity, der).map_err(|e| failed(LaunchFailure::Connect(e)))?;
    let channel = connect::connect(handshake.place, Some(tls));
    let channel = match tokio::time::timeout(options.handshake, channel).await {
        Ok(channel) => channel.map_err(|e| failed(LaunchFailure::Connect(e)))?,
        Err(_) => return Err(failed(LaunchFailure::Slow(options.handshake))),
    };
    Ok(Launched {
        protocol: handshake.protocol,
        channel,
        process,
        sockets,
    })
}

/// Waits for the line that the plugin prints when it is ready; reads on after it, for ever.
async fn shake_hands(
    process: &Process,
    stdout: ChildStdout,
    limit: Duration,
) -> Result<Handshake, LaunchFailure> {
    let mut stdout = BufReader::new(stdout);
    let line = async {
        tokio::select! {
            biased;
            line = output::next_line(&mut stdout) => line,
            _ = process.wait() => None,
        }
    };
    let line = match tokio::time::timeout(limit, line).await {
        Err(_) => return Err(LaunchFailure::Slow(limit)),
        Ok(Some(line)) if line.ends_with(b"\n") || line.len() >= output::MAX_LINE => line,
        Ok(_) => {
            let end = process.wait_up_to(limit).await;
            return Err(end.map_or(LaunchFailure::Slow(limit), LaunchFailure::Ended));
        }
    };
    tokio::spawn(output::drain(stdout));
    handshake::parse(&String::from_utf8_lossy(&line)).map_err(LaunchFailure::Handshake)
}

/// A new folder, of this person only, for the socket of a plugin: in the folder for temporary
/// files, or in `/tmp` where that has too long a name.
fn socket_folder(options: &LaunchOptions) -> std::io::Result<TempDir> {
    let named = options.env.iter().find(|(name, _)| name == "TMPDIR");
    let parent = named
        .map(|(_, value)| PathBuf::from(value))
        .filter(|path| path.is_dir() && path.as_os_str().len() + 20 < SOCKET_FOLDER)
        .unwrap_or_else(|| PathBuf::from("/tmp"));
    tempfile::Builder::new()
        .prefix("pravo")
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(parent)
}
