//! The folder of saved evaluations. Whatever lies there can be lost at any time.

use crate::specification::LoadOptions;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// What a file begins with; the digest of the rest follows.
const MAGIC: &[u8] = b"pravo evaluation 1\n";

/// How many files are kept; the ones that were written longest ago go first.
const MOST: usize = 64;

/// Where evaluations are saved.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    stamp: String,
}

impl Cache {
    /// A cache in a folder, which is made when something is saved. The stamp names the program:
    /// another program takes nothing that this one saved.
    pub fn new(folder: impl Into<PathBuf>, stamp: impl Into<String>) -> Self {
        let (folder, stamp) = (folder.into(), stamp.into());
        Self { folder, stamp }
    }

    /// The file for a root with its tags.
    fn file(&self, options: &LoadOptions) -> PathBuf {
        let LoadOptions {
            root,
            tags,
            variables,
            modules,
        } = options;
        let key = format!("{:?}", (&self.stamp, root, tags, variables, modules));
        let name = pravo_state::hash::sha256_hex(key.as_bytes());
        self.folder.join(name)
    }

    /// What is saved for a root; nothing if there is none, or it is damaged.
    pub(super) fn read<T: DeserializeOwned>(&self, options: &LoadOptions) -> Option<T> {
        let bytes = fs::read(self.file(options)).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (digest, payload) = rest.split_at_checked(32)?;
        if Sha256::digest(payload).as_slice() != digest {
            return None;
        }
        postcard::from_bytes(payload).ok()
    }

    /// Saves, whole or not at all.
    pub(super) fn write<T: Serialize>(&self, options: &LoadOptions, value: &T) -> io::Result<()> {
        let payload = postcard::to_allocvec(value).map_err(io::Error::other)?;
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(MAGIC)?;
        file.write_all(&Sha256::digest(&payload))?;
        file.write_all(&payload)?;
        file.persist(self.file(options))?;
        thin(&self.folder)
    }
}

/// Removes the oldest files where there are too many.
fn thin(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Ok(time) = entry.metadata().and_then(|m| m.modified()) {
            files.push((time, entry.path()));
        }
    }
    files.sort();
    for (_, path) in files.iter().take(files.len().saturating_sub(MOST)) {
        fs::remove_file(path)?;
    }
    Ok(())
}
