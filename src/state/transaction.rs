//! One run: who, why, what it touched and how it ended, `txn/ID.json`.

use crate::holder::{Holder, Host, Liveness, Standing, standing};
use crate::json::{Fields, Writer};
use crate::{Address, Time, TransactionId};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;

/// What kind of command a transaction records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransactionKind {
    /// A plan that read or wrote something.
    Plan,
    /// An apply.
    Apply,
    /// A destroy.
    Destroy,
    /// An import.
    Import,
    /// A change of the state by hand.
    Edit,
}

impl TransactionKind {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Apply => "apply",
            Self::Destroy => "destroy",
            Self::Import => "import",
            Self::Edit => "edit",
        }
    }
}

/// How a transaction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It holds its locks and works, or was killed.
    Running,
    /// A plan was made.
    Planned,
    /// All was done.
    Applied,
    /// A lock or a record that moved stood against it; nothing was changed.
    Rejected,
    /// Something failed.
    Failed,
}

impl Status {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Planned => "planned",
            Self::Applied => "applied",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
        }
    }
}

/// What a run did to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Created an object.
    Create,
    /// Changed an object in place.
    Update,
    /// Deleted an object and created another.
    Replace,
    /// Deleted an object.
    Delete,
    /// Read a data source.
    Read,
    /// Read a resource that was as recorded.
    Refresh,
    /// Read a resource that differed from its record or was gone.
    Drift,
    /// Removed the record and left the object.
    Forget,
    /// Took over an object that existed.
    Import,
    /// Recorded other edges.
    Edges,
    /// Wrote a record at its new address.
    MoveTo,
    /// Removed a record from its old address.
    MoveFrom,
    /// Removed a record by hand.
    Remove,
    /// Removed a lock by hand.
    Unlock,
    /// Copied a record from a directory.
    Push,
    /// A word of a newer pravo.
    Other(String),
}

/// The actions and their words.
const ACTIONS: [(Action, &str); 15] = [
    (Action::Create, "create"),
    (Action::Update, "update"),
    (Action::Replace, "replace"),
    (Action::Delete, "delete"),
    (Action::Read, "read"),
    (Action::Refresh, "refresh"),
    (Action::Drift, "drift"),
    (Action::Forget, "forget"),
    (Action::Import, "import"),
    (Action::Edges, "edges"),
    (Action::MoveTo, "move-to"),
    (Action::MoveFrom, "move-from"),
    (Action::Remove, "rm"),
    (Action::Unlock, "unlock"),
    (Action::Push, "push"),
];

impl Action {
    /// The word for it.
    pub fn as_str(&self) -> &str {
        if let Self::Other(word) = self {
            return word;
        }
        let known = ACTIONS.iter().find(|(action, _)| action == self);
        known.expect("every action has a word").1
    }

    /// The action of a word.
    pub fn of(word: &str) -> Self {
        let known = ACTIONS.iter().find(|(_, known)| *known == word);
        known.map_or_else(
            || Self::Other(word.to_owned()),
            |(action, _)| action.clone(),
        )
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A node that a run touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The node.
    pub addr: Address,
    /// What was done.
    pub action: Action,
    /// The revision before; 0 when there was no record.
    pub before_revision: u64,
    /// The revision after; 0 when there is no record any more.
    pub after_revision: u64,
    /// Nobody knows whether it was done.
    pub unknown: bool,
}

/// One recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    /// Its name.
    pub id: TransactionId,
    /// The kind of command.
    pub kind: TransactionKind,
    /// Who ran it, where and why. The process is recorded only while it runs.
    pub holder: Holder,
    /// When it started.
    pub started: Time,
    /// When it ended.
    pub finished: Option<Time>,
    /// How it stands.
    pub status: Status,
    /// The counts, as printed; empty while it runs.
    pub summary: String,
    /// The nodes it touched.
    pub changes: Vec<Touched>,
    /// When it last showed that it lives; only while it runs.
    pub renewed_at: Option<Time>,
    /// What went wrong, masked; may be several lines.
    pub error: Option<String>,
    /// The plan that was applied: id or digest.
    pub plan: Option<String>,
    /// Fields of a newer pravo, or of a sealed state.
    pub rest: Map<String, Value>,
}

impl Transaction {
    /// A run that starts.
    pub fn new(id: TransactionId, kind: TransactionKind, holder: Holder, now: Time) -> Self {
        Self {
            id,
            kind,
            holder,
            started: now,
            finished: None,
            status: Status::Running,
            summary: String::new(),
            changes: Vec::new(),
            renewed_at: Some(now),
            error: None,
            plan: None,
            rest: Map::new(),
        }
    }

