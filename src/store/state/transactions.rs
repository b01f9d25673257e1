//! The log of a state: one object for each run.

use super::{Kept, State};
use crate::{Error, Version, Written};
use pravo_state::transaction::{Status, Touched, Transaction};
use pravo_state::{Time, TransactionId};

impl State {
    /// The transaction of that name; nothing when it is not, or no longer, recorded.
    ///
    /// # Errors
    /// An object that can't be read or is broken.
    pub async fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, Error> {
        let key = transaction_key(id);
        let Some(object) = self.objects.get(&key).await? else {
            return Ok(None);
        };
        let transaction = Transaction::parse(&object.bytes);
        transaction
            .map(Some)
            .map_err(|problem| self.broken(&key, problem))
    }

    /// The transactions, newest first, at most `limit` of them.
    ///
    /// # Errors
    /// An object that can't be read or is broken.
    pub async fn transactions(&self, limit: usize) -> Result<Vec<Transaction>, Error> {
        let keys = self.objects.list("txn/").await?;
        let mut keys: Vec<String> = keys.into_iter().filter(|k| k.ends_with(".json")).collect();
        keys.reverse();
        keys.truncate(limit);
        let mut transactions = Vec::with_capacity(keys.len());
        for piece in keys.chunks(512) {
            let objects = self.objects.get_many(piece).await?;
            for (key, object) in piece.iter().zip(objects) {
                // What was pruned since it was listed is gone.
                let Some(object) = object else { continue };
                let transaction = Transaction::parse(&object.bytes)
                    .map_err(|problem| self.broken(key, problem))?;
                transactions.push(transaction);
            }
        }
        Ok(transactions)
    }

    /// Records a run that starts to change things, as running. Its locks must all be held.
    ///
    /// # Errors
    /// A place that can't be written, or a transaction of that name.
    pub async fn begin(&self, transaction: Transaction) -> Result<OpenTransaction, Error> {
        let key = transaction_key(&transaction.id);
        match self.create(&key, transaction.to_text()).await? {
            Written::Done(version) => Ok(OpenTransaction {
                state: self.clone(),
                kept: Kept {
                    value: transaction,
                    version,
                },
            }),
            Written::Refused => Err(Error::Conflict {
                file: self.shown(&key),
            }),
        }
    }

    /// Records a run that has ended already: a plan, an edit, or an apply that was rejected.
    ///
    /// # Errors
    /// As [`State::begin`].
    pub async fn log(&self, transaction: &Transaction) -> Result<(), Error> {
        self.begin(transaction.clone()).await.map(drop)
    }
}

/// A transaction that is recorded as running. Only its run writes it.
pub struct OpenTransaction {
    state: State,
    kept: Kept<Transaction>,
}

impl OpenTransaction {
    /// What is known of the run so far.
    pub fn transaction(&self) -> &Transaction {
        &self.kept.value
    }

    /// Notes what was done to a node. It is written at the next renewal or at the end, so that the
    /// bytes a run writes grow with its changes and not with their square.
    pub fn append(&mut self, touched: Touched) {
        self.kept.value.changes.push(touched);
    }

    /// Names the plan that is applied: id or digest.
    pub fn set_plan(&mut self, plan: impl Into<String>) {
        self.kept.value.plan = Some(plan.into());
    }

    /// Notes what went wrong, masked.
    pub fn add_error(&mut self, text: &str) {
        let error = self.kept.value.error.get_or_insert_default();
        if !error.is_empty() {
            error.push('\n');
        }
        error.push_str(text);
    }

    /// Shows that the run lives, and writes what it did so far.
    ///
    /// # Errors
    /// A place that can't be written. A log that somebody pruned is no error: nothing depends on
    /// it.
    pub async fn renew(&mut self, now: Time) -> Result<(), Error> {
        self.kept.value.renewed_at = Some(now);
        self.write().await
    }

    /// Ends the run.
    ///
    /// # Errors
    /// As [`OpenTransaction::renew`]; it may be called again.
    pub async fn finish(&mut self, status: Status, summary: &str, now: Time) -> Result<(), Error> {
        self.kept.value.finish(status, summary, now);
        self.write().await
    }

    async fn write(&mut self) -> Result<(), Error> {
        let key = transaction_key(&self.kept.id);
        let text = self.kept.to_text();
        let version: Version = self.kept.version.clone();
        let mut written = self.state.replace(&key, text.clone(), &version).await?;
        if written == Written::Refused {
            // Pruned, or an earlier answer was lost: nobody else writes it.
            written = match self.state.objects.get(&key).await? {
                None => self.state.create(&key, text).await?,
                Some(object) => self.state.replace(&key, text, &object.version).await?,
            };
        }
        match written {
            Written::Done(version) => {
                self.kept.version = version;
                Ok(())
            }
            Written::Refused => Err(Error::Conflict {
                file: self.state.shown(&key),
            }),
        }
    }
}

fn transaction_key(id: &TransactionId) -> String {
    format!("txn/{id}.json")
}
