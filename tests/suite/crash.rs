//! `kill -9` in the middle of an apply: nothing is half written, nothing is forgotten, nothing is
//! left running, and the next apply finishes the work.
//!
//! `PRAVO_CRASH_RUNS` says how often (12 without it).

use crate::world::{Dice, PRAVO, World, text};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const FILES: usize = 40;
const SECRETS: usize = 10;

fn specification() -> String {
    let mut out = String::from(
        "package crash\n\nimport (\n\trnd \"pravo.dev/providers/hashicorp/random\"\n\tloc \"pravo.dev/providers/hashicorp/local\"\n)\n\n\
         $random: rnd.#Provider\n$local: loc.#Provider\n\nround: *\"1\" | string @tag(round)\n",
    );
    for n in 0..SECRETS {
        out += &format!(
            "secret{n}: $random.#Resource.random_password & {{length: 12, keepers: round: round}}\n"
        );
    }
    for n in 0..FILES {
        let content = format!("\\(secret{}.id) \\(round)", n % SECRETS);
        out += &format!(
            "file{n}: $local.#Resource.local_file & {{filename: \"objects/file{n}-\\(round).txt\", content: \"{content}\"}}\n"
        );
    }
    out
}

/// Where the process was when it was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    BeforeCalls,
    DuringCalls,
    BetweenCalls,
    AfterEnd,
}

/// Starts an apply and gives the lines it prints, each with its time.
fn lines(child: &mut std::process::Child) -> Receiver<(Instant, String)> {
    let (send, receive) = channel();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            let _ = send.send((Instant::now(), line));
        }
    });
    receive
}

fn apply(world: &World, round: &str) -> std::process::Child {
    world
        .command(PRAVO)
        .args(["apply", "-auto-approve", "-t", &format!("round={round}")])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// How long an apply takes until its first call.
fn measure() -> Duration {
    let world = fresh();
    let start = Instant::now();
    let mut child = apply(&world, "1");
    let lines = lines(&mut child);
    child.wait().unwrap();
    let first = lines.iter().find(|(_, line)| line.contains("Creating..."));
    first.unwrap().0 - start
}

fn fresh() -> World {
    let world = World::new("crash");
    world.write("main.cue", specification());
    world.ok(&["init"]);
    world
}

/// Runs an apply and kills it at a random moment: sometimes before its first call, else after a
/// random number of lines of progress.
fn crash(world: &World, round: &str, dice: &mut Dice, until_first: Duration) -> Moment {
    let early = dice.below(10) == 0;
    let longest = if early {
        until_first
    } else {
        Duration::from_millis(3)
    };
    let delay = Duration::from_micros(dice.below(longest.as_micros() as u64));
    let mut wanted = 1 + dice.below(2 * (FILES + SECRETS) as u64 - 10);
    let mut child = apply(world, round);
    let lines = lines(&mut child);
    let mut running = BTreeSet::new();
    let mut started = false;
    let mut follow = |(_, line): (Instant, String)| {
        let address = line.split(": ").next().unwrap_or_default().to_owned();
        if ["Creating", "Modifying", "Destroying"]
            .iter()
            .any(|word| line.contains(&format!(": {word}")))
        {
            running.insert(address);
            started = true;
        } else if line.contains(" complete after") {
            running.remove(&address);
        }
        started
    };
    if !early {
        while let Ok(line) = lines.recv_timeout(Duration::from_secs(20)) {
            if follow(line) {
                wanted -= 1;
            }
            if wanted == 0 {
                break;
            }
        }
    }
    std::thread::sleep(delay);
    let ended = child.try_wait().unwrap().is_some();
    child.kill().unwrap();
    child.wait().unwrap();
    for line in lines.iter() {
        follow(line);
    }
    match (ended, started, running.is_empty()) {
        (true, ..) => Moment::AfterEnd,
        (_, false, _) => Moment::BeforeCalls,
        (_, true, false) => Moment::DuringCalls,
        (_, true, true) => Moment::BetweenCalls,
    }
}

/// The processes that run in this directory.
fn processes(dir: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(Result::ok)
        .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == dir))
        .map(|entry| {
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            text(&command).replace('\0', " ")
        })
        .collect()
}

fn no_process_is_left(world: &World) {
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        let left = processes(&world.dir);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < until, "still alive after 5 s: {left:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn recorded(world: &World) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![world.dir.join("pravo.state")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.ends_with(".json") && !name.ends_with(".lock") {
                continue;
            }
            let value: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap())
                .unwrap_or_else(|error| panic!("{} is half written: {error}", path.display()));
            if folder.ends_with("resources") {
                found.insert(value["addr"].as_str().unwrap().to_owned());
            }
        }
    }
    found
}

fn check(world: &World, round: &str) {
    no_process_is_left(world);
    let records = recorded(world);
    let plan = world.pravo(&["plan", "-t", &format!("round={round}")]);
    assert!(plan.status.success(), "{}", text(&plan.stderr));
    let told = text(&plan.stderr);
    for entry in fs::read_dir(world.dir.join("objects"))
        .into_iter()
        .flatten()
    {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let address = name.split('-').next().unwrap().to_owned();
        let uncertain = told.contains(&format!("Warning: {address}: "));
        assert!(
            records.contains(&address) || uncertain,
            "{name} is forgotten\n{told}"
        );
    }
    world.ok(&["apply", "-auto-approve", "-t", &format!("round={round}")]);
    let locks = world.ok(&["state", "locks"]);
    assert_eq!(locks, "No locks or reservations held.\n");
    let again = world.ok(&["plan", "-t", &format!("round={round}")]);
    assert!(again.contains("No changes."), "{again}");
    assert_eq!(recorded(world).len(), FILES + SECRETS);
    no_process_is_left(world);
}

#[test]
fn an_apply_that_is_killed_leaves_nothing_half_done() {
    let runs: usize = std::env::var("PRAVO_CRASH_RUNS").map_or(12, |n| n.parse().unwrap());
    let until_first = measure();
    let mut dice = Dice(runs as u64 ^ 0x9e37_79b9);
    let mut moments = Vec::new();
    let mut world = fresh();
    for run in 0..runs {
        let round = format!("r{run}");
        if run % 2 == 0 {
            world = fresh();
        }
        moments.push(crash(&world, &round, &mut dice, until_first));
        check(&world, &round);
    }
    let count = |moment| moments.iter().filter(|m| **m == moment).count();
    println!(
        "{runs} kills: {} before provider calls, {} during, {} between, {} after the end",
        count(Moment::BeforeCalls),
        count(Moment::DuringCalls),
        count(Moment::BetweenCalls),
        count(Moment::AfterEnd)
    );
    assert!(
        count(Moment::DuringCalls) * 2 >= runs,
        "too few kills during provider calls"
    );
}
