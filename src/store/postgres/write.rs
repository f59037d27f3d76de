//! Writes: transactions that begin again if a concurrent write came first, or if the server lost them.
//!
//! If the answer to a commit is lost, it is unknown whether the write is stored. Each transaction stores a random mark, so
//! the writer then claims this mark, by storing it itself. The claim waits until the old transaction has ended. If the
//! claim finds the mark, the write is stored. Otherwise the write can never be stored, because its own mark is taken.
//! Looking for the mark would not be enough: the old transaction could still be running.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::Postgres;
use super::pool::{ATTEMPT, AttemptFailure, MAX_WAIT, Next, in_time, unavailable};
use super::session::{Part, Session};
use crate::store::StoreError;
use crate::store::engine::{Decide, MAX_ATTEMPTS, WriteKind};
use crate::store::sql::Statement;

/// Begins a transaction that writes.
const WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

/// Begins a transaction that writes many rows.
const LONG_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = '60 s'";

/// Time limit of a write of many rows.
const LONG: Duration = Duration::from_secs(60);

/// Number of writes after which marks older than an hour are deleted.
const WRITES_PER_CLEARING: u64 = 1000;

const MARK: &str = "INSERT INTO write_mark (mark, at, claimed)
     VALUES ($mark, (extract(epoch FROM now()) * 1000)::bigint, false)";

const CLAIM: &str = "INSERT INTO write_mark (mark, at, claimed)
     VALUES ($mark, (extract(epoch FROM now()) * 1000)::bigint, true) ON CONFLICT DO NOTHING";

const FIND: &str = "SELECT claimed FROM write_mark WHERE mark = $mark";

const CLEAR: &str = "DELETE FROM write_mark WHERE mark IN (
     SELECT mark FROM write_mark WHERE at < (extract(epoch FROM now() - interval '1 hour') * 1000)::bigint
     ORDER BY at LIMIT 10000 FOR UPDATE SKIP LOCKED)";

/// Counts writes, to know when to delete old marks.
#[derive(Debug, Default)]
pub struct Writes(AtomicU64);

/// A write, for all its attempts.
struct Write<'w, D> {
    kind: WriteKind,
    reads: &'w [Statement],
    decide: &'w D,
    deadline: Instant,
}

impl Postgres {
    /// See `Store::write`. Returns `None` if concurrent writes came first.
    pub async fn write<T: Send, D: Decide<T>>(
        &self,
        kind: WriteKind,
        reads: Vec<Statement>,
        decide: D,
    ) -> Result<Option<T>, StoreError> {
        let deadline = if kind == WriteKind::Long { Instant::now() + LONG } else { self.pool.patience() };
        let write = Write { kind, reads: &reads, decide: &decide, deadline };
        for _ in 0..MAX_ATTEMPTS {
            match self.attempt(&write).await? {
                Some(answer) => return Ok(Some(answer)),
                // Without reads, the next attempt would decide the same.
                None if reads.is_empty() => return Ok(None),
                None => {}
            }
        }
        Ok(None)
    }

