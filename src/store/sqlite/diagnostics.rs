//! Checks an embedded store, which other processes may be using, without changing it: creates, migrates and commits
//! nothing, and does not remove an existing write-ahead log.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use rustix::fs::{Access, access};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::connection::configure;
use super::error::remedy;
use super::files::{FILE, with_suffix};
use super::readers::{Readers, Snapshot};
use super::{backup, log, migrate, schema};
use crate::private_file;
use crate::store::diagnostics::{Diagnosis, FAILED_DELIVERIES, FailedDeliveries, Integrity, MigrationState};

/// Checks the store in this folder. The integrity check gives up after `patience`.
///
/// # Errors
/// A sentence for the operator.
pub fn at(folder: &Path, patience: Duration) -> Result<Diagnosis, String> {
    let path = folder.join(FILE);
    match path.metadata() {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Diagnosis::missing(Ok(()))),
        Err(e) => return Err(format!("cannot check the store {}: {e}", path.display())),
        Ok(_) => {}
    }
    let _in_use = backup::lock_shared(folder).map_err(|e| e.to_string())?;
    check_rights(folder, &path)?;
    let log = log::damage(&path).map_err(|e| private_file::failed("read the log of the store", &path, &e))?;
    let cannot = |e: rusqlite::Error| format!("cannot open the store {}: {e}{}", path.display(), remedy(&e));
    let connection = open(&path).map_err(cannot)?;
    migrate::check_owner(&connection, &path).map_err(|e| e.to_string())?;
    let done: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(cannot)?;
    let damaged_logs = log::kept_beside(&path);
    let log = log.map(|damage| Integrity::Broken {
        reason: format!("its write-ahead log is damaged: {damage}"),
        remedy: "compare with the last backup; the next start continues without these changes, and keeps a copy of the log",
    });
    let Some(done) = usize::try_from(done).ok().filter(|done| *done > 0) else {
        // A new store exists only in its log.
        let integrity = log.unwrap_or(Integrity::NotChecked);
        return Ok(Diagnosis { integrity, damaged_logs, ..Diagnosis::missing(writes(&connection, folder)) });
    };
    Ok(Diagnosis {
        migrations: MigrationState::Steps { done, known: migrate::known() },
        writes: writes(&connection, folder),
        // A store of an older version may lack this table.
        failed_deliveries: failed_deliveries(&connection).unwrap_or_default(),
        integrity: match schema::difference(&connection) {
            // A newer version of the program may have added tables or indexes that this version does not know.
            Ok(Some(difference)) if done <= migrate::known() => Integrity::Broken {
                reason: format!("another program changed its schema: {difference}"),
                remedy: "undo that change, or restore a backup with fieldbook restore",
            },
            _ => log.unwrap_or_else(|| check_integrity(&connection, patience)),
        },
        damaged_logs,
    })
}

/// Checks whether this user may read and write the files of a store.
fn check_rights(folder: &Path, path: &Path) -> Result<(), String> {
    let files = ["", "-wal", "-shm"].map(|ending| with_suffix(path, ending));
    let there: Vec<&PathBuf> = files.iter().filter(|file| file.exists()).collect();
    let refusal = |path: &Path, wanted| access(path, wanted).err();
    let of_file = there.iter().find_map(|file| Some((*file, refusal(file, Access::READ_OK | Access::WRITE_OK)?)));
    let of_folder = || Some((&files[0], refusal(folder, Access::WRITE_OK | Access::EXEC_OK)?));
    match of_file.or_else(of_folder) {
        None => {}
        Some((file, Errno::ROFS)) => return Err(private_file::failed("write the store", file, &Errno::ROFS.into())),
        Some((file, _)) => {
            return Err(format!(
                "this user may not write the store {} and its folder; run this command as the service's user, or change their owner",
                file.display()
            ));
        }
    }
    // If this process is root, looks for files that belong to root before it opens the store. SQLite would give these
    // files to the owner of the store.
    let is_of_root = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.uid() == 0);
    let left = there.iter().find(|file| geteuid().is_root() && is_of_root(file) && !is_of_root(path));
    left.map_or(Ok(()), |file| {
        let (file, store) = (file.display(), path.display());
        Err(format!("{file} belongs to root, and the store does not; run: chown --reference={store} {file}"))
    })
}

