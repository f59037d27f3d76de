//! Runs single statements on pooled connections. If a connection breaks, sends the statement again on another
//! connection, within a total time limit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{Pool, PoolError};
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::Row;

use super::connect::Connector;
use super::failure::{self, FailureKind};
use super::session::{Session, Values};
use super::transaction::Transaction;
use crate::ids::Ids;
use crate::store::{OpenError, PoolUsage, StoreError};

/// Time limit of one attempt to run a statement, including the network. Slightly longer than the server's own limit.
const ATTEMPT: Duration = Duration::from_secs(6);

/// Maximum time that a caller waits for an answer, for example while no server is available.
pub const MAX_WAIT: Duration = Duration::from_secs(10);

/// Maximum time that a caller waits if servers have already been unavailable for [`MAX_WAIT`].
const SHORT_WAIT: Duration = Duration::from_secs(2);

/// Pause between attempts to reach a server.
const PAUSE: Duration = Duration::from_millis(100);

/// Maximum number of callers that wait for a connection. Additional callers are rejected immediately.
const QUEUE: usize = 1024;

/// Result of a statement.
pub struct Answer {
    pub rows: Vec<Row>,
    /// Whether an earlier attempt may have succeeded: the statement was sent more than once, or a key was taken.
    pub may_be_stored: bool,
}

/// A connection pool. Clones share the same pool.
#[derive(Debug, Clone)]
pub struct Engine {
    pool: Pool<Connector>,
    /// Generator of unique marks. A write stores its mark, so that a later attempt finds it and does not write again.
    marks: Ids,
    /// When servers stopped answering: the start of the first unanswered attempt. `None` while servers answer.
    unanswered_since: Arc<Mutex<Option<Instant>>>,
}

