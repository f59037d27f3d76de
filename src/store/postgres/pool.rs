//! A pool of connections. If a connection breaks, its work begins again on another one, within a total time limit.

use std::sync::Arc;
use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{Pool as Connections, PoolError};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep, timeout_at};

use super::connect::Connector;
use super::error::{self, AttemptError};
use super::session::{Part, READ, Session};
use super::statements::RunError;
use crate::store::sql::{Rows, Statement};
use crate::store::{OpenError, PoolUsage, StoreError};

/// Time limit of one attempt, including the network. Slightly longer than the server's own limit of a statement.
pub const ATTEMPT: Duration = Duration::from_secs(6);

/// Maximum time that a caller waits for an answer, for example while no server is available.
pub const MAX_WAIT: Duration = Duration::from_secs(10);

/// Maximum time that a caller waits if servers have already been unavailable for [`MAX_WAIT`].
const SHORT_WAIT: Duration = Duration::from_secs(2);

/// Pause between attempts to reach a server.
const PAUSE: Duration = Duration::from_millis(100);

/// A connection pool. Clones share the same pool.
#[derive(Debug, Clone)]
pub struct Pool {
    connections: Connections<Connector>,
    /// When servers stopped answering: the start of the first unanswered attempt. `None` while servers answer.
    unanswered_since: Arc<Mutex<Option<Instant>>>,
}

impl Pool {
    pub fn new(connector: Connector, connections: usize) -> Result<Self, OpenError> {
        let connections = Connections::builder(connector)
            .max_size(connections)
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|e| OpenError(format!("cannot create the connection pool: {e}")))?;
        Ok(Self { connections, unanswered_since: Arc::default() })
    }

    pub fn usage(&self, pool: &'static str) -> (usize, PoolUsage) {
        let status = self.connections.status();
        let in_use = status.size.saturating_sub(status.available);
        (status.waiting, PoolUsage { pool, in_use, max: status.max_size })
    }

    pub fn is_closed(&self) -> bool {
        self.connections.is_closed()
    }

    pub fn close(&self) {
        self.connections.close();
    }

    /// Returns the time until which a caller may wait: at most [`MAX_WAIT`] from now, and less if servers have been
    /// unavailable for a while. So an operation with several steps does not wait for the maximum time in each step.
    pub fn patience(&self) -> Instant {
        let since = self.unanswered_since.lock();
        let waited = since.map(|since| since.elapsed()).unwrap_or_default();
        Instant::now() + MAX_WAIT.saturating_sub(waited).max(SHORT_WAIT)
    }

    /// Returns the error for a read that exceeded its time limit, or could not reach a server in that time.
    pub fn timeout_error(&self) -> StoreError {
        match *self.unanswered_since.lock() {
            Some(_) => StoreError::unavailable(),
            None => StoreError::Deadline,
        }
    }

    /// Returns a connection to a writable server. Waits until `deadline` for one.
    pub async fn session(&self, deadline: Instant) -> Result<Session, StoreError> {
        loop {
            let begin = Instant::now();
            match timeout_at(deadline, self.connections.get()).await {
                Ok(Ok(connection)) => return Ok(Session::of(connection)),
                Ok(Err(PoolError::Backend(error))) if error.may_pass => {
                    tracing::warn!(reason = error.reason, "no connection to the database");
                    self.note(Some(begin));
                    if timeout_at(deadline, sleep(PAUSE)).await.is_err() {
                        return Err(StoreError::unavailable());
                    }
                }
                Ok(Err(PoolError::Closed)) => return Err(StoreError::Failed("the store is closed".into())),
                Ok(Err(error)) => return Err(StoreError::Unavailable(error.to_string())),
                Err(_) => return Err(StoreError::unavailable()),
            }
        }
    }

    /// Runs statements in one snapshot. Makes attempts until one is answered, or until `deadline`.
    pub async fn read(&self, deadline: Instant, statements: &[Statement]) -> Result<Vec<Rows>, StoreError> {
        let is_one = statements.len() == 1;
        loop {
            let reads = statements.iter().map(Part::Statement);
            let session = self.session(deadline).await?;
            let outcome = if is_one {
                self.attempt(session, ATTEMPT, Some(deadline), reads.collect()).await
            } else {
                let parts = [Part::Text(READ)].into_iter().chain(reads).chain([Part::Text("COMMIT")]).collect();
                self.attempt(session.in_transaction(), ATTEMPT, Some(deadline), parts).await
            };
            match outcome {
                Ok((session, rows)) => {
                    session.keep();
                    return Ok(rows);
                }
                Err(AttemptError::Again | AttemptError::Lost) if Instant::now() < deadline => {}
                Err(AttemptError::Again | AttemptError::Lost) => return Err(StoreError::unavailable()),
                Err(AttemptError::Fail(error)) => return Err(error),
                Err(AttemptError::LostRace) => return Err(StoreError::Failed("a read violated a constraint".into())),
            }
        }
    }

    /// Makes one attempt, for at most `limit`, and not beyond `deadline`. If the attempt fails, its transaction is
    /// ended, and its connection goes back to the pool or is closed.
    ///
    /// # Errors
    /// What to do after the failure.
    pub async fn attempt(
        &self,
        session: Session,
        limit: Duration,
        deadline: Option<Instant>,
        parts: Vec<Part<'_>>,
    ) -> Result<(Session, Vec<Rows>), AttemptError> {
        let begin = Instant::now();
        let end = begin + limit;
        let error = match timeout_at(deadline.map_or(end, |deadline| deadline.min(end)), session.send(parts)).await {
            Ok(Ok(rows)) => {
                self.note(None);
                return Ok((session, rows));
            }
            Ok(Err(RunError::Store(error))) => {
                session.close();
                return Err(AttemptError::Fail(error));
            }
            Ok(Err(RunError::Server(error))) => Some(error),
            Err(_) if begin.elapsed() >= limit => None,
            // The caller's deadline has passed, which says nothing about the server.
            Err(_) => {
                session.close();
                return Err(AttemptError::Lost);
            }
        };
        let attempt_error = error.as_ref().map_or(AttemptError::Lost, error::of_attempt);
        let is_lost = matches!(attempt_error, AttemptError::Lost);
        self.note(is_lost.then_some(begin));
        if is_lost {
            let reason = error.as_ref().map_or_else(|| "it said nothing".to_owned(), error::words);
            tracing::warn!(reason, "reconnecting to the database");
            // The other idle connections of the pool are to the same server, so they are closed as well.
            session.close();
            self.connections.retain(|_, _| false);
        }
        Err(attempt_error)
    }

    /// Records the outcome of an attempt: `None` if a server answered, otherwise the time at which the attempt began.
    pub fn note(&self, unanswered_since: Option<Instant>) {
        let mut earliest = self.unanswered_since.lock();
        *earliest = unanswered_since.map(|since| earliest.map_or(since, |earlier| earlier.min(since)));
    }
}
