//! The kinds of writes, and repeated attempts of a write to a server until one attempt is answered.
//!
//! If the answer to a commit is lost, it is unknown whether the write is stored. To find out, the writer uses the
//! random mark that each transaction stores. A second transaction claims the mark: it tries to store the same mark. The
//! claim waits until the old transaction has ended. If the claim finds the mark, the write is stored. Otherwise the old
//! transaction can never be stored, because its mark is already taken. Reading whether the mark is stored would not be
//! enough, because the old transaction could still be running.

use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::StoreError;
use super::dialect::Dialect;
use super::sql::{Rows, Statement};

/// Maximum number of attempts of a write that loses races against concurrent writes.
const MAX_ATTEMPTS: usize = 20;

/// Pause before a mark is claimed again.
const PAUSE: Duration = Duration::from_millis(100);

/// Kinds of writes, with different guarantees and time limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteKind {
    /// A write of few rows, which must be executed exactly once.
    Once,
    /// Like [`Self::Once`], but with priority, because a visitor is waiting for a page.
    Visit,
    /// A write of few rows that may be executed twice without harm.
    Repeatable,
    /// A write of many rows, such as a whole investigation, which takes longer.
    Long,
}

/// Why a transaction stored nothing.
#[derive(Debug)]
pub enum WriteError {
    /// A statement changed or returned another number of rows than it should: a concurrent write came first.
    LostRace,
    Store(StoreError),
}

impl<E: Into<StoreError>> From<E> for WriteError {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

/// Decides about a write: the statements to run, and the answer to the caller once they are stored. `decide` gets the
/// rows of the reads of this write. It may run several times, and must be pure and quick.
pub trait Decide<T>: Fn(&[Rows]) -> Result<(Vec<Statement>, T), StoreError> + Send + Sync + 'static {}

impl<T, F: Fn(&[Rows]) -> Result<(Vec<Statement>, T), StoreError> + Send + Sync + 'static> Decide<T> for F {}

/// A write to a server, for all its attempts.
pub struct Write<'w, D> {
    pub kind: WriteKind,
    pub reads: &'w [Statement],
    pub decide: &'w D,
    /// No attempt begins after this time.
    pub deadline: Instant,
}

/// How an attempt ended.
pub enum Attempt<T> {
    /// The write is stored, or there was nothing to store.
    Done(T),
    /// A concurrent write came first. Nothing is stored.
    LostRace,
    /// Nothing is stored, but another attempt may succeed. The error is for a caller whose deadline has passed.
    Again(StoreError),
    /// The answer to the commit was lost. The write may be stored, now or later.
    Unanswered(T),
}

/// A database server to which connections may break.
pub trait Server: Sync {
    /// Time limit for claiming a mark.
    const PATIENCE: Duration;

    fn dialect(&self) -> Dialect;

    /// Returns a new, unique mark.
    fn mark(&self) -> String;

    /// Makes one attempt. Its transaction also runs the statement `mark`.
    fn attempt<T: Send, D: Decide<T>>(
        &self,
        write: &Write<'_, D>,
        mark: Option<Statement>,
    ) -> impl Future<Output = Result<Attempt<T>, StoreError>> + Send;

    /// Claims a mark: runs these statements one after the other, and returns the rows of the last one. Returns `None`
    /// if no server answered.
    fn claim(
        &self,
        statements: &[Statement],
        deadline: Instant,
    ) -> impl Future<Output = Result<Option<Rows>, StoreError>> + Send;
}

type Writing<'w, T> = Pin<Box<dyn Future<Output = Result<Option<T>, StoreError>> + Send + 'w>>;

/// Makes attempts until one is answered. Returns `None` if concurrent writes came first.
///
/// The future is boxed because it is large, and because the compiler could not show that it is `Send` otherwise.
pub fn write<'w, T: Send + 'w, D: Decide<T>>(server: &'w impl Server, write: Write<'w, D>) -> Writing<'w, T> {
    Box::pin(until_answered(server, write))
}

async fn until_answered<T: Send, D: Decide<T>>(
    server: &impl Server,
    write: Write<'_, D>,
) -> Result<Option<T>, StoreError> {
    let has_time = || Instant::now() < write.deadline;
    let mut lost_races = 0;
    loop {
        let mark = (write.kind != WriteKind::Repeatable).then(|| server.mark());
        let marking = mark.as_ref().map(|mark| insert_mark(server.dialect(), mark, false));
        match server.attempt(&write, marking).await? {
            Attempt::Done(answer) => return Ok(Some(answer)),
            Attempt::LostRace => {
                lost_races += 1;
                // Without reads, another attempt would make the same decision, so there is none.
                if lost_races == MAX_ATTEMPTS || write.reads.is_empty() {
                    return Ok(None);
                }
            }
            Attempt::Again(_) if has_time() => {}
            Attempt::Again(error) => return Err(error),
            Attempt::Unanswered(answer) => match mark {
                Some(mark) if is_stored(server, &mark).await? => return Ok(Some(answer)),
                _ if has_time() => {}
                Some(_) => return Err(StoreError::unavailable()),
                None => return Err(StoreError::Unanswered(StoreError::unavailable().to_string())),
            },
        }
    }
}

/// Returns whether the transaction with this mark is stored. If it is not, it can never be stored.
///
/// # Errors
/// [`StoreError::Unanswered`] if no server answers in time.
async fn is_stored<S: Server>(server: &S, mark: &str) -> Result<bool, StoreError> {
    let unanswered = |error: StoreError| StoreError::Unanswered(error.to_string());
    let deadline = Instant::now() + S::PATIENCE;
    let claim = insert_mark(server.dialect(), mark, true).then("ON CONFLICT DO NOTHING");
    let find = Statement::new("SELECT m.claimed FROM write_mark m WHERE m.mark = $mark").with("mark", mark);
    let statements = [claim, find];
    loop {
        match server.claim(&statements, deadline).await.map_err(unanswered)? {
            Some(rows) => {
                let found = rows.first().ok_or_else(|| StoreError::Unanswered("the mark is gone".into()))?;
                return Ok(!found.flag("claimed")?);
            }
            None if Instant::now() < deadline => sleep(PAUSE).await,
            None => return Err(unanswered(StoreError::unavailable())),
        }
    }
}

fn insert_mark(dialect: Dialect, mark: &str, is_claim: bool) -> Statement {
    let now = dialect.server_time();
    Statement::new(format!("INSERT INTO write_mark (mark, at, claimed) VALUES ($mark, {now}, $claimed)"))
        .with("mark", mark)
        .with("claimed", is_claim)
}
