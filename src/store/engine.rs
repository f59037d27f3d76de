//! The two engines of the store. Each use case runs the same statements on either engine.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tracing::Instrument;

use super::dialect::Dialect;
use super::lock_order;
use super::postgres::{self, Postgres};
#[cfg(feature = "simulation")]
use super::simulated;
use super::sql::{Rows, Statement};
use super::sqlite::{self, Sqlite};
use super::write::Decide;
pub use super::write::WriteKind;
use super::{Store, StoreError};
use crate::admission::{self, Class};

#[derive(Debug)]
pub enum Engine {
    /// SQLite, one file in the data folder.
    Sqlite(Sqlite),
    /// PostgreSQL, which several copies of the service may share.
    Postgres(Postgres),
}

/// Which connections a snapshot uses, and its time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadKind {
    /// For reads of few rows. Uses the connections for short reads, with a time limit.
    Light,
    /// For reads of histories, versions and filtered lists. Uses separate connections, with a time limit.
    Heavy,
    /// For commands that read the whole store. Uses the connections for heavy reads, without a time limit.
    Unlimited,
}

/// Several reads in one snapshot of the store.
pub enum Snapshot {
    Sqlite(sqlite::Snapshot),
    Postgres(Box<postgres::Snapshot>),
}

impl Snapshot {
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    pub async fn get(&self, statement: Statement) -> Result<Rows, StoreError> {
        Ok(self.read(vec![statement]).await?.pop().unwrap_or_default())
    }

    pub async fn read(&self, statements: Vec<Statement>) -> Result<Vec<Rows>, StoreError> {
        match self {
            Self::Sqlite(snapshot) => snapshot.read(statements).await,
            Self::Postgres(snapshot) => snapshot.read(statements).await,
        }
    }

    /// Ends the snapshot after its last read. If it is dropped instead, its statements are stopped.
    pub fn end(self) {
        match self {
            Self::Sqlite(snapshot) => snapshot.end(),
            Self::Postgres(snapshot) => snapshot.end(),
        }
    }
}