/// Begins a snapshot of the store in this folder. The schema of the store must be up to date.
///
/// # Errors
/// A sentence for the operator.
pub async fn snapshot(folder: &Path) -> Result<Snapshot, String> {
    let path = folder.join(FILE);
    let connection = open(&path).map_err(|e| format!("cannot open the store {}: {e}", path.display()))?;
    Readers::new(vec![connection]).snapshot(None).await.map_err(|e| e.to_string())
}

/// Opens the store. The last connection to a store usually moves the write-ahead log into the store and deletes it on
/// closing. If a log exists, this is turned off, so that nothing is changed.
fn open(path: &Path) -> Result<Connection, rusqlite::Error> {
    let has_log = with_suffix(path, "-wal").exists();
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_log)?;
    configure(&connection)?;
    Ok(connection)
}

fn failed_deliveries(connection: &Connection) -> Result<Vec<FailedDeliveries>, rusqlite::Error> {
    let mut query = connection.prepare(FAILED_DELIVERIES)?;
    let rows = query.query_map([], |row| Ok(FailedDeliveries { endpoint: row.get(0)?, events: row.get(1)? }))?;
    rows.collect()
}

/// Checks whether the store accepts writes, with a transaction that is rolled back. SQLite keeps such a transaction in
/// memory, so the disk is checked separately.
fn writes(connection: &Connection, folder: &Path) -> Result<(), String> {
    let written =
        connection.execute_batch("BEGIN IMMEDIATE; CREATE TABLE doctor (n INTEGER); INSERT INTO doctor VALUES (1)");
    let taken_back = if connection.is_autocommit() { Ok(()) } else { connection.execute_batch("ROLLBACK") };
    written.and(taken_back).map_err(|e| format!("it refuses writes: {e}"))?;
    write_nameless(folder).map_err(|e| private_file::failed("write in the folder", folder, &e))
}

/// Writes a file without a name, which the system deletes as soon as it is closed.
#[cfg(target_os = "linux")]
fn write_nameless(folder: &Path) -> io::Result<()> {
    use std::fs::File;
    use std::io::Write;

    use rustix::fs::{Mode, OFlags};

    /// Number of bytes for which the disk must have room.
    const ROOM: usize = 256 * 1024;
    let nameless = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let mut file = match rustix::fs::open(folder, nameless, Mode::RUSR | Mode::WUSR) {
        // This file system does not support files without a name.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT) => return Ok(()),
        opened => File::from(opened?),
    };
    file.write_all(&vec![0; ROOM])?;
    file.sync_all()
}

/// Only Linux has files without a name.
#[cfg(not(target_os = "linux"))]
fn write_nameless(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Checks the integrity of all pages. Gives up after `patience`.
fn check_integrity(connection: &Connection, patience: Duration) -> Integrity {
    let (over, waits) = channel::<()>();
    let interrupt = connection.get_interrupt_handle();
    let watch = std::thread::spawn(move || {
        if waits.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            interrupt.interrupt();
        }
    });
    let said = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    drop(over);
    // The thread cannot panic.
    let _ = watch.join();
    let damaged = |reason: &str| Integrity::Broken {
        reason: format!("it is damaged: {reason}"),
        remedy: "stop the service, keep the files, and restore a backup with fieldbook restore",
    };
    match said {
        Ok(said) if said == "ok" => Integrity::Intact("no page is damaged"),
        // SQLite's report starts with a heading (`*** in database …`), which is skipped.
        Ok(said) => damaged(said.lines().find(|line| !line.starts_with("***")).unwrap_or(&said)),
        Err(e) if e.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => Integrity::TimedOut,
        Err(e) => damaged(&e.to_string()),
    }
}
