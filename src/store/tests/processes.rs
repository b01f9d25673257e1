//! Processes of this machine.

use pravo_state::{Host, Liveness};
use pravo_store::{Processes, SystemProcesses};
use std::process::{Command, Stdio};

#[test]
fn a_process_is_alive_until_it_ends() {
    let processes = SystemProcesses::new();
    let host = processes.host();
    let mut child = Command::new("sleep")
        .arg("60")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = child.id();
    let start = processes.start_of(pid);
    assert_eq!(
        processes.liveness(&host, pid, start.as_deref()),
        Liveness::Alive
    );
    assert_eq!(processes.liveness(&host, pid, None), Liveness::Alive);
    assert_eq!(
        processes.liveness(&Host::new(host.name()), pid, None),
        Liveness::Alive
    );
    child.kill().unwrap();
    // It has ended, but nobody has waited for it yet.
    let ended = std::time::Instant::now();
    while processes.start_of(pid).is_some() && ended.elapsed().as_secs() < 10 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(
        processes.liveness(&host, pid, start.as_deref()),
        Liveness::Gone
    );
    child.wait().unwrap();
    assert_eq!(processes.liveness(&host, pid, None), Liveness::Gone);
}

#[test]
fn a_reused_number_is_another_process() {
    let processes = SystemProcesses::new();
    let (host, own) = (processes.host(), std::process::id());
    assert_eq!(
        processes.liveness(&host, own, Some("another time")),
        Liveness::Gone
    );
}

#[test]
fn nobody_knows_the_processes_of_another_machine() {
    let processes = SystemProcesses::new();
    let own = std::process::id();
    let other = Host::known(processes.host().name(), "another boot", "");
    for host in [Host::new("elsewhere"), Host::new(""), other] {
        assert_eq!(
            processes.liveness(&host, own, None),
            Liveness::Unknown,
            "{host}"
        );
    }
    assert_eq!(
        processes.liveness(&processes.host(), 0, None),
        Liveness::Unknown
    );
}
