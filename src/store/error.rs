//! What can go wrong with a state.

use pravo_state::Address;
use std::{fmt, io};

/// A state that can't be read or written. The text names the place and what to do.
#[derive(Debug)]
pub enum Error {
    /// The system refused something.
    Io {
        /// What was tried, such as `read ./pravo.state/meta.json`.
        what: String,
        /// The system's answer.
        source: io::Error,
    },
    /// The path of the state names a file.
    IsFile {
        /// The path.
        place: String,
    },
    /// The state was written by a newer pravo.
    Newer {
        /// The path.
        place: String,
        /// The format it is in.
        format: u64,
    },
    /// An object that can't be understood. It never counts as absent.
    Broken {
        /// Its path.
        file: String,
        /// What is wrong, such as `is empty`.
        problem: String,
    },
    /// Another command wrote, made or removed the object in the meantime.
    Conflict {
        /// Its path.
        file: String,
    },
    /// The place does not tell upper from lower case, so it can't keep both.
    Collision {
        /// The address that is there.
        kept: Address,
        /// The address that was asked for.
        wanted: Address,
    },
    /// The object is being written by another process for more than ten seconds.
    Busy {
        /// Its path.
        file: String,
    },
    /// A state that was opened for reading was to be written.
    ReadOnly {
        /// The path.
        place: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { what, source } => write!(f, "cannot {what}: {source}"),
            Self::IsFile { place } => write!(f, "state at {place} is a file; want a directory"),
            Self::Newer { place, format } => {
                write!(
                    f,
                    "state at {place} was written by a newer pravo (format {format})"
                )
            }
            Self::Broken { file, problem } => write!(f, "{file} {problem}"),
            Self::Conflict { file } => {
                write!(f, "{file} was written by another command in the meantime")
            }
            Self::Collision { kept, wanted } => write!(
                f,
                "the state cannot keep both {kept} and {wanted}: its place does not tell upper \
                 from lower case; rename one of them"
            ),
            Self::Busy { file } => {
                write!(
                    f,
                    "{file} is held by another process that does not finish writing it"
                )
            }
            Self::ReadOnly { place } => {
                write!(f, "state at {place} was opened for reading only")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
