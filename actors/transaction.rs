//! A transaction: the log of one run, and the door through which its records are written.
//!
//! Started by the planner, asked by nodes and the planner. It talks to the store only. Its end
//! means that nothing more is applied; the next run reads what is uncertain.

use crate::run::RunError;
use crate::supervision::{EndGuard, Who};
use actix::{
    Actor, ActorFutureExt, ActorTryFutureExt, AsyncContext, Context, Handler, Message,
    ResponseActFuture, ResponseFuture, WrapFuture,
};
use pravo_state::{
    Address, Outside, Record, Revision, Status, Time, Touched, Transaction as Log, TransactionId,
    TransactionKind,
};
use pravo_store::recovery::{Recovery, Refused};
use pravo_store::{Ending, Error, Kept, Locker, OpenTransaction, Purpose, Refusal, Version};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How often a running transaction shows that it lives.
const RENEW_EVERY: Duration = Duration::from_secs(120);

/// Writes the record of a node that a plan read, under its lock for that instant, if it is still
/// the one that was read.
#[derive(Message)]
#[rtype(result = "Result<Back, Error>")]
pub(crate) struct WriteBack {
    pub(crate) read: Kept<Record>,
    pub(crate) next: Record,
    pub(crate) touched: Touched,
}

/// What became of a record that was read.
#[derive(Clone, Debug)]
pub(crate) enum Back {
    /// It is written.
    Written(Box<Kept<Record>>),
    /// Another command holds it; it is left alone.
    Held,
    /// Another command wrote it meanwhile; it is left alone.
    Moved,
}

/// Removes the lock that a stopped apply left on a node, which is found to be in order.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct ClearLock(pub(crate) Address);

/// Notes that the plan read a provider without writing a record.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct NoteRead;

/// Notes what was done to a node without writing its record.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Note(pub(crate) Touched);

/// Records the run as running. All its locks are held.
#[derive(Message)]
#[rtype(result = "Result<(), RunError>")]
pub(crate) struct Begin;

/// How a record changes.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// It is written; over the one of that version, if there is one.
    Put(Box<Record>, Option<Version>),
    /// The one of that version is removed.
    Remove(Address, Version),
}

/// Keeps what was done to a node. Answered when it is kept.
#[derive(Message)]
#[rtype(result = "Result<Option<Version>, RunError>")]
pub(crate) struct Append {
    pub(crate) write: Write,
    /// What the state holds before the write.
    pub(crate) expects: Revision,
    /// What the log says; nothing between the halves of a replacement.
    pub(crate) touched: Option<Touched>,
}

/// Ends the run.
#[derive(Message)]
#[rtype(result = "Result<(), RunError>")]
pub(crate) struct Close {
    pub(crate) status: Status,
    pub(crate) summary: String,
    pub(crate) errors: Vec<String>,
}

pub(crate) struct Transaction {
    locker: Locker,
    outside: Arc<dyn Outside>,
    root: PathBuf,
    id: TransactionId,
    kind: TransactionKind,
    started: Time,
    open: Option<OpenTransaction>,
    touched: Vec<Touched>,
    read: bool,
    refused: Vec<Refused>,
    _guard: EndGuard,
}

impl Transaction {
    pub(crate) fn new(
        locker: Locker,
        outside: Arc<dyn Outside>,
        root: PathBuf,
        (id, kind): (TransactionId, TransactionKind),
        guard: EndGuard,
    ) -> Self {
        debug_assert_eq!(guard.who(), &Who::Transaction);
        Self {
            started: outside.now(),
            locker,
            outside,
            root,
            id,
            kind,
            open: None,
            touched: Vec::new(),
            read: false,
            refused: Vec::new(),
            _guard: guard,
        }
    }

    fn log(&self) -> Log {
        let holder = self.locker.holder().clone();
        Log::new(self.id.clone(), self.kind, holder, self.started)
    }

    /// Writes to a file what the state did not take, and says how to go on.
    fn recover(&mut self, refused: Refused, error: &Error) -> RunError {
        self.refused.push(refused);
        let recovery = Recovery {
            txn: self.id.clone(),
            lineage: self.locker.state().lineage().unwrap_or_default().to_owned(),
            created: self.outside.now(),
            writes: self.refused.clone(),
        };
        let mut failure = RunError::failed(format!("the state did not take a record: {error}"));
        failure.diagnostics[0].detail = match recovery.save(&self.root) {
            Ok(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                format!(
                    "  What was done is kept in {name}; when the state can be written again, run: \
                     pravo state recover {name}"
                )
            }
            Err(problem) => format!(
                "  Nor could {} be written ({problem}); keep this text in a file and run pravo \
                 state recover with it:\n{}",
                Recovery::file_name(&self.id),
                recovery.to_text()
            ),
        };
        failure
    }
}

impl Actor for Transaction {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(RENEW_EVERY, |transaction, ctx| {
            let Some(mut open) = transaction.open.take() else {
                return;
            };
            for touched in transaction.touched.drain(..) {
                open.append(touched);
            }
            let now = transaction.outside.now();
            let renew = async move {
                if let Err(error) = open.renew(now).await {
                    tracing::warn!(%error, "the transaction could not be renewed");
                }
                open
            };
            let done = renew.into_actor(transaction);
            ctx.wait(done.map(|open, transaction, _| transaction.open = Some(open)));
        });
    }
}

