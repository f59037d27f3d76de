//! Opens the file of a store: checks its write-ahead log, and runs missing migrations.

use std::fs::File;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::connection::configure;
use super::error::remedy;
use super::files::{FILE, with_suffix};
use super::readers::Readers;
use super::{backup, log, migrate};
use crate::private_file;
use crate::store::OpenError;

/// The oldest version of SQLite that is safe: 3.51.3. Older versions can lose commits when the write-ahead log is
/// reset.
const OLDEST_SAFE_VERSION: i32 = 3_051_003;

/// Connections to a store on which all migrations have run.
pub struct Opened {
    pub connection: Connection,
    pub readers: Readers,
    pub heavy: Readers,
    pub in_use: Option<File>,
}

impl Opened {
    pub fn in_folder(folder: &Path, migrate: bool, readers: usize, heavy: usize) -> Result<Self, OpenError> {
        if rusqlite::version_number() < OLDEST_SAFE_VERSION {
            return Err(OpenError(format!(
                "this program was built with SQLite {}, which can lose commits; build it with 3.51.3 or newer",
                rusqlite::version()
            )));
        }
        let created = backup::data_folder(folder)?;
        let is_new = private_file::is_missing(&folder.join(FILE));
        let opened = Self::in_existing(folder, migrate, readers, heavy);
        if opened.is_err() && is_new {
            backup::remove_unfinished(folder);
            private_file::remove_unused(&created);
        }
        opened
    }

    fn in_existing(folder: &Path, migrate: bool, readers: usize, heavy: usize) -> Result<Self, OpenError> {
        let in_use = backup::lock_shared(folder)?;
        if in_use.is_some() {
            backup::sweep(folder);
        }
        let path = folder.join(FILE);
        private_file::file(&path).map_err(|e| OpenError::of("open or create the store", &path, &e))?;
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
            // Empties the log, so that the next start does not find the same damage again.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(cannot)?;
        }
        sync_log(&path).map_err(|e| OpenError::of("sync the log of the store", &path, &e))?;
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
    let log = with_suffix(store, "-wal");
    let unread = |e| OpenError::of("read the write-ahead log", &log, &e);
    let Some(damage) = log::damage(store).map_err(unread)? else { return Ok(false) };
    let copy = log::keep(store).map_err(|e| {
        OpenError(format!(
            "the write-ahead log {} is damaged, and cannot be copied: {e}; free some space, and move older copies to another folder",
            log.display()
        ))
    })?;
    tracing::error!(
        copy = %copy.display(),
        "the write-ahead log of the store is damaged: {damage}; the service continues without the damaged \
         changes, and keeps a copy of the log; compare with the last backup"
    );
    Ok(true)
}

/// Syncs the write-ahead log to disk. A killed process may have left commits in the log that were not synced. From now
/// on responses show these commits, so a power loss must not undo them.
fn sync_log(store: &Path) -> std::io::Result<()> {
    match File::open(with_suffix(store, "-wal")) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        log => log?.sync_all().and_then(|()| private_file::sync_name(store)),
    }
}
