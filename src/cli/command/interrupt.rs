//! Ctrl-C: the first lets what runs finish and be recorded, the second leaves at once.

use crate::exit::{Code, Failure};
use crate::screen::Screen;
use pravo_actors::Session;
use pravo_state::Address;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The nodes whose calls run.
pub(super) type Running = Arc<Mutex<BTreeSet<Address>>>;

/// Listens for the wish to stop for as long as the process lives.
///
/// # Errors
/// A system that does not let signals be caught.
pub(super) fn watch(
    screen: Screen,
    session: &Arc<Session>,
    running: Running,
) -> Result<(), Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM])
        .map_err(|error| format!("signals cannot be caught: {error}"))?;
    let session: Weak<Session> = Arc::downgrade(session);
    let watcher = std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut asked = false;
            for _ in &mut signals {
                match session.upgrade() {
                    Some(session) if !asked => session.interrupt(),
                    Some(_) => leave(screen, &running),
                    None => std::process::exit(i32::from(Code::Error as u8)),
                }
                asked = true;
            }
        });
    watcher
        .map(|_| ())
        .map_err(|error| Failure::new(format!("no thread for signals: {error}")))
}

/// Ends the process without waiting for the calls that run.
fn leave(screen: Screen, running: &Running) {
    let running = running.lock().unwrap_or_else(PoisonError::into_inner);
    let names: Vec<&str> = running.iter().map(Address::as_str).collect();
    if !names.is_empty() {
        screen.note(&format!(
            "Left without waiting: the result of {} is not known; the next plan reads them.",
            names.join(", ")
        ));
    }
    std::process::exit(i32::from(Code::Error as u8));
}
