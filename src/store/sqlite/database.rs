//! The embedded store, with the interface that the use cases need. It has one writer and two pools of readers.

use std::fs::File;
use std::path::Path;

use parking_lot::Mutex;
use rusqlite::Connection;

use super::open::Opened;
use super::readers::{Readers, Snapshot};
use super::statements;
use super::writer::{Deferred, WriteTurn, Writer};
use crate::admission::{self, HEAVY};
use crate::store::engine::ReadKind;
use crate::store::reads::LIMIT;
use crate::store::sql::{Rows, Statement};
use crate::store::write::{Decide, WriteError, WriteKind};
use crate::store::{OpenError, PoolUsage, StoreError};

/// Number of connections for reads that are not heavy. It may exceed the number of cores: some reads wait for the disk.
const READERS: usize = 4;

#[derive(Debug)]
pub struct Sqlite {
    writer: Writer,
    /// Connections for reads that are not heavy.
    readers: Readers,
    /// Connections for heavy reads: histories, versions, filtered lists, and investigations with all their data.
    heavy: Readers,
    /// The locked data folder. While the store is open, the lock prevents the restore of a backup.
    in_use: Mutex<Option<File>>,
}

impl Sqlite {
    /// Opens the store in this folder. Creates the file if it does not exist. Runs missing migrations if `migrate` is
    /// true; otherwise fails if a migration is missing.
    pub fn open(folder: &Path, migrate: bool) -> Result<Self, OpenError> {
        let Opened { connection, readers, heavy, in_use } =
            Opened::in_folder(folder, migrate, READERS, HEAVY as usize)?;
        let writer =
            Writer::start(connection).map_err(|e| OpenError(format!("cannot start the writer thread: {e}")))?;
        Ok(Self { writer, readers, heavy, in_use: Mutex::new(in_use) })
    }

    /// Opens the store without threads, for simulations, which schedule all work themselves. Reads run on the caller's
    /// thread, and writes run when the returned future is polled.
    #[cfg(feature = "simulation")]
    pub fn on_task(folder: &Path) -> Result<(Self, impl Future<Output = ()> + use<>), OpenError> {
        let Opened { connection, readers, heavy, in_use } = Opened::in_folder(folder, true, 1, 1)?;
        let (writer, run) = Writer::on_task(connection);
        let (readers, heavy) = (readers.inline(), heavy.inline());
        Ok((Self { writer, readers, heavy, in_use: Mutex::new(in_use) }, run))
    }

    /// Runs statements that read few rows on the calling thread, in one snapshot.
    pub async fn read(&self, statements: &[Statement]) -> Result<Vec<Rows>, StoreError> {
        self.readers.look_up(statements).await
    }

    pub async fn snapshot(&self, kind: ReadKind) -> Result<Snapshot, StoreError> {
        match kind {
            ReadKind::Light => self.readers.snapshot(Some(LIMIT)).await,
            ReadKind::Heavy => self.heavy.snapshot(Some(LIMIT)).await,
            ReadKind::Unlimited => self.heavy.snapshot(None).await,
        }
    }

    /// See `Store::write`. Returns `None` if the write lost a race.
    pub async fn write<T: Send + 'static>(
        &self,
        kind: WriteKind,
        reads: Vec<Statement>,
        decide: impl Decide<T>,
    ) -> Result<Option<T>, StoreError> {
        let work = move |connection: &Connection, deferred: &mut Deferred| {
            let rows = reads.iter().map(|read| statements::change(connection, read)).collect::<Result<Vec<_>, _>>()?;
            let (changes, answer) = decide(&rows)?;
            for change in changes {
                deferred.bytes += change.bytes();
                match change.is_deferred {
                    true => deferred.statements.push(change),
                    false => drop(statements::change(connection, &change)?),
                }
            }
            Ok::<_, WriteError>(answer)
        };
        let turn = if kind == WriteKind::Visit { WriteTurn::First } else { WriteTurn::Of(admission::actor()) };
        self.writer.write(turn, work).await
    }

    pub async fn ready(&self) -> Result<(), StoreError> {
        self.writer.ready().await?;
        self.read(&[Statement::new("SELECT 1 AS one")]).await.map(drop)
    }

    pub fn usage(&self) -> (usize, [PoolUsage; 2]) {
        (self.writer.waiting(), [self.readers.usage("reads"), self.heavy.usage("heavy_reads")])
    }

    pub fn stop_heavy_reads(&self) {
        self.heavy.stop();
    }

    pub async fn close(&self) {
        tokio::join!(self.readers.close(), self.heavy.close());
        self.writer.close().await;
        self.in_use.lock().take();
    }
}
