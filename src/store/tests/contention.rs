//! Several real processes want the same locks, and some are killed at any moment.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use pravo_state::{Address, Mode, Outside, Record, Time};
use pravo_store::{DirObjects, State};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// A clock that stands: only the head of the state is made with it.
struct Standing(AtomicU8);

impl Outside for Standing {
    fn now(&self) -> Time {
        Time::parse("2026-01-01T00:00:00Z").unwrap()
    }

    fn random(&self) -> [u8; 16] {
        [self.0.fetch_add(1, Ordering::Relaxed); 16]
    }
}

fn contender() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let target = own.parent().and_then(Path::parent).unwrap();
    let path = target.join("examples/contender");
    assert!(
        path.exists(),
        "{} is missing; run plain `cargo test`",
        path.display()
    );
    path
}

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

async fn open(path: &Path) -> State {
    let objects = Arc::new(DirObjects::new(path, "state"));
    State::open_write(objects, &Standing(AtomicU8::new(1)))
        .await
        .unwrap()
}

fn files(path: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["", "resources", "locks"] {
        for entry in fs::read_dir(path.join(folder)).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_file() {
                names.push(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
    names
}

struct Field {
    folder: tempfile::TempDir,
}

impl Field {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let state = open(&folder.path().join("state")).await;
        let record = Record::new(address("a"), Mode::Managed, "null_resource");
        state.put_record(&record, None).await.unwrap();
        fs::create_dir(folder.path().join("side")).unwrap();
        fs::write(folder.path().join("side/counted"), "").unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, rounds: usize) -> Child {
        let mut command = Command::new(contender());
        command.arg(self.path("state")).arg(self.path("side"));
        command.arg(rounds.to_string()).spawn().unwrap()
    }

    fn counted(&self) -> u64 {
        fs::metadata(self.path("side/counted")).unwrap().len()
    }

    async fn revision(&self) -> u64 {
        let state = open(&self.path("state")).await;
        let kept = state.record(&address("a")).await.unwrap();
        kept.unwrap().revision
    }
}

#[tokio::test]
async fn processes_that_meet_take_turns() {
    let field = Field::new().await;
    let mut children: Vec<Child> = (0..4).map(|_| field.start(6)).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!((field.counted(), field.revision().await), (24, 25));
    assert_eq!(files(&field.path("state")), ["a.json", "meta.json"]);
    assert!(!field.path("side/violated").exists());
}

#[tokio::test]
async fn processes_that_are_killed_leave_whole_files_and_stand_in_nobodys_way() {
    let field = Field::new().await;
    let mut children: Vec<Child> = (0..3).map(|_| field.start(usize::MAX)).collect();
    let (started, mut kills) = (Instant::now(), 0_u64);
    while started.elapsed() < Duration::from_secs(5) {
        // Odd pauses, so that the kills fall on all parts of a turn.
        let pause = 7 + (kills * 37) % 61;
        std::thread::sleep(Duration::from_millis(pause));
        let victim = (kills % 3) as usize;
        children[victim].kill().unwrap();
        children[victim].wait().unwrap();
        children[victim] = field.start(usize::MAX);
        kills += 1;
    }
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(!field.path("side/violated").exists());
    let (counted, revision) = (field.counted(), field.revision().await);
    // Who is killed between its write and its note has written without a note.
    assert!(
        (1 + counted..=1 + counted + kills + 3).contains(&revision),
        "{revision} {counted}"
    );
    assert!(
        counted > 0 && kills > 20,
        "{counted} counted, {kills} killed"
    );
    assert!(field.start(1).wait().unwrap().success());
    let state = open(&field.path("state")).await;
    assert_eq!(state.records().await.unwrap().len(), 1);
    assert_eq!(files(&field.path("state")), ["a.json", "meta.json"]);
}
