//! BYTES: where records are kept, what is atomic about it, and who holds which lock.
