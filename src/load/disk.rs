//! The disk, as a load sees it: every question is asked here, and can be asked again later to see
//! whether a load would find the same.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::rc::Rc;

/// What a load asks of the disk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Question {
    /// The bytes of a file.
    Bytes(String),
    /// The names in a directory, without those of directories.
    Files(String),
    /// The names of the directories in a directory.
    Folders(String),
    /// What lies at a path.
    Kind(String),
}

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A directory.
    Folder,
    /// Anything else.
    File,
}

/// The digest of an answer: SHA-256 of the bytes read, of sorted names, or of the kind. One that
/// is an error has a digest as well.
pub type Answer = [u8; 32];

/// What was asked, and the digests of the answers.
pub type Seen = BTreeMap<Question, Answer>;

/// The disk, with the memory of what was asked if it watches. Copies share their memory.
#[derive(Clone, Debug, Default)]
pub struct Disk(Option<Rc<RefCell<Watch>>>);

#[derive(Debug, Default)]
struct Watch {
    seen: Seen,
    /// The same question had two answers.
    unsteady: bool,
}

impl Disk {
    /// A disk that remembers.
    pub fn watching() -> Self {
        Self(Some(Rc::default()))
    }

    /// Everything that was asked, with the digests of the answers; nothing if the disk does not
    /// watch or changed in the meantime.
    pub fn seen(&self) -> Option<Seen> {
        let watch = self.0.as_ref()?.borrow();
        (!watch.unsteady).then(|| watch.seen.clone())
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// What the system said.
    pub fn bytes(&self, path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
        let path = path.as_ref();
        let bytes = std::fs::read(path);
        self.note(path, Question::Bytes, || digest_of_bytes(&bytes));
        bytes
    }

    /// The names in a directory that are not those of directories, sorted. Names that are not
    /// Unicode are left out.
    ///
    /// # Errors
    /// What the system said.
    pub fn files(&self, path: impl AsRef<Path>) -> io::Result<Vec<String>> {
        let path = path.as_ref();
        let names = names(path, false);
        self.note(path, Question::Files, || digest_of_names(&names));
        names
    }

    /// The names of the directories in a directory, sorted, as [`Disk::files`] gives the others.
    ///
    /// # Errors
    /// What the system said.
    pub fn folders(&self, path: impl AsRef<Path>) -> io::Result<Vec<String>> {
        let path = path.as_ref();
        let names = names(path, true);
        self.note(path, Question::Folders, || digest_of_names(&names));
        names
    }

    /// What lies at a path; nothing if it cannot be looked at.
    pub fn kind(&self, path: impl AsRef<Path>) -> Option<Kind> {
        let path = path.as_ref();
        let kind = kind(path);
        self.note(path, Question::Kind, || digest_of_kind(kind));
        kind
    }

    fn note(&self, path: &Path, question: fn(String) -> Question, answer: impl FnOnce() -> Answer) {
        let Some(watch) = &self.0 else { return };
        let mut watch = watch.borrow_mut();
        match path.to_str() {
            Some(path) => {
                let answer = answer();
                let known = watch.seen.insert(question(path.to_owned()), answer);
                watch.unsteady |= known.is_some_and(|known| known != answer);
            }
            None => watch.unsteady = true,
        }
    }
}

impl Question {
    /// The digest of the answer that the disk gives now.
    pub fn ask(&self) -> Answer {
        match self {
            Self::Bytes(path) => digest_of_bytes(&std::fs::read(path)),
            Self::Files(path) => digest_of_names(&names(Path::new(path), false)),
            Self::Folders(path) => digest_of_names(&names(Path::new(path), true)),
            Self::Kind(path) => digest_of_kind(kind(Path::new(path))),
        }
    }
}

fn kind(path: &Path) -> Option<Kind> {
    let found = std::fs::metadata(path).ok()?;
    Some(if found.is_dir() {
        Kind::Folder
    } else {
        Kind::File
    })
}

fn names(path: &Path, folders: bool) -> io::Result<Vec<String>> {
    let entries = std::fs::read_dir(path)?.filter_map(Result::ok);
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir() == folders)
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    Ok(names)
}

fn digest_of_bytes(bytes: &io::Result<Vec<u8>>) -> Answer {
    match bytes {
        Ok(bytes) => Sha256::digest(bytes).into(),
        Err(_) => [0; 32],
    }
}

fn digest_of_names(names: &io::Result<Vec<String>>) -> Answer {
    match names {
        // No name holds a zero byte.
        Ok(names) => Sha256::digest(names.join("\0")).into(),
        Err(_) => [0; 32],
    }
}

fn digest_of_kind(kind: Option<Kind>) -> Answer {
    let first = match kind {
        None => 0,
        Some(Kind::Folder) => 1,
        Some(Kind::File) => 2,
    };
    let mut answer = [0; 32];
    answer[0] = first;
    answer
}

#[cfg(test)]
mod tests {
    //! The same answer as long as nothing changes.

    use super::{Disk, Kind};

    #[test]
    fn a_question_is_answered_alike_until_something_changes() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "1").unwrap();
        let disk = Disk::watching();
        assert_eq!(disk.bytes(at("a")).unwrap(), b"1");
        assert!(disk.bytes(at("b")).is_err());
        assert_eq!(disk.files(folder.path()).unwrap(), ["a"]);
        assert!(disk.folders(folder.path()).unwrap().is_empty());
        assert_eq!(disk.kind(folder.path()), Some(Kind::Folder));
        assert_eq!(disk.kind(at("c")), None);
        let seen = disk.seen().unwrap();
        let changed = || {
            let now = seen
                .iter()
                .filter(|(question, answer)| question.ask() != **answer);
            now.count()
        };
        assert_eq!((seen.len(), changed()), (6, 0));
        std::fs::write(at("a"), "2").unwrap();
        assert_eq!(changed(), 1);
        std::fs::write(at("b"), "1").unwrap();
        assert_eq!(changed(), 3);
        std::fs::create_dir(at("c")).unwrap();
        assert_eq!(changed(), 5);
        assert!(disk.bytes(at("a")).is_ok());
        assert_eq!(disk.seen(), None);
        assert_eq!(Disk::default().seen(), None);
    }
}
