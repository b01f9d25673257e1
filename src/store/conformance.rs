//! The suite that every place for objects must pass.
