//! A command that takes two locks again and again and counts under them, for tests with several
//! real processes that are killed at any moment.
//!
//! `contender STATE SIDE ROUNDS`: for each counted write a byte is added to `SIDE/counted`; who
//! meets another live process under the same locks makes `SIDE/violated`.

use pravo_state::{Address, Holder, Host, Outside, Time};
use pravo_store::{
    DirObjects, Ending, HeldLock, Locker, Processes, Purpose, State, SystemProcesses,
};
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The clock and randomness of the system.
struct Real;

impl Outside for Real {
    #[expect(
        clippy::disallowed_methods,
        reason = "a program of its own reads its clock"
    )]
    fn now(&self) -> Time {
        std::time::SystemTime::now().into()
    }

    fn random(&self) -> [u8; 16] {
        uuid::Uuid::new_v4().into_bytes()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [state, side, rounds] = arguments.as_slice() else {
        return Err("want STATE SIDE ROUNDS".into());
    };
    let (state, side, rounds) = (Path::new(state), Path::new(side), rounds.parse()?);
    pravo_store::block_on(contend(state, side, rounds))?
}

async fn contend(path: &Path, side: &Path, rounds: usize) -> Result<(), Box<dyn Error>> {
    let objects = Arc::new(DirObjects::new(path, "state"));
    let state = State::open_write(objects, &Real).await?;
    let processes = Arc::new(SystemProcesses::new());
    let holder = Holder {
        user: "u".into(),
        host: Host::default(),
        pid: 0,
        pid_start: None,
        command: "contender".into(),
        actor: None,
        reason: None,
    };
    let locker = Locker::new(state, processes, Arc::new(Real), holder);
    let purpose = Purpose {
        patience: Duration::from_secs(60),
        ..Purpose::default()
    };
    let addrs = ["a", "b"].iter().map(|addr| Address::parse(addr));
    let addrs = addrs.collect::<Result<_, _>>()?;
    for _ in 0..rounds {
        let held = locker.acquire_all(&addrs, &purpose).await?;
        count(&locker, &held, side).await?;
        locker.release_all(held, Ending::Done).await?;
    }
    Ok(())
}

async fn count(locker: &Locker, held: &[HeldLock], side: &Path) -> Result<(), Box<dyn Error>> {
    let inside = side.join("inside");
    if let Ok(text) = fs::read_to_string(&inside) {
        let other: u32 = text.parse().unwrap_or(0);
        if other != 0 && SystemProcesses::new().start_of(other).is_some() {
            fs::write(
                side.join("violated"),
                format!("{other} and {}", std::process::id()),
            )?;
            return Err("two hold one lock".into());
        }
    }
    fs::write(&inside, std::process::id().to_string())?;
    let state = locker.state();
    let addr = &held[0].lock.addr;
    let kept = state.record(addr).await?.ok_or("the record is gone")?;
    let mut next = kept.value.clone();
    next.revision += 1;
    state.put_record(&next, Some(&kept.version)).await?;
    let mut counted = OpenOptions::new().append(true).open(side.join("counted"))?;
    counted.write_all(b".")?;
    fs::write(&inside, "0")?;
    Ok(())
}
