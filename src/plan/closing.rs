//! The counts of a plan and the lines that close it.

use crate::{Action, Change};

/// What a plan counted. A replacement counts in `add`, `destroy` and `replace`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Objects to be made.
    pub add: usize,
    /// Objects to be changed in place.
    pub change: usize,
    /// Objects to be destroyed.
    pub destroy: usize,
    /// Replacements among them.
    pub replace: usize,
    /// Data sources that are read in the apply or differ from their records.
    pub read: usize,
    /// Records to be dropped without touching their objects.
    pub forget: usize,
    /// Records that moved.
    pub moved: usize,
    /// Objects that were imported.
    pub imported: usize,
    /// The changed nodes and every node that depends on them by the recorded edges.
    pub blast_radius: usize,
    /// Nodes that went to their provider for a plan, are deleted, moved or imported, or are a
    /// data source that differs or waits.
    pub planned: usize,
    /// Declared resources and data sources, and records that are no longer declared.
    pub total: usize,
    /// Nodes left alone.
    pub skipped: usize,
    /// Records read from their providers.
    pub refreshed: usize,
    /// Of these, the ones marked after the read.
    pub drifted: usize,
    /// Records not read that are within their refresh age.
    pub within_refresh_age: usize,
    /// Records not read that are past their refresh age.
    pub not_read: usize,
    /// Ephemeral resources opened.
    pub ephemeral: usize,
    /// Functions called.
    pub calls: usize,
    /// Nothing was read because that was asked for.
    pub refresh_off: bool,
}

impl Summary {
    /// Counts the actions of one entry.
    pub fn count(&mut self, change: &Change) {
        match change.action {
            Action::Create => self.add += 1,
            Action::Update => self.change += 1,
            Action::Replace => {
                self.add += 1;
                self.destroy += 1;
                self.replace += 1;
            }
            Action::Delete => self.destroy += 1,
            Action::Read => self.read += 1,
            Action::Forget => self.forget += 1,
            Action::NoOp => {}
        }
    }

    /// `Plan: N to add, N to change, N to destroy.`
    pub fn plan_line(&self) -> String {
        let forget = match self.forget {
            0 => String::new(),
            n => format!(", {n} to forget"),
        };
        format!(
            "Plan: {} to add, {} to change, {} to destroy{forget}.",
            self.add, self.change, self.destroy
        )
    }

    /// The sentence of a plan without changes: how much it can promise.
    pub fn no_changes_sentence(&self) -> String {
        match self.not_read {
            _ if self.refresh_off => "No changes. The specification matches the state. \
                                      Nothing was read from the infrastructure."
                .to_owned(),
            0 => "No changes. Your infrastructure matches the configuration.".to_owned(),
            1 => "No changes. The specification matches the state. 1 record was not read; \
                  run pravo drift to compare it with the infrastructure."
                .to_owned(),
            n => format!(
                "No changes. The specification matches the state. {n} records were not read; \
                 run pravo drift to compare them with the infrastructure."
            ),
        }
    }

    /// `Graph: planned R of T[, part]….`, without the parts that are zero.
    pub fn graph_line(&self) -> String {
        let within = if self.refresh_off {
            0
        } else {
            self.within_refresh_age
        };
        let not_read = if self.refresh_off { 0 } else { self.not_read };
        let parts = [
            (self.skipped, "unchanged and skipped"),
            (self.refreshed, "refreshed"),
            (self.drifted, "drifted"),
            (within, "within refresh age"),
            (not_read, "not read"),
            (self.ephemeral, "ephemeral opened"),
            (
                self.calls,
                if self.calls == 1 {
                    "function called"
                } else {
                    "functions called"
                },
            ),
            (self.imported, "imported"),
            (self.moved, "moved"),
        ];
        let mut line = format!("Graph: planned {} of {}", self.planned, self.total);
        for (count, words) in parts {
            if count > 0 {
                line.push_str(&format!(", {count} {words}"));
            }
        }
        line.push('.');
        line
    }

    /// The summary that a transaction of a plan records: every count, zero or not.
    pub fn recorded(&self) -> String {
        format!(
            "{} to add, {} to change, {} to destroy; {} of {} reached, {} skipped, {} refreshed, \
             {} within refresh age, {} not read, {} ephemeral opened, {} functions called, \
             {} imported, {} moved",
            self.add,
            self.change,
            self.destroy,
            self.planned,
            self.total,
            self.skipped,
            self.refreshed,
            self.within_refresh_age,
            self.not_read,
            self.ephemeral,
            self.calls,
            self.imported,
            self.moved
        )
    }
}

#[cfg(test)]
mod tests;
