//! Checks an embedded store, which other processes may be using, without changing it: creates, migrates and commits
//! nothing, and does not remove an existing write-ahead log.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row};
use rustix::fs::{Access, access};
use rustix::process::{Flock, FlockOffsetType, FlockType, fcntl_getlk};

use super::{FILE, backup, configure, migrate, schema};
use crate::domain::time::Timestamp;
use crate::store::diagnostics::{Diagnosis, Integrity, MigrationState, OtherUsers, Webhook};

/// Offset of a byte in SQLite's shared-memory file. Every process locks this byte while it has the store open.
const IN_USE: u64 = 128;

const WEBHOOKS: &str = "SELECT w.endpoint, w.after_at,
        (SELECT count(*) FROM event e WHERE e.n > w.after_n),
        (SELECT min(e.at) FROM event e WHERE e.n > w.after_n),
        count(r.n), min(r.due), coalesce(max(r.attempts), 0)
     FROM webhook w LEFT JOIN webhook_retry r ON r.endpoint = w.endpoint GROUP BY w.endpoint";

const CLOCK_JUMPS: &str = "SELECT at, next FROM (SELECT at, lead(at) OVER (ORDER BY n) AS next FROM event)
     WHERE at > next + 60000 ORDER BY at - next DESC LIMIT 1";

/// Checks the store in this folder. The integrity check gives up after `patience`.
///
/// # Errors
/// A sentence for the operator.
pub fn at(folder: &Path, patience: Duration) -> Result<Diagnosis, String> {
    let path = folder.join(FILE);
    match path.metadata() {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Diagnosis::missing(Ok(()))),
        Err(e) => return Err(format!("cannot check the store {}: {e}", path.display())),
        Ok(_) => {}
    }
    let _in_use = backup::lock_shared(folder).map_err(|e| e.to_string())?;
    let rights = access(&path, Access::READ_OK | Access::WRITE_OK);
    if rights.and_then(|()| access(folder, Access::WRITE_OK | Access::EXEC_OK)).is_err() {
        return Err(format!(
            "this user may not write the store {} and its folder; run this command as the service's user, or change their owner",
            path.display()
        ));
    }
    // Checked before the store is opened here: this check opens and closes the shared-memory file, and closing it would
    // release the locks on it that SQLite in this process already has.
    let others = if is_used_by_another(folder) { OtherUsers::Process } else { OtherUsers::Nobody };
    let has_log = with_suffix(&path, "-wal").exists();
    let cannot = |e: rusqlite::Error| format!("cannot open the store {}: {e}", path.display());
    // The last connection to a store usually moves the write-ahead log into the store and deletes it on closing. If a
    // log exists, this is turned off, so that nothing is changed.
    let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(cannot)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_log).map_err(cannot)?;
    configure(&connection).map_err(cannot)?;
    migrate::check_owner(&connection, &path).map_err(|e| e.to_string())?;
    let done: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(cannot)?;
    let Some(done) = usize::try_from(done).ok().filter(|done| *done > 0) else {
        return Ok(Diagnosis { others, ..Diagnosis::missing(writes(&connection)) });
    };
    let newest = connection
        .query_row("SELECT max(created_at) FROM investigation", [], |row| row.get::<_, Option<i64>>(0))
        .optional()
        .unwrap_or_default();
    Ok(Diagnosis {
        servers: Vec::new(),
        migrations: MigrationState::Steps { done, known: migrate::known() },
        writes: writes(&connection),
        // Needs no check, because the check of writes creates a table.
        upgrades: Ok(()),
        others,
        newest: newest.flatten().map(Timestamp),
        risky_settings: Vec::new(),
        oldest_transaction: None,
        went_back: connection
            .query_row(CLOCK_JUMPS, [], |row| Ok((Timestamp(row.get(0)?), Timestamp(row.get(1)?))))
            .ok(),
        // `None` for a store of an older version, which does not have this table.
        webhooks: webhooks(&connection).ok(),
        integrity: match schema::difference(&connection) {
            // A newer version of the program may have added tables or indexes that this version does not know.
            Ok(Some(difference)) if done <= migrate::known() => Integrity::SchemaChanged(difference),
            _ => check_integrity(&connection, patience),
        },
    })
}

fn webhooks(connection: &Connection) -> Result<Vec<Webhook>, rusqlite::Error> {
    let read = |row: &Row<'_>| {
        let time = |column: usize| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(Timestamp));
        Ok(Webhook {
            endpoint: row.get(0)?,
            last: Timestamp(row.get(1)?),
            unsent: (row.get(2)?, time(3)?),
            to_retry: (row.get(4)?, time(5)?),
            attempts: row.get(6)?,
            is_leased: None,
        })
    };
    connection.prepare(WEBHOOKS)?.query_map([], read)?.collect()
}

/// Returns whether another process has the store in this folder open. Call it before this process opens the store.
pub fn is_used_by_another(folder: &Path) -> bool {
    is_in_use(&with_suffix(&folder.join(FILE), "-shm"))
}

fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Returns whether another process has the store open: whether it has locked the byte [`IN_USE`] of this file.
fn is_in_use(shared_memory: &Path) -> bool {
    let Ok(file) = File::options().read(true).write(true).open(shared_memory) else { return false };
    let alone =
        Flock { start: IN_USE, length: 1, pid: None, typ: FlockType::WriteLock, offset_type: FlockOffsetType::Set };
    matches!(fcntl_getlk(&file, &alone), Ok(Some(_)))
}

/// Checks whether the store accepts writes, with a transaction that is rolled back.
fn writes(connection: &Connection) -> Result<(), String> {
    let written =
        connection.execute_batch("BEGIN IMMEDIATE; CREATE TABLE doctor (n INTEGER); INSERT INTO doctor VALUES (1)");
    let taken_back = if connection.is_autocommit() { Ok(()) } else { connection.execute_batch("ROLLBACK") };
    written.and(taken_back).map_err(|e| e.to_string())
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
    match said {
        Ok(said) if said == "ok" => Integrity::Intact,
        // SQLite's report starts with a heading (`*** in database …`), which is skipped.
        Ok(said) => Integrity::Damaged(said.lines().find(|line| !line.starts_with("***")).unwrap_or(&said).to_owned()),
        Err(e) if e.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => Integrity::TimedOut,
        Err(e) => Integrity::Damaged(e.to_string()),
    }
}
