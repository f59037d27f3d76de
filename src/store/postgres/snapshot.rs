//! Several reads in one snapshot of the database, on the connections for heavy reads.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::database::Postgres;
use super::error::AttemptError;
use super::pool::{ATTEMPT, MAX_WAIT, Pool};
use super::session::{Part, READ, Session};
use crate::store::StoreError;
use crate::store::engine::ReadKind;
use crate::store::reads::{LIMIT, ReadGuard};
use crate::store::sql::{Rows, Statement};

/// Time limit of each statement, including the network, if the snapshot as a whole has no time limit.
const LONG_STATEMENT: Duration = Duration::from_secs(60);

/// Begins a transaction whose client may pause, because it writes what it read to a file.
const LONG_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '60 s';
     SET LOCAL idle_in_transaction_session_timeout = 0";

/// Begins a transaction for filtered lists. The server plans each statement for its own values, because the best plan
/// depends on them, for example on how rare a word is.
const HEAVY_READ: &str =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL plan_cache_mode = 'force_custom_plan'";

/// Several reads in one snapshot of the database. If it is dropped, a running statement is cancelled on the server.
pub struct Snapshot {
    kind: ReadKind,
    pool: Pool,
    /// `None` while a read runs, and after a read that failed.
    open: Mutex<Option<Open>>,
    /// Time by which all reads must be answered; `None` without a limit.
    deadline: Option<Instant>,
    closing: watch::Receiver<bool>,
}

struct Open {
    /// `None` before the first read, which begins the transaction.
    session: Option<Session>,
    waiting: ReadGuard,
}

impl Postgres {
    /// Returns a snapshot, which begins with its first read.
    pub fn snapshot(&self, kind: ReadKind) -> Snapshot {
        let pool = if kind == ReadKind::Light { &self.pool } else { &self.heavy };
        Snapshot::new(kind, pool.clone(), self.closing.subscribe())
    }
}

impl Snapshot {
    pub(super) fn new(kind: ReadKind, pool: Pool, closing: watch::Receiver<bool>) -> Self {
        let deadline = match kind {
            ReadKind::Light => Some(pool.patience()),
            ReadKind::Heavy => Some(Instant::now() + LIMIT),
            ReadKind::Unlimited => None,
        };
        let open = Open { session: None, waiting: ReadGuard::default() };
        Self { kind, pool, open: Mutex::new(Some(open)), deadline, closing }
    }

    /// Runs statements in one round trip.
    pub async fn read(&self, statements: Vec<Statement>) -> Result<Vec<Rows>, StoreError> {
        let Some(Open { session, waiting }) = self.open.lock().take() else {
            return Err(StoreError::Failed("an earlier read of the snapshot failed".into()));
        };
        match self.in_time(self.send(session, &statements)).await {
            Ok((session, rows)) => {
                let open = Open { session: Some(session), waiting };
                *self.open.lock() = Some(open);
                Ok(rows)
            }
            Err(error) => waiting.answered(Err(error)),
        }
    }

    /// Sends statements until they are answered. After the first answer, a lost connection is an error.
    async fn send(
        &self,
        mut begun: Option<Session>,
        statements: &[Statement],
    ) -> Result<(Session, Vec<Rows>), StoreError> {
        let until = self.deadline.unwrap_or_else(|| Instant::now() + MAX_WAIT);
        loop {
            let is_begun = begun.is_some();
            let session = match begun.take() {
                Some(session) => session,
                None => self.pool.session(until).await?.in_transaction(),
            };
            let text = match self.kind {
                ReadKind::Light => READ,
                ReadKind::Heavy => HEAVY_READ,
                ReadKind::Unlimited => LONG_READ,
            };
            let parts =
                (!is_begun).then_some(Part::Text(text)).into_iter().chain(statements.iter().map(Part::Statement));
            let limit = if self.kind == ReadKind::Unlimited { LONG_STATEMENT } else { ATTEMPT };
            match self.pool.attempt(session, limit, None, parts.collect()).await {
                Ok(answered) => return Ok(answered),
                Err(AttemptError::Again | AttemptError::Lost) if !is_begun => {}
                Err(AttemptError::Lost) => return Err(StoreError::Unavailable("the connection was lost".into())),
                Err(AttemptError::Fail(error)) => return Err(error),
                Err(AttemptError::Again | AttemptError::LostRace) => return Err(StoreError::Busy),
            }
        }
    }

    /// Ends the snapshot after its last read. Its connection goes back to the pool in the background.
    pub fn end(self) {
        if let Some(Open { waiting, .. }) = self.open.into_inner() {
            // Marks the read as answered, so that the metrics do not count it as stopped.
            let _ = waiting.answered(Ok(()));
        }
    }

    /// Ends `work` at the deadline, and heavy work when the store closes.
    async fn in_time<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let mut closing = self.closing.clone();
        let is_closing = async move { closing.wait_for(|closing| *closing).await.is_ok() };
        let late = async {
            match self.deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            true = is_closing, if self.kind != ReadKind::Light && !self.pool.is_closed() => Err(StoreError::Closing),
            () = late => Err(self.late()),
            outcome = work => outcome,
        }
    }

    /// Returns the error of a snapshot that took too long. A short read is slow only if the servers are.
    fn late(&self) -> StoreError {
        if self.kind == ReadKind::Light { StoreError::unavailable() } else { self.pool.timeout_error() }
    }
}
