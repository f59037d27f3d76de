//! Attempts to write: transactions, and claims of their marks, which `store/write.rs` explains.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use super::database::Postgres;
use super::error::AttemptError;
use super::pool::{ATTEMPT, MAX_WAIT};
use super::session::Part;
use super::statements;
use crate::store::StoreError;
use crate::store::dialect::Dialect;
use crate::store::sql::{Rows, Statement};
use crate::store::write::{self, Attempt, Decide, Server, Write, WriteKind};

/// Begins a transaction that writes.
const WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

/// Begins a transaction that writes many rows.
const LONG_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = '60 s'";

/// Time limit of a write of many rows.
const LONG: Duration = Duration::from_secs(60);

/// Number of writes after which marks older than an hour are deleted.
const WRITES_PER_CLEARING: u64 = 1000;

const CLEAR: &str = "DELETE FROM write_mark WHERE mark IN (
     SELECT mark FROM write_mark WHERE at < (extract(epoch FROM now() - interval '1 hour') * 1000)::bigint
     ORDER BY at LIMIT 2000 FOR UPDATE SKIP LOCKED)";

impl Postgres {
    /// See `Store::write`. Returns `None` if concurrent writes came first.
    pub async fn write<T: Send, D: Decide<T>>(
        &self,
        kind: WriteKind,
        reads: Vec<Statement>,
        decide: D,
    ) -> Result<Option<T>, StoreError> {
        let deadline = if kind == WriteKind::Long { Instant::now() + LONG } else { self.pool.patience() };
        write::write(self, Write { kind, reads: &reads, decide: &decide, deadline }).await
    }

    fn clear_marks_sometimes(&self) {
        if self.writes.fetch_add(1, Ordering::Relaxed) % WRITES_PER_CLEARING != WRITES_PER_CLEARING - 1 {
            return;
        }
        let pool = self.pool.clone();
        tokio::spawn(async move {
            if let Err(error) = pool.read(pool.patience(), &[Statement::new(CLEAR)]).await {
                tracing::warn!(%error, "cannot delete old marks of writes");
            }
        });
    }
}

impl Server for Postgres {
    const PATIENCE: Duration = MAX_WAIT;

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn mark(&self) -> String {
        self.marks.nonce()
    }

    async fn attempt<T: Send, D: Decide<T>>(
        &self,
        write: &Write<'_, D>,
        mark: Option<Statement>,
    ) -> Result<Attempt<T>, StoreError> {
        let Write { kind, reads, decide, deadline } = *write;
        let (limit, begin_text) = if kind == WriteKind::Long { (LONG, LONG_WRITE) } else { (ATTEMPT, WRITE) };
        let mut session = self.pool.session(deadline).await?.in_transaction();
        let is_open = !reads.is_empty();
        let mut rows = Vec::new();
        if is_open {
            let parts = [Part::Text(begin_text)].into_iter().chain(reads.iter().map(Part::Statement)).collect();
            match self.pool.attempt(session, limit, Some(deadline), parts).await {
                Ok(found) => (session, rows) = found,
                Err(error) => return without_effect(error),
            }
        }
        // Without changes, the transaction is rolled back when the session is dropped.
        let (mut changes, answer) = decide(&rows)?;
        if changes.is_empty() {
            return Ok(Attempt::Done(answer));
        }
        // Inserts the mark (see `store/write.rs`) as the second statement, so that it can be joined to the first
        // change. A first change that must affect a certain number of rows could not be joined to the mark.
        changes.splice(1..1, mark);
        let changes = statements::joined(changes);
        let parts = (!is_open).then_some(Part::Text(begin_text)).into_iter();
        let parts = parts.chain(changes.iter().map(Part::Statement)).chain([Part::Text("COMMIT")]);
        match self.pool.attempt(session, limit, Some(deadline), parts.collect()).await {
            Ok((session, _)) => {
                session.keep();
                self.clear_marks_sometimes();
                Ok(Attempt::Done(answer))
            }
            Err(AttemptError::Lost) => Ok(Attempt::Unanswered(answer)),
            Err(error) => without_effect(error),
        }
    }

    async fn claim(&self, statements: &[Statement], deadline: Instant) -> Result<Option<Rows>, StoreError> {
        let session = self.pool.session(deadline).await?;
        let parts = statements.iter().map(Part::Statement).collect();
        match self.pool.attempt(session, ATTEMPT, Some(deadline), parts).await {
            Ok((session, mut rows)) => {
                session.keep();
                Ok(rows.pop())
            }
            Err(AttemptError::Fail(StoreError::Busy | StoreError::Deadline)) => Ok(None),
            Err(AttemptError::Fail(error)) => Err(error),
            Err(AttemptError::Again | AttemptError::Lost | AttemptError::LostRace) => Ok(None),
        }
    }
}

/// Returns the result of an attempt that stored nothing.
fn without_effect<T>(error: AttemptError) -> Result<Attempt<T>, StoreError> {
    match error {
        AttemptError::Again => Ok(Attempt::Again(StoreError::Busy)),
        AttemptError::Lost => Ok(Attempt::Again(StoreError::unavailable())),
        AttemptError::LostRace => Ok(Attempt::LostRace),
        // The write took too long.
        AttemptError::Fail(StoreError::Deadline) => Err(StoreError::Busy),
        AttemptError::Fail(error) => Err(error),
    }
}
