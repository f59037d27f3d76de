//! The embedded store: SQLite in WAL mode with `synchronous=FULL`, one writer thread, and two pools of read-only
//! connections.

pub mod backup;
pub mod diagnostics;
mod log;
mod migrate;
mod readers;
mod schema;
mod statements;
mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::engine::Limit;
use super::reads::LIMIT;
use super::sql::{Rows, Statement};
use super::write::{Decide, WriteError, WriteKind};
use super::{FixableError, OpenError, PoolUsage, StoreError};
use crate::admission::{self, HEAVY};
use crate::private_file;
use readers::Readers;
pub use readers::Snapshot;
use writer::{Deferred, Turn, Writer};

/// Name of the store's file in the data folder.
pub const FILE: &str = "fieldbook.sqlite3";

/// The oldest version of SQLite that is safe: 3.51.3. Older versions can lose commits when the write-ahead log is
/// reset.
const OLDEST_SAFE_VERSION: i32 = 3_051_003;

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

    pub async fn snapshot(&self, limit: Limit) -> Result<Snapshot, StoreError> {
        match limit {
            Limit::Light => self.readers.snapshot(Some(LIMIT)).await,
            Limit::Heavy => self.heavy.snapshot(Some(LIMIT)).await,
            Limit::None => self.heavy.snapshot(None).await,
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
        let turn = if kind == WriteKind::Visit { Turn::First } else { Turn::Of(admission::actor()) };
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
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Connections to a store on which all migrations have run.
struct Opened {
    connection: Connection,
    readers: Readers,
    heavy: Readers,
    in_use: Option<File>,
}

impl Opened {
    fn in_folder(folder: &Path, migrate: bool, readers: usize, heavy: usize) -> Result<Self, OpenError> {
        if rusqlite::version_number() < OLDEST_SAFE_VERSION {
            return Err(OpenError(format!(
                "this program was built with SQLite {}, which can lose commits; build it with 3.51.3 or newer",
                rusqlite::version()
            )));
        }
        private_file::folder(folder).map_err(|e| {
            OpenError(format!("cannot create the data folder {}: {e}; choose another with --data", folder.display()))
        })?;
        let in_use = backup::lock_shared(folder)?;
        if in_use.is_some() {
            backup::sweep(folder);
        }
        let path = folder.join(FILE);
        private_file::file(&path).map_err(|e| {
            let remedy = "give the service's user write permission there";
            OpenError(format!("cannot open or create the store {}: {e}; {remedy}", path.display()))
        })?;
        let is_log_damaged = keep_damaged_log(&path)?;
        let cannot =
            |e: rusqlite::Error| OpenError(format!("cannot open the store {}: {e}{}", path.display(), remedy(&e)));
        let mut connection = Connection::open(&path).map_err(cannot)?;
        configure(&connection).map_err(cannot)?;
        migrate::check_owner(&connection, &path)?;
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;",
            )
            .map_err(cannot)?;
        if is_log_damaged {
            // The next start finds an empty log.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(cannot)?;
        }
        sync_log(&path).map_err(|e| OpenError(format!("cannot sync the log of the store {}: {e}", path.display())))?;
        migrate::run(&mut connection, &path, migrate)?;
        let readers = open_readers(&path, readers).map_err(cannot)?;
        let heavy = open_readers(&path, heavy).map_err(cannot)?;
        Ok(Self { connection, readers, heavy, in_use })
    }
}

fn open_readers(path: &Path, count: usize) -> Result<Readers, rusqlite::Error> {
    let open = |_| {
        // A connection is used by one thread at a time, so SQLite needs no mutex.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(path, flags)?;
        configure(&reader)?;
        Ok(reader)
    };
    (0..count).map(open).collect::<Result<_, _>>().map(Readers::new)
}

/// Copies a damaged write-ahead log before SQLite overwrites it. Returns whether it is damaged.
fn keep_damaged_log(store: &Path) -> Result<bool, OpenError> {
    let kept = log::keep_damaged(store).map_err(|e| {
        let log = with_suffix(store, "-wal");
        OpenError(format!(
            "cannot check the write-ahead log {}, or copy it because it is damaged: {e}; free some space, and move older copies \
             to another folder",
            log.display()
        ))
    })?;
    if let Some((damage, copy)) = &kept {
        tracing::error!(
            copy = %copy.display(),
            "the write-ahead log of the store is damaged: {damage}; the service continues without them and keeps a copy of \
             the log; compare with the last backup"
        );
    }
    Ok(kept.is_some())
}

/// Syncs the write-ahead log to disk. A killed process may have left commits in the log that were not synced. From now
/// on responses show these commits, so a power loss must not undo them.
fn sync_log(store: &Path) -> std::io::Result<()> {
    match File::open(with_suffix(store, "-wal")) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        log => log?.sync_all().and_then(|()| private_file::sync_name(store)),
    }
}

/// Returns the path of a file beside a store, such as its write-ahead log, which ends in `-wal`.
fn with_suffix(store: &Path, ending: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Returns the remedy for an error, as text to append to its message; empty if unknown.
fn remedy(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen) => "; check its permissions and the limit of open files (ulimit -n)",
        Some(ErrorCode::ReadOnly) => "; give the service's user write permission for it and its folder",
        Some(ErrorCode::DatabaseCorrupt) => "; check with fieldbook doctor, and restore a backup",
        Some(ErrorCode::DiskFull) => "; free some space on its disk",
        _ => "",
    }
}

fn configure(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    // Makes query plans independent of bound values. Otherwise SQLite would prepare a statement again for a new LIMIT.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error;
        let reason = error.to_string();
        let kind = match (&error, error.sqlite_error_code()) {
            // Another process, for example a backup, has held the lock for too long.
            (_, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => return StoreError::Busy,
            (_, Some(ErrorCode::DiskFull)) => FixableError::DiskFull,
            (_, Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied)) => FixableError::ReadOnly,
            (_, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)) => FixableError::Damaged,
            (_, Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen)) => FixableError::Files,
            // The row contains a value of a type that the service does not write.
            (Error::FromSqlConversionFailure(..) | Error::InvalidColumnType(..) | Error::Utf8Error(..), _) => {
                FixableError::Damaged
            }
            _ => return StoreError::Failed(reason),
        };
        StoreError::Fixable { kind, reason }
    }
}
