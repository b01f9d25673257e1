//! The file work of a directory, one step after another.

use super::swap::{self, is_leftover};
use crate::{Error, Object, Version, Written};
use pravo_state::hash::sha256_hex;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How names of temporary files begin.
const TEMPORARY: &str = ".tmp-";

/// Counts temporary files of this process, so that no two have one name.
static SERIAL: AtomicU64 = AtomicU64::new(0);

/// Called before each step with its name; a failure stands for the death of the process.
#[cfg(test)]
pub(super) type Probe = std::sync::Arc<dyn Fn(&'static str) -> io::Result<()> + Send + Sync>;

/// The directory.
pub(super) struct Root {
    path: PathBuf,
    shown: String,
    prepared: AtomicBool,
    #[cfg(test)]
    pub(super) probe: Option<Probe>,
}

impl Root {
    pub(super) fn new(path: PathBuf, shown: String) -> Self {
        Self {
            path,
            shown,
            prepared: AtomicBool::new(false),
            #[cfg(test)]
            probe: None,
        }
    }

    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// A point at which a process may die, in tests.
    #[cfg(test)]
    pub(super) fn step(&self, name: &'static str) -> io::Result<()> {
        self.probe.as_ref().map_or(Ok(()), |probe| probe(name))
    }

    #[cfg(not(test))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "tests give it a meaning"
    )]
    pub(super) fn step(&self, _name: &'static str) -> io::Result<()> {
        Ok(())
    }

    /// Makes the directory and removes what crashed writers left in it.
    pub(super) fn prepare(&self) -> Result<(), Error> {
        let failed = |source| self.failed("make", "", source);
        if fs::metadata(&self.path).is_ok_and(|found| !found.is_dir()) {
            return Err(self.is_file());
        }
        self.step("make").map_err(failed)?;
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700);
        builder.create(&self.path).map_err(failed)?;
        self.prepared.store(true, Ordering::Relaxed);
        self.list("")?;
        self.list("locks/")?;
        Ok(())
    }

    pub(super) fn get(&self, key: &str) -> Result<Option<Object>, Error> {
        match fs::read(self.path_of(key)) {
            Ok(bytes) => Ok(Some(Object {
                version: version_of(&bytes),
                bytes,
            })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed("read", key, error)),
        }
    }

    pub(super) fn create(&self, key: &str, bytes: &[u8]) -> Result<Written, Error> {
        let failed = |source| self.failed("write", key, source);
        let target = self.path_of(key);
        self.make_folder(&target).map_err(failed)?;
        let temporary = self.temporary(bytes).map_err(failed)?;
        let linked = self.link(&temporary.path, &target);
        let cleaned = self.remove(&temporary.path);
        let done = linked.map_err(failed)?;
        cleaned.map_err(failed)?;
        if !done {
            return Ok(Written::Refused);
        }
        self.sync_folder(&target).map_err(failed)?;
        Ok(Written::Done(version_of(bytes)))
    }

    /// Gives a finished file a second name that must be free; whether it was. Where the file
    /// system has no links, under the `.swap` file instead, which all writers there then take.
    fn link(&self, finished: &Path, target: &Path) -> io::Result<bool> {
        self.step("link")?;
        match fs::hard_link(finished, target) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) if is_unsupported(&error) => swap::under(self, target, || {
                if target.symlink_metadata().is_ok() {
                    return Ok(false);
                }
                self.step("rename")?;
                fs::rename(finished, target)?;
                Ok(true)
            }),
            Err(error) => Err(error),
        }
    }

    pub(super) fn replace(
        &self,
        key: &str,
        bytes: &[u8],
        version: &Version,
    ) -> Result<Written, Error> {
        let target = self.path_of(key);
        let done = self.if_match(key, version, || {
            let temporary = self.temporary(bytes)?;
            self.step("rename")?;
            let renamed = fs::rename(&temporary.path, &target);
            if renamed.is_err() {
                self.remove(&temporary.path)?;
            }
            renamed
        })?;
        if !done {
            return Ok(Written::Refused);
        }
        self.sync_folder(&target)
            .map_err(|source| self.failed("write", key, source))?;
        Ok(Written::Done(version_of(bytes)))
    }

    pub(super) fn delete(&self, key: &str, version: &Version) -> Result<bool, Error> {
        let target = self.path_of(key);
        let done = self.if_match(key, version, || {
            self.step("unlink")?;
            fs::remove_file(&target)
        })?;
        // A lock that comes back after a power cut is stale: its process is gone.
        if done && !key.starts_with("locks/") {
            self.sync_folder(&target)
                .map_err(|source| self.failed("delete", key, source))?;
        }
        Ok(done)
    }

    /// Does the work if the object has that version, and no other swap comes between.
    fn if_match(
        &self,
        key: &str,
        version: &Version,
        work: impl FnOnce() -> io::Result<()>,
    ) -> Result<bool, Error> {
        let target = self.path_of(key);
        let done = swap::under(self, &target, || {
            match fs::read(&target) {
                Ok(bytes) if version_of(&bytes) == *version => work()?,
                Ok(_) => return Ok(false),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
                Err(error) => return Err(error),
            }
            Ok(true)
        });
        match done {
            Ok(done) => Ok(done),
            // Without its folder there is no such object.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) if error.kind() == ErrorKind::TimedOut => Err(Error::Busy {
                file: self.shown_of(key),
            }),
            Err(error) => Err(self.failed("write", key, error)),
        }
    }

    /// The keys that start with a text. A root that was prepared for writing is cleaned as it is
    /// read.
    pub(super) fn list(&self, prefix: &str) -> Result<Vec<String>, Error> {
        let folder = prefix.rfind('/').map_or("", |at| &prefix[..=at]);
        let failed = |source| self.failed("list", folder, source);
        let path = self.path.join(folder);
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut keys = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let left = name.starts_with(TEMPORARY) || name.ends_with(swap::ENDING);
            if left {
                self.clean(&entry.path());
            } else if entry.file_type().map_err(failed)?.is_dir() {
                continue;
            } else {
                let key = format!("{folder}{name}");
                if key.starts_with(prefix) {
                    keys.push(key);
                }
            }
        }
        keys.sort();
        Ok(keys)
    }

    /// Removes what a crashed writer left, if this root may be written and nobody holds it. It
    /// means nothing where it lies, so a failure does not matter.
    fn clean(&self, path: &Path) {
        if self.prepared.load(Ordering::Relaxed) && is_leftover(path) {
            tracing::debug!(path = %path.display(), "removed what a crashed writer left");
        }
    }

    /// A finished, synced file without a name of its own yet.
    fn temporary(&self, bytes: &[u8]) -> io::Result<Temporary> {
        loop {
            let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
            let name = format!("{TEMPORARY}{}-{serial}", std::process::id());
            let path = self.path.join(name);
            self.step("temporary")?;
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).mode(0o600);
            let mut file = match options.open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            // A cleaner may take the file between its making and this lock.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                continue;
            }
            if file.metadata()?.nlink() == 0 {
                continue;
            }
            let written = self.fill(&mut file, bytes);
            if let Err(error) = written {
                self.remove(&path)?;
                return Err(error);
            }
            return Ok(Temporary { path, _file: file });
        }
    }

    fn fill(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let (first, second) = bytes.split_at(bytes.len() / 2);
        file.write_all(first)?;
        self.step("half")?;
        file.write_all(second)?;
        self.step("sync")?;
        file.sync_all()
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step("remove")?;
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn make_folder(&self, target: &Path) -> io::Result<()> {
        let folder = target.parent().unwrap_or(&self.path);
        if folder.is_dir() {
            return Ok(());
        }
        self.step("folder")?;
        match DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        File::open(&self.path)?.sync_all()
    }

    fn sync_folder(&self, target: &Path) -> io::Result<()> {
        self.step("sync folder")?;
        File::open(target.parent().unwrap_or(&self.path))?.sync_all()
    }

    fn path_of(&self, key: &str) -> PathBuf {
        self.path.join(key)
    }

    fn shown_of(&self, key: &str) -> String {
        if key.is_empty() {
            return self.shown.clone();
        }
        format!("{}/{key}", self.shown)
    }

    fn is_file(&self) -> Error {
        Error::IsFile {
            place: self.shown.clone(),
        }
    }

    fn failed(&self, verb: &str, key: &str, source: io::Error) -> Error {
        if fs::metadata(&self.path).is_ok_and(|found| !found.is_dir()) {
            return self.is_file();
        }
        Error::Io {
            what: format!("{verb} {}", self.shown_of(key)),
            source,
        }
    }
}

/// A finished file, held while it waits for its name.
struct Temporary {
    path: PathBuf,
    _file: File,
}

fn version_of(bytes: &[u8]) -> Version {
    Version::new(&sha256_hex(bytes))
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Unsupported | ErrorKind::PermissionDenied
    )
}
