//! macOS: what `ps` and `sysctl` say.

use std::process::Command;

/// Which start of the system this is; empty when it is not known.
pub(super) fn boot() -> String {
    say("sysctl", &["-n", "kern.bootsessionuuid"]).unwrap_or_default()
}

/// There is one numbering of processes.
pub(super) fn namespace() -> String {
    String::new()
}

/// The moment the process started, as `ps` prints it.
pub(super) fn start_of(pid: u32) -> Option<String> {
    let number = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw)?;
    match rustix::process::test_kill_process(number) {
        Err(rustix::io::Errno::SRCH) => None,
        _ => {
            let pid = pid.to_string();
            let state = say("ps", &["-o", "stat=", "-p", &pid]).unwrap_or_default();
            if state.starts_with('Z') {
                return None;
            }
            Some(say("ps", &["-o", "lstart=", "-p", &pid]).unwrap_or_default())
        }
    }
}

fn say(program: &str, arguments: &[&str]) -> Option<String> {
    let answer = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C")
        .output()
        .ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    Some(text.trim().to_owned())
}