impl Handler<WriteBack> for Transaction {
    type Result = ResponseActFuture<Self, Result<Back, Error>>;

    fn handle(&mut self, message: WriteBack, _: &mut Self::Context) -> Self::Result {
        self.read = true;
        let locker = self.locker.clone();
        let touched = message.touched;
        let work = async move { write_back(&locker, message.read, message.next).await };
        Box::pin(work.into_actor(self).map_ok(move |back, transaction, _| {
            if matches!(back, Back::Written(_)) {
                transaction.touched.push(touched);
            }
            back
        }))
    }
}

async fn write_back(locker: &Locker, read: Kept<Record>, next: Record) -> Result<Back, Error> {
    let address = next.addr.clone();
    let held = match locker.acquire(&address, &Purpose::default()).await {
        Ok(held) => held,
        Err(Refusal::State(error)) => return Err(error),
        Err(Refusal::Held { .. } | Refusal::Left { .. }) => return Ok(Back::Held),
    };
    let state = locker.state();
    let found = state.record(&address).await?;
    let same = found
        .as_ref()
        .is_some_and(|found| found.version == read.version);
    let (back, ending) = if same {
        let version = state.put_record(&next, Some(&read.version)).await?;
        (
            Back::Written(Box::new(Kept {
                value: next,
                version,
            })),
            Ending::Written,
        )
    } else {
        (Back::Moved, Ending::Nothing)
    };
    locker.release(held, ending).await?;
    Ok(back)
}

impl Handler<ClearLock> for Transaction {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, clear: ClearLock, _: &mut Self::Context) -> Self::Result {
        let locker = self.locker.clone();
        Box::pin(async move {
            let cleared = match locker.acquire(&clear.0, &Purpose::default()).await {
                Ok(held) => locker.release(held, Ending::Written).await,
                Err(Refusal::State(error)) => Err(error),
                Err(Refusal::Held { .. } | Refusal::Left { .. }) => Ok(()),
            };
            if let Err(error) = cleared {
                tracing::warn!(%error, address = %clear.0, "a stale lock could not be removed");
            }
        })
    }
}

impl Handler<NoteRead> for Transaction {
    type Result = ();

    fn handle(&mut self, _: NoteRead, _: &mut Self::Context) {
        self.read = true;
    }
}

impl Handler<Note> for Transaction {
    type Result = ();

    fn handle(&mut self, note: Note, _: &mut Self::Context) {
        self.touched.push(note.0);
    }
}

impl Handler<Begin> for Transaction {
    type Result = ResponseActFuture<Self, Result<(), RunError>>;

    fn handle(&mut self, _: Begin, _: &mut Self::Context) -> Self::Result {
        let (state, log) = (self.locker.state().clone(), self.log());
        let work = async move { state.begin(log).await };
        let done = work.into_actor(self).map(|begun, transaction, _| {
            transaction.open = Some(begun?);
            Ok(())
        });
        Box::pin(done)
    }
}

impl Handler<Append> for Transaction {
    type Result = ResponseActFuture<Self, Result<Option<Version>, RunError>>;

    fn handle(&mut self, append: Append, _: &mut Self::Context) -> Self::Result {
        let state = self.locker.state().clone();
        let Append {
            write,
            expects,
            touched,
        } = append;
        let work = async move {
            let kept = match &write {
                Write::Put(record, version) => {
                    state.put_record(record, version.as_ref()).await.map(Some)
                }
                Write::Remove(address, version) => {
                    state.delete_record(address, version).await.map(|()| None)
                }
            };
            (kept, write)
        };
        let done = work
            .into_actor(self)
            .map(move |(kept, write), transaction, _| match kept {
                Ok(version) => {
                    transaction.touched.extend(touched);
                    Ok(version)
                }
                Err(error) => {
                    let (addr, record) = match write {
                        Write::Put(record, _) => (record.addr.clone(), Some(*record)),
                        Write::Remove(address, _) => (address, None),
                    };
                    Err(transaction.recover(
                        Refused {
                            addr,
                            expects,
                            record,
                        },
                        &error,
                    ))
                }
            });
        Box::pin(done)
    }
}

impl Handler<Close> for Transaction {
    type Result = ResponseActFuture<Self, Result<(), RunError>>;

    fn handle(&mut self, close: Close, _: &mut Self::Context) -> Self::Result {
        let touched = std::mem::take(&mut self.touched);
        let open = self.open.take();
        let (state, mut log, now) = (self.locker.state().clone(), self.log(), self.outside.now());
        let idle = touched.is_empty() && !self.read && self.kind == TransactionKind::Plan;
        let work = async move {
            if let Some(mut open) = open {
                for touched in touched {
                    open.append(touched);
                }
                for error in &close.errors {
                    open.add_error(error);
                }
                return open.finish(close.status, &close.summary, now).await;
            }
            if idle {
                return Ok(());
            }
            log.changes = touched;
            if !close.errors.is_empty() {
                log.error = Some(close.errors.join("\n"));
            }
            log.finish(close.status, close.summary, now);
            state.log(&log).await
        };
        Box::pin(
            work.into_actor(self)
                .map(|closed, _, _| closed.map_err(RunError::from)),
        )
    }
}
