//! Compare-and-swap of a file: one process at a time, by a file that only its holder may remove.

use super::blocking::Root;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How names of swap files end.
pub(super) const ENDING: &str = ".swap";

/// How long a swap waits for another one.
const PATIENCE: Duration = Duration::from_secs(10);

/// Does the work while holding `TARGET.swap`. The lock on that file ends with the process that
/// holds it, so one that was killed stands in nobody's way, and one that was stopped in the middle
/// can't wake up and write after another.
///
/// # Errors
/// What the work or the system answers; `TimedOut` when another process holds it for ten seconds.
pub(super) fn under<T>(
    root: &Root,
    target: &Path,
    work: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    let path = swap_path(target);
    let _held = hold(&path)?;
    let done = work();
    root.step("end swap")?;
    fs::remove_file(&path)?;
    done
}

fn swap_path(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(ENDING);
    name.into()
}

fn hold(path: &Path) -> io::Result<File> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let file = options.open(path)?;
        match file.try_lock() {
            // Whoever held it before may have removed the name that was opened here.
            Ok(()) if is_at(&file, path) => return Ok(file),
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if started.elapsed() > PATIENCE {
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Removes a file that a crashed writer left; whether it did. A file that a process holds is no
/// leftover.
pub(super) fn is_leftover(path: &Path) -> bool {
    let Ok(file) = OpenOptions::new().write(true).open(path) else {
        return false;
    };
    file.try_lock().is_ok() && is_at(&file, path) && fs::remove_file(path).is_ok()
}

/// Whether the name still means the file that was opened by it.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(held), Ok(named)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    (held.dev(), held.ino()) == (named.dev(), named.ino())
}
