//! Who holds a node until when: locks and reservations, `locks/A.lock`.

use crate::holder::{Holder, Host, Liveness, STALE_AFTER, Standing, standing};
use crate::json::{Fields, Writer};
use crate::{Address, Time, TransactionId};
use serde_json::{Map, Value};

/// A lock of a running command, or a reservation that outlives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockKind {
    /// Held while a command runs.
    Lock,
    /// Held for an actor until it expires.
    Reservation,
}

/// One lock or reservation.
#[derive(Clone, Debug, PartialEq)]
pub struct Lock {
    /// The node.
    pub addr: Address,
    /// Who holds it. The reason is not part of a lock.
    pub holder: Holder,
    /// Random text that tells one's own lock from any other.
    pub nonce: String,
    /// When it was taken.
    pub since: Time,
    /// Lock or reservation.
    pub kind: LockKind,
    /// When a reservation ends.
    pub expires: Option<Time>,
    /// When its holder last showed that it lives.
    pub renewed_at: Option<Time>,
    /// The transaction that writes the node under this lock. A plan's lock or a reservation has
    /// one only where it took the place of what a stopped apply left.
    pub txn: Option<TransactionId>,
    /// Fields of a newer pravo.
    pub rest: Map<String, Value>,
}

impl Lock {
    /// Whether somebody holds it. A reservation ends by its expiry alone; a lock is left behind
    /// when its process is gone or it was not renewed for ten minutes.
    pub fn standing(&self, liveness: Liveness, now: Time) -> Standing {
        match (self.kind, self.expires) {
            (LockKind::Lock, _) => standing(self.renewed_at.or(Some(self.since)), liveness, now),
            (LockKind::Reservation, Some(expires)) if now < expires => Standing::Live,
            (LockKind::Reservation, _) => Standing::Stale,
        }
    }

    /// Whether a lock that is not renewed is past its ten minutes.
    pub fn is_overdue(&self, now: Time) -> bool {
        now.since(self.renewed_at.unwrap_or(self.since)) > STALE_AFTER
    }

    /// Whether it reserves the node for the actor, or user, of that name.
    pub fn is_reserved_by(&self, who: &str) -> bool {
        self.kind == LockKind::Reservation && self.holder.who() == who
    }

    /// The clause of a refusal that names it: `web is locked by COMMAND (pid P on HOST, HOLDER,
    /// since TIME)` or `web is reserved by WHO (COMMAND until TIME, since TIME)`.
    pub fn refusal(&self) -> String {
        let Holder { command, pid, .. } = &self.holder;
        let (who, since) = (self.holder.who(), self.since);
        let addr = &self.addr;
        match (self.kind, self.expires) {
            (LockKind::Reservation, Some(expires)) => {
                format!("{addr} is reserved by {who} ({command} until {expires}, since {since})")
            }
            _ => {
                let host = self.holder.host.name();
                format!("{addr} is locked by {command} (pid {pid} on {host}, {who}, since {since})")
            }
        }
    }

    /// The canonical text of the lock.
    pub fn to_text(&self) -> String {
        let holder = &self.holder;
        let mut out = Writer::new();
        out.put_text("addr", &self.addr)
            .put("pid", holder.pid)
            .put("host", holder.host.as_str())
            .put("user", holder.user.as_str())
            .put("command", holder.command.as_str())
            .put("nonce", self.nonce.as_str())
            .put_some("actor", holder.actor.as_ref())
            .put_text("since", &self.since);
        match self.kind {
            LockKind::Reservation => out.put("kind", "reservation"),
            LockKind::Lock => out.put("kind", "lock"),
        };
        out.put_some("expires", self.expires.as_ref())
            .put_some("renewed_at", self.renewed_at.as_ref())
            .put_some("txn", self.txn.as_ref());
        if self.kind == LockKind::Lock {
            out.put_some("pid_start", holder.pid_start.as_ref());
        }
        out.put_rest(&self.rest);
        out.text()
    }

    /// Reads the text of a lock.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut fields = Fields::parse(bytes)?;
        let kind = match fields.take::<&str>("kind")? {
            "lock" => LockKind::Lock,
            "reservation" => LockKind::Reservation,
            other => return Err(format!("has the unknown kind {other:?}")),
        };
        Ok(Self {
            addr: Address::parse(&fields.take::<String>("addr")?)?,
            holder: Holder {
                user: fields.optional("user")?.unwrap_or_default(),
                host: Host::new(fields.optional::<String>("host")?.unwrap_or_default()),
                pid: fields.optional("pid")?.unwrap_or_default(),
                pid_start: fields.optional("pid_start")?,
                command: fields.optional("command")?.unwrap_or_default(),
                actor: fields.optional("actor")?,
                reason: None,
            },
            nonce: fields.take("nonce")?,
            since: fields.take("since")?,
            kind,
            expires: fields.optional("expires")?,
            renewed_at: fields.optional("renewed_at")?,
            txn: fields.optional("txn")?,
            rest: fields.rest(),
        })
    }
}

#[cfg(test)]
mod tests;
