//! What rooms may ask of the world around the process, named and not read.

use crate::Time;

/// The clock and randomness, as the command line room hands them to those that wait and make ids.
pub trait Outside: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> Time;

    /// Sixteen random bytes, fit for a nonce that nobody guesses.
    fn random(&self) -> [u8; 16];
}
