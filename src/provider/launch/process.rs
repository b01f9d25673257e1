//! The process of a plugin: its start, its end, and who is told of it.

use super::output::{self, Tail};
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;
use tokio::process::{Child, ChildStdout, Command};
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::JoinHandle;

/// How long the reader of the error output may take to finish after an end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How a plugin's process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The exit status, or what ended the process, in words.
    pub status: String,
    /// The message of a crash or the last lines that the plugin wrote; may be empty.
    pub words: String,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.status)?;
        if !self.words.is_empty() {
            write!(f, ":\n{}", self.words)?;
        }
        Ok(())
    }
}

/// A running plugin. When the last copy is dropped the process is killed.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    ended: watch::Receiver<Option<Ended>>,
    killer: Arc<Killer>,
}

#[derive(Debug)]
struct Killer(Arc<Notify>);

impl Drop for Killer {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Process {
    /// Starts a program; `standard` sets up everything but its input and outputs. Returns its
    /// standard output as well.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub(crate) async fn start(
        mut command: Command,
        plugin: &str,
        log: bool,
    ) -> io::Result<(Self, ChildStdout)> {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = spawn(command).await?;
        let missing = || io::Error::other("the process has no outputs");
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let tail = Tail::default();
        let reader = output::read_log(stderr, tail.clone(), plugin.to_owned(), log);
        let reader = tokio::spawn(reader);
        let (tell, ended) = watch::channel(None);
        let kill = Arc::new(Notify::new());
        tokio::spawn(watch_over(child, kill.clone(), reader, tail, tell));
        let killer = Arc::new(Killer(kill));
        Ok((Self { ended, killer }, stdout))
    }

    /// Waits for the end of the process.
    pub(crate) async fn wait(&self) -> Ended {
        let mut ended = self.ended.clone();
        let lost = || Ended {
            status: "was lost sight of".into(),
            words: String::new(),
        };
        match ended.wait_for(Option::is_some).await {
            Ok(end) => end.clone().unwrap_or_else(lost),
            Err(_) => lost(),
        }
    }

    /// Waits for the end of the process, for at most so long.
    pub(crate) async fn wait_up_to(&self, limit: Duration) -> Option<Ended> {
        tokio::time::timeout(limit, self.wait()).await.ok()
    }

    /// How the process ended, if it did.
    pub(crate) fn ended(&self) -> Option<Ended> {
        self.ended.borrow().clone()
    }

    /// Kills the process, unless it ended already.
    pub(crate) fn kill(&self) {
        self.killer.0.notify_one();
    }
}

/// Waits for the end of the process, or kills it when asked, and tells how it ended.
async fn watch_over(
    mut child: Child,
    kill: Arc<Notify>,
    reader: JoinHandle<()>,
    tail: Tail,
    tell: watch::Sender<Option<Ended>>,
) {
    let status = tokio::select! {
        status = child.wait() => status,
        () = kill.notified() => {
            if let Err(error) = child.start_kill() {
                tracing::debug!("a plugin could not be killed: {error}");
            }
            child.wait().await
        }
    };
    // A grandchild may hold the output open; the words so far have to do then.
    let _ = tokio::time::timeout(LAST_WORDS, reader).await;
    tell.send_replace(Some(Ended {
        status: describe(status),
        words: tail.text(),
    }));
}

fn describe(status: io::Result<ExitStatus>) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status {
        Err(error) => format!("was lost sight of ({error})"),
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => format!("exited with status {code}"),
            (None, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None) => "ended".into(),
        },
    }
}

struct Start {
    command: Command,
    runtime: Handle,
    reply: oneshot::Sender<io::Result<Child>>,
}

/// Starts a process from the one thread that does so, which lives as long as the program: the
/// kernel ends a plugin when the thread that started it ends.
async fn spawn(mut command: Command) -> io::Result<Child> {
    static STARTER: OnceLock<Option<mpsc::Sender<Start>>> = OnceLock::new();
    let gone = || io::Error::other("no process can be started");
    let starter = STARTER.get_or_init(|| {
        let (starter, starts) = mpsc::channel();
        let thread = std::thread::Builder::new().name("plugin-starter".into());
        thread.spawn(move || start_all(&starts)).ok()?;
        Some(starter)
    });
    end_with_this_process(&mut command);
    let (reply, answer) = oneshot::channel();
    let start = Start {
        command,
        runtime: Handle::current(),
        reply,
    };
    let starter = starter.as_ref().ok_or_else(gone)?;
    starter.send(start).map_err(|_| gone())?;
    answer.await.map_err(|_| gone())?
}

fn start_all(starts: &mpsc::Receiver<Start>) {
    for mut start in starts {
        let _runtime = start.runtime.enter();
        // Nobody waits any more: the child is dropped, and killed by that.
        let _ = start.reply.send(start.command.spawn());
    }
}

/// Has the kernel end the plugin when this process is killed: a plugin in Go that is idle would
/// run on for ever.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "only between fork and exec can a process ask for this"
)]
fn end_with_this_process(command: &mut Command) {
    let parent = std::process::id();
    let ask = move || {
        // SAFETY: both are plain system calls, allowed between fork and exec; they touch no memory.
        let (asked, parent_now) = unsafe {
            let asked = libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            (asked, libc::getppid())
        };
        if asked != 0 {
            return Err(io::Error::last_os_error());
        }
        if u32::try_from(parent_now) != Ok(parent) {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        Ok(())
    };
    // SAFETY: `ask` allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(ask);
    }
}

/// Other systems know no such request; a plugin there ends by itself or stays.
#[cfg(not(target_os = "linux"))]
fn end_with_this_process(_command: &mut Command) {}