    /// Makes attempts until one is answered. Returns `None` if a concurrent write came first.
    async fn attempt<T: Send, D: Decide<T>>(&self, write: &Write<'_, D>) -> Result<Option<T>, StoreError> {
        let Write { kind, reads, decide, deadline } = *write;
        let (limit, begin_text) = if kind == WriteKind::Long { (LONG, LONG_WRITE) } else { (ATTEMPT, WRITE) };
        loop {
            let session = self.pool.session(deadline).await?.in_transaction();
            let begin = Instant::now();
            let is_open = !reads.is_empty();
            let mut rows = Vec::new();
            if is_open {
                let parts = [Part::Text(begin_text)].into_iter().chain(reads.iter().map(Part::Read)).collect();
                match in_time(begin, limit, deadline, session.send(parts)).await {
                    Ok(found) => rows = found,
                    Err(failure) => match self.after(begin, session, failure).await {
                        Next::Again | Next::Lost if Instant::now() < deadline => continue,
                        Next::Again => return Err(StoreError::Busy),
                        Next::Lost => return Err(unavailable()),
                        Next::Fail(error) => return Err(of_write(error)),
                        Next::LostRace => return Ok(None),
                    },
                }
            }
            let (changes, answer) = match decide(&rows) {
                Ok((changes, answer)) if !changes.is_empty() => (changes, answer),
                nothing_to_store => {
                    roll_back(session, is_open).await;
                    return nothing_to_store.map(|(_, answer)| Some(answer));
                }
            };
            let mark = (kind != WriteKind::Repeatable).then(|| self.marks.nonce());
            let marking = mark.as_ref().map(|mark| Statement::new(MARK).with("mark", mark));
            let parts = (!is_open).then_some(Part::Text(begin_text)).into_iter();
            let parts = parts.chain(marking.iter().chain(&changes).map(Part::Change)).chain([Part::Text("COMMIT")]);
            let failure = match in_time(begin, limit, deadline, session.send(parts.collect())).await {
                Ok(_) => {
                    self.pool.note(None);
                    session.keep();
                    self.clear_marks_sometimes();
                    return Ok(Some(answer));
                }
                Err(failure) => failure,
            };
            match self.after(begin, session, failure).await {
                Next::LostRace => return Ok(None),
                Next::Fail(error) => return Err(of_write(error)),
                Next::Again if Instant::now() < deadline => {}
                Next::Again => return Err(StoreError::Busy),
                Next::Lost => match mark {
                    Some(mark) if self.is_stored(&mark).await? => return Ok(Some(answer)),
                    None if Instant::now() >= deadline => {
                        return Err(StoreError::Unanswered(unavailable().to_string()));
                    }
                    Some(_) if Instant::now() >= deadline => return Err(unavailable()),
                    _ => {}
                },
            }
        }
    }

    /// Returns whether the transaction with this mark is stored. If it is not, it can never be stored.
    ///
    /// # Errors
    /// [`StoreError::Unanswered`] if no server answers in time.
    async fn is_stored(&self, mark: &str) -> Result<bool, StoreError> {
        let unanswered = |error: StoreError| StoreError::Unanswered(error.to_string());
        let deadline = Instant::now() + MAX_WAIT;
        let claim = Statement::new(CLAIM).with("mark", mark);
        let find = Statement::new(FIND).with("mark", mark);
        loop {
            let session = self.pool.session(deadline).await.map_err(unanswered)?;
            let begin = Instant::now();
            let parts = vec![Part::Change(&claim), Part::Read(&find)];
            let failure = match in_time(begin, ATTEMPT, deadline, session.send(parts)).await {
                Ok(answers) => {
                    self.pool.note(None);
                    session.keep();
                    let found = answers.last().and_then(|rows| rows.first());
                    let found = found.ok_or_else(|| StoreError::Unanswered("the mark is gone".into()))?;
                    return Ok(!found.flag("claimed")?);
                }
                Err(failure) => failure,
            };
            match self.pool.after(begin, session, failure) {
                Next::Again | Next::Lost | Next::Fail(StoreError::Busy | StoreError::Deadline)
                    if Instant::now() < deadline => {}
                Next::Fail(error) => return Err(unanswered(error)),
                Next::Again | Next::Lost | Next::LostRace => return Err(unanswered(unavailable())),
            }
        }
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

/// Ends a transaction that stores nothing. If this fails, the connection is closed.
async fn roll_back(session: Session, is_open: bool) {
    if !is_open || matches!(timeout(ATTEMPT, session.run("ROLLBACK")).await, Ok(Ok(()))) {
        session.keep();
    }
}

/// Returns the error of a write that took too long: nothing was stored.
fn of_write(error: StoreError) -> StoreError {
    match error {
        StoreError::Deadline => StoreError::Busy,
        error => error,
    }
}
