//! Attempts to write: transactions, and claims of their marks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::Postgres;
use super::pool::{ATTEMPT, AttemptFailure, MAX_WAIT, Next, in_time};
use super::session::{Part, Session};
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

/// Counts writes, to know when to delete old marks.
#[derive(Debug, Default)]
pub struct Writes(AtomicU64);

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

    /// Ends a failed transaction, and decides what to do.
    async fn after(&self, begin: Instant, session: Session, failure: AttemptFailure) -> Next {
        if matches!(failure, AttemptFailure::Run(_)) {
            // The connection can be used again only after the end of its transaction, which may not have been sent. If
            // this fails, the connection is lost anyway.
            let _ = timeout(ATTEMPT, session.run("ROLLBACK")).await;
        }
        self.pool.after(begin, session, failure)
    }

    fn clear_marks_sometimes(&self) {
        if self.writes.0.fetch_add(1, Ordering::Relaxed) % WRITES_PER_CLEARING != WRITES_PER_CLEARING - 1 {
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
        let session = self.pool.session(deadline).await?.in_transaction();
        let begin = Instant::now();
        let is_open = !reads.is_empty();
        let mut rows = Vec::new();
        if is_open {
            let parts = [Part::Text(begin_text)].into_iter().chain(reads.iter().map(Part::Read)).collect();
            match in_time(begin, limit, deadline, session.send(parts)).await {
                Ok(found) => rows = found,
                Err(failure) => return without_effect(self.after(begin, session, failure).await),
            }
        }
        let (changes, answer) = match decide(&rows) {
            Ok((changes, answer)) if !changes.is_empty() => (changes, answer),
            nothing_to_store => {
                roll_back(session, is_open).await;
                return nothing_to_store.map(|(_, answer)| Attempt::Done(answer));
            }
        };
        let parts = (!is_open).then_some(Part::Text(begin_text)).into_iter();
        let parts = parts.chain(mark.iter().chain(&changes).map(Part::Change)).chain([Part::Text("COMMIT")]);
        let failure = match in_time(begin, limit, deadline, session.send(parts.collect())).await {
            Ok(_) => {
                self.pool.note(None);
                session.keep();
                self.clear_marks_sometimes();
                return Ok(Attempt::Done(answer));
            }
            Err(failure) => failure,
        };
        match self.after(begin, session, failure).await {
            Next::Lost => Ok(Attempt::Unanswered(answer)),
            next => without_effect(next),
        }
    }

    async fn claim(&self, statements: &[Statement], deadline: Instant) -> Result<Option<Rows>, StoreError> {
        let session = self.pool.session(deadline).await?;
        let begin = Instant::now();
        let parts = statements.iter().map(Part::Change).collect();
        let failure = match in_time(begin, ATTEMPT, deadline, session.send(parts)).await {
            Ok(mut rows) => {
                self.pool.note(None);
                session.keep();
                return Ok(rows.pop());
            }
            Err(failure) => failure,
        };
        match self.pool.after(begin, session, failure) {
            Next::Fail(StoreError::Busy | StoreError::Deadline) => Ok(None),
            Next::Fail(error) => Err(error),
            Next::Again | Next::Lost | Next::LostRace => Ok(None),
        }
    }
}

/// Returns the end of an attempt that stored nothing.
fn without_effect<T>(next: Next) -> Result<Attempt<T>, StoreError> {
    match next {
        Next::Again => Ok(Attempt::Again(StoreError::Busy)),
        Next::Lost => Ok(Attempt::Again(StoreError::unavailable())),
        Next::LostRace => Ok(Attempt::LostRace),
        // The write took too long.
        Next::Fail(StoreError::Deadline) => Err(StoreError::Busy),
        Next::Fail(error) => Err(error),
    }
}

/// Ends a transaction that stores nothing. If this fails, the connection is closed.
async fn roll_back(session: Session, is_open: bool) {
    if !is_open || matches!(timeout(ATTEMPT, session.run("ROLLBACK")).await, Ok(Ok(()))) {
        session.keep();
    }
}
