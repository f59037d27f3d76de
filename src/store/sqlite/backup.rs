//! Backs up the embedded store to one file while the store is in use, and restores a backup. Both write a temporary
//! file first, then verify it completely, and only then give it its final name.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::{FILE, configure, migrate, schema};
use crate::private_file;
use crate::store::OpenError;

/// Numbers of rows in a verified store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Number of investigations.
    pub investigations: u64,
    /// Number of version records.
    pub records: u64,
    /// Number of links.
    pub links: u64,
}

/// Copies the store in this folder to a new file and verifies the copy.
///
/// # Errors
/// [`OpenError`] with a sentence for the operator. No file is created in that case.
pub fn back_up(folder: &Path, target: &Path) -> Result<Contents, OpenError> {
    if target.exists() {
        return Err(OpenError(format!("{} already exists; name a new file", target.display())));
    }
    let store = folder.join(FILE);
    let _in_use = lock_shared(folder)?;
    let unreadable = |e: rusqlite::Error| OpenError(format!("cannot read the store {}: {e}", store.display()));
    let source = Connection::open_with_flags(&store, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(unreadable)?;
    configure(&source).map_err(unreadable)?;
    migrate::check_owner(&source, &store)?;
    let beside = TemporaryFile::new(target)?;
    source
        .execute("VACUUM INTO ?1", [beside.text()?])
        .map_err(|e| OpenError(format!("cannot copy the store {} to {}: {e}", store.display(), target.display())))?;
    let contents = check(&beside.0, target)?;
    beside.rename_to(target)?;
    Ok(contents)
}

/// Restores a backup as the store in `folder`. An existing store is replaced only if `replace` is true. No process may
/// be using the existing store.
///
/// # Errors
/// [`OpenError`] with a sentence for the operator. An existing store is unchanged in that case.
pub fn restore(source: &Path, folder: &Path, replace: bool) -> Result<Contents, OpenError> {
    let store = folder.join(FILE);
    private_file::folder(folder)
        .map_err(|e| OpenError(format!("cannot create the data folder {}: {e}", folder.display())))?;
    let _alone = lock_exclusive(folder)?;
    if store.exists() && !replace {
        return Err(OpenError(format!(
            "a store already exists in the folder {}; back it up, then use --replace to replace it",
            folder.display()
        )));
    }
    let cannot = |e: io::Error| OpenError(format!("cannot copy the backup {}: {e}", source.display()));
    let mut input = File::open(source).map_err(cannot)?;
    let beside = TemporaryFile::new(&store)?;
    let mut output = private_file::file(&beside.0).map_err(cannot)?;
    io::copy(&mut input, &mut output).map_err(cannot)?;
    drop(output);
    let contents = check(&beside.0, source)?;
    remove_old_log(&store)?;
    beside.rename_to(&store)?;
    Ok(contents)
}

/// Takes a shared lock on `folder`. The lock lasts until the returned file is closed. Returns `None`, and takes no
/// lock, if the file system does not support locks or the folder cannot be opened.
///
/// # Errors
/// [`OpenError`] while a backup is being restored in this folder.
pub fn lock_shared(folder: &Path) -> Result<Option<File>, OpenError> {
    let Ok(handle) = File::open(folder) else { return Ok(None) };
    match handle.try_lock_shared() {
        Ok(()) => Ok(Some(handle)),
        Err(TryLockError::Error(_)) => Ok(None),
        Err(TryLockError::WouldBlock) => Err(OpenError(format!(
            "a backup is being restored in the folder {}; start again when that is done",
            folder.display()
        ))),
    }
}

/// Takes an exclusive lock on `folder`. The lock lasts until the returned file is closed.
fn lock_exclusive(folder: &Path) -> Result<File, OpenError> {
    let unlocked = |e: io::Error| OpenError(format!("cannot lock the data folder {}: {e}", folder.display()));
    let handle = File::open(folder).map_err(unlocked)?;
    match handle.try_lock() {
        Ok(()) => Ok(handle),
        Err(TryLockError::Error(e)) => Err(unlocked(e)),
        Err(TryLockError::WouldBlock) => Err(OpenError(format!(
            "the store in the folder {} is in use; stop the service and other commands first",
            folder.display()
        ))),
    }
}

/// A file named like the target plus `.part`, such as `copy.sqlite3.part`. Dropping this value deletes the file if it
/// still has this name.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    /// Creates an empty file that only its owner may read. Replaces a file left over from an interrupted run.
    fn new(wanted: &Path) -> Result<Self, OpenError> {
        let mut name = wanted.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let path = wanted.with_file_name(name);
        let cannot = |e: io::Error| OpenError(format!("cannot create the file {}: {e}", path.display()));
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(cannot(e)),
            _ => {}
        }
        private_file::new_file(&path).map_err(cannot)?;
        Ok(Self(path))
    }

    fn text(&self) -> Result<&str, OpenError> {
        self.0.to_str().ok_or_else(|| OpenError(format!("the path {} is not UTF-8", self.0.display())))
    }

    /// Syncs the file to disk and renames it to its final name.
    fn rename_to(self, target: &Path) -> Result<(), OpenError> {
        let cannot = |e: io::Error| OpenError(format!("cannot create the file {}: {e}", target.display()));
        File::open(&self.0).and_then(|file| file.sync_all()).map_err(cannot)?;
        std::fs::rename(&self.0, target).and_then(|()| private_file::sync_name(target)).map_err(cannot)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // Fails if the file was renamed, because the temporary file then no longer exists.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Verifies the store in the file `path`, and counts its rows. Error messages name `named` instead of `path`.
fn check(path: &Path, named: &Path) -> Result<Contents, OpenError> {
    let damaged = |e: rusqlite::Error| OpenError(format!("{} is not a sound store: {e}", named.display()));
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(damaged)?;
    migrate::check_form(&connection, named)?;
    let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(damaged)?;
    if sound != "ok" {
        return Err(OpenError(format!("{} is not a sound store: {sound}", named.display())));
    }
    let dangling =
        connection.prepare("PRAGMA foreign_key_check").and_then(|mut check| check.exists([])).map_err(damaged)?;
    if dangling {
        return Err(OpenError(format!(
            "{} is not a sound store: some rows refer to rows that are missing",
            named.display()
        )));
    }
    if let Some(difference) = schema::difference(&connection).map_err(damaged)? {
        return Err(OpenError(format!(
            "{} is not a sound store: {difference}; undo that change and try again",
            named.display()
        )));
    }
    let count = |table: &str| {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).map_err(damaged)
    };
    Ok(Contents { investigations: count("investigation")?, records: count("version_record")?, links: count("link")? })
}

/// Removes the write-ahead log of the old store. SQLite would otherwise apply this log to the new store.
fn remove_old_log(store: &Path) -> Result<(), OpenError> {
    if let Ok(connection) = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_WRITE) {
        // Moves the log's commits into the old store, so that it stays complete if the restore fails later. Fails only
        // if the old store is damaged, and then its log is useless as well.
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
    for ending in ["-wal", "-shm"] {
        let mut name = store.as_os_str().to_owned();
        name.push(ending);
        match std::fs::remove_file(&name) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(OpenError(format!("cannot remove {}: {e}", Path::new(&name).display())));
            }
            _ => {}
        }
    }
    // The removal must be on disk before the new store gets its name. Otherwise a power loss could leave the old log
    // next to the new store.
    let unsynced = |e: io::Error| OpenError(format!("cannot sync the folder of {}: {e}", store.display()));
    private_file::sync_name(store).map_err(unsynced)
}
