//! A directory of its own for a test, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program under test.
pub(crate) const PRAVO: &str = env!("CARGO_BIN_EXE_pravo");

/// An empty directory that goes when the test ends.
pub(crate) struct World {
    /// The directory.
    pub(crate) dir: PathBuf,
}

impl World {
    /// A new directory, named after the test.
    pub(crate) fn new(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("pravo-{name}-{}-{count}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Self { dir }
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The program, to be run in the directory without anything of the user's own.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = Path::new(PRAVO).parent().unwrap();
        command
            .current_dir(&self.dir)
            .env_clear()
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("HOME", &self.dir)
            .env("USER", "tester")
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null());
        command
    }

    /// Runs pravo with these words.
    pub(crate) fn pravo(&self, words: &[&str]) -> Output {
        self.command(PRAVO).args(words).output().unwrap()
    }

    /// Runs pravo with these words, which must succeed, and gives what it printed.
    #[track_caller]
    pub(crate) fn ok(&self, words: &[&str]) -> String {
        let output = self.pravo(words);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "pravo {words:?}\n{out}{err}");
        out
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Bytes as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A small generator: tests need spread, not secrecy.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below a limit; 0 is taken for 1.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit.max(1)
    }

    /// A place among so many.
    pub(crate) fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }
}