impl Store {
    pub(super) fn dialect(&self) -> Dialect {
        match &*self.engine {
            Engine::Sqlite(_) => Dialect::Sqlite,
            Engine::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs one statement that reads few rows.
    pub(super) async fn get(&self, statement: Statement) -> Result<Rows, StoreError> {
        Ok(self.read(vec![statement]).await?.pop().unwrap_or_default())
    }

    /// Runs statements that read few rows, in one snapshot.
    pub(super) async fn read(&self, statements: Vec<Statement>) -> Result<Vec<Rows>, StoreError> {
        self.faulty("read", async {
            match &*self.engine {
                Engine::Sqlite(sqlite) => sqlite.read(&statements).await,
                // Boxed, because this future is large and nested calls would overflow the stack.
                Engine::Postgres(postgres) => Box::pin(postgres.read(&statements)).await,
            }
        })
        .await
    }

    /// Begins a snapshot, in which several rounds of statements see the same state of the store.
    ///
    /// A heavy read first gets a heavy permit.
    pub(super) async fn begin(&self, kind: ReadKind) -> Result<Snapshot, StoreError> {
        if kind == ReadKind::Heavy {
            admission::hold(Class::Heavy).await?;
        }
        self.faulty("begin", async {
            match &*self.engine {
                Engine::Sqlite(sqlite) => sqlite.snapshot(kind).await.map(Snapshot::Sqlite),
                Engine::Postgres(postgres) => Ok(Snapshot::Postgres(Box::new(postgres.snapshot(kind)))),
            }
        })
        .await
    }

    /// Runs a read that does much parsing on a blocking thread, so that other requests do not wait for it. The read
    /// ends if its caller disconnects. Before this call, the read must have begun a heavy snapshot with
    /// [`Self::begin`]. A request gets such a snapshot only with a heavy permit, and only a few heavy permits exist. So
    /// only a few of these reads run at the same time.
    pub(super) async fn off_thread<T: Send + 'static>(
        &self,
        read: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        #[cfg(feature = "simulation")]
        if self.faults.is_some() {
            return read.await;
        }
        let (caller, gone) = oneshot::channel::<()>();
        let runtime = Handle::current();
        // Runs in the current span, so that damaged rows are logged with the id of the request.
        let read = read.in_current_span();
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    biased;
                    _ = gone => Err(StoreError::Failed("nobody is waiting for the read".to_owned())),
                    done = read => done,
                }
            })
        };
        let done = spawn_blocking(work).await;
        drop(caller);
        done.unwrap_or_else(|error| Err(StoreError::of_lost_read(&error)))
    }

    /// Writes: runs `reads`, and then the statements that `decide` returns, in one transaction. Begins again if a
    /// concurrent write came first, or if the database lost the transaction. Returns when the data is on disk.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if concurrent writes came first each time; [`StoreError::Unanswered`] if it is unknown
    /// whether the write took effect; otherwise nothing was stored.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        name: &'static str,
        reads: Vec<Statement>,
        decide: impl Decide<T>,
    ) -> Result<T, StoreError> {
        self.write_as(WriteKind::Once, name, reads, decide).await
    }

    /// Like [`Self::write`], for a write of any kind.
    pub(super) async fn write_as<T: Send + 'static>(
        &self,
        kind: WriteKind,
        name: &'static str,
        reads: Vec<Statement>,
        decide: impl Decide<T>,
    ) -> Result<T, StoreError> {
        self.attempt(kind, name, reads, decide).await?.ok_or(StoreError::Busy)
    }

    /// Runs statements in one transaction and one round trip. Returns false and stores nothing if a statement changed
    /// or returned a different number of rows than expected.
    pub(super) async fn write_if(&self, name: &'static str, statements: Vec<Statement>) -> Result<bool, StoreError> {
        let statements: Arc<[Statement]> = statements.into();
        let stored =
            self.attempt(WriteKind::Once, name, Vec::new(), move |_: &[Rows]| Ok((statements.to_vec(), ()))).await?;
        Ok(stored.is_some())
    }

    /// Runs statements in one transaction, which may be executed twice without harm.
    pub(super) async fn write_repeatable(
        &self,
        name: &'static str,
        statements: Vec<Statement>,
    ) -> Result<(), StoreError> {
        let decide = move |_: &[Rows]| Ok((statements.clone(), ()));
        self.write_as(WriteKind::Repeatable, name, Vec::new(), decide).await
    }

    /// Returns `None` if concurrent writes came first.
    pub(super) async fn attempt<T: Send + 'static>(
        &self,
        kind: WriteKind,
        name: &'static str,
        reads: Vec<Statement>,
        decide: impl Decide<T>,
    ) -> Result<Option<T>, StoreError> {
        let decide = lock_order::checked(name, &reads, decide);
        #[cfg(feature = "simulation")]
        if let Some(faults) = &self.faults {
            return simulated::write(self, faults, kind, name, reads, decide).await;
        }
        self.run(kind, reads, decide).await
    }

    /// Runs a write on the engine. Returns `None` if concurrent writes came first.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        kind: WriteKind,
        reads: Vec<Statement>,
        decide: impl Decide<T>,
    ) -> Result<Option<T>, StoreError> {
        match &*self.engine {
            Engine::Sqlite(sqlite) => sqlite.write(kind, reads, decide).await,
            Engine::Postgres(postgres) => postgres.write(kind, reads, decide).await,
        }
    }

    /// Runs a read. A simulation makes it fail at times.
    pub(super) async fn faulty<T>(
        &self,
        _call: &'static str,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        #[cfg(feature = "simulation")]
        if let Some(faults) = &self.faults {
            return simulated::read(&**faults, _call, work).await;
        }
        work.await
    }
}
