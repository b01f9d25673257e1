//! Whether a run goes on starting work.

use crate::run::RunError;
use std::cell::{Cell, RefCell};

/// Shared by the actors of one run, on their one thread.
#[derive(Default)]
pub(crate) struct Halt {
    interrupted: Cell<bool>,
    error: RefCell<Option<RunError>>,
    running: Cell<usize>,
}

impl Halt {
    /// The person asked to stop.
    pub(crate) fn interrupt(&self) {
        self.interrupted.set(true);
    }

    /// Something happened that ends the whole run. The first error stays.
    pub(crate) fn stop(&self, error: RunError) {
        self.error.borrow_mut().get_or_insert(error);
    }

    /// Whether nothing new may start.
    pub(crate) fn is_set(&self) -> bool {
        self.interrupted.get() || self.error.borrow().is_some()
    }

    /// Whether a person asked for it.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.get()
    }

    /// What ended the run.
    pub(crate) fn error(&self) -> Option<RunError> {
        self.error.borrow().clone()
    }

    /// How many operations run.
    pub(crate) fn running(&self) -> usize {
        self.running.get()
    }

    /// Counts an operation until the answer is dropped.
    pub(crate) fn count(&self) -> Running<'_> {
        self.running.set(self.running.get() + 1);
        Running(self)
    }
}

/// An operation that runs.
pub(crate) struct Running<'a>(&'a Halt);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.set(self.0.running.get() - 1);
    }
}