    /// Ends the run.
    pub fn finish(&mut self, status: Status, summary: impl Into<String>, now: Time) {
        self.status = status;
        self.summary = summary.into();
        self.finished = Some(now);
        self.renewed_at = None;
        self.holder.host = Host::new(self.holder.host.name());
    }

    /// Whether it says it is running though its process is gone or silent. Where a lock of the run
    /// is live, the run is.
    pub fn is_interrupted(&self, liveness: Liveness, now: Time) -> bool {
        let renewed_at = self.renewed_at.or(Some(self.started));
        self.status == Status::Running && standing(renewed_at, liveness, now) == Standing::Stale
    }

    /// The canonical text of the transaction.
    pub fn to_text(&self) -> String {
        let running = self.status == Status::Running;
        let holder = &self.holder;
        let mut out = Writer::new();
        out.put_text("id", &self.id)
            .put("kind", self.kind.as_str())
            .put("command", holder.command.as_str())
            .put("user", holder.user.as_str())
            .put("host", holder.host.as_str())
            .put_text("started", &self.started)
            .put_some("finished", self.finished.as_ref())
            .put("status", self.status.as_str())
            .put("summary", self.summary.as_str())
            .put("changes", self.change_values())
            .put_some("actor", holder.actor.as_ref())
            .put_some("reason", holder.reason.as_ref());
        if running {
            out.put("pid", holder.pid)
                .put_some("pid_start", holder.pid_start.as_ref())
                .put_some("renewed_at", self.renewed_at.as_ref());
        }
        out.put_some("error", self.error.as_ref())
            .put_some("plan", self.plan.as_ref())
            .put_rest(&self.rest);
        out.text()
    }

    fn change_values(&self) -> Vec<Value> {
        let mut changes: Vec<&Touched> = self.changes.iter().collect();
        changes.sort_by(|a, b| a.addr.cmp(&b.addr));
        changes.into_iter().map(Touched::to_value).collect()
    }

    /// Reads the text of a transaction.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut fields = Fields::parse(bytes)?;
        let changes: Option<Vec<&RawValue>> = fields.optional("changes")?;
        let changes: Result<Vec<Touched>, String> = changes
            .unwrap_or_default()
            .into_iter()
            .map(|raw| Touched::parse(raw.get()))
            .collect();
        Ok(Self {
            id: fields.take("id")?,
            kind: fields.take("kind")?,
            holder: Holder {
                user: fields.optional("user")?.unwrap_or_default(),
                host: Host::new(fields.optional::<String>("host")?.unwrap_or_default()),
                pid: fields.optional("pid")?.unwrap_or_default(),
                pid_start: fields.optional("pid_start")?,
                command: fields.optional("command")?.unwrap_or_default(),
                actor: fields.optional("actor")?,
                reason: fields.optional("reason")?,
            },
            started: fields.take("started")?,
            finished: fields.optional("finished")?,
            status: fields.take("status")?,
            summary: fields.optional("summary")?.unwrap_or_default(),
            changes: changes?,
            renewed_at: fields.optional("renewed_at")?,
            error: fields.optional("error")?,
            plan: fields.optional("plan")?,
            rest: fields.rest(),
        })
    }
}

impl Touched {
    /// A node and what was done to it.
    pub fn new(addr: Address, action: Action, before: u64, after: u64) -> Self {
        Self {
            addr,
            action,
            before_revision: before,
            after_revision: after,
            unknown: false,
        }
    }

    fn to_value(&self) -> Value {
        let mut out = Writer::new();
        out.put_text("addr", &self.addr)
            .put("action", self.action.as_str());
        for (name, revision) in [
            ("before_revision", self.before_revision),
            ("after_revision", self.after_revision),
        ] {
            if revision > 0 {
                out.put(name, revision);
            }
        }
        out.put_if("unknown", self.unknown);
        out.value()
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut fields = Fields::parse(text.as_bytes())?;
        Ok(Self {
            addr: Address::parse(&fields.take::<String>("addr")?)?,
            action: Action::of(&fields.take::<String>("action")?),
            before_revision: fields.optional("before_revision")?.unwrap_or_default(),
            after_revision: fields.optional("after_revision")?.unwrap_or_default(),
            unknown: fields.optional("unknown")?.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests;
