//! The socket a host connects to, in a directory that only this user can enter.

use crate::Environment;
use crate::encoding::hex;
use crate::secure;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use tokio::net::UnixListener;

/// A socket; it is removed when this is dropped.
pub(super) struct Socket {
    directory: PathBuf,
    path: String,
}

impl Socket {
    /// A fresh place for a socket, where the host wants it or among the temporary files.
    ///
    /// # Errors
    /// That the directory cannot be made or has an odd name.
    pub(super) fn new(environment: &Environment) -> io::Result<Self> {
        let base = environment
            .get("PLUGIN_UNIX_SOCKET_DIR")
            .map_or_else(|| environment.temporary(), PathBuf::from);
        let random = secure::bytes(6).map_err(|fault| io::Error::other(fault.detail))?;
        let directory = base.join(format!("pravo-{}", hex(&random)));
        let path = directory.join("plugin");
        let path = path.to_str().filter(|text| !text.contains(['|', '\n']));
        let path = path
            .map(str::to_owned)
            .ok_or_else(|| io::Error::other(format!("a socket cannot be in {}", base.display())))?;
        DirBuilder::new()
            .mode(0o700)
            .create(&directory)
            .map_err(|error| named(&format!("making {}", directory.display()), &error))?;
        Ok(Self { directory, path })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Makes the socket.
    ///
    /// # Errors
    /// That the path is too long for a socket, or that the system refuses.
    pub(super) fn listener(&self) -> io::Result<UnixListener> {
        UnixListener::bind(&self.path)
            .map_err(|error| named(&format!("making the socket {}", self.path), &error))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // What cannot be removed is a temporary file and in nobody's way.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_dir(&self.directory);
    }
}

fn named(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what} failed: {error}"))
}

#[cfg(test)]
mod tests;
