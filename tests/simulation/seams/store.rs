//! The embedded store with injected faults, for simulations. It behaves like a server over the network: every call may
//! be delayed, fail before it has any effect, or lose its answer after it took effect.
//!
//! A write takes two trips, one for its reads and one for its changes. Its transaction may continue at the server after
//! the connection breaks. In place of locks, the server ends a transaction if another one changed what it has read.

use std::fmt::Debug;
use std::future::ready;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::dialect::Dialect;
use super::engine::Engine;
use super::sql::{Rows, Statement};
use super::sqlite::Sqlite;
use super::write::{self, Attempt, Decide, Server, Write, WriteKind};
use super::{OpenError, Store, StoreError};

/// Time limit for the attempts of a write.
const PATIENCE: Duration = Duration::from_secs(4);

/// Pause between attempts to reach the server.
const PAUSE: Duration = Duration::from_millis(100);

/// An action before or after a call. The action may wait. If it returns an error, the call has no effect, or its answer
/// is lost.
pub type Fault<'f> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'f>>;

/// Fate of the changes of a write at the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Committed,
    /// The server ends the transaction because of a deadlock.
    Deadlock,
    /// The connection breaks, and the transaction continues at the server for this time.
    Abandoned(Duration),
}

/// Decides which calls are delayed or fail. A call is identified by the name of its write, or by `read` or `claim`.
pub trait Faults: Debug + Send + Sync {
    /// Runs before a call. If it returns an error, the server is not reached.
    fn before(&self, call: &'static str) -> Fault<'_>;

    /// Runs after a successful call. If it returns an error, the answer of the call is lost.
    fn after(&self, _call: &'static str) -> Fault<'_> {
        Box::pin(ready(Ok(())))
    }

    fn fate(&self, _call: &'static str) -> Fate {
        Fate::Committed
    }

    /// Returns a new mark, which identifies one write, as `src/store/write.rs` explains.
    fn mark(&self) -> String;
}

impl Store {
    /// Opens an embedded store without threads and with faults, for simulations, which schedule all work themselves.
    /// Reads run on the caller's thread, and writes run when the returned future is polled.
    pub fn simulated(
        folder: &Path,
        faults: Arc<dyn Faults>,
    ) -> Result<(Self, impl Future<Output = ()> + use<>), OpenError> {
        let (sqlite, run) = Sqlite::on_task(folder)?;
        Ok((Self { faults: Some(faults), ..Self::on(Engine::Sqlite(sqlite)) }, run))
    }
}

/// Carries out a read.
pub(super) async fn read<T>(
    faults: &dyn Faults,
    call: &'static str,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let work = Box::pin(work);
    faults.before(call).await?;
    let answer = work.await?;
    faults.after(call).await?;
    Ok(answer)
}

/// Carries out a write, through a connection of its own.
pub(super) async fn write<T: Send + 'static>(
    store: &Store,
    faults: &Arc<dyn Faults>,
    kind: WriteKind,
    name: &'static str,
    reads: Vec<Statement>,
    decide: impl Decide<T>,
) -> Result<Option<T>, StoreError> {
    let connection = Connection { store, faults: &**faults, name, abandoned: Mutex::default() };
    let deadline = Instant::now() + PATIENCE;
    write::write(&connection, Write { kind, reads: &reads, decide: &decide, deadline }).await
}

struct Connection<'c> {
    store: &'c Store,
    faults: &'c dyn Faults,
    /// Name of the write.
    name: &'static str,
    /// The transaction of an earlier attempt, which may still run at the server.
    abandoned: Mutex<Option<JoinHandle<()>>>,
}

/// The changes of a write, which depend on the rows that its reads have returned.
struct Transaction {
    reads: Vec<Statement>,
    rows: Vec<Rows>,
    changes: Vec<Statement>,
}

impl Server for Connection<'_> {
    const PATIENCE: Duration = PATIENCE;

    fn dialect(&self) -> Dialect {
        self.store.dialect()
    }

    fn mark(&self) -> String {
        self.faults.mark()
    }

    async fn attempt<T: Send, D: Decide<T>>(
        &self,
        write: &Write<'_, D>,
        mark: Option<Statement>,
    ) -> Result<Attempt<T>, StoreError> {
        let abandoned = self.abandoned.lock().take();
        if let Some(abandoned) = abandoned {
            // The new transaction waits for the locks of the old one, so the old one has been committed or rolled back
            // by now.
            let _ = abandoned.await;
        }
        let mut rows = Vec::new();
        if !write.reads.is_empty() {
            if !self.reaches("read").await? {
                return Ok(Attempt::Again(StoreError::unavailable()));
            }
            rows = run(self.store, write.reads).await?;
        }
        let (mut changes, answer) = (write.decide)(&rows)?;
        if changes.is_empty() {
            return Ok(Attempt::Done(answer));
        }
        if !self.reaches(self.name).await? {
            return Ok(Attempt::Again(StoreError::unavailable()));
        }
        changes.splice(0..0, mark);
        let fate = self.faults.fate(self.name);
        changes.extend((fate == Fate::Deadlock).then(never));
        let transaction = Transaction { reads: write.reads.to_vec(), rows, changes };
        if let Fate::Abandoned(time) = fate {
            let store = self.store.clone();
            let goes_on = tokio::spawn(async move {
                sleep(time).await;
                // No caller waits for the answer of this transaction.
                let _ = transaction.commit(&store).await;
            });
            self.abandoned.lock().replace(goes_on);
            return Ok(Attempt::Unanswered(answer));
        }
        Ok(match transaction.commit(self.store).await? {
            None if fate == Fate::Deadlock => Attempt::Again(StoreError::Busy),
            None => Attempt::LostRace,
            Some(()) if self.faults.after(self.name).await.is_err() => Attempt::Unanswered(answer),
            Some(()) => Attempt::Done(answer),
        })
    }

    async fn claim(&self, statements: &[Statement], _: Instant) -> Result<Option<Rows>, StoreError> {
        if !self.reaches("claim").await? {
            return Ok(None);
        }
        let mut rows = run(self.store, statements).await?;
        Ok(self.faults.after("claim").await.ok().and(rows.pop()))
    }
}

impl Connection<'_> {
    /// Makes a trip to the server. Returns false after a pause if the server is not reached, but may be next time.
    async fn reaches(&self, call: &'static str) -> Result<bool, StoreError> {
        match self.faults.before(call).await {
            Ok(()) => Ok(true),
            Err(StoreError::Unavailable(_)) => {
                sleep(PAUSE).await;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}

impl Transaction {
    /// Returns `None` if a concurrent write changed the rows that this write has read.
    async fn commit(self, store: &Store) -> Result<Option<()>, StoreError> {
        let Self { reads, rows, changes } = self;
        let decide = move |found: &[Rows]| {
            let is_current = found == rows.as_slice();
            Ok((if is_current { changes.clone() } else { vec![never()] }, ()))
        };
        store.run(WriteKind::Once, reads, decide).await
    }
}

/// Runs statements in one transaction, and returns their rows.
async fn run(store: &Store, statements: &[Statement]) -> Result<Vec<Rows>, StoreError> {
    let rows = store.run(WriteKind::Once, statements.to_vec(), |rows: &[Rows]| Ok((Vec::new(), rows.to_vec()))).await?;
    Ok(rows.unwrap_or_default())
}

/// Returns a statement that rolls its transaction back.
fn never() -> Statement {
    Statement::new("UPDATE write_mark SET claimed = true WHERE false").expect(1)
}