impl Engine {
    /// Creates a pool of at most `connections` connections.
    pub fn new(connector: Connector, connections: usize) -> Result<Self, OpenError> {
        let pool = Pool::builder(connector)
            .max_size(connections)
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|e| OpenError(format!("cannot create the connection pool: {e}")))?;
        Ok(Self { pool, marks: Ids::random(), unanswered_since: Arc::default() })
    }

    /// Returns a new unique mark for a write.
    pub fn mark(&self) -> String {
        self.marks.nonce()
    }

    pub fn usage(&self, pool: &'static str) -> (usize, PoolUsage) {
        let status = self.pool.status();
        let in_use = status.size.saturating_sub(status.available);
        (status.waiting, PoolUsage { pool, in_use, max: status.max_size })
    }

    pub fn is_closed(&self) -> bool {
        self.pool.is_closed()
    }

    pub fn close(&self) {
        self.pool.close();
    }

    /// Runs a read-only statement and returns its rows. Sends it again if the connection breaks.
    pub async fn ask(&self, sql: &str, values: &Values<'_>) -> Result<Answer, StoreError> {
        self.send_with_deadline(sql, values, &AtomicBool::default()).await
    }

    /// Runs a write statement and returns its rows. The statement must be idempotent, because it may be sent more than
    /// once.
    pub async fn change(&self, sql: &str, values: &Values<'_>) -> Result<Answer, StoreError> {
        let sent = AtomicBool::default();
        let outcome = self.send_with_deadline(sql, values, &sent).await;
        outcome.map_err(|error| match error {
            StoreError::Unavailable(reason) if sent.into_inner() => StoreError::Unanswered(reason),
            StoreError::Deadline => StoreError::Busy,
            error => error,
        })
    }

    /// Runs a query that finds out whether an earlier write succeeded. If the query fails, returns
    /// [`StoreError::Unanswered`], because the result of the write is unknown.
    pub async fn look_up(&self, sql: &str, values: &Values<'_>) -> Result<Answer, StoreError> {
        self.ask(sql, values).await.map_err(|error| StoreError::Unanswered(error.to_string()))
    }

    /// Starts a transaction. `kind` is its isolation level and access mode in SQL (`ISOLATION LEVEL …`).
    pub async fn begin(&self, kind: &str) -> Result<Transaction, StoreError> {
        let connection = match timeout(MAX_WAIT, self.pool.get()).await {
            Ok(Ok(connection)) => connection,
            Ok(Err(PoolError::Closed)) => return Err(StoreError::Failed("the store is closed".into())),
            Ok(Err(error)) => return Err(StoreError::Unavailable(error.to_string())),
            Err(_) => return Err(StoreError::Busy),
        };
        Transaction::begin(Session::in_transaction(connection), kind).await
    }

    /// Sends a statement until it is answered, within the time limit. Sets `sent` to true before the first attempt.
    async fn send_with_deadline(
        &self,
        sql: &str,
        values: &Values<'_>,
        sent: &AtomicBool,
    ) -> Result<Answer, StoreError> {
        if self.pool.status().waiting > QUEUE {
            return Err(StoreError::Busy);
        }
        in_time(self.patience(), self.send_until_answered(sql, values, sent)).await
    }

    /// Returns how long a caller may wait: at most [`MAX_WAIT`], and less if servers have been unavailable for a while.
    /// So an operation with several statements does not wait for the full time for each statement.
    fn patience(&self) -> Duration {
        let since = self.unanswered_since.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = since.map(|since| since.elapsed()).unwrap_or_default();
        MAX_WAIT.saturating_sub(waited).max(SHORT_WAIT)
    }

    /// Returns the error for a read that exceeded its time limit, or could not reach a server in that time.
    pub fn timeout_error(&self) -> StoreError {
        match *self.unanswered_since.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(_) => StoreError::Unavailable("no writable server answered in time".into()),
            None => StoreError::Deadline,
        }
    }

    /// Records the outcome of an attempt: `None` if a server answered, otherwise the time at which the attempt began.
    fn note(&self, unanswered_since: Option<Instant>) {
        let mut earliest = self.unanswered_since.lock().unwrap_or_else(PoisonError::into_inner);
        *earliest = unanswered_since.map(|since| earliest.map_or(since, |earlier| earlier.min(since)));
    }

    async fn send_until_answered(
        &self,
        sql: &str,
        values: &Values<'_>,
        sent: &AtomicBool,
    ) -> Result<Answer, StoreError> {
        let mut may_be_stored = false;
        loop {
            let begin = Instant::now();
            let session = match self.pool.get().await {
                Ok(connection) => Session::of(connection),
                Err(PoolError::Backend(error)) if error.may_pass => {
                    tracing::warn!(reason = error.reason, "no connection to the database");
                    self.note(Some(begin));
                    sleep(PAUSE).await;
                    continue;
                }
                Err(PoolError::Closed) => return Err(StoreError::Failed("the store is closed".into())),
                Err(error) => return Err(StoreError::Unavailable(error.to_string())),
            };
            sent.store(true, Ordering::Relaxed);
            let error = match timeout(ATTEMPT, session.send(sql, values)).await {
                Ok(Ok(rows)) => {
                    self.note(None);
                    session.keep();
                    return Ok(Answer { rows, may_be_stored });
                }
                Ok(Err(error)) => Some(error),
                Err(_) => None,
            };
            let meaning = error.as_ref().map_or(FailureKind::Gone, failure::meaning);
            self.note((meaning == FailureKind::Gone).then_some(begin));
            match meaning {
                FailureKind::Gone => {
                    let reason = error.map_or_else(|| "it said nothing".to_owned(), |error| failure::words(&error));
                    tracing::warn!(reason, "reconnecting to the database");
                    may_be_stored = true;
                    // The other idle connections of the pool are to the same server, so they are closed as well.
                    session.close();
                    self.pool.retain(|_, _| false);
                }
                FailureKind::Again => session.keep(),
                // This attempt failed, but an earlier attempt may have succeeded.
                FailureKind::Busy | FailureKind::Late | FailureKind::Hindered(_) | FailureKind::Refused
                    if may_be_stored =>
                {
                    session.keep();
                    let reason = error.as_ref().map(failure::words).unwrap_or_default();
                    return Err(StoreError::Unavailable(reason));
                }
                FailureKind::Busy => {
                    session.keep();
                    return Err(StoreError::Busy);
                }
                FailureKind::Late => {
                    session.keep();
                    return Err(StoreError::Deadline);
                }
                FailureKind::Hindered(hindrance) => {
                    session.keep();
                    let reason = error.as_ref().map(failure::words).unwrap_or_default();
                    return Err(StoreError::Hindered { hindrance, reason });
                }
                // The row with the same key may come from an earlier attempt, so the caller must check it.
                FailureKind::ConstraintViolated => {
                    session.keep();
                    return Ok(Answer { rows: Vec::new(), may_be_stored: true });
                }
                FailureKind::Refused => {
                    session.keep();
                    return Err(StoreError::Failed(error.as_ref().map(failure::words).unwrap_or_default()));
                }
            }
        }
    }
}

/// Runs `work`. Returns [`StoreError::Unavailable`] if `work` takes longer than `limit`.
pub async fn in_time<T>(limit: Duration, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let late = || StoreError::Unavailable("no writable server answered in time".into());
    timeout(limit, work).await.unwrap_or_else(|_| Err(late()))
}
