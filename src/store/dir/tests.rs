//! Directories: modes, what a crash leaves, and what is no directory.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn root(path: &Path) -> Root {
    Root::new(path.to_owned(), "./state".to_owned())
}

fn done(written: Result<Written, Error>) -> Version {
    match written.unwrap() {
        Written::Done(version) => version,
        Written::Refused => panic!("refused"),
    }
}

fn names(path: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(path).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn everything_is_private_to_its_user() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let root = root(&path);
    root.prepare().unwrap();
    let version = done(root.create("resources/web.json", b"one"));
    done(root.replace("resources/web.json", b"two", &version));
    let mode = |name: &str| fs::metadata(path.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!([mode(""), mode("resources")], [0o700, 0o700]);
    assert_eq!(mode("resources/web.json"), 0o600);
    assert_eq!(names(&path), ["resources".to_owned()].into());
    assert_eq!(
        names(&path.join("resources")),
        ["web.json".to_owned()].into()
    );
}

#[test]
fn reading_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = root(&folder.path().join("state"));
    assert_eq!(root.get("meta.json").unwrap(), None);
    assert!(root.list("resources/").unwrap().is_empty());
    assert!(!root.delete("locks/a.lock", &Version::new("x")).unwrap());
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_file_in_place_of_the_directory_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    fs::write(&path, "mine").unwrap();
    let root = root(&path);
    let errors = [
        root.get("meta.json").unwrap_err(),
        root.list("resources/").unwrap_err(),
        root.prepare().unwrap_err(),
        root.create("meta.json", b"x").unwrap_err(),
    ];
    for error in errors {
        assert_eq!(
            error.to_string(),
            "state at ./state is a file; want a directory"
        );
    }
    assert_eq!(fs::read(&path).unwrap(), b"mine");
}

#[test]
fn what_the_system_refuses_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("state/meta.json")).unwrap();
    let error = root(&folder.path().join("state"))
        .get("meta.json")
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("cannot read ./state/meta.json: "),
        "{text}"
    );
}

#[test]
fn leftovers_are_not_listed_and_the_next_writer_removes_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("locks")).unwrap();
    let left = [".tmp-1-1", "outputs.json.swap", "locks/a.lock.swap"];
    for name in left {
        fs::write(path.join(name), "half").unwrap();
    }
    fs::write(path.join("outputs.json"), "{}").unwrap();
    assert_eq!(root(path).list("").unwrap(), ["outputs.json"]);
    assert_eq!(names(path).len(), 4);
    let held = fs::File::open(path.join(".tmp-1-1")).unwrap();
    held.lock().unwrap();
    root(path).prepare().unwrap();
    let want = [".tmp-1-1", "locks", "outputs.json"].map(str::to_owned);
    assert_eq!(
        names(path),
        want.into(),
        "what a process holds is no leftover"
    );
    drop(held);
    root(path).prepare().unwrap();
    assert_eq!(
        names(path),
        ["locks", "outputs.json"].map(str::to_owned).into()
    );
    assert!(names(&path.join("locks")).is_empty());
}

#[test]
fn a_swap_that_somebody_holds_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let root = root(&path);
    root.prepare().unwrap();
    let version = done(root.create("a", b"one"));
    let held = fs::File::create(path.join("a.swap")).unwrap();
    held.lock().unwrap();
    let waited = std::thread::scope(|scope| {
        let swap = scope.spawn(|| root.replace("a", b"two", &version));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(fs::read(path.join("a")).unwrap(), b"one");
        drop(held);
        swap.join().unwrap()
    });
    done(waited);
    assert_eq!(fs::read(path.join("a")).unwrap(), b"two");
    assert_eq!(names(&path), ["a".to_owned()].into());
}

/// A probe that lets a process die at the step with that number, counting from 0.
fn dies_at(step: usize, seen: &Arc<Mutex<Vec<&'static str>>>) -> blocking::Probe {
    let (count, seen) = (AtomicUsize::new(0), Arc::clone(seen));
    Arc::new(move |name| {
        seen.lock().unwrap().push(name);
        if count.fetch_add(1, Ordering::Relaxed) >= step {
            return Err(io::Error::other("died"));
        }
        Ok(())
    })
}

/// What a writer does before it dies: each entry makes, replaces or deletes one of three keys.
fn act(root: &Root, choice: u8) -> Result<(), Error> {
    let key = ["resources/a.json", "locks/a.lock", "outputs.json"][usize::from(choice % 3)];
    let bytes = vec![b'a' + choice % 20; 1 + usize::from(choice) * 40];
    match (root.get(key)?, choice % 4) {
        (None, _) => root.create(key, &bytes).map(drop),
        (Some(object), 0) => root.delete(key, &object.version).map(drop),
        (Some(object), _) => root.replace(key, &bytes, &object.version).map(drop),
    }
}

fn is_whole(bytes: &[u8]) -> bool {
    let first = bytes.first().copied().unwrap_or_default();
    bytes.len() % 40 == 1 && bytes.iter().all(|byte| *byte == first)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    /// Wherever a writer dies, every object is as it was before or after the last thing it did;
    /// the next writer finds nothing in its way, and leaves nothing else behind.
    #[test]
    fn any_step_may_be_the_last(choices in prop::collection::vec(any::<u8>(), 1..8), step in 0_usize..60) {
        let folder = tempfile::tempdir().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut dying = root(folder.path());
        dying.probe = Some(dies_at(step, &seen));
        let observer = root(folder.path());
        let keys = ["resources/a.json", "locks/a.lock", "outputs.json"];
        let state = |root: &Root| keys.map(|key| root.get(key).unwrap().map(|o| o.bytes));
        let mut before = state(&observer);
        let mut died = dying.prepare().is_err();
        for choice in &choices {
            if died {
                break;
            }
            before = state(&observer);
            died = act(&dying, *choice).is_err();
        }
        let after = state(&observer);
        prop_assert!(after.iter().flatten().all(|bytes| is_whole(bytes)));
        let changed = before.iter().zip(&after).filter(|(b, a)| b != a).count();
        prop_assert!(changed <= 1, "{:?}", seen.lock().unwrap());
        let next = root(folder.path());
        next.prepare().unwrap();
        next.list("resources/").unwrap();
        for choice in choices {
            act(&next, choice).unwrap();
        }
        let kept = state(&next).iter().flatten().count();
        let mut files = 0;
        for entry in ["", "resources", "locks"] {
            let path = folder.path().join(entry);
            let entries = fs::read_dir(path).into_iter().flatten();
            files += entries.filter(|e| e.as_ref().unwrap().path().is_file()).count();
        }
        prop_assert_eq!(files, kept);
    }
}

#[test]
fn a_full_disk_leaves_nothing_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut full = root(folder.path());
    full.prepare().unwrap();
    let version = done(full.create("a", b"one"));
    full.probe = Some(Arc::new(|name| match name {
        "half" => Err(io::ErrorKind::StorageFull.into()),
        _ => Ok(()),
    }));
    let error = full.replace("a", b"two", &version).unwrap_err().to_string();
    assert!(error.starts_with("cannot write ./state/a: "), "{error}");
    assert!(full.create("b", b"two").is_err());
    assert_eq!(names(folder.path()), ["a".to_owned()].into());
    assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"one");
}
